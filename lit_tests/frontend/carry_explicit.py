# RUN: pld-opt %s | filecheck %s

# The results of an explicit loop are bound whatever happens: 'e' is bound in each turn before it is read, and nobody
# reads it behind the loop. Without an iteration it is what enters the inner loop.

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, a: pl.INDEX, n: pl.INDEX, y: pl.Out[pl.Tensor[[8, 4], pl.INT32]]):
        e = a + 1
        pl.write(y, [0, 0], e)
        for i in pl.range(2):
            for j, (x,) in pl.range(n, init_values=(a,)):
                e = pl.yield_(x + j)
            pl.write(y, [i, 1], e)
        for i in pl.range(2):
            for (w,) in pl.while_(init_values=(a,)):
                pl.cond(w < n)
                w = w + 2
            pl.write(y, [i, 2], w)


# CHECK:      scf.for %i = %{{.*}} to %{{.*}} step %{{.*}} {
# CHECK:        %e_1 = scf.for %j = %{{.*}} to %n step %{{.*}} iter_args(%x = %a) -> (index) {
# CHECK:        arith.index_cast %e_1 : index to i32
# CHECK:      scf.for %i_1 = %{{.*}} to %{{.*}} step %{{.*}} {
# CHECK:        %w = scf.while (%w_1 = %a) : (index) -> index {
# CHECK:        arith.index_cast %w : index to i32
