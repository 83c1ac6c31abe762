// RUN: pld-opt %s -p normalize-return-order | filecheck %s
// RUN: xdsl-opt %s -p normalize-return-order | filecheck %s
// RUN: pld-opt %s -p normalize-return-order,normalize-return-order | filecheck %s

// Which returned values are a parameter as a whole: the return then names it.

func.func private @opaque(tensor<4xf32>) -> tensor<4xf32> attributes {pl.func_type = "incore"}

// CHECK-LABEL: func.func @store(
// CHECK:         func.return %out : tensor<4xf32>
func.func @store(%in: tensor<4xf32>, %out: tensor<4xf32> {pl.dir = "out"}) -> tensor<4xf32> attributes {pl.func_type = "incore"} {
  %t = pl.tile.load %in[0] [4] : tensor<4xf32> -> !pl.tile<tensor<4xf32>>
  %s = pl.tile.store %t into %out[0] : !pl.tile<tensor<4xf32>>, tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// CHECK-LABEL: func.func @assemble(
// CHECK:         func.return %out : tensor<4xf32>
func.func @assemble(%in: tensor<4xf32>, %out: tensor<4xf32> {pl.dir = "out"}) -> tensor<4xf32> attributes {pl.func_type = "aic"} {
  %d = pl.tensor.assemble %in into %out[0] : tensor<4xf32>, tensor<4xf32>
  func.return %d : tensor<4xf32>
}

// A loop, its carry, and a branch in it.
// CHECK-LABEL: func.func @loop(
// CHECK:         func.return %out : tensor<4xf32>
func.func @loop(%c: i1, %n: index, %v: f32, %out: tensor<4xf32> {pl.dir = "out"}) -> tensor<4xf32> attributes {pl.func_type = "aiv"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %out) -> (tensor<4xf32>) {
    %y = scf.if %c -> (tensor<4xf32>) {
      %w = pl.tensor.write %v into %x[%i] : f32, tensor<4xf32>
      scf.yield %w : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %y : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The same of a distributed tensor.
// CHECK-LABEL: func.func @distributed_loop(
// CHECK:         func.return %out : !pld.dist_tensor<tensor<4xf32>>
func.func @distributed_loop(%n: index, %v: f32, %out: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "out"}) -> !pld.dist_tensor<tensor<4xf32>> attributes {pl.func_type = "aiv"} {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %out) -> (!pld.dist_tensor<tensor<4xf32>>) {
    %w = pl.tensor.write %v into %x[%i] : f32, !pld.dist_tensor<tensor<4xf32>>
    scf.yield %w : !pld.dist_tensor<tensor<4xf32>>
  }
  func.return %r : !pld.dist_tensor<tensor<4xf32>>
}

// Wrappers, through the calls of what they wrap, also of one written after them.
// CHECK-LABEL: func.func @group(
// CHECK:         func.return %b, %a : tensor<4xf32>, tensor<4xf32>
func.func @group(%a: tensor<4xf32> {pl.dir = "out"}, %b: tensor<4xf32> {pl.dir = "inout"}) -> (tensor<4xf32>, tensor<4xf32>) attributes {pl.func_type = "group"} {
  %x = pl.call @store(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %x : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @spmd(
// CHECK:         func.return %b : tensor<4xf32>
func.func @spmd(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "spmd"} {
  %y = pl.call @store(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @graph(
// CHECK:         func.return %b : tensor<4xf32>
func.func @graph(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "graph"} {
  %y, %t = pl.submit @spmd(%b) : (tensor<4xf32>) -> (tensor<4xf32>, !pl.task_id)
  func.return %y : tensor<4xf32>
}

// Wrappers that call each other: whatever is found of one helps the other, in either order of the text.
// CHECK-LABEL: func.func @ping(
// CHECK:         func.return %b : tensor<4xf32>
func.func @ping(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "group"} {
  %0 = pl.call @pong(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @pong(
// CHECK:         func.return %b : tensor<4xf32>
func.func @pong(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "group"} {
  %0 = pl.call @ping(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @nong(
// CHECK:         func.return %b : tensor<4xf32>
func.func @nong(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "group"} {
  %0 = pl.call @ning(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @ning(
// CHECK:         func.return %b : tensor<4xf32>
func.func @ning(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "group"} {
  %0 = pl.call @nong(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// One parameter on one path, another on the other: each return names its own.
// CHECK-LABEL: func.func @two_returns(
// CHECK:         func.return %a : tensor<4xf32>
// CHECK:         func.return %b : tensor<4xf32>
func.func @two_returns(%c: i1, %v: f32, %n: index, %a: tensor<4xf32> {pl.dir = "inout"}, %b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "incore"} {
  cf.cond_br %c, ^left, ^right
^left:
  %x = pl.tensor.write %v into %a[%n] : f32, tensor<4xf32>
  func.return %x : tensor<4xf32>
^right:
  %y = pl.tensor.write %v into %b[%n] : f32, tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Not: an orchestration, an inline or opaque function, ...
// CHECK-LABEL: func.func @orchestration(
// CHECK:         func.return %y : tensor<4xf32>
func.func @orchestration(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "orchestration"} {
  %y = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @helper(
// CHECK:         func.return %y : tensor<4xf32>
func.func @helper(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> {
  %y = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// ... a view, of another shape or not, a fresh tensor, a merge of two, what an opaque callee returns, ...
// CHECK-LABEL: func.func @others(
// CHECK:         func.return %v, %w, %e, %m, %o, %i : tensor<2x2xf32>
func.func @others(%c: i1, %a: tensor<4xf32> {pl.dir = "inout"}, %b: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, index) attributes {pl.func_type = "incore"} {
  %v = pl.tensor.view %a : tensor<4xf32> -> tensor<2x2xf32>
  %w = pl.tensor.view %v : tensor<2x2xf32> -> tensor<4xf32>
  %e = pl.tensor.create : tensor<4xf32>
  %m = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %o = pl.call @opaque(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %i = arith.constant 0 : index
  func.return %v, %w, %e, %m, %o, %i : tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, index
}

// ... what is written into a view, what a callee makes of one, what a loop may have made one, ...
// CHECK-LABEL: func.func @through_views(
// CHECK:         func.return %s, %c, %k, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @through_views(%f: f32, %n: index, %a: tensor<4xf32> {pl.dir = "inout"}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {pl.func_type = "group"} {
  %v = pl.tensor.view %a : tensor<4xf32> -> tensor<4xf32>
  %s = pl.tensor.write %f into %v[%n] : f32, tensor<4xf32>
  %c = pl.call @spmd(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %k = pl.call @returns_a_view(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (tensor<4xf32>) {
    %y = pl.tensor.view %x : tensor<4xf32> -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  func.return %s, %c, %k, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @returns_a_view(
// CHECK:         func.return %v : tensor<4xf32>
func.func @returns_a_view(%a: tensor<4xf32> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "incore"} {
  %v = pl.tensor.view %a : tensor<4xf32> -> tensor<4xf32>
  func.return %v : tensor<4xf32>
}

// ... a scalar, ...
// CHECK-LABEL: func.func @scalar(
// CHECK:         func.return %r : index
func.func @scalar(%i: index) -> index attributes {pl.func_type = "group"} {
  %r = pl.call @returns_scalar(%i) : (index) -> index
  func.return %r : index
}
func.func @returns_scalar(%i: index) -> index attributes {pl.func_type = "incore"} {
  func.return %i : index
}

// ... a value of another type than the parameter: the callers were promised that type.
// CHECK-LABEL: func.func @window_memory(
// CHECK:         func.return %y : tensor<4xf32>
func.func @window_memory(%d: !pld.dist_tensor<tensor<4xf32>> {pl.dir = "inout"}) -> tensor<4xf32> attributes {pl.func_type = "group"} {
  %y = pl.call @spmd(%d) : (!pld.dist_tensor<tensor<4xf32>>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @any_extent(
// CHECK:         func.return %y : tensor<?xf32>
func.func @any_extent(%b: tensor<4xf32> {pl.dir = "inout"}) -> tensor<?xf32> attributes {pl.func_type = "group"} {
  %y = pl.call @spmd(%b) : (tensor<4xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}
