# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Statements that are not of the DSL, all in one run.

import pypto.language as pl
import pypto.language.distributed as pld

from kernels import imported


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 64], pl.FP32], n: pl.Scalar[pl.INT32], y: pl.Tensor[[8, 64], pl.FP32]):
        """π: columns count characters, not bytes"""
        print(n)
        'é'; m += 1
        a = b = n
        assert n
        for i in range(8):
            pass
        for i in pl.range(8):
            break
        for i in pl.range(8):
            continue
        for i in pl.range(8):
            pass
        else:
            pass
        for i in pl.range(8):
            if n == 0:
                return n
        for i in pl.range(0, 8, 0):
            pass
        for i in pl.range(8, init_values=(n,)):
            pass
        for i, (m,) in pl.range(8):
            pass
        while n:
            pass
        try:
            pass
        finally:
            pass
        with open("x"):
            pass
        global g
        del y
        y.shape = 1
        *c, d = n
        def inner():
            pass
        import os
        lambda: n
        [i for i in x]
        k = f"{n}"
        (w := 1)
        n is n
        n in (1, 2)
        imported(x)
        unknown(x)
        self.unknown(x)
        x
        if x:
            pass
        pl.yield_(n)
        pl.cond(n == 1)
        raise n
        pl.range(8)
        return n
        y = n


# CHECK: rejected_statements.py:16:9: error: call of 'print': not a DSL op; the file is parsed, not executed
# CHECK: rejected_statements.py:17:14: error: '+=' is not supported: write m = m + ...
# CHECK: rejected_statements.py:18:9: error: a chained assignment is not supported: assign one name at a time
# CHECK: rejected_statements.py:19:9: error: assert is not supported: use pl.static_assert on constants
# CHECK: rejected_statements.py:20:18: error: a `for` runs over pl.range(...), pl.parallel, pl.unroll or pl.pipeline
# CHECK: rejected_statements.py:23:13: error: 'break' is not supported: put the condition into a `while`
# CHECK: rejected_statements.py:25:13: error: 'continue' is not supported: put the rest into an `if`
# CHECK: rejected_statements.py:29:13: error: 'else' of a loop is not supported
# CHECK: rejected_statements.py:32:17: error: a 'return' inside a loop or `with`, or on some paths of an arm only, is not supported: it must be last, or end an arm of an `if` that is followed by the rest
# CHECK: rejected_statements.py:33:33: error: the step of a loop must be a positive constant
# CHECK: rejected_statements.py:35:13: error: with init_values write: for i, (x, ...) in ...
# CHECK: rejected_statements.py:37:13: error: pl.range has no init_values to bind to these names
# CHECK: rejected_statements.py:39:15: error: a condition must be i1, not i32: compare it with something
# CHECK: rejected_statements.py:41:9: error: 'try' is not supported
# CHECK: rejected_statements.py:45:14: error: a `with` of anything but a scope of the DSL is not supported
# CHECK: rejected_statements.py:47:9: error: 'global' is not supported
# CHECK: rejected_statements.py:48:9: error: 'del' is not supported
# CHECK: rejected_statements.py:49:9: error: attributes cannot be assigned to
# CHECK: rejected_statements.py:50:9: error: one value cannot be unpacked into 2 names
# CHECK: rejected_statements.py:51:9: error: a nested function is not supported: write it at module level
# CHECK: rejected_statements.py:53:9: error: an import inside a function is not supported: the file is parsed, not executed
# CHECK: rejected_statements.py:54:9: error: lambda is not supported
# CHECK: rejected_statements.py:55:9: error: a comprehension is not supported: write a pl.range loop
# CHECK: rejected_statements.py:56:13: error: f-strings are not supported
# CHECK: rejected_statements.py:57:10: error: ':=' is not supported: assign in a statement of its own
# CHECK: rejected_statements.py:58:9: error: 'is' and 'in' are not supported: use '==' or '!='
# CHECK: rejected_statements.py:59:9: error: 'is' and 'in' are not supported: use '==' or '!='
# CHECK: rejected_statements.py:60:9: error: call of 'imported': kernels imported from other files are not read
# CHECK: rejected_statements.py:61:9: error: call of 'unknown': not a DSL op; the file is parsed, not executed
# CHECK: rejected_statements.py:62:9: error: the program has no function 'unknown'
# CHECK: rejected_statements.py:63:9: error: a value that nothing uses
# CHECK: rejected_statements.py:64:12: error: a condition must be i1, not tensor<8x64xf32>
# CHECK: rejected_statements.py:66:9: error: a bare pl.yield_ is not supported: write <name> = pl.yield_(...), last in the body of a loop with init_values or in both arms of an `if`
# CHECK: rejected_statements.py:67:9: error: pl.cond must be the first statement of a pl.while_ loop
# CHECK: rejected_statements.py:68:9: error: 'raise' is not supported
# CHECK: rejected_statements.py:69:9: error: pl.range has no place here
# CHECK: rejected_statements.py:71:9: error: code after 'return' is never reached
# CHECK: rejected_statements.py:70:9: note: the return
