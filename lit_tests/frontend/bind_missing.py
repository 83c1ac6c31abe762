# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s --check-prefix MISSING
# RUN: not pld-opt %{s:basename} --bind nranks=2 2>&1 | filecheck %s --check-prefix UNKNOWN
# RUN: not pld-opt %{s:basename} -D ROWS=2 2>&1 | filecheck %s --check-prefix MODULE
# RUN: not pld-opt %{s:basename} --program Q 2>&1 | filecheck %s --check-prefix PROGRAM
# RUN: not pld-opt %{s:basename} --bind nr=two 2>&1 | filecheck %s --check-prefix VALUE
# RUN: not pld-opt %{s:basename} --ranks 0 2>&1 | filecheck %s --check-prefix RANKS

# What the command line says about a file, and does not fit it.

import pypto.language as pl

SIZE = 4


def build(nr):
    @pl.program
    class P:
        @pl.function
        def f(self, x: pl.Tensor[[nr, SIZE], pl.FP32]):
            pass


# MISSING: bind_missing.py:19:35: error: 'nr' is a parameter of the factory 'build': pass --bind nr=<value>
# UNKNOWN: bind_missing.py:17:5: error: --bind nranks: this program has no parameter and no dynamic extent of that name; known: nr
# MODULE: bind_missing.py:10:1: error: -D ROWS: the module has no name of that kind; known: SIZE, build
# PROGRAM: bind_missing.py:17:5: error: no program is called 'Q'; the file has:
# PROGRAM: bind_missing.py:17:5: note: 'P' in 'build'
# VALUE: error: --bind nr=two: the value must be
# RANKS: error: --ranks must be positive, not 0
