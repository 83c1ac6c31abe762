// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: pld-opt %s --allow-unregistered-dialect -p derive-call-directions,auto-derive-task-dependencies,derive-call-directions,auto-derive-task-dependencies | filecheck %s

// Which hazards become edges, in straight-line code.

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}

// Two reads never; a write waits for the readers since the last write, which waits for that; a reader
// for the last writer only.
// CHECK-LABEL: func.func @chain(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 3 : index, pl.after = array<i64: 1, 2>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 4 : index, pl.after = array<i64: 3>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 5 : index, pl.after = array<i64: 4>, arg_directions
func.func @chain(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Ordered through another buffer: no edge from 0 to 2.
func.func private @copy(tensor<8xf32>, tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}]}
// CHECK-LABEL: func.func @path(
// CHECK:         pl.call @copy(%a, %b) {pl.task = 0 : index, arg
// CHECK:         pl.call @copy(%b, %c) {pl.task = 1 : index, pl.after = array<i64: 0>, arg
// CHECK:         pl.call @copy(%c, %b) {pl.task = 2 : index, pl.after = array<i64: 1>, arg
func.func @path(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @copy(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> ()
  pl.call @copy(%b, %c) : (tensor<8xf32>, tensor<8xf32>) -> ()
  pl.call @copy(%c, %b) : (tensor<8xf32>, tensor<8xf32>) -> ()
  func.return
}

// Disjoint boxes never; a box and the whole do; an offset that is no constant may be anywhere.
// CHECK-LABEL: func.func @boxes(
// CHECK:         pl.call @updates(%lo) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%hi) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @reads(%lo) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%any) {pl.task = 3 : index, pl.after = array<i64: 1, 2>, arg_directions
// CHECK:         pl.call @reads(%hi) {pl.task = 4 : index, pl.after = array<i64: 3>, arg_directions
// CHECK:         pl.call @whole(%t) {pl.task = 5 : index, pl.after = array<i64: 4>, arg
func.func private @whole(tensor<16xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @boxes(%t: tensor<16xf32>, %i: index) attributes {pl.func_type = "orchestration"} {
  %lo = pl.tensor.slice %t[0] [8] : tensor<16xf32> -> tensor<8xf32>
  %hi = pl.tensor.slice %t[8] [8] : tensor<16xf32> -> tensor<8xf32>
  %any = pl.tensor.slice %t[%i] [8] : tensor<16xf32> -> tensor<8xf32>
  pl.call @updates(%lo) : (tensor<8xf32>) -> ()
  pl.call @updates(%hi) : (tensor<8xf32>) -> ()
  pl.call @reads(%lo) : (tensor<8xf32>) -> ()
  pl.call @updates(%any) : (tensor<8xf32>) -> ()
  pl.call @reads(%hi) : (tensor<8xf32>) -> ()
  pl.call @whole(%t) : (tensor<16xf32>) -> ()
  func.return
}

// A slice of a reshaped slice: rows 1 of the 2x8 view are the elements 8 to 15.
// CHECK-LABEL: func.func @views(
// CHECK:         pl.call @updates(%row) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%lo) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @reads(%hi) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
func.func @views(%t: tensor<32xf32>) attributes {pl.func_type = "orchestration"} {
  %half = pl.tensor.slice %t[0] [16] : tensor<32xf32> -> tensor<16xf32>
  %rows = pl.tensor.view %half : tensor<16xf32> -> tensor<2x8xf32>
  %row = pl.tensor.slice %rows[1, 0] [1, 8] : tensor<2x8xf32> -> tensor<8xf32>
  %lo = pl.tensor.slice %t[0] [8] : tensor<32xf32> -> tensor<8xf32>
  %hi = pl.tensor.slice %t[8] [8] : tensor<32xf32> -> tensor<8xf32>
  pl.call @updates(%row) : (tensor<8xf32>) -> ()
  pl.call @updates(%lo) : (tensor<8xf32>) -> ()
  pl.call @reads(%hi) : (tensor<8xf32>) -> ()
  func.return
}

// Places that are not known: either of two buffers, or any.
// CHECK-LABEL: func.func @unknown(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @updates(%b) {pl.task = 1 : index, arg_directions
// CHECK:         pl.call @updates(%c) {pl.task = 2 : index, arg_directions
// CHECK:         pl.call @reads(%m) {pl.task = 3 : index, pl.after = array<i64: 0, 1>, arg_directions
// CHECK:         pl.call @updates(%x) {pl.task = 4 : index, pl.after = array<i64: 2, 3>, arg_directions
// CHECK:         pl.call @reads(%a) {pl.task = 5 : index, pl.after = array<i64: 4>, arg_directions
func.func @unknown(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %p: i1) attributes {pl.func_type = "orchestration"} {
  %m = arith.select %p, %a, %b : tensor<8xf32>
  %x = "foreign.op"() : () -> tensor<8xf32>
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%b) : (tensor<8xf32>) -> ()
  pl.call @updates(%c) : (tensor<8xf32>) -> ()
  pl.call @reads(%m) : (tensor<8xf32>) -> ()
  pl.call @updates(%x) : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Arguments that are no dependency make no hazards.
// CHECK-LABEL: func.func @no_dep(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, no_dep = array<i64: 0>, arg
// CHECK:         pl.call @reads(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg
func.func @no_dep(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) {no_dep = array<i64: 0>} : (tensor<8xf32>) -> ()
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// What the program itself orders gets no edge: directly, through a dummy task, and what follows from it.
// CHECK-LABEL: func.func @written_deps(
// CHECK:         pl.submit @updates(%a) {pl.task = 0 : index, arg
// CHECK:         pl.submit @updates(%a) deps(%t0) {pl.task = 1 : index, arg
// CHECK:         pl.submit @updates(%a) deps(%t2) {pl.task = 2 : index, arg
// CHECK:         pl.submit @reads(%b) deps(%t3) {pl.task = 3 : index, arg
// CHECK:         pl.call @reads(%a) {pl.task = 4 : index, pl.after = array<i64: 2>, arg
func.func @written_deps(%a: tensor<8xf32>, %b: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %t0 = pl.submit @updates(%a) : (tensor<8xf32>) -> !pl.task_id
  %t1 = pl.submit @updates(%a) deps(%t0) : (tensor<8xf32>) -> !pl.task_id
  %t2 = pl.task_dummy deps(%t1)
  %t3 = pl.submit @updates(%a) deps(%t2) : (tensor<8xf32>) -> !pl.task_id
  %t4 = pl.submit @reads(%b) deps(%t3) : (tensor<8xf32>) -> !pl.task_id
  pl.call @reads(%a) : (tensor<8xf32>) -> ()
  func.return
}

// An output that the runtime allocates is written by its submit.
func.func @makes(%a: tensor<8xf32>, %x: tensor<8xf32> {pl.dir = "out"}) -> tensor<8xf32> attributes {pl.func_type = "incore"} {
  func.return %x : tensor<8xf32>
}
// CHECK-LABEL: func.func @omitted(
// CHECK:         pl.submit @makes(%a) {pl.task = 0 : index, arg
// CHECK:         pl.call @reads(%x) {pl.task = 1 : index, pl.after = array<i64: 0>, arg
// CHECK:         pl.call @updates(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg
func.func @omitted(%a: tensor<8xf32>) attributes {pl.func_type = "orchestration"} {
  %x, %t = pl.submit @makes(%a) : (tensor<8xf32>) -> (tensor<8xf32>, !pl.task_id)
  pl.call @reads(%x) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}

// A copy between two tensors that no task does: who reads its destination waits for who wrote its source.
// CHECK-LABEL: func.func @copied(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @reads(%d) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @updates(%a) {pl.task = 2 : index, pl.after = array<i64: 0>, arg_directions
func.func @copied(%a: tensor<8xf32>, %b: tensor<16xf32>) attributes {pl.func_type = "orchestration"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  %c = pl.tensor.assemble %a into %b[8] : tensor<8xf32>, tensor<16xf32>
  %d = pl.tensor.slice %c[0] [8] : tensor<16xf32> -> tensor<8xf32>
  pl.call @reads(%d) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}

// Numbers in every function, edges in chip orchestrations only; old ones go.
// CHECK-LABEL: func.func @graph(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, arg
func.func @graph(%a: tensor<8xf32>) attributes {pl.func_type = "graph"} {
  pl.call @updates(%a) {pl.task = 7 : index, pl.after = array<i64: 3>} : (tensor<8xf32>) -> ()
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @group(
// CHECK:         pl.call @updates(%a) {pl.task = 0 : index, arg
// CHECK:         pl.call @updates(%a) {pl.task = 1 : index, arg
func.func @group(%a: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "group"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  pl.call @updates(%a) {pl.after = array<i64: 3>} : (tensor<8xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @host(
// CHECK:         pl.call @graph(%a) device(%n) {pl.task = 0 : index, arg
// CHECK:         pl.call @graph(%a) device(%n) {pl.task = 1 : index, arg
func.func @host(%a: tensor<8xf32>, %n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  pl.call @graph(%a) device(%n) : (tensor<8xf32>) -> ()
  pl.call @graph(%a) device(%n) : (tensor<8xf32>) -> ()
  func.return
}
