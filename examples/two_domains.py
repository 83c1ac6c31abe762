"""
Two communication domains that overlap: devices 0 and 1 reduce `left`, devices 1 and 2 reduce
`right`. Device 1 is rank 1 of the first and rank 0 of the second.

    pld-opt two_domains.py -p synthesize-allreduce-signals,materialize-comm-domain-scopes
    pld-run two_domains.py

The domains follow from the dispatches; nobody writes them. The first allreduce has no signal and
gets one.
"""

import pypto.language as pl
import pypto.language.distributed as pld

DEVICES = 3
ROWS = 2
SIZE = 4
RANKS = 2  # of each domain


@pl.program
class TwoDomains:
    @pl.function(type=pl.FunctionType.Orchestration)
    def fill(
        self,
        source: pl.Tensor[[ROWS, SIZE], pl.FP32],
        window: pl.Out[pld.DistributedTensor[[ROWS, SIZE], pl.FP32]],
    ):
        """Brings the data of a device into its window."""
        self.fill_step(source, window)

    @pl.function(type=pl.FunctionType.InCore)
    def fill_step(
        self, source: pl.Tensor[[ROWS, SIZE], pl.FP32], to: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]]
    ):
        """Copies all rows."""
        tile = pl.load(source, [0, 0], [ROWS, SIZE])
        pl.store(tile, [0, 0], to)
        return to

    @pl.function(type=pl.FunctionType.Orchestration)
    def keep(
        self,
        window: pld.DistributedTensor[[ROWS, SIZE], pl.FP32],
        to: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
    ):
        """Brings a window's data out."""
        self.fill_step(window, to)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        lefts: pl.Tensor[[DEVICES, ROWS, SIZE], pl.FP32],
        rights: pl.Tensor[[DEVICES, ROWS, SIZE], pl.FP32],
        sums: pl.InOut[pl.Tensor[[DEVICES, ROWS, SIZE], pl.FP32]],
    ):
        """Fills both windows, reduces them, and keeps what devices 0 and 1 and device 2 got."""
        left_buf = pld.alloc_window_buffer([ROWS, SIZE], dtype=pl.FP32)
        left = pld.window(left_buf, [ROWS, SIZE], dtype=pl.FP32)
        right_buf = pld.alloc_window_buffer([ROWS, SIZE], dtype=pl.FP32)
        right = pld.window(right_buf, [ROWS, SIZE], dtype=pl.FP32)
        signal_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        signal = pld.window(signal_buf, [RANKS, 1], dtype=pl.INT32)
        for r in pl.range(2):
            self.fill(lefts[r], left, device=r)
        for r in pl.range(1, 3):
            self.fill(rights[r], right, device=r)
        left_sum = pld.tensor.allreduce(left, op=pld.ReduceOp.Sum)
        right_sum = pld.tensor.allreduce(right, signal, op=pld.ReduceOp.Max)
        for r in pl.range(2):
            self.keep(left_sum, sums[r], device=r)
        self.keep(right_sum, sums[2], device=2)
