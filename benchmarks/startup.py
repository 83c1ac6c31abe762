"""
How long `pld-opt` takes on a small file, against the stock `xdsl-opt` on the same file.

    python benchmarks/startup.py [--rounds 15] [--limit 1.15]

The two are measured in turn, so that a busy machine slows both; the best of all rounds counts.
Exits with status 1 where the ratio is above the limit.
"""

import argparse
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

PROGRAM = """\
func.func @sum(%n: index, %start: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (f32) {
    %next = arith.addf %acc, %acc : f32
    scf.yield %next : f32
  }
  func.return %sum : f32
}
"""


def seconds(tool: str, file: Path) -> float:
    """The wall-clock time of one run."""
    command = [Path(sysconfig.get_path("scripts")) / tool, file]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="start-up time of pld-opt against xdsl-opt")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--limit", type=float, default=1.15)
    args = parser.parse_args()
    best = {"xdsl-opt": float("inf"), "pld-opt": float("inf")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.mlir"
        file.write_text(PROGRAM)
        for _ in range(args.rounds):
            for tool in best:
                best[tool] = min(best[tool], seconds(tool, file))
    ratio = best["pld-opt"] / best["xdsl-opt"]
    for tool, time_taken in best.items():
        print(f"{tool:9}{time_taken * 1000:7.1f} ms")
    print(f"ratio    {ratio:7.3f} (limit {args.limit})")
    return int(ratio > args.limit)


if __name__ == "__main__":
    sys.exit(main())
