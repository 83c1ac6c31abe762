"""
Many programs in one MPI job: the smaller verification matrix, run by every rank of `mpirun`.

    mpirun -n P python cases.py FOLDER

Rank 0 checks each case against the contract and against the simulator's arrays, bit for bit, and
writes what is wrong to FOLDER/failures. It says how many cases there were in FOLDER/done.
"""

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.run.matrix import PASSES, Case
from xdsl_pld.tools import run
from xdsl_pld.tools.interpreter.arrays import first_difference

Array = NDArray[np.generic]
FOLDER = Path(sys.argv[1])
RANK, RANKS = (int(os.environ[f"OMPI_COMM_WORLD_{name}"]) for name in ("RANK", "SIZE"))


def pld_run(*options: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = run.main(list(options))
    return status, out.getvalue()


def cases() -> Iterator[tuple[str, Case, list[str]]]:
    """What is run, with a name and options."""
    for rail, passes in PASSES.items():
        blocks = 1 if rail == "incore" else 3
        for lowered in (False, True):
            case = Case(RANKS, core_num=blocks)
            options = ["-p", passes] if lowered else []
            yield rail, case, options
    yield "chip", Case(RANKS, core_num=5, element="i8", width=7), ["--poison"]
    yield "chip", Case(RANKS, core_num=2, indexed=True), ["-p", PASSES["chip"]]
    hundred = np.random.default_rng(RANKS).integers(-1, 5, (100, RANKS, RANKS), np.int32)
    yield "chip", Case(RANKS, core_num=2, counts=hundred), ["-p", PASSES["chip"]]


def outputs(program: Path, case: Case, engine: str, options: list[str]) -> Mapping[str, Array]:
    saved = FOLDER / f"{engine}.npz"
    inputs = ["--inputs", str(FOLDER / "in.npz"), "--save", str(saved), "-q"]
    ranks = ["--ranks", str(case.ranks)]
    status, out = pld_run(str(program), *ranks, *inputs, *options, "--engine", engine)
    assert (status, out) == (0, ""), (status, out)
    return dict(np.load(saved)) if RANK == 0 else {}


def check(rail: str, case: Case, options: list[str]) -> None:
    program = FOLDER / "program.mlir"
    if RANK == 0:
        program.write_text(case.text(rail))
        np.savez(FOLDER / "in.npz", **case.inputs())
    got = outputs(program, case, "mpi", options)
    if RANK == 0:
        case.check(got)
        expected = outputs(program, case, "sim", options)
        difference = first_difference(expected, got, RANKS)
        assert difference is None, difference


def main() -> None:
    done = 0
    for rail, case, options in cases():
        try:
            check(rail, case, options)
        except Exception:
            with (FOLDER / "failures").open("a") as file:
                file.write(f"rank {RANK}: {rail} {case} {options}\n{traceback.format_exc()}\n")
            os._exit(1)
        done += 1
    if RANK == 0:
        (FOLDER / "done").write_text(str(done))


main()
