"""
The runtime's ABI, as the emitters and the simulator read it: element types, limits, and the order
in which arguments are laid out.

Source: runtime-abi, Kernel and Orchestration.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import (
    IntegerType,
    Signedness,
    bf16,
    f16,
    f32,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

from xdsl_pld.dialects.types import is_tensor_like

MAX_DIMS = 5
MAX_EXTENT = 2**32 - 1
"""Extents and offsets are 32 bits wide."""

MAX_TASK_TENSORS = 32
MAX_TASK_SCALARS = 16
MAX_PIPELINE_TENSORS = 256
MAX_PIPELINE_SCALARS = 128


class ElementType(NamedTuple):
    """How the runtime and C++ call an element type."""

    code: int
    enumerator: str
    cpp: str | None
    """The type of one element in an orchestration, None where C++17 has none."""
    numpy: str


ELEMENT_TYPES: Mapping[Attribute, ElementType] = {
    f32: ElementType(0, "FLOAT32", "float", "float32"),
    f16: ElementType(1, "FLOAT16", None, "float16"),
    i32: ElementType(2, "INT32", "int32_t", "int32"),
    i16: ElementType(3, "INT16", "int16_t", "int16"),
    i8: ElementType(4, "INT8", "int8_t", "int8"),
    IntegerType(8, Signedness.UNSIGNED): ElementType(5, "UINT8", "uint8_t", "uint8"),
    bf16: ElementType(6, "BFLOAT16", None, "bfloat16"),
    i64: ElementType(7, "INT64", "int64_t", "int64"),
}


@dataclass(frozen=True)
class ArgumentLayout:
    """Which parameters are tensors and which scalars, in order: two index spaces."""

    tensors: tuple[int, ...]
    scalars: tuple[int, ...]

    @staticmethod
    def of(types: Sequence[Attribute]) -> "ArgumentLayout":
        tensors = tuple(i for i, type_ in enumerate(types) if is_tensor_like(type_))
        scalars = tuple(i for i, type_ in enumerate(types) if not is_tensor_like(type_))
        return ArgumentLayout(tensors, scalars)

    @property
    def count(self) -> int:
        """How many arguments the runtime is to expect."""
        return len(self.tensors) + len(self.scalars)
