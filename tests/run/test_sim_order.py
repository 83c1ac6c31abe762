"""
`--engine sim`: what pipelines and InCore kernels do to windows is part of the order that is
checked, across exchanges and launches; and what a card would refuse to launch.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.run.programs import Program, dist
from xdsl_pld.templates.render import Renderer

DATA, SIGNAL, COUNTS = "tensor<4x8xf32>", "tensor<2x2xi32>", "tensor<2x1xi32>"
WINDOWS = {"data": DATA, "signal": SIGNAL, "recv": COUNTS}
TENSORS = {"inp": DATA, "counts": COUNTS, "got": DATA}
D = {name: dist(type_) for name, type_ in WINDOWS.items()}


@pytest.fixture
def sim(monkeypatch: pytest.MonkeyPatch, compiled_kernels: Path, run_text: Callable) -> Callable:
    monkeypatch.setenv("XDSL_PLD_CACHE", str(compiled_kernels))

    def run_it(text: str, *options: str):
        inputs = {"countss": np.ones((2, 2, 1), np.int32)}
        return run_text(text, "--engine", "sim", "--ranks", "2", *options, inputs=inputs)

    return run_it


EXCHANGE = f"""\
  %n = arith.constant 2 : index
  %d = pld.tensor.all_to_all_v %inp, %data, %signal, %counts, %recv core_num(%n)
    : {DATA}, {D["data"]}, {D["signal"]}, {COUNTS}, {D["recv"]}
"""
PEER = f"""\
  %c = pld.system.get_comm_ctx %data : {D["data"]}
  %me = pld.system.rank %c : i32
  %i1 = arith.constant 1 : i32
  %peer = arith.subi %i1, %me : i32
"""
SEND = f"""\
  pld.tensor.put %inp[0, 0] into %data[2, 0] [2, 8] peer(%peer) : {DATA}, {D["data"]}
"""
FLAG = f"""\
  pld.system.notify %flag[0, 0] peer(%peer) value(%i1) {{op = "OP"}} : {D["signal"]}, i32, i32
"""
AWAIT = f"""\
  pld.system.wait %flag[0, 0] expected(%i1) {{cmp = "ge"}} : {D["signal"]}, i32
"""
KEEP = f"  %k = pl.tensor.assemble %data into %got[0, 0] : {D['data']}, {DATA}\n"


def text(body: str, **more: str) -> str:
    return Program(2, TENSORS, {**WINDOWS, "flag": SIGNAL}, body, **more).text()


@pytest.mark.parametrize("op", ["atomic_add", "set"])
def test_a_notification_orders(sim: Callable, op: str):
    body = PEER + SEND + FLAG.replace("OP", op) + AWAIT + KEEP
    outcome = sim(text(body), "--compare", "ir")
    assert (outcome.status, outcome.err) == (0, "")


def test_a_flag_that_is_set_back_by_the_one_who_waited(sim: Callable):
    reset = (
        "  %i0 = arith.constant 0 : i32\n"
        + f"""\
  %z = pl.tensor.write %i0 into %flag[0, 0] : i32, {D["signal"]}
"""
    )
    body = PEER + SEND + FLAG.replace("OP", "set") + AWAIT + KEEP + reset
    assert sim(text(body), "--compare", "ir").status == 0


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (PEER + SEND + KEEP, "pipeline writes data of rank "),
        (PEER + SEND + FLAG.replace("OP", "set") + KEEP, "unordered: rank "),
        (EXCHANGE + PEER + SEND, " data of rank "),
    ],
    ids=["no notification", "nobody waits", "a put while the other still reads"],
)
def test_what_nothing_orders(sim: Callable, body: str, wrong: str):
    keep = "" if body.endswith(KEEP) else KEEP
    outcome = sim(text(body.replace(PEER, keep + PEER, 1)))
    assert outcome.status == 1
    assert "unordered: " in outcome.err
    assert wrong in outcome.err


def test_an_exchange_orders_what_was_done_before_it(sim: Callable):
    """Rows that no exchange wrote: a put, then barrier and all."""
    outcome = sim(text(PEER + SEND + EXCHANGE + KEEP), "--compare", "ir")
    assert (outcome.status, outcome.err) == (0, "")


def test_dispatches_are_ordered_by_the_host(sim: Callable):
    """The host waits for all, then dispatches who reads what a peer has put."""
    look = (
        f'func.func @look(%data: {D["data"]}, %got: {DATA} {{pl.dir = "inout"}})\n'
        f'    attributes {{pl.func_type = "orchestration"}} {{\n{KEEP}  func.return\n}}\n'
    )
    steps = "\n".join(
        [
            "SETTLE",
            "  scf.for %q = %c0 to %all step %c1 {",
            f"    %x = pl.tensor.slice %gots[%q, 0, 0] [1, 4, 8] : tensor<2x4x8xf32> -> "
            f"{DATA.replace('<', '<1x')}",
            f"    %y = pl.tensor.view %x : {DATA.replace('<', '<1x')} -> {DATA}",
            f"    pl.call @look(%data, %y) device(%q) : ({D['data']}, {DATA}) -> ()",
            "  }",
        ]
    )
    settle = "  %w = pl.tensor.read %inps[%c0, %c0, %c0] : tensor<2x4x8xf32> -> f32"
    for first, status in ((settle, 0), ("", 1)):
        program = text(PEER + SEND, functions=look, host_steps=steps.replace("SETTLE", first))
        outcome = sim(program)
        assert outcome.status == status
        assert ("unordered: rank " in outcome.err) == bool(status)


def test_the_parts_of_larger_tensors(sim: Callable):
    """Input and target that begin in the middle of what they are parts of."""
    wide, d_wide = "tensor<12x8xf32>", dist("tensor<12x8xf32>")
    body = f"""\
  %n = arith.constant 2 : index
  %row = arith.constant 3 : index
  %i = pl.tensor.slice %big[%row, 0] [4, 8] : {wide} -> {DATA}
  %t = pl.tensor.slice %all_data[5, 0] [4, 8] : {d_wide} -> {D["data"]}
  %d = pld.tensor.all_to_all_v %i, %t, %signal, %counts, %recv core_num(%n)
    : {DATA}, {D["data"]}, {D["signal"]}, {COUNTS}, {D["recv"]}"""
    windows = {"all_data": wide, "signal": SIGNAL, "recv": COUNTS}
    program = Program(2, {"big": wide, "counts": COUNTS}, windows, body).text()
    outcome = sim(program, "--poison", "--compare", "ir")
    assert (outcome.status, outcome.err) == (0, "")
    inputs, arrived = outcome.arrays["bigs"], outcome.arrays["window.all_data"]
    for source in range(2):
        assert np.array_equal(arrived[1, 5 + 2 * source], inputs[source, 3 + 2])


def test_a_domain_of_some_devices(sim: Callable, run_text: Callable):
    """Ranks 0 and 1 of the domain are devices 2 and 1: the contexts say so."""
    body = f"""\
  pld.comm_domain attributes {{name = "some", devices = array<i64: 2, 1>,
      slots = ["data", "signal", "recv"]}} {{
    %bytes = arith.constant 128 : index
    %b0 = pld.tensor.alloc_window_buffer %bytes {{name = "data"}} : !pld.window_buffer
    %b1 = pld.tensor.alloc_window_buffer %bytes {{name = "signal"}} : !pld.window_buffer
    %b2 = pld.tensor.alloc_window_buffer %bytes {{name = "recv"}} : !pld.window_buffer
    %data = pld.tensor.window %b0 : !pld.window_buffer -> {D["data"]}
    %signal = pld.tensor.window %b1 : !pld.window_buffer -> {D["signal"]}
    %recv = pld.tensor.window %b2 : !pld.window_buffer -> {D["recv"]}
    scf.for %r = %c1 to %c3 step %c1 {{
      %x = pl.tensor.slice %inps[%r, 0, 0] [1, 4, 8] : tensor<3x4x8xf32> -> tensor<1x4x8xf32>
      %inp = pl.tensor.view %x : tensor<1x4x8xf32> -> {DATA}
      pl.call @chip(%inp, %counts, %data, %signal, %recv) device(%r)
        : ({DATA}, {COUNTS}, {D["data"]}, {D["signal"]}, {D["recv"]}) -> ()
    }}
  }}"""
    program = f"""\
func.func @chip(%inp: {DATA}, %counts: {COUNTS}, %data: {D["data"]} {{pl.dir = "inout"}},
    %signal: {D["signal"]} {{pl.dir = "inout"}}, %recv: {D["recv"]} {{pl.dir = "inout"}})
    attributes {{pl.func_type = "orchestration"}} {{
{EXCHANGE}  func.return
}}
func.func @host(%inps: tensor<3x4x8xf32>, %counts: {COUNTS})
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
{body}
  func.return
}}
"""
    inputs = {"counts": np.ones((2, 1), np.int32)}
    options = ("--engine", "sim", "--compare", "ir")
    outcome = run_text(program, "--ranks", "3", *options, inputs=inputs)
    assert (outcome.status, outcome.err) == (0, "")
    got, inp = outcome.arrays["window.data"], outcome.arrays["inps"]
    for rank, source in np.ndindex(2, 2):
        assert np.array_equal(got[rank, 2 * source], inp[(2, 1)[source], 2 * rank])


# What is left, and who never comes.


def test_a_signal_that_was_not_zero_before(sim: Callable):
    dirty = f"""\
  %i9 = arith.constant 9 : i32
  %z = pl.tensor.write %i9 into %signal[1, 1] : i32, {D["signal"]}
"""
    outcome = sim(text(dirty + EXCHANGE))
    assert outcome.status == 1
    assert outcome.err.startswith(
        "program.mlir:7:3: error: signal cell [1, 1] of rank 0 is 9 before the all_to_all_v: "
    )


def test_a_signal_that_is_not_zero_at_the_end(sim: Callable, monkeypatch: pytest.MonkeyPatch):
    """A kernel that never takes its credits off: found at the last exchange on the signal."""
    rendered = Renderer.kernel
    taken = "TNOTIFY(credit, -2,"

    def broken(self: Renderer, handle: str, variables: str) -> str:
        source = rendered(self, handle, variables)
        assert source.count(taken) == 1
        return source.replace(taken, "TNOTIFY(credit, 0,")

    monkeypatch.setattr(Renderer, "kernel", broken)
    outcome = sim(text(EXCHANGE + KEEP))
    assert outcome.status == 1
    assert outcome.err.startswith("program.mlir:5:3: error: credits_left: signal[")
    assert "credits_left: signal[1, 1] of rank 0 is 2 at the end, not 0" in outcome.err


def test_a_rank_that_never_comes(sim: Callable):
    zero = "  %i0 = arith.constant 0 : i32\n  %first = arith.cmpi eq, %me, %i0 : i32\n"
    body = PEER + zero + "  scf.if %first {\n" + EXCHANGE + "  }"
    outcome = sim(text(body))
    assert outcome.status == 1
    lines = outcome.err.splitlines()
    assert lines[0].endswith(
        "error: deadlock: no block can go on and no host is at work; 2 blocks wait"
    )
    for wanted in (
        "note: rank 0 block 1 waits for signal[1, 1], a credit of rank 1: expected at least 1, "
        "is 0",
        "note: all wait for rank 1 of 'world' to come to all_to_all_v on window 'signal'",
    ):
        assert wanted in lines


# What a card would not launch.


def wide_exchange(blocks: int) -> str:
    signal, data, counts = f"tensor<1x{blocks}xi32>", "tensor<1x8xi8>", "tensor<1x1xi32>"
    body = f"""\
  %n = arith.constant {blocks} : index
  %d = pld.tensor.all_to_all_v %inp, %data, %signal, %counts, %recv core_num(%n)
    : {data}, {dist(data)}, {dist(signal)}, {counts}, {dist(counts)}"""
    windows = {"data": data, "signal": signal, "recv": counts}
    return Program(1, {"inp": data, "counts": counts}, windows, body).text()


@pytest.mark.parametrize(("target", "cores"), [("910b", 48), ("950", 36)])
@pytest.mark.parametrize("passes", ["", "lower-l2-tensor-collectives"])
def test_a_launch_beyond_the_cores(
    sim: Callable, run_text: Callable, target: str, cores: int, passes: str
):
    options = ("--engine", "sim", "--target", target, "-p", passes)
    assert run_text(wide_exchange(cores), *options).status == 0
    outcome = run_text(wide_exchange(cores + 1), *options)
    assert outcome.status == 1
    assert (
        f"is refused: a {target} has {cores} vector cores (--target), and all blocks must start at "
        "once; the runtime reports error code 7"
    ) in outcome.err
    assert run_text(wide_exchange(cores + 1), "-p", passes).status == 0  # the meaning has no cores


@pytest.mark.parametrize(
    ("blocks", "sync", "waits", "refused"),
    [
        (48, True, True, ""),
        (49, True, False, "a sync-start launch of 49 blocks of @kernel is refused: a 910b has 48"),
        (49, False, False, ""),
        (2, False, True, "2 blocks of @kernel are launched without sync_start, but they wait"),
        (1, False, True, ""),
        (1, True, True, ""),
    ],
)
def test_launches_of_other_kernels(
    sim: Callable, blocks: int, sync: bool, waits: bool, refused: str
):
    """A sync start of one block means nothing; without one, blocks that do not wait may queue."""
    inner = "  pl.call @inner(%flag) : (TYPE) -> ()\n" if waits else ""
    kernels = f"""\
func.func @inner(%flag: TYPE {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
  %i0 = arith.constant 0 : i32
  pld.system.wait %flag[0, 0] expected(%i0) {{cmp = "ge"}} : TYPE, i32
  func.return
}}
func.func @kernel(%flag: TYPE {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
{inner}  func.return
}}
""".replace("TYPE", D["signal"])
    body = f"""\
  %n = arith.constant {blocks} : index
  pl.call @kernel(%flag) core_num(%n){" sync_start" if sync else ""} : ({D["signal"]}) -> ()"""
    outcome = sim(text(body, functions=kernels))
    assert outcome.status == (1 if refused else 0), outcome.err
    assert refused in outcome.err


# The timeline.


def test_blocks_and_waits_in_the_timeline(sim: Callable, tmp_path: Path):
    trace = tmp_path / "trace.json"
    assert sim(text(EXCHANGE), "--trace", str(trace)).status == 0
    events = json.loads(trace.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {"host", *(f"rank {r}" for r in (0, 1))} < set(names.values())
    by_lane = {
        name: [e for e in events if e["ph"] == "X" and e["tid"] == lane]
        for lane, name in names.items()
    }
    for rank in (0, 1):
        (exchange,) = [e for e in by_lane[f"rank {rank}"] if e["cat"] == "collective"]
        assert exchange["args"]["bytes"] == 8 * 4 + 4
        for block in (0, 1):
            lane = by_lane[f"rank {rank} block {block}"]
            (kernel,) = [e for e in lane if e["cat"] == "kernel"]
            waits = [e for e in lane if e["cat"] == "wait"]
            assert [e["name"] for e in waits] == [f"wait for rank {1 - rank}"] * 2
            assert exchange["ts"] <= kernel["ts"]
            assert kernel["ts"] + kernel["dur"] <= exchange["ts"] + exchange["dur"]
            for wait in waits:
                assert kernel["ts"] <= wait["ts"]
                assert wait["ts"] + wait["dur"] <= kernel["ts"] + kernel["dur"] + 0.002
