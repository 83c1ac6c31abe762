"""
A chain of submits whose order its author states: each task waits for the ids in `deps`, and a dummy
task gathers two of them. The exchange stands between them like any task.

    pld-opt submit_chain.py -p lower-l2-tensor-collectives,materialize-dist-tensor-ctx
    pld-run submit_chain.py
"""

import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2
CAPACITY = 4  # rows that one rank can get from another
ROWS = RANKS * CAPACITY
SIZE = 64
BLOCKS = 4


@pl.program
class SubmitChain:
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
    def chip_pipeline(
        self,
        inp: pl.Tensor[[ROWS, SIZE], pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, SIZE], pl.FP32]],
        stage: pl.InOut[pl.Tensor[[ROWS, SIZE], pl.FP32]],
        data: pl.InOut[pld.DistributedTensor[[ROWS, SIZE], pl.FP32]],
        signal: pl.InOut[pld.DistributedTensor[[RANKS, BLOCKS], pl.INT32]],
        counts: pl.InOut[pl.Tensor[[RANKS, 1], pl.INT32]],
        recv: pl.InOut[pld.DistributedTensor[[RANKS, 1], pl.INT32]],
    ):
        (stage2, counts2), staged = pl.submit(self.stage_step, inp, stage, counts)
        (stage3, counts3), restaged = pl.submit(
            self.stage_step, inp, stage2, counts2, deps=[staged]
        )
        data2 = pld.tensor.all_to_all_v(stage3, data, signal, counts3, recv, core_num=BLOCKS)
        ready = pl.system.task_dummy(deps=[staged, restaged])
        out2, _ = pl.submit(self.consume_step, data2, recv, out, deps=[ready])
        return out2

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(
        self,
        inputs: pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32],
        stages: pl.InOut[pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32]],
        counts: pl.InOut[pl.Tensor[[RANKS, RANKS, 1], pl.INT32]],
        outputs: pl.Out[pl.Tensor[[RANKS, ROWS, SIZE], pl.FP32]],
    ):
        """Three windows on every device, one dispatch per device."""
        data_buf = pld.alloc_window_buffer(ROWS * SIZE * pl.FP32.get_byte())
        signal_buf = pld.alloc_window_buffer([RANKS, BLOCKS], dtype=pl.INT32)
        recv_buf = pld.alloc_window_buffer([RANKS, 1], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            data = pld.window(data_buf, [ROWS, SIZE], dtype=pl.FP32)
            signal = pld.window(signal_buf, [RANKS, BLOCKS], dtype=pl.INT32)
            recv = pld.window(recv_buf, [RANKS, 1], dtype=pl.INT32)
            self.chip_pipeline(
                inputs[r], outputs[r], stages[r], data, signal, counts[r], recv, device=r
            )
