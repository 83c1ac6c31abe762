"""
Types and signatures as the DSL writes them: the way back of `annotations` and `program`.

Source: the DSL reference, sections 2 and 3.
"""

import json
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    DictionaryAttr,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_pld.dialects.pl.attributes import (
    ARG_ATTRS,
    FUNC_TYPE,
    LEVEL,
    REQUIRE_CONTIGUOUS,
    ROLE,
    TEMPLATE_DIR,
    TEMPLATE_VARS,
    Direction,
    FuncType,
    Role,
    direction,
)
from xdsl_pld.dialects.types import (
    CommCtxType,
    DistributedTensorType,
    TaskIdType,
    TileType,
)
from xdsl_pld.dialects.views import TensorView
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Place
from xdsl_pld.tools.frontend.constants import DTYPES

DYNAMIC_NAME = "DYN"
"""The name of every extent that is known at run time only."""

_FUNC_TYPES = {
    FuncType.ORCHESTRATION: "Orchestration",
    FuncType.INCORE: "InCore",
    FuncType.AIC: "AIC",
    FuncType.AIV: "AIV",
    FuncType.GROUP: "Group",
    FuncType.SPMD: "Spmd",
    FuncType.GRAPH: "Graph",
    FuncType.INLINE: "Inline",
}
_ROLES = {Role.ORCHESTRATOR: "Orchestrator", Role.SUB_WORKER: "SubWorker"}
_WRAPPERS = {Direction.OUT: "pl.Out", Direction.INOUT: "pl.InOut"}


def unsayable(place: Place, what: str) -> FindingsError:
    """What the DSL has no words for."""
    return FindingsError([Finding(place, f"{what} cannot be said in the DSL")])


def string_text(text: str) -> str:
    """A string literal: JSON's are Python's."""
    return json.dumps(text)


def dtype_text(type_: Attribute, place: Place) -> str:
    """`pl.FP32`"""
    for name, dtype in DTYPES.items():
        if dtype.type == type_:
            return f"pl.{name}"
    raise unsayable(place, f"the type {type_}")


def extents_text(shape: Sequence[int]) -> str:
    """`[8, DYN]`"""
    return f"[{', '.join(DYNAMIC_NAME if e == DYNAMIC_INDEX else str(e) for e in shape)}]"


def type_text(type_: Attribute, place: Place) -> str:
    """A type as an annotation."""
    if isa(type_, TensorType[Attribute]):
        return _tensor_text("pl.Tensor", type_, place)
    if isinstance(type_, DistributedTensorType):
        return _tensor_text("pld.DistributedTensor", type_.tensor, place)
    if isinstance(type_, TileType):
        return _tensor_text("pl.Tile", type_.tensor, place)
    if isinstance(type_, CommCtxType):
        return "pld.CommCtx"
    if isinstance(type_, TaskIdType):
        return "pl.TaskId"
    return f"pl.Scalar[{dtype_text(type_, place)}]"


def _tensor_text(name: str, tensor: AnyTensorType, place: Place) -> str:
    parts = [extents_text(tensor.get_shape()), dtype_text(tensor.element_type, place)]
    if not isinstance(tensor.encoding, NoneAttr):
        parts.append(_view_text(tensor, place))
    return f"{name}[{', '.join(parts)}]"


def _view_text(tensor: AnyTensorType, place: Place) -> str:
    assert isinstance(tensor.encoding, DictionaryAttr)
    view = TensorView.of(tensor)
    keys = set(tensor.encoding.data)
    if keys == {"layout"} and view.layout == "nz":
        return "pl.NZ"
    if "layout" in keys and view.layout == "nd":
        raise unsayable(place, f"the view of {tensor}")
    parts: list[str] = []
    if view.stride is not None:
        parts.append(f"stride={list(view.stride)}")
    if "layout" in keys:
        parts.append(f"layout=pl.{view.layout.upper()}")
    if view.valid_shape is not None:
        parts.append(f"valid_shape={list(view.valid_shape)}")
    return f"pl.TensorView({', '.join(parts)})"


def decorator_text(function: FuncOp) -> str:
    """`@pl.function(type=pl.FunctionType.InCore)`"""
    keywords: list[str] = []
    template: list[str] = []
    for key, attribute in function.attributes.items():
        value = attribute.data if isinstance(attribute, StringAttr) else ""
        match key:
            case _ if key == FUNC_TYPE:
                if value != FuncType.OPAQUE:
                    keywords.append(f"type=pl.FunctionType.{_FUNC_TYPES[FuncType(value)]}")
            case _ if key == LEVEL:
                keywords.append(f"level=pl.Level.{value.upper()}")
            case _ if key == ROLE:
                keywords.append(f"role=pl.Role.{_ROLES[Role(value)]}")
            case _ if key in (TEMPLATE_DIR, TEMPLATE_VARS):
                template.append(f'"{key.removeprefix("pl.")}": {string_text(value)}')
            case _ if key == REQUIRE_CONTIGUOUS and isinstance(attribute, UnitAttr):
                template.append(f'"{key.removeprefix("pl.")}": True')
            case _ if key == ARG_ATTRS:
                pass  # written with the parameters
            case _:
                raise unsayable(function, f"the attribute '{key}'")
    if template:
        keywords.append(f"attrs={{{', '.join(template)}}}")
    return f"@pl.function({', '.join(keywords)})" if keywords else "@pl.function"


def parameter_text(function: FuncOp, index: int, name: str) -> str:
    """`x: pl.Out[pl.Tensor[[8, 64], pl.FP32]]`"""
    text = type_text(function.function_type.inputs.data[index], function)
    wrapper = _WRAPPERS.get(direction(function, index))
    return f"{name}: {text}" if wrapper is None else f"{name}: {wrapper}[{text}]"


def results_text(function: FuncOp) -> str:
    """` -> tuple[A, B]`"""
    results = [type_text(type_, function) for type_ in function.function_type.outputs.data]
    if len(results) > 1:
        return f" -> tuple[{', '.join(results)}]"
    return f" -> {results[0]}" if results else ""
