# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Values that do not fit, and names that are not what they look like.

import pypto.language as pl
import pypto.language.distributed as pld

BEYOND = 1e308 * 10


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]]):
        return y

    @pl.function(type=pl.FunctionType.InCore)
    def values(self, x: pl.Tensor[[8, 16], pl.FP32], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]], n: pl.Scalar[pl.INT32]):
        pl.write(y, [0, 0], 1e39)
        t = pl.load(x, [0, 0], [1, 16])
        a = t + 1e39
        b = pl.tile.full([1, 16], pl.FP16, 70000)
        c: pl.Scalar[pl.INT8] = 300
        d: pl.Scalar[pl.INT32] = 0.5
        e = pl.cast(1e400, pl.INT32)
        f = BEYOND
        y = pl.store(pl.tile.create([1, 16], pl.FP32), [0, 0], y)
        g = n is None
        h = x in y
        i = ...
        j = self.k(x, y, **n)
        return y

    @pl.function(type=pl.FunctionType.InCore)
    def loop_variable(self, x: pl.Tensor[[8, 16], pl.FP32]):
        i = 5
        for i in pl.range(3):
            pass
        pl.write(x, [i, 0], 1)
        i = 6
        pl.write(x, [i, 0], 1)
        for j in pl.unroll(3):
            pass
        pl.write(x, [j, 0], 1)
        for x, (z,) in pl.range(3, init_values=(x,)):
            w = pl.yield_(z)
        return x

    @pl.function(type=pl.FunctionType.Orchestration)
    def task_id(self, x: pl.Tensor[[8, 16], pl.FP32]):
        t = pl.system.task_dummy()
        if t:
            pass


# CHECK:      rejected_values.py:8:10: error: the constant is beyond the floats of 64 bits
# CHECK:      rejected_values.py:19:29: error: 1e+39 does not fit into f32
# CHECK:      rejected_values.py:21:13: error: 1e+39 does not fit into f32
# CHECK:      rejected_values.py:22:44: error: 70000 does not fit into f16
# CHECK:      rejected_values.py:23:33: error: 300 does not fit into i8
# CHECK:      rejected_values.py:24:34: error: a float is no i32: write pl.cast(...)
# CHECK:      rejected_values.py:25:21: error: the constant is beyond the floats of 64 bits
# CHECK:      rejected_values.py:27:22: error: pl.store: 'tile' must be a tile, not scratch space, which pl.tile.create makes for an op: use pl.tile.full
# CHECK:      rejected_values.py:28:13: error: 'is' and 'in' are not supported: use '==' or '!='
# CHECK:      rejected_values.py:29:13: error: 'is' and 'in' are not supported: use '==' or '!='
# CHECK:      rejected_values.py:30:13: error: '...' has no place in the DSL
# CHECK:      rejected_values.py:31:26: error: '**' in a call is not supported: list the arguments
# CHECK:      rejected_values.py:39:22: error: 'i' belongs to the loop at line 37: it has no value after it
# CHECK:      rejected_values.py:37:9: note: the loop
# CHECK:      rejected_values.py:44:22: error: 'j' belongs to the loop at line 42: it has no value after it
# CHECK:      rejected_values.py:47:16: error: 'x' belongs to the loop at line 45: it has no value after it
# CHECK:      rejected_values.py:52:12: error: a condition must be i1, not !pl.task_id
# CHECK-NOT:  error:
