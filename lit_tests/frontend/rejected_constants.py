# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Constants that cannot be computed without executing.

import pypto.language as pl
import pypto.language.distributed as pld

from other import NUMBER

CYCLE = OTHER
OTHER = CYCLE + 1
TWICE = 1
TWICE = 2
for i in range(3):
    LOOPED = i
CALLED = helper(3)
ENV = os.environ["X"]
HUGE = 10 ** 65
SHIFT = 1 << 1000
ZERO = 1 // 0
SAME = 4
SAME = 2 + 2
if SAME == 4:
    PICKED = 1
else:
    PICKED = unknown()


def build(nr):
    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def f(self, a: pl.Tensor[[CYCLE], pl.FP32], b: pl.Tensor[[TWICE], pl.FP32], c: pl.Tensor[[LOOPED], pl.FP32], d: pl.Tensor[[CALLED], pl.FP32], e: pl.Tensor[[ENV], pl.FP32], g: pl.Tensor[[HUGE], pl.FP32], h: pl.Tensor[[SHIFT], pl.FP32], j: pl.Tensor[[ZERO], pl.FP32], k: pl.Tensor[[NUMBER], pl.FP32], l: pl.Tensor[[MISSING], pl.FP32], m: pl.Tensor[[nr], pl.FP32], n: pl.Tensor[[PICKED], pl.FP32], o: pl.Tensor[[SAME], pl.FP32]):
            pass


# CHECK: rejected_constants.py:11:9: error: the value of 'CYCLE' depends on itself
# CHECK: rejected_constants.py:15:14: error: 'i' is no constant: it is a loop variable
# CHECK: rejected_constants.py:14:1: note: it is bound here
# CHECK: rejected_constants.py:16:10: error: this call cannot be computed: the file is parsed, not executed
# CHECK: rejected_constants.py:17:7: error: 'os.environ' cannot be computed without executing the file
# CHECK: rejected_constants.py:18:8: error: the exponent of a constant lies between 0 and 64
# CHECK: rejected_constants.py:19:9: error: the exponent of a constant lies between 0 and 64
# CHECK: rejected_constants.py:20:8: error: division by zero
# CHECK: rejected_constants.py:33:67: error: 'TWICE' is no constant: it has several values
# CHECK: rejected_constants.py:12:1: note: it is bound here
# CHECK: rejected_constants.py:13:1: note: it is bound here
# CHECK: rejected_constants.py:33:289: error: 'NUMBER' is imported from another file, which is not read: pass -D NUMBER=<value> if it is a number
# CHECK: rejected_constants.py:33:322: error: 'MISSING' has no value here
# CHECK: rejected_constants.py:33:356: error: 'nr' is a parameter of the factory 'build': pass --bind nr=<value>
