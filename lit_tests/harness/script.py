# RUN: env python %s | filecheck %s

"""A test may be a Python script."""

from importlib.metadata import version

# CHECK: xdsl-pld 0.1.0
print("xdsl-pld", version("xdsl-pld"))
