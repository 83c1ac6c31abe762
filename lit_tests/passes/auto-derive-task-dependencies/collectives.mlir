// RUN: pld-opt %s -p lower-l2-tensor-collectives,derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: xdsl-opt %s -p lower-l2-tensor-collectives,derive-call-directions,auto-derive-task-dependencies | filecheck %s
// RUN: pld-opt %s -p lower-l2-tensor-collectives,derive-call-directions,auto-derive-task-dependencies,derive-call-directions,auto-derive-task-dependencies | filecheck %s

// What the directions of a collective's kernel are for: compute -> collective -> consume.

func.func private @stage(tensor<8x64xf32>, tensor<2x1xi32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}, {pl.dir = "out"}]}
func.func private @consume(!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}]}
func.func private @count(!pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pl.dir = "out"}]}

// CHECK-LABEL: func.func @pipeline(
// CHECK:         pl.call @stage({{.*}} {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @consume({{.*}} {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions
func.func @pipeline(%stage: tensor<8x64xf32>, %counts: tensor<2x1xi32>, %data: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  pl.call @stage(%stage, %counts) : (tensor<8x64xf32>, tensor<2x1xi32>) -> ()
  %d = pld.tensor.all_to_all_v %stage, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  pl.call @consume(%d, %out) : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>) -> ()
  func.return
}

// The consumer reads nothing but the receive counts, and names the window, not the collective's result.
// CHECK-LABEL: func.func @counts_only(
// CHECK:         pl.call @stage({{.*}} {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @count({{.*}} {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions
func.func @counts_only(%stage: tensor<8x64xf32>, %counts: tensor<2x1xi32>, %data: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"}) attributes {pl.func_type = "orchestration"} {
  pl.call @stage(%stage, %counts) : (tensor<8x64xf32>, tensor<2x1xi32>) -> ()
  %d = pld.tensor.all_to_all_v %stage, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  pl.call @count(%recv, %out) : (!pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> ()
  func.return
}

// Two collectives that share the signal and nothing else are ordered; on two signals they are not.
// CHECK-LABEL: func.func @signals(
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 2 : index, arg_directions
func.func @signals(%in: tensor<8x64xf32>, %counts: tensor<2x1xi32>, %d0: !pld.dist_tensor<tensor<8x64xf32>>, %d1: !pld.dist_tensor<tensor<8x64xf32>>, %d2: !pld.dist_tensor<tensor<8x64xf32>>, %s0: !pld.dist_tensor<tensor<2x4xi32>>, %s1: !pld.dist_tensor<tensor<2x4xi32>>, %r0: !pld.dist_tensor<tensor<2x1xi32>>, %r1: !pld.dist_tensor<tensor<2x1xi32>>, %r2: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %0 = pld.tensor.all_to_all_v %in, %d0, %s0, %counts, %r0 : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %1 = pld.tensor.all_to_all_v %in, %d1, %s0, %counts, %r1 : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %2 = pld.tensor.all_to_all_v %in, %d2, %s1, %counts, %r2 : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}

// In a loop the stage of an iteration overwrites what the collective before it has read, and the collective
// what the consumer before it has read: edges that wait for the iteration before.
// CHECK-LABEL: func.func @iterations(
// CHECK:         scf.for
// CHECK:           pl.call @stage({{.*}} {pl.task = 0 : index, pl.after = array<i64: 1>, arg_directions
// CHECK:           pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 1 : index, pl.after = array<i64: 0, 2>, arg_directions
// CHECK:           pl.call @consume({{.*}} {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions
// CHECK:         pl.call @consume({{.*}} {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions
func.func @iterations(%stage: tensor<8x64xf32>, %counts: tensor<2x1xi32>, %data: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"}, %n: index) attributes {pl.func_type = "orchestration"} {
  scf.for %i = %n to %n step %n {
    pl.call @stage(%stage, %counts) : (tensor<8x64xf32>, tensor<2x1xi32>) -> ()
    %d = pld.tensor.all_to_all_v %stage, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
    pl.call @consume(%d, %out) : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>) -> ()
  }
  pl.call @consume(%data, %out) : (!pld.dist_tensor<tensor<8x64xf32>>, tensor<8x64xf32>) -> ()
  func.return
}

// A producer that writes a reshape, a collective that reads the base; and the reverse.
func.func private @flat(tensor<512xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
func.func private @whole(tensor<8x64xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}]}
// CHECK-LABEL: func.func @reshapes(
// CHECK:         pl.call @flat({{.*}} {pl.task = 0 : index, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions
// CHECK:         pl.call @whole({{.*}} {pl.task = 2 : index, arg_directions
// CHECK:         pl.call @__builtin_all_to_all_v__fp32({{.*}} {pl.task = 3 : index, pl.after = array<i64: 1, 2>, arg_directions
func.func @reshapes(%stage: tensor<8x64xf32>, %other: tensor<512xf32>, %counts: tensor<2x1xi32>, %data: !pld.dist_tensor<tensor<8x64xf32>>, %signal: !pld.dist_tensor<tensor<2x4xi32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>) attributes {pl.func_type = "orchestration"} {
  %f = pl.tensor.view %stage : tensor<8x64xf32> -> tensor<512xf32>
  pl.call @flat(%f) : (tensor<512xf32>) -> ()
  %d = pld.tensor.all_to_all_v %stage, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  %g = pl.tensor.reshape %other : tensor<512xf32> -> tensor<8x64xf32>
  pl.call @whole(%g) : (tensor<8x64xf32>) -> ()
  %h = pl.tensor.reshape %other : tensor<512xf32> -> tensor<8x64xf32>
  %e = pld.tensor.all_to_all_v %h, %data, %signal, %counts, %recv : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}
