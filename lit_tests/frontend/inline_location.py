# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s
# RUN: pld-opt %{s:basename} --program main -D SIZE=1 --print-debuginfo | filecheck %s --check-prefix LOCATIONS

# Inlined code has the place of the template and that of the call; the verifier's errors point there.

import pypto.language as pl

SIZE = 16


@pl.jit.inline
def first(x: pl.Tensor[[8], pl.FP32]):
    return pl.load(x, [0], [SIZE])


@pl.jit
def main(x: pl.Tensor[[8], pl.FP32]):
    first(x)


# CHECK: inline_location.py:13:12: error: offset 0, size 16 leaves the source in dimension 0, whose extent is 8
# LOCATIONS: pl.tile.load {{.*}} loc(callsite("inline_location.py":13:12 at "inline_location.py":18:5))
