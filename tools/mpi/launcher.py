"""
Starts the ranks of a job by mpirun.

Reads   PATH, and what `mpirun --version` says; the machine's cores; who the user is.
Decides the command line: flags that a common user on a large machine needs not are left out.
Changes nothing but what the job itself does. mpirun is a child of this process: it is told to end
        when this process ends, and takes the ranks with it.
"""

import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

EXTRA = "pip install 'xdsl-pld[mpi]'"
_STARTERS = ("mpirun", "mpiexec")
_GRACE = 5.0
"""Seconds that mpirun has to end the ranks before it is killed."""
_ALLOCATIONS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE")
"""Variables of resource managers, which say themselves how many processes a host takes."""


class LaunchError(Exception):
    """The ranks cannot be started; the message says what to install."""


class Started(NamedTuple):
    """What the environment says of this process: it is one of several."""

    by_open_mpi: bool
    rank: int
    size: int


_PROCESS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
)
"""What mpirun leaves for its processes: Open MPI's; MPICH's and Intel's; MVAPICH2's."""


def started_as() -> Started | None:
    """Which process of a job this one is, None where nothing like mpirun has started it."""
    for rank, size in _PROCESS:
        if rank in os.environ and size in os.environ:
            with suppress(ValueError):
                by_open_mpi = rank.startswith("OMPI")
                return Started(by_open_mpi, int(os.environ[rank]), int(os.environ[size]))
    return None


class _Starter(NamedTuple):
    command: str
    open_mpi: bool


def _starter() -> _Starter:
    for name in _STARTERS:
        command = shutil.which(name)
        if command is None:
            continue
        try:
            done = subprocess.run(
                [command, "--version"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=30,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LaunchError(f"{command} cannot be run: {error}") from error
        return _Starter(command, "Open MPI" in done.stdout + done.stderr)
    raise LaunchError(
        f"no {' or '.join(_STARTERS)} on PATH: --engine mpi needs Open MPI or MPICH; on Debian: "
        "apt install openmpi-bin libopenmpi-dev"
    )


def check_installed() -> None:
    """Raises LaunchError where mpi4py is missing."""
    if importlib.util.find_spec("mpi4py") is None:
        raise LaunchError(f"--engine mpi needs mpi4py, which is not installed: {EXTRA}")


def command_line(ranks: int, program: Sequence[str]) -> list[str]:
    """How `program` is started as `ranks` processes. Raises LaunchError."""
    starter = _starter()
    flags: list[str] = []
    if starter.open_mpi:
        # A rank's blocks are threads: bound to the core of one, they would take turns. And what
        # went wrong is told by the ranks.
        flags += ["--bind-to", "none", "--quiet"]
        if os.geteuid() == 0:
            flags.append("--allow-run-as-root")
        if ranks > _cores() and not any(name in os.environ for name in _ALLOCATIONS):
            flags.append("--oversubscribe")
    return [starter.command, "-n", str(ranks), *flags, *program]


def _cores() -> int:
    """
    The cores of this machine, each counted once whatever its threads: as many processes does Open
    MPI start on it by itself. A lower number does no harm.
    """
    siblings: set[str] = set()
    for file in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list"):
        with suppress(OSError):
            siblings.add(file.read_text().strip())
    return len(siblings) or 1


class Ended(NamedTuple):
    """How a job has ended."""

    status: int
    """mpirun's exit status, negative where a signal ended it."""
    told: bool
    """Whether anything came on standard error."""
    command: Sequence[str]


def launch(ranks: int, program: Sequence[str], text: bytes | None = None) -> Ended:
    """
    Runs `program` as `ranks` processes; `text` is what rank 0 finds on its standard input, by
    default this process's own. Raises LaunchError.
    """
    command = command_line(ranks, program)
    stdin = None if text is None else subprocess.PIPE
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        job = subprocess.Popen(
            command, stdin=stdin, stderr=subprocess.PIPE, preexec_fn=_end_with_parent()
        )
    except OSError as error:
        raise LaunchError(f"{command[0]} cannot be run: {error}") from error
    with _passing_signals_on(job):
        errors = _Errors(job)
        try:
            if job.stdin is not None and text is not None:
                with suppress(BrokenPipeError), job.stdin:
                    job.stdin.write(text)
            job.wait()
        finally:
            _end(job)
            errors.join(_GRACE)
    return Ended(job.returncode, errors.any, command)


class _Errors(threading.Thread):
    """Passes on what a job writes to standard error."""

    def __init__(self, job: "subprocess.Popen[bytes]"):
        super().__init__(daemon=True)
        assert job.stderr is not None
        self._stream = job.stderr
        self.any = False
        self.start()

    def run(self) -> None:
        with self._stream:
            for line in self._stream:
                self.any = True
                sys.stderr.write(line.decode(errors="replace"))
                sys.stderr.flush()


def _end(job: "subprocess.Popen[bytes]") -> None:
    if job.poll() is not None:
        return
    job.terminate()
    try:
        job.wait(_GRACE)
    except subprocess.TimeoutExpired:
        job.kill()
        job.wait()


@contextmanager
def _passing_signals_on(job: "subprocess.Popen[bytes]") -> Generator[None]:
    """A signal that is to end this process ends the job first."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before: dict[int, Any] = {}
    for number in (signal.SIGTERM, signal.SIGHUP):
        with suppress(ValueError):  # not the main thread: signals are not ours to handle
            before[number] = signal.signal(number, pass_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_with_parent() -> Callable[[], None] | None:
    """Has a child told to end when this process is killed, where the system can do that."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    set_parent_death_signal = 1

    def ask() -> None:
        libc.prctl(set_parent_death_signal, signal.SIGTERM, 0, 0, 0)

    return ask
