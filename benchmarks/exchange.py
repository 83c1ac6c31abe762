"""
A simulated all_to_all_v against a plain copy of the same bytes, as a ratio.

Both are timed in one run, in turns, so that the machine's load is the same for both.

    .venv/bin/python benchmarks/exchange.py [--ranks 2] [--blocks 2] [--repeat 5]
"""

import argparse
import time
from statistics import median

import numpy as np

from xdsl_pld.dialects.builtin_kernels import TEMPLATE_PREFIX
from xdsl_pld.templates.render import Renderer
from xdsl_pld.tools.sim.engine import Engine, Session

SIZES = [2**power for power in range(10, 25, 2)]
"""Bytes a peer: 1 KiB to 16 MiB."""
WIDTH = 64


class Exchange:
    """Ranks with staged operands, each sending all its rows to each rank."""

    def __init__(
        self, engine: Engine, kernel: int, ranks: int, blocks: int, size: int, check: bool
    ):
        rows = ranks * size // (WIDTH * 4)
        window_bytes = ranks * size + (64 << 10)
        self.session = Session(
            engine, ranks, window_bytes=window_bytes, max_blocks=blocks, check_order=check
        )
        self.kernel, self.blocks, self.ranks = kernel, blocks, ranks
        columns = max(blocks, 1)
        self.targets = self.session.window("target", (rows, WIDTH), np.float32)
        signals = self.session.window("signal", (ranks, columns), np.int32, credits=True)
        received = self.session.window("recv_counts", (ranks, 1), np.int32)
        counts = np.full((ranks, 1), rows // ranks, np.int32)
        data = np.ones((rows, WIDTH), np.float32)
        self.inputs = [self.session.local(r, "input", data) for r in range(ranks)]
        send = [self.session.local(r, "send_counts", counts) for r in range(ranks)]
        self.operands = list(zip(self.inputs, self.targets, signals, send, received, strict=True))

    def run(self, times: int) -> float:
        """Seconds for one exchange."""

        def pipeline(rank: int) -> None:
            context = self.session.context(rank)
            for _ in range(times):
                self.session.launch(
                    rank, self.kernel, self.operands[rank], [context], blocks=self.blocks
                )

        start = time.perf_counter()
        self.session.run_ranks(pipeline)
        return (time.perf_counter() - start) / times

    def copy(self, times: int) -> float:
        """Seconds for copying what one exchange moves, in one thread."""
        start = time.perf_counter()
        for _ in range(times):
            for source, target in zip(self.inputs, self.targets, strict=True):
                np.copyto(target, source)
        return (time.perf_counter() - start) / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].strip())
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    engine = Engine()
    handle = TEMPLATE_PREFIX + "all_to_all_v"
    kernel = engine.load_kernel(Renderer().kernel(handle, "dtype_cpp=float"))
    print(f"{options.ranks} ranks, {options.blocks} blocks; time of an exchange / time of a copy")
    print(f"{'bytes a peer':>12} {'bounds only':>12} {'order checks':>12}")
    for size in SIZES:
        times = max(1, min(50, (64 << 20) // (size * options.ranks**2)))
        ratios = []
        for check in (False, True):
            exchange = Exchange(engine, kernel, options.ranks, options.blocks, size, check)
            with exchange.session:
                exchange.run(1)
                exchange.copy(1)
                pairs = [(exchange.run(times), exchange.copy(times)) for _ in range(options.repeat)]
                assert exchange.session.report().clean, str(exchange.session.report())
            ratios.append(median(run / copy for run, copy in pairs))
        print(f"{size:>12} {ratios[0]:>12.2f} {ratios[1]:>12.2f}")


if __name__ == "__main__":
    main()
