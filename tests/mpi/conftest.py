"""
What the tests of MPI share: an MPI job, started as a user would, that ends in time.

They need mpirun, its compiler and mpi4py; where one is missing they say that they are left out.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (
    "left out: no MPI; it takes the system's (Debian: openmpi-bin, libopenmpi-dev) and "
    "`pip install -e .[mpi]`"
)
LIMIT = 120
"""Seconds after which a job is taken for one that does not end."""
TOOL = (sys.executable, "-m", "xdsl_pld.tools.run")


def has_mpi() -> bool:
    return all(map(shutil.which, ("mpirun", "mpicxx"))) and find_spec("mpi4py") is not None


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Jobs:
    """Starts jobs, with the compiled kernels of the whole test run."""

    folder: Path
    environment: dict[str, str]

    def start(self, *command: str, **variables: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def end(self, job: "subprocess.Popen[str]") -> Outcome:
        """Waits for the end; fails where processes of the job are left."""
        try:
            out, err = job.communicate(timeout=LIMIT)
        finally:
            left = members(job.pid)
            for process in left:
                os.kill(process, signal.SIGKILL)
        assert left == []
        return Outcome(job.returncode, out, err)

    def run(self, *options: str, **variables: str) -> Outcome:
        """`pld-run` with options."""
        return self.end(self.start(*TOOL, *options, **variables))

    def under_mpirun(self, ranks: int, *program: str, **variables: str) -> Outcome:
        """A program in as many processes, started by mpirun itself."""
        flags = ["--oversubscribe", "--bind-to", "none", "--quiet"]
        if os.geteuid() == 0:
            flags.append("--allow-run-as-root")
        return self.end(self.start("mpirun", "-n", str(ranks), *flags, *program, **variables))


def members(session: int) -> Sequence[int]:
    """The processes of a session that have not ended."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of, *_ = status.read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(of) == session and state != "Z":
            found.append(int(status.parent.name))
    return found


@pytest.fixture(scope="session")
def mpi_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if not has_mpi():
        if os.environ.get("PLD_REQUIRE_MPI"):
            pytest.fail(LEFT_OUT)
        pytest.skip(LEFT_OUT)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_")}
    compiled = tmp_path_factory.mktemp("compiled")
    kept |= {"XDSL_PLD_CACHE": str(compiled), "PYTHONPATH": str(ROOT)}
    return kept


@pytest.fixture
def jobs(mpi_environment: dict[str, str], tmp_path: Path) -> Jobs:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return Jobs(tmp_path, mpi_environment)
