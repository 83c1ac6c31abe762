# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Names: unbound, bound in one arm only, of different types.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8], pl.INT32], y: pl.Tensor[[8, 64], pl.FP32], n: pl.Scalar[pl.INT32], s: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[8], pl.INT32]]):
        a = later
        later = n
        if n == 1:
            then_only = n
        pl.write(out, [0], then_only)
        if n == 1:
            pass
        else:
            else_only = n
        pl.write(out, [0], else_only)
        if n == 1:
            mixed = n
        else:
            mixed = s
        pl.write(out, [0], mixed)
        for i in pl.range(8):
            in_loop = pl.read(x, [i])
        pl.write(out, [0], in_loop)
        pl.write(out, [0], i)
        c = n
        for i in pl.range(8):
            c = c + s
        c = s
        for i in pl.range(8):
            c = n
        pl.write(out, [0], c)
        if n == 1:
            v = pl.yield_(n)
        else:
            pass
        if n == 1:
            v = pl.yield_(n)
        else:
            w = pl.yield_(n)
        for i, (e,) in pl.range(8, init_values=(n,)):
            g, h = pl.yield_(n, n)
        for i, (e,) in pl.range(8, init_values=(n,)):
            pl.yield_(n)
        pl.write(out, [0], undefined)
        unreadable = undefined + 1
        pl.write(out, [0], unreadable)
        silent = unreadable + later


# CHECK: rejected_names.py:13:13: error: 'later' is used before it is bound
# CHECK: rejected_names.py:17:28: error: 'then_only' may be unbound here: the 'else' arm of the `if` at line 15 does not bind it
# CHECK: rejected_names.py:16:13: note: it is bound here
# CHECK: rejected_names.py:22:28: error: 'else_only' may be unbound here: the 'if' arm of the `if` at line 18 does not bind it
# CHECK: rejected_names.py:21:13: note: it is bound here
# CHECK: rejected_names.py:26:13: error: 'mixed' has the type i32 in one arm of the `if` and f32 in the other
# CHECK: rejected_names.py:23:9: note: the `if`
# CHECK: rejected_names.py:30:28: error: 'in_loop' may be unbound after the loop
# CHECK: rejected_names.py:29:13: note: it is bound here
# CHECK: rejected_names.py:31:28: error: 'i' belongs to the loop at line 28: it has no value after it
# CHECK: rejected_names.py:28:9: note: the loop
# CHECK: rejected_names.py:34:17: error: i32 and f32 do not mix: write pl.cast(...)
# CHECK: rejected_names.py:37:13: error: 'c' enters the loop as f32 and goes on as i32
# CHECK: rejected_names.py:36:9: note: the loop
# CHECK: rejected_names.py:40:17: error: pl.yield_ must stand in both arms of an `if`, or in none
# CHECK: rejected_names.py:46:17: error: both arms of an `if` must yield the same names: v and w
# CHECK: rejected_names.py:48:20: error: 2 values are yielded, init_values has 1
# CHECK: rejected_names.py:50:13: error: a bare pl.yield_ is not supported: write <name> = pl.yield_(...), last in the body of a loop with init_values or in both arms of an `if`
# CHECK: rejected_names.py:51:28: error: 'undefined' has no value here
# CHECK: rejected_names.py:52:22: error: 'undefined' has no value here
