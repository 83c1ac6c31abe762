"""
The exchange of chip_pipeline.py on the host rail: stage, exchange and consume are three dispatches
per device, and the collective stands in the host body.

    pld-opt host_rail.py -p materialize-comm-domain-scopes,lower-host-tensor-collectives
    pld-run host_rail.py --ranks 2

On this rail all operands are windows: a device writes into its own by one dispatch, and the
exchange is another, which the host orders behind it.
"""

import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2
CAPACITY = 4  # rows that one rank can get from another
ROWS = RANKS * CAPACITY
SIZE = 64
BLOCKS = 4


@pl.program
class HostRail:
    @pl.function(type=pl.FunctionType.InCore)
    def stage_step(
        self,
        inp: pl.Tensor[[ROWS, SIZE], pl.FP32],
        stage: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
        counts: pl.Out[pl.Tensor[[RANKS, 1], pl.INT32]],
    ):
        """Copies the rows to send, and says that destination d gets d + 1 of its rows."""
        for i in pl.range(ROWS):
            row = pl.load(inp, [i, 0], [1, SIZE])
            pl.store(row, [i, 0], stage)
        for d in pl.range(RANKS):
            pl.write(counts, [d, 0], d + 1)
        return stage, counts

    @pl.function(type=pl.FunctionType.InCore)
    def consume_step(
        self,
        data: pld.DistributedTensor[[ROWS, SIZE], pl.FP32],
        recv: pld.DistributedTensor[[RANKS, 1], pl.INT32],
        out: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
    ):
        """Copies what arrived: from each source the rows that it sent, and no others."""
        for s in pl.range(RANKS):
            arrived = pl.read(recv, [s, 0])
            first = s * CAPACITY
            for k in pl.range(arrived):
                i = first + k
                row = pl.load(data, [i, 0], [1, SIZE])
                pl.store(row, [i, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def stage(
        self,
        inp: pl.Tensor[[ROWS, SIZE], pl.FP32],
        staged: pl.Out[pld.DistributedTensor[[ROWS, SIZE], pl.FP32]],
        counts: pl.Out[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
    ):
        """The pipeline before the exchange."""
        self.stage_step(inp, staged, counts)

    @pl.function(type=pl.FunctionType.Orchestration)
    def consume(
        self,
        data: pld.DistributedTensor[[ROWS, SIZE], pl.FP32],
        recv: pld.DistributedTensor[[RANKS, 1], pl.INT32],
        out: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
    ):
        """The pipeline behind it."""
        self.consume_step(data, recv, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        inputs: pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32],
        outputs: pl.Out[pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32]],
    ):
        """Five windows on every device; the exchange is one operation for all of them."""
        staged_buf = pld.alloc_window_buffer([ROWS, SIZE], dtype=pl.FP32)
        staged = pld.window(staged_buf, [ROWS, SIZE], dtype=pl.FP32)
        data_buf = pld.alloc_window_buffer([ROWS, SIZE], dtype=pl.FP32)
        data = pld.window(data_buf, [ROWS, SIZE], dtype=pl.FP32)
        signal_buf = pld.alloc_window_buffer([RANKS, BLOCKS], dtype=pl.INT32)
        signal = pld.window(signal_buf, [RANKS, BLOCKS], dtype=pl.INT32)
        counts_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        counts = pld.window(counts_buf, [RANKS, 1], dtype=pl.INT32)
        recv_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        recv = pld.window(recv_buf, [RANKS, 1], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            self.stage(inputs[r], staged, counts, device=r)
        data2 = pld.tensor.all_to_all_v(staged, data, signal, counts, recv, core_num=BLOCKS)
        for r in pl.range(pld.world_size()):
            self.consume(data2, recv, outputs[r], device=r)
