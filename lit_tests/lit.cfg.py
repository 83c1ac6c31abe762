"""Configures lit: `make lit`, or `.venv/bin/lit lit_tests/<file or folder>`."""

import os
import sys

# lit gives this file `config` and the path it was loaded from, and puts no folder on the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from in_process import InProcessFormat

config = globals()["config"]
config.name = "xdsl-pld"
config.test_format = InProcessFormat()
config.suffixes = [".mlir", ".py"]
config.excludes = ["lit.cfg.py", "in_process.py"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

# Where a file needs lit's shell, it finds the console scripts beside this Python.
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), config.environment["PATH"]]
)
