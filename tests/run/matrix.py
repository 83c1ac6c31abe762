"""
The verification matrix: exchanges of every kind as whole programs, and what they must give.

A case is a loop of exchanges on one signal. Before each, the rank writes poison over its target and
its counts, so that what an exchange does not write shows, and what an earlier one left does not.
`expected` states the contract (l2-collectives, The operator) in numpy, apart from the interpreter.

One program text a rail and case: on the chip rail the exchange stands in the pipeline, on the
InCore rail in a kernel of it, on the host rail in the host body between two dispatches.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.run.programs import Program, dist

Array = NDArray[Any]

DTYPES = {"f32": np.dtype(np.float32), "i8": np.dtype(np.int8)}
POISON_BYTE = 0x5A
"""Another than `--poison` has, so that it shows if that is left behind."""
POISON_COUNT = -77
SENTINEL = 99
"""The value of input rows past the count: they must not arrive."""

PASSES = {
    "chip": "lower-l2-tensor-collectives,materialize-dist-tensor-ctx",
    "incore": "lower-composite-ops",
    "host": "materialize-comm-domain-scopes,lower-host-tensor-collectives",
}
"""What lowers the exchange, by rail."""


def count_tables(ranks: int, capacity: int) -> Array:
    """Counts of every kind, one table [source, destination] a step."""
    random = np.random.default_rng(ranks)
    shape, rank = (ranks, ranks), np.arange(ranks)
    tables = [
        np.full(shape, capacity),
        np.zeros(shape),
        np.ones(shape),
        np.full(shape, capacity + 1),
        np.full(shape, 2**31 - 1),
        np.full(shape, -1),
        np.full(shape, -(2**31)),
        np.add.outer(rank, rank) % (capacity + 1),
        np.subtract.outer(rank, 2 * rank),
        np.where(np.add.outer(rank, rank) % 2, -3, capacity),
        random.integers(-2, capacity + 3, shape),
        random.integers(-2, capacity + 3, shape),
    ]
    return np.stack(tables).astype(np.int32)


def rows_sent(counts: Array, capacity: int) -> Array:
    return np.clip(counts, 0, capacity)


@dataclass(frozen=True)
class Case:
    """A loop of exchanges. Arrays have the steps first, then the ranks."""

    ranks: int
    core_num: int = 1
    element: str = "f32"
    capacity: int = 3
    width: int = 13
    counts: Array | None = None
    """[steps, source, destination]; None: `count_tables`."""
    indexed: bool = False

    @property
    def tables(self) -> Array:
        return count_tables(self.ranks, self.capacity) if self.counts is None else self.counts

    @property
    def rows(self) -> int:
        return self.ranks * self.capacity

    def payload(self) -> Array:
        """[steps, ranks, rows, width]: all four tell; sentinels past the count."""
        shape = (len(self.tables), self.ranks, self.rows, self.width)
        step, rank, row, column = np.indices(shape)
        data = (step * 5 + rank * 31 + row * 7 + column) % 97 - 48
        if not self.indexed:
            sent = rows_sent(self.tables, self.capacity)
            unsent = np.arange(self.capacity) >= sent[..., np.newaxis]
            data[unsent.reshape(shape[:3])] = SENTINEL
        return data.astype(DTYPES[self.element])

    def index(self) -> Array:
        """[ranks, rows]: repeated rows on even ranks, permuted ones on odd ranks."""
        random = np.random.default_rng(self.ranks)
        repeated = random.integers(0, self.rows, (self.ranks, self.rows))
        permuted = np.stack([random.permutation(self.rows) for _ in range(self.ranks)])
        odd = np.arange(self.ranks)[:, np.newaxis] % 2 == 1
        return np.where(odd, permuted, repeated).astype(np.int32)

    def inputs(self) -> Mapping[str, Array]:
        """The host function's arguments; the ranks come first."""
        poison = np.full((self.rows, self.width * DTYPES[self.element].itemsize), POISON_BYTE, "u1")
        arrays = {
            "inps": self.payload().swapaxes(0, 1).copy(),
            "countss": self.tables.swapaxes(0, 1)[..., np.newaxis].copy(),
            "stales": np.stack([poison.view(DTYPES[self.element])] * self.ranks),
            "nones": np.full((self.ranks, self.ranks, 1), POISON_COUNT, np.int32),
        }
        return {**arrays, "indexs": self.index()} if self.indexed else arrays

    def expected(self) -> tuple[Array, Array]:
        """Targets [ranks, steps, rows, width] and received counts [ranks, steps, ranks, 1]."""
        inputs = self.inputs()
        payload, cap = inputs["inps"], self.capacity
        sent = rows_sent(inputs["countss"][..., 0], cap)
        got = np.repeat(inputs["stales"][:, np.newaxis], len(self.tables), axis=1)
        for step, source, destination in np.ndindex(len(self.tables), self.ranks, self.ranks):
            rows = np.arange(sent[source, step, destination])
            taken = destination * cap + rows
            taken = inputs["indexs"][source][taken] if self.indexed else taken
            got[destination, step, source * cap + rows] = payload[source, step, taken]
        return got, sent.transpose(2, 1, 0)[..., np.newaxis]

    def check(self, outputs: Mapping[str, Array]) -> None:
        """Raises AssertionError where a run did not give what the contract says."""
        got, received = self.expected()
        assert np.array_equal(outputs["recvds"], received)
        assert np.array_equal(outputs["gots"].view("u1"), got.view("u1"))
        assert not outputs["window.signal"].any()

    def text(self, rail: str = "chip") -> str:
        return {"chip": _chip, "incore": _incore, "host": _host}[rail](self)


@dataclass(frozen=True)
class _Types:
    """The types of a case's tensors, by name, and the text of its parts."""

    case: Case

    def __getitem__(self, name: str) -> str:
        case, steps = self.case, len(self.case.tables)
        data = f"tensor<{case.rows}x{case.width}x{case.element}>"
        counts = f"tensor<{case.ranks}x1xi32>"
        return {
            "data": data,
            "counts": counts,
            "signal": f"tensor<{case.ranks}x{max(case.core_num, 1)}xi32>",
            "index": f"tensor<{case.rows}xi32>",
            "all data": data.replace("<", f"<{steps}x"),
            "all counts": counts.replace("<", f"<{steps}x"),
        }[name]

    @property
    def received(self) -> str:
        """The type of the received counts; the indexed exchange takes a plain tensor, too."""
        return self["counts"] if self.case.indexed else dist(self["counts"])

    @property
    def tensors(self) -> dict[str, str]:
        names = {
            **{"inp": "all data", "counts": "all counts", "stale": "data", "none": "counts"},
            **({"index": "index"} if self.case.indexed else {}),
            **{"got": "all data", "recvd": "all counts"},
        }
        return {name: self[type_] for name, type_ in names.items()}

    def row(self, name: str, source: str, kind: str, index: str, indent: str = "    ") -> str:
        """One step of an array over all steps."""
        whole, part = self[f"all {kind}"], self[kind]
        boxed = part.replace("<", "<1x")
        shape = boxed.removeprefix("tensor<").split("x")[:-1]
        zeros = ", 0" * (len(shape) - 1)
        return (
            f"{indent}%{name}_box = pl.tensor.slice %{source}[{index}{zeros}] "
            f"[{', '.join(shape)}] : {whole} -> {boxed}\n"
            f"{indent}%{name} = pl.tensor.view %{name}_box : {boxed} -> {part}"
        )


CONSTANTS = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %width = arith.constant {width} : index
  %steps = arith.constant {steps} : index"""


def _constants(case: Case) -> str:
    return CONSTANTS.format(width=case.core_num, steps=len(case.tables))


def _exchange(case: Case, input_type: str, counts_type: str, sent: str = "%sent") -> str:
    types = _Types(case)
    d = {name: dist(types[name]) for name in ("data", "signal", "counts")}
    name, index, index_type = "all_to_all_v", "", ""
    if case.indexed:
        name, index, index_type = "indexed_all_to_all_v", ", %index", f", {types['index']}"
    return (
        f"    %after = pld.tensor.{name} %now, %data, %signal, {sent}, %recv{index} "
        f"core_num(%width)\n      : {input_type}, {d['data']}, {d['signal']}, {counts_type}, "
        f"{types.received}{index_type}"
    )


def _loop(case: Case, exchange: str) -> str:
    """A pipeline's steps: poison, exchange, keep what arrived."""
    types = _Types(case)
    data, counts = dist(types["data"]), types.received
    before, stage = "", ""
    if case.indexed:
        before = f"\n  %recv = pl.tensor.create : {counts}"
        stage = (
            f"\n    %outgoing = pl.tensor.assemble %sent into %out[0, 0] : {types['counts']}, "
            f"{dist(counts)}"
        )
    return f"""\
{_constants(case)}{before}
  scf.for %s = %zero to %steps step %one {{
{types.row("now", "inp", "data", "%s")}
{types.row("sent", "counts", "counts", "%s")}
    %a = pl.tensor.assemble %stale into %data[0, 0] : {types["data"]}, {data}
    %b = pl.tensor.assemble %none into %recv[0, 0] : {types["counts"]}, {counts}{stage}
{exchange}
    %g = pl.tensor.assemble %data into %got[%s, 0, 0] : {data}, {types["all data"]}
    %h = pl.tensor.assemble %recv into %recvd[%s, 0, 0] : {counts}, {types["all counts"]}
  }}"""


def _windows(case: Case) -> dict[str, str]:
    types = _Types(case)
    names = {"data": "data", "signal": "signal"}
    names["out" if case.indexed else "recv"] = "counts"
    return {name: types[type_] for name, type_ in names.items()}


def _chip(case: Case) -> str:
    types = _Types(case)
    counts, sent = (dist(types["counts"]), "%out") if case.indexed else (types["counts"], "%sent")
    body = _loop(case, _exchange(case, types["data"], counts, sent))
    return Program(case.ranks, types.tensors, _windows(case), body).text()


def _incore(case: Case) -> str:
    types = _Types(case)
    d = {name: dist(types[name]) for name in ("data", "signal", "counts")}
    signature = (types["data"], d["data"], d["signal"], types["counts"], d["counts"])
    names = ("now", "data", "signal", "sent", "recv")
    written = ("data", "signal", "recv")
    parameters = ", ".join(
        f"%{name}: {type_}" + (' {pl.dir = "inout"}' if name in written else "")
        for name, type_ in zip(names, signature, strict=True)
    )
    kernel = (
        f'func.func @kernel({parameters}) attributes {{pl.func_type = "incore"}} {{\n'
        f"{_constants(case)}\n{_exchange(case, types['data'], types['counts'])}\n"
        "  func.return\n}\n"
    )
    values = ", ".join(f"%{name}" for name in names)
    call = f"    pl.call @kernel({values}) : ({', '.join(signature)}) -> ()"
    tensors, windows = types.tensors, _windows(case)
    return Program(case.ranks, tensors, windows, _loop(case, call), functions=kernel).text()


def _pipeline(name: str, tensors: Mapping[str, str], windows: Mapping[str, str], body: str) -> str:
    parameters = [f'%{n}: {t} {{pl.dir = "inout"}}' for n, t in tensors.items()]
    parameters += [f'%{n}: {dist(t)} {{pl.dir = "inout"}}' for n, t in windows.items()]
    return (
        f"func.func @{name}({', '.join([*parameters, '%s: index'])})\n"
        f'    attributes {{pl.func_type = "orchestration"}} {{\n{body}\n  func.return\n}}\n'
    )


def _host(case: Case) -> str:
    """Per step one dispatch to stage, the exchange, and one dispatch to keep what arrived."""
    types = _Types(case)
    data, counts = dist(types["data"]), dist(types["counts"])
    windows = {"now": types["data"], **_windows(case), "sent": types["counts"]}
    before = {n: types.tensors[n] for n in ("inp", "counts", "stale", "none")}
    after = {n: types.tensors[n] for n in ("got", "recvd")}
    staged = {n: windows[n] for n in ("now", "sent", "data", "recv")}
    arrived = {n: windows[n] for n in ("data", "recv")}
    stage = f"""\
{types.row("one", "inp", "data", "%s", "  ")}
{types.row("table", "counts", "counts", "%s", "  ")}
  %p = pl.tensor.assemble %one into %now[0, 0] : {types["data"]}, {data}
  %q = pl.tensor.assemble %table into %sent[0, 0] : {types["counts"]}, {counts}
  %a = pl.tensor.assemble %stale into %data[0, 0] : {types["data"]}, {data}
  %b = pl.tensor.assemble %none into %recv[0, 0] : {types["counts"]}, {counts}"""
    keep = f"""\
  %g = pl.tensor.assemble %data into %got[%s, 0, 0] : {data}, {types["all data"]}
  %h = pl.tensor.assemble %recv into %recvd[%s, 0, 0] : {counts}, {types["all counts"]}"""
    program = Program(
        case.ranks,
        types.tensors,
        windows,
        "",
        _pipeline("stage", before, staged, stage) + _pipeline("keep", after, arrived, keep),
    )
    steps = "\n".join(
        [
            _constants(case),
            "  scf.for %s = %zero to %steps step %one {",
            program.dispatch("stage", before, staged, {"s": "index"}),
            _exchange(case, data, counts),
            program.dispatch("keep", after, arrived, {"s": "index"}),
            "  }",
        ]
    )
    return Program(
        case.ranks, types.tensors, windows, "", program.functions, host_steps=steps
    ).text()
