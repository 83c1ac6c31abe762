"""
`pld-run` as a tool: the examples at every stage, report, timeline, comparison, inputs.
"""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.tools import run
from xdsl_pld.tools.interpreter.arrays import first_difference

EXAMPLES = sorted(
    p.name for p in (Path(__file__).parents[2] / "examples").glob("chip_pipeline*.mlir")
)
L2, CTX = "lower-l2-tensor-collectives", "materialize-dist-tensor-ctx"
STAGES = ("", L2, CTX, f"{L2},{CTX}", f"canonicalize,{L2},{CTX},canonicalize,cse")


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_give_the_same_bits_at_every_stage(
    succeed: Callable, repository: Path, example: str
):
    text = (repository / "examples" / example).read_text()
    outcomes = [succeed(text, "-p", passes, "--seed", "7") for passes in STAGES]
    first = outcomes[0]
    ranks = first.arrays["inputs"].shape[0]
    for outcome in outcomes[1:]:
        assert outcome.out.split("\n")[0] == first.out.split("\n")[0]
        for title in ("dispatches L3->L2", "tasks", "bytes on the wire", "barriers"):
            assert outcome.column(title) == first.column(title)
        for name, array in first.arrays.items():
            assert np.array_equal(outcome.arrays[name], array), name
    # The pipeline: copy, exchange d + 1 of 4 rows with d, copy what arrived.
    inputs, outputs = first.arrays["inputs"], first.arrays["outputs"]
    for d in range(ranks):
        for s in range(ranks):
            for k in range(min(d + 1, 4)):
                assert np.array_equal(outputs[d, s * 4 + k], inputs[s, d * 4 + k])


def test_report(succeed: Callable, exchange_text: Callable):
    ranks, cap, width, steps = 3, 2, 5, 4
    counts = np.zeros((ranks, steps, ranks, 1), np.int32)
    counts[0, 0, 1] = 2  # two rows to a peer
    counts[1, 0, 1] = 2  # to itself: no wire
    counts[2, 1:3, 0] = 9  # cut to two rows, twice
    outcome = succeed(exchange_text(ranks, cap, width, steps), inputs={"countss": counts})
    published = steps * (ranks - 1) * 4
    row = width * 4
    assert outcome.column("bytes on the wire") == [
        published + 2 * row,
        published,
        published + 4 * row,
    ]
    assert outcome.column("dispatches L3->L2") == [1] * ranks
    assert outcome.column("tasks") == [steps] * ranks
    assert outcome.column("barriers") == [2 * steps] * ranks
    assert outcome.column("signals") == [0] * ranks


DATA, COUNTS, SIGNAL = "tensor<6x4xf32>", "tensor<3x1xi32>", "tensor<3x1xi32>"


def steps_of_a_pipeline(program: Callable, rail: str) -> str:
    """Stage, exchange, consume: as one pipeline, or as three dispatches of the host."""
    names = {"source": DATA, "data": DATA, "signal": SIGNAL, "sent": COUNTS, "recv": COUNTS}
    d = {name: f"!pld.dist_tensor<{type_}>" for name, type_ in names.items()}
    stage = (
        f"  %s1 = pl.tensor.assemble %inp into %source[0, 0] : {DATA}, {d['source']}\n"
        f"  %s2 = pl.tensor.assemble %counts into %sent[0, 0] : {COUNTS}, {d['sent']}"
    )
    exchange = (
        "  %e = pld.tensor.all_to_all_v %source, %data, %signal, %sent, %recv : "
        f"{', '.join(d.values())}"
    )
    consume = f"  %c = pl.tensor.assemble %data into %out[0, 0] : {d['data']}, {DATA}"
    tensors = {"inp": DATA, "counts": COUNTS, "out": DATA}
    if rail == "chip":
        return program(3, tensors, names, f"{stage}\n{exchange}\n{consume}").text()
    pipelines = f"""\
func.func @consume(%data: {d["data"]}, %out: {DATA} {{pl.dir = "inout"}})
    attributes {{pl.func_type = "orchestration"}} {{
{consume}
  func.return
}}
"""
    host = f"""\
{exchange}
  scf.for %r = %c0 to %all step %c1 {{
    %box = pl.tensor.slice %outs[%r, 0, 0] [1, 6, 4] : tensor<3x6x4xf32> -> tensor<1x6x4xf32>
    %out = pl.tensor.view %box : tensor<1x6x4xf32> -> {DATA}
    pl.call @consume(%data, %out) device(%r) : ({d["data"]}, {DATA}) -> ()
  }}"""
    return program(3, tensors, names, stage, pipelines, host_steps=host).text()


def test_host_rail_and_chip_rail(succeed: Callable, program: Callable):
    chip, host = (succeed(steps_of_a_pipeline(program, rail)) for rail in ("chip", "host"))
    assert chip.column("dispatches L3->L2") == [1] * 3
    assert host.column("dispatches L3->L2") == [3] * 3
    for title in ("bytes on the wire", "barriers"):
        assert chip.column(title) == host.column(title)
    for name, array in chip.arrays.items():
        assert np.array_equal(host.arrays[name], array), name


def test_timeline(succeed: Callable, exchange_text: Callable, tmp_path: Path):
    file = tmp_path / "trace.json"
    outcome = succeed(exchange_text(3, 2, 5, 2), "--trace", str(file))
    trace = json.loads(file.read_text())
    lanes = {
        event["tid"]: event["args"]["name"]
        for event in trace["traceEvents"]
        if event["name"] == "thread_name"
    }
    assert lanes == {0: "host", 1: "rank 0", 2: "rank 1", 3: "rank 2"}
    spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans)
    sent = outcome.column("bytes on the wire")
    for rank in range(3):
        own = [event for event in spans if event["tid"] == rank + 1]
        assert [event["cat"] for event in own] == ["dispatch", *["task", "collective"] * 2]
        collectives = [event for event in own if event["cat"] == "collective"]
        assert sum(event["args"]["bytes"] for event in collectives) == sent[rank]
        assert all(":" in event["args"]["place"] for event in own)
        starts, ends = own[0]["ts"], own[0]["ts"] + own[0]["dur"]
        assert all(starts <= e["ts"] and e["ts"] + e["dur"] <= ends + 1 for e in own)


def test_a_thousand_exchanges(succeed: Callable, exchange_text: Callable):
    steps = 1000
    counts = np.random.default_rng(0).integers(-1, 4, (2, steps, 2, 1), dtype=np.int32)
    outcome = succeed(exchange_text(2, 2, 1, steps), inputs={"countss": counts})
    assert outcome.column("tasks") == [steps] * 2
    expected = np.clip(counts[:, :, :, 0], 0, 2).transpose(2, 1, 0)
    assert np.array_equal(outcome.arrays["recvds"][..., 0], expected)


def test_runs_repeat(succeed: Callable, exchange_text: Callable):
    text = exchange_text(2, 2, 3, 2)
    runs = [succeed(text, "--seed", seed).arrays for seed in ("1", "1", "2")]
    assert all(np.array_equal(runs[0][name], runs[1][name]) for name in runs[0])
    assert not np.array_equal(runs[0]["inps"], runs[2]["inps"])


def test_poison_leaves_signals_alone(succeed: Callable, exchange_text: Callable):
    counts = np.zeros((2, 1, 2, 1), np.int32)
    for options, byte in ((["--poison"], 0xA5), ([], 0)):
        outcome = succeed(exchange_text(2, 2, 3, 1), *options, inputs={"countss": counts})
        assert set(outcome.arrays["window.data"].view("u1").ravel()) == {byte}
        assert not outcome.arrays["window.signal"].any()


# Comparison


def test_comparison_with_the_program_as_read(run_text: Callable, exchange_text: Callable):
    outcome = run_text(exchange_text(2, 2, 3, 2), "-p", f"{L2},{CTX}", "--compare", "ir")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.endswith("compared with ir: the same bits\n")


def test_comparison_with_a_file(
    run_text: Callable, succeed: Callable, exchange_text: Callable, tmp_path: Path
):
    text, file = exchange_text(2, 2, 3, 2), tmp_path / "expected.npz"
    arrays = dict(succeed(text).arrays)
    np.savez(file, **arrays)
    assert run_text(text, "--compare", str(file)).status == 0
    arrays["window.data"] = arrays["window.data"].copy()
    arrays["window.data"][1, 3, 2] = 99
    np.savez(file, **arrays)
    outcome = run_text(text, "--compare", str(file), "-q")
    got = succeed(text).arrays["window.data"][1, 3, 2]
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err == (
        "error: comparison failed: rank 1, window 'data', row 3, column 2: expected 99.0, got "
        f"{got}\n"
    )


def test_comparison_with_a_file_that_says_nothing(
    run_text: Callable, succeed: Callable, exchange_text: Callable, tmp_path: Path
):
    text, file = exchange_text(2, 2, 3, 1), tmp_path / "expected.npz"
    known = "inps, countss, gots, recvds, window.data, window.signal, window.recv"
    arrays = succeed(text).arrays
    assert ", ".join(arrays) == known
    cases = [
        ({"foo": np.zeros(3)}, f"the run has no array 'foo'; it has {known}"),
        ({}, f"the file holds no array of the run, which has {known}"),
        (
            {"window.signal": arrays["window.signal"], "window.gone": np.zeros(3)},
            f"the file holds no array of the run, which has {known}",
        ),
    ]
    for content, message in cases:
        np.savez(file, **content)
        outcome = run_text(text, "--compare", str(file))
        assert (outcome.status, outcome.err) == (1, f"error: comparison failed: {message}\n")
    np.savez(file, gots=arrays["gots"], recvds=arrays["recvds"], **{"window.gone": np.zeros(3)})
    outcome = run_text(text, "--compare", str(file))
    assert outcome.status == 0
    assert outcome.out.endswith(
        ": the same bits; it does not hold inps, countss, window.data, window.recv\n"
    )


@pytest.mark.parametrize("option", ["--inputs", "--compare"])
def test_a_single_array_is_no_archive(
    run_text: Callable, exchange_text: Callable, tmp_path: Path, option: str
):
    np.save(tmp_path / "one.npy", np.zeros(3))
    outcome = run_text(exchange_text(2, 2, 3, 1), option, str(tmp_path / "one.npy"))
    assert outcome.status == 1
    assert outcome.err == "error: cannot read 'one.npy': it is no .npz archive\n"


def test_save_writes_into_a_pipe_and_through_a_link(
    run_text: Callable, succeed: Callable, exchange_text: Callable, tmp_path: Path
):
    """What is no regular file stays what it is: `--save /dev/null` must not replace the device."""
    text = exchange_text(2, 2, 3, 1)
    expected = succeed(text).arrays
    pipe, link, target = tmp_path / "pipe", tmp_path / "link", tmp_path / "target.npz"
    os.mkfifo(pipe)
    # Both ends are open, so that nobody waits for a reader; the content fits into the pipe.
    end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        assert run_text(text, "--save", str(pipe)).status == 0
        assert pipe.is_fifo()
        piped = np.load(io.BytesIO(os.read(end, 1 << 20)))
    finally:
        os.close(end)
    target.write_text("")
    link.symlink_to(target)
    assert run_text(text, "--save", str(link)).status == 0
    assert link.is_symlink()
    for arrays in (piped, np.load(target)):
        assert list(arrays) == list(expected)
        assert all(np.array_equal(arrays[name], expected[name]) for name in expected)


def test_parameters_may_have_any_name(succeed: Callable, exchange_text: Callable):
    text = exchange_text(2, 2, 3, 1).replace("%gots", "%file").replace("%recvds", "%allow_pickle")
    assert {"file", "allow_pickle"} <= set(succeed(text).arrays)


def test_inputs_beyond_the_memory(run_text: Callable):
    text = (
        "func.func @host(%small: tensor<2xf32>, %x: tensor<2x4611686018427387903xf32>)\n"
        'attributes {pl.level = "host", pl.role = "orchestrator"} { func.return }'
    )
    outcome = run_text(text, "--ranks", "1")
    assert outcome.status == 1
    assert outcome.err.startswith(
        "program.mlir:1:40: error: not enough memory for 'x' of type "
        "tensor<2x4611686018427387903xf32>\n"
    )


def test_first_difference():
    zero, one = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)
    assert first_difference({"x": zero}, {"x": one}, 2) is None
    one[1, 2] = -0.0
    assert first_difference({"x": zero}, {"x": one}, 2) == (
        "rank 1, array 'x', element 2: expected 0.0, got -0.0"
    )
    nan = np.full((2, 3), np.nan, np.float32)
    assert first_difference({"x": nan}, {"x": nan.copy()}, 2) is None
    assert first_difference({"x": zero}, {"x": zero[0]}, 2) == (
        "'x': expected [2, 3] of float32, got [3] of float32"
    )
    assert first_difference({"y": zero}, {"x": one}, 2) is None
    assert first_difference({"x": zero}, {"x": one}, 5) == (
        "array 'x', row 1, column 2: expected 0.0, got -0.0"
    )


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], exchange_text: Callable
):
    text = exchange_text(2, 2, 3, 1)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run.main(["-", "--ranks", "2"]) == 0
    assert capsys.readouterr().err == ""


def test_an_error_leaves_files_alone(run_text: Callable, exchange_text: Callable, tmp_path: Path):
    trace = tmp_path / "trace.json"
    trace.write_text("kept")
    outcome = run_text(exchange_text(2, 2, 3, 1), "--ranks", "3", "--trace", str(trace))
    assert (outcome.status, outcome.out, outcome.arrays) == (1, "", {})
    assert trace.read_text() == "kept"


def test_a_program_on_standard_input_is_compared(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The comparison needs it again."""
    text = (repository / "examples" / "chip_pipeline.mlir").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run.main(["-", "--engine", "ir", "--compare", "ir"]) == 0
    assert capsys.readouterr().out.endswith("compared with ir: the same bits\n")


def test_a_closed_output_is_no_error(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """`pld-run ... >&-`: Python then has no stream at all."""
    monkeypatch.setattr(sys, "stdout", None)
    status = run.main([str(repository / "examples" / "chip_pipeline.mlir"), "--engine", "ir"])
    sys.stdout.close()
    assert (status, capsys.readouterr().err) == (0, "")
