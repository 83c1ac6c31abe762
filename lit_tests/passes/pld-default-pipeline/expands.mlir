// RUN: pld-opt %s -p pld-default-pipeline | filecheck %s
// RUN: xdsl-opt %s -p pld-default-pipeline | filecheck %s
// RUN: pld-opt %s -p pld-default-pipeline,pld-default-pipeline | filecheck %s
// RUN: pld-opt %s -p pld-default-pipeline --print-between-passes | filecheck %s --check-prefix=BETWEEN
// RUN: not pld-opt %s -p pld-default-pipeline,lower-l2-tensor-collectives 2>&1 | filecheck %s --check-prefix=ORDER

// pld-opt runs the passes one by one: each is shown, and held to its properties.

// BETWEEN:      IR after normalize-return-order:
// BETWEEN:      IR after fuse-create-assemble-to-slice:
// BETWEEN:      IR after lower-l2-tensor-collectives:
// BETWEEN:      IR after legalize-spmd-launches:
// BETWEEN:      IR after derive-call-directions:
// BETWEEN:      IR after auto-derive-task-dependencies:
// BETWEEN:      IR after materialize-dist-tensor-ctx:

// ORDER: pass 'lower-l2-tensor-collectives' breaks 'call-directions-resolved', which 'derive-call-directions' has established before it

// CHECK-LABEL: func.func @f(%d: !pld.dist_tensor<tensor<8xf32>>, %n: index, %d_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index})
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %launched = arith.cmpi sgt, %n, %c0 : index
// CHECK-NEXT:    {{.*}}scf.if
// CHECK-NEXT:      {{.*}}pl.call @k(%d, %d_ctx) core_num(%n) {pl.task = 0 : index, arg_directions = ["inout", "scalar"]}
func.func @k(%d: !pld.dist_tensor<tensor<8xf32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<8xf32>> attributes {pl.func_type = "incore"} {
  %v = pl.tile.load %d[0] [8] : !pld.dist_tensor<tensor<8xf32>> -> !pl.tile<tensor<8xf32>>
  %w = pl.tile.store %v into %d[0] : !pl.tile<tensor<8xf32>>, !pld.dist_tensor<tensor<8xf32>>
  func.return %w : !pld.dist_tensor<tensor<8xf32>>
}
func.func @f(%d: !pld.dist_tensor<tensor<8xf32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %r = pl.call @k(%d) core_num(%n) : (!pld.dist_tensor<tensor<8xf32>>) -> !pld.dist_tensor<tensor<8xf32>>
  func.return
}
