"""
A loop of exchanges through `pld-run`: by the compiled kernels against the operators' meaning.

    .venv/bin/python benchmarks/exchange_loop.py [--turns 1000] [--rounds 3]

The program is examples/exchange_loop.mlir with more turns. The engines run in turn, so that a busy
machine slows both; the best of all rounds counts, after one that compiles the kernel.
"""

import argparse
import contextlib
import os
import tempfile
import time
from pathlib import Path

from xdsl_pld.tools import run

PROGRAM = Path(__file__).parents[1] / "examples" / "exchange_loop.mlir"
TURNS = "%turns = arith.constant 3 : index"


def seconds(program: Path, engine: str) -> float:
    start = time.perf_counter()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        status = run.main([str(program), "--engine", engine])
    assert status == 0
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    text = PROGRAM.read_text()
    assert text.count(TURNS) == 1
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "loop.mlir"
        program.write_text(text.replace(TURNS, TURNS.replace("3", str(options.turns))))
        seconds(program, "sim")
        times = [(seconds(program, "ir"), seconds(program, "sim")) for _ in range(options.rounds)]
    meaning, kernels = (min(column) for column in zip(*times, strict=True))
    print(f"{options.turns} exchanges: ir {meaning:.2f} s, sim {kernels:.2f} s")
    print(f"sim / ir: {kernels / meaning:.2f}")


if __name__ == "__main__":
    main()
