// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=ALL
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=NOTES
// ALL-COUNT-10: error:
// ALL-NOT: error:
// NOTES-COUNT-22: note:
// NOTES-NOT: note:

// Outside the host a context comes from a parameter or not at all: the error stands where lineage ends.

// CHECK: unresolved.mlir:18:3: error: no context is known for 'v' in 'opaque_callee': its lineage is lost at 'o'
// CHECK: unresolved.mlir:20:3: note: the context is needed by this call of @use
// CHECK: unresolved.mlir:21:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @opaque_callee(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %o = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %v = pl.tensor.view %o : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%v, %v) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  pl.call @use(%a, %v) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// CHECK: unresolved.mlir:32:3: error: no context reaches this query of 'o' in 'query': its lineage is lost at 'o'
// CHECK: unresolved.mlir:33:3: note: the query is here
// CHECK: unresolved.mlir:34:3: note: the query is here
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @query(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"} {
  %o = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %c = pld.system.get_comm_ctx %o : !pld.dist_tensor<tensor<4xf32>>
  %d = pld.system.get_comm_ctx %o : !pld.dist_tensor<tensor<4xf32>>
  func.return
}
// -----

// A window made inside a chip function.
// CHECK: unresolved.mlir:49:3: error: no context reaches this query of 'w' in 'chip_window': its lineage is lost at 'w'
// CHECK: unresolved.mlir:50:3: note: the query is here
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
// CHECK: unresolved.mlir:49:3: error: no context is known for 'w' in 'chip_window': its lineage is lost at 'w'
// CHECK: unresolved.mlir:51:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @chip_window(%n: index) attributes {pl.func_type = "orchestration"} {
  %p = pld.tensor.alloc_window_buffer %n {name = "p"} : !pld.window_buffer
  %w = pld.tensor.window %p : !pld.window_buffer -> !pld.dist_tensor<tensor<4xf32>>
  %c = pld.system.get_comm_ctx %w : !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%w) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// One branch cannot be traced; a merge of two such.
// CHECK: unresolved.mlir:63:3: error: no context is known for 'm' in 'one_branch': its lineage is lost at 'm'
// CHECK: unresolved.mlir:69:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @one_branch(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    %0 = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %0 : !pld.dist_tensor<tensor<4xf32>>
  } else {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  }
  pl.call @use(%m) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// The other branch.
// CHECK: unresolved.mlir:81:3: error: no context is known for 'm' in 'other_branch': its lineage is lost at 'm'
// CHECK: unresolved.mlir:87:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func private @opaque(!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"}
func.func @other_branch(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %m = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %a : !pld.dist_tensor<tensor<4xf32>>
  } else {
    %0 = pl.call @opaque(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %0 : !pld.dist_tensor<tensor<4xf32>>
  }
  pl.call @use(%m) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// Arguments of blocks of which nothing is known.
// CHECK: unresolved.mlir:99:7: error: no context is known for 'x' in 'block': its lineage is lost at 'x'
// CHECK: unresolved.mlir:100:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @block(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  cf.br ^next(%a : !pld.dist_tensor<tensor<4xf32>>)
^next(%x: !pld.dist_tensor<tensor<4xf32>>):
  pl.call @use(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// A carry that is given one.
// CHECK: unresolved.mlir:113:3: error: no context is known for 'r' in 'yields_it': its lineage is lost at 'y'
// CHECK: unresolved.mlir:116:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @yields_it(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  cf.br ^next(%a : !pld.dist_tensor<tensor<4xf32>>)
^next(%x: !pld.dist_tensor<tensor<4xf32>>):
  %r = scf.for %i = %n to %n step %n iter_args(%y = %a) -> (!pld.dist_tensor<tensor<4xf32>>) {
    scf.yield %x : !pld.dist_tensor<tensor<4xf32>>
  }
  pl.call @use(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// What an op unknown to us makes of a tensor.
// CHECK: unresolved.mlir:127:3: error: no context is known for '<result 0 of builtin.unrealized_conversion_cast>' in 'unnamed': its lineage is lost at '<result 0 of builtin.unrealized_conversion_cast>'
// CHECK: unresolved.mlir:128:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @unnamed(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = builtin.unrealized_conversion_cast %a : !pld.dist_tensor<tensor<4xf32>> to !pld.dist_tensor<tensor<4xf32>>
  func.call @use(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// Functions that call each other and return nothing else return nothing known.
// CHECK: unresolved.mlir:143:3: error: no context is known for '<result 0 of pl.call>' in 'pong': its lineage is lost at '<result 0 of pl.call>'
// CHECK: unresolved.mlir:144:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @ping(%a: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @pong(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return %0 : !pld.dist_tensor<tensor<4xf32>>
}
func.func @pong(%a: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @ping(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  pl.call @use(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return %0 : !pld.dist_tensor<tensor<4xf32>>
}
