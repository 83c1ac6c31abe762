// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=ALL
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=NOTES
// ALL-COUNT-7: error:
// ALL-NOT: error:
// NOTES-COUNT-14: note:
// NOTES-NOT: note:

// A context that is there already is compared with the tensor beside it.

// CHECK: wrong-contexts.mlir:24:3: error: @k gets 'b_ctx' as the context of 'v', but it is not the context of 'a'
// CHECK: wrong-contexts.mlir:21:18: note: 'a' is defined here
// CHECK: wrong-contexts.mlir:21:140: note: 'b_ctx' is defined here
// CHECK: wrong-contexts.mlir:26:3: error: @k gets 'a_ctx' as the context of 'b', but it is not the context of 'b'
// CHECK: wrong-contexts.mlir:21:55: note: 'b' is defined here
// CHECK: wrong-contexts.mlir:21:92: note: 'a_ctx' is defined here
// CHECK: wrong-contexts.mlir:27:3: error: @k gets 'a_ctx' as the context of 'b', but it is not the context of 'b'
// CHECK: wrong-contexts.mlir:21:55: note: 'b' is defined here
// CHECK: wrong-contexts.mlir:21:92: note: 'a_ctx' is defined here
func.func private @k(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func @wrong(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "orchestration"} {
  %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @k(%v, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  pl.call @k(%v, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  %t = pl.submit @k(%b, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pl.task_id
  %u = pl.submit @k(%b, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pl.task_id
  func.call @k(%b, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  func.return
}
// -----

// One that is nobody's in particular, and one that is another's on some path only.
// CHECK: wrong-contexts.mlir:41:3: error: @k gets 'own' as the context of 'a', but it is not the context of 'a'
// CHECK: wrong-contexts.mlir:40:28: note: 'a' is defined here
// CHECK: wrong-contexts.mlir:40:102: note: 'own' is defined here
// CHECK: wrong-contexts.mlir:53:3: error: @k gets 'm' as the context of 'a', but it is not the context of 'a'
// CHECK: wrong-contexts.mlir:40:28: note: 'a' is defined here
// CHECK: wrong-contexts.mlir:48:3: note: 'm' is defined here
func.func private @k(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func @unknown(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %own: !pld.comm_ctx, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
  pl.call @k(%a, %own) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  %same = scf.if %c -> (!pld.comm_ctx) {
    scf.yield %a_ctx : !pld.comm_ctx
  } else {
    scf.yield %a_ctx : !pld.comm_ctx
  }
  pl.call @k(%a, %same) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  %m = scf.if %c -> (!pld.comm_ctx) {
    scf.yield %a_ctx : !pld.comm_ctx
  } else {
    scf.yield %b_ctx : !pld.comm_ctx
  }
  pl.call @k(%a, %m) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  func.return
}
// -----

// In the host: a query of another window; of the same one, through a view, it is right.
// CHECK: wrong-contexts.mlir:72:3: error: @chip gets 'b_ctx' as the context of 'v', but it is not the context of 'a'
// CHECK: wrong-contexts.mlir:65:3: note: 'a' is defined here
// CHECK: wrong-contexts.mlir:70:3: note: 'b_ctx' is defined here
func.func private @chip(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "orchestration", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func @host(%n: index, %d: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %a = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %q = pld.tensor.alloc_window_buffer %n {name = "q"} : !pld.window_buffer
  %b = pld.tensor.window %q : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %v = pl.tensor.view %a : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  %a_ctx = pld.system.get_comm_ctx %a : !pld.dist_tensor<tensor<4xf32>>
  %b_ctx = pld.system.get_comm_ctx %b : !pld.dist_tensor<tensor<4xf32>>
  pl.call @chip(%v, %a_ctx) device(%d) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  pl.call @chip(%v, %b_ctx) device(%d) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  func.return
}
// -----

// Carried by loops: the same one all the way, and another from the second iteration on.
// CHECK: wrong-contexts.mlir:92:5: error: @k gets 'z' as the context of 'a', but it is not the context of 'a'
// CHECK: wrong-contexts.mlir:82:39: note: 'a' is defined here
// CHECK: wrong-contexts.mlir:91:8: note: 'z' is defined here
func.func private @k(!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func @carried(%n: index, %c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}) attributes {pl.func_type = "orchestration"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a_ctx) -> (!pld.comm_ctx) {
    pl.call @k(%a, %x) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
    scf.yield %x : !pld.comm_ctx
  }
  pl.call @k(%a, %r) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
  %s = scf.while (%y = %a_ctx) : (!pld.comm_ctx) -> !pld.comm_ctx {
    scf.condition(%c) %y : !pld.comm_ctx
  } do {
  ^bb0(%z: !pld.comm_ctx):
    pl.call @k(%a, %z) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
    scf.yield %b_ctx : !pld.comm_ctx
  }
  func.return
}
