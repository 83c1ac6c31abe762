// RUN: pld-build %s --print | filecheck %s
// RUN: pld-opt %s -p pld-default-pipeline -t pld-task-graph | filecheck %s --check-prefix=GRAPH

// The branch is never taken, and gone after canonicalize: its task is waited for by nobody. The order
// of the tasks around it is stated by an edge of its own.

func.func @k(%a: tensor<8xf32> {pl.dir = "inout"}) -> tensor<8xf32> attributes {pl.func_type = "aiv"} {
  func.return %a : tensor<8xf32>
}
func.func @chip(%a: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %never = arith.constant false
  %0 = pl.call @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
  scf.if %never {
    %1 = pl.call @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
  }
  %2 = pl.call @k(%a) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// CHECK:      rt_submit_aiv_task(0, task_0)
// CHECK:      CoreTaskArgs task_2;
// CHECK-NEXT: task_2.add_inout(a);
// CHECK-NEXT: const PTO2TaskId task_2_after[] = {{[{][^,]*[}]}};
// CHECK-NEXT: task_2.set_dependencies(task_2_after, 1);

// GRAPH:      t0 [label = "0: @k"]
// GRAPH-NEXT: t2 [label = "2: @k"]
// GRAPH-NOT:  t1
// GRAPH:      f0_t0 -> f0_t2
// GRAPH-NOT:  ->
