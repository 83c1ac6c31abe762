"""
The builtin kernels: the ABI of what the collectives lower to.

One description serves the chip rail (which synthesizes the kernel's declaration-like function), the
emitters and the simulator: operand roles in order, their kinds and directions, the template that
the source comes from, and the element types it is made for.
Source: design.md, the form after lower-l2-tensor-collectives; l2-collectives, The synthesized
kernel and indexed_all_to_all_v.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i8,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute

from xdsl_pld.dialects.pl.attributes import (
    DIRECTION,
    FUNC_TYPE,
    REQUIRE_CONTIGUOUS,
    TEMPLATE_DIR,
    TEMPLATE_VARS,
    Direction,
    FuncType,
    set_param_attrs,
)
from xdsl_pld.dialects.types import DistributedTensorType

TEMPLATE_PREFIX = ":pypto.runtime.builtins.collectives."


class ElementVariant(NamedTuple):
    """An element type that builtin kernels exist for."""

    suffix: str
    cpp: str


ELEMENT_VARIANTS: Mapping[Attribute, ElementVariant] = {
    f32: ElementVariant("fp32", "float"),
    i8: ElementVariant("int8", "int8_t"),
}


class KernelOperand(NamedTuple):
    """One tensor parameter of a builtin kernel."""

    role: str
    distributed: bool
    direction: Direction
    element: Attribute | None = None
    """The fixed element type; None for the payload's."""
    rank: int = 2

    def type_for(self, payload: Attribute) -> Attribute:
        """The canonical parameter type: dynamic extents, whatever the call sites have."""
        tensor = TensorType(self.element or payload, [DYNAMIC_INDEX] * self.rank)
        return DistributedTensorType(tensor) if self.distributed else tensor


@dataclass(frozen=True)
class BuiltinKernel:
    """A kernel template and its operands; it returns its `target`."""

    operator: str
    operands: tuple[KernelOperand, ...]

    @property
    def handle(self) -> str:
        """What `pl.builtin_template_dir` says."""
        return TEMPLATE_PREFIX + self.operator

    def name(self, payload: Attribute) -> str:
        """The symbol of the variant for a payload element type."""
        return f"__builtin_{self.operator}__{ELEMENT_VARIANTS[payload].suffix}"

    def function(self, payload: Attribute) -> FuncOp:
        """The function that stands for the kernel; its body only names what is returned."""
        types = [operand.type_for(payload) for operand in self.operands]
        target = [operand.role for operand in self.operands].index("target")
        function = FuncOp(self.name(payload), (types, [types[target]]))
        for argument, operand in zip(function.args, self.operands, strict=True):
            argument.name_hint = operand.role
        function.body.block.add_op(ReturnOp(function.args[target]))
        set_param_attrs(
            function,
            [
                {}
                if operand.direction is Direction.IN
                else {DIRECTION: StringAttr(operand.direction)}
                for operand in self.operands
            ],
        )
        function.attributes = {
            FUNC_TYPE: StringAttr(FuncType.AIV),
            TEMPLATE_DIR: StringAttr(self.handle),
            TEMPLATE_VARS: StringAttr(f"dtype_cpp={ELEMENT_VARIANTS[payload].cpp}"),
            REQUIRE_CONTIGUOUS: UnitAttr(),
        }
        return function


ALL_TO_ALL_V = BuiltinKernel(
    "all_to_all_v",
    (
        KernelOperand("input", False, Direction.IN),
        KernelOperand("target", True, Direction.INOUT),
        KernelOperand("signal", True, Direction.INOUT, i32),
        KernelOperand("send_counts", False, Direction.IN, i32),
        KernelOperand("recv_counts", True, Direction.INOUT, i32),
    ),
)

INDEXED_ALL_TO_ALL_V = BuiltinKernel(
    "indexed_all_to_all_v",
    (
        KernelOperand("input", False, Direction.IN),
        KernelOperand("target", True, Direction.INOUT),
        KernelOperand("signal", True, Direction.INOUT, i32),
        KernelOperand("send_counts", True, Direction.IN, i32),
        KernelOperand("recv_counts", False, Direction.INOUT, i32),
        KernelOperand("index", False, Direction.IN, i32),
    ),
)

BUILTIN_KERNELS: Mapping[str, BuiltinKernel] = {
    kernel.operator: kernel for kernel in (ALL_TO_ALL_V, INDEXED_ALL_TO_ALL_V)
}
"""All that there are, by operator."""
