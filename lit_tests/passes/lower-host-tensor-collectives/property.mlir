// RUN: not pld-opt %s -p lower-host-tensor-collectives --split-input-file 2>&1 | filecheck %s

// The property that the pass requires: every buffer a slot, and every dispatch within its domain.

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  // CHECK: property.mlir:18:3: error: window buffer "d" is a slot of no domain around it
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  func.return
}

// -----

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  pld.comm_domain attributes {name = "x", devices = array<i64: 0, 2>, slots = ["d"]} {
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  scf.for %r = %c0 to %c2 step %c1 {
    // CHECK: property.mlir:45:5: error: 'd' is dispatched to devices 0, 1, but domain "x" has devices 0, 2
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  pl.call @stage(%d) device(%c2) : (!D) -> ()
  }
  func.return
}

// -----

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  pld.comm_domain attributes {name = "x", devices = array<i64: 0, 2>, slots = ["d"]} {
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    // CHECK: property.mlir:72:5: error: 'd' is dispatched to all devices, but domain "x" has devices 0, 2
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  }
  func.return
}
