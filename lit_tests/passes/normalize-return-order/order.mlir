// RUN: pld-opt %s -p normalize-return-order | filecheck %s
// RUN: xdsl-opt %s -p normalize-return-order | filecheck %s
// RUN: pld-opt %s -p normalize-return-order,normalize-return-order | filecheck %s
// RUN: pld-opt %s -p normalize-return-order | pld-opt | filecheck %s

// A kernel's results stand in the order of its out and inout parameters; all callers follow.

// CHECK-LABEL: func.func @three(%a: tensor<1xf32> {pl.dir = "inout"}, %in: tensor<4xf32>, %b: tensor<2xf32> {pl.dir = "out"}, %c: tensor<3xf32> {pl.dir = "out"}) -> (tensor<1xf32> {test.result = "a"}, tensor<2xf32> {test.result = "b"}, tensor<3xf32> {test.result = "c"}) attributes {pl.func_type = "incore"} {
// CHECK-NEXT:    %t = pl.tile.load
// CHECK-NEXT:    %stored = pl.tile.store
// CHECK-NEXT:    func.return %a, %b, %c : tensor<1xf32>, tensor<2xf32>, tensor<3xf32>
func.func @three(%a: tensor<1xf32> {pl.dir = "inout"}, %in: tensor<4xf32>, %b: tensor<2xf32> {pl.dir = "out"}, %c: tensor<3xf32> {pl.dir = "out"})
    -> (tensor<2xf32> {test.result = "b"}, tensor<3xf32> {test.result = "c"}, tensor<1xf32> {test.result = "a"}) attributes {pl.func_type = "incore"} {
  %t = pl.tile.load %in[0] [3] : tensor<4xf32> -> !pl.tile<tensor<3xf32>>
  %stored = pl.tile.store %t into %c[0] : !pl.tile<tensor<3xf32>>, tensor<3xf32>
  func.return %b, %stored, %a : tensor<2xf32>, tensor<3xf32>, tensor<1xf32>
}

// Names, attributes and clauses stay; the task id is the last result; outputs may be omitted.

// CHECK-LABEL: func.func @callers(
// CHECK-NEXT:    %ax, %bx, %cx = pl.call @three(%a, %in, %b, %c) core_num(%n) sync_start {test.user, no_dep = array<i64: 1>} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>)
// CHECK-NEXT:    %e = pl.call @ordered(%a) : (tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT:    %tx = pl.task_dummy
// CHECK-NEXT:    %ay, %by, %cy, %ty = pl.submit @three(%ax, %in, %bx, %cx) deps(%tx) core_num(%n) sync_start {test.user, arg_directions = ["inout", "input", "inout", "inout"]} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, !pl.task_id)
// CHECK-NEXT:    %{{[0-9]+}}, %bz, %{{[0-9]+}}, %tz = pl.submit @three(%ay, %in) deps(%ty) : (tensor<1xf32>, tensor<4xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, !pl.task_id)
// CHECK-NEXT:    %au, %bu, %cu = func.call @three(%ay, %in, %bz, %cy) {test.user} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>)
// CHECK-NEXT:    "test.op"(%bx, %cx, %ax, %by, %cy, %ay, %bz, %tz, %bu, %cu, %au)
func.func @callers(%n: index, %a: tensor<1xf32>, %in: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) attributes {pl.func_type = "orchestration"} {
  %bx, %cx, %ax = pl.call @three(%a, %in, %b, %c) core_num(%n) sync_start {test.user, no_dep = array<i64: 1>} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>)
  %e = pl.call @ordered(%a) : (tensor<1xf32>) -> tensor<1xf32>
  %tx = pl.task_dummy
  %by, %cy, %ay, %ty = pl.submit @three(%ax, %in, %bx, %cx) deps(%tx) core_num(%n) sync_start {test.user, arg_directions = ["inout", "input", "inout", "inout"]} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>, !pl.task_id)
  %bz, %1, %2, %tz = pl.submit @three(%ay, %in) deps(%ty) : (tensor<1xf32>, tensor<4xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>, !pl.task_id)
  %bu, %cu, %au = func.call @three(%ay, %in, %bz, %cy) {test.user} : (tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>)
  "test.op"(%bx, %cx, %ax, %by, %cy, %ay, %bz, %tz, %bu, %cu, %au) : (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<2xf32>, !pl.task_id, tensor<2xf32>, tensor<3xf32>, tensor<1xf32>) -> ()
  func.return
}

func.func @ordered(%a: tensor<1xf32> {pl.dir = "out"}) -> tensor<1xf32> attributes {pl.func_type = "incore"} {
  func.return %a : tensor<1xf32>
}

// All three kinds of kernel; kernels that call each other.

// CHECK-LABEL: func.func @ping(
// CHECK:         %x, %y = pl.call @pong(%a, %b) : (tensor<1xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>)
// CHECK:         func.return %a, %b : tensor<1xf32>, tensor<2xf32>
func.func @ping(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "aic"} {
  %y, %x = pl.call @pong(%a, %b) : (tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>)
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @pong(
// CHECK:         %x, %y = pl.call @ping(%a, %b) : (tensor<1xf32>, tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>)
// CHECK:         func.return %a, %b : tensor<1xf32>, tensor<2xf32>
func.func @pong(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "aiv"} {
  %y, %x = pl.call @ping(%a, %b) : (tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>)
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}

// The order of all others stays: a wrapper's, a graph's, a declaration's; ...

// CHECK-LABEL: func.func @group(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @group(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "group"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @spmd(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @spmd(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "spmd"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @graph(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @graph(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "graph"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK: func.func private @declared(tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>)
func.func private @declared(tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}, {pl.dir = "out"}]}

// ... one with a scalar, a fresh tensor, an `in` parameter or a parameter twice, or without one of the written; ...

// CHECK-LABEL: func.func @scalar(
// CHECK:         func.return %b, %a, %i : tensor<2xf32>, tensor<1xf32>, index
func.func @scalar(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>, index) attributes {pl.func_type = "incore"} {
  %i = arith.constant 0 : index
  func.return %b, %a, %i : tensor<2xf32>, tensor<1xf32>, index
}
// CHECK-LABEL: func.func @scalar_parameter(
// CHECK:         func.return %i, %b, %a : index, tensor<2xf32>, tensor<1xf32>
func.func @scalar_parameter(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}, %i: index) -> (index, tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %i, %b, %a : index, tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @fresh(
// CHECK:         func.return %b, %e : tensor<2xf32>, tensor<1xf32>
func.func @fresh(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  %e = pl.tensor.create : tensor<1xf32>
  func.return %b, %e : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @reads(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @reads(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @twice(
// CHECK:         func.return %b, %b : tensor<2xf32>, tensor<2xf32>
func.func @twice(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<2xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %b : tensor<2xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @twice_more(
// CHECK:         func.return %b, %a, %a : tensor<2xf32>, tensor<1xf32>, tensor<1xf32>
func.func @twice_more(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %a, %a : tensor<2xf32>, tensor<1xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @fewer(
// CHECK:         func.return %c, %a : tensor<3xf32>, tensor<1xf32>
func.func @fewer(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}, %c: tensor<3xf32> {pl.dir = "out"}) -> (tensor<3xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %c, %a : tensor<3xf32>, tensor<1xf32>
}

// ... one whose returns differ in their order, and one that is named by an op that is no call.

// CHECK-LABEL: func.func @differ(
// CHECK:         func.return %b, %a : tensor<1xf32>, tensor<1xf32>
// CHECK:         func.return %a, %b : tensor<1xf32>, tensor<1xf32>
func.func @differ(%c: i1, %a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<1xf32> {pl.dir = "out"}) -> (tensor<1xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  cf.cond_br %c, ^left, ^right
^left:
  func.return %b, %a : tensor<1xf32>, tensor<1xf32>
^right:
  func.return %a, %b : tensor<1xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @named(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @named(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
// CHECK-LABEL: func.func @named_deeply(
// CHECK:         func.return %b, %a : tensor<2xf32>, tensor<1xf32>
func.func @named_deeply(%a: tensor<1xf32> {pl.dir = "out"}, %b: tensor<2xf32> {pl.dir = "out"}) -> (tensor<2xf32>, tensor<1xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %a : tensor<2xf32>, tensor<1xf32>
}
"test.op"() {callees = [@named, {nested = @module::@named_deeply}]} : () -> ()
