"""
Subscripts of tensors: elements, slices, rank-reducing views, and stores into them.

Source: the DSL reference, section 6.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import SSAValue

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pl import tensor as pl_tensor
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.tools.frontend.arguments import index_like, read_index_like
from xdsl_pld.tools.frontend.body import Array, Body, Const, Results, Value
from xdsl_pld.tools.frontend.constants import constant_element
from xdsl_pld.tools.frontend.ops_tensor import (
    dim,
    read_element,
    reshaped,
    sliced,
    static_shape,
)
from xdsl_pld.tools.frontend.scalars import as_scalar, as_ssa
from xdsl_pld.tools.frontend.source import Problem

_INDEX = IndexType()


@dataclass(frozen=True)
class _Box:
    """A subscript as a box of the tensor; `kept` are the dimensions that were not indexed."""

    offsets: list[IndexLike]
    sizes: list[IndexLike]
    kept: list[int]


def read_subscript(body: Body, node: ast.Subscript) -> Value:
    """`x[...]` of a tensor, an array, the results of a call or a constant tuple."""
    value = body.read(node.value)
    match value:
        case Results():
            return _result(body, value, node)
        case Const():
            index = body.read(node.slice)
            if isinstance(index, Const):
                return Const(constant_element(value.value, index.value, node))
            raise Problem(node.slice, "the index into a constant tuple must be a constant")
        case Array():
            indices = [_array_index(body, value, node.slice)]
            return body.emit(memref.LoadOp.get(value.memref, indices), node).res
        case SSAValue() if is_tensor_like(value.type):
            return _view(body, value, node)
        case _:
            raise Problem(node, f"{as_ssa(body, value, node).type} has no subscripts")


def store_subscript(body: Body, target: ast.Subscript, value_node: ast.expr) -> None:
    """`x[...] = v`: a new value of `x`, or a store into an array."""
    if not isinstance(target.value, ast.Name):
        raise Problem(target, "only elements of a name can be assigned to")
    base = body.lookup(target.value)
    if isinstance(base, Array):
        value = as_scalar(body, body.read(value_node), base.element, "the value", value_node)
        index = _array_index(body, base, target.slice)
        body.emit(memref.StoreOp.get(value, base.memref, [index]), target)
        return
    if not isinstance(base, SSAValue) or not is_tensor_like(base.type):
        raise Problem(target, "only tensors and arrays have elements to assign to")
    source = as_ssa(body, body.read(value_node), value_node)
    box = _box(body, base, target)
    if len(box.kept) == 0:
        raise Problem(target, "write one element with pl.write(t, [i, j], v)")
    if not is_tensor_like(source.type):
        raise Problem(value_node, f"a tensor is stored into a tensor, not {source.type}")
    wanted = static_shape([box.sizes[axis] for axis in box.kept])
    given = list(shape_of(source))
    agree = len(wanted) == len(given) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(wanted, given, strict=True)
    )
    if not agree:
        raise Problem(
            target, f"the slice has the extents {_shown(wanted)}, the value {_shown(given)}"
        )
    if len(box.kept) != len(box.sizes) and box.kept != list(
        range(len(box.sizes) - len(box.kept), len(box.sizes))
    ):
        full = static_shape(box.sizes)
        source = body.emit(pl_tensor.ViewOp(source, reshaped(source, full)), target).result
    op = body.emit(pl_tensor.AssembleOp(source, base, box.offsets), target)
    body.bind(target.value.id, op.result, target)


def _shown(extents: Sequence[int]) -> str:
    return f"[{', '.join('?' if e == DYNAMIC_INDEX else str(e) for e in extents)}]"


def _result(body: Body, results: Results, node: ast.Subscript) -> Value:
    index = body.read(node.slice)
    if not isinstance(index, Const) or type(index.value) is not int:
        raise Problem(node.slice, "the index into the results of a call must be a constant")
    count = len(results.values)
    if not -count <= index.value < count:
        raise Problem(node.slice, f"index {index.value} is outside of the {count} results")
    return results.values[index.value]


def _array_index(body: Body, array: Array, node: ast.expr) -> SSAValue:
    value = body.read(node)
    if isinstance(value, Const) and type(value.value) is int:
        if not 0 <= value.value < array.size:
            raise Problem(
                node, f"index {value.value} is outside of the array's {array.size} elements"
            )
    return as_scalar(body, value, _INDEX, "the index", node)


def _view(body: Body, source: SSAValue, node: ast.Subscript) -> Value:
    entries = _entries(node)
    rank = len(shape_of(source))
    if len(entries) == rank and not any(isinstance(entry, ast.Slice) for entry in entries):
        offsets = [_offset(body, source, axis, e) for axis, e in enumerate(entries)]
        return read_element(body, source, offsets, node)
    box = _box(body, source, node)
    whole = box.offsets == [0] * rank and box.sizes == list(shape_of(source))
    if whole and len(box.kept) == rank:
        return source
    sizes = static_shape(box.sizes)
    op = pl_tensor.SliceOp(source, box.offsets, box.sizes, sliced(source, sizes))
    view = body.emit(op, node).result
    if len(box.kept) == rank:
        return view
    shape = [sizes[axis] for axis in box.kept]
    return body.emit(pl_tensor.ViewOp(view, reshaped(view, shape)), node).result


def _entries(node: ast.Subscript) -> Sequence[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _box(body: Body, source: SSAValue, node: ast.Subscript) -> _Box:
    entries = _entries(node)
    shape = shape_of(source)
    if len(entries) > len(shape):
        raise Problem(node, f"{len(entries)} indices into a tensor of rank {len(shape)}")
    box = _Box([], [], [])
    for axis in range(len(shape)):
        entry = entries[axis] if axis < len(entries) else ast.Slice()
        if isinstance(entry, ast.Slice):
            offset, size = _range(body, source, axis, entry, node)
            box.kept.append(axis)
        else:
            offset, size = _offset(body, source, axis, entry), 1
        box.offsets.append(offset)
        box.sizes.append(size)
    return box


def _offset(body: Body, source: SSAValue, axis: int, node: ast.expr) -> IndexLike:
    if isinstance(node, ast.Starred):
        raise Problem(node, "'*' in a subscript is not supported")
    offset = read_index_like(body, node, "the index")
    if isinstance(offset, int):
        extent = shape_of(source)[axis]
        if offset < 0:
            raise Problem(node, f"a negative index is not supported: {offset}")
        if extent != DYNAMIC_INDEX and offset >= extent:
            raise Problem(
                node, f"index {offset} is outside of dimension {axis}, whose extent is {extent}"
            )
    return offset


def _range(
    body: Body, source: SSAValue, axis: int, node: ast.Slice, whole: ast.Subscript
) -> tuple[IndexLike, IndexLike]:
    """Offset and size of `a:b`."""
    if node.step is not None:
        raise Problem(node.step, "a slice with a step is not supported")
    lower: Value = Const(0) if node.lower is None else body.read(node.lower)
    lower_place = node.lower or whole
    offset = index_like(body, lower, "the slice", lower_place)
    if isinstance(offset, int) and offset < 0:
        raise Problem(lower_place, f"a negative bound is not supported: {offset}")
    if node.upper is None:
        upper: IndexLike = index_like(body, dim(body, source, axis, whole), "the slice", whole)
    elif node.lower is not None and (length := _difference(body, node.upper, node.lower)):
        return offset, _checked(length, node.upper)
    else:
        upper = read_index_like(body, node.upper, "the slice")
        if isinstance(upper, int) and upper < 0:
            raise Problem(node.upper, f"a negative bound is not supported: {upper}")
    place = node.upper or whole
    if isinstance(offset, int) and isinstance(upper, int):
        return offset, _checked(upper - offset, place)
    if offset == 0:
        return offset, upper
    start, end = (as_ssa(body, _as_value(v), place, _INDEX) for v in (offset, upper))
    return offset, body.emit(arith.SubiOp(end, start), place).result


def _as_value(entry: IndexLike) -> Value:
    return Const(entry) if isinstance(entry, int) else entry


def _checked(length: int, node: ast.expr) -> int:
    if length < 1:
        raise Problem(node, f"a slice has at least one element, not {length}")
    return length


# `i * 8 : i * 8 + 8` has a constant length: both bounds as sums of names with factors.

_Linear = dict[str | None, int]


def _difference(body: Body, upper: ast.expr, lower: ast.expr) -> int | None:
    """The constant `upper - lower`, None where the bounds do not say it."""
    a, b = _linear(body, upper), _linear(body, lower)
    if a is None or b is None:
        return None
    terms = {name: a.get(name, 0) - b.get(name, 0) for name in a.keys() | b.keys()}
    length = terms.pop(None, 0)
    return None if any(terms.values()) else length


def _linear(body: Body, node: ast.expr) -> _Linear | None:
    match node:
        case ast.Constant(value=int(value)):
            return {None: value}
        case ast.Name(id=name):
            value = body.lookup(node)
            if isinstance(value, Const):
                return {None: value.value} if type(value.value) is int else None
            return {name: 1}
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = _linear(body, left), _linear(body, right)
            if a is None or b is None:
                return None
            sign = 1 if isinstance(op, ast.Add) else -1
            return {name: a.get(name, 0) + sign * b.get(name, 0) for name in a.keys() | b.keys()}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            a, b = _linear(body, left), _linear(body, right)
            if a is None or b is None:
                return None
            if not any(value for name, value in b.items() if name is not None):
                return {name: value * b.get(None, 0) for name, value in a.items()}
            if not any(value for name, value in a.items() if name is not None):
                return {name: value * a.get(None, 0) for name, value in b.items()}
            return None
        case _:
            return None
