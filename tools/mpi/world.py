"""
This process as a rank: MPI is started here, once, when this module is imported.

Reads   what the launcher of processes left in the environment, and MPI's own view of the job.
Decides whether both agree: a process that was started as one of several, but is alone for MPI, has
        an mpi4py that uses another MPI than mpirun does.
Changes the process: MPI is initialized, with one thread calling it at a time.
"""

import os
from dataclasses import dataclass

import mpi4py

# Where there are more ranks than cores, one that waits inside of MPI gives its core away. Open MPI
# does so by itself only where it knows; what the user says goes first.
os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
mpi4py.rc.thread_level = "serialized"  # one thread at a time: not every MPI has RMA with more

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

    @property
    def rank(self) -> int:
        return self.comm.rank

    @property
    def size(self) -> int:
        return self.comm.size


def join() -> World:
    """The job that this process belongs to. Raises MpiError."""
    comm = MPI.COMM_WORLD
    started = started_as()
    if started is not None and started.size != comm.size:
        raise MpiError(
            f"{started.by} started {started.size} processes, but MPI sees {comm.size}: mpi4py uses "
            f"another MPI than {started.by} ({version()}). Put the mpirun of that MPI first on "
            "PATH, or install mpi4py for yours: pip install --force-reinstall --no-binary mpi4py "
            "mpi4py"
        )
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        raise MpiError(
            f"this MPI ({version()}) lets only one thread call it: --engine mpi needs "
            "MPI_THREAD_SERIALIZED; use an MPI that was built with threads"
        )
    return World(comm, _neighbours())


def version() -> str:
    """The name of the MPI library in use."""
    return MPI.Get_library_version().partition("\n")[0].rstrip("\0 ,")


def _neighbours() -> int | None:
    text = os.environ.get(NEIGHBOURS)
    if text is None:
        return None
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise MpiError(f"{NEIGHBOURS} is '{text}': it must be a number of ranks, at least 1")
    return value
