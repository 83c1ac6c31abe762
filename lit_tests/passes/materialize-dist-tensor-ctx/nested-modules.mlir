// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s

// Modules in a module: each call finds the function of its own.

// CHECK-LABEL: builtin.module @inner
builtin.module @inner {
  // CHECK: func.func @k(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index})
  func.func @k(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"} {
    func.return
  }
  // CHECK: pl.call @k(%b, %b_ctx)
  func.func @f(%b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
    pl.call @k(%b) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
    func.return
  }
}

// CHECK: func.func @k(%t: tensor<4xf32>)
func.func @k(%t: tensor<4xf32>) attributes {pl.func_type = "incore"} {
  func.return
}
// CHECK: func.func @f(%c: !pld.dist_tensor<tensor<4xf32>>, %c_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index})
// CHECK: pl.call @k(%c) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
func.func @f(%c: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  pl.call @k(%c) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
