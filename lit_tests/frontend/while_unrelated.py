# RUN: not pld-opt %{s:basename} -t pld-python 2>&1 | filecheck %s

# What the DSL has no words for is an error at its place, and nothing is printed.

import pypto.language as pl


@pl.program
class P:
    @pl.function
    def f(self, x: pl.Tensor[[8], pl.INT32]):
        while pl.read(x, [0]) > 0:
            pl.write(x, [0], 0)


# CHECK: while_unrelated.py:12:9: error: a while loop that passes on other values than it carries cannot be said in the DSL
