// RUN: pld-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p materialize-dist-tensor-ctx,materialize-dist-tensor-ctx | filecheck %s

// One kernel called four ways, and by upstream's call: the same trailing contexts on all of them.

// CHECK: func.func private @k(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}, {}, {}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 2 : index}]}
func.func private @k(!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}, {}, {}]}

// CHECK-LABEL: func.func @four_ways(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %t0 = pl.task_dummy
// CHECK-NEXT:     %0 = pl.call @k(%a, %s, %b, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %1 = pl.call @k(%a, %s, %b, %a_ctx, %b_ctx) core_num(%n) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %2 = pl.call @k(%a, %s, %b, %a_ctx, %b_ctx) core_num(%n) sync_start : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %3, %t1 = pl.submit @k(%a, %s, %b, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     %4, %t2 = pl.submit @k(%a, %s, %b, %a_ctx, %b_ctx) deps(%t0, %t1) core_num(%n) sync_start : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     %5 = func.call @k(%a, %s, %b, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @four_ways(%n: index, %a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %t0 = pl.task_dummy
  %0 = pl.call @k(%a, %s, %b) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %1 = pl.call @k(%a, %s, %b) core_num(%n) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %2 = pl.call @k(%a, %s, %b) core_num(%n) sync_start : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %3, %t1 = pl.submit @k(%a, %s, %b) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  %4, %t2 = pl.submit @k(%a, %s, %b) deps(%t0, %t1) core_num(%n) sync_start : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  %5 = func.call @k(%a, %s, %b) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// Directions get as many scalars, where there are any; all other attributes stay.

// CHECK-LABEL: func.func @attributes(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @k(%a, %s, %b, %a_ctx, %b_ctx) {test.user = "u", no_dep = array<i64: 1>, arg_directions = ["inout", "no_dep", "input", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %1, %t = pl.submit @k(%a, %s, %b, %a_ctx, %b_ctx) {test.user = "u", pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions = ["inout", "input", "input", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     %2 = func.call @k(%a, %s, %b, %a_ctx, %b_ctx) {test.user = "u"} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @attributes(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @k(%a, %s, %b) {test.user = "u", no_dep = array<i64: 1>, arg_directions = ["inout", "no_dep", "input"]} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %1, %t = pl.submit @k(%a, %s, %b) {test.user = "u", pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions = ["inout", "input", "input"]} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  %2 = func.call @k(%a, %s, %b) {test.user = "u"} : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// The same tensor twice, and both parameters by one: each position gets the context of what is there.

// CHECK-LABEL: func.func @twice(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0 = pl.call @k(%a, %s, %a, %a_ctx, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     %1 = pl.call @k(%b, %s, %a, %b_ctx, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @twice(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @k(%a, %s, %a) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  %1 = pl.call @k(%b, %s, %a) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// Trailing outputs that a submit omits stand before the contexts.

// CHECK: func.func private @stage(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, tensor<8xf32>, !pld.comm_ctx, !pld.comm_ctx) -> tensor<8xf32> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {}, {pl.dir = "out"}, {pl.dir = "out"}, {pld.ctx_of = 0 : index}, {pld.ctx_of = 1 : index}]}
func.func private @stage(!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {}, {pl.dir = "out"}, {pl.dir = "out"}]}

// CHECK-LABEL: func.func @omitted(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0, %t0 = pl.submit @stage(%a, %b, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<8xf32>, !pl.task_id)
// CHECK-NEXT:     %1, %t1 = pl.submit @stage(%b, %a, %s, %b_ctx, %a_ctx) deps(%t0) {arg_directions = ["input", "input", "output_existing", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<8xf32>, !pl.task_id)
// CHECK-NEXT:     %2, %t2 = pl.submit @stage(%b, %b, %s, %0, %b_ctx, %b_ctx) deps(%t0, %t1) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, tensor<8xf32>, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<8xf32>, !pl.task_id)
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @omitted(%a: !pld.dist_tensor<tensor<4xf32>>, %s: tensor<4xf32>, %b: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0, %t0 = pl.submit @stage(%a, %b) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> (tensor<8xf32>, !pl.task_id)
  %1, %t1 = pl.submit @stage(%b, %a, %s) deps(%t0) {arg_directions = ["input", "input", "output_existing"]} : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>) -> (tensor<8xf32>, !pl.task_id)
  %2, %t2 = pl.submit @stage(%b, %b, %s, %0) deps(%t0, %t1) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return
}

// Wrappers forward what they are given; one chip pipeline calls another, written after it.

// CHECK-LABEL: func.func @spmd(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "spmd"} {
// CHECK-NEXT:     %s = pl.tensor.create : tensor<4xf32>
// CHECK-NEXT:     %0 = pl.call @k(%a, %s, %a, %a_ctx, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @spmd(%a: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "spmd"} {
  %s = pl.tensor.create : tensor<4xf32>
  %0 = pl.call @k(%a, %s, %a) : (!pld.dist_tensor<tensor<4xf32>>, tensor<4xf32>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @group(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "group"} {
// CHECK-NEXT:     %0 = pl.call @spmd(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return %a : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @group(%a: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "group"} {
  %0 = pl.call @spmd(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return %a : !pld.dist_tensor<tensor<4xf32>>
}

// CHECK-LABEL: func.func @outer_chip(%b: !pld.dist_tensor<tensor<4xf32>>, %a: !pld.dist_tensor<tensor<4xf32>>, %b_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %a_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) attributes {pl.func_type = "orchestration"} {
// CHECK-NEXT:     %0, %t = pl.submit @group(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
// CHECK-NEXT:     %1 = pl.call @inner_chip(%0, %b, %a_ctx, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @outer_chip(%b: !pld.dist_tensor<tensor<4xf32>>, %a: !pld.dist_tensor<tensor<4xf32>>) attributes {pl.func_type = "orchestration"} {
  %0, %t = pl.submit @group(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> (!pld.dist_tensor<tensor<4xf32>>, !pl.task_id)
  %1 = pl.call @inner_chip(%0, %b) : (!pld.dist_tensor<tensor<4xf32>>, !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return
}

// CHECK-LABEL: func.func @inner_chip(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %b_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "graph"} {
// CHECK-NEXT:     %0 = pl.call @group(%b, %b_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.return %b : !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT: }
func.func @inner_chip(%a: !pld.dist_tensor<tensor<4xf32>>, %b: !pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "graph"} {
  %0 = pl.call @group(%b) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.return %b : !pld.dist_tensor<tensor<4xf32>>
}

// Whatever the function's type; a plain function too, and one that calls itself.

// CHECK-LABEL: func.func @helper(%a: !pld.dist_tensor<tensor<4xf32>>, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) {
// CHECK-NEXT:     %0 = pl.call @group(%a, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> !pld.dist_tensor<tensor<4xf32>>
// CHECK-NEXT:     func.call @helper(%0, %a_ctx) : (!pld.dist_tensor<tensor<4xf32>>, !pld.comm_ctx) -> ()
// CHECK-NEXT:     func.return
// CHECK-NEXT: }
func.func @helper(%a: !pld.dist_tensor<tensor<4xf32>>) {
  %0 = pl.call @group(%a) : (!pld.dist_tensor<tensor<4xf32>>) -> !pld.dist_tensor<tensor<4xf32>>
  func.call @helper(%0) : (!pld.dist_tensor<tensor<4xf32>>) -> ()
  func.return
}
