// RUN: pld-opt %S/../../examples/submit_chain.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives | filecheck %s --check-prefix=CHIP
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions | filecheck %s --check-prefix=DIRECTIONS
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies | filecheck %s --check-prefix=DEPS
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefix=CTX
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p check-collective-operands,check-collective-convergence,lower-composite-ops,normalize-return-order,fuse-create-assemble-to-slice,lower-l2-tensor-collectives,legalize-spmd-launches,derive-call-directions,auto-derive-task-dependencies,synthesize-allreduce-signals,materialize-comm-domain-scopes,lower-host-tensor-collectives,materialize-dist-tensor-ctx,canonicalize | filecheck %s --check-prefix=END
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p pld-default-pipeline | filecheck %s --check-prefix=END
// RUN: pld-opt %S/../../examples/submit_chain.mlir -p pld-default-pipeline,pld-default-pipeline | filecheck %s --check-prefix=END

// The chip pipeline after each pass that changes it; the whole pipeline ends there, and a second run changes nothing.

// After lower-l2-tensor-collectives.

// CHIP-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// CHIP-NEXT:    %stage2, %counts2, %staged = pl.submit @stage_step(%inp, %stage, %counts) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// CHIP-NEXT:    %stage3, %counts3, %restaged = pl.submit @stage_step(%inp, %stage2, %counts2) deps(%staged) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// CHIP-NEXT:    %c4 = arith.constant 4 : index
// CHIP-NEXT:    %c4_1 = arith.constant 4 : index
// CHIP-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage3, %data, %signal, %counts3, %recv) core_num(%c4_1) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHIP-NEXT:    %ready = pl.task_dummy deps(%staged, %restaged)
// CHIP-NEXT:    %out2, %0 = pl.submit @consume_step(%data2, %recv, %out) deps(%ready) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> (tensor<8x64xf32>, !pl.task_id)
// CHIP-NEXT:    func.return %out2 : tensor<8x64xf32>
// CHIP-NEXT:  }

// After derive-call-directions.

// DIRECTIONS-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// DIRECTIONS-NEXT:    %stage2, %counts2, %staged = pl.submit @stage_step(%inp, %stage, %counts) {arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// DIRECTIONS-NEXT:    %stage3, %counts3, %restaged = pl.submit @stage_step(%inp, %stage2, %counts2) deps(%staged) {arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// DIRECTIONS-NEXT:    %c4 = arith.constant 4 : index
// DIRECTIONS-NEXT:    %c4_1 = arith.constant 4 : index
// DIRECTIONS-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage3, %data, %signal, %counts3, %recv) core_num(%c4_1) sync_start {arg_directions = ["input", "inout", "inout", "input", "inout"]} : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// DIRECTIONS-NEXT:    %ready = pl.task_dummy deps(%staged, %restaged)
// DIRECTIONS-NEXT:    %out2, %0 = pl.submit @consume_step(%data2, %recv, %out) deps(%ready) {arg_directions = ["input", "input", "output_existing"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> (tensor<8x64xf32>, !pl.task_id)
// DIRECTIONS-NEXT:    func.return %out2 : tensor<8x64xf32>
// DIRECTIONS-NEXT:  }

// After auto-derive-task-dependencies.

// DEPS-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// DEPS-NEXT:    %stage2, %counts2, %staged = pl.submit @stage_step(%inp, %stage, %counts) {pl.task = 0 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// DEPS-NEXT:    %stage3, %counts3, %restaged = pl.submit @stage_step(%inp, %stage2, %counts2) deps(%staged) {pl.task = 1 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// DEPS-NEXT:    %c4 = arith.constant 4 : index
// DEPS-NEXT:    %c4_1 = arith.constant 4 : index
// DEPS-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage3, %data, %signal, %counts3, %recv) core_num(%c4_1) sync_start {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions = ["input", "inout", "inout", "input", "inout"]} : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// DEPS-NEXT:    %ready = pl.task_dummy deps(%staged, %restaged)
// DEPS-NEXT:    %out2, %0 = pl.submit @consume_step(%data2, %recv, %out) deps(%ready) {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions = ["input", "input", "output_existing"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> (tensor<8x64xf32>, !pl.task_id)
// DEPS-NEXT:    func.return %out2 : tensor<8x64xf32>
// DEPS-NEXT:  }

// After materialize-dist-tensor-ctx.

// CTX-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 6 : index}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// CTX-NEXT:    %stage2, %counts2, %staged = pl.submit @stage_step(%inp, %stage, %counts) {pl.task = 0 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// CTX-NEXT:    %stage3, %counts3, %restaged = pl.submit @stage_step(%inp, %stage2, %counts2) deps(%staged) {pl.task = 1 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// CTX-NEXT:    %c4 = arith.constant 4 : index
// CTX-NEXT:    %c4_1 = arith.constant 4 : index
// CTX-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage3, %data, %signal, %counts3, %recv, %data_ctx, %signal_ctx, %recv_ctx) core_num(%c4_1) sync_start {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions = ["input", "inout", "inout", "input", "inout", "scalar", "scalar", "scalar"]} : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<8x64xf32>>
// CTX-NEXT:    %ready = pl.task_dummy deps(%staged, %restaged)
// CTX-NEXT:    %out2, %0 = pl.submit @consume_step(%data2, %recv, %out, %data_ctx, %recv_ctx) deps(%ready) {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions = ["input", "input", "output_existing", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<8x64xf32>, !pl.task_id)
// CTX-NEXT:    func.return %out2 : tensor<8x64xf32>
// CTX-NEXT:  }

// After canonicalize.

// END-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 6 : index}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// END-NEXT:    %stage2, %counts2, %staged = pl.submit @stage_step(%inp, %stage, %counts) {pl.task = 0 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// END-NEXT:    %stage3, %counts3, %restaged = pl.submit @stage_step(%inp, %stage2, %counts2) deps(%staged) {pl.task = 1 : index, arg_directions = ["input", "inout", "inout"]} : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>, !pl.task_id)
// END-NEXT:    %c4 = arith.constant 4 : index
// END-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage3, %data, %signal, %counts3, %recv, %data_ctx, %signal_ctx, %recv_ctx) core_num(%c4) sync_start {pl.task = 2 : index, pl.after = array<i64: 1>, arg_directions = ["input", "inout", "inout", "input", "inout", "scalar", "scalar", "scalar"]} : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<8x64xf32>>
// END-NEXT:    %ready = pl.task_dummy deps(%staged, %restaged)
// END-NEXT:    %out2, %0 = pl.submit @consume_step(%data2, %recv, %out, %data_ctx, %recv_ctx) deps(%ready) {pl.task = 3 : index, pl.after = array<i64: 2>, arg_directions = ["input", "input", "output_existing", "scalar", "scalar"]} : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>, !pld.comm_ctx, !pld.comm_ctx) -> (tensor<8x64xf32>, !pl.task_id)
// END-NEXT:    func.return %out2 : tensor<8x64xf32>
// END-NEXT:  }
