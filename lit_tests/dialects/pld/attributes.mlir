// RUN: pld-opt %s | pld-opt | filecheck %s --match-full-lines
// RUN: pld-opt %s --print-op-generic | pld-opt | filecheck %s --match-full-lines

// `pld.ctx_of`, on definitions and on declarations.

func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> () attributes {pl.arg_attrs = [{}, {}, {}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 2 : index}]}
func.func @defined(%a: !pld.dist_tensor<tensor<4xf32>>, %s: i32, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) {
  func.return
}

// CHECK: func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> () attributes {pl.arg_attrs = [{}, {}, {}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 2 : index}]}
// CHECK-NEXT: func.func @defined(%a: !pld.dist_tensor<tensor<4xf32>>, %s: i32, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) {
// CHECK-NEXT: func.return
// CHECK-NEXT: }

func.func @a_context_of_nothing(%c: !pld.comm_ctx) {
  func.return
}

// CHECK-NEXT: func.func @a_context_of_nothing(%c: !pld.comm_ctx) {
// CHECK-NEXT: func.return
// CHECK-NEXT: }
