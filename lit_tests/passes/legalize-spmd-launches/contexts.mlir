// RUN: pld-opt %s -p legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,materialize-dist-tensor-ctx | filecheck %s
// RUN: xdsl-opt %s -p legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,materialize-dist-tensor-ctx | filecheck %s
// RUN: pld-opt %s -p legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,materialize-dist-tensor-ctx,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,materialize-dist-tensor-ctx | filecheck %s

// A guarded launch yields the same window from both branches, so its context is still known behind it.

func.func @k(%d: !pld.dist_tensor<tensor<8xf32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<8xf32>> attributes {pl.func_type = "incore"} {
  func.return %d : !pld.dist_tensor<tensor<8xf32>>
}
// CHECK-LABEL: func.func @f(
// CHECK:         %r = scf.if %launched -> (!pld.dist_tensor<tensor<8xf32>>) {
// CHECK-NEXT:      [[R:%.*]] = pl.call @k(%d, %d_ctx) core_num(%n) {pl.task = 0 : index, arg_directions = ["inout", "scalar"]}
// CHECK-NEXT:      scf.yield [[R]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %d
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = pl.call @k(%r, %d_ctx) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions = ["inout", "scalar"]}
func.func @f(%d: !pld.dist_tensor<tensor<8xf32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r = pl.call @k(%d) core_num(%n) : (!pld.dist_tensor<tensor<8xf32>>) -> !pld.dist_tensor<tensor<8xf32>>
  %s = pl.call @k(%r) : (!pld.dist_tensor<tensor<8xf32>>) -> !pld.dist_tensor<tensor<8xf32>>
  func.return
}

// CHECK-LABEL: func.func @g(
// CHECK:           pl.submit @k(%d, %d_ctx) core_num(%n)
// CHECK:         %s, %u = pl.submit @k(%r, %d_ctx) deps(%t) {pl.task = 1 : index, pl.after = array<i64: 0>, arg_directions = ["inout", "scalar"]}
func.func @g(%d: !pld.dist_tensor<tensor<8xf32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r, %t = pl.submit @k(%d) core_num(%n) : (!pld.dist_tensor<tensor<8xf32>>) -> (!pld.dist_tensor<tensor<8xf32>>, !pl.task_id)
  %s, %u = pl.submit @k(%r) deps(%t) : (!pld.dist_tensor<tensor<8xf32>>) -> (!pld.dist_tensor<tensor<8xf32>>, !pl.task_id)
  func.return
}
