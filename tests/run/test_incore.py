"""
The expansions of collectives in kernels, run by pld-run against plain numpy: every rank count,
three times on one signal with changed data, windows poisoned, the ranks interleaved at random.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from xdsl_pld.passes.incore.emitter import Protocol
from xdsl_pld.passes.lower_composite_ops import LowerCompositeOpsPass
from xdsl_pld.tools.interpreter import machine
from xdsl_pld.tools.interpreter.scheduler import Scheduler, Task
from xdsl_pld.tools.opt import PldOptMain

STEPS, CAP, WIDTH = 3, 2, 3

Array = np.ndarray


def dist(type_: str) -> str:
    return f"!pld.dist_tensor<{type_}>"


def combined(data: Array, function: Callable[[Array, Array], Array]) -> Array:
    """[P, ...] -> [...], in the order of ranks."""
    result = data[0]
    for other in data[1:]:
        result = function(result, other)
    return result


@dataclass(frozen=True)
class Case:
    """A collective on P ranks: its op, the shapes, and what the targets hold afterwards."""

    op: str
    input_rows: Callable[[int], int]
    expected: Callable[[Array, int], Array]
    """Inputs [P, rows, W] to targets [P, rows', W]."""
    target_rows: Callable[[int], int] | None = None
    """None where the target is filled with the input, and worked on in place."""
    element: str = "f32"


def all_to_all(data: Array, ranks: int) -> Array:
    blocks = data.reshape(ranks, ranks, -1, WIDTH)
    return blocks.swapaxes(0, 1).reshape(data.shape)


def allgather(data: Array, ranks: int) -> Array:
    return np.broadcast_to(data.reshape(1, -1, WIDTH), (ranks, ranks * data.shape[1], WIDTH))


def reduce(function: Callable[[Array, Array], Array]) -> Callable[[Array, int], Array]:
    return lambda data, ranks: np.broadcast_to(combined(data, function), data.shape)


def reduce_scatter(function: Callable[[Array, Array], Array]) -> Callable[[Array, int], Array]:
    def scattered(data: Array, ranks: int) -> Array:
        expected = data.copy()
        total = combined(data, function)
        share = data.shape[1] // ranks
        for r in range(ranks):
            expected[r, r * share : (r + 1) * share] = total[r * share : (r + 1) * share]
        return expected

    return scattered


def last_root(data: Array, ranks: int) -> Array:
    return np.broadcast_to(data[ranks - 1], data.shape)


CASES = {
    "all_to_all": Case(
        "all_to_all %inp, %data, %signal", lambda p: CAP * p, all_to_all, lambda p: CAP * p
    ),
    "allgather": Case(
        "allgather %inp, %data, %signal", lambda p: CAP, allgather, lambda p: CAP * p
    ),
    "allreduce sum": Case('allreduce %data, %signal {op = "sum"}', lambda p: 5, reduce(np.add)),
    "allreduce f16": Case(
        'allreduce %data, %signal {op = "sum"}', lambda p: 5, reduce(np.add), element="f16"
    ),
    "allreduce max": Case('allreduce %data, %signal {op = "max"}', lambda p: 1, reduce(np.maximum)),
    "allreduce min": Case('allreduce %data, %signal {op = "min"}', lambda p: 4, reduce(np.minimum)),
    "allreduce prod": Case(
        'allreduce %data, %signal {op = "prod"}', lambda p: p, reduce(np.multiply)
    ),
    "reduce_scatter": Case(
        'reduce_scatter %data, %signal {op = "sum"}', lambda p: CAP * p, reduce_scatter(np.add)
    ),
    "reduce_scatter max": Case(
        'reduce_scatter %data, %signal {op = "max"}', lambda p: p, reduce_scatter(np.maximum)
    ),
    "broadcast": Case("broadcast %data, %signal {root = ROOT : i64}", lambda p: 3, last_root),
}


def text_of(program: type, case: Case, ranks: int) -> str:
    """Steps of: put this step's input in place, the collective in a kernel, keep the result."""
    e = case.element
    rows = case.input_rows(ranks)
    inputs = f"tensor<{rows}x{WIDTH}x{e}>"
    target_rows = rows if case.target_rows is None else case.target_rows(ranks)
    data, signal = f"tensor<{target_rows}x{WIDTH}x{e}>", f"tensor<{ranks}x1xi32>"
    all_inputs, all_got = (
        f"tensor<{STEPS}x{rows}x{WIDTH}x{e}>",
        f"tensor<{STEPS}x{target_rows}x{WIDTH}x{e}>",
    )
    op = case.op.replace("ROOT", str(ranks - 1))
    in_place = case.target_rows is None
    types = (
        f"{dist(data)}, {dist(signal)}" if in_place else f"{inputs}, {dist(data)}, {dist(signal)}"
    )
    kernel = (
        f'func.func @kernel(%inp: {inputs}, %data: {dist(data)} {{pl.dir = "inout"}}, '
        f'%signal: {dist(signal)} {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{\n'
        f"  %h = pld.tensor.{op} : {types}\n  func.return\n}}\n"
    )
    stage = (
        f"%f = pl.tensor.assemble %now into %data[0, 0] : {inputs}, {dist(data)}"
        if in_place
        else ""
    )
    body = f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant {STEPS} : index
  scf.for %s = %c0 to %steps step %c1 {{
    %now = pl.tensor.slice %inp[%s, 0, 0] [1, {rows}, {WIDTH}] : {all_inputs} -> {inputs}
    {stage}
    pl.call @kernel(%now, %data, %signal) : ({inputs}, {dist(data)}, {dist(signal)}) -> ()
    %g = pl.tensor.assemble %data into %got[%s, 0, 0] : {dist(data)}, {all_got}
  }}"""
    return program(
        ranks,
        {"inp": all_inputs, "got": all_got},
        {"data": data, "signal": signal},
        body,
        functions=kernel,
    ).text()


@pytest.fixture
def interleaved(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """After every operation of a rank, another rank goes on, chosen at random."""

    def set_up(seed: int) -> None:
        chosen = random.Random(seed)

        def after(self: Scheduler, task: Task) -> Task | None:
            able = [t for t in self.tasks if t.can_run]
            return chosen.choice(able) if able else None

        monkeypatch.setattr(machine, "STEPS_AT_A_TIME", 1)
        monkeypatch.setattr(Scheduler, "_after", after)

    return set_up


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize("name", CASES)
def test_an_expansion_computes_the_collective(
    succeed: Callable, program: type, interleaved: Callable[[int], None], name: str, ranks: int
):
    case = CASES[name]
    dtype = np.float16 if case.element == "f16" else np.float32
    rng = np.random.default_rng(ranks)
    shape = (ranks, STEPS, case.input_rows(ranks), WIDTH)
    inputs = rng.normal(size=shape).astype(dtype)
    interleaved(ranks)
    outcome = succeed(
        text_of(program, case, ranks),
        *("--ranks", str(ranks), "-p", "lower-composite-ops", "--poison"),
        inputs={"inps": inputs},
    )
    assert outcome.column("barriers") == [0] * ranks  # nothing is left to the reference semantics
    for step in range(STEPS):
        expected = case.expected(inputs[:, step], ranks)
        assert np.array_equal(outcome.arrays["gots"][:, step], expected), step
    assert not outcome.arrays["window.signal"].any()


COUNTS = np.array([0, 1, CAP, CAP + 1, -1, 2**31 - 1, -(2**31)], np.int32)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_all_to_all_v(
    succeed: Callable,
    program: type,
    exchange_text: Callable[..., str],
    interleaved: Callable[[int], None],
    ranks: int,
    seed: int,
):
    """Counts clamped both ways, rows past the count untouched, every count published."""
    steps = 4
    rng = np.random.default_rng(10 * ranks + seed)
    text = exchange_text(ranks, CAP, WIDTH, steps)
    # The pipeline's collective moves into a kernel of its own.
    start = text.index("    %d = pld.tensor.all_to_all_v")
    end = text.index("    %g = ")
    data, counts = f"tensor<{ranks * CAP}x{WIDTH}xf32>", f"tensor<{ranks}x1xi32>"
    types = f"{data}, {dist(data)}, {dist(counts)}, {counts}, {dist(counts)}"
    kernel = (
        f"func.func @kernel(%inp: {data}, %data: {dist(data)}, %signal: {dist(counts)}, "
        f"%counts: {counts}, %recv: {dist(counts)}) -> {dist(data)} "
        'attributes {pl.func_type = "incore"} {\n'
        f"  %d = pld.tensor.all_to_all_v %inp, %data, %signal, %counts, %recv : {types}\n"
        f"  func.return %d : {dist(data)}\n}}\n"
    )
    call = (
        f"    %d = pl.call @kernel(%inp, %data, %signal, %now, %recv) : ({types}) -> {dist(data)}\n"
    )
    text = kernel + text[:start] + call + text[end:]
    inputs = rng.normal(size=(ranks, ranks * CAP, WIDTH)).astype(np.float32)
    sent = rng.choice(COUNTS, (ranks, steps, ranks, 1))
    interleaved(seed)
    outcome = succeed(
        text,
        *("--ranks", str(ranks), "-p", "lower-composite-ops", "--poison"),
        inputs={"inps": inputs, "countss": sent},
    )
    assert outcome.column("barriers") == [0] * ranks
    target = np.full(inputs.shape, 0xA5A5A5A5, np.uint32).view(np.float32)
    for step in range(steps):
        for s in range(ranks):
            for d in range(ranks):
                rows = int(np.clip(sent[s, step, d, 0], 0, CAP))
                target[d, s * CAP : s * CAP + rows] = inputs[s, d * CAP : d * CAP + rows]
                assert outcome.arrays["recvds"][d, step, s, 0] == rows
        got = outcome.arrays["gots"][:, step]
        assert np.array_equal(got.view(np.uint32), target.view(np.uint32))
    assert not outcome.arrays["window.signal"].any()


def test_a_barrier_holds_everybody(
    succeed: Callable, program: type, interleaved: Callable[[int], None]
):
    """Each rank writes, meets, and reads what the next rank wrote, four times over."""
    ranks, cells = 3, "tensor<3x1xi32>"
    types = f"{dist(cells)}, {dist(cells)}"
    kernel = f"""\
func.func @kernel(%board: {dist(cells)}, %signal: {dist(cells)}, %got: tensor<4x1xi32>)
    attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  %ctx = pld.system.get_comm_ctx %signal : {dist(cells)}
  %me = pld.system.rank %ctx : i32
  %mine = arith.index_cast %me : i32 to index
  %next = arith.addi %me, %n1 : i32
  %peer = arith.remsi %next, %n3 : i32
  scf.for %i = %c0 to %c4 step %c1 {{
    %j = arith.index_cast %i : index to i32
    %scaled = arith.muli %j, %n3 : i32
    %value = arith.addi %scaled, %me : i32
    pld.system.notify %board[%mine, 0] peer(%peer) value(%value) {{op = "set"}}
      : {dist(cells)}, i32, i32
    %a = pld.tensor.barrier %signal : {dist(cells)}
    %last = arith.addi %me, %n3 : i32
    %less = arith.subi %last, %n1 : i32
    %from = arith.remsi %less, %n3 : i32
    %at = arith.index_cast %from : i32 to index
    %read = pl.tensor.read %board[%at, 0] : {dist(cells)} -> i32
    %kept = pl.tensor.write %read into %got[%i, 0] : i32, tensor<4x1xi32>
    %b = pld.tensor.barrier %signal : {dist(cells)}
  }}
  func.return
}}
"""
    body = f"  pl.call @kernel(%board, %signal, %got) : ({types}, tensor<4x1xi32>) -> ()"
    text = program(
        ranks, {"got": "tensor<4x1xi32>"}, {"board": cells, "signal": cells}, body, functions=kernel
    ).text()
    for seed in range(4):
        interleaved(seed)
        outcome = succeed(text, "--ranks", "3", "-p", "lower-composite-ops", "--poison")
        expected = [[3 * i + (r + 2) % 3 for i in range(4)] for r in range(ranks)]
        assert outcome.arrays["gots"][..., 0].tolist() == expected
        assert not outcome.arrays["window.signal"].any()


ALLOWED = {
    *("pld.system.notify", "pld.system.wait", "pld.tile.put", "pld.tile.get"),
    *("pld.tile.remote_load", "pld.tile.remote_store", "pl.tile.load", "pl.tile.store"),
    *("pl.tensor.read", "pl.tensor.write"),
    # The own rank, and arithmetic on tiles.
    *("pld.system.get_comm_ctx", "pld.system.rank"),
    *("pl.tile.add", "pl.tile.mul", "pl.tile.max", "pl.tile.min"),
}


@pytest.mark.parametrize("name", CASES)
def test_an_expansion_is_made_of_primitives(program: type, tmp_path, name: str):
    source = tmp_path / "in.mlir"
    source.write_text(text_of(program, CASES[name], 2))
    driver = PldOptMain([str(source)])
    ((stream, offset),), extension = driver.prepare_input()
    module = driver.parse_chunk(stream, extension, offset)
    assert module is not None
    LowerCompositeOpsPass().apply(driver.ctx, module)
    module.verify()
    kernel = next(
        op for op in module.walk() if isinstance(op, FuncOp) and op.sym_name.data == "kernel"
    )
    names = {op.name for op in kernel.body.walk()}
    foreign = {n for n in names - ALLOWED if not n.startswith(("arith.", "scf.", "func.return"))}
    assert not foreign


@pytest.mark.parametrize("left_out", [1, 2])
def test_it_takes_both_barriers(
    succeed: Callable,
    program: type,
    interleaved: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    left_out: int,
):
    """The tests see a protocol without one of them: some rank reads what is not there yet."""
    arrive, clear = Protocol.arrive, Protocol.clear

    def arrive_once(self: Protocol, credits: int) -> None:
        if credits != left_out:
            arrive(self, 1)

    def run_all() -> None:
        for name in ("allreduce sum", "all_to_all", "reduce_scatter"):
            test_an_expansion_computes_the_collective(succeed, program, interleaved, name, 3)

    monkeypatch.setattr(Protocol, "arrive", arrive_once)
    monkeypatch.setattr(Protocol, "clear", lambda self, credits: clear(self, 1))
    with pytest.raises(AssertionError):
        run_all()
