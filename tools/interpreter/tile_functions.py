"""
Tiles: what a kernel moves into a core's local memory, computes there, and moves back.

A tile is a value, held as a numpy array of its element type. Arithmetic is numpy's in that type:
integers wrap, floats round to the nearest, ties to even. What the reference leaves open is refused
where it would matter: a quotient of integers, arithmetic on conditions, a cast of a number that the
new element type does not hold (whether it rounds, wraps or saturates). Source: pypto-dsl, sections
6 and 7.
"""

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.interpreter import InterpreterFunctions as Functions
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.pl import tile, tile_compute
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.tools.interpreter.memory import Array, array_of, box, dtype_of, layout_of, seen_as
from xdsl_pld.tools.interpreter.operands import indices, loaded, number, sliced, split_operands
from xdsl_pld.tools.interpreter.scalars import scalar

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent


@register_impls
class TileFunctions(Functions):
    """The ops of `pl.tile` for one agent."""

    def __init__(self, agent: "Agent"):
        self.agent = agent

    # Between tensors and tiles

    @impl(tile.LoadOp)
    def run_load(self, interpreter: Interpreter, op: tile.LoadOp, args: PythonValues):
        self.agent.settle()
        (source,), offsets, sizes, valid = split_operands(op, args)
        array, part = loaded(
            array_of(source),
            indices(op.static_offsets, offsets),
            indices(op.static_sizes, sizes),
            indices(op.static_valid, valid),
        )
        self.agent.touched(source, part)
        _check_tile(array, op.result)
        return (array,)

    @impl(tile.StoreOp)
    def run_store(self, interpreter: Interpreter, op: tile.StoreOp, args: PythonValues):
        self.agent.settle()
        moved, destination = args[0], args[1]
        offsets = indices(op.static_offsets, args[2:])
        part = box(array_of(destination), "the destination", offsets, moved.shape)
        part[...] = moved
        self.agent.touched(destination, part, write=True)
        return (destination,)

    @impl(tile.SliceOp)
    def run_slice(self, interpreter: Interpreter, op: tile.SliceOp, args: PythonValues):
        source, offsets, sizes = sliced(op, args)
        return (seen_as(source, box(layout_of(source), "the source", offsets, sizes)),)

    # Arithmetic

    @impl(tile_compute.AddOp)
    def run_add(self, interpreter: Interpreter, op: tile_compute.AddOp, args: PythonValues):
        return (_combined(np.add, op, args),)

    @impl(tile_compute.SubOp)
    def run_sub(self, interpreter: Interpreter, op: tile_compute.SubOp, args: PythonValues):
        return (_combined(np.subtract, op, args),)

    @impl(tile_compute.MulOp)
    def run_mul(self, interpreter: Interpreter, op: tile_compute.MulOp, args: PythonValues):
        return (_combined(np.multiply, op, args),)

    @impl(tile_compute.DivOp)
    def run_div(self, interpreter: Interpreter, op: tile_compute.DivOp, args: PythonValues):
        if dtype_of(element_of(op.lhs)).kind != "f":
            raise InterpretationError(
                f"a quotient of tiles of {element_of(op.lhs)}: nothing says how it rounds; cast "
                "the tiles to a float type and divide these"
            )
        return (_combined(np.divide, op, args),)

    @impl(tile_compute.MaxOp)
    def run_max(self, interpreter: Interpreter, op: tile_compute.MaxOp, args: PythonValues):
        return (_combined(_larger, op, args),)

    @impl(tile_compute.MinOp)
    def run_min(self, interpreter: Interpreter, op: tile_compute.MinOp, args: PythonValues):
        return (_combined(_smaller, op, args),)

    @impl(tile_compute.CastOp)
    def run_cast(self, interpreter: Interpreter, op: tile_compute.CastOp, args: PythonValues):
        return (_cast(args[0], element_of(op.source), element_of(op.result)),)

    @impl(tile_compute.FullOp)
    def run_full(self, interpreter: Interpreter, op: tile_compute.FullOp, args: PythonValues):
        type_ = element_of(op.result)
        return (np.full(shape_of(op.result), number(args[0], type_), dtype_of(type_)),)

    @impl(tile_compute.RowSumOp)
    def run_row_sum(self, interpreter: Interpreter, op: tile_compute.RowSumOp, args: PythonValues):
        """Adds from the left in the element type, so that the bits are the same everywhere."""
        source: Array = args[0]
        _require_numbers(element_of(op.source))
        if source.shape[1] == 0:
            return (np.zeros(shape_of(op.result), source.dtype),)
        sums = np.add.accumulate(source, axis=1, dtype=source.dtype)
        return (sums[:, -1:].copy(),)

    @impl(tile_compute.ReshapeOp)
    def run_reshape(self, interpreter: Interpreter, op: tile_compute.ReshapeOp, args: PythonValues):
        return (args[0].reshape(shape_of(op.result)),)

    # Blocks

    @impl(tile_compute.BlockIdxOp)
    def run_block_idx(
        self, interpreter: Interpreter, op: tile_compute.BlockIdxOp, args: PythonValues
    ):
        self._require_kernel()
        return (scalar(self.agent.block.index, op.result.type),)

    @impl(tile_compute.BlockNumOp)
    def run_block_num(
        self, interpreter: Interpreter, op: tile_compute.BlockNumOp, args: PythonValues
    ):
        self._require_kernel()
        return (scalar(self.agent.block.count, op.result.type),)

    def _require_kernel(self) -> None:
        if not self.agent.in_task:
            raise InterpretationError(
                "no block runs here: only a kernel that was launched is one of the blocks of its "
                "launch"
            )


def _combined(
    combine: Callable[[Array, Array], Array], op: tile_compute.TileBinaryOp, args: PythonValues
) -> Array:
    """A tile combined with another, or with one scalar, in the element type."""
    left: Array = args[0]
    type_ = element_of(op.lhs)
    _require_numbers(type_)
    if op.rhs.type == op.lhs.type:
        return combine(left, args[1])
    return combine(left, np.full_like(left, number(args[1], type_)))


def _require_numbers(type_: Attribute) -> None:
    if dtype_of(type_).kind == "b":
        raise InterpretationError(f"arithmetic on tiles of {type_}: conditions are no numbers")


def _larger(left: Array, right: Array) -> Array:
    """As `arith.maximumf`: NaN wins, and 0.0 is larger than -0.0 (numpy takes either)."""
    zeros = (left == 0) & (right == 0)
    return np.where(zeros, left + right, np.maximum(left, right))


def _smaller(left: Array, right: Array) -> Array:
    """As `arith.minimumf`: NaN wins, and -0.0 is smaller than 0.0."""
    zeros = (left == 0) & (right == 0)
    return np.where(zeros, -(-left - right), np.minimum(left, right))


def _cast(source: Array, from_: Attribute, to: Attribute) -> Array:
    """
    The elements in another type: to a float the nearest, ties to even; to an integer themselves.

    Raises InterpretationError for an element that an integer type does not hold.
    """
    dtype = dtype_of(to)
    if from_ == to:
        return source
    if "b" in (source.dtype.kind, dtype.kind):
        raise InterpretationError(
            f"a cast of tiles between {from_} and {to}: nothing says which number a condition is"
        )
    if dtype.kind == "f":
        return source.astype(dtype)
    limits = np.iinfo(dtype)
    if source.dtype.kind == "f":
        wide = source.astype(np.float64)
        held = (wide == np.trunc(wide)) & (wide >= limits.min) & (wide < float(limits.max) + 1)
        result = np.where(held, wide, 0).astype(dtype)
    else:
        result = source.astype(dtype)
        held = (result.astype(source.dtype) == source) & ((result < 0) == (source < 0))
    if not held.all():
        cell = tuple(int(i) for i in np.argwhere(~held)[0])
        raise InterpretationError(
            f"element {list(cell)} of the tile is {source[cell]}, which {to} does not hold, and "
            "nothing says whether a cast of tiles rounds, wraps or saturates: bring the elements "
            "into range first (pl.tile.min, pl.tile.max), and compute with whole numbers"
        )
    return result


def _check_tile(array: Array, result: SSAValue) -> None:
    if array.shape != shape_of(result):
        raise InterpretationError(
            f"{prod(array.shape)} elements do not fill a tile of {result.type}"
        )
