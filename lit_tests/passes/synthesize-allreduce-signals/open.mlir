// RUN: pld-opt %s -p synthesize-allreduce-signals --split-input-file | filecheck %s
// RUN: pld-opt %s -p synthesize-allreduce-signals,synthesize-allreduce-signals --split-input-file | filecheck %s

// Signals where nothing says how many devices there are.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
// All devices, and nothing says how many: as many rows as the buffer holds.
func.func @host(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  %h = pld.tensor.allreduce %d {op = "sum"} : !D
  %set = scf.if %yes -> (!D) {
    %i = pld.tensor.allreduce %d {op = "min"} : !D
    scf.yield %i : !D
  } else {
    scf.yield %d : !D
  }
  func.return
}

// CHECK-LABEL: func.func private @stage(!pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func private @stage2(!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func @host(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c128 = arith.constant 128 : index
// CHECK-NEXT:   %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
// CHECK-NEXT:   %d = pld.tensor.window %d_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   %all = pld.system.world_size : index
// CHECK-NEXT:   scf.for %r = %c0 to %all step %c1 {
// CHECK-NEXT:     pl.call @stage(%d) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   %devices = pld.system.world_size : index
// CHECK-NEXT:   %row_bytes = arith.constant 4 : index
// CHECK-NEXT:   %signal_bytes = arith.muli %devices, %row_bytes : index
// CHECK-NEXT:   %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// CHECK-NEXT:   %signal = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<?x1xi32>>
// CHECK-NEXT:   %h = pld.tensor.allreduce %d, %signal {op = "sum"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<?x1xi32>>
// CHECK-NEXT:   %set = scf.if %yes -> (!pld.dist_tensor<tensor<4x8xf32>>) {
// CHECK-NEXT:     %devices_1 = pld.system.world_size : index
// CHECK-NEXT:     %row_bytes_1 = arith.constant 4 : index
// CHECK-NEXT:     %signal_bytes_1 = arith.muli %devices_1, %row_bytes_1 : index
// CHECK-NEXT:     %signal_buffer_1 = pld.tensor.alloc_window_buffer %signal_bytes_1 {name = "allreduce_signal_1"} : !pld.window_buffer
// CHECK-NEXT:     %signal_1 = pld.tensor.window %signal_buffer_1 : !pld.window_buffer -> !pld.dist_tensor<tensor<?x1xi32>>
// CHECK-NEXT:     %i = pld.tensor.allreduce %d, %signal_1 {op = "min"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<?x1xi32>>
// CHECK-NEXT:     scf.yield %i : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %d : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
