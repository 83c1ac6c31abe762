"""
What ops bring: index lists, boxes and elements, as the interpreter's functions take them.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, DenseArrayBase
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute

from xdsl_pld.dialects.index_lists import StaticIndices
from xdsl_pld.dialects.pl import tensor, tile
from xdsl_pld.tools.interpreter.memory import Array, box, dtype_of
from xdsl_pld.tools.interpreter.scalars import int_of, scalar, unsigned_of


def indices(static: StaticIndices, dynamic: Sequence[Any]) -> list[int]:
    """The numbers of a mixed index list."""
    values = iter(dynamic)
    return [
        int_of(next(values)) if entry == DYNAMIC_INDEX else int(entry)
        for entry in static.get_values()
    ]


def loaded(
    source: Array,
    offsets: Sequence[int],
    sizes: Sequence[int],
    valid: Sequence[int],
    read: Callable[[Array], Array] = np.copy,
) -> tuple[Array, Array]:
    """A copy of a box, and the part that was read: the valid one, the rest is zero."""
    part = box(source, "the source", offsets, valid or sizes)
    if not valid:
        return read(part), part
    array = np.zeros(sizes, dtype=source.dtype)
    box(array, "the tile", [0] * len(sizes), valid)[...] = read(part)
    return array, part


def element(array: Array, type_: Attribute) -> Any:
    """The only element of an array as a scalar."""
    return scalar(array.reshape(-1)[0].item(), type_)


def number(value: Any, type_: Attribute) -> int | float:
    """A scalar as numpy takes it for an element of a type."""
    if isinstance(type_, AnyFloat):
        return value.value.data
    signed = dtype_of(type_).kind == "i"
    return int_of(value) if signed else unsigned_of(value)


def split_operands(op: Any, args: PythonValues) -> list[Sequence[Any]]:
    """The values of an op's operand groups, by its `operandSegmentSizes`."""
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    groups: list[Sequence[Any]] = []
    start = 0
    for size in sizes.get_values():
        groups.append(args[start : start + int(size)])
        start += int(size)
    return groups


def sliced(
    op: tensor.SliceOp | tile.SliceOp, args: PythonValues
) -> tuple[Any, list[int], list[int]]:
    """The source, offsets and sizes of a slice."""
    (source,), offsets, sizes = split_operands(op, args)
    return source, indices(op.static_offsets, offsets), indices(op.static_sizes, sizes)
