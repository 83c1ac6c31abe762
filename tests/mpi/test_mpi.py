"""
`pld-run --engine mpi`: the same bits as in one process, on all rails, with shared memory and
without; and a job that always ends, all of it, with what went wrong told once.

Starting a job costs a second or two, so each test runs many programs in one (cases.py, failing.py).
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.mpi.conftest import ROOT, TOOL, Jobs, members
from tests.mpi.failing import BUSY, FAILING, LATE

CASES = {
    2: "chip,chip@1,incore@1,host,poison@1,indexed,hundred,hundred@1,by meaning,host tensors,"
    "add i32@1",
    4: "chip,incore@2,host@3,put,store@2,get@1,load@2,add f32,add f16@1,add i8@2,domains@2,"
    "undeclared writes,host tensors",
}
"""What is run by how many ranks; @N: N of them share memory, the rest is RMA."""


@pytest.mark.parametrize("ranks", CASES)
def test_cases(jobs: Jobs, ranks: int):
    names = CASES[ranks].split(",")
    script = str(ROOT / "tests" / "mpi" / "cases.py")
    outcome = jobs.under_mpirun(ranks, sys.executable, script, str(jobs.folder), *names)
    failures = jobs.folder / "failures"
    assert not failures.exists(), failures.read_text()
    assert (outcome.status, outcome.err) == (0, "")
    assert (jobs.folder / "done").read_text().splitlines() == names


# What goes wrong.

PLACE = r"program\.mlir:\d+:\d+: "
TOLD = {
    "late": f"{PLACE}error: rank 0 has waited for more than 1.5 s \\(--wait-limit\\) for rank 1 of "
    "'world' to come to barrier on window 'signal'\n(.|\n)*note: rank 1 has finished\n",
    "busy": f"{PLACE}error: rank 0 has waited for more than 1.5 s \\(--wait-limit\\) for rank 1 of "
    "'world' to come to barrier on window 'signal'\n(.|\n)*note: rank 1 is at work\n",
    "wait": f"{PLACE}error: rank 0 has waited for more than 1.5 s \\(--wait-limit\\) for cell "
    r"\[0, 0\] of its window 'signal' to be >= 1; it is 0",
    "outside": f"{PLACE}error: offset 5 and size 1 leave the source in dimension 0, whose extent "
    "is 2\n(.|\n)*note: rank 1 comes here by this call\n",
    "other": f"{PLACE}error: rank 0 and rank 1 meet on one signal with barrier and broadcast\n",
    "bounds": f"{PLACE}error: the exchange is wrong: out_of_bounds: "
    r"rank \d block 0 writes 52 bytes at the window of rank \d \+ \d+, outside its buffers\n",
    "no credit": f"{PLACE}error: deadlock: rank 0 block 0 waited for more than 1.5 s; 1 blocks wait"
    r"\n(.|\n)*note: rank 0 block 0 waits for signal\[1, 0\], a credit of rank 1: expected at "
    "least 2, is 1\n",
    "credit left": f"{PLACE}error: credits_left: "
    r"signal\[\d, 0\] of rank \d is 1 at the end, not 0\n",
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


ENGINE, WINDOW = "/engine-", "/osc_sm"
"""What a rank has in its memory: the engine, and Open MPI's memory of a shared window."""


def running(process: int, mapped: str) -> bool:
    """Whether a process is a rank that has come as far as to have `mapped` in its memory."""
    folder = Path(f"/proc/{process}")
    try:
        is_rank = b"OMPI_COMM_WORLD_RANK=" in (folder / "environ").read_bytes()
        is_tool = b"xdsl_pld.tools.run" in (folder / "cmdline").read_bytes().split(b"\0")
        return is_rank and is_tool and mapped in (folder / "maps").read_text()
    except OSError:  # it has ended
        return False


def ranks_of(job: "subprocess.Popen[str]", wanted: int, mapped: str = ENGINE) -> list[int]:
    """The ranks of a job, as soon as all have `mapped`."""
    for _ in range(600):
        found = [process for process in members(job.pid) if running(process, mapped)]
        if len(found) == wanted:
            return found
        time.sleep(0.1)
    return []


@pytest.mark.parametrize("killed", ["rank", "launcher"])
def test_a_killed_process_ends_the_job(jobs: Jobs, killed: str):
    (jobs.folder / "busy.mlir").write_text(BUSY)
    limits = ("--max-steps", str(10**10), "--wait-limit", "100")
    job = jobs.start(*TOOL, "busy.mlir", "--ranks", "2", "--engine", "mpi", *limits)
    ranks = ranks_of(job, 2)
    if ranks:
        os.kill(ranks[-1] if killed == "rank" else job.pid, signal.SIGKILL)
    if killed == "launcher":
        job.wait()
        for _ in range(100):  # mpirun is told, and has to end the ranks
            if not members(job.pid):
                break
            time.sleep(0.1)
    outcome = jobs.end(job)
    assert ranks
    if killed == "rank":
        assert outcome.status == 1
        assert "error: the job ended with status 137: a rank was ended by SIGKILL\n" in outcome.err


def test_a_stopped_rank_ends_the_job(jobs: Jobs):
    """Rank 1 has finished, rank 0, which waits for it in a collective, never does."""
    (jobs.folder / "late.mlir").write_text(LATE)
    limits = ("--ranks", "2", "--wait-limit", "4")
    job = jobs.start(*TOOL, "late.mlir", "--engine", "mpi", *limits)
    ranks = ranks_of(job, 2, WINDOW)
    time.sleep(1)  # the window is there: rank 1 has nothing more to do
    for process in ranks:
        if b"OMPI_COMM_WORLD_RANK=0" in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
            os.kill(process, signal.SIGSTOP)
    outcome = jobs.end(job)
    assert ranks
    assert outcome.status == 1
    told = "error: rank 1 has waited for more than 4 s (--wait-limit) for rank 0 to finish\n"
    assert told in outcome.err


def test_a_rank_that_does_not_start_ends_the_job(jobs: Jobs):
    script = f"""\
[ $OMPI_COMM_WORLD_RANK = 1 ] && exec sleep 1000
exec {" ".join(TOOL)} late.mlir --engine mpi --wait-limit 1.5"""
    (jobs.folder / "late.mlir").write_text(LATE)
    outcome = jobs.under_mpirun(2, "sh", "-c", script)
    assert outcome.status == 128 + signal.SIGALRM


def test_the_options_of_rank_0_hold(jobs: Jobs):
    """And so does its environment."""
    script = f"""\
[ $OMPI_COMM_WORLD_RANK = 0 ] || export XDSL_PLD_MPI_NEIGHBOURS=x
[ $OMPI_COMM_WORLD_RANK = 0 ] && set -- --poison --save out.npz || set -- --max-steps 3
exec {" ".join(TOOL)} examples/chip_pipeline.mlir --engine mpi -q --wait-limit 9 "$@\""""
    outcome = jobs.under_mpirun(2, "sh", "-c", script)
    assert (outcome.status, outcome.err) == (0, "")
    assert (jobs.folder / "out.npz").exists()


def test_a_killed_mpirun_is_told_as_such(jobs: Jobs):
    (jobs.folder / "mpirun").write_text("#!/bin/sh\n[ $1 = --version ] || kill -TERM $$\n")
    (jobs.folder / "mpirun").chmod(0o755)
    (jobs.folder / "late.mlir").write_text(LATE)
    path = f"{jobs.folder}:{os.environ['PATH']}"
    outcome = jobs.run("late.mlir", "--ranks", "2", "--engine", "mpi", PATH=path)
    told = "error: the job ended with status -15: mpirun itself was ended by SIGTERM\n"
    assert (outcome.status, outcome.err) == (1, told)


# Starting.


PAGE = (ROOT / "docs" / "mpi.md").read_text()
SHOWN = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TIME = re.compile(r" +\d+\.\d$", re.MULTILINE)


@pytest.mark.parametrize("shown", SHOWN)
def test_the_commands_of_the_page(jobs: Jobs, shown: str):
    """Also: what is reported, with a timeline; and mpirun of the user, the program on its input."""
    command, expected = shown.removeprefix("$ ").split("\n", 1)
    (jobs.folder / "pld-run").write_text(f'#!/bin/sh\nexec {" ".join(TOOL)} "$@" --trace t.json\n')
    (jobs.folder / "pld-run").chmod(0o755)
    variables = {
        "PATH": f"{jobs.folder}:{os.environ['PATH']}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    outcome = jobs.end(jobs.start("sh", "-c", command, **variables))
    assert (outcome.status, outcome.err) == (0, "")
    assert TIME.sub(" _", outcome.out) == TIME.sub(" _", expected)
    trace = json.loads((jobs.folder / "t.json").read_text())["traceEvents"]
    lanes = {each["tid"] for each in trace if each.get("cat") == "collective"}
    assert lanes == {1, 2}


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
            "error: mpirun started 4 processes, but MPI sees 1: mpi4py uses another MPI, Open MPI",
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
