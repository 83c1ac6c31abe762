"""xdsl-pld: PyPTO's distributed-tensor layer for MLIR, as an out-of-tree xDSL plugin."""

__version__ = "0.1.0"
