"""
`pld-run`: executes a program of P ranks on this machine: builtin kernels by their own source in the
simulator, all else by the meaning of its operations.

    pld-run prog.mlir --ranks 4 [-p passes] [--inputs x.npz] [--save out.npz] [--compare ir]

Exit status: 0, or 1 when the program is at fault or a comparison fails, or 2 for a wrong command
line. Errors have the form of pld-opt's.
"""

import argparse
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from xdsl_pld import __version__
from xdsl_pld.dialects.core_num import MAX_CORE_NUM
from xdsl_pld.templates.runtimes import DEFAULT_TARGET, TARGETS
from xdsl_pld.tools.interpreter.arrays import (
    WINDOW_PREFIX,
    arguments,
    first_difference,
    load,
    outputs,
    save,
)
from xdsl_pld.tools.interpreter.collectives import ReferenceEngine
from xdsl_pld.tools.interpreter.exchange import Engine
from xdsl_pld.tools.interpreter.machine import Machine, Settings
from xdsl_pld.tools.interpreter.memory import Array
from xdsl_pld.tools.interpreter.program import (
    agreed_ranks,
    host_function,
    ranks_to_run,
    signal_buffers,
)
from xdsl_pld.tools.interpreter.report import table
from xdsl_pld.tools.opt import (
    FileError,
    add_program_options,
    check_writable,
    guarded,
    is_program,
    write_file,
)
from xdsl_pld.tools.program import ProgramDriver
from xdsl_pld.tools.sim.abi import MAX_RANKS


def _simulated(options: argparse.Namespace) -> Engine:
    from xdsl_pld.tools.interpreter.sim_engine import SimulatedEngine

    limit = SIM_WAIT_LIMIT if options.wait_limit is None else options.wait_limit
    return SimulatedEngine(options.target, limit)


ENGINES: Mapping[str, Callable[[argparse.Namespace], Engine]] = {
    "sim": _simulated,
    "ir": lambda _: ReferenceEngine(),
}
"""Who executes collectives, by name; with `mpi` each rank has an engine of its own (tools.mpi)."""
SIM_WAIT_LIMIT = 20.0
"""Seconds that blocks in the simulator wait for others, if nothing else is said."""


class RunDriver(ProgramDriver):
    """Reads a program that is to be run."""

    def __init__(self, options: argparse.Namespace, passes: str, parser: argparse.ArgumentParser):
        self._options = options
        self.ranks: int | None = options.ranks
        """
        The number of ranks that is wanted, or that the program states as it is read: after
        `lower-composite-ops` no signal of a collective is left.
        """
        more: list[str] = []
        if options.ranks is not None and is_program(options.input_file, options.frontend):
            more += ["--ranks", str(options.ranks)]
        super().__init__(options, parser, [*more, "-p", passes], "running the program")

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        """The program, read once: standard input has it once, and a comparison reads it again."""
        if not hasattr(self._options, "text"):
            stream, extension = super().get_input_stream()
            self._options.text = stream.read(), extension
        text, extension = self._options.text
        return io.BytesIO(text), extension

    def between_passes(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        super().between_passes(previous, module, following)
        if previous is None:
            self.ranks = agreed_ranks(host_function(module, self._options.host), self.ranks)


class Run:
    """A run of a program, and what comes out of it."""

    def __init__(
        self,
        module: ModuleOp,
        ranks: int | None,
        options: argparse.Namespace,
        engine: Engine,
        given: Mapping[str, Array],
        make: Callable[[ModuleOp, Settings], Machine] = Machine,
    ):
        """`ranks` are wanted, None where the program says; `given` are arrays by parameter name."""
        self.host: FuncOp = host_function(module, options.host)
        self.ranks = ranks_to_run(self.host, ranks)
        self.signals = signal_buffers(self.host)
        self.values = arguments(self.host, given, options.seed)
        settings = Settings(
            self.ranks,
            engine,
            core_num=options.core_num,
            poison=options.poison,
            max_steps=options.max_steps,
            timeline=options.trace is not None,
            signals=self.signals,
        )
        self.machine = make(module, settings)

    def run(self) -> None:
        self.machine.run(self.host, self.values)

    @property
    def outputs(self) -> dict[str, Array]:
        """All arrays by name, after the run."""
        return outputs(self.host, self.values, self.machine.windows)

    def compared(self) -> dict[str, Array]:
        """The outputs but signals, which belong to the protocol that moved the data."""
        signals = {WINDOW_PREFIX + name for name in self.signals}
        return {name: array for name, array in self.outputs.items() if name not in signals}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pld-run", description="Executes a program of P ranks on this machine."
    )
    parser.add_argument("input_file", help="the program, .mlir or .py; '-' is standard input")
    parser.add_argument(
        "--ranks",
        metavar="N",
        type=_number("--ranks", 1, MAX_RANKS),
        help="default: what its signals state",
    )
    parser.add_argument(
        "--core-num",
        type=_number("--core-num", 1, MAX_CORE_NUM),
        metavar="N",
        help="launch width that exchanges ask for, instead of what the program says",
    )
    parser.add_argument("-p", "--passes", default="", help="passes to run first, as for pld-opt")
    parser.add_argument("-f", "--frontend", help="the program's language, as for pld-opt")
    add_program_options(parser)
    parser.add_argument("--host", help="the host function, where there are several")
    parser.add_argument(
        "--engine",
        choices=[*ENGINES, "mpi"],
        default="sim",
        help="who executes collectives: the shipped kernels in the simulator (the default), the "
        "reference semantics, or the kernels on MPI",
    )
    parser.add_argument(
        "--target",
        choices=list(TARGETS),
        default=DEFAULT_TARGET.name,
        help="the card whose cores limit a launch, in the simulator (default: %(default)s)",
    )
    parser.add_argument(
        "--compare",
        metavar="ir|FILE",
        help="compare to the bit with a run of the program as it was read (before -p), or with "
        "the arrays of an .npz file",
    )
    parser.add_argument(
        "--seed",
        type=_number("--seed", 0, 2**63),
        default=0,
        metavar="N",
        help="of the random arrays, for what --inputs does not give (default: %(default)s)",
    )
    parser.add_argument("--inputs", metavar="FILE", help=".npz, arrays by parameter name")
    parser.add_argument("--save", metavar="FILE", help="write all arrays after the run, .npz")
    parser.add_argument("--trace", metavar="FILE", help="write the timeline, Chrome trace JSON")
    parser.add_argument(
        "--poison", action="store_true", help="fill windows and created tensors with 0xA5"
    )
    parser.add_argument(
        "--max-steps",
        type=_number("--max-steps", 1, 2**63),
        default=10_000_000,
        metavar="N",
        help="operations that one rank may execute (default: %(default)s)",
    )
    parser.add_argument(
        "--wait-limit",
        type=_seconds,
        metavar="SECONDS",
        help="how long a rank may wait for others (default: 20 in the simulator's kernels, 60 with "
        "MPI); the reference semantics finds deadlocks by itself",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print no report")
    parser.add_argument("--version", action="version", version=f"pld-run {__version__}")
    return parser


def _number(option: str, low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is out of range [{low}, {high}]")
        return value

    return parse


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
    if not 0 < value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text} seconds are out of range (0, 1000000]")
    return value


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    if options.engine == "mpi":
        from xdsl_pld.tools.run_mpi import run_mpi

        return run_mpi(options, parser, sys.argv[1:] if argv is None else argv)
    check_outputs(options)
    driver = RunDriver(options, options.passes, parser)
    try:
        module = driver.read()
        engine = ENGINES[options.engine](options)
        run = Run(module, driver.ranks, options, engine, given_arrays(options))
        run.run()
        return finish(run, options, parser)
    except (FileError, BrokenPipeError):
        raise
    except Exception as error:
        driver.report(error)
        return 1


def check_outputs(options: argparse.Namespace) -> None:
    """Raises FileError where something that is to be written cannot be."""
    for path in (options.save, options.trace):
        if path is not None:
            check_writable(path)


def given_arrays(options: argparse.Namespace) -> Mapping[str, Array]:
    """The arrays that the user gives. Raises FileError."""
    return load(options.inputs) if options.inputs else {}


def finish(run: Run, options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """What is asked for after a run: the report, files, a comparison. Returns the exit status."""
    if not options.quiet:
        sys.stdout.write(table([device.counters for device in run.machine.devices]))
    if options.save is not None:
        save(options.save, run.outputs)
    if options.trace is not None:
        write_file(options.trace, run.machine.timeline.chrome_trace(run.ranks))
    return 0 if options.compare is None else _compare(run, options, parser)


def _compare(run: Run, options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Compares a run with the reference semantics of the program as read, or with a file."""
    got = run.compared()
    if options.compare == "ir":
        driver = RunDriver(options, "", parser)
        module, engine = driver.read(), ReferenceEngine()
        reference = Run(module, run.ranks, options, engine, given_arrays(options))
        reference.run()
        expected = reference.compared()
        difference = first_difference(expected, got, run.ranks)
    else:
        expected = load(options.compare)
        difference = _names_that_do_not_fit(run, expected) or first_difference(
            expected, got, run.ranks
        )
    if difference is not None:
        sys.stderr.write(f"error: comparison failed: {difference}\n")
        return 1
    if not options.quiet:
        left = ", ".join(name for name in got if name not in expected)
        missing = f"; it does not hold {left}" if left and options.compare != "ir" else ""
        sys.stdout.write(f"compared with {options.compare}: the same bits{missing}\n")
    return 0


def _names_that_do_not_fit(run: Run, expected: Mapping[str, Array]) -> str | None:
    """
    A file that says nothing about the run is no proof. Windows may be more or fewer: passes add
    signals.
    """
    known = ", ".join(run.outputs)
    for name in expected:
        if name not in run.outputs and not name.startswith(WINDOW_PREFIX):
            return f"the run has no array '{name}'; it has {known}"
    if not expected.keys() & run.compared().keys():
        return f"the file holds no array of the run, which has {known}"
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `pld-run` and returns its exit status."""
    return guarded(lambda: _run(argv))


if __name__ == "__main__":
    sys.exit(main())
