"""
The aliasing of upstream's `tensor` ops, which cannot declare it by our traits.

Upstream tensor ops are values, not buffers: cse makes two `tensor.empty` one, and whoever lowers
them may copy. So nothing may be written through them. What only reads may look through two of them,
which show their source's elements where they lie: `tensor.cast` and `tensor.extract_slice`.

Ops are known by name: this module imports nothing of xdsl.dialects.tensor, which a program that has
no such op need not load.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase, UnregisteredOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.index_lists import verify_box
from xdsl_pld.dialects.traits import Alias, AliasesOperand, ViewOf, alias_of, leading_slice
from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.dialects.values import shown


def readable_alias_of(value: SSAValue) -> Alias | None:
    """The alias that the defining op of `value` declares, or that upstream defines for it."""
    if (alias := alias_of(value)) is not None:
        return alias
    if isinstance(value, OpResult) and (trait := _ALIASES.get(value.op.name)) is not None:
        return Alias(trait.source(value.op), trait)
    return None


def makes_values(op: Operation) -> str | None:
    """The name of `op` when it is of upstream's `tensor` dialect, whose results are values."""
    name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
    return name if name.startswith("tensor.") else None


def _cast(op: Operation) -> str | None:
    """Upstream's verifier leaves the element types to us."""
    source, result = (tensor_of(value.type) for value in (op.operands[0], op.results[0]))
    assert result is not None  # what is no ranked tensor has been refused
    if source is not None and source.element_type != result.element_type:
        return f"the cast changes the element type from {source.element_type}"
    return None


def _extract_slice(op: Operation) -> str | None:
    """As `leading_slice`, with strides of 1; xDSL's verifier leaves the lists' fit to us."""
    source, result = (tensor_of(value.type) for value in (op.operands[0], op.results[0]))
    assert source is not None
    assert result is not None
    offsets, sizes, strides = (
        _entries(op, f"static_{what}") for what in ("offsets", "sizes", "strides")
    )
    rank = source.get_num_dims()
    if not len(offsets) == len(sizes) == len(strides) == rank:
        return f"the slice has not one offset, size and stride for each of the {rank} dimensions"
    if any(stride != 1 for stride in strides):
        return "the slice has a stride other than the constant 1"
    if (broken := leading_slice(op)) is not None:
        return broken
    if tuple(sizes) != result.get_shape():
        return f"the slice has the sizes {shown(sizes)}, its type {shown(result.get_shape())}"
    if source.element_type != result.element_type:
        return f"the slice changes the element type from {source.element_type}"
    try:
        verify_box("the source", source.get_shape(), offsets, sizes)
    except VerifyException as error:
        return str(error)
    return None


def _entries(op: Operation, name: str) -> Sequence[int]:
    array = op.properties[name]
    assert isinstance(array, DenseArrayBase)
    return [int(entry) for entry in array.get_values()]


_ALIASES: Mapping[str, AliasesOperand] = {
    "tensor.cast": ViewOf("source", _cast),
    "tensor.extract_slice": ViewOf("source", _extract_slice),
}
