# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Heads of functions and decorators.

import pypto.language as pl
import pypto.language.distributed as pld

def helper(x, y=3):
    return x


@pl.program(strict_ssa=True)
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def no_annotation(self, x):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def bare(self, x: pl.Tensor):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def odd(self, *args: pl.INT32, k: pl.INT32 = 3, **kwargs: pl.INT32):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def default(self, x: pl.INT32 = 3):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def types(self, a: pl.Tensor[[8], pl.FP8E4M3], b: pl.InOut[pl.INT32], c: "pl.INT32", d: pl.Tensor[[-1], pl.FP32], e: pl.Tensor[[8], pl.FP32, pl.DN], g: int, h: pl.Tensor[[8], pl.FP32, pl.TensorView(pad=1)]):
        pass

    @pl.function(type=pl.FunctionType.InCore)
    def nested(self) -> tuple[pl.INT32, tuple[pl.INT32, pl.INT32]]:
        pass

    @pl.function(type=pl.FunctionType.Kernel)
    def kind(self):
        pass

    @pl.function(auto_scope=False)
    def scope(self):
        pass

    @pl.function(attrs={"x": 1})
    def attrs(self):
        pass

    @pl.function(external_source="k.cpp")
    def external(self):
        pass

    @pl.function(wrong=1)
    def wrong(self):
        pass

    @pl.function
    def twice(self):
        pass

    @pl.function
    def twice(self):
        pass

    @pl.function
    def strict(self, n: pl.INT32):
        n = n + 1

    @pl.function
    def results(self, n: pl.INT32) -> pl.Tensor[[8], pl.FP32]:
        return n

    @pl.function
    def count(self, n: pl.INT32) -> pl.INT32:
        return n, n

    @pl.function
    def nothing(self, n: pl.INT32) -> pl.INT32:
        a = n

    @pl.function
    def annotated(self, n: pl.INT32):
        a: pl.Scalar[pl.INT64] = n

    @pl.function
    def ping(self, n: pl.INT32) -> pl.INT32:
        return self.pong(n)

    @pl.function
    def pong(self, n: pl.INT32) -> pl.INT32:
        return self.ping(n)

    @pl.function
    def endless(self, n: pl.INT32):
        return self.endless(n)

    @pl.function
    async def asynchronous(self):
        pass


if True:
    @pl.program
    class Hidden:
        pass


# CHECK: rejected_heads.py:15:29: error: parameter 'x' needs an annotation
# CHECK{LITERAL}: rejected_heads.py:19:23: error: a bare pl.Tensor has its shape from the call at run time, and nothing is executed: write pl.Tensor[[...], dtype]
# CHECK: rejected_heads.py:23:20: error: parameters are positional: no '*', no '**' in a head
# CHECK: rejected_heads.py:23:36: error: parameters are positional: no '*', no '**' in a head
# CHECK: rejected_heads.py:23:50: error: a parameter has no default value
# CHECK: rejected_heads.py:23:55: error: parameters are positional: no '*', no '**' in a head
# CHECK: rejected_heads.py:27:37: error: a parameter has no default value
# CHECK: rejected_heads.py:31:39: error: element type 'FP8E4M3' is not supported: MLIR has no type for it here
# CHECK: rejected_heads.py:31:55: error: pl.InOut is for tensors, not for i32
# CHECK: rejected_heads.py:31:78: error: a string is no annotation here: write the type itself
# CHECK: rejected_heads.py:31:104: error: an extent is not negative: -1
# CHECK: rejected_heads.py:31:146: error: pl.DN alone is refused: write pl.TensorView(layout=pl.DN, ...)
# CHECK: rejected_heads.py:31:157: error: 'int' has no value here
# CHECK: rejected_heads.py:31:203: error: pl.TensorView: 'pad' is not supported
# CHECK: rejected_heads.py:35:41: error: a tuple in a tuple is no result: list the results flat
# CHECK: rejected_heads.py:38:23: error: expected one of pl.FunctionType.{Opaque, Orchestration, InCore, AIC, AIV, Group, Spmd, Graph, Inline}
# CHECK: rejected_heads.py:42:18: error: auto_scope=False is not supported: write pl.manual_scope()
# CHECK: rejected_heads.py:46:25: error: the function attribute 'x' is not supported
# CHECK: rejected_heads.py:50:18: error: external_source is not supported: its code is not read
# CHECK: rejected_heads.py:54:18: error: unknown keyword 'wrong' of @pl.function
# CHECK: rejected_heads.py:63:5: error: two functions are called 'twice'
# CHECK: rejected_heads.py:59:5: note: the first one
# CHECK: rejected_heads.py:68:9: error: 'n' is bound again in a strict_ssa function
# CHECK: rejected_heads.py:67:22: note: it was bound here
# CHECK: rejected_heads.py:72:16: error: the function declares the result tensor<8xf32>, this is i32
# CHECK: rejected_heads.py:76:9: error: 2 values are returned, the function declares 1 results
# CHECK: rejected_heads.py:79:5: error: 'nothing' declares 1 results and returns none
# CHECK: rejected_heads.py:84:12: error: the annotation says i64, the value is i32
# CHECK: rejected_heads.py:92:16: error: recursion between functions: 'ping' calls itself
# CHECK: rejected_heads.py:96:16: error: recursion between functions: 'endless' calls itself
# CHECK: rejected_heads.py:99:5: error: an async function has no place in a program
# CHECK: rejected_heads.py:105:5: error: a program or function under `if`, `try`, `with` or a loop is not read: its existence would depend on execution
