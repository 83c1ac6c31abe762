// RUN: not pld-opt %s -p lower-host-tensor-collectives --no-property-checks --split-input-file 2>&1 | filecheck %s

// Without its property: what lies in no domain is refused, not guessed.

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
  // CHECK: no-domain.mlir:29:3: error: target lies in window buffer "d", which is a slot of no domain
  %h = pld.tensor.broadcast %d, %s : !D, !S
  func.return
}
