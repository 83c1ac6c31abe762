// RUN: pld-opt %S/../../examples/chip_pipeline.mlir -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx -t pld-python | filecheck %s

// A lowered program in the author's language: the kernel, the launch, the contexts.

// CHECK:      def chip_pipeline(
// CHECK:              recv: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]],
// CHECK-NEXT:         data_ctx: pld.CommCtx,
// CHECK-NEXT:         signal_ctx: pld.CommCtx,
// CHECK-NEXT:         recv_ctx: pld.CommCtx,
// CHECK-NEXT:     ) -> pl.Tensor{{\[\[}}8, 64], pl.FP32]:
// CHECK-NEXT:         stage2, counts2 = self.stage_step(inp, stage, counts)
// CHECK:              with pl.spmd({{.*}}, sync_start=True):
// CHECK-NEXT:             data2 = self.__builtin_all_to_all_v__fp32(stage2, data, signal, counts2, recv, data_ctx, signal_ctx, recv_ctx)
// CHECK-NEXT:         out2 = self.consume_step(data2, recv, out, data_ctx, recv_ctx)
// CHECK-NEXT:         return out2

// CHECK:      for r in pl.range(pld.world_size()):
// CHECK-NEXT:     data = pld.window(data_buf, [8, 64], dtype=pl.FP32)
// CHECK:          data_ctx = pld.get_comm_ctx(data)
// CHECK:          self.chip_pipeline({{.*}}, data_ctx, signal_ctx, recv_ctx, device=r)

// CHECK:      @pl.function(type=pl.FunctionType.AIV, attrs={"builtin_template_dir": ":pypto.runtime.builtins.collectives.all_to_all_v", "builtin_template_vars": "dtype_cpp=float", "require_contiguous_operands": True})
// CHECK-NEXT: def __builtin_all_to_all_v__fp32(
