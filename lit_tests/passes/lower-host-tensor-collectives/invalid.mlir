// RUN: not pld-opt %s -p materialize-comm-domain-scopes,lower-host-tensor-collectives --split-input-file 2>&1 | filecheck %s

// What the host rail refuses.

// The indexed exchange.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host(%x: tensor<4xi32>) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:47:3: error: pld.tensor.indexed_all_to_all_v has no host-rail lowering (in 'host'): write it in a chip orchestration
  %h = pld.tensor.indexed_all_to_all_v %in, %d, %w, %sc, %rc, %x core_num(%c1) : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S, tensor<4xi32>
  func.return
}

// -----

// An allreduce whose signal has not been made.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  // CHECK: invalid.mlir:71:3: error: pld.tensor.allreduce has no signal
  %h = pld.tensor.allreduce %d {op = "sum"} : !D
  func.return
}

// -----

// An input that is no window.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host(%x: !T) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:119:3: error: input 'x' must be a window on the host rail
  %h0 = pld.tensor.all_to_all_v %x, %d, %w, %sc, %rc : !T, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S
  func.return
}

// -----

// Send counts that are no window.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host(%x: tensor<2xi32>) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:167:3: error: send_counts 'x' must be a window on the host rail
  %h0 = pld.tensor.all_to_all_v %in, %d, %w, %x, %rc : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, tensor<2xi32>, !S
  func.return
}

// -----

// A target that is a parameter.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host(%x: !D) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:191:3: error: target 'x' must be a window on the host rail
  %h = pld.tensor.broadcast %x, %s : !D, !S
  func.return
}

// -----

// Two operands over one allocation: two windows.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  %again = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  // CHECK: invalid.mlir:240:3: error: send_counts and recv_counts share one window buffer, "sc": each operand needs one of its own
  %h0 = pld.tensor.all_to_all_v %in, %d, %w, %sc, %again : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S
  func.return
}

// -----

// Two operands over one allocation: views of a window.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  %top = pl.tensor.slice %d[0, 0] [2, 8] : !D -> !H
  // CHECK: invalid.mlir:271:3: error: input and target share one window buffer, "d": each operand needs one of its own
  %h = pld.tensor.allgather %top, %d, %s : !H, !D, !S
  func.return
}

// -----

// Two operands that may be one window.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host(%yes: i1) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  %p = scf.if %yes -> (!D) {
    scf.yield %in : !D
  } else {
    scf.yield %d : !D
  }
  // CHECK: invalid.mlir:312:3: error: input and target share one window buffer, "d": each operand needs one of its own
  %h = pld.tensor.all_to_all %p, %d, %s : !D, !D, !S
  func.return
}

// -----

// Windows of two domains.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  pl.call @any_d(%d) device(%c2) : (!D) -> ()
  // CHECK: invalid.mlir:361:3: error: input and target belong to different communication domains, "comm_d0" with devices 0, 1 and "comm_d1" with devices 0, 1, 2
  %h0 = pld.tensor.all_to_all_v %in, %d, %w, %sc, %rc : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S
  func.return
}

// -----

// A signal with a row too few, and one too many.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c1 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c1 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:391:3: error: signal [2, 1] states 2 ranks, but its domain "comm_d0" has device 0
  %h = pld.tensor.broadcast %d, %s : !D, !S
  func.return
}
func.func private @any_e(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_q(!S) attributes {pl.func_type = "orchestration"}
func.func @host2() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c3 = arith.constant 3 : index
  %e_buf = pld.tensor.alloc_window_buffer %c128 {name = "e"} : !pld.window_buffer
  %e = pld.tensor.window %e_buf : !pld.window_buffer -> !D
  %q_buf = pld.tensor.alloc_window_buffer %c128 {name = "q"} : !pld.window_buffer
  %q = pld.tensor.window %q_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c3 step %c1 {
    pl.call @any_e(%e) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c3 step %c1 {
    pl.call @any_q(%q) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:413:3: error: signal [2, 1] states 2 ranks, but its domain "comm_d0" has devices 0, 1, 2
  %h = pld.tensor.broadcast %e, %q : !D, !S
  func.return
}

// -----

// A width that the signal has no columns for.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_in(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_w(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func private @any_sc(!S) attributes {pl.func_type = "orchestration"}
func.func private @any_rc(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %n = arith.constant 4 : index
  %in_buf = pld.tensor.alloc_window_buffer %c128 {name = "in"} : !pld.window_buffer
  %in = pld.tensor.window %in_buf : !pld.window_buffer -> !D
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %w_buf = pld.tensor.alloc_window_buffer %c128 {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %w_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  %sc_buf = pld.tensor.alloc_window_buffer %c128 {name = "sc"} : !pld.window_buffer
  %sc = pld.tensor.window %sc_buf : !pld.window_buffer -> !S
  %rc_buf = pld.tensor.alloc_window_buffer %c128 {name = "rc"} : !pld.window_buffer
  %rc = pld.tensor.window %rc_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_in(%in) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_w(%w) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_sc(%sc) device(%r) : (!S) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_rc(%rc) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:462:3: error: signal has 2 columns, fewer than the 4 admitted blocks (core_num 4, 2 ranks)
  %h0 = pld.tensor.all_to_all_v %in, %d, %w, %sc, %rc core_num(%n) : !D, !D, !pld.dist_tensor<tensor<2x2xi32>>, !S, !S
  func.return
}

// -----

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:492:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 2, 2 ranks)
  %h = pld.tensor.allreduce %d, %s core_num(%c2) {op = "sum"} : !D, !S
  func.return
}

// -----

// ... also on all devices.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
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
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:523:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 2, 2 ranks)
  %h = pld.tensor.allreduce %d, %s core_num(%c2) {op = "sum"} : !D, !S
  func.return
}

// -----

// A signal of rank 1 has one column.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<2xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<2xi32>>) -> ()
  }
  // CHECK: invalid.mlir:553:3: error: signal has 1 columns, fewer than the 2 admitted blocks (core_num 2, 2 ranks)
  %h = pld.tensor.allreduce %d, %s core_num(%c2) {op = "sum"} : !D, !pld.dist_tensor<tensor<2xi32>>
  func.return
}

// -----

// A signal without columns.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<2x0xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x0xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<2x0xi32>>) -> ()
  }
  // CHECK: invalid.mlir:583:3: error: signal has 0 columns, fewer than the 1 admitted blocks (core_num 1, 2 ranks)
  %h = pld.tensor.allreduce %d, %s {op = "sum"} : !D, !pld.dist_tensor<tensor<2x0xi32>>
  func.return
}

// -----

// A width out of range, folded.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !S
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  %z = arith.muli %c0, %c1 : index
  // CHECK: invalid.mlir:614:3: error: core_num is out of range [1, 2147483647]: 0
  %h = pld.tensor.allreduce %d, %s core_num(%z) {op = "sum"} : !D, !S
  func.return
}

// -----

// A ring that is no sum.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<3x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<3x2xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<3x2xi32>>) -> ()
  }
  // CHECK: invalid.mlir:644:3: error: an allreduce of mode ring is a sum of f32, not max of f32
  %h = pld.tensor.allreduce %d, %s {op = "max", mode = "ring"} : !D, !pld.dist_tensor<tensor<3x2xi32>>
  func.return
}

// -----

// A ring of f16.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!pld.dist_tensor<tensor<4x8xf16>>) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<3x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x8xf16>>
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<3x2xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!pld.dist_tensor<tensor<4x8xf16>>) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<3x2xi32>>) -> ()
  }
  // CHECK: invalid.mlir:674:3: error: an allreduce of mode ring is a sum of f32, not sum of f16
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !pld.dist_tensor<tensor<4x8xf16>>, !pld.dist_tensor<tensor<3x2xi32>>
  func.return
}

// -----

// A ring of 2 with the signal of another.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<2x2xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x2xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<2x2xi32>>) -> ()
  }
  // CHECK: invalid.mlir:704:3: error: the signal of a ring of 2 ranks must be [3, 2], not [2, 2]
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !D, !pld.dist_tensor<tensor<2x2xi32>>
  func.return
}

// -----

// A ring of all devices, as many as its signal says, with a row too few.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<4x3xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4x3xi32>>
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<4x3xi32>>) -> ()
  }
  // CHECK: invalid.mlir:735:3: error: the signal of a ring of 3 ranks must be [5, 3], not [4, 3]
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !D, !pld.dist_tensor<tensor<4x3xi32>>
  func.return
}

// -----

// A ring of all devices whose signal is no matrix.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<4xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<4xi32>>
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<4xi32>>) -> ()
  }
  // CHECK: invalid.mlir:766:3: error: the signal of a ring must state the ranks: [2*(ranks-1)+1, ranks], not [4]
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !D, !pld.dist_tensor<tensor<4xi32>>
  func.return
}

// -----

// A ring of 17.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<33x17xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<33x17xi32>>
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<33x17xi32>>) -> ()
  }
  // CHECK: invalid.mlir:797:3: error: an allreduce of mode ring is for at most 16 devices, not 17
  %h = pld.tensor.allreduce %d, %s {op = "sum", mode = "ring"} : !D, !pld.dist_tensor<tensor<33x17xi32>>
  func.return
}

// -----

// A root that is no rank.

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!S) attributes {pl.func_type = "orchestration"}
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
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %all step %c1 {
    pl.call @any_s(%s) device(%r) : (!S) -> ()
  }
  // CHECK: invalid.mlir:828:3: error: root 2 is out of range: there are 2 ranks
  %h = pld.tensor.broadcast %d, %s {root = 2 : i64} : !D, !S
  func.return
}
