"""
`--engine sim`: exchanges by the compiled kernels give the bits of the operators' meaning, and a
kernel that is broken on purpose is an error at the collective.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.templates.render import Renderer
from xdsl_pld.tools import run

L2_CTX = "lower-l2-tensor-collectives,materialize-dist-tensor-ctx"
COUNTS = ([0, 1, 3, 2], [4, -1, 3, 1], [9, 3, -(2**31), 0], [2, 2, 2, 3])


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch, compiled_kernels: Path, run_text: Callable) -> Callable:
    """Runs a program by compiled kernels and compares with the reference semantics."""
    monkeypatch.setenv("XDSL_PLD_CACHE", str(compiled_kernels))

    def run_it(text: str, *options: str, **inputs: object):
        return run_text(text, "--engine", "sim", "--poison", "--compare", "ir", *options, **inputs)

    return run_it


def counts(ranks: int) -> np.ndarray:
    """[P, steps, P, 1], of every kind."""
    values = np.array(COUNTS, np.int64)[:, np.newaxis, :ranks] + np.arange(ranks)[:, np.newaxis]
    return values.astype(np.int32).transpose(1, 0, 2)[..., np.newaxis].copy()


@pytest.mark.parametrize(
    ("ranks", "element", "core_num"),
    [(1, "f32", 7), (2, "f32", 1), (2, "i8", 4), (3, "i8", 2), (3, "f32", 7), (4, "f32", 4)],
)
def test_the_compiled_exchange(
    sim: Callable, exchange_text: Callable, ranks: int, element: str, core_num: int
):
    text = exchange_text(ranks, 3, 13, len(COUNTS), element=element, core_num=core_num)
    for passes in ("", L2_CTX):
        outcome = sim(text, "-p", passes, inputs={"countss": counts(ranks)})
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.endswith("compared with ir: the same bits\n")
        assert not outcome.arrays["window.signal"].any()


def test_collectives_without_a_kernel_are_executed_by_their_meaning(
    sim: Callable, program: Callable
):
    data, signal = "tensor<4x4xf32>", "tensor<2x1xi32>"
    d_data, d_signal = f"!pld.dist_tensor<{data}>", f"!pld.dist_tensor<{signal}>"
    body = f"""\
  %s = pl.tensor.assemble %inp into %data[0, 0] : {data}, {d_data}
  %h = pld.tensor.allreduce %data, %signal {{op = "sum"}} : {d_data}, {d_signal}"""
    windows = {"data": data, "signal": signal}
    outcome = sim(program(2, {"inp": data}, windows, body).text())
    assert outcome.status == 0
    assert np.array_equal(outcome.arrays["window.data"][0], outcome.arrays["inps"].sum(axis=0))


BARRIER = "  credit_peers(lane);\n  await_peers(lane, 2);\n"


@pytest.mark.parametrize(
    ("substitutions", "message"),
    [
        (
            [(BARRIER, ""), ("TNOTIFY(credit, -2,", "TNOTIFY(credit, -1,")],
            "program.mlir:11:5: error: the exchange is wrong: unordered: ",
        ),
        (
            [("static_cast<int32_t>(rows)", "static_cast<int32_t>(rows + 1)")],
            "error: comparison failed: rank 0, array 'recvds', row 0, column 0, 0: expected 0, "
            "got 1",
        ),
        (
            [("credit, -2, pto::comm::NotifyOp::AtomicAdd", "credit, 0, pto::comm::NotifyOp::Set")],
            "program.mlir:11:5: error: ",
        ),
    ],
    ids=["second barrier removed", "wrong count", "credits reset, not subtracted"],
)
def test_broken_kernels(
    sim: Callable,
    exchange_text: Callable,
    monkeypatch: pytest.MonkeyPatch,
    substitutions: list[tuple[str, str]],
    message: str,
):
    rendered = Renderer.kernel

    def broken(self: Renderer, handle: str, variables: str) -> str:
        text = rendered(self, handle, variables)
        for old, new in substitutions:
            assert old in text
            text = text.replace(old, new)
        return text

    monkeypatch.setattr(Renderer, "kernel", broken)
    text = exchange_text(2, 3, 13, len(COUNTS))
    outcome = sim(text, inputs={"countss": counts(2)})
    assert outcome.status == 1
    assert message in outcome.err


def test_an_element_type_without_a_kernel_is_executed_by_its_meaning(
    sim: Callable, exchange_text: Callable
):
    outcome = sim(exchange_text(2, 3, 13, 1, element="f16"))
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.endswith("compared with ir: the same bits\n")


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, run_text: Callable, exchange_text: Callable):
    monkeypatch.setenv("CXX", "no-such-compiler")
    outcome = run_text(exchange_text(2, 3, 13, 1), "--engine", "sim")
    assert outcome.status == 1
    assert "no C++ compiler found (looked for no-such-compiler)" in outcome.err
    assert "--engine ir needs none" in outcome.err


def test_the_simulator_is_the_default(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    exchange_text: Callable,
    tmp_path: Path,
):
    monkeypatch.setenv("CXX", "no-such-compiler")
    (tmp_path / "program.mlir").write_text(exchange_text(2, 3, 13, 1))
    assert run.main([str(tmp_path / "program.mlir")]) == 1
    assert "no C++ compiler found" in capsys.readouterr().err
