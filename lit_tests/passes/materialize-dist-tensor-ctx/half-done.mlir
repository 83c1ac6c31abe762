// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// What another tool has done already stays; what is missing is added, nothing twice.

// One pair of two, the context not at the tail of what was there.
// CHECK: func.func private @k(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {}, {pld.ctx_of = 1 : index}, {}, {pld.ctx_of = 0 : index}]}
func.func private @k(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {}, {pld.ctx_of = 1 : index}, {}]}

// A caller that has no context yet gets all it needs; queries of it among the arguments too.
// CHECK-LABEL: func.func @passes_queries(%i: i32, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @k(%a, %b, %b_ctx, %i, %a_ctx) {arg_directions = ["input", "input", "scalar", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @passes_queries(%i: i32, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %q = pld.system.get_comm_ctx %b : !pld.dist_tensor<tensor<4xf32>>
  %0 = pl.call @k(%a, %b, %q, %i) {arg_directions = ["input", "input", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// A caller that has them.
// CHECK-LABEL: func.func @has_them(%i: i32, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %mine: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @k(%b, %a, %mine, %i, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @has_them(%i: i32, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %mine: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @k(%b, %a, %mine, %i) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, i32) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// Of a callee that is done, called as it should be, nothing changes.
// CHECK: func.func private @done(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pld.ctx_of = 0 : index}]}
func.func private @done(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}, {pld.ctx_of = 0 : index}]}

// CHECK-LABEL: func.func @calls_done(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0, %t = pl.submit @done(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @calls_done(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "orchestration"} {
  %0, %t = pl.submit @done(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (tensor<4xf32>, !pl.task_id)
  func.return
}

// Contexts of its own, and a query all the same.
// CHECK-LABEL: func.func @asks(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     %r = pld.system.rank %a_ctx : i32
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @asks(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "incore"} {
  %q = pld.system.get_comm_ctx %a : !pld.dist_tensor<tensor<4xf32>>
  %r = pld.system.rank %q : i32
  func.return
}

// Whose tensor it is cannot be told here: what another tool has passed with it stays.
// CHECK: func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}

// CHECK-LABEL: func.func @untraced(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %o = pl.call @opaque(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %p = pl.call @opaque(%o, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @untraced(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) attributes {pl.func_type = "orchestration"} {
  %o = pl.call @opaque(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
  %p = pl.call @opaque(%o, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// In the host.
// CHECK: func.func private @chip(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> () attributes {pl.func_type = "orchestration", pl.arg_attrs = [{}, {}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 1 : index}]}
func.func private @chip(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "orchestration", pl.arg_attrs = [{}, {}, {pld.ctx_of = 0 : index}]}

// CHECK-LABEL: func.func @host(%n: index, %d: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
// CHECK-NEXT:     %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
// CHECK-NEXT:     %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %q = pld.system.get_comm_ctx %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %a_ctx = pld.system.get_comm_ctx %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     pl.call @chip(%a, %a, %q, %a_ctx) device(%d) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @host(%n: index, %d: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %q = pld.system.get_comm_ctx %a : !pld.dist_tensor<tensor<4xf32>>
  pl.call @chip(%a, %a, %q) device(%d) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  func.return
}
