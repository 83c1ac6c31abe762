// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies,derive-call-directions,auto-derive-task-dependencies | filecheck %s

// Edges in loops and branches; docs/task-dependencies.md says what they mean.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}

// A branch may not be taken: it replaces no edge around it, unless both sides write.
// CHECK-LABEL: func.func @branches(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0, 1>, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 3 : index, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 4 : index, pl.after = array<i64: 3>, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 5 : index, pl.after = array<i64: 3>, arg_directions
// CHECK:         pl.call @reads(%b) {pl.task = 6 : index, pl.after = array<i64: 4, 5>, arg_directions
func.func @branches(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  scf.if %c {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%b) : (tensor<8xf32>) -> ()
  scf.if %c {
    pl.call @updates(%b) : (tensor<8xf32>) -> ()
  } else {
    pl.call @updates(%b) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%b) : (tensor<8xf32>) -> ()
  func.return
}

// A writer waits for itself in the iteration before. Its last instance stands for all of them; what is
// before the loop counts behind it, too, since there may be no iteration.
// CHECK-LABEL: func.func @writer(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0, 1>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0, 1>, arg_directions
func.func @writer(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Reader and writer in one body wait for each other around the loop, in while as in for.
// CHECK-LABEL: func.func @ping_pong(
// CHECK:         pl.call @reads(%a) {pl.task = 0 : index, pl.after = array<i64: 1>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%b) {pl.task = 2 : index, pl.after = array<i64: 3>, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions
func.func @ping_pong(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index, %c: i1) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  scf.while () : () -> () {
    pl.call @reads(%b) : (tensor<8xf32>) -> ()
    scf.condition(%c)
  } do {
    pl.call @updates(%b) : (tensor<8xf32>) -> ()
    scf.yield
  }
  func.return
}

// Readers that nothing orders, and a writer behind the loop: no fixed set of edges makes it wait for all of
// them, so no edge touches the loop. The tasks around it keep theirs.
// CHECK-LABEL: func.func @unbounded(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions
func.func @unbounded(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// The same around an outer loop: the writer of its next iteration meets the readers of the inner one. And
// with the writer in a branch, which does not wait for the reader of each iteration.
// CHECK-LABEL: func.func @unbounded_around(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @reads(%b) {pl.task = 2 : index, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 3 : index, arg_directions
func.func @unbounded_around(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index, %c: i1) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
    scf.for %j = %n to %n step %n {
      pl.call @reads(%a) : (tensor<8xf32>) -> ()
    }
  }
  scf.for %i = %n to %n step %n {
    pl.call @reads(%b) : (tensor<8xf32>) -> ()
    scf.if %c {
      pl.call @updates(%b) : (tensor<8xf32>) -> ()
    }
  }
  func.return
}

// Readers that nothing disturbs are no reason to give up.
// CHECK-LABEL: func.func @readers(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
func.func @readers(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Independent iterations have no edges between them, so none stands for all.
// CHECK-LABEL: func.func @parallel(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 2 : index, arg_directions
// CHECK:         pl.call @reads(%b) {pl.task = 3 : index, arg_directions
func.func @parallel(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
    pl.call @reads(%a) : (tensor<8xf32>) -> ()
  } {pl.kind = "parallel"}
  scf.for %i = %n to %n step %n {
    pl.call @updates(%b) : (tensor<8xf32>) -> ()
  } {pl.kind = "parallel"}
  pl.call @reads(%b) : (tensor<8xf32>) -> ()
  func.return
}

// Regions of which we know nothing, and branches between blocks.
// CHECK-LABEL: func.func @foreign(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 2 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 3 : index, pl.after = array<i64: 0>, arg_directions
func.func @foreign(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  "foreign.region"() ({
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }) : () -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @blocks(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, arg_directions
func.func @blocks(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  cf.br ^next
^next:
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Under one condition either all run or none: what is settled there is settled, also for whom is behind.
// CHECK-LABEL: func.func @same_condition(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 3 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 4 : index, pl.after = array<i64: 2, 3>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 5 : index, pl.after = array<i64: 2, 3, 4>, arg_directions
func.func @same_condition(%a: tensor<8xf32>, %c: i1, %d: i1) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  scf.if %c {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  scf.if %c {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  } else {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  scf.if %d {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// In another iteration the condition may have been another one.
// CHECK-LABEL: func.func @other_iteration(
// CHECK:           pl.call @updates(%a) {pl.task = 0 : index, pl.after = array<i64: 0, 1>, arg_directions
// CHECK:           pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0, 1>, arg_directions
func.func @other_iteration(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    %c = arith.cmpi eq, %i, %n : index
    scf.if %c {
      pl.call @updates(%a) : (tensor<8xf32>) -> ()
    } else {
      pl.call @updates(%a) : (tensor<8xf32>) -> ()
    }
  }
  func.return
}

// The other side of a condition settles nothing of this one.
// CHECK-LABEL: func.func @other_side(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0, 1>, arg_directions
func.func @other_side(%a: tensor<8xf32>, %c: i1) attributes {pl.func_type = "orchestration"} {
  scf.if %c {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  scf.if %c {
  } else {
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Around a loop, too, a task in a branch replaces no edge: where it does not run, 1 waits for itself.
// CHECK-LABEL: func.func @branch_in_a_loop(
// CHECK:           pl.call @updates(%a) {pl.task = 0 : index, pl.after = array<i64: 1>, arg_directions
// CHECK:           pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0, 1>, arg_directions
func.func @branch_in_a_loop(%a: tensor<8xf32>, %n: index) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    %c = arith.cmpi eq, %i, %n : index
    scf.if %c {
      pl.call @updates(%a) : (tensor<8xf32>) -> ()
    }
    pl.call @updates(%a) : (tensor<8xf32>) -> ()
  }
  func.return
}
