"""
The contract of the exchanges, against a numpy statement that is written here, not there; and every
other collective against plain numpy.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

L2 = "lower-l2-tensor-collectives"
STAGES = ("", L2, f"{L2},materialize-dist-tensor-ctx,cse")
CAP, WIDTH = 4, 5
POISON = {"f32": np.float32, "i8": np.int8, "i32": np.int32}

Array = NDArray[np.generic]


def poison(shape: tuple[int, ...], element: str) -> Array:
    dtype = np.dtype(POISON[element])
    return np.full(int(np.prod(shape)) * dtype.itemsize, 0xA5, np.uint8).view(dtype).reshape(shape)


def contract(inputs: Array, counts: Array, target: Array, received: Array) -> None:
    """One exchange: inputs [P, P*cap, W], counts [P, P]; target and received change in place."""
    ranks, cap = len(inputs), inputs.shape[1] // len(inputs)
    for d in range(ranks):
        for s in range(ranks):
            n = max(0, min(cap, counts[s, d]))
            received[d, s] = n
            for k in range(n):
                target[d, s * cap + k] = inputs[s, d * cap + k]


def step_counts(ranks: int) -> Array:
    """The kinds of counts, one a step: [steps, P, P]."""
    random = np.random.default_rng(ranks)
    kinds = [
        np.zeros((ranks, ranks)),
        np.ones((ranks, ranks)),
        np.full((ranks, ranks), CAP),
        np.full((ranks, ranks), CAP + 1),
        np.full((ranks, ranks), 2**31 - 1),
        np.full((ranks, ranks), -1),
        np.full((ranks, ranks), -(2**31)),
        np.add.outer(np.arange(ranks), np.arange(ranks)) % (CAP + 1),
        np.subtract.outer(np.arange(ranks), 2 * np.arange(ranks)),
        random.integers(-2, CAP + 3, (ranks, ranks)),
        random.integers(-2, CAP + 3, (ranks, ranks)),
    ]
    return np.stack(kinds).astype(np.int32)


def payload(ranks: int, rows: int, element: str) -> Array:
    """Values that tell rank, row and column."""
    values = np.arange(ranks * rows * WIDTH).reshape(ranks, rows, WIDTH)
    return (values % 251 - 120).astype(POISON[element])


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("passes", "element", "core_num"),
    [(STAGES[0], "f32", 1), (STAGES[1], "f32", 1), (STAGES[2], "i8", 7)],
)
def test_all_to_all_v(
    succeed: Callable, exchange_text: Callable, ranks: int, element: str, core_num: int, passes: str
):
    counts = step_counts(ranks)
    inputs = payload(ranks, ranks * CAP, element)
    text = exchange_text(ranks, CAP, WIDTH, len(counts), element=element, core_num=core_num)
    by_rank = counts.swapaxes(0, 1)[..., np.newaxis]
    outcome = succeed(
        text,
        *("--ranks", str(ranks), "-p", passes, "--poison"),
        inputs={"inps": inputs, "countss": by_rank},
    )
    target = poison((ranks, ranks * CAP, WIDTH), element)
    received = poison((ranks, ranks), "i32")
    for step, now in enumerate(counts):
        contract(inputs, now, target, received)
        assert np.array_equal(outcome.arrays["gots"][:, step].view("u1"), target.view("u1"))
        assert np.array_equal(outcome.arrays["recvds"][:, step, :, 0], received)
    assert not outcome.arrays["window.signal"].any()
    assert np.array_equal(outcome.arrays["inps"], inputs)


def indexed_text(program: Callable, ranks: int, rows: int) -> str:
    data, source = f"tensor<{ranks * CAP}x{WIDTH}xf32>", f"tensor<{rows}x{WIDTH}xf32>"
    counts, index = f"tensor<{ranks}x1xi32>", f"tensor<{ranks * CAP}xi32>"
    windows = {
        "data": data,
        "signal": f"tensor<{ranks}x2xi32>",
        "sent": counts,
        "recv": counts,
    }
    d = {name: f"!pld.dist_tensor<{type_}>" for name, type_ in windows.items()}
    body = f"""\
  %n = arith.constant 2 : index
  %s = pl.tensor.assemble %counts into %sent[0, 0] : {counts}, {d["sent"]}
  %d = pld.tensor.indexed_all_to_all_v %inp, %data, %signal, %sent, %recv, %index core_num(%n)
    : {source}, {d["data"]}, {d["signal"]}, {d["sent"]}, {d["recv"]}, {index}"""
    return program(ranks, {"inp": source, "counts": counts, "index": index}, windows, body).text()


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("passes", STAGES)
def test_indexed_all_to_all_v(succeed: Callable, program: Callable, ranks: int, passes: str):
    rows = 3
    random = np.random.default_rng(ranks)
    inputs = payload(ranks, rows, "f32")
    counts = random.integers(-1, CAP + 2, (ranks, ranks), dtype=np.int32)
    index = random.integers(0, rows, (ranks, ranks * CAP), dtype=np.int32)
    outcome = succeed(
        indexed_text(program, ranks, rows),
        *("-p", passes, "--poison"),
        inputs={"inps": inputs, "countss": counts[..., np.newaxis], "indexs": index},
    )
    target = poison((ranks, ranks * CAP, WIDTH), "f32")
    received = poison((ranks, ranks), "i32")
    picked = np.stack([inputs[r][index[r]] for r in range(ranks)])
    contract(picked, counts, target, received)
    assert np.array_equal(outcome.arrays["window.data"].view("u1"), target.view("u1"))
    assert np.array_equal(outcome.arrays["window.recv"][..., 0], received)


def test_an_index_outside_the_input(run_text: Callable, program: Callable):
    inputs = {
        "countss": np.full((2, 2, 1), 1, np.int32),
        "indexs": np.full((2, 2 * CAP), 3, np.int32),
    }
    outcome = run_text(indexed_text(program, 2, 3), inputs=inputs)
    assert outcome.status == 1
    assert "index 3 of rank 0 for rank 0 is no row of input, which has 3" in outcome.err


# The other collectives: op text, windows before, expected after.

RANKS = 3


def combined(data: Array, function: Callable) -> Array:
    result = data[0]
    for other in data[1:]:
        result = function(result, other)
    return np.broadcast_to(result, data.shape)


def scattered(data: Array) -> Array:
    expected = data.copy()
    for r in range(RANKS):
        expected[r, 2 * r : 2 * r + 2] = sum(data[s, 2 * r : 2 * r + 2] for s in range(RANKS))
    return expected


OTHERS: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "sum": ('allreduce %data, %signal {op = "sum"}', lambda data: combined(data, np.add)),
    "max": ('allreduce %data, %signal {op = "max"}', lambda data: combined(data, np.maximum)),
    "min": ('allreduce %data, %signal {op = "min"}', lambda data: combined(data, np.minimum)),
    "prod": ('allreduce %data, %signal {op = "prod"}', lambda data: combined(data, np.multiply)),
    "ring": (
        'allreduce %data, %signal {op = "sum", mode = "ring"}',
        lambda data: combined(data, np.add),
    ),
    "reduce_scatter": ('reduce_scatter %data, %signal {op = "sum"}', scattered),
    "broadcast": (
        "broadcast %data, %signal {root = 2 : i64}",
        lambda data: np.broadcast_to(data[2], data.shape),
    ),
    "root 0": ("broadcast %data, %signal", lambda data: np.broadcast_to(data[0], data.shape)),
}


@pytest.mark.parametrize("place", ["chip", "kernel", "host"])
@pytest.mark.parametrize("name", OTHERS)
def test_collectives_in_place(succeed: Callable, program: Callable, name: str, place: str):
    op, expected = OTHERS[name]
    data, signal = "tensor<6x4xf32>", "tensor<5x3xi32>" if name == "ring" else "tensor<3x1xi32>"
    types = f"!pld.dist_tensor<{data}>, !pld.dist_tensor<{signal}>"
    collective = f"%h = pld.tensor.{op} : {types}"
    stage = f"%s = pl.tensor.assemble %inp into %data[0, 0] : {data}, !pld.dist_tensor<{data}>"
    kernel = (
        f"func.func @kernel(%data: !pld.dist_tensor<{data}>, %signal: !pld.dist_tensor<{signal}>)"
        f' attributes {{pl.func_type = "incore"}} {{\n  {collective}\n  func.return\n}}\n'
    )
    then = {
        "chip": collective,
        "kernel": f"pl.call @kernel(%data, %signal) : ({types}) -> ()",
        "host": "",
    }[place]
    text = program(
        RANKS,
        {"inp": data},
        {"data": data, "signal": signal},
        f"  {stage}\n  {then}",
        functions=kernel if place == "kernel" else "",
        host_steps=f"  {collective}" if place == "host" else "",
    ).text()
    outcome = succeed(text)
    wanted = expected(outcome.arrays["inps"])
    assert np.array_equal(outcome.arrays["window.data"], wanted)
    assert outcome.column("barriers") == [2] * RANKS
    assert outcome.column("dispatches L3->L2") == [2 if place == "host" else 1] * RANKS


@pytest.mark.parametrize(
    ("op", "target"), [("all_to_all", "tensor<6x4xf32>"), ("allgather", "tensor<18x4xf32>")]
)
def test_collectives_of_an_input(succeed: Callable, program: Callable, op: str, target: str):
    data, signal = "tensor<6x4xf32>", "tensor<3x1xi32>"
    body = (
        f"  %d = pld.tensor.{op} %inp, %data, %signal : {data}, !pld.dist_tensor<{target}>, "
        f"!pld.dist_tensor<{signal}>"
    )
    outcome = succeed(
        program(RANKS, {"inp": data}, {"data": target, "signal": signal}, body).text()
    )
    inputs = outcome.arrays["inps"]
    for d in range(RANKS):
        parts = [inputs[s] if op == "allgather" else inputs[s, 2 * d : 2 * d + 2] for s in range(3)]
        assert np.array_equal(outcome.arrays["window.data"][d], np.concatenate(parts))


@pytest.mark.parametrize("op", ["all_to_all_v", "allreduce", "broadcast", "barrier"])
def test_host_rail_dispatches(succeed: Callable, program: Callable, op: str):
    """`pld.builtin.*`, one dispatch a device, does what the collective in the host body does."""
    data, signal, counts = "tensor<6x4xf32>", "tensor<3x2xi32>", "tensor<3x1xi32>"
    windows = {"src": data, "data": data, "signal": signal, "sent": counts, "recv": counts}
    d = {name: f"!pld.dist_tensor<{type_}>" for name, type_ in windows.items()}
    names = {
        "all_to_all_v": ["src", "data", "signal", "sent", "recv"],
        "allreduce": ["data", "signal"],
        "broadcast": ["data", "signal"],
        "barrier": ["signal"],
    }[op]
    values, types = ", ".join(f"%{n}" for n in names), ", ".join(d[n] for n in names)
    attributes = {"allreduce": ' {op = "sum"}', "broadcast": " {root = 1 : i64}"}.get(op, "")
    body = "\n".join(
        f"  %{n}2 = pl.tensor.assemble %{source} into %{n}[0, 0] : {windows[n]}, {d[n]}"
        for source, n in (("inp", "src"), ("inp", "data"), ("counts", "sent"))
    )
    managed = f"  %m = pld.tensor.{op} {values}{attributes} : {types}"
    lowered = (
        "  scf.for %r = %c0 to %all step %c1 {\n"
        f"    pld.builtin.{op} {values} device(%r){attributes} : ({types})\n  }}"
    )
    tensors = {"inp": data, "counts": counts}
    runs = [
        succeed(program(3, tensors, windows, body, host_steps=steps).text(), "--seed", "3")
        for steps in (managed, lowered)
    ]
    for title in ("dispatches L3->L2", "tasks", "bytes on the wire", "barriers"):
        assert runs[0].column(title) == runs[1].column(title)
    for name, array in runs[0].arrays.items():
        assert np.array_equal(array, runs[1].arrays[name]), name
