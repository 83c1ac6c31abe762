"""
Tensor ops of the DSL, and the views that an op on a tensor needs for its result.

Source: the DSL reference, section 6.
"""

import ast
from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pl import tensor as pl_tensor
from xdsl_pld.dialects.pl import tile as pl_tile
from xdsl_pld.dialects.pl.tensor_dim import DimOp
from xdsl_pld.dialects.pl.tile_compute import ReshapeOp as TileReshapeOp
from xdsl_pld.dialects.types import TileType, tensor_of, with_tensor
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.tools.frontend.arguments import OpCall, table
from xdsl_pld.tools.frontend.body import Array, Body, Const, Value
from xdsl_pld.tools.frontend.scalars import as_scalar, constant
from xdsl_pld.tools.frontend.source import Node, Problem

_TypeT = TypeVar("_TypeT", bound=Attribute)


def tensor_type(type_: Attribute) -> AnyTensorType:
    """The tensor type inside a tensor, distributed tensor or tile type."""
    found = type_.tensor if isinstance(type_, TileType) else tensor_of(type_)
    assert found is not None
    return found


def static_shape(indices: Sequence[IndexLike]) -> list[int]:
    """A shape whose entries known at run time are `?`."""
    return [entry if isinstance(entry, int) else DYNAMIC_INDEX for entry in indices]


def check_rank(indices: Sequence[IndexLike], rank: int, what: str, node: Node) -> None:
    """Raises a Problem for a list of another length than the rank."""
    if len(indices) != rank:
        raise Problem(node, f"{what} has {len(indices)} entries for a tensor of rank {rank}")


def reshaped(source: SSAValue, shape: Sequence[int]) -> Attribute:
    """The type of `source` with another shape, packed."""
    return with_tensor(source.type, TensorType(element_of(source), shape))


def sliced(source: SSAValue, sizes: Sequence[int]) -> Attribute:
    """The type of a box of `source`: its layout and strides stay, its valid shape does not."""
    encoding = tensor_type(source.type).encoding
    if isinstance(encoding, DictionaryAttr):
        kept = {key: value for key, value in encoding.data.items() if key != "valid_shape"}
        encoding = DictionaryAttr(kept) if kept else NoneAttr()
    return with_tensor(source.type, TensorType(element_of(source), sizes, encoding))


def with_valid_shape(source: SSAValue, valid: Sequence[int]) -> Attribute:
    """The type of `source` with another valid shape."""
    inner = tensor_type(source.type)
    entries: dict[str, Attribute] = {}
    if isinstance(inner.encoding, DictionaryAttr):
        entries.update(inner.encoding.data)
    entries["valid_shape"] = DenseArrayBase.from_list(i64, valid)
    type_ = TensorType(inner.element_type, inner.get_shape(), DictionaryAttr(entries))
    return with_tensor(source.type, type_)


def dim(body: Body, source: SSAValue, axis: int, node: Node) -> Value:
    """The extent of an axis: a constant, or the op that asks for it."""
    extent = shape_of(source)[axis]
    if extent != DYNAMIC_INDEX:
        return Const(extent)
    if isinstance(source.type, TensorType):
        return body.emit(tensor.DimOp(source, constant(body, axis, IndexType(), node)), node).result
    return body.emit(DimOp(source, axis), node).result


def _stated(call: OpCall, usual: _TypeT) -> _TypeT:
    """The result type that `attrs=` states, or the `usual` one, which the arguments give."""
    stated = call.attrs.result_type
    if stated is None:
        return usual
    if not isinstance(stated, type(usual)):
        raise Problem(call.place("attrs"), f"the result is a {usual.name}, not {stated}")
    return stated


def _create(call: OpCall) -> Value:
    shape = static_shape(call.indices("shape"))
    if DYNAMIC_INDEX in shape:
        raise Problem(call.place("shape"), "a tensor is created with a static shape")
    type_ = _stated(call, TensorType(call.type("dtype"), shape))
    return call.emit(pl_tensor.CreateOp(type_)).result


def _slice(call: OpCall) -> Value:
    source = call.ssa("t")
    rank = len(shape_of(source))
    sizes, offsets = call.indices("shape"), call.indices("offset")
    check_rank(sizes, rank, "'shape'", call.place("shape"))
    check_rank(offsets, rank, "'offset'", call.place("offset"))
    type_ = _stated(call, sliced(source, static_shape(sizes)))
    if isinstance(source.type, TileType) or call.op.path == "pl.tile.slice":
        return call.emit(pl_tile.SliceOp(source, offsets, sizes, type_)).result
    return call.emit(pl_tensor.SliceOp(source, offsets, sizes, type_)).result


def _assemble(call: OpCall) -> Value:
    offsets = call.indices("offset")
    check_rank(offsets, len(shape_of(call.ssa("target"))), "'offset'", call.place("offset"))
    return call.emit(pl_tensor.AssembleOp(call.ssa("source"), call.ssa("target"), offsets)).result


def _new_shape(call: OpCall, source: SSAValue) -> Attribute:
    """The type of `source` in the shape that is given, or the one that `attrs=` states."""
    stated = call.attrs.result_type
    if stated is not None and not call.has("shape"):
        return stated
    if not call.has("shape"):
        raise Problem(call.node, f"{call.op.path} needs 'shape'")
    return _stated(call, reshaped(source, static_shape(call.indices("shape"))))


def _view(call: OpCall) -> Value:
    source = call.ssa("t")
    type_ = _new_shape(call, source)
    return call.emit(pl_tensor.ViewOp(source, type_)).result


def _reshape(call: OpCall) -> Value:
    source = call.ssa("t")
    type_ = _new_shape(call, source)
    if isinstance(type_, TileType):
        return call.emit(TileReshapeOp(source, type_)).result
    return call.emit(pl_tensor.ReshapeOp(source, type_)).result


def _set_validshape(call: OpCall) -> Value:
    source, stated = call.ssa("t"), call.attrs.result_type
    if stated is not None and not call.has("r"):
        return call.emit(pl_tensor.SetValidShapeOp(source, stated)).result
    if not call.has("r"):
        raise Problem(call.node, "pl.set_validshape needs 'r', the valid rows")
    extents = [call.value("r")] + ([call.value("c")] if call.has("c") else [])
    valid: list[int] = []
    for name, extent in zip(("r", "c"), extents, strict=False):
        if not isinstance(extent, Const) or type(extent.value) is not int:
            raise Problem(call.place(name), "a valid extent must be a constant here")
        valid.append(extent.value)
    result = with_valid_shape(source, valid)
    return call.emit(pl_tensor.SetValidShapeOp(source, result)).result


def _axis(call: OpCall, name: str, rank: int) -> int:
    return _checked_axis(call, name, call.integer(name), rank)


def _checked_axis(call: OpCall, name: str, axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise Problem(call.place(name), f"axis {axis} is none of the {rank} axes")
    return axis % rank


def _transpose(call: OpCall) -> Value:
    source = call.ssa("t")
    shape = shape_of(source)
    axes = _axes(call, len(shape))
    type_ = _stated(call, reshaped(source, [shape[axis] for axis in axes]))
    return call.emit(pl_tensor.TransposeOp(source, axes, type_)).result


def _axes(call: OpCall, rank: int) -> Sequence[int]:
    """The permutation that swaps two axes, or the one that `attrs=` states."""
    stated = call.attrs.axes
    if stated is not None:
        if sorted(stated) != list(range(rank)):
            raise Problem(call.place("attrs"), f"the axes are no order of {rank} axes")
        return stated
    if not call.has("i") or not call.has("j"):
        raise Problem(call.node, "pl.transpose needs 'i' and 'j', the axes that it swaps")
    i, j = _axis(call, "i", rank), _axis(call, "j", rank)
    axes = list(range(rank))
    axes[i], axes[j] = j, i
    return axes


def _dim(call: OpCall) -> Value:
    source, axis = call.ssa("t"), call.value("k")
    if isinstance(axis, SSAValue) and isinstance(axis.owner, arith.ConstantOp):
        # A lowered program has its constants where the passes have put them.
        if isinstance(source.type, TensorType):
            return call.emit(tensor.DimOp(source, axis)).result
    if not isinstance(axis, Const) or type(axis.value) is not int:
        raise Problem(call.place("k"), "'k' must be a constant integer")
    rank = len(shape_of(source))
    return dim(call.body, source, _checked_axis(call, "k", axis.value, rank), call.node)


def _read(call: OpCall) -> Value:
    return read_element(call.body, call.ssa("t"), call.indices("indices"), call.node)


def read_element(
    body: Body, source: SSAValue, offsets: Sequence[IndexLike], node: ast.expr
) -> Value:
    """`pl.read(t, offsets)` or `t[i, j]`."""
    check_rank(offsets, len(shape_of(source)), "the index", node)
    return body.emit(pl_tensor.ReadOp(source, offsets), node).result


def _write(call: OpCall) -> Value:
    destination = call.ssa("t")
    offsets = call.indices("indices")
    check_rank(offsets, len(shape_of(destination)), "the index", call.place("indices"))
    value = as_scalar(
        call.body, call.value("value"), element_of(destination), "'value'", call.place("value")
    )
    return call.emit(pl_tensor.WriteOp(value, destination, offsets)).result


def _array(call: OpCall) -> Value:
    size = call.integer("n")
    if size < 1:
        raise Problem(call.place("n"), f"an array has a positive size, not {size}")
    element = call.type("dtype")
    op = memref.AllocaOp.get(element, None, [size])
    return Array(call.emit(op).memref, element, size)


TABLE = table(
    (
        "pl.create_tensor pl.tensor.create",
        "shape:indices dtype:dtype init_value:refused? manual_dep:refused? layout:refused? "
        "attrs:attrs/type?",
        _create,
    ),
    (
        "pl.slice pl.tensor.slice pl.tile.slice",
        "t:source shape:indices offset:indices drop_dims:refused? "
        "pad_value:refused? clamp:refused? attrs:attrs/type?",
        _slice,
    ),
    ("pl.assemble pl.tensor.assemble", "target:tensor source:tensor offset:indices", _assemble),
    ("pl.view pl.tensor.view", "t:tensor shape:indices? attrs:attrs/type?", _view),
    (
        "pl.reshape pl.tensor.reshape pl.tile.reshape",
        "t:source shape:indices? attrs:attrs/type?",
        _reshape,
    ),
    (
        "pl.set_validshape pl.tensor.set_validshape",
        "t:tensor r:any? c:any? attrs:attrs/type?",
        _set_validshape,
    ),
    (
        "pl.transpose pl.tensor.transpose",
        "t:tensor i:int? j:int? attrs:attrs/type/axes?",
        _transpose,
    ),
    ("pl.dim pl.tensor.dim", "t:tensor k:any", _dim),
    ("pl.read pl.tensor.read", "t:tensor indices:indices", _read),
    ("pl.write pl.tensor.write", "t:tensor indices:indices value:any", _write),
    ("pl.array.create", "n:int dtype:dtype", _array),
)
