# RUN: pld-opt %{s:basename} 2>&1 | filecheck %s

# What is dropped with a warning: hints for performance, scheduling and debugging.

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8], pl.FP32], y: pl.InOut[pl.Tensor[[8], pl.FP32]]):
        pl.func_attr({})
        for i in pl.pipeline(8, stage=2):
            t = pl.load(x, [i], [1], target_memory=pl.Mem.Vec)
        pl.static_print(x)
        pl.dump_tag(x)
        pl.static_assert(1 + 1 == 2)
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[8], pl.FP32], y: pl.InOut[pl.Tensor[[8], pl.FP32]]):
        y = self.k(x, y, name_hint="k")
        return y


# CHECK: dropped.py:13:39: warning: 'stage' of pl.pipeline is dropped
# CHECK: dropped.py:14:52: warning: 'target_memory' of pl.load is dropped
# CHECK: dropped.py:16:9: warning: pl.dump_tag is dropped: it is for debugging only
# CHECK: dropped.py:22:26: warning: 'name_hint' is dropped: it is a hint only
# CHECK: func.func @k
