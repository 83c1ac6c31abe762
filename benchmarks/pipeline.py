"""
Where the time of `pld-opt` goes, and how it grows; against the stock driver and upstream.

    .venv/bin/python benchmarks/pipeline.py [--sizes 100,1000,10000] [--rounds 3] [--calls]

Runs both passes (or `--passes`) on modules of chained pipelines (`modules.py`). Times are processor
time, which a busy machine disturbs least; the tools run in turn, and the best of all rounds counts.
`heir-opt` parses, canonicalizes and prints the module in the generic form. `--calls` takes one
pipeline with as many launches instead. The stages are those of `pld-opt` in one process.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

import modules

PASSES = "lower-l2-tensor-collectives,materialize-dist-tensor-ctx"
SCRIPTS = Path(sysconfig.get_path("scripts"))
TOOLS = ("xdsl-opt", "pld-opt", "heir-opt")


class Usage(NamedTuple):
    """What a process took: seconds of processor time, megabytes at most."""

    seconds: float
    megabytes: float


def run(*command: str | Path) -> Usage:
    """Runs a command that must succeed; its output is dropped."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def best(usages: list[Usage]) -> Usage:
    return Usage(min(u.seconds for u in usages), min(u.megabytes for u in usages))


def stages(file: str, passes: str) -> None:
    """Prints the seconds of each stage of `pld-opt`, as JSON."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    times = {"start": usage.ru_utime + usage.ru_stime}

    def timed(name: str, work: Callable[[], object]) -> object:
        start = time.process_time()
        result = work()
        times[name] = times.get(name, 0) + time.process_time() - start
        return result

    from xdsl_pld.tools import opt
    from xdsl_pld.tools.collector import no_collections

    def driver() -> opt.PldOptMain:
        return opt.PldOptMain([file, "-p", passes])

    main = timed("start", driver)
    assert isinstance(main, opt.PldOptMain)
    with no_collections():
        data = Path(file).read_bytes()
        module = timed("parse", lambda: main.parse_chunk(BytesIO(data), "mlir"))
        previous = None
        for each in main.pipeline.passes:
            timed("checks", lambda p=previous, n=each: main.between_passes(p, module, n))
            timed(each.name, lambda each=each: each.apply(main.ctx, module))
            previous = each
        timed("checks", lambda: main.between_passes(previous, module, None))
        timed("print", lambda: StringIO().write(main.output_resulting_program(module)))
    print(json.dumps(times))


def measure(
    text: str, folder: Path, passes: str, rounds: int, tools: tuple[str, ...]
) -> dict[str, Usage]:
    """The best of all rounds for each tool, run in turn."""
    custom, generic = folder / "custom.mlir", folder / "generic.mlir"
    custom.write_text(text)
    with generic.open("w") as file:
        command = [SCRIPTS / "pld-opt", custom, "--print-op-generic", "--print-no-properties"]
        subprocess.run(command, stdout=file, check=True)
    commands = {
        "xdsl-opt": (SCRIPTS / "xdsl-opt", custom, "-p", passes),
        "pld-opt": (SCRIPTS / "pld-opt", custom, "-p", passes),
        "heir-opt": (
            SCRIPTS / "heir-opt", "--allow-unregistered-dialect", "--canonicalize", generic,
        ),
    }  # fmt: skip
    found: dict[str, list[Usage]] = {tool: [] for tool in tools}
    for _ in range(rounds):
        for tool in tools:
            found[tool].append(run(*commands[tool]))
    return {tool: best(usages) for tool, usages in found.items()}


def stage_times(file: Path, passes: str, rounds: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--stages", file, "--passes", passes]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        for _ in range(rounds)
    ]
    return {stage: min(run[stage] for run in runs) for stage in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description="pld-opt with both passes, stage by stage")
    parser.add_argument("--sizes", default="100,1000,10000,20000,40000,100000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stock-limit", type=int, default=20000)
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--passes", default=PASSES)
    parser.add_argument("--stages", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.stages:
        stages(args.stages, args.passes)
        return
    before: tuple[int, float] | None = None
    print(
        f"{'ops':>7} {'pld-opt':>8} {'xdsl-opt':>9} {'heir-opt':>9} {'/stock':>7} {'/heir':>6} "
        f"{'passes/stock':>12} {'x2':>5} {'MB':>5} {'/stock':>6}   stages of pld-opt in seconds"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in map(int, args.sizes.split(",")):
            text = (modules.call_sites if args.calls else modules.pipelines)(size)
            tools = TOOLS if size <= args.stock_limit else TOOLS[1:]
            used = measure(text, folder, args.passes, args.rounds, tools)
            times = stage_times(folder / "custom.mlir", args.passes, args.rounds)
            ours, heir = used["pld-opt"], used["heir-opt"]
            stock = used.get("xdsl-opt", Usage(float("nan"), float("nan")))
            others = ("start", "parse", "checks", "print")
            passes = sum(seconds for stage, seconds in times.items() if stage not in others)
            growth = float("nan")
            if before is not None:
                growth = (ours.seconds / before[1]) ** (1 / _doublings(before[0], size))
            before = (size, ours.seconds)
            shown = " ".join(f"{stage} {seconds:.2f}" for stage, seconds in times.items())
            print(
                f"{size:7} {ours.seconds:8.2f} {stock.seconds:9.2f} {heir.seconds:9.3f} "
                f"{ours.seconds / stock.seconds:7.2f} {ours.seconds / heir.seconds:6.1f} "
                f"{passes / stock.seconds:12.1%} {growth:5.2f} {ours.megabytes:5.0f} "
                f"{ours.megabytes / stock.megabytes:6.2f}   {shown}",
                flush=True,
            )


def _doublings(smaller: int, larger: int) -> float:
    from math import log2

    return log2(larger / smaller)


if __name__ == "__main__":
    main()
