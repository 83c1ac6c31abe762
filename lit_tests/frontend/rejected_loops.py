# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Loops and names: what only looks like the explicit forms, and targets that are none. ä é 漢

import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8], pl.FP32], n: pl.INDEX, m: pl.INT32, k: pl.INT32):
        for i in pl.unroll(n):
            pass
        for i, (a,) in pl.unroll(2, init_values=(m,)):
            b = pl.yield_(a)
        for i in pl.unroll(0, 4, 0):
            pass
        for i in pl.range(0, 4, -1):
            pass
        for i in pl.range(0, 4, n):
            pass
        for i in pl.range():
            pass
        for (a,) in pl.while_(init_values=(m,)):
            b = pl.yield_(a)
        for (a,) in pl.while_(n, init_values=(m,)):
            pl.cond(a < 3)
            b = pl.yield_(a)
        for i, (a,) in pl.range(4, init_values=(m,)):
            b = pl.yield_(a)
            pl.write(x, [0], 1.0)
        for i, (a, b) in pl.range(4, init_values=(m,)):
            c, d = pl.yield_(a, a)
        while m < 3:
            pass
        else:
            pass
        a, *b = (1, 2)
        (a, b), c = n
        "ä é 漢", k + 0.5; é = k ** 2
        nonlocal_ = nowhere
        match n:
            case 1:
                pass
        class Inner:
            pass

    @pl.function(type=pl.FunctionType.InCore)
    def g(self, n: pl.INDEX):
        async with n:
            pass


# CHECK: rejected_loops.py:12:28: error: the bounds of pl.unroll must be constants
# CHECK: rejected_loops.py:14:37: error: pl.unroll takes no keyword 'init_values': names that the body binds again are carried by themselves
# CHECK: rejected_loops.py:16:34: error: the step of a loop must be a positive constant
# CHECK: rejected_loops.py:18:33: error: the step of a loop must be a positive constant
# CHECK: rejected_loops.py:20:33: error: the step of a loop must be a positive constant
# CHECK: rejected_loops.py:22:18: error: pl.range takes 1 to 3 bounds, not 0
# CHECK: rejected_loops.py:25:13: error: a pl.while_ loop starts with pl.cond(...)
# CHECK: rejected_loops.py:26:31: error: pl.while_ takes init_values only
# CHECK: rejected_loops.py:30:17: error: pl.yield_ has no place here
# CHECK: rejected_loops.py:32:50: error: 1 init_values for 2 carried names
# CHECK: rejected_loops.py:37:13: error: 'else' of a loop is not supported
# CHECK: rejected_loops.py:38:12: error: a starred target is not supported
# CHECK: rejected_loops.py:39:9: error: one value cannot be unpacked into 2 names
# CHECK: rejected_loops.py:40:22: error: a float is no i32: write pl.cast(...)
# CHECK: rejected_loops.py:40:31: error: the operator '**' is not supported
# CHECK: rejected_loops.py:41:21: error: 'nowhere' has no value here
# CHECK: rejected_loops.py:42:9: error: 'match' is not supported: write an `if`
# CHECK: rejected_loops.py:45:9: error: a class inside a function is not supported
# CHECK: rejected_loops.py:50:9: error: async is not supported
