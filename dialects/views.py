"""
How a tensor lies in memory: the view that a tensor type may carry as its encoding.

    tensor<8x64xf32, {layout = "dn", stride = array<i64: 64, 1>, valid_shape = array<i64: 4, 64>}>

Each key is optional; a tensor without encoding is packed and row-major (`nd`). Strides and
extents count elements. Source: design.md, Types; l2-collectives, Contiguity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyTensorType,
    DenseArrayBase,
    DictionaryAttr,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

LAYOUTS = ("nd", "dn", "nz")
VIEW_KEYS = ("layout", "stride", "valid_shape")


class Packed(Enum):
    """What a type says about being packed and row-major."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """A stride or valid extent stands beside a dynamic extent and cannot be compared."""


@dataclass(frozen=True)
class TensorView:
    """The view of one tensor type. `stride` and `valid_shape` are None where not written."""

    shape: tuple[int, ...]
    layout: str = "nd"
    stride: tuple[int, ...] | None = None
    valid_shape: tuple[int, ...] | None = None

    @staticmethod
    def of(tensor: AnyTensorType) -> "TensorView":
        """
        Reads and checks the view of `tensor`.

        Raises VerifyException for an encoding that is no view: another kind of attribute, an
        unknown key or layout, a list whose length is not the rank, a stride that is not positive,
        a valid extent outside [0, extent].
        """
        shape = tensor.get_shape()
        if isinstance(tensor.encoding, NoneAttr):
            return TensorView(shape)
        if not isinstance(tensor.encoding, DictionaryAttr):
            raise VerifyException(
                f"the encoding of {tensor} must be a view, a dictionary with the keys layout, "
                "stride and valid_shape"
            )
        entries = tensor.encoding.data
        if unknown := sorted(entries.keys() - set(VIEW_KEYS)):
            raise VerifyException(
                f"unknown key '{unknown[0]}' in the view of {tensor}: the keys are layout, stride "
                "and valid_shape"
            )
        view = TensorView(
            shape,
            _layout(tensor, entries.get("layout")),
            _extents(tensor, "stride", entries.get("stride")),
            _extents(tensor, "valid_shape", entries.get("valid_shape")),
        )
        for stride in view.stride or ():
            if stride < 1:
                raise VerifyException(f"the strides of {tensor} must be positive, not {stride}")
        for valid, extent in zip(view.valid_shape or (), shape, strict=False):
            if valid < 0 or (extent != DYNAMIC_INDEX and valid > extent):
                raise VerifyException(
                    f"a valid extent of {tensor} must lie between 0 and the extent, not {valid}"
                )
        return view

    def packed_strides(self) -> tuple[int | None, ...]:
        """The row-major strides of the shape; None where a dynamic extent hides one."""
        strides: list[int | None] = []
        product: int | None = 1
        for extent in reversed(self.shape):
            strides.append(product)
            product = None if product is None or extent == DYNAMIC_INDEX else product * extent
        return tuple(reversed(strides))

    def packed(self) -> tuple[Packed, str]:
        """Whether the view is packed and row-major, and what stands against YES."""
        if self.layout != "nd":
            return Packed.NO, f"its layout is {self.layout}, not nd"
        packed = self.packed_strides()
        if self.stride is not None:
            for stride, expected in zip_longest(self.stride, packed):
                if expected is not None and stride != expected:
                    return Packed.NO, (
                        f"its stride is {list(self.stride)}, not the packed {_known(packed)}"
                    )
        if self.valid_shape is not None:
            for valid, extent in zip(self.valid_shape, self.shape, strict=True):
                if extent != DYNAMIC_INDEX and valid < extent:
                    return Packed.NO, (
                        f"its valid shape {list(self.valid_shape)} is narrower than its shape "
                        f"{_known(self.shape)}"
                    )
        if self.stride is not None and None in packed:
            return Packed.UNKNOWN, (
                f"its stride {list(self.stride)} cannot be compared with dynamic extents"
            )
        if self.valid_shape is not None and DYNAMIC_INDEX in self.shape:
            return Packed.UNKNOWN, (
                f"its valid shape {list(self.valid_shape)} cannot be compared with dynamic extents"
            )
        return Packed.YES, ""


def verify_view(tensor: AnyTensorType) -> None:
    """Raises VerifyException for an encoding that is no view (`TensorView.of`)."""
    if not isinstance(tensor.encoding, NoneAttr):
        TensorView.of(tensor)


def _known(extents: Sequence[int | None]) -> str:
    shown = ("?" if e is None or e == DYNAMIC_INDEX else str(e) for e in extents)
    return f"[{', '.join(shown)}]"


def _layout(tensor: AnyTensorType, layout: Attribute | None) -> str:
    if layout is None:
        return "nd"
    if not isinstance(layout, StringAttr) or layout.data not in LAYOUTS:
        raise VerifyException(
            f"the layout of {tensor} must be one of {', '.join(LAYOUTS)}, not {layout}"
        )
    return layout.data


def _extents(tensor: AnyTensorType, key: str, extents: Attribute | None) -> tuple[int, ...] | None:
    if extents is None:
        return None
    if not isa(extents, DenseArrayBase[I64]):
        raise VerifyException(f"the {key} of {tensor} must be an array<i64>, not {extents}")
    values = tuple(extents.get_values())
    if len(values) != tensor.get_num_dims():
        raise VerifyException(
            f"the {key} of {tensor} has {len(values)} entries for rank {tensor.get_num_dims()}"
        )
    return values
