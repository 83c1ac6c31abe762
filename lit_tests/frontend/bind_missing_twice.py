# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# What has to be given on the command line is asked for once, however often it is needed.

import pypto.language as pl
from elsewhere import WIDTH


def build(nr):
    rows = nr * 4

    @pl.program
    class P:
        @pl.function
        def f(self, x: pl.Tensor[[nr, rows], pl.FP32], y: pl.Tensor[[WIDTH], pl.FP32]):
            z = pl.create_tensor([rows, WIDTH], dtype=pl.FP32)


# CHECK:      bind_missing_twice.py:15:35: error: 'nr' is a parameter of the factory 'build': pass --bind nr=<value>
# CHECK-NEXT: def f
# CHECK-NEXT: ^
# CHECK-NEXT: bind_missing_twice.py:15:70: error: 'WIDTH' is imported from another file, which is not read: pass -D WIDTH=<value> if it is a number
# CHECK-NEXT: def f
# CHECK-NEXT: ^
# CHECK-NOT:  error
