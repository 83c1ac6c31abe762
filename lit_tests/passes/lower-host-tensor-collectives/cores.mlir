// RUN: not pld-opt %s -p "materialize-comm-domain-scopes,lower-host-tensor-collectives{target=950}" --split-input-file 2>&1 | filecheck %s

// More blocks than the card has vector cores: 36 on a 950.

// 

!T = tensor<4x8xf32>
!D = !pld.dist_tensor<tensor<4x8xf32>>
!S = !pld.dist_tensor<tensor<2x1xi32>>
!H = !pld.dist_tensor<tensor<2x8xf32>>
func.func private @any_d(!D) attributes {pl.func_type = "orchestration"}
func.func private @any_s(!pld.dist_tensor<tensor<2x64xi32>>) attributes {pl.func_type = "orchestration"}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %n = arith.constant 37 : index
  %d_buf = pld.tensor.alloc_window_buffer %c128 {name = "d"} : !pld.window_buffer
  %d = pld.tensor.window %d_buf : !pld.window_buffer -> !D
  %s_buf = pld.tensor.alloc_window_buffer %c128 {name = "s"} : !pld.window_buffer
  %s = pld.tensor.window %s_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x64xi32>>
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_d(%d) device(%r) : (!D) -> ()
  }
  scf.for %r = %c0 to %c2 step %c1 {
    pl.call @any_s(%s) device(%r) : (!pld.dist_tensor<tensor<2x64xi32>>) -> ()
  }
  // CHECK: cores.mlir:30:3: error: core_num 37 is more than the 36 AIV cores of 950
  %h = pld.tensor.allreduce %d, %s core_num(%n) {op = "sum"} : !D, !pld.dist_tensor<tensor<2x64xi32>>
  func.return
}
