"""
`pld-run --engine mpi`: starts the ranks, or is one of them.

Started by a user this process starts `mpirun`, which starts this tool again, once a rank; started
by `mpirun` it is a rank. What needs mpi4py is imported then.
"""

import argparse
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_pld.tools.diagnostics import Diagnostic
from xdsl_pld.tools.interpreter.exchange import Engine
from xdsl_pld.tools.interpreter.memory import Array
from xdsl_pld.tools.interpreter.program import host_function, ranks_to_run
from xdsl_pld.tools.mpi.launcher import LaunchError, Started, check_installed, launch, started_as
from xdsl_pld.tools.run import Run, RunDriver, check_outputs, finish, given_arrays

if TYPE_CHECKING:
    from xdsl_pld.tools.mpi.job import Execution, Make

WAIT_LIMIT = 60.0
"""Seconds that a rank waits for others, if nothing else is said."""


def run_mpi(
    options: argparse.Namespace, parser: argparse.ArgumentParser, argv: Sequence[str]
) -> int:
    """Runs a program with MPI and returns the exit status."""
    try:
        check_installed()
        started = started_as()
        if started is None:
            return _launch(options, parser, argv)
    except LaunchError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return _take_part(options, parser, started)


def _launch(
    options: argparse.Namespace, parser: argparse.ArgumentParser, argv: Sequence[str]
) -> int:
    check_outputs(options)
    text = sys.stdin.buffer.read() if options.input_file == "-" else None
    if text is not None:
        options.text = text, "mlir"
    ranks: int | None = options.ranks
    if ranks is None:
        driver = RunDriver(options, options.passes, parser)
        try:
            host = host_function(driver.read(), options.host)
            ranks = ranks_to_run(host, driver.ranks)
        except Exception as error:
            driver.report(error)
            return 1
    tool = [sys.executable, "-P", "-m", "xdsl_pld.tools.run", *argv]
    ended = launch(ranks, tool, text)
    if ended.status not in (0, 1, 2):
        meaning = _meaning(ended.status)
        sys.stderr.write(f"error: the job ended with status {ended.status}: {meaning}\n")
        return 1
    if ended.status == 1 and not ended.told:
        command = shlex.join(ended.command).replace(" --quiet", "")
        sys.stderr.write(
            f"error: mpirun did not start the ranks, or was told to end; to see why: {command}\n"
        )
    return ended.status


def _meaning(status: int) -> str:
    """What an exit status of mpirun says that is none of ours."""
    if status < 0:
        return f"mpirun itself was ended by {signal.Signals(-status).name}"
    # Shells and Open MPI add 128 to the number of a signal, MPICH does not.
    number = status % 128
    if number == signal.SIGALRM:  # tools.mpi.world.limited
        return (
            "a rank waited in MPI for longer than the limit (--wait-limit): another one does not "
            "start, or has stopped"
        )
    known = (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)
    if number in known:
        return f"a rank was ended by {signal.Signals(number).name}"
    return "a rank ended by itself, or the ranks did not start"


def _take_part(
    options: argparse.Namespace, parser: argparse.ArgumentParser, started: Started
) -> int:
    try:
        from xdsl_pld.tools.mpi.world import MpiError, join
    except (ImportError, RuntimeError) as error:
        if started.rank == 0:
            sys.stderr.write(
                f"error: mpi4py finds no MPI library: {error}; install Open MPI or MPICH (on "
                "Debian: apt install openmpi-bin libopenmpi-dev)\n"
            )
        return 1
    from xdsl_pld.tools.mpi.job import run

    try:
        world = join(WAIT_LIMIT if options.wait_limit is None else options.wait_limit)
    except MpiError as error:
        if started.rank == 0:
            sys.stderr.write(f"error: {error}\n")
        return 1
    return run(_Tool(options, parser, world.size), world)


class _Tool:
    """`pld-run` around a run, for `tools.mpi.job`."""

    def __init__(
        self, options: argparse.Namespace, parser: argparse.ArgumentParser, processes: int
    ):
        self._options = options
        self._parser = parser
        self._processes = processes
        self._driver = RunDriver(options, options.passes, parser)
        self.sources = self._driver.sources

    def read(self, ranks: int) -> tuple[ModuleOp, Mapping[str, Array]]:
        check_outputs(self._options)
        module = self._driver.read()
        wanted = ranks_to_run(host_function(module, self._options.host), self._driver.ranks)
        if wanted != ranks:
            from xdsl_pld.tools.mpi.world import MpiError

            raise MpiError(
                f"there are {ranks} processes, but the program runs on {wanted} ranks: start it "
                f"with mpirun -n {wanted}"
            )
        return module, given_arrays(self._options)

    @property
    def options(self) -> Mapping[str, Any]:
        return {name: value for name, value in vars(self._options).items() if name != "text"}

    def adopt(self, options: Mapping[str, Any]) -> None:
        vars(self._options).update(options)

    def context(self) -> Context:
        return self._driver.ctx

    def prepare(
        self, module: ModuleOp, given: Mapping[str, Array], engine: Engine, make: "Make"
    ) -> Run:
        # As many processes as ranks: `read` sees to that.
        return Run(module, self._processes, self._options, engine, given, make)

    @property
    def target(self) -> str:
        return self._options.target

    @property
    def shows_windows(self) -> bool:
        return self._options.save is not None or self._options.compare is not None

    def finish(self, execution: "Execution") -> int:
        assert isinstance(execution, Run)
        return finish(execution, self._options, self._parser)

    def diagnose(self, error: Exception) -> Sequence[Diagnostic]:
        return self._driver.diagnose(error)
