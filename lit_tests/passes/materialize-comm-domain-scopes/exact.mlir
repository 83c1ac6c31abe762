// RUN: pld-opt %s -p materialize-comm-domain-scopes --split-input-file | filecheck %s
// RUN: pld-opt %s -p materialize-comm-domain-scopes,materialize-comm-domain-scopes --split-input-file | filecheck %s

// Domains of host bodies.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
func.func private @stage(!D) attributes {pl.func_type = "orchestration"}
func.func private @stage2(!D, !D) attributes {pl.func_type = "orchestration"}
// One domain of all devices; a signal is where its data is.
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
  %h = pld.tensor.allreduce %d, %s {op = "sum"} : !D, !S
  func.return
}
// Two domains that overlap, and a third of all devices: all absorbs. A result is yielded out.
func.func @host2(%x: i32) -> (index, i32) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %a_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_a"} : !pld.window_buffer
  %a = pld.tensor.window %a_buf : !pld.window_buffer -> !D
  %b_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_b"} : !pld.window_buffer
  %b = pld.tensor.window %b_buf : !pld.window_buffer -> !D
  %c_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_c"} : !pld.window_buffer
  %c = pld.tensor.window %c_buf : !pld.window_buffer -> !D
  %e_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_e"} : !pld.window_buffer
  %e = pld.tensor.window %e_buf : !pld.window_buffer -> !D
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @stage(%a) device(%r) : (!D) -> ()
  }
  pl.call @stage(%b) device(%c1) : (!D) -> ()
  pl.call @stage(%b) device(%c2) : (!D) -> ()
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @stage(%c) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @stage(%c) device(%r) : (!D) -> ()
  }
  pl.call @stage(%e) device(%c2) : (!D) -> ()
  pl.call @stage(%e) device(%c1) : (!D) -> ()
  %n = arith.addi %c1, %c2 : index
  func.return %n, %x : index, i32
}
// A window that is one of two on its way, a view, and a loop that never turns.
func.func @host3(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %a_buf = pld.tensor.alloc_window_buffer %c128 {name = "three_a"} : !pld.window_buffer
  %a = pld.tensor.window %a_buf : !pld.window_buffer -> !D
  %b_buf = pld.tensor.alloc_window_buffer %c128 {name = "three_b"} : !pld.window_buffer
  %b = pld.tensor.window %b_buf : !pld.window_buffer -> !D
  %w = scf.if %yes -> (!D) {
    scf.yield %a : !D
  } else {
    scf.yield %b : !D
  }
  %v = pl.tensor.slice %w[0, 0] [4, 8] : !D -> !D
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @stage(%v) device(%r) : (!D) -> ()
  }
  scf.for %r = %c2 to %c1 step %c1 {
    pl.call @stage(%b) device(%r) : (!D) -> ()
  }
  func.return
}
// A barrier that no dispatch shares its signal with is one of all devices.
func.func @host4() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "four_s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  %g = pld.tensor.barrier %s : !S
  func.return
}
// A buffer in a domain stays; one that stands in a domain of its devices joins it; the others get domains around.
func.func @host5() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 3>, slots = ["five_in"]} {
    %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_in"} : !pld.window_buffer
    %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
    pl.call @stage(%in) device(%c0) : (!D) -> ()
  %out_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_out"} : !pld.window_buffer
  %out = pld.tensor.window %out_buf : !pld.window_buffer -> !D
    pl.call @stage(%out) device(%c1) : (!D) -> ()
  %late_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_late"} : !pld.window_buffer
  %late = pld.tensor.window %late_buf : !pld.window_buffer -> !S
  %h = pld.tensor.allreduce %in, %late {op = "sum"} : !D, !S
  }
  func.return
}

// CHECK-LABEL: func.func private @stage(!pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func private @stage2(!pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<4x8xf32>>) -> () attributes {pl.func_type = "orchestration"}
// CHECK-LABEL: func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   pld.comm_domain attributes {name = "comm_d0", slots = ["d", "s"]} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
// CHECK-NEXT:     %d = pld.tensor.window %d_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
// CHECK-NEXT:     %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %all = pld.system.world_size : index
// CHECK-NEXT:     scf.for %r = %c0 to %all step %c1 {
// CHECK-NEXT:       pl.call @stage(%d) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     %h = pld.tensor.allreduce %d, %s {op = "sum"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @host2(%x: i32) -> (index, i32) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   %n = pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["two_a"]} -> index {
// CHECK-NEXT:     %n_1 = pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 1, 2>, slots = ["two_b", "two_e"]} -> index {
// CHECK-NEXT:       %n_2 = pld.comm_domain attributes {name = "comm_d2", slots = ["two_c"]} -> index {
// CHECK-NEXT:         %c0 = arith.constant 0 : index
// CHECK-NEXT:         %c1 = arith.constant 1 : index
// CHECK-NEXT:         %c2 = arith.constant 2 : index
// CHECK-NEXT:         %c128 = arith.constant 128 : index
// CHECK-NEXT:         %a_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_a"} : !pld.window_buffer
// CHECK-NEXT:         %a = pld.tensor.window %a_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:         %b_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_b"} : !pld.window_buffer
// CHECK-NEXT:         %b = pld.tensor.window %b_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:         %c_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_c"} : !pld.window_buffer
// CHECK-NEXT:         %c = pld.tensor.window %c_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:         %e_buf = pld.tensor.alloc_window_buffer %c128 {name = "two_e"} : !pld.window_buffer
// CHECK-NEXT:         %e = pld.tensor.window %e_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:         %all = pld.system.world_size : index
// CHECK-NEXT:         scf.for %r = %c0 to %c2 step %c1 {
// CHECK-NEXT:           pl.call @stage(%a) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         }
// CHECK-NEXT:         pl.call @stage(%b) device(%c1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         pl.call @stage(%b) device(%c2) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         scf.for %r_1 = %c0 to %c2 step %c1 {
// CHECK-NEXT:           pl.call @stage(%c) device(%r_1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.for %r_2 = %c0 to %all step %c1 {
// CHECK-NEXT:           pl.call @stage(%c) device(%r_2) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         }
// CHECK-NEXT:         pl.call @stage(%e) device(%c2) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         pl.call @stage(%e) device(%c1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:         %n_3 = arith.addi %c1, %c2 : index
// CHECK-NEXT:         pld.yield %n_3 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       pld.yield %n_2 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     pld.yield %n_1 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %n, %x : index, i32
// CHECK-NEXT: }
// CHECK-LABEL: func.func @host3(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 1>, slots = ["three_a", "three_b"]} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %a_buf = pld.tensor.alloc_window_buffer %c128 {name = "three_a"} : !pld.window_buffer
// CHECK-NEXT:     %a = pld.tensor.window %a_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     %b_buf = pld.tensor.alloc_window_buffer %c128 {name = "three_b"} : !pld.window_buffer
// CHECK-NEXT:     %b = pld.tensor.window %b_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     %w = scf.if %yes -> (!pld.dist_tensor<tensor<4x8xf32>>) {
// CHECK-NEXT:       scf.yield %a : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %b : !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %v = pl.tensor.slice %w[0, 0] [4, 8] : !pld.dist_tensor<tensor<4x8xf32>> -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:     scf.for %r = %c0 to %c2 step %c1 {
// CHECK-NEXT:       pl.call @stage(%v) device(%r) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.for %r_1 = %c2 to %c1 step %c1 {
// CHECK-NEXT:       pl.call @stage(%b) device(%r_1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @host4() attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   pld.comm_domain attributes {name = "comm_d0", slots = ["four_s"]} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "four_s"} : !pld.window_buffer
// CHECK-NEXT:     %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     %g = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @host5() attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:   pld.comm_domain attributes {name = "comm_d1", devices = array<i64: 1>, slots = ["five_out"]} {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     pld.comm_domain attributes {name = "comm_d0", devices = array<i64: 0, 3>, slots = ["five_in", "five_late"]} {
// CHECK-NEXT:       %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_in"} : !pld.window_buffer
// CHECK-NEXT:       %in = pld.tensor.window %in_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:       pl.call @stage(%in) device(%c0) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:       %out_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_out"} : !pld.window_buffer
// CHECK-NEXT:       %out = pld.tensor.window %out_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf32>>
// CHECK-NEXT:       pl.call @stage(%out) device(%c1) : (!pld.dist_tensor<tensor<4x8xf32>>) -> ()
// CHECK-NEXT:       %late_buf = pld.tensor.alloc_window_buffer %c128 {name = "five_late"} : !pld.window_buffer
// CHECK-NEXT:       %late = pld.tensor.window %late_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:       %h = pld.tensor.allreduce %in, %late {op = "sum"} : !pld.dist_tensor<tensor<4x8xf32>>, !pld.dist_tensor<tensor<2x1xi32>>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
