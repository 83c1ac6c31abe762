"""
`pld-run --engine mpi`: the same bits as on one machine, on all rails, with shared memory and without;
and a job that always ends, all of it, with what went wrong told once.

Starting a job costs a second or two, so each test runs many programs in one (cases.py, failing.py).
"""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.mpi.conftest import ROOT, TOOL, Jobs, members
from tests.mpi.failing import FAILING, LATE, only_on_rank_0

CASES = {
    # ranks, ranks that share memory, cases
    "2 ranks": (
        2,
        None,
        "chip,chip as written,incore,host,poison,indexed,hundred,by meaning,host tensors",
    ),
    "2 ranks, RMA": (2, 1, "chip,incore,host,poison,hundred,add i32,add f16"),
    "4 ranks": (
        4,
        None,
        "chip,incore,host,hundred,put,store,get,load,add f32,add i8,by meaning,domains,"
        "undeclared writes,host tensors",
    ),
    "4 ranks, two by two": (4, 2, "chip,incore,hundred,put,get,add f32,domains"),
}


@pytest.mark.parametrize("name", CASES)
def test_cases(jobs: Jobs, name: str):
    ranks, neighbours, cases = CASES[name]
    variables = {} if neighbours is None else {"XDSL_PLD_MPI_NEIGHBOURS": str(neighbours)}
    script = str(ROOT / "tests" / "mpi" / "cases.py")
    names = cases.split(",")
    outcome = jobs.under_mpirun(
        ranks, sys.executable, script, str(jobs.folder), *names, **variables
    )
    failures = jobs.folder / "failures"
    assert not failures.exists(), failures.read_text()
    assert (outcome.status, outcome.err) == (0, "")
    assert (jobs.folder / "done").read_text().splitlines() == names


# What goes wrong.

PLACE = r"program\.mlir:\d+:\d+: "
TOLD = {
    "late": f"{PLACE}error: rank 0 has waited for more than 1.5 s \\(--wait-limit\\) for rank 1 of "
    "'world' to come to barrier on window 'signal'\n(.|\n)*note: rank 1 has finished\n",
    "wait": f"{PLACE}error: rank 0 has waited for more than 1.5 s \\(--wait-limit\\) for cell "
    r"\[0, 0\] of its window 'signal' to be >= 1; it is 0",
    "outside": f"{PLACE}error: offset 5 and size 1 leave the source in dimension 0, whose extent "
    "is 2\n(.|\n)*note: rank 1 comes here by this call\n",
    "other": f"{PLACE}error: rank 0 and rank 1 meet on one signal with barrier and broadcast\n",
    "bounds": f"{PLACE}error: the exchange is wrong: out_of_bounds: rank 0 block 0 reads 52 bytes",
    "peer's bounds": f"{PLACE}error: the exchange is wrong: out_of_bounds: rank 0 block 0 writes 52 "
    r"bytes at the window of rank \d \+ \d+, outside its buffers\n",
    "no credit": f"{PLACE}error: deadlock: rank 0 block 0 waited for more than 1.5 s; 1 blocks wait"
    r"\n(.|\n)*note: rank 0 block 0 waits for signal\[1, 0\], a credit of rank 1: expected at "
    "least 2, is 1\n",
    "credit left": f"{PLACE}error: credits_left: signal\\[1, 0\\] of rank 0 is 1 at the end, not 0\n",
    "ranks": "error: there are 2 processes, but the program runs on 3 ranks: start it with mpirun "
    "-n 3\n",
    "text": r"program\.mlir:1:17: error: expected an operation",
}


def test_what_goes_wrong_is_told_once(jobs: Jobs):
    script = str(ROOT / "tests" / "mpi" / "failing.py")
    outcome = jobs.under_mpirun(2, sys.executable, script, str(jobs.folder))
    assert (outcome.status, outcome.err) == (1, "")
    assert TOLD.keys() == FAILING.keys()
    for name, told in TOLD.items():
        status, first = (jobs.folder / f"{name}.0").read_text().split("\n", 1)
        assert status == "1"
        assert re.match(told, first), (name, first)
        assert first.count("error: ") == 1
        assert (jobs.folder / f"{name}.1").read_text() == "1\n"


BUSY = only_on_rank_0(
    "%g = pld.tensor.barrier %signal : SIGNAL",
    """\
%c1 = arith.constant 1 : index
    %many = arith.constant 1000000000 : index
    scf.for %i = %c0 to %many step %c1 {
      %x = arith.addi %one, %one : i32
    }""",
)
"""Rank 0 waits for rank 1, which computes for long."""


def processes(session: int, wanted: int) -> list[int]:
    """The ranks of a job that runs in a session, as soon as they do."""
    for _ in range(600):
        found: list[int] = []
        for process in members(session):
            arguments = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            environment = Path(f"/proc/{process}/environ").read_bytes()
            if b"xdsl_pld.tools.run" in arguments and b"OMPI_COMM_WORLD_RANK=" in environment:
                found.append(process)
        # An engine that is loaded says that the program runs.
        if len(found) == wanted and all("engine-" in maps(process) for process in found):
            return found
        time.sleep(0.1)
    raise AssertionError("the job does not start")


def maps(process: int) -> str:
    return Path(f"/proc/{process}/maps").read_text()


@pytest.mark.parametrize("killed", ["rank", "launcher"])
def test_a_killed_process_ends_the_job(jobs: Jobs, killed: str):
    (jobs.folder / "busy.mlir").write_text(BUSY)
    limits = ("--max-steps", str(10**10), "--wait-limit", "100")
    job = jobs.start(*TOOL, "busy.mlir", "--ranks", "2", "--engine", "mpi", *limits)
    ranks = processes(job.pid, 2)
    os.kill(ranks[-1] if killed == "rank" else job.pid, signal.SIGKILL)
    if killed == "launcher":
        job.wait()
        for _ in range(100):  # mpirun is told, and has to end the ranks
            if not members(job.pid):
                break
            time.sleep(0.1)
    outcome = jobs.end(job)
    if killed == "rank":
        assert outcome.status == 1
        assert "error: the job ended with status 137: a rank was ended by SIGKILL\n" in outcome.err


def test_a_rank_that_computes_is_stopped(jobs: Jobs):
    (jobs.folder / "busy.mlir").write_text(BUSY)
    limits = ("--max-steps", str(10**10), "--wait-limit", "1")
    outcome = jobs.run("busy.mlir", "--ranks", "2", "--engine", "mpi", *limits)
    assert outcome.status == 1
    assert outcome.err.count("error: ") == 1
    assert "rank 1 of 'world' to come to barrier on window 'signal'\n" in outcome.err


# Starting.


def test_the_report_is_that_of_any_run(jobs: Jobs):
    options = ("examples/chip_pipeline.mlir", "--seed", "7", "--trace", "t.json")
    outcome = jobs.run(*options, "--engine", "mpi", "--compare", "ir")
    assert (outcome.status, outcome.err) == (0, "")
    *table, compared = outcome.out.splitlines()
    assert compared == "compared with ir: the same bits"
    reference = jobs.run(*options)
    assert [line.split()[:-1] for line in table[1:]] == [
        line.split()[:-1] for line in reference.out.splitlines()[1:]
    ]
    trace = (jobs.folder / "t.json").read_text()
    assert '"rank 1"' in trace


def test_under_mpirun_of_the_user_with_standard_input(jobs: Jobs):
    """As many as mpirun starts; the text comes to rank 0 alone."""
    (jobs.folder / "late.mlir").write_text(LATE)
    shell = f"{' '.join(TOOL)} - --engine mpi --wait-limit 1 < late.mlir"
    flags = "--oversubscribe --quiet" + (" --allow-run-as-root" if os.geteuid() == 0 else "")
    outcome = jobs.end(jobs.start("sh", "-c", f"mpirun -n 2 {flags} {shell}"))
    assert outcome.status == 1
    assert outcome.err.startswith("<stdin>:10:5: error: rank 0 has waited for more than 1 s")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            {"PATH": "/nowhere"},
            "error: no mpirun or mpiexec on PATH: --engine mpi needs Open MPI or MPICH; on Debian: "
            "apt install openmpi-bin libopenmpi-dev\n",
        ),
        (
            {"PMI_RANK": "0", "PMI_SIZE": "4"},
            "error: mpirun started 4 processes, but MPI sees 1: mpi4py uses another MPI than mpirun",
        ),
        (
            {"MPI4PY_MPIABI": "mpich", "PMI_RANK": "0", "PMI_SIZE": "1"},
            "error: mpi4py finds no MPI library: ",
        ),
    ],
    ids=["no mpirun", "another MPI", "no library"],
)
def test_what_is_missing_is_told(jobs: Jobs, variables: dict[str, str], message: str):
    (jobs.folder / "late.mlir").write_text(LATE)
    outcome = jobs.run("late.mlir", "--ranks", "2", "--engine", "mpi", **variables)
    assert outcome.status == 1
    assert outcome.err.startswith(message), outcome.err
