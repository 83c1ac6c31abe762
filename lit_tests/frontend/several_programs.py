# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# Several programs in a file: one must be chosen.

import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class First:
    pass


def build():
    @pl.program
    class Second:
        pass


@pl.jit
def third(x: pl.Tensor[[8], pl.FP32]):
    pass


# CHECK: several_programs.py:10:1: error: several programs in this file: choose one with --program NAME
# CHECK: several_programs.py:10:1: note: 'First'
# CHECK: several_programs.py:16:5: note: 'Second' in 'build'
# CHECK: several_programs.py:21:1: note: 'third'
