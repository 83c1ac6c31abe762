// RUN: not pld-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: :1: error: pld.ctx_of must be an index attribute, not 0 : i64
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 0 : i64}]}

// -----

// CHECK: :1: error: pld.ctx_of must be an index attribute, not "a"
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = "a"}]}

// -----

// CHECK: :1: error: pld.ctx_of stands on parameter 1 of type i64: only a !pld.comm_ctx is a context
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, i64) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}

// -----

// CHECK: :1: error: pld.ctx_of = 2 on parameter 1 names no !pld.dist_tensor parameter
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 2 : index}]}

// -----

// CHECK: :1: error: pld.ctx_of = -1 on parameter 1 names no !pld.dist_tensor parameter
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = -1 : index}]}

// -----

// CHECK: :1: error: pld.ctx_of = 1 on parameter 1 names no !pld.dist_tensor parameter
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 1 : index}]}

// -----

// CHECK: :1: error: pld.ctx_of = 0 on parameter 1 names no !pld.dist_tensor parameter
func.func private @f(tensor<4xf32>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}

// -----

// CHECK: :1: error: parameters 1 and 2 are both the context of parameter 0
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 0 : index}]}

// -----

// CHECK: :1: error: 'pld.context_of' has no place on parameter 1
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.arg_attrs = [{}, {pld.context_of = 0 : index}]}

// -----

// CHECK: :1: error: 'pld.ctx_of' has no place on a function
func.func private @f(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pld.ctx_of = 0 : index}

// -----

// CHECK: :1: error: pld.ctx_of = 1 on parameter 1 names no !pld.dist_tensor parameter
func.func @f(%d: !pld.dist_tensor<tensor<4xf32>>, %c: !pld.comm_ctx {pld.ctx_of = 1 : index}) {
  func.return
}

// -----

// CHECK: :1: error: 'pld.window' has no place on parameter 0
func.func @f(%d: !pld.dist_tensor<tensor<4xf32>> {pld.window = "x"}) {
  func.return
}

// -----

// CHECK: :1: error: 'pld.ctx_of' has no place on a result
func.func @f(%c: !pld.comm_ctx) -> (!pld.comm_ctx {pld.ctx_of = 0 : index}) {
  func.return %c : !pld.comm_ctx
}
