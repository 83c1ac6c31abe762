// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives | filecheck %s --check-prefixes=CHIP
// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefixes=CTX
// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefixes=ONCE
// RUN: xdsl-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefixes=CTX
// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | pld-opt | filecheck %s --check-prefixes=CTX
// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx --print-op-generic | pld-opt | filecheck %s --check-prefixes=CTX
// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | pld-opt -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx | filecheck %s --check-prefixes=CTX

// The example, exactly, after each of the two passes; a second run changes nothing.

// CHIP-LABEL: func.func @chip_pipeline(
// CHIP-NEXT:    %stage2, %counts2 = pl.call @stage_step(%inp, %stage, %counts) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>)
// CHIP-NEXT:    %c4 = arith.constant 4 : index
// CHIP-NEXT:    %c4_1 = arith.constant 4 : index
// CHIP-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage2, %data, %signal, %counts2, %recv) core_num(%c4_1) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>) -> !pld.dist_tensor<tensor<8x64xf32>>
// CHIP-NEXT:    %out2 = pl.call @consume_step(%data2, %recv, %out) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>) -> tensor<8x64xf32>
// CHIP-NEXT:    func.return %out2 : tensor<8x64xf32>
// CHIP-NEXT:  }
// CHIP-LABEL: func.func @host(
// CHIP:         pl.call @chip_pipeline(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %data, %signal, %{{[0-9]+}}, %recv) device(%r) : (
// CHIP-LABEL: func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
// CHIP-NEXT:    func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
// CHIP-NEXT:  }
// CHIP-NEXT:  }

// CTX-LABEL: func.func @stage_step(%inp: tensor<8x64xf32>, %stage: tensor<8x64xf32> {pl.dir = "out"}, %counts: tensor<2x1xi32> {pl.dir = "out"}) -> (tensor<8x64xf32>, tensor<2x1xi32>) attributes {pl.func_type = "incore"} {
// CTX-LABEL: func.func @consume_step(%data: !pld.dist_tensor<tensor<8x64xf32>>, %recv: !pld.dist_tensor<tensor<2x1xi32>>, %out: tensor<8x64xf32> {pl.dir = "out"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}) -> tensor<8x64xf32> attributes {pl.func_type = "incore"} {
// CTX-LABEL: func.func @chip_pipeline(%inp: tensor<8x64xf32>, %out: tensor<8x64xf32> {pl.dir = "out"}, %stage: tensor<8x64xf32> {pl.dir = "inout"}, %data: !pld.dist_tensor<tensor<8x64xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<2x4xi32>> {pl.dir = "inout"}, %counts: tensor<2x1xi32> {pl.dir = "inout"}, %recv: !pld.dist_tensor<tensor<2x1xi32>> {pl.dir = "inout"}, %data_ctx: !pld.comm_ctx {pld.ctx_of = 3 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}, %recv_ctx: !pld.comm_ctx {pld.ctx_of = 6 : index}) -> tensor<8x64xf32> attributes {pl.func_type = "orchestration"} {
// CTX-NEXT:    %stage2, %counts2 = pl.call @stage_step(%inp, %stage, %counts) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x1xi32>) -> (tensor<8x64xf32>, tensor<2x1xi32>)
// CTX-NEXT:    %c4 = arith.constant 4 : index
// CTX-NEXT:    %c4_1 = arith.constant 4 : index
// CTX-NEXT:    %data2 = pl.call @__builtin_all_to_all_v__fp32(%stage2, %data, %signal, %counts2, %recv, %data_ctx, %signal_ctx, %recv_ctx) core_num(%c4_1) sync_start : (tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x4xi32>>, tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>, !pld.comm_ctx, !pld.comm_ctx, !pld.comm_ctx) -> !pld.dist_tensor<tensor<8x64xf32>>
// CTX-NEXT:    %out2 = pl.call @consume_step(%data2, %recv, %out, %data_ctx, %recv_ctx) : (!pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>, tensor<8x64xf32>, !pld.comm_ctx, !pld.comm_ctx) -> tensor<8x64xf32>
// CTX-NEXT:    func.return %out2 : tensor<8x64xf32>
// CTX-NEXT:  }

// The host's queries stand in the loop body, right before the dispatch, in parameter order.

// CTX-LABEL: func.func @host(
// CTX-NOT:     get_comm_ctx
// CTX:         scf.for %r = %c0 to %{{[0-9]+}} step %c1 {
// CTX-COUNT-4:   pl.tensor.view
// CTX-NEXT:      %data_ctx = pld.system.get_comm_ctx %data : !pld.dist_tensor<tensor<8x64xf32>>
// CTX-NEXT:      %signal_ctx = pld.system.get_comm_ctx %signal : !pld.dist_tensor<tensor<2x4xi32>>
// CTX-NEXT:      %recv_ctx = pld.system.get_comm_ctx %recv : !pld.dist_tensor<tensor<2x1xi32>>
// CTX-NEXT:      %{{[0-9]+}} = pl.call @chip_pipeline(%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %data, %signal, %{{[0-9]+}}, %recv, %data_ctx, %signal_ctx, %recv_ctx) device(%r) : (
// CTX-NEXT:    }
// CTX-LABEL: func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>, %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"}, %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>, %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %target_ctx: !pld.comm_ctx {pld.ctx_of = 1 : index}, %signal_ctx: !pld.comm_ctx {pld.ctx_of = 2 : index}, %recv_counts_ctx: !pld.comm_ctx {pld.ctx_of = 4 : index}) -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv", pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v", pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {

// One task, and no managed collective and no query left where they must not be.

// ONCE-NOT:   pld.tensor.all_to_all_v
// ONCE:       pl.call @__builtin_all_to_all_v__fp32
// ONCE-NOT:   pl.call @__builtin
// ONCE-NOT:   get_comm_ctx
// ONCE:       func.func @host(
// ONCE-COUNT-3: get_comm_ctx
// ONCE-NOT:   get_comm_ctx
