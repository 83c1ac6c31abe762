// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p derive-call-directions | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,derive-call-directions | filecheck %s

// The parameters of group and spmd functions get the direction of what their inner calls do.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @writes(%x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}

// Nested: read, written and updated three levels down; a parameter that nobody passes on stays.
// CHECK-LABEL: func.func @outer(%a: tensor<8xf32>, %b: tensor<8xf32> {pl.dir = "out"}, %c: tensor<8xf32> {pl.dir = "inout"}, %d: tensor<8xf32>)
// CHECK:         pl.call @middle(%c, %b, %a) {arg_directions = ["inout", "output_existing", "input"]}
func.func @outer(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) attributes {pl.func_type = "spmd"} {
  pl.call @middle(%c, %b, %a) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @middle(%c: tensor<8xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "out"}, %a: tensor<8xf32>)
func.func @middle(%c: tensor<8xf32>, %b: tensor<8xf32>, %a: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @inner(%a, %b, %c) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @inner(%a: tensor<8xf32>, %b: tensor<8xf32> {pl.dir = "out"}, %c: tensor<8xf32> {pl.dir = "inout"})
func.func @inner(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  %0 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @updates(%c) : (tensor<8xf32>) -> ()
  func.return
}

// Mutually recursive, the parameters swapped: what one writes, both may.
// CHECK-LABEL: func.func @ping(%a: tensor<8xf32> {pl.dir = "out"}, %b: tensor<8xf32> {pl.dir = "out"})
func.func @ping(%a: tensor<8xf32>, %b: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @pong(%b, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @pong(%a: tensor<8xf32> {pl.dir = "out"}, %b: tensor<8xf32> {pl.dir = "out"})
func.func @pong(%a: tensor<8xf32>, %b: tensor<8xf32>) attributes {pl.func_type = "group"} {
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @ping(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}

// Recursive, with a result that no return names: it may be any of the callee's tensors, or the callee's own.
// CHECK-LABEL: func.func @itself(%a: tensor<8xf32> {pl.dir = "out"}, %b: tensor<8xf32> {pl.dir = "out"}, %c: i1)
func.func @itself(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1) -> tensor<8xf32> attributes {pl.func_type = "group"} {
  %0 = scf.if %c -> (tensor<8xf32>) {
    %1 = pl.call @itself(%a, %b, %c) : (tensor<8xf32>, tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %b : tensor<8xf32>
  }
  %2 = pl.call @writes(%0) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @there(%a: tensor<8xf32> {pl.dir = "inout"}, %c: i1)
func.func @there(%a: tensor<8xf32>, %c: i1) -> tensor<8xf32> attributes {pl.func_type = "group"} {
  %0 = pl.call @back(%a, %c) : (tensor<8xf32>, i1) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @back(%a: tensor<8xf32> {pl.dir = "inout"}, %c: i1)
func.func @back(%a: tensor<8xf32>, %c: i1) -> tensor<8xf32> attributes {pl.func_type = "spmd"} {
  %0 = pl.call @there(%a, %c) : (tensor<8xf32>, i1) -> tensor<8xf32>
  pl.call @updates(%0) : (tensor<8xf32>) -> ()
  func.return %0 : tensor<8xf32>
}

// Read before it is written: it needs what the caller put there. Written before it is read: it does not.
// CHECK-LABEL: func.func @read_first(%a: tensor<8xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "out"})
func.func @read_first(%a: tensor<8xf32>, %b: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @reads(%b) : (tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @around_read_first(%a: tensor<8xf32> {pl.dir = "inout"})
func.func @around_read_first(%a: tensor<8xf32>) attributes {pl.func_type = "group"} {
  pl.call @read_first(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}

// Written in one branch only, then read: the other branch's reader needs what was there.
// CHECK-LABEL: func.func @read_in_a_branch(%a: tensor<8xf32> {pl.dir = "inout"}, %c: i1)
func.func @read_in_a_branch(%a: tensor<8xf32>, %c: i1) attributes {pl.func_type = "group"} {
  scf.if %c {
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  } else {
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
  }
  func.return
}

// Written by part, by perhaps another one, in one branch or in a loop, then read: it may be the caller's.
// CHECK-LABEL: func.func @not_surely(%a: tensor<16xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "inout"}, %d: tensor<8xf32> {pl.dir = "inout"}, %e: tensor<8xf32> {pl.dir = "inout"}, %f: tensor<8xf32> {pl.dir = "out"}, %c: i1, %n: index)
func.func private @reads16(tensor<16xf32>) attributes {pl.func_type = "incore"}
func.func @not_surely(%a: tensor<16xf32>, %b: tensor<8xf32>, %d: tensor<8xf32>, %e: tensor<8xf32>, %f: tensor<8xf32>, %c: i1, %n: index) attributes {pl.func_type = "group"} {
  %s = pl.tensor.slice %a[8] [8] : tensor<16xf32> -> tensor<8xf32>
  %0 = pl.call @writes(%s) : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @reads16(%a) : (tensor<16xf32>) -> ()
  %m = arith.select %c, %b, %f : tensor<8xf32>
  %1 = pl.call @writes(%m) : (tensor<8xf32>) -> tensor<8xf32>
  pl.call @reads(%b) : (tensor<8xf32>) -> ()
  scf.if %c {
    %2 = pl.call @writes(%d) : (tensor<8xf32>) -> tensor<8xf32>
    %3 = pl.call @writes(%f) : (tensor<8xf32>) -> tensor<8xf32>
  } else {
    %2 = pl.call @writes(%f) : (tensor<8xf32>) -> tensor<8xf32>
  }
  pl.call @reads(%d) : (tensor<8xf32>) -> ()
  pl.call @reads(%f) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    %2 = pl.call @writes(%e) : (tensor<8xf32>) -> tensor<8xf32>
  }
  pl.call @reads(%e) : (tensor<8xf32>) -> ()
  func.return
}

// Through a slice, a view, a loop and a call's result.
// CHECK-LABEL: func.func @through(%a: tensor<16xf32> {pl.dir = "out"}, %b: tensor<8xf32> {pl.dir = "inout"}, %n: index)
func.func @through(%a: tensor<16xf32>, %b: tensor<8xf32>, %n: index) attributes {pl.func_type = "spmd"} {
  %s = pl.tensor.slice %a[8] [8] : tensor<16xf32> -> tensor<8xf32>
  %0 = pl.call @writes(%s) : (tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %b) -> (tensor<8xf32>) {
    %y = pl.call @writes(%x) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  pl.call @updates(%r) : (tensor<8xf32>) -> ()
  func.return
}

// A value of whose place nothing is known may be any tensor parameter.
// CHECK-LABEL: func.func @anywhere(%a: tensor<8xf32> {pl.dir = "inout"}, %n: index)
func.func @anywhere(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "group"} {
  %x = "foreign.op"() : () -> tensor<8xf32>
  pl.call @updates(%x) : (tensor<8xf32>) -> ()
  func.return
}

// A direction that is written down is only ever raised; other functions keep theirs.
// CHECK-LABEL: func.func @declared(%a: tensor<8xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "inout"})
func.func @declared(%a: tensor<8xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "out"}) attributes {pl.func_type = "group"} {
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%b) : (tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @no_wrapper(%a: tensor<8xf32>)
func.func @no_wrapper(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}
