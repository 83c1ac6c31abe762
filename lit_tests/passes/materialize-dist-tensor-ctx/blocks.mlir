// RUN: pld-opt %s -p materialize-dist-tensor-ctx --allow-unregistered-dialect | filecheck %s

// Blocks are read in the order of control flow, not of the text; a foreign region in any order.

func.func private @k(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}

// CHECK-LABEL: func.func @later_block_first
// CHECK: pl.call @k(%u, %a_ctx)
func.func @later_block_first(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  cf.br ^bb2
^bb1:
  %u = pl.tensor.view %v : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @k(%u) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
^bb2:
  %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  cf.br ^bb1
}

// CHECK-LABEL: func.func @foreign_region
// CHECK: pl.call @k(%v, %a_ctx)
func.func @foreign_region(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  "foreign.graph"() ({
    pl.call @k(%v) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  }) : () -> ()
  func.return
}
