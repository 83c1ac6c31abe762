// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p derive-call-directions | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,derive-call-directions | filecheck %s

// What makes an `out` parameter's argument inout. The kernel writes all of it and reads nothing; the
// runtime is told to wait for whoever has written it.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @writes(%x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}

// In a sequential loop, for and while, however deep; not in one whose iterations are independent.
// CHECK-LABEL: func.func @loops(
// CHECK:         scf.for
// CHECK:           pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK:         scf.while
// CHECK:           pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK:         } do {
// CHECK:           pl.call @writes(%b) {arg_directions = ["inout"]}
func.func @loops(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index, %c: i1) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    scf.if %c {
      %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
    }
  }
  scf.while () : () -> () {
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.condition(%c)
  } do {
    %0 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield
  }
  func.return
}

// CHECK-LABEL: func.func @parallel_loops(
// CHECK:         pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%b) {arg_directions = ["inout"]}
func.func @parallel_loops(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  } {pl.kind = "parallel"}
  scf.for %i = %n to %n step %n {
    scf.for %j = %n to %n step %n {
      %0 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
    } {pl.kind = "parallel"}
  }
  func.return
}

// Of two possible buffers: merged by a branch, or by a loop that yields another one.
// CHECK-LABEL: func.func @ambiguous(
// CHECK:         pl.call @writes(%m) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%l) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%s) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%o) {arg_directions = ["inout"]}
func.func @ambiguous(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1, %n: index) attributes {pl.func_type = "orchestration"} {
  %e = pl.tensor.create : tensor<8xf32>
  %m = scf.if %c -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  } else {
    scf.yield %b : tensor<8xf32>
  }
  %0 = pl.call @writes(%m) : (tensor<8xf32>) -> tensor<8xf32>
  %f = pl.tensor.create : tensor<8xf32>
  %l = scf.for %i = %n to %n step %n iter_args(%x = %e) -> (tensor<8xf32>) {
    scf.yield %f : tensor<8xf32>
  }
  %1 = pl.call @writes(%l) : (tensor<8xf32>) -> tensor<8xf32>
  %g = pl.tensor.create : tensor<8xf32>
  %s = scf.for %i = %n to %n step %n iter_args(%x = %g) -> (tensor<8xf32>) {
    scf.yield %x : tensor<8xf32>
  }
  %2 = pl.call @writes(%s) : (tensor<8xf32>) -> tensor<8xf32>
  %h = pl.tensor.create : tensor<8xf32>
  %o = scf.for %i = %n to %n step %n iter_args(%x = %h) -> (tensor<8xf32>) {
    %y = "foreign.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  %3 = pl.call @writes(%o) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// What a value that may be either is written through, both have been written.
// CHECK-LABEL: func.func @written_through(
// CHECK:         pl.call @updates(%m) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%b) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%e) {arg_directions = ["output_existing"]}
func.func @written_through(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  %e = pl.tensor.create : tensor<8xf32>
  %m = scf.if %c -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  } else {
    scf.yield %b : tensor<8xf32>
  }
  pl.call @updates(%m) : (tensor<8xf32>) -> ()
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = pl.call @writes(%e) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// Written before: by a call, through its result, a view, an assemble, an element, a no_dep argument.
// CHECK-LABEL: func.func @written_before(
// CHECK:         pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK-NEXT:    pl.call @writes(%{{.*}}) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%b) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%e) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%f) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%g) {no_dep = array<i64: 0>, arg_directions = ["no_dep"]}
// CHECK:         pl.call @writes(%g) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%h) {arg_directions = ["output_existing"]}
func.func @written_before(%a: tensor<8xf32>, %b: tensor<8xf32>, %v: f32) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %view = pl.tensor.view %b : tensor<8xf32> -> tensor<8xf32>
  pl.call @updates(%view) : (tensor<8xf32>) -> ()
  %2 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %e = pl.tensor.create : tensor<8xf32>
  %e2 = pl.tensor.assemble %b into %e[0] : tensor<8xf32>, tensor<8xf32>
  %3 = pl.call @writes(%e) : (tensor<8xf32>) -> tensor<8xf32>
  %f = pl.tensor.create : tensor<8xf32>
  %f2 = pl.tensor.write %v into %f[0] : f32, tensor<8xf32>
  %4 = pl.call @writes(%f) : (tensor<8xf32>) -> tensor<8xf32>
  %g = pl.tensor.create : tensor<8xf32>
  %5 = pl.call @writes(%g) {no_dep = array<i64: 0>} : (tensor<8xf32>) -> tensor<8xf32>
  %6 = pl.call @writes(%g) : (tensor<8xf32>) -> tensor<8xf32>
  %h = pl.tensor.create : tensor<8xf32>
  pl.call @reads(%h) : (tensor<8xf32>) -> ()
  %7 = pl.call @writes(%h) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// A branch is one writer for what follows; its sides do not see each other; it sees what was before.
// CHECK-LABEL: func.func @branches(
// CHECK:         scf.if %c {
// CHECK-NEXT:      pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK-NEXT:      pl.call @writes(%b) {arg_directions = ["output_existing"]}
// CHECK-NEXT:      pl.call @writes(%b) {arg_directions = ["inout"]}
// CHECK-NEXT:    }
// CHECK-NEXT:    pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK-NEXT:    pl.call @writes(%b) {arg_directions = ["inout"]}
// CHECK-NEXT:    pl.call @writes(%d) {arg_directions = ["output_existing"]}
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      pl.call @writes(%d) {arg_directions = ["inout"]}
func.func @branches(%a: tensor<8xf32>, %b: tensor<8xf32>, %d: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  scf.if %c {
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  } else {
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  }
  %3 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %5 = pl.call @writes(%d) : (tensor<8xf32>) -> tensor<8xf32>
  scf.if %c {
    %6 = pl.call @writes(%d) : (tensor<8xf32>) -> tensor<8xf32>
  }
  func.return
}

// A parameter declared inout holds what the caller put there; a slice of it is a buffer of its own.
// CHECK-LABEL: func.func @inout_parameter(
// CHECK:         pl.call @writes(%a) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%v) {arg_directions = ["inout"]}
func.func @inout_parameter(%a: tensor<8xf32> {pl.dir = "inout"}, %b: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %v = pl.tensor.view %b : tensor<8xf32> -> tensor<8xf32>
  %1 = pl.call @writes(%v) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// A value of whose place nothing is known; once it is written, anything may be.
// CHECK-LABEL: func.func @anywhere(
// CHECK:         pl.call @writes(%a) {arg_directions = ["output_existing"]}
// CHECK:         pl.call @writes(%x) {arg_directions = ["inout"]}
// CHECK:         pl.call @writes(%b) {arg_directions = ["inout"]}
func.func @anywhere(%a: tensor<8xf32>, %b: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %x = "foreign.op"() : () -> tensor<8xf32>
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = pl.call @writes(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = pl.call @writes(%b) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// Branches between blocks may form a loop.
// CHECK-LABEL: func.func @blocks(
// CHECK:         pl.call @writes(%a) {arg_directions = ["inout"]}
func.func @blocks(%a: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  cf.br ^next
^next:
  %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
  cf.cond_br %c, ^next, ^end
^end:
  func.return
}
// CHECK-LABEL: func.func @blocks_inside(
// CHECK:           pl.call @writes(%a) {arg_directions = ["inout"]}
func.func @blocks_inside(%a: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  "foreign.region"() ({
    cf.br ^next
  ^next:
    %0 = pl.call @writes(%a) : (tensor<8xf32>) -> tensor<8xf32>
    cf.cond_br %c, ^next, ^end
  ^end:
    "foreign.end"() : () -> ()
  }) : () -> ()
  func.return
}

// A collective that the host rail lowers later writes its windows, not only the one that it returns.
func.func private @chip(!pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>) attributes {pl.func_type = "orchestration", pl.arg_attrs = [{pl.dir = "out"}, {pl.dir = "out"}]}
// CHECK-LABEL: func.func @host(
// CHECK:         pl.call @chip(%recv, %counts) device(%n) {arg_directions = ["inout", "output_existing"]}
func.func @host(%in: tensor<8x64xf32>, %data: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %counts: tensor<2x1xi32>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %d = pld.tensor.all_to_all_v %in, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  pl.call @chip(%recv, %counts) device(%n) : (!pld.dist_tensor<tensor<2x1xi32>>, tensor<2x1xi32>) -> ()
  func.return
}
