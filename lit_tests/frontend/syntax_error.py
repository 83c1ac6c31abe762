# RUN: not pld-opt %{s:basename} 2>&1 | filecheck %s

# A syntax error has its place, in characters.

import pypto.language as pl

x = "ééé" +* 1
# CHECK: syntax_error.py:7:12: error: syntax error: invalid syntax
