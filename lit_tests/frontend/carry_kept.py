# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# A name that is first bound in a loop is carried from before only where it is what was there, written: a value
# that a nested loop puts in its place is another one, and 'a' stays what it is.

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def scalar(self, a: pl.INDEX, y: pl.Out[pl.Tensor[[8, 4], pl.INT32]]):
        for i in pl.range(2):
            for j, (x,) in pl.range(3, init_values=(a,)):
                e = pl.yield_(i + 5)
            pl.write(y, [i, 0], a)
        return e

    @pl.function(type=pl.FunctionType.InCore)
    def tensor(self, y: pl.Out[pl.Tensor[[8, 4], pl.FP32]], z: pl.Out[pl.Tensor[[8, 4], pl.FP32]]):
        for i in pl.range(2):
            for j, (x,) in pl.range(3, init_values=(y,)):
                e = pl.yield_(z)
        return e

    @pl.function(type=pl.FunctionType.InCore)
    def written(self, y: pl.Out[pl.Tensor[[8, 4], pl.FP32]]):
        for i in pl.range(2):
            for j, (x,) in pl.range(3, init_values=(y,)):
                e = pl.yield_(pl.write(x, [i, j], 0.0))
        return e

    @pl.function(type=pl.FunctionType.InCore)
    def view(self, y: pl.Out[pl.Tensor[[8, 4], pl.FP32]]):
        for i in pl.range(2):
            v = pl.slice(y, [8, 4], [0, 0])
        return v


# CHECK: carry_kept.py:17:16: error: 'e' may be unbound after the loop
# CHECK: carry_kept.py:24:16: error: 'e' may be unbound after the loop
# CHECK-NOT: :31:
# CHECK: carry_kept.py:37:16: error: 'v' may be unbound after the loop
