// RUN: pld-opt %s -p synthesize-allreduce-signals --split-input-file | filecheck %s
// RUN: pld-opt %s -p synthesize-allreduce-signals,synthesize-allreduce-signals --split-input-file | filecheck %s

// Signals where others state the number of ranks.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
// What the signals of the module state alike is the number of ranks; a ring has a row a step.
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @stage(%d) device(%r) : (!D) -> ()
  }
  %g = pld.tensor.barrier %s : !S
  %h = pld.tensor.allreduce %d {op = "sum"} : !D
  %k = pld.tensor.allreduce %h {op = "sum", mode = "ring"} : !D
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
// CHECK-NEXT:   %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
// CHECK-NEXT:   %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %all = pld.system.world_size : index
// CHECK-NEXT:   scf.for %r = %c0 to %all step %c1 {
// CHECK-NEXT:     pl.call @stage(%d) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   %g = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %devices = pld.system.world_size : index
// CHECK-NEXT:   %row_bytes = arith.constant 4 : index
// CHECK-NEXT:   %signal_bytes = arith.muli %devices, %row_bytes : index
// CHECK-NEXT:   %signal_buffer = pld.tensor.alloc_window_buffer %signal_bytes {name = "allreduce_signal_0"} : !pld.window_buffer
// CHECK-NEXT:   %signal = pld.tensor.window %signal_buffer : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %h = pld.tensor.allreduce %d, %signal {op = "sum"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   %signal_bytes_1 = arith.constant 24 : index
// CHECK-NEXT:   %signal_buffer_1 = pld.tensor.alloc_window_buffer %signal_bytes_1 {name = "allreduce_signal_1"} : !pld.window_buffer
// CHECK-NEXT:   %signal_1 = pld.tensor.window %signal_buffer_1 : !pld.window_buffer -> !pld.dist_tensor<tensor<3x2xi32>>
// CHECK-NEXT:   %k = pld.tensor.allreduce %h, %signal_1 {op = "sum", mode = "ring"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<3x2xi32>>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
