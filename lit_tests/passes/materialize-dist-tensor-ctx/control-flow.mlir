// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// Contexts through loops and branches; nothing is added to carries, yields or results.

// CHECK-LABEL: func.func @use(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"} {
// CHECK-NEXT:     func.return %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @use(%a: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore"} {
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @nested_loops(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %r, %s = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
// CHECK-NEXT:       %p, %q = scf.for %j = %n to %n step %n iter_args(%z = %y, %w = %x) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
// CHECK-NEXT:         %0 = pl.call @use(%z, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:         %v = pl.tensor.view %w : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:         scf.yield %0, %v : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       }
// CHECK-NEXT:       %1 = pl.call @use(%q, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       scf.yield %1, %p : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = pl.call @use(%r, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %3 = pl.call @use(%s, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @nested_loops(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r, %s = scf.for %i = %n to %n step %n iter_args(%x = %a, %y = %b) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
    %p, %q = scf.for %j = %n to %n step %n iter_args(%z = %y, %w = %x) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
      %0 = pl.call @use(%z) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
      %v = pl.tensor.view %w : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
      scf.yield %0, %v : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
    }
    %1 = pl.call @use(%q) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %1, %p : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  }
  %2 = pl.call @use(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %3 = pl.call @use(%s) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// CHECK-LABEL: func.func @while_loop(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %r, %s = scf.while (%x = %a, %y = %b) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
// CHECK-NEXT:       %0 = pl.call @use(%x, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       scf.condition(%c) %y, %0 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%z: !pld.dist_tensor<tensor<4xf32>>, %w: !pld.dist_tensor<tensor<4xf32>>):
// CHECK-NEXT:       %1 = pl.call @use(%z, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       scf.yield %w, %1 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = pl.call @use(%r, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %3 = pl.call @use(%s, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @while_loop(%c: i1, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r, %s = scf.while (%x = %a, %y = %b) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
    %0 = pl.call @use(%x) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.condition(%c) %y, %0 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  } do {
  ^bb0(%z: !pld.dist_tensor<tensor<4xf32>>, %w: !pld.dist_tensor<tensor<4xf32>>):
    %1 = pl.call @use(%z) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %w, %1 : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  }
  %2 = pl.call @use(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %3 = pl.call @use(%s) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// CHECK-LABEL: func.func @branches(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %r, %s = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
// CHECK-NEXT:       %v = pl.tensor.view %b : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       scf.yield %a, %v : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %0 = pl.call @use(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       scf.yield %0, %b : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %1 = pl.call @use(%r, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %2 = pl.call @use(%s, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     scf.if %c {
// CHECK-NEXT:       scf.for %i = %n to %n step %n {
// CHECK-NEXT:         %3 = pl.call @use(%s, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @branches(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %r, %s = scf.if %c -> (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) {
    %v = pl.tensor.view %b : !pld.dist_tensor<tensor<4xf32>> -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %a, %v : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  } else {
    %0 = pl.call @use(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    scf.yield %0, %b : !pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>
  }
  %1 = pl.call @use(%r) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %2 = pl.call @use(%s) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  scf.if %c {
    scf.for %i = %n to %n step %n {
      %3 = pl.call @use(%s) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
    }
  }
  func.return
}

// A launch that may be empty: its result, or what it was given.

// CHECK-LABEL: func.func @guarded(%n: index, %zero: index, %a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %some = arith.cmpi sgt, %n, %zero : index
// CHECK-NEXT:     %r, %t = scf.if %some -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id) {
// CHECK-NEXT:       %0, %t0 = pl.submit @use(%a, %a_ctx) core_num(%n) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:       scf.yield %0, %t0 : !pld.dist_tensor<tensor<4xf32>>, !pl.task_id
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %t1 = pl.task_dummy
// CHECK-NEXT:       scf.yield %a, %t1 : !pld.dist_tensor<tensor<4xf32>>, !pl.task_id
// CHECK-NEXT:     }
// CHECK-NEXT:     %1, %t2 = pl.submit @use(%r, %a_ctx) deps(%t) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @guarded(%n: index, %zero: index, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %some = arith.cmpi sgt, %n, %zero : index
  %r, %t = scf.if %some -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id) {
    %0, %t0 = pl.submit @use(%a) core_num(%n) : (!pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
    scf.yield %0, %t0 : !pld.dist_tensor<tensor<4xf32>>, !pl.task_id
  } else {
    %t1 = pl.task_dummy
    scf.yield %a, %t1 : !pld.dist_tensor<tensor<4xf32>>, !pl.task_id
  }
  %2, %t2 = pl.submit @use(%r) deps(%t) : (!pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  func.return
}

// Merges of plain tensors are no concern of contexts.

// CHECK-LABEL: func.func @plain(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %t: tensor<4xf32>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %u, %v = scf.for %i = %n to %n step %n iter_args(%x = %s, %y = %t) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:       scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %w = scf.if %c -> (tensor<4xf32>) {
// CHECK-NEXT:       scf.yield %u : tensor<4xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %0 = func.call @passes(%a, %v, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32>
// CHECK-NEXT:       scf.yield %0 : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @plain(%c: i1, %n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %t: tensor<4xf32>) attributes {pl.func_type = "orchestration"} {
  %u, %v = scf.for %i = %n to %n step %n iter_args(%x = %s, %y = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  %w = scf.if %c -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  } else {
    %0 = func.call @passes(%a, %v) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  func.return
}
// CHECK: func.func private @passes(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx) -> tensor<4xf32> attributes {pl.arg_attrs = [{}, {}, {pld.ctx_of = 0 : index}]}
func.func private @passes(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>) -> tensor<4xf32>
