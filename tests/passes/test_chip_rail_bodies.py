"""
Random chip orchestrations: k collectives in, k kernel calls out, each where it stood.

Programs have several functions with loops, whiles, branches and chains in each other, several
element types, shapes and both exchanges. Upstream's clean-up passes run before and after the pass:
they may neither lose, merge nor move a collective, or the call that it becomes.
"""

import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, test
from xdsl.dialects.builtin import Builtin, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.transforms.loop_invariant_code_motion import LoopInvariantCodeMotionPass

from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.pld.collectives import AllToAllVOp, IndexedAllToAllVOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass


class Payload(NamedTuple):
    """One set of operands: its types and the names of a function's parameters for it."""

    name: str
    element: str
    rows: int
    width: int
    ranks: int
    columns: int

    @property
    def types(self) -> dict[str, str]:
        def window(tensor: str) -> str:
            return f"!pld.dist_tensor<{tensor}>"

        tensor = f"tensor<{self.rows}x{self.width}x{self.element}>"
        counts = f"tensor<{self.ranks}x1xi32>"
        return {
            "in": tensor,
            "target": window(tensor),
            "signal": window(f"tensor<{self.ranks}x{self.columns}xi32>"),
            "send": window(counts),
            "recv": window(counts),
            "index": f"tensor<{self.rows}xi32>",
        }

    @property
    def parameters(self) -> str:
        return ", ".join(f"%{self.name}_{role}: {type_}" for role, type_ in self.types.items())


PAYLOADS = (
    Payload("a", "f32", 8, 64, 2, 8),
    Payload("b", "f32", 12, 16, 3, 9),
    Payload("c", "i8", 8, 64, 4, 8),
    Payload("d", "i8", 5, 3, 1, 8),
)
WIDTHS = ("", "%one", "%two", "%five", "%seven", "%eight", "%folded")
KINDS = ("orchestration", "graph")


class Writer:
    """Writes the body of one function; every name is new."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.lines: list[str] = []
        self.names = 0

    def new(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def flag(self) -> str:
        """A condition of its own: LLVM knows what one that was asked before is in its branches."""
        name = self.new()
        self.lines.append(f'{name} = "test.op"() : () -> i1')
        return name

    def block(self, scope: dict[str, list[str]], depth: int) -> None:
        """A few statements; values that they define come into scope."""
        for _ in range(self.draw(st.integers(1, 3))):
            kinds = ["exchange", "exchange", "indexed", "view", "consume"]
            kinds += ["for", "while", "if"] if depth < 2 else []
            payload = self.draw(st.sampled_from(PAYLOADS))
            getattr(self, self.draw(st.sampled_from(kinds)) + "_")(payload, scope, depth)

    def pick(self, payload: Payload, scope: dict[str, list[str]]) -> str:
        return self.draw(st.sampled_from(scope[payload.name]))

    def define(self, payload: Payload, scope: dict[str, list[str]], text: str) -> None:
        name = self.new()
        self.lines.append(f"{name} = {text}")
        if self.draw(st.booleans()):  # or the result stays unused
            scope[payload.name].append(name)

    def exchange_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        n, types = payload.name, payload.types
        width = self.draw(st.sampled_from(WIDTHS))
        clause = f" core_num({width})" if width else ""
        listed = [types[role] for role in ("in", "target", "signal", "send", "recv")]
        self.define(
            payload,
            scope,
            f"pld.tensor.all_to_all_v %{n}_in, {self.pick(payload, scope)}, %{n}_signal, "
            f"%{n}_send, %{n}_recv{clause} : {', '.join(listed)}",
        )

    def indexed_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        n = payload.name
        width = self.draw(st.sampled_from(WIDTHS[1:]))
        self.define(
            payload,
            scope,
            f"pld.tensor.indexed_all_to_all_v %{n}_in, {self.pick(payload, scope)}, %{n}_signal, "
            f"%{n}_send, %{n}_recv, %{n}_index core_num({width}) : "
            f"{', '.join(payload.types.values())}",
        )

    def view_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        target = payload.types["target"]
        self.define(
            payload, scope, f"pl.tensor.view {self.pick(payload, scope)} : {target} -> {target}"
        )

    def consume_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        target, value = payload.types["target"], self.pick(payload, scope)
        call = f"pl.call @consume_{payload.name}({value}) : ({target}) -> {target}"
        self.define(payload, scope, call)

    def inner(self, scope: dict[str, list[str]], depth: int) -> dict[str, list[str]]:
        inside = {name: list(values) for name, values in scope.items()}
        self.block(inside, depth + 1)
        return inside

    def for_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        target = payload.types["target"]
        result, carry, index = self.new(), self.new(), self.new()
        self.lines.append(
            f"{result} = scf.for {index} = %one to %n step %one iter_args({carry} = "
            f"{self.pick(payload, scope)}) -> ({target}) {{"
        )
        inside = self.inner({**scope, payload.name: [*scope[payload.name], carry]}, depth)
        self.lines += [f"scf.yield {self.pick(payload, inside)} : {target}", "}"]
        scope[payload.name].append(result)

    def while_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        target = payload.types["target"]
        result, before, after = self.new(), self.new(), self.new()
        self.lines.append(
            f"{result} = scf.while ({before} = {self.pick(payload, scope)}) : ({target}) -> "
            f"{target} {{"
        )
        inside = self.inner({**scope, payload.name: [*scope[payload.name], before]}, depth)
        self.lines += [
            f"scf.condition({self.flag()}) {self.pick(payload, inside)} : {target}",
            "} do {",
            f"^after({after}: {target}):",
        ]
        inside = self.inner({**scope, payload.name: [*scope[payload.name], after]}, depth)
        self.lines += [f"scf.yield {self.pick(payload, inside)} : {target}", "}"]
        scope[payload.name].append(result)

    def if_(self, payload: Payload, scope: dict[str, list[str]], depth: int) -> None:
        target = payload.types["target"]
        result = self.new()
        self.lines.append(f"{result} = scf.if {self.flag()} -> ({target}) {{")
        for closing in ("} else {", "}"):
            inside = self.inner(scope, depth)
            self.lines += [f"scf.yield {self.pick(payload, inside)} : {target}", closing]
        scope[payload.name].append(result)


@st.composite
def programs(draw: st.DrawFn) -> str:
    parameters = ", ".join(payload.parameters for payload in PAYLOADS)
    parts = [
        f"""func.func @consume_{p.name}(%t: {p.types["target"]} {{pl.dir = "inout"}})
    -> {p.types["target"]} attributes {{pl.func_type = "incore"}} {{
  func.return %t : {p.types["target"]}
}}"""
        for p in PAYLOADS
    ]
    for number in range(draw(st.integers(1, 3))):
        writer = Writer(draw)
        scope = {payload.name: [f"%{payload.name}_target"] for payload in PAYLOADS}
        writer.block(scope, 0)
        returned = draw(st.sampled_from(PAYLOADS))
        target = returned.types["target"]
        body = "\n  ".join(writer.lines)
        parts.append(f"""func.func @f{number}({parameters}, %n: index) -> {target}
    attributes {{pl.func_type = "{draw(st.sampled_from(KINDS))}"}} {{
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %five = arith.constant 5 : index
  %seven = arith.constant 7 : index
  %eight = arith.constant 8 : index
  %folded = arith.muli %two, %two : index
  {body}
  func.return {writer.pick(returned, scope)} : {target}
}}""")
    return "\n".join(parts)


def context() -> Context:
    loaded = Context()
    for dialect in (Builtin, arith.Arith, func.Func, scf.Scf, test.Test, PL, PLD):
        loaded.load_dialect(dialect)
    return loaded


CONTEXT = context()


def parse(text: str) -> ModuleOp:
    module = Parser(CONTEXT, text).parse_module()
    module.verify()
    return module


def show(module: ModuleOp, *, generic: bool = False) -> str:
    stream = StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def lower(module: ModuleOp) -> None:
    LowerL2TensorCollectivesPass().apply(CONTEXT, module)
    module.verify()


def kernel_called(op: Operation) -> str | None:
    """The kernel that an op is a call of, or becomes one of."""
    if isinstance(op, AllToAllVOp | IndexedAllToAllVOp):
        assert isinstance(op.target.type, DistributedTensorType)
        suffix = {"f32": "fp32", "i8": "int8"}[str(op.target.type.get_element_type())]
        return f"__builtin_{op.name.removeprefix('pld.tensor.')}__{suffix}"
    if isinstance(op, CallOp) and op.callee.root_reference.data.startswith("__builtin"):
        return op.callee.root_reference.data
    return None


def launches(module: ModuleOp) -> list[str]:
    """All exchanges in text order, lowered or not, each with the function it stands in."""
    found: list[str] = []
    for function in module.ops:
        for op in function.walk():
            if (kernel := kernel_called(op)) is not None:
                found.append(f"{function.properties['sym_name']}: {kernel}")
    return found


def outline(module: ModuleOp) -> list[tuple[str, int]]:
    """Every op with its depth, exchanges by kernel, without kernels and their new constants."""
    widths = {
        op.core_num.owner
        for op in module.walk()
        if isinstance(op, CallOp) and kernel_called(op) and op.core_num is not None
    }
    found: list[tuple[str, int]] = []
    for function in module.ops:
        if str(function.properties["sym_name"]).startswith('"__builtin'):
            continue
        for op in function.walk():
            if op in widths:
                continue
            depth, parent = 0, op.parent_op()
            while parent is not None:
                depth, parent = depth + 1, parent.parent_op()
            found.append((kernel_called(op) or op.name, depth))
    return found


def admitted(op: AllToAllVOp | IndexedAllToAllVOp) -> int:
    """The blocks a launch gets, counted: the largest number that the reference's rule allows."""
    if op.core_num is None:
        return 1
    limit = constant_int(op.core_num)
    limit = 4 if limit is None else limit  # %folded
    assert isinstance(op.signal.type, DistributedTensorType)
    ranks = op.signal.type.get_shape()[0]
    if isinstance(op, IndexedAllToAllVOp) or limit < ranks:
        return limit
    return max(blocks for blocks in range(1, limit + 1) if blocks % ranks == 0)


def clean_up(module: ModuleOp) -> None:
    for pass_ in (
        CanonicalizePass(),
        CommonSubexpressionElimination(),
        LoopInvariantCodeMotionPass(),
        DeadCodeElimination(),
    ):
        pass_.apply(CONTEXT, module)
        module.verify()


bounded = settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@bounded
@given(programs())
def test_each_becomes_a_call_where_it_stood(text: str):
    module = parse(text)
    before = outline(module)
    widths: list[int] = []
    for line, op in enumerate(module.walk(), start=1):
        op.location = FileLineColLoc(StringAttr("f"), IntAttr(line), IntAttr(1))
        if isinstance(op, AllToAllVOp | IndexedAllToAllVOp):
            widths.append(admitted(op))
    places = [op.location for op in module.walk() if kernel_called(op)]
    wanted = {kernel for op in module.walk() if (kernel := kernel_called(op))}

    lower(module)
    assert outline(module) == before
    calls = [op for op in module.walk() if isinstance(op, CallOp) and kernel_called(op)]
    assert [op.location for op in calls] == places
    for call, width in zip(calls, widths, strict=True):
        assert (1 if call.core_num is None else constant_int(call.core_num)) == width
        assert (call.sync_start is not None) == (width > 1)
        assert set(call.properties) <= {"callee", "sync_start", "operandSegmentSizes"}
        assert not call.attributes
    names = [str(op.properties["sym_name"]).strip('"') for op in module.ops]
    kernels = [name for name in names if name.startswith("__builtin")]
    assert len(kernels) == len(set(kernels))
    assert set(kernels) == wanted
    assert names[len(names) - len(kernels) :] == kernels

    once = show(module)
    lower(module)
    assert show(module) == once
    assert parse(show(module, generic=True)).is_structurally_equivalent(module)


@bounded
@given(programs())
def test_upstream_loses_merges_and_moves_none(text: str):
    module = parse(text)
    before = launches(module)
    clean_up(module)
    assert launches(module) == before
    lower(module)
    assert launches(module) == before
    clean_up(module)
    assert launches(module) == before
    lower(module)
    assert launches(module) == before


def heir_opt(module: ModuleOp) -> ModuleOp:
    tool = shutil.which("heir-opt", path=str(Path(sys.executable).parent)) or shutil.which(
        "heir-opt"
    )
    if tool is None:
        pytest.skip("heir-opt is not installed (test extra heir-py)")
    done = subprocess.run(
        [
            tool,
            "--allow-unregistered-dialect",
            "--mlir-print-op-generic",
            "-canonicalize",
            "-cse",
            "-loop-invariant-code-motion",
        ],
        input=show(module, generic=True),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return parse(done.stdout)


@settings(bounded, max_examples=2, phases=[Phase.generate])
@given(programs())
def test_llvm_loses_merges_and_moves_none(text: str):
    module = parse(text)
    before = launches(module)
    module = heir_opt(module)
    assert launches(module) == before
    lower(module)
    module = heir_opt(module)
    assert launches(module) == before
    lower(module)
    assert launches(module) == before
