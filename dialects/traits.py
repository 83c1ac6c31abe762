"""
Aliasing, declared once on the op: which operand a result is, and how.

Passes ask `alias_of` and never list op names, so that a new op takes part by declaring itself.
Calls and submits alias through their callee's returns; that needs the module and is the business
of `passes/analysis/lineage.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import OpTrait

from xdsl_pld.dialects.values import shape_of


@dataclass(frozen=True)
class AliasesOperand(OpTrait):
    """The op's first result lies in the memory of the operand named `operand`."""

    operand: str

    keeps_value: ClassVar[bool]
    """Whether the result is the same tensor, of the same shape (a view's may differ)."""

    def source(self, op: Operation) -> SSAValue:
        return getattr(op, self.operand)

    def broken_packing(self, op: Operation) -> str | None:
        """
        Why the result of a packed, row-major source may not be packed and row-major itself,
        or None when it always is.
        """
        return None

    def box(self, op: Operation) -> "Box | None":
        """The box of the operand that the result is, None where it is all of it."""
        return None


class Box(NamedTuple):
    """Offsets and sizes, one entry a dimension; `DYNAMIC_INDEX` stands for a value."""

    offsets: Sequence[int]
    sizes: Sequence[int]


@dataclass(frozen=True)
class WritesBack(AliasesOperand):
    """The op writes into the operand, in place, and returns it."""

    keeps_value = True


@dataclass(frozen=True)
class ViewOf(AliasesOperand):
    """
    The result is a zero-copy view of the operand.

    `packing` tells for an op why its view of a packed source may not be packed (None: it is),
    `region` which box of the source the view is (None: all of it, under another shape or order).
    """

    packing: Callable[[Operation], str | None] | None = None
    region: Callable[[Operation], Box] | None = None

    keeps_value = False

    def broken_packing(self, op: Operation) -> str | None:
        return None if self.packing is None else self.packing(op)

    def box(self, op: Operation) -> Box | None:
        return None if self.region is None else self.region(op)


@dataclass(frozen=True)
class PackedRoot(OpTrait):
    """The op's results are memory of their own, packed and row-major where their types say so."""


class Alias(NamedTuple):
    """The operand whose memory a value lies in, and the trait that says so."""

    source: SSAValue
    trait: AliasesOperand


def alias_of(value: SSAValue) -> Alias | None:
    """The alias that the defining op of `value` declares for it, if it declares one."""
    if not isinstance(value, OpResult) or value.index != 0:
        return None
    trait = value.op.get_trait(AliasesOperand)
    return None if trait is None else Alias(trait.source(value.op), trait)


# Packing rules of views


def never_packed(op: Operation) -> str:
    """A view that permutes dimensions is never packed."""
    return f"a {op.name.rsplit('.', 1)[-1]} reorders the dimensions"


def leading_slice(op: Operation) -> str | None:
    """
    Why a slice of a packed tensor may not be packed, None for one that narrows only dimension 0.

    A leading slice of a row-major tensor is one run of memory: row i starts at i * (product of the
    trailing extents), so rows [o, o + n) are adjacent, whatever o is. It needs the trailing
    extents whole and static, their offsets 0, the sizes static and the rank kept.
    Source: l2-collectives, Contiguity.
    """
    source, result = shape_of(op.operands[0]), shape_of(op.results[0])
    offsets = _static(op, "static_offsets")
    sizes = _static(op, "static_sizes")
    if len(result) != len(source):
        return "the slice drops a dimension"
    if DYNAMIC_INDEX in source:
        return "the slice is of a tensor with dynamic extents"
    if DYNAMIC_INDEX in sizes:
        return "the slice has a size that is no constant"
    for dim, (offset, size, extent) in enumerate(zip(offsets, sizes, source, strict=True)):
        if dim > 0 and (offset != 0 or size != extent):
            return f"the slice narrows dimension {dim}, not only dimension 0"
    return None


def static_box(op: Operation) -> Box:
    """The box that an op with offsets and sizes states."""
    return Box(_static(op, "static_offsets"), _static(op, "static_sizes"))


def _static(op: Operation, name: str) -> Sequence[int]:
    array = op.properties[name]
    assert isinstance(array, DenseArrayBase)
    return [int(entry) for entry in array.get_values()]
