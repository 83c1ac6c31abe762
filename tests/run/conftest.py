"""
What the tests of `pld-run` share: a way to run a text, and programs of P ranks.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.run.programs import Program, exchange
from xdsl_pld.tools import run
from xdsl_pld.tools.sim.compiler import CompilerError, find_compiler

Array = NDArray[np.generic]


@dataclass(frozen=True)
class Outcome:
    """What a run of `pld-run` left behind."""

    status: int
    out: str
    err: str
    arrays: Mapping[str, Array] = field(default_factory=dict)

    def column(self, title: str) -> list[int]:
        """A column of the report, by rank."""
        header, *lines = self.out.splitlines()
        titles = [t.strip() for t in header.split("  ") if t.strip()]
        at = titles.index(title)
        rows = [line.split() for line in lines if line.strip()[:1].isdigit()]
        return [int(row[at]) for row in rows]


RunText = Callable[..., Outcome]


@pytest.fixture
def run_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> RunText:
    """
    Runs a program text, by the reference semantics if nothing else is said; keyword `inputs` are
    arrays by parameter name.
    """

    def run_it(text: str, *options: str, inputs: Mapping[str, Array] | None = None) -> Outcome:
        program, saved = tmp_path / "program.mlir", tmp_path / "out.npz"
        program.write_text(text)
        saved.unlink(missing_ok=True)
        arguments = [str(program), "--save", str(saved), *options]
        if not any(option.startswith("--engine") for option in options):
            arguments += ["--engine", "ir"]
        if inputs is not None:
            np.savez(tmp_path / "in.npz", **inputs)
            arguments += ["--inputs", str(tmp_path / "in.npz")]
        status = run.main(arguments)
        captured = capsys.readouterr()
        arrays = dict(np.load(saved)) if saved.exists() else {}
        err = captured.err.replace(f"{tmp_path}/", "")
        return Outcome(status, captured.out, err, arrays)

    return run_it


@pytest.fixture
def succeed(run_text: RunText) -> RunText:
    """As `run_text`, for programs that must run."""

    def run_it(text: str, *options: str, inputs: Mapping[str, Array] | None = None) -> Outcome:
        outcome = run_text(text, *options, inputs=inputs)
        assert (outcome.status, outcome.err) == (0, "")
        return outcome

    return run_it


@pytest.fixture(scope="session")
def compiled_kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that compiled kernels are kept in; skips where there is no compiler."""
    try:
        find_compiler()
    except CompilerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def program() -> type[Program]:
    return Program


@pytest.fixture
def exchange_text() -> Callable[..., str]:
    return exchange
