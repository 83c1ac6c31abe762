"""
Many programs in one MPI job: the smaller verification matrix and more, run by all of its ranks.

    mpirun -n P python cases.py FOLDER NAME[@N]...

With @N, N ranks share memory, and the rest goes through RMA. Every rank calls `pld-run` for each
case in turn. Rank 0 holds each to what the case expects and to another engine's arrays, bit for
bit; what is wrong goes to FOLDER/failures and ends the job. The names of the cases that went well
are in FOLDER/done.
"""

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.run.matrix import PASSES, Case
from tests.run.programs import Program
from tests.run.test_host import double, fill, host
from tests.run.test_kernels import CALL, DATA, GET, LOAD, PUT, SIGNAL, STORE, ring
from xdsl_pld.tools import run
from xdsl_pld.tools.interpreter.arrays import first_difference

Array = NDArray[np.generic]
NEIGHBOURS = "XDSL_PLD_MPI_NEIGHBOURS"
RANK, RANKS = (int(os.environ[f"OMPI_COMM_WORLD_{name}"]) for name in ("RANK", "SIZE"))


@dataclass(frozen=True)
class Work:
    """A program to run and to check."""

    text: str
    inputs: Mapping[str, Array]
    check: Callable[[Mapping[str, Array]], None]
    options: tuple[str, ...] = ()
    reference: str = "ir"
    """The engine whose arrays are to be the same."""


def _nothing(outputs: Mapping[str, Array]) -> None:
    pass


def _matrix(rail: str, *options: str, lowered: bool = True, **how: object) -> Work:
    case = Case(RANKS, **how)
    passes = ("-p", PASSES[rail]) if lowered else ()
    return Work(case.text(rail), case.inputs(), case.check, (*passes, *options), "sim")


def _hundred() -> Work:
    counts = np.random.default_rng(RANKS).integers(-1, 5, (100, RANKS, RANKS), np.int32)
    return _matrix("chip", core_num=2, counts=counts, width=3)


def _ring(move: str) -> Work:
    """Puts, gets, stores and loads of InCore kernels; four ranks."""
    inputs = np.arange(32, dtype=np.int32).reshape(4, 2, 4)

    def check(outputs: Mapping[str, Array]) -> None:
        moved = outputs["window.data" if move in (PUT, STORE) else "inps"]
        assert np.array_equal(moved, np.roll(inputs, 1, axis=0))

    windows = {"data": DATA, "signal": SIGNAL}
    text = Program(4, {"inp": DATA}, windows, CALL, functions=ring(move)).text()
    return Work(text, {"inps": inputs}, check)


def _adds(element: str) -> Work:
    """All ranks add to one window at once, in whole numbers: no order changes the sum."""
    data = f"tensor<6x40x{element}>"
    body = "".join(
        f"""\
  %c{i} = arith.constant {i} : i32
  pld.tensor.put %inp[0, {i}] into %data[2, {i + 1}] [3, 7] peer(%c{i}) {{atomic = "add"}}
    : {data}, !pld.dist_tensor<{data}>
"""
        for i in range(RANKS)
    )
    dtype = {"f32": np.float32, "i32": np.int32, "f16": np.float16, "i8": np.int8}[element]
    inputs = np.random.default_rng(3).integers(-8, 8, (RANKS, 6, 40)).astype(dtype)

    def check(outputs: Mapping[str, Array]) -> None:
        for rank in range(RANKS):
            wanted = np.zeros((6, 40), dtype)
            wanted[2:5, rank + 1 : rank + 8] = inputs[:, 0:3, rank : rank + 7].sum(axis=0)
            assert np.array_equal(outputs["window.data"][rank], wanted)

    return Work(Program(RANKS, {"inp": data}, {"data": data}, body).text(), {"inps": inputs}, check)


def _by_meaning() -> Work:
    """Collectives without a kernel, on floats whose sum depends on the order."""
    data, signal = "tensor<8x4xf32>", f"tensor<{RANKS}x1xi32>"
    d_data, d_signal = f"!pld.dist_tensor<{data}>", f"!pld.dist_tensor<{signal}>"
    body = f"""\
  %s = pl.tensor.assemble %inp into %data[0, 0] : {data}, {d_data}
  %a = pld.tensor.allreduce %data, %signal {{op = "sum"}} : {d_data}, {d_signal}
  %g = pl.tensor.assemble %a into %got[0, 0] : {d_data}, {data}
  %t = pld.tensor.all_to_all %inp, %other, %signal : {data}, {d_data}, {d_signal}
  %b = pld.tensor.broadcast %other, %signal {{root = 1 : i64}} : {d_data}, {d_signal}
  %r = pld.tensor.reduce_scatter %data, %signal {{op = "max"}} : {d_data}, {d_signal}"""
    windows = {"data": data, "other": data, "signal": signal}
    return Work(Program(RANKS, {"inp": data, "got": data}, windows, body).text(), {}, _nothing)


def _host_tensors() -> Work:
    """Producer and consumers on several devices, and a host body that looks and writes between."""
    devices = ["%c0", "%c1", "%c2"] if RANKS > 2 else ["%c1", "%c0", "%c1"]
    steps = (
        fill("%x", "%three", devices[0])
        + double("%a", "%x", "%y", devices[1])
        + double("%b", "%a", "%z", devices[2])
        + fill("%x", "%five", devices[1])
        + """\
  %v = pl.tensor.read %z[1] : tensor<4xi32> -> i32
  %is_twelve = arith.cmpi eq, %v, %v : i32
  scf.if %is_twelve {
    %w = pl.tensor.write %v into %x[2] : i32, tensor<4xi32>
  }
"""
        + double("%r", "%x", "%y", devices[0])
    )

    def check(outputs: Mapping[str, Array]) -> None:
        assert outputs["x"].tolist() == [5, 5, 12, 5]
        assert outputs["y"].tolist() == [10, 10, 24, 10]
        assert outputs["z"].tolist() == [12] * 4

    return Work(host(steps), {}, check)


def _undeclared_writes() -> Work:
    """Pipelines that write parts of one host tensor which they declare as input."""
    body = """\
func.func @chip(%x: tensor<8xi32>, %at: index, %v: i32)
    attributes {pl.func_type = "orchestration"} {
  %w = pl.tensor.write %v into %x[%at] : i32, tensor<8xi32>
  func.return
}
func.func @host(%x: tensor<8xi32>) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 99 : i32
  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {
    pl.call @chip(%x, %r, %v) device(%r) : (tensor<8xi32>, index, i32) -> ()
  }
  func.return
}
"""

    def check(outputs: Mapping[str, Array]) -> None:
        assert outputs["x"].tolist() == [99] * RANKS + [0] * (8 - RANKS)

    return Work(body, {"x": np.zeros(8, np.int32)}, check)


def _domains() -> Work:
    """Two domains of two devices each, in an order of their own; four ranks."""
    data, counts, signal = "tensor<4x8xf32>", "tensor<2x1xi32>", "tensor<2x2xi32>"
    d = {name: f"!pld.dist_tensor<{t}>" for name, t in (("d", data), ("r", counts), ("s", signal))}
    text = f"""\
func.func @chip(%inp: {data}, %counts: {counts}, %data: {d["d"]} {{pl.dir = "inout"}},
    %signal: {d["s"]} {{pl.dir = "inout"}}, %recv: {d["r"]} {{pl.dir = "inout"}})
    attributes {{pl.func_type = "orchestration"}} {{
  %two = arith.constant 2 : index
  %o = pld.tensor.all_to_all_v %inp, %data, %signal, %counts, %recv core_num(%two)
    : {data}, {d["d"]}, {d["s"]}, {counts}, {d["r"]}
  func.return
}}
func.func @host(%inps: tensor<4x4x8xf32>, %counts: {counts})
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  %bytes = arith.constant 128 : index
"""
    for name, first, second in (("even", 2, 0), ("odd", 1, 3)):
        text += f"""\
  pld.comm_domain attributes {{name = "{name}", devices = array<i64: {first}, {second}>,
      slots = ["d_{name}", "s_{name}", "r_{name}"]}} {{
    %b0 = pld.tensor.alloc_window_buffer %bytes {{name = "d_{name}"}} : !pld.window_buffer
    %b1 = pld.tensor.alloc_window_buffer %bytes {{name = "s_{name}"}} : !pld.window_buffer
    %b2 = pld.tensor.alloc_window_buffer %bytes {{name = "r_{name}"}} : !pld.window_buffer
    %data = pld.tensor.window %b0 : !pld.window_buffer -> {d["d"]}
    %signal = pld.tensor.window %b1 : !pld.window_buffer -> {d["s"]}
    %recv = pld.tensor.window %b2 : !pld.window_buffer -> {d["r"]}
"""
        for device in (first, second):
            text += f"""\
    %c{device} = arith.constant {device} : index
    %x{device} = pl.tensor.slice %inps[{device}, 0, 0] [1, 4, 8]
      : tensor<4x4x8xf32> -> tensor<1x4x8xf32>
    %i{device} = pl.tensor.view %x{device} : tensor<1x4x8xf32> -> {data}
    pl.call @chip(%i{device}, %counts, %data, %signal, %recv) device(%c{device})
      : ({data}, {counts}, {d["d"]}, {d["s"]}, {d["r"]}) -> ()
"""
        text += "  }\n"

    def check(outputs: Mapping[str, Array]) -> None:
        for name, devices in (("even", (2, 0)), ("odd", (1, 3))):
            for rank, source in np.ndindex(2, 2):
                row = outputs[f"window.d_{name}"][rank, 2 * source]
                assert np.array_equal(row, outputs["inps"][devices[source], 2 * rank])

    return Work(text + "  func.return\n}\n", {"counts": np.ones((2, 1), np.int32)}, check)


CASES: Mapping[str, Callable[[], Work]] = {
    "chip": partial(_matrix, "chip", core_num=3),
    "chip as written": partial(_matrix, "chip", core_num=3, lowered=False),
    "incore": partial(_matrix, "incore"),
    "host": partial(_matrix, "host", core_num=3),
    "poison": partial(_matrix, "chip", "--poison", core_num=5, width=7),
    "indexed": partial(_matrix, "chip", core_num=2, indexed=True),
    "hundred": _hundred,
    **{
        n: partial(_ring, m)
        for n, m in {"put": PUT, "store": STORE, "get": GET, "load": LOAD}.items()
    },
    **{f"add {element}": partial(_adds, element) for element in ("f32", "i32", "f16", "i8")},
    "by meaning": _by_meaning,
    "host tensors": _host_tensors,
    "undeclared writes": _undeclared_writes,
    "domains": _domains,
}


def outputs(folder: Path, program: Work, engine: str) -> Mapping[str, Array]:
    saved = folder / f"{engine}.npz"
    options = [
        "--inputs",
        str(folder / "in.npz"),
        "--save",
        str(saved),
        "--ranks",
        str(RANKS),
        "-q",
    ]
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        status = run.main(
            [str(folder / "program.mlir"), *options, *program.options, "--engine", engine]
        )
    assert (status, told.getvalue()) == (0, "")
    return dict(np.load(saved)) if RANK == 0 else {}


def check(folder: Path, program: Work) -> None:
    if RANK == 0:
        (folder / "program.mlir").write_text(program.text)
        np.savez(folder / "in.npz", **program.inputs)
    got = outputs(folder, program, "mpi")
    if RANK == 0:
        program.check(got)
        difference = first_difference(outputs(folder, program, program.reference), got, RANKS)
        assert difference is None, difference


def main(folder: Path, names: list[str]) -> None:
    for name in names:
        case, _, neighbours = name.partition("@")
        os.environ.pop(NEIGHBOURS, None)
        if neighbours:
            os.environ[NEIGHBOURS] = neighbours
        try:
            check(folder, CASES[case]())
        except Exception:
            with (folder / "failures").open("a") as file:
                file.write(f"rank {RANK}: {name}\n{traceback.format_exc()}\n")
            os._exit(1)
        if RANK == 0:
            with (folder / "done").open("a") as file:
                file.write(f"{name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
