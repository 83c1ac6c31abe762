// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// Every function with distributed tensors gets their contexts, in order, at the end.

// Never called, its parameters never used; with a plain tensor, a scalar and a context of its own between.
// CHECK-LABEL: func.func @unused(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %s: i32, %own: !pld.comm_ctx, %b: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "out"}, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @unused(%a: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}, %s: i32, %own: !pld.comm_ctx, %b: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "out"}) attributes {pl.func_type = "incore"} {
  func.return
}

// A declaration has its parameters' attributes on itself; they are made where there are none.
// CHECK: func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "aiv", pl.arg_attrs = [{pl.dir = "inout"}, {}, {test.user}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 2 : index}]}
func.func private @declared(!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "aiv", pl.arg_attrs = [{pl.dir = "inout"}, {}, {test.user}]}
// CHECK: func.func private @bare(i32, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> () attributes {pl.arg_attrs = [{}, {}, {pld.ctx_of = 1 : index}]}
func.func private @bare(i32, !pld.dist_tensor<tensor<4xf32>>)

// Kept as they are: attributes of parameters, results and the function.
// CHECK-LABEL: func.func @attributes(%a: !pld.dist_tensor<tensor<4xf32>> {test.user = 1 : i32, pl.dir = "inout"}, %t: tensor<4xf32>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) -> (!pld.dist_tensor<tensor<4xf32>> {test.result}) attributes {pl.func_type = "incore", test.function} {
// CHECK-NEXT:     func.return %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @attributes(%a: !pld.dist_tensor<tensor<4xf32>> {test.user = 1 : i32, pl.dir = "inout"}, %t: tensor<4xf32>) -> (!pld.dist_tensor<tensor<4xf32>> {test.result}) attributes {pl.func_type = "incore", test.function} {
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}

// Without distributed tensors nothing changes, whatever contexts there are.
// CHECK-LABEL: func.func @plain(%t: tensor<4xf32> {pl.dir = "inout"}, %own: !pld.comm_ctx) -> i32 attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     %r = pld.system.rank %own : i32
// CHECK-NEXT:     func.return %r : i32
// CHECK-NEXT: }
func.func @plain(%t: tensor<4xf32> {pl.dir = "inout"}, %own: !pld.comm_ctx) -> i32 attributes {pl.func_type = "incore"} {
  %r = pld.system.rank %own : i32
  func.return %r : i32
}

// Names go by the tensor's, `arg` where it has none; the printer tells equal ones apart.
// CHECK-LABEL: func.func @collisions(%data: !pld.dist_tensor<tensor<4xf32>>, %data_ctx: index, %data_1: !pld.dist_tensor<tensor<4xf32>>, %i: i32, %data_ctx_1: !pld.comm_ctx {pld.ctx_of = 0 : index}, %data_ctx_2: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @declared(%data, %i, %data_1, %data_ctx_1, %data_ctx_2) : (!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @collisions(%data: !pld.dist_tensor<tensor<4xf32>>, %data_ctx: index, %data_1: !pld.dist_tensor<tensor<4xf32>>, %i: i32) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @declared(%data, %i, %data_1) : (!pld.dist_tensor<tensor<4xf32>>, i32, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}
// CHECK-LABEL: func.func @unnamed(%0: !pld.dist_tensor<tensor<4xf32>>, %1: !pld.dist_tensor<tensor<4xf32>>, %arg_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %arg_ctx_1: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @unnamed(%0: !pld.dist_tensor<tensor<4xf32>>, %1: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"} {
  func.return
}
