"""
Our exchange on MPI's windows against MPI_Alltoallv of the same data in the same job, as a ratio.

Both are timed in turns, from barrier to barrier, so that the machine's load is the same for both.
Once all ranks share memory, and once everything goes through RMA.

    .venv/bin/python benchmarks/mpi.py [--ranks 2] [--blocks 1] [--repeat 7]
"""

import argparse
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np

from xdsl_pld.tools.mpi.launcher import launch, started_as

SIZES = [2**power for power in range(10, 25, 2)]
"""Bytes a peer: 1 KiB to 16 MiB."""
WIDTH = 64
WAIT_LIMIT = 60.0
"""Seconds that a rank waits for another."""
LONGEST = 0.2
"""Seconds that one measurement takes at least for small sizes."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].strip())
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=7)
    return parser.parse_args()


class Bench:
    """One size: operands of both, staged."""

    def __init__(self, neighbours: int | None, blocks: int, size: int):
        from mpi4py import MPI

        from xdsl_pld.dialects.builtin_kernels import TEMPLATE_PREFIX
        from xdsl_pld.templates.render import Renderer
        from xdsl_pld.tools.interpreter.memory import Domain
        from xdsl_pld.tools.mpi.engine import MpiSession
        from xdsl_pld.tools.mpi.mail import URGENT, Mail
        from xdsl_pld.tools.mpi.windows import Transport, Windows
        from xdsl_pld.tools.mpi.world import World
        from xdsl_pld.tools.sim.engine import Engine

        self.comm = MPI.COMM_WORLD
        self.blocks = blocks
        world = World(self.comm, neighbours, WAIT_LIMIT)
        self.mail = Mail(self.comm)
        self.transport = Transport(self.mail.handle, URGENT)
        self.windows = Windows(world, self.transport)
        engine = Engine()
        self.kernel = engine.load_kernel(
            Renderer().kernel(TEMPLATE_PREFIX + "all_to_all_v", "dtype_cpp=float")
        )
        me, ranks = world.rank, world.size
        self.session = MpiSession(
            engine, ranks, me, self.transport, max_blocks=blocks, wait_limit=60.0
        )
        self.rank = me
        everyone = Domain("world", tuple(range(ranks)))
        rows = ranks * size // (WIDTH * 4)
        data = np.ones((rows, WIDTH), np.float32)
        counts = np.full((ranks, 1), rows // ranks, np.int32)

        def window(name: str, shape: tuple[int, ...], dtype: type) -> np.ndarray:
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            memory = self.windows.allocate(name, everyone, size, 0)
            array = memory[me].view(dtype).reshape(shape)
            self.session.adopt(name, array, everyone.devices)
            return array

        self.operands = [
            self.session.local(me, "input", data),
            window("target", (rows, WIDTH), np.float32),
            window("signal", (ranks, blocks), np.int32),
            self.session.local(me, "send_counts", counts),
            window("recv_counts", (ranks, 1), np.int32),
        ]
        self.context = self.session.context(me, everyone.devices)
        self.received = np.empty_like(data)
        self.data = data
        self.comm.Barrier()

    def ours(self) -> None:
        done = self.session.launch(
            self.rank, self.kernel, self.operands, [self.context], blocks=self.blocks
        )
        assert done

    def theirs(self) -> None:
        ranks = self.comm.size
        elements = [self.data.size // ranks] * ranks
        places = [r * elements[0] for r in range(ranks)]
        self.comm.Alltoallv([self.data, (elements, places)], [self.received, (elements, places)])

    def seconds(self, exchange: Callable[[], None], times: int) -> float:
        """Of one exchange, on the slowest rank."""
        from mpi4py import MPI

        self.comm.Barrier()
        start = perf_counter()
        for _ in range(times):
            exchange()
        return self.comm.allreduce(perf_counter() - start, MPI.MAX) / times

    def ratio(self, repeat: int) -> tuple[float, float]:
        """The median of the ratios, and our seconds."""
        times = max(1, min(500, round(LONGEST / self.seconds(self.ours, 3))))
        times = self.comm.bcast(times)
        pairs = [
            (self.seconds(self.ours, times), self.seconds(self.theirs, times))
            for _ in range(repeat)
        ]
        assert np.array_equal(self.operands[1], self.received)
        return median(a / b for a, b in pairs), median(a for a, _ in pairs)

    def close(self) -> None:
        self.session.close()
        self.windows.free()
        self.transport.close()
        self.mail.close()


def main() -> int:
    given = options()
    if started_as() is None:
        return launch(given.ranks, [sys.executable, *sys.argv]).status
    from xdsl_pld.tools.mpi.world import join

    first = join(WAIT_LIMIT).rank == 0
    if first:
        print(f"{given.ranks} ranks, {given.blocks} blocks; time of ours / of MPI_Alltoallv")
        print(f"{'bytes a peer':>12} {'shared':>8} {'ms':>9} {'RMA':>8} {'ms':>9}", flush=True)
    for size in SIZES:
        cells: list[str] = []
        for neighbours in (None, 1):
            bench = Bench(neighbours, given.blocks, size)
            ratio, seconds = bench.ratio(given.repeat)
            bench.close()
            cells.append(f"{ratio:8.2f} {seconds * 1e3:9.3f}")
        if first:
            print(f"{size:>12} {' '.join(cells)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
