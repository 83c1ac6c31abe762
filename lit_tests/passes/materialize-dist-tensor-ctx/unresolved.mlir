// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s
// RUN: not pld-opt %s -p materialize-dist-tensor-ctx --split-input-file 2>&1 | filecheck %s --check-prefixes=ALL
// ALL-COUNT-9: error:
// ALL-NOT: error:

// Outside the host a context comes from a parameter or not at all: the error stands where lineage ends.

// CHECK: unresolved.mlir:15:3: error: no context is known for 'v' in 'opaque_callee': its lineage is lost at 'o'
// CHECK: unresolved.mlir:17:3: note: the context is needed by this call of @use
// CHECK: unresolved.mlir:18:3: note: the context is needed by this call of @use
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

// CHECK: unresolved.mlir:29:3: error: no context reaches this query of 'o' in 'query': its lineage is lost at 'o'
// CHECK: unresolved.mlir:30:3: note: the query is here
// CHECK: unresolved.mlir:31:3: note: the query is here
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
// CHECK: unresolved.mlir:46:3: error: no context reaches this query of 'w' in 'chip_window': its lineage is lost at 'w'
// CHECK: unresolved.mlir:47:3: note: the query is here
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
// CHECK: unresolved.mlir:46:3: error: no context is known for 'w' in 'chip_window': its lineage is lost at 'w'
// CHECK: unresolved.mlir:48:3: note: the context is needed by this call of @use
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
// CHECK: unresolved.mlir:60:3: error: no context is known for 'm' in 'one_branch': its lineage is lost at 'm'
// CHECK: unresolved.mlir:66:3: note: the context is needed by this call of @use
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
// CHECK: unresolved.mlir:78:3: error: no context is known for 'm' in 'other_branch': its lineage is lost at 'm'
// CHECK: unresolved.mlir:84:3: note: the context is needed by this call of @use
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
// CHECK: unresolved.mlir:96:7: error: no context is known for 'x' in 'block': its lineage is lost at 'x'
// CHECK: unresolved.mlir:97:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @block(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  cf.br ^next(%a : !pld.dist_tensor<tensor<4xf32>>)
^next(%x: !pld.dist_tensor<tensor<4xf32>>):
  pl.call @use(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// What an op unknown to us makes of a tensor.
// CHECK: unresolved.mlir:108:3: error: no context is known for '<result 0 of builtin.unrealized_conversion_cast>' in 'unnamed': its lineage is lost at '<result 0 of builtin.unrealized_conversion_cast>'
// CHECK: unresolved.mlir:109:3: note: the context is needed by this call of @use
// CHECK: {{^}}note: a context comes from the host: take the tensor as a parameter of the function, and let callees return their parameters themselves
func.func private @use(!pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "incore"}
func.func @unnamed(%a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = builtin.unrealized_conversion_cast %a : !pld.dist_tensor<tensor<4xf32>> to !pld.dist_tensor<tensor<4xf32>>
  func.call @use(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
// -----

// Functions that call each other and return nothing else return nothing known.
// CHECK: unresolved.mlir:124:3: error: no context is known for '<result 0 of pl.call>' in 'pong': its lineage is lost at '<result 0 of pl.call>'
// CHECK: unresolved.mlir:125:3: note: the context is needed by this call of @use
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
