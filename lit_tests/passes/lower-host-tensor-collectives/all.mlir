// RUN: pld-opt %s -p materialize-comm-domain-scopes,lower-host-tensor-collectives --split-input-file | filecheck %s
// RUN: pld-opt %s -p materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-comm-domain-scopes,lower-host-tensor-collectives --split-input-file | filecheck %s

// Each collective on all devices, its width known at run time: one loop.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @pipe(!D, !D, !H, !S) attributes {pl.func_type = "orchestration"}
func.func @host(%n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %half_buf = pld.tensor.alloc_window_buffer %c128 {name = "half"} : !pld.window_buffer
  %half = pld.tensor.window %half_buf : !pld.window_buffer -> !H
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  %ring_buf = pld.tensor.alloc_window_buffer %c128 {name = "ring"} : !pld.window_buffer
  %ring = pld.tensor.window %ring_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<3x2xi32>>
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @pipe(%in, %d, %half, %sc) device(%r) : (!D, !D, !H, !S) -> ()
  }
  %h0 = pld.tensor.all_to_all_v %in, %d, %w, %sc, %rc core_num(%n) : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S
  %h1 = pld.tensor.all_to_all %in, %h0, %s : !D, !D, !S
  %h2 = pld.tensor.allgather %half, %h1, %s : !H, !D, !S
  %h3 = pld.tensor.allreduce %h2, %w core_num(%n) {op = "max"} : !D, !pld.dist_tensor<tensor<2x2xi32>>
  %h4 = pld.tensor.allreduce %h3, %ring {op = "sum", mode = "ring"} : !D, !pld.dist_tensor<tensor<3x2xi32>>
  %h5 = pld.tensor.reduce_scatter %h4, %s {op = "prod"} : !D, !S
  %h6 = pld.tensor.broadcast %h5, %s {root = 1 : i64} : !D, !S
  %g = pld.tensor.barrier %s : !S
  func.return
}

// CHECK-LABEL: func.func private @pipe(!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func @host(%n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   pld.comm_domain attributes {name = "comm_d0", slots = ["in", "d", "half", "w", "s", "sc", "rc", "ring"]} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
// CHECK-NEXT:     %in = pld.tensor.window %in_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
// CHECK-NEXT:     %d = pld.tensor.window %d_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     %half_buf = pld.tensor.alloc_window_buffer %c128 {name = "half"} : !pld.window_buffer
// CHECK-NEXT:     %half = pld.tensor.window %half_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x8xf32>>
// CHECK-NEXT:     %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
// CHECK-NEXT:     %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
// CHECK-NEXT:     %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
// CHECK-NEXT:     %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
// CHECK-NEXT:     %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
// CHECK-NEXT:     %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %ring_buf = pld.tensor.alloc_window_buffer %c128 {name = "ring"} : !pld.window_buffer
// CHECK-NEXT:     %ring = pld.tensor.window %ring_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<3x2xi32>>
// CHECK-NEXT:     %all = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r = %c0 to %all step %c1 {
// CHECK-NEXT:       pl.call @pipe(%in, %d, %half, %sc) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %devices = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_1 = %c0_1 to %devices step %c1_1 {
// CHECK-NEXT:       pld.builtin.all_to_all_v %in, %d, %w, %sc, %rc device(%r_1) core_num(%n) {arg_directions = ["input", "inout", "inout", "input", "inout"]} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x2xi32>>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     %devices_1 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_2 = %c0_2 to %devices_1 step %c1_2 {
// CHECK-NEXT:       pld.builtin.all_to_all %in, %d, %s device(%r_2) {arg_directions = ["input", "inout", "inout"]} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %devices_2 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_3 = %c0_3 to %devices_2 step %c1_3 {
// CHECK-NEXT:       pld.builtin.allgather %half, %d, %s device(%r_3) {arg_directions = ["input", "inout", "inout"]} : (!pld.dist_tensor<tensor<2x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_4 = arith.constant 0 : index
// CHECK-NEXT:     %c1_4 = arith.constant 1 : index
// CHECK-NEXT:     %devices_3 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_4 = %c0_4 to %devices_3 step %c1_4 {
// CHECK-NEXT:       pld.builtin.allreduce %d, %w device(%r_4) core_num(%n) {arg_directions = ["inout", "inout"], op = "max"} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x2xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_5 = arith.constant 0 : index
// CHECK-NEXT:     %c1_5 = arith.constant 1 : index
// CHECK-NEXT:     %devices_4 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_5 = %c0_5 to %devices_4 step %c1_5 {
// CHECK-NEXT:       pld.builtin.allreduce %d, %ring device(%r_5) {arg_directions = ["inout", "inout"], op = "sum", mode = "ring"} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<3x2xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_6 = arith.constant 0 : index
// CHECK-NEXT:     %c1_6 = arith.constant 1 : index
// CHECK-NEXT:     %devices_5 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_6 = %c0_6 to %devices_5 step %c1_6 {
// CHECK-NEXT:       pld.builtin.reduce_scatter %d, %s device(%r_6) {arg_directions = ["inout", "inout"], op = "prod"} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_7 = arith.constant 0 : index
// CHECK-NEXT:     %c1_7 = arith.constant 1 : index
// CHECK-NEXT:     %devices_6 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_7 = %c0_7 to %devices_6 step %c1_7 {
// CHECK-NEXT:       pld.builtin.broadcast %d, %s device(%r_7) {arg_directions = ["inout", "inout"], root = 1 : i64} : (!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %c1_8 = arith.constant 1 : index
// CHECK-NEXT:     %devices_7 = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r_8 = %c0_8 to %devices_7 step %c1_8 {
// CHECK-NEXT:       pld.builtin.barrier %s device(%r_8) {arg_directions = ["inout"]} : (!pld.dist_tensor<tensor<2x1xi32>>)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
