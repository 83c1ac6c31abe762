// RUN: pld-opt %s -p synthesize-allreduce-signals --split-input-file | filecheck %s
// RUN: pld-opt %s -p synthesize-allreduce-signals,synthesize-allreduce-signals --split-input-file | filecheck %s

// Signals where the devices of the targets are listed.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
// The devices are listed: as many ranks. Names that are taken are not used.
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %e_buf = pld.tensor.alloc_window_buffer %c128 {name = "e"} : !pld.window_buffer
  %e = pld.tensor.window %e_buf : !pld.window_buffer -> !D
  %taken = pld.tensor.alloc_window_buffer %c128 {name = "allreduce_signal_0"} : !pld.window_buffer
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c1 to %c2 step %c1 {
    pl.call @stage(%e) device(%r) : (!D) -> ()
  }
  %h = pld.tensor.allreduce %d core_num(%c2) {op = "sum"} : !D
  %h1 = pld.tensor.allreduce %e {user = 1 : i32, op = "max"} : !D
  pl.call @stage2(%h, %h1) device(%c1) : (!D, !D) -> ()
  func.return
}

// CHECK-LABEL: func.func private @stage(!pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func private @stage2(!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c128 = arith.constant 128 : index
// CHECK-NEXT:   %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
// CHECK-NEXT:   %d = pld.tensor.window %d_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   %e_buf = pld.tensor.alloc_window_buffer %c128 {name = "e"} : !pld.window_buffer
// CHECK-NEXT:   %e = pld.tensor.window %e_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:   %taken = pld.tensor.alloc_window_buffer %c128 {name = "allreduce_signal_0"} : !pld.window_buffer
// CHECK-NEXT:   scf.for %r = %c0 to %c2 step %c1 {
// CHECK-NEXT:     pl.call @stage(%d) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %r_1 = %c1 to %c2 step %c1 {
// CHECK-NEXT:     pl.call @stage(%e) device(%r_1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   %devices = pld.system.world_size : index
// CHECK-NEXT:   %row_bytes = arith.constant 8 : index
// CHECK-NEXT:   %signal_bytes = arith.muli %devices, %row_bytes : index
// CHECK-NEXT:   %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_1"} : !pld.window_buffer
// CHECK-NEXT:   %signal = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
// CHECK-NEXT:   %h = pld.tensor.allreduce %d, %signal core_num(%c2) {op = "sum"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x2xi32>>
// CHECK-NEXT:   %devices_1 = pld.system.world_size : index
// CHECK-NEXT:   %row_bytes_1 = arith.constant 4 : index
// CHECK-NEXT:   %signal_bytes_1 = arith.muli %devices_1, %row_bytes_1 : index
// CHECK-NEXT:   %signal_buffer_1 = pld.tensor.alloc_window_buffer %signal_bytes_1 {name = "allreduce_signal_2"} : !pld.window_buffer
// CHECK-NEXT:   %signal_1 = pld.tensor.window %signal_buffer_1 : !pld.window_buffer -> !pld.dist_tensor<tensor<1x1xi32>>
// CHECK-NEXT:   %h1 = pld.tensor.allreduce %e, %signal_1 {user = 1 : i32, op = "max"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<1x1xi32>>
// CHECK-NEXT:   pl.call @stage2(%h, %h1) device(%c1) : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
