"""
Annotations of parameters, results and assignments as IR types.

Source: the DSL reference, section 3.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DictionaryAttr,
    IntegerType,
    NoneAttr,
    Signedness,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_pld.dialects.pl.attributes import Direction
from xdsl_pld.dialects.types import (
    CommCtxType,
    DistributedTensorType,
    TaskIdType,
    TileType,
    is_tensor_like,
)
from xdsl_pld.tools.frontend.constants import (
    Constants,
    ConstValue,
    DType,
    Dynamic,
    Member,
    Scope,
    ViewSpec,
    layout_name,
)
from xdsl_pld.tools.frontend.source import Node, Problem, Report

_WRAPPERS = {"pl.Out": Direction.OUT, "pl.InOut": Direction.INOUT}
_TENSORS = ("pl.Tensor", "pld.DistributedTensor", "pl.Tile")


@dataclass
class Annotations:
    """Reads annotations as they stand in one scope at one line."""

    constants: Constants
    scope: Scope
    line: int
    report: Report

    def parameter(self, node: ast.expr) -> tuple[Attribute, Direction]:
        """The type and direction of a parameter."""
        wrapper = self._path(node.value) if isinstance(node, ast.Subscript) else None
        if wrapper not in _WRAPPERS:
            return self.type(node), Direction.IN
        assert isinstance(node, ast.Subscript)
        type_ = self.type(node.slice)
        if not is_tensor_like(type_):
            raise Problem(node, f"{wrapper} is for tensors, not for {type_}")
        return type_, _WRAPPERS[wrapper]

    def results(self, node: ast.expr) -> Sequence[Attribute]:
        """The types of a `->` annotation."""
        if isinstance(node, ast.Constant) and node.value is None:
            return ()
        if isinstance(node, ast.Subscript) and self._is_tuple(node.value):
            elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for element in elements:
                if isinstance(element, ast.Subscript) and self._is_tuple(element.value):
                    raise Problem(element, "a tuple in a tuple is no result: list the results flat")
            return [self.type(element) for element in elements]
        return [self.type(node)]

    def type(self, node: ast.expr) -> Attribute:
        """The type that an annotation states."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            raise Problem(node, "a string is no annotation here: write the type itself")
        if isinstance(node, ast.Subscript):
            path = self._path(node.value)
            if path in _TENSORS:
                inner = node.slice
                elements = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                return self._tensor(path, elements, node)
            if path == "pl.Scalar":
                return self._dtype(node.slice)
            if path in _WRAPPERS:
                raise Problem(node, f"{path} is for parameters only")
        if isinstance(node, ast.Call):
            path = self._path(node.func)
            if path in _TENSORS and not node.keywords:
                return self._tensor(path, node.args, node)
        path = self._path(node)
        if path in _TENSORS:
            raise Problem(
                node,
                f"a bare {path} has its shape from the call at run time, and nothing is executed: "
                f"write {path}[[...], dtype]",
            )
        if path == "pl.TaskId":
            return TaskIdType()
        if path == "pld.CommCtx":
            return CommCtxType()
        return self._dtype(node)

    def extents(self, node: ast.expr) -> Sequence[int]:
        """A shape; `DYNAMIC_INDEX` for an extent known at run time."""
        value = self.constants.evaluate(node, self.scope, self.line)
        if not isinstance(value, tuple):
            raise Problem(node, "a shape is a list of extents")
        places = node.elts if isinstance(node, ast.List | ast.Tuple) else [node] * len(value)
        return [_extent(entry, place) for entry, place in zip(value, places, strict=False)]

    def _is_tuple(self, node: ast.expr) -> bool:
        name = node.id if isinstance(node, ast.Name) else None
        return name in ("tuple", "Tuple") or self._path(node) == "pl.Tuple"

    def _path(self, node: ast.expr) -> str | None:
        return self.constants.vocabulary.path(node)

    def _dtype(self, node: ast.expr) -> Attribute:
        value = self.constants.evaluate(node, self.scope, self.line)
        if isinstance(value, DType):
            return value.type
        raise Problem(node, "this is no type of the DSL")

    def _tensor(self, path: str, arguments: Sequence[ast.expr], node: ast.expr) -> Attribute:
        if len(arguments) < 2:
            raise Problem(node, f"{path} takes a shape and an element type")
        shape = self.extents(arguments[0])
        element = self._dtype(arguments[1])
        view: Attribute = NoneAttr()
        if path == "pl.Tile":
            self._drop_memory(arguments[2:])
        elif len(arguments) > 3:
            raise Problem(arguments[3], f"{path} takes a shape, an element type and a view")
        elif len(arguments) == 3:
            value = self.constants.evaluate(arguments[2], self.scope, self.line)
            view = view_attribute(value, arguments[2])
        try:
            tensor = TensorType(element, shape, view)
            if path == "pl.Tensor":
                return tensor
            return TileType(tensor) if path == "pl.Tile" else DistributedTensorType(tensor)
        except VerifyException as error:
            raise Problem(node, str(error)) from None

    def _drop_memory(self, arguments: Sequence[ast.expr]) -> None:
        for argument in arguments:
            callee = argument.func if isinstance(argument, ast.Call) else argument
            path = self._path(callee) or ""
            if path.startswith("pl.MemRef"):
                raise Problem(argument, "a MemRef states an address, which has no place in the IR")
            self.report.warn(argument, "the memory space of a tile is dropped")


def _extent(value: ConstValue, node: Node) -> int:
    if isinstance(value, Dynamic):
        return DYNAMIC_INDEX
    if type(value) is not int:
        raise Problem(node, "an extent is an integer or a pl.dynamic name")
    if value < 0:
        raise Problem(node, f"an extent is not negative: {value}")
    if value >= 2**63:
        raise Problem(node, f"an extent has at most 63 bits: {value}")
    return value


def view_attribute(value: ConstValue, node: Node) -> Attribute:
    """The encoding of a tensor type for a layout or a `pl.TensorView`."""
    if isinstance(value, Member):
        layout = layout_name(value, node)
        if layout == "dn":
            raise Problem(node, "pl.DN alone is refused: write pl.TensorView(layout=pl.DN, ...)")
        value = ViewSpec(layout, None, None)
    if not isinstance(value, ViewSpec):
        raise Problem(node, "expected a layout or a pl.TensorView")
    entries: dict[str, Attribute] = {}
    if value.layout is not None and value.layout != "nd":
        entries["layout"] = StringAttr(value.layout)
    if value.stride is not None:
        entries["stride"] = DenseArrayBase.from_list(i64, value.stride)
    if value.valid_shape is not None:
        entries["valid_shape"] = DenseArrayBase.from_list(i64, value.valid_shape)
    return DictionaryAttr(entries) if entries else NoneAttr()


def is_unsigned(type_: Attribute) -> bool:
    """Whether the type is that of UINT elements, which `arith` does not compute with."""
    return isa(type_, IntegerType) and type_.signedness.data == Signedness.UNSIGNED
