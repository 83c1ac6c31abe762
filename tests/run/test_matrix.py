"""
The verification matrix (matrix.py) through pld-run's Python API, by the operators' meaning and by
the kernels themselves.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.run.matrix import PASSES, Case, rows_sent
from xdsl_pld.tools.interpreter.collectives import ReferenceEngine
from xdsl_pld.tools.interpreter.exchange import Exchange
from xdsl_pld.tools.interpreter.memory import POISON

RANKS = (1, 2, 3, 4)
BLOCKS = (1, 2, 4, 7)


@pytest.fixture
def run_case(monkeypatch: pytest.MonkeyPatch, compiled_kernels: Path, succeed: Callable):
    """Runs a case on a rail, lowered or as written, and holds it to the contract."""
    monkeypatch.setenv("XDSL_PLD_CACHE", str(compiled_kernels))

    def run(case: Case, *options: str, rail: str = "chip", passes: str | None = None):
        lowered = PASSES[rail] if passes is None else passes
        text = case.text(rail)
        outcome = succeed(
            text, "--ranks", str(case.ranks), "-p", lowered, *options, inputs=case.inputs()
        )
        case.check(outcome.arrays)
        return outcome

    return run


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("element", ["f32", "i8"])
def test_the_kernel(run_case: Callable, ranks: int, blocks: int, element: str):
    """Counts of every kind back to back on one signal; no bit depends on core_num."""
    run_case(Case(ranks, blocks, element), "--engine", "sim")


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize(("element", "blocks"), [("f32", 2), ("i8", 7)])
def test_the_meaning(run_case: Callable, ranks: int, element: str, blocks: int):
    run_case(Case(ranks, blocks, element), passes="")


@pytest.mark.parametrize("engine", ["ir", "sim"])
@pytest.mark.parametrize("rail", ["host", "incore"])
@pytest.mark.parametrize(("ranks", "element"), [(1, "f32"), (2, "i8"), (3, "f32")])
def test_the_other_rails(run_case: Callable, engine: str, rail: str, ranks: int, element: str):
    blocks = 4 if rail == "host" else 1
    run_case(Case(ranks, blocks, element), "--engine", engine, rail=rail)


@pytest.mark.parametrize("rail", ["host", "incore"])
def test_the_other_rails_as_written(run_case: Callable, rail: str):
    run_case(Case(3, 2), "--engine", "sim", rail=rail, passes="")


@pytest.mark.parametrize("engine", ["ir", "sim"])
@pytest.mark.parametrize(("ranks", "blocks"), [(1, 4), (2, 2), (3, 7), (4, 4)])
def test_indexed(run_case: Callable, engine: str, ranks: int, blocks: int):
    """Repeated rows on even ranks, permuted ones on odd ranks."""
    run_case(Case(ranks, blocks, "f32", indexed=True), "--engine", engine)


@pytest.mark.parametrize("engine", ["ir", "sim"])
def test_poison(run_case: Callable, engine: str):
    """Windows are poison before each exchange; rows past the count keep what was there."""
    run_case(Case(3, 4), "--engine", engine, "--poison")


@pytest.mark.parametrize("rail", PASSES)
def test_an_exchange_finds_poison(run_case: Callable, monkeypatch: pytest.MonkeyPatch, rail: str):
    """In each of several exchanges, on rails that do not expand it, all that may be written."""
    case, seen = Case(2, counts=np.full((3, 2, 2), 2, np.int32)), []
    execute = ReferenceEngine.run

    def watched(self: ReferenceEngine, exchange: Exchange) -> None:
        for role in ("target", "recv_counts"):
            seen.extend((array.view("u1") == POISON).all() for array in exchange.of(role))
        execute(self, exchange)

    monkeypatch.setattr(ReferenceEngine, "run", watched)
    run_case(case, "--poison", rail=rail, passes="")
    assert seen == [True] * (3 * 2 * 2)


def test_a_thousand_exchanges(run_case: Callable):
    """Each rank goes on as soon as its own blocks have ended, so credits come early."""
    counts = np.random.default_rng(5).integers(-1, 4, (1000, 2, 2)).astype(np.int32)
    run_case(Case(2, 2, "i8", capacity=2, width=3, counts=counts), "--engine", "sim", passes="")


def test_the_same_steps_on_two_rails(run_case: Callable):
    """Stage, exchange, consume: one dispatch or three, the same bits and bytes."""
    case = Case(3, 4, counts=np.array([[[1, 2, 9], [0, 3, 1], [2, -1, 3]]], np.int32))
    rows = rows_sent(case.tables[0], case.capacity)
    sent = [
        int(rows[r].sum() - rows[r, r]) * case.width * 4 + (case.ranks - 1) * 4
        for r in range(case.ranks)
    ]
    outcomes = []
    for rail, dispatches in (("chip", 1), ("host", 3)):
        for engine in ("ir", "sim"):
            outcome = run_case(case, "--engine", engine, rail=rail)
            assert outcome.column("dispatches L3->L2") == [dispatches] * case.ranks
            assert outcome.column("bytes on the wire") == sent
            outcomes.append(outcome)
    for name in ("gots", "recvds", "window.data", "window.recv"):
        first, *others = (outcome.arrays[name].tobytes() for outcome in outcomes)
        assert others == [first] * 3
