"""
Upstream's memory and tensor values: `memref`, which `pl.array` becomes, and what of `tensor` a
program of tasks reads (its shape, its elements, its slices).

A memref is a numpy array. A tensor value of upstream is one too; nothing writes through it
(`passes.analysis.writability`), so its slices and casts are views.
"""

from typing import TYPE_CHECKING, Any

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.interpreter import InterpreterFunctions as Functions
from xdsl.ir import Attribute
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.tools.interpreter.memory import (
    Array,
    allocate,
    array_of,
    box,
    check_shape,
    layout_of,
    reshaped,
    seen_as,
)
from xdsl_pld.tools.interpreter.operands import element, indices, number, split_operands
from xdsl_pld.tools.interpreter.scalars import int_of, scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl_pld.tools.interpreter.machine import Agent


@register_impls
class StorageFunctions(Functions):
    """`memref` and `tensor` for one agent."""

    def __init__(self, agent: "Agent"):
        self.agent = agent

    def _allocated(
        self, shape: "Sequence[int]", element_type: Attribute, sizes: "Sequence[Any]"
    ) -> Array:
        """New memory; the extents that the type leaves open are `sizes`."""
        open_extents = iter(map(int_of, sizes))
        extents = [next(open_extents) if e == DYNAMIC_INDEX else e for e in shape]
        for extent in extents:
            if extent < 0:
                raise InterpretationError(f"an extent of {extent} elements")
        return allocate(TensorType(element_type, extents), self.agent.machine.settings.poison)

    @impl(memref.AllocaOp)
    def run_alloca(self, interpreter: Interpreter, op: memref.AllocaOp, args: PythonValues):
        sizes, _ = split_operands(op, args)
        type_ = op.memref.type
        return (self._allocated(type_.get_shape(), type_.get_element_type(), sizes),)

    @impl(memref.AllocOp)
    def run_alloc(self, interpreter: Interpreter, op: memref.AllocOp, args: PythonValues):
        sizes, _ = split_operands(op, args)
        type_ = op.memref.type
        return (self._allocated(type_.get_shape(), type_.get_element_type(), sizes),)

    @impl(memref.DeallocOp)
    def run_dealloc(self, interpreter: Interpreter, op: memref.DeallocOp, args: PythonValues):
        return ()

    @impl(memref.LoadOp)
    def run_load(self, interpreter: Interpreter, op: memref.LoadOp, args: PythonValues):
        cell = box(args[0], "the array", [int_of(index) for index in args[1:]])
        return (element(cell, op.res.type),)

    @impl(memref.StoreOp)
    def run_store(self, interpreter: Interpreter, op: memref.StoreOp, args: PythonValues):
        value, array, *offsets = args
        cell = box(array, "the array", [int_of(index) for index in offsets])
        cell[...] = number(value, op.value.type)
        return ()

    @impl(memref.DimOp)
    def run_memref_dim(self, interpreter: Interpreter, op: memref.DimOp, args: PythonValues):
        return (_extent(args[0], int_of(args[1]), op.result.type),)

    @impl(memref.CopyOp)
    def run_copy(self, interpreter: Interpreter, op: memref.CopyOp, args: PythonValues):
        source, destination = args
        if source.shape != destination.shape:
            raise InterpretationError(
                f"a copy of {list(source.shape)} into {list(destination.shape)}"
            )
        destination[...] = source
        return ()

    @impl(tensor.DimOp)
    def run_dim(self, interpreter: Interpreter, op: tensor.DimOp, args: PythonValues):
        return (_extent(layout_of(args[0]), int_of(args[1]), op.result.type),)

    @impl(tensor.EmptyOp)
    def run_empty(self, interpreter: Interpreter, op: tensor.EmptyOp, args: PythonValues):
        type_ = op.tensor.type
        return (self._allocated(type_.get_shape(), type_.element_type, args),)

    @impl(tensor.CastOp)
    def run_cast(self, interpreter: Interpreter, op: tensor.CastOp, args: PythonValues):
        if (type_ := tensor_of(op.dest.type)) is not None:
            check_shape("the source", layout_of(args[0]), type_)
        return args

    @impl(tensor.ExtractOp)
    def run_extract(self, interpreter: Interpreter, op: tensor.ExtractOp, args: PythonValues):
        self.agent.settle()
        cell = box(array_of(args[0]), "the tensor", [int_of(index) for index in args[1:]])
        self.agent.touched(args[0], cell)
        return (element(cell, op.result.type),)

    @impl(tensor.ExtractSliceOp)
    def run_extract_slice(
        self, interpreter: Interpreter, op: tensor.ExtractSliceOp, args: PythonValues
    ):
        (source,), offsets, sizes, strides = split_operands(op, args)
        if any(stride != 1 for stride in indices(op.static_strides, strides)):
            raise InterpretationError("pld-run knows slices with a stride of 1 only")
        starts, lengths = indices(op.static_offsets, offsets), indices(op.static_sizes, sizes)
        part = box(layout_of(source), "the source", starts, lengths)
        shape = op.result.type.get_shape()
        return (seen_as(source, part if len(shape) == part.ndim else reshaped(part, shape)),)


def _extent(array: Array, axis: int, type_: Attribute) -> Any:
    if not 0 <= axis < array.ndim:
        raise InterpretationError(f"axis {axis} is none of {array.ndim}")
    return scalar(array.shape[axis], type_)
