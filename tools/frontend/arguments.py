"""
Arguments of DSL ops: a table says what an op takes, here is how each kind of argument is read.

    "t:tensor offsets:indices shapes:indices valid_shape:indices? target_memory:dropped?"

is a signature: names, under which an argument may also be given by keyword, kinds, and `?` for
what may be left out. Source: the DSL reference, section 6.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import IndexType, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.types import (
    CommCtxType,
    DistributedTensorType,
    TileType,
    WindowBufferType,
    is_tensor_like,
)
from xdsl_pld.tools.frontend.attrs import Attrs, read_attrs
from xdsl_pld.tools.frontend.body import Body, Const, Results, Value
from xdsl_pld.tools.frontend.constants import SCRATCH, DType, Member
from xdsl_pld.tools.frontend.scalars import as_scalar
from xdsl_pld.tools.frontend.source import Problem

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Parameter:
    """One argument that an op takes."""

    name: str
    kind: str
    optional: bool


@dataclass(frozen=True)
class DslOp:
    """
    One op of the DSL: what it takes, and what is made of it. A parameter of a kind
    `attrs:key,key` is an `attrs=` with these keys.
    """

    path: str
    parameters: tuple[Parameter, ...]
    build: "Callable[[OpCall], Value | None]"


class OpCall:
    """A call of a DSL op, its arguments read."""

    def __init__(self, op: DslOp, body: Body, node: ast.Call):
        self.op = op
        self.body = body
        self.node = node
        self._nodes = bind(op.path, op.parameters, node)
        kinds = {parameter.name: parameter.kind for parameter in op.parameters}
        self._read: dict[str, object] = {}
        self._values: dict[str, Value] = {}
        self._indices: dict[str, Sequence[IndexLike]] = {}
        self.attrs = Attrs()
        for name, argument in self._nodes.items():
            kind = kinds[name]
            if kind == "any":
                self._values[name] = body.read(argument)
            elif kind.startswith("attrs/"):
                self.attrs = read_attrs(body, argument, kind.split("/")[1:])
            elif kind == "indices":
                self._indices[name] = read_indices(body, argument, f"'{name}'")
            else:
                self._read[name] = KINDS[kind](self, name, argument)

    def has(self, name: str) -> bool:
        return name in self._nodes

    def place(self, name: str) -> ast.expr:
        """The expression of an argument."""
        return self._nodes[name]

    def ssa(self, name: str) -> SSAValue:
        value = self._read[name]
        assert isa(value, SSAValue)
        return value

    def optional_ssa(self, name: str) -> SSAValue | None:
        return self.ssa(name) if self.has(name) else None

    def value(self, name: str) -> Value:
        """An argument of kind `any`."""
        return self._values[name]

    def indices(self, name: str) -> Sequence[IndexLike]:
        return self._indices[name]

    def type(self, name: str) -> Attribute:
        value = self._read[name]
        assert isinstance(value, Attribute)
        return value

    def text(self, name: str, default: str) -> str:
        value = self._read.get(name, default)
        assert isinstance(value, str)
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        value = self._read.get(name, default)
        assert isinstance(value, int)
        return value

    def emit(self, op: OpT) -> OpT:
        return self.body.emit(op, self.node)


def signature(text: str) -> tuple[Parameter, ...]:
    """Reads a signature of a table."""
    parameters: list[Parameter] = []
    for entry in text.split():
        name, kind = entry.rstrip("?").split(":")
        parameters.append(Parameter(name, kind, entry.endswith("?")))
    return tuple(parameters)


def table(
    *rows: tuple[str, str, Callable[[OpCall], Value | None]],
) -> Mapping[str, DslOp]:
    """Ops by their paths; a row may list several paths of one op."""
    ops: dict[str, DslOp] = {}
    for paths, text, build in rows:
        parameters = signature(text)
        for path in paths.split():
            ops[path] = DslOp(path, parameters, build)
    return ops


def bind(path: str, parameters: Sequence[Parameter], node: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by name, in the order of the text."""
    bound: dict[str, ast.expr] = {}
    if len(node.args) > len(parameters):
        extra = node.args[len(parameters)]
        raise Problem(
            extra, f"{path} takes at most {len(parameters)} arguments, not {len(node.args)}"
        )
    for parameter, argument in zip(parameters, node.args, strict=False):
        if isinstance(argument, ast.Starred):
            raise Problem(argument, "'*' in a call is not supported: list the arguments")
        bound[parameter.name] = argument
    known = {parameter.name for parameter in parameters}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Problem(keyword.value, "'**' in a call is not supported: list the arguments")
        if keyword.arg in bound:
            raise Problem(keyword, f"{path}: '{keyword.arg}' is given twice")
        if keyword.arg not in known:
            listed = ", ".join(parameter.name for parameter in parameters) or "none"
            raise Problem(
                keyword, f"{path} has no parameter '{keyword.arg}'; its parameters: {listed}"
            )
        bound[keyword.arg] = keyword.value
    missing = [p.name for p in parameters if not p.optional and p.name not in bound]
    if missing:
        raise Problem(node, f"{path} needs {', '.join(repr(name) for name in missing)}")
    return bound


# Kinds


def read_indices(body: Body, node: ast.expr, what: str) -> list[IndexLike]:
    """A list of offsets, sizes or extents: constants, and scalars as index values."""
    if isinstance(node, ast.List | ast.Tuple):
        return [read_index_like(body, element, what) for element in node.elts]
    value = body.read(node)
    if isinstance(value, Const) and isinstance(value.value, tuple):
        return [index_like(body, Const(entry), what, node) for entry in value.value]
    raise Problem(node, f"{what} must be a list")


def read_index_like(body: Body, node: ast.expr, what: str) -> IndexLike:
    """One offset, size or extent."""
    return index_like(body, body.read(node), what, node)


def index_like(body: Body, value: Value, what: str, node: ast.expr) -> IndexLike:
    """A value as one entry of an index list."""
    if isinstance(value, Const) and type(value.value) is int:
        if not -(2**63) < value.value < 2**63:
            raise Problem(node, f"{value.value} in {what} does not fit into an index")
        return value.value
    return as_scalar(body, value, IndexType(), f"an entry of {what}", node)


def _of_kind(
    test: Callable[[Attribute], bool], wanted: str
) -> Callable[[OpCall, str, ast.expr], object]:
    def read(call: OpCall, name: str, node: ast.expr) -> SSAValue:
        value = call.body.read(node)
        if isinstance(value, Results):
            raise Problem(node, f"'{name}' must be {wanted}, not a tuple: index it")
        if not isinstance(value, SSAValue) or not test(value.type):
            given = value.type if isinstance(value, SSAValue) else "a constant or an array"
            if isinstance(value, Const) and value.value == SCRATCH:
                given = "scratch space, which pl.tile.create makes for an op: use pl.tile.full"
            raise Problem(node, f"{call.op.path}: '{name}' must be {wanted}, not {given}")
        return value

    return read


def _is_dist(type_: Attribute) -> bool:
    return isinstance(type_, DistributedTensorType)


def _is_tile(type_: Attribute) -> bool:
    return isinstance(type_, TileType)


def _source(call: OpCall, name: str, node: ast.expr) -> object:
    """A tensor or a tile; the long form of an op says which."""
    path = call.op.path
    if path.startswith("pl.tile."):
        return _of_kind(_is_tile, "a tile")(call, name, node)
    if path.startswith("pl.tensor."):
        return _of_kind(is_tensor_like, "a tensor")(call, name, node)
    return _of_kind(lambda t: is_tensor_like(t) or _is_tile(t), "a tensor or a tile")(
        call, name, node
    )


def _scalar(type_: Attribute) -> Callable[[OpCall, str, ast.expr], object]:
    def read(call: OpCall, name: str, node: ast.expr) -> SSAValue:
        return as_scalar(call.body, call.body.read(node), type_, f"'{name}'", node)

    return read


def _dtype(call: OpCall, name: str, node: ast.expr) -> object:
    value = call.body.read(node)
    if isinstance(value, Const) and isinstance(value.value, DType):
        return value.value.type
    raise Problem(node, f"'{name}' must be an element type such as pl.FP32")


def _constant(types: tuple[type, ...], wanted: str) -> Callable[[OpCall, str, ast.expr], object]:
    def read(call: OpCall, name: str, node: ast.expr) -> object:
        value = call.body.read(node)
        if isinstance(value, Const) and type(value.value) in types:
            return value.value
        raise Problem(node, f"'{name}' must be {wanted}")

    return read


def _member(enum: str, values: Mapping[str, str]) -> Callable[[OpCall, str, ast.expr], object]:
    def read(call: OpCall, name: str, node: ast.expr) -> object:
        value = call.body.read(node)
        member = value.value if isinstance(value, Const) else None
        if isinstance(member, Member) and member.path == f"{enum}.{member.last}":
            if member.last in values:
                return values[member.last]
        choices = ", ".join(f"{enum}.{key}" for key in values)
        raise Problem(node, f"'{name}' must be one of {choices}")

    return read


def _mode(call: OpCall, name: str, node: ast.expr) -> object:
    mode = _constant((str,), "a string")(call, name, node)
    if mode not in ("mesh", "ring"):
        raise Problem(node, f'\'{name}\' must be "mesh" or "ring"')
    return mode


def _dropped(call: OpCall, name: str, node: ast.expr) -> object:
    call.body.report.warn(node, f"'{name}' of {call.op.path} is dropped")
    return None


def _scratch(call: OpCall, name: str, node: ast.expr) -> object:
    """A staging tile: it is dropped, and says nothing that would be lost."""
    call.body.read(node)
    return None


def _refused(call: OpCall, name: str, node: ast.expr) -> object:
    raise Problem(node, f"'{name}' of {call.op.path} is not supported")


KINDS: Mapping[str, Callable[[OpCall, str, ast.expr], object]] = {
    "node": lambda call, name, node: None,
    "tensor": _of_kind(is_tensor_like, "a tensor"),
    "dist": _of_kind(_is_dist, "a distributed tensor"),
    "tile": _of_kind(_is_tile, "a tile"),
    "source": _source,
    "buffer": _of_kind(lambda t: isinstance(t, WindowBufferType), "a window buffer"),
    "context": _of_kind(lambda t: isinstance(t, CommCtxType), "a context"),
    "index": _scalar(IndexType()),
    "i32": _scalar(i32),
    "dtype": _dtype,
    "int": _constant((int,), "a constant integer"),
    "string": _constant((str,), "a string"),
    "reduce_op": _member(
        "pld.ReduceOp", {"Sum": "sum", "Max": "max", "Min": "min", "Prod": "prod"}
    ),
    "notify_op": _member("pld.NotifyOp", {"AtomicAdd": "atomic_add", "Set": "set"}),
    "wait_cmp": _member("pld.WaitCmp", {"Ge": "ge", "Eq": "eq"}),
    "atomic": _member("pld.AtomicType", {"None_": "none", "NONE": "none", "Add": "add"}),
    "mode": _mode,
    "dropped": _dropped,
    "scratch": _scratch,
    "refused": _refused,
}
