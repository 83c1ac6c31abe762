// RUN: pld-opt %s -p legalize-spmd-launches | filecheck %s
// RUN: xdsl-opt %s -p legalize-spmd-launches | filecheck %s
// RUN: pld-opt %s -p legalize-spmd-launches,legalize-spmd-launches | filecheck %s

// What a guarded launch looks like: call and submit, with all they carry.

func.func @k(%a: tensor<8xf32> {pl.dir = "inout"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @call(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %launched = arith.cmpi sgt, %n, %c0 : index
// CHECK-NEXT:    %r = scf.if %launched -> (tensor<8xf32>) {
// CHECK-NEXT:      [[R:%.*]] = pl.call @k(%a) core_num(%n) sync_start {user.note = "kept", arg_directions = ["inout"]} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      scf.yield [[R]] : tensor<8xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %a : tensor<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<8xf32>
func.func @call(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> attributes {pl.func_type = "orchestration"} {
  %r = pl.call @k(%a) core_num(%n) sync_start {user.note = "kept", arg_directions = ["inout"]} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// A submit: the other branch has a dummy task that carries the deps. A second launch uses what the first
// one's scf.if yields.
// CHECK-LABEL: func.func @submit(
// CHECK:         [[R0:%[a-z]+]], [[T0:%[a-z]+]] = scf.if %launched -> (tensor<8xf32>, !pl.task_id) {
// CHECK-NEXT:      [[R:%[a-z0-9_]+]], [[T:%[a-z0-9_]+]] = pl.submit @k(%a) deps(%before) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
// CHECK-NEXT:      scf.yield [[R]], [[T]] : tensor<8xf32>, !pl.task_id
// CHECK-NEXT:    } else {
// CHECK-NEXT:      [[DUMMY:%.*]] = pl.task_dummy deps(%before)
// CHECK-NEXT:      scf.yield %a, [[DUMMY]] : tensor<8xf32>, !pl.task_id
// CHECK-NEXT:    }
// CHECK-NEXT:    {{.*}}scf.if %launched
// CHECK-NEXT:      {{.*}}pl.submit @k([[R0]]) deps([[T0]]) core_num(%n)
// CHECK:         } else {
// CHECK-NEXT:      {{.*}}pl.task_dummy deps([[T0]])
// CHECK-NEXT:      scf.yield [[R0]],
func.func @submit(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %before = pl.task_dummy
  %r, %t = pl.submit @k(%a) deps(%before) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  %s, %u = pl.submit @k(%r) deps(%t) core_num(%n) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return
}

// Two results, in the callee's order, and none.
func.func @swapped(%a: tensor<8xf32> {pl.dir = "out"}, %b: tensor<4xf32> {pl.dir = "out"}, %c: index) -> (tensor<4xf32>, tensor<8xf32>) attributes {pl.func_type = "incore"} {
  func.return %b, %a : tensor<4xf32>, tensor<8xf32>
}
func.func private @none(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
// CHECK-LABEL: func.func @results(
// CHECK:           pl.call @swapped(%a, %b, %n)
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %b, %a : tensor<4xf32>, tensor<8xf32>
// CHECK:         scf.if %launched{{.*}} {
// CHECK-NEXT:      pl.call @none(%a) core_num(%n)
func.func @results(%a: tensor<8xf32>, %b: tensor<4xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r:2 = pl.call @swapped(%a, %b, %n) core_num(%n) : (tensor<8xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<8xf32>)
  pl.call @none(%a) core_num(%n) : (tensor<8xf32>) -> ()
  func.return
}

// Provably no block: only the other path is left.
// CHECK-LABEL: func.func @never(
// CHECK-NOT:     pl.call
// CHECK-NOT:     core_num
// CHECK:         [[D:%.*]] = pl.task_dummy deps(%before)
// CHECK-NEXT:    {{.*}}pl.submit @k(%a) deps([[D]])
// CHECK-NEXT:    func.return %a : tensor<8xf32>
func.func @never(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> attributes {pl.func_type = "orchestration"} {
  %before = pl.task_dummy
  %c0 = arith.constant 0 : index
  %none = arith.minsi %n, %c0 : index
  %r = pl.call @k(%a) core_num(%none) : (tensor<8xf32>) -> tensor<8xf32>
  %s, %t = pl.submit @k(%r) deps(%before) core_num(%none) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  %u, %v = pl.submit @k(%s) deps(%t) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  func.return %r : tensor<8xf32>
}

// Wherever a launch stands, and nothing else: no width, no guard.
// CHECK-LABEL: func.func @wrapper(
// CHECK:           scf.if %launched
// CHECK:         pl.call @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    func.return
func.func @wrapper(%a: tensor<8xf32> {pl.dir = "inout"}, %n: index) attributes {pl.func_type = "group"} {
  scf.for %i = %n to %n step %n {
    %r = pl.call @k(%a) core_num(%n) : (tensor<8xf32>) -> tensor<8xf32>
  }
  %r = pl.call @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}
