"""
The same exchange on the InCore rail: one kernel stages, exchanges and consumes, and the collectives
in it are written out as notify, wait and put.

    pld-opt incore_rail.py -p lower-composite-ops
    pld-run incore_rail.py --ranks 2 -p lower-composite-ops

An allreduce on the same signal follows: a signal clears itself and serves any number of
collectives.
"""

import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2
CAPACITY = 4  # rows that one rank can get from another
ROWS = RANKS * CAPACITY
SIZE = 64
TOTAL_ROWS = 2


@pl.program
class InCoreRail:
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

    @pl.function(type=pl.FunctionType.InCore)
    def exchange_step(
        self,
        staged: pl.Tensor[[ROWS, SIZE], pl.FP32],
        data: pl.InOut[pld.DistributedTensor[[ROWS, SIZE], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        counts: pl.Tensor[[RANKS, 1], pl.INT32],
        recv: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        total: pl.InOut[pld.DistributedTensor[[TOTAL_ROWS, SIZE], pl.FP32]],
    ):
        """Exchanges the rows, then adds up the first ones of all ranks."""
        data2 = pld.tensor.all_to_all_v(staged, data, signal, counts, recv)
        first = pl.load(data2, [0, 0], [TOTAL_ROWS, SIZE])
        pl.store(first, [0, 0], total)
        pld.tensor.allreduce(total, signal, op=pld.ReduceOp.Sum)

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip_pipeline(
        self,
        inp: pl.Tensor[[ROWS, SIZE], pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
        stage: pl.InOut[pl.Tensor[[ROWS, SIZE], pl.FP32]],
        counts: pl.InOut[pl.Tensor[[RANKS, 1], pl.INT32]],
        data: pl.InOut[pld.DistributedTensor[[ROWS, SIZE], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
        total: pl.InOut[pld.DistributedTensor[[TOTAL_ROWS, SIZE], pl.FP32]],
    ):
        """The pipeline of one card."""
        stage2, counts2 = self.stage_step(inp, stage, counts)
        self.exchange_step(stage2, data, signal, counts2, recv, total)
        self.consume_step(data, recv, out)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        inputs: pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32],
        stages: pl.InOut[pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32]],
        counts: pl.InOut[pl.Tensor[[RANKS, RANKS, 1], pl.INT32]],
        outputs: pl.Out[pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32]],
    ):
        """Four windows on every device, one dispatch per device."""
        data_buf = pld.alloc_window_buffer([ROWS, SIZE], dtype=pl.FP32)
        data = pld.window(data_buf, [ROWS, SIZE], dtype=pl.FP32)
        signal_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        signal = pld.window(signal_buf, [RANKS, 1], dtype=pl.INT32)
        recv_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        recv = pld.window(recv_buf, [RANKS, 1], dtype=pl.INT32)
        total_buf = pld.alloc_window_buffer([TOTAL_ROWS, SIZE], dtype=pl.FP32)
        total = pld.window(total_buf, [TOTAL_ROWS, SIZE], dtype=pl.FP32)
        for r in pl.range(pld.world_size()):
            self.chip_pipeline(
                inputs[r], outputs[r], stages[r], counts[r], data, signal, recv, total, device=r
            )
