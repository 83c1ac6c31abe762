"""
This process as a rank: MPI is started here, once.

Reads   what the launcher of processes left in the environment, and MPI's own view of the job.
Decides whether both agree: a process of Open MPI's mpirun cannot start another MPI, and one that
        was started as one of several, but is alone for MPI, has an mpi4py that uses another MPI.
Changes the process: MPI is initialized, with one thread calling it at a time.
"""

import atexit
import os
import signal
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import mpi4py

mpi4py.rc.initialize = False  # `join` does it: where it cannot work, MPI would end the process
mpi4py.rc.finalize = True
from mpi4py import MPI  # noqa: E402

from xdsl_pld.tools.mpi.launcher import started_as  # noqa: E402

NEIGHBOURS = "XDSL_PLD_MPI_NEIGHBOURS"
"""
The variable that says how many ranks of a host share memory at most; 1: none, all is RMA. For tests
on one machine, and where a system's shared memory is small. Default: all ranks of a host.
"""


class MpiError(Exception):
    """MPI cannot be used as it is; the message says what to do."""


@dataclass(frozen=True)
class World:
    """All processes of the job."""

    comm: MPI.Intracomm
    neighbours: int | None
    """How many ranks of a host share memory at most; None: all."""
    wait_limit: float
    """Seconds that this rank waits for others."""

    @property
    def rank(self) -> int:
        return self.comm.rank

    @property
    def size(self) -> int:
        return self.comm.size


@contextmanager
def limited(seconds: float) -> Generator[None]:
    """
    Around calls of MPI that wait for other ranks: one that takes longer ends this process by
    SIGALRM, and mpirun then ends the job. Nothing else does: such calls return to Python for no
    signal, and no other thread of Python runs.
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def join(wait_limit: float) -> World:
    """The job that this process belongs to. Raises MpiError."""
    started = started_as()
    if started is not None and started.by_open_mpi and "Open MPI" not in version():
        raise _other_mpi("mpirun is Open MPI's")
    if not MPI.Is_initialized():
        # Where there are more ranks than cores, one that waits inside of MPI gives its core away.
        # Open MPI does so by itself only where it knows; what the user says goes first.
        os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
        # One thread at a time: not every MPI has RMA with more.
        with (
            warnings.catch_warnings(category=RuntimeWarning, action="ignore"),
            limited(wait_limit),
        ):
            MPI.Init_thread(MPI.THREAD_SERIALIZED)  # it warns of what is told below
        # mpi4py ends MPI after this, which waits for the others, too.
        atexit.register(signal.setitimer, signal.ITIMER_REAL, wait_limit)
    comm = MPI.COMM_WORLD
    if started is not None and started.size != comm.size:
        raise _other_mpi(f"mpirun started {started.size} processes, but MPI sees {comm.size}")
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        raise MpiError(
            f"this MPI ({version()}) lets only one thread call it: --engine mpi needs "
            "MPI_THREAD_SERIALIZED; use an MPI that was built with threads"
        )
    with limited(wait_limit):
        return World(comm, _neighbours(comm), wait_limit)


def _other_mpi(what: str) -> MpiError:
    return MpiError(
        f"{what}: mpi4py uses another MPI, {version()}. Put the mpirun of that one first on PATH, "
        "or install mpi4py for the other: pip install --force-reinstall --no-binary mpi4py mpi4py"
    )


def version() -> str:
    """The name and version of the MPI library in use."""
    name, numbers = MPI.get_vendor()
    return f"{name} {'.'.join(map(str, numbers))}"


def _neighbours(comm: MPI.Intracomm) -> int | None:
    """What rank 0's environment says: ranks that differ would wait for each other."""
    text: str | None = comm.bcast(os.environ.get(NEIGHBOURS))
    if text is None:
        return None
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise MpiError(f"{NEIGHBOURS} is '{text}': it must be a number of ranks, at least 1")
    return value
