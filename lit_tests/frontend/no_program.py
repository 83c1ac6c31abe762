# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s
# RUN: not pld-opt %{s:basename} -p lower-l2-tensor-collectives -o %t 2>&1 | filecheck %s
# RUN: not pld-opt - --program P < %s 2>&1 | filecheck %s --check-prefix ONLY

# Neither a class nor an entry.

import pypto.language as pl


@pl.jit.incore
def kernel(x: pl.Tensor[[8], pl.FP32]):
    pass


# CHECK: no_program.py:7:1: error: no program in this file: no @pl.program class and no @pl.jit entry
# ONLY: error: argument --program: for programs in Python only
