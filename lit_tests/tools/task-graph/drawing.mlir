// RUN: pld-opt %s -p derive-call-directions,auto-derive-task-dependencies -t pld-task-graph | filecheck %s
// RUN: xdsl-opt %s -p derive-call-directions,auto-derive-task-dependencies -t pld-task-graph | filecheck %s
// RUN: not pld-opt %s -t pld-task-graph 2>&1 | filecheck %s --check-prefix=UNNUMBERED

// UNNUMBERED: {{.*}}/drawing.mlir:56:3: error: this call of @updates has no task number
// UNNUMBERED: note: run auto-derive-task-dependencies before: -p pld-default-pipeline

// CHECK:      digraph tasks {
// CHECK:        subgraph cluster_f0_{{[0-9]+}} {
// CHECK-NEXT:     label = "@f";
// CHECK-NEXT:     style = solid;
// CHECK-NEXT:     f0_t0 [label = "0: @updates"];
// CHECK-NEXT:     f0_t1 [label = "1: @updates\n4 blocks, all at once"];
// CHECK-NEXT:     f0_t2 [label = "2: @reads\nn blocks"];
// CHECK-NEXT:     subgraph cluster_f0_{{[0-9]+}} {
// CHECK-NEXT:       label = "scf.for";
// CHECK-NEXT:       style = solid;
// CHECK-NEXT:       subgraph cluster_f0_{{[0-9]+}} {
// CHECK-NEXT:         label = "c then";
// CHECK-NEXT:         f0_t3 [label = "3: @updates"];
// CHECK-NEXT:       }
// CHECK-NEXT:       subgraph cluster_f0_{{[0-9]+}} {
// CHECK-NEXT:         label = "c else";
// CHECK-NEXT:         f0_t4 [label = "4: @updates"];
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     subgraph cluster_f0_{{[0-9]+}} {
// CHECK-NEXT:       label = "parallel scf.for\nordered at run time";
// CHECK-NEXT:       style = dashed;
// CHECK-NEXT:       f0_t5 [label = "5: @updates"];
// CHECK-NEXT:     }
// CHECK-NEXT:     f0_t6 [label = "6: @reads"];
// CHECK-NEXT:   }
// CHECK-NEXT:   f0_t0 -> f0_t1 [label = "deps", style = dotted];
// CHECK-NEXT:   f0_t1 -> f0_t2 [label = "RAW a"];
// CHECK-NEXT:   f0_t2 -> f0_t3 [label = "WAR a"];
// CHECK-NEXT:   f0_t3 -> f0_t3 [label = "RAW a", style = dashed, constraint = false];
// CHECK-NEXT:   f0_t4 -> f0_t3 [label = "RAW a", style = dashed, constraint = false];
// CHECK-NEXT:   f0_t2 -> f0_t4 [label = "WAR a"];
// CHECK-NEXT:   f0_t3 -> f0_t4 [label = "RAW a", style = dashed, constraint = false];
// CHECK-NEXT:   f0_t4 -> f0_t4 [label = "RAW a", style = dashed, constraint = false];
// CHECK-NEXT:   subgraph cluster_f1_0 {
// CHECK-NEXT:     label = "@empty";
// CHECK-NEXT:     style = solid;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NOT:  @group

func.func private @reads(tensor<8xf32>) attributes {pl.func_type = "incore"}
func.func private @updates(tensor<8xf32>) attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "inout"}]}
func.func @group(%a: tensor<8xf32> {pl.dir = "inout"}) attributes {pl.func_type = "group"} {
  pl.call @updates(%a) : (tensor<8xf32>) -> ()
  func.return
}
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index, %c: i1) attributes {pl.func_type = "orchestration"} {
  %t = pl.submit @updates(%a) : (tensor<8xf32>) -> !pl.task_id
  %c4 = arith.constant 4 : index
  %u = pl.submit @updates(%a) deps(%t) core_num(%c4) sync_start : (tensor<8xf32>) -> !pl.task_id
  pl.call @reads(%a) core_num(%n) : (tensor<8xf32>) -> ()
  scf.for %i = %n to %n step %n {
    scf.if %c {
      pl.call @updates(%a) : (tensor<8xf32>) -> ()
    } else {
      pl.call @updates(%a) : (tensor<8xf32>) -> ()
    }
  }
  scf.for %i = %n to %n step %n {
    pl.call @updates(%b) : (tensor<8xf32>) -> ()
  } {pl.kind = "parallel"}
  pl.call @reads(%b) : (tensor<8xf32>) -> ()
  func.return
}
func.func @empty() attributes {pl.func_type = "graph"} {
  func.return
}
