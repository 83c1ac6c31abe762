"""
Offset and size lists: constants mixed with `index` values, as in upstream's dynamic index lists.

    %t[%i, 0] [1, 64]

In the IR a list is a variadic operand group plus a static array in which `DYNAMIC_INDEX` marks the
place of a value; an op with two lists has `operandSegmentSizes`.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, i64
from xdsl.dialects.utils import (
    DynamicIndexList,
    get_dynamic_index_list,
    split_dynamic_index_list,
)
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

IndexLike = SSAValue | int
"""One entry of an index list."""

StaticIndices = DenseArrayBase[I64]
"""The static part of an index list."""

NO_INDICES: StaticIndices = DenseArrayBase.from_list(i64, ())
"""The static part of an optional list that is absent."""


def _parse_entry(parser: Parser) -> int | UnresolvedOperand:
    start = parser.pos
    value = parser.parse_optional_unresolved_operand()
    if value is not None:
        return value
    number = parser.parse_integer(allow_boolean=False)
    # The lowest i64 is DYNAMIC_INDEX, which would be read as the place of a value.
    if not -(2**63) < number < 2**63:
        parser.raise_error(f"{number} is out of range", start, parser.pos)
    return number


@irdl_custom_directive
class Sizes(DynamicIndexList):
    """An index list: `[1, %n]`."""

    # xDSL reads a directive's parameters from the class itself, not from its bases.
    dynamic_position: VariadicOperandVariable
    static_position: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        mixed = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: _parse_entry(parser)
        )
        static = [entry if isinstance(entry, int) else DYNAMIC_INDEX for entry in mixed]
        self.dynamic_position.set(state, [e for e in mixed if not isinstance(e, int)])
        self.static_position.set(state, DenseArrayBase.from_list(i64, static))


@irdl_custom_directive
class Offsets(Sizes):
    """An index list printed right behind its tensor: `%t[8, 0]`."""

    dynamic_position: VariadicOperandVariable
    static_position: AttributeVariable

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.last_was_punctuation = True
        state.should_emit_space = False
        super().print(printer, state, op)


def split(indices: Sequence[IndexLike]) -> tuple[StaticIndices, list[SSAValue]]:
    """The static array and the values of a mixed list, for building an op."""
    static, dynamic = split_dynamic_index_list(indices, DYNAMIC_INDEX)
    return DenseArrayBase.from_list(i64, static), dynamic


def join(static: StaticIndices, dynamic: Sequence[SSAValue]) -> list[IndexLike]:
    """The mixed list of an op's two parts."""
    return list(get_dynamic_index_list(static.get_values(), dynamic, DYNAMIC_INDEX))


def entries(
    what: str, static: StaticIndices, dynamic: Sequence[SSAValue], rank: int
) -> Sequence[int]:
    """
    The static part of the list called `what`, `DYNAMIC_INDEX` standing for a value.

    Raises VerifyException when markers and values do not match or the length is not the rank.
    """
    values = static.get_values()
    places = values.count(DYNAMIC_INDEX)
    if places != len(dynamic):
        raise VerifyException(
            f"the {what} mark {places} entries as values, but {len(dynamic)} values are given"
        )
    if len(values) != rank:
        raise VerifyException(f"the {what} have {len(values)} entries for rank {rank}")
    return values


def verify_box(
    tensor: str, extents: Sequence[int], starts: Sequence[int], lengths: Sequence[int]
) -> None:
    """
    Checks that a box lies in the tensor called `tensor`, as far as constants tell: any entry may
    be `DYNAMIC_INDEX`. A shorter `lengths` has leading ones.

    Raises VerifyException for a negative offset or size, or a box that leaves the tensor.
    """
    lengths = [1] * (len(extents) - len(lengths)) + list(lengths)
    for dim, (extent, start, length) in enumerate(zip(extents, starts, lengths, strict=True)):
        start, length = (None if n == DYNAMIC_INDEX else n for n in (start, length))
        for what, number in (("offset", start), ("size", length)):
            if number is not None and number < 0:
                raise VerifyException(f"{what} {number} of {tensor} in dimension {dim} is negative")
        if extent != DYNAMIC_INDEX and (start or 0) + (length or 0) > extent:
            size = "" if length is None else f", size {length}"
            raise VerifyException(
                f"offset {start or 0}{size} leaves {tensor} in dimension {dim}, whose extent is "
                f"{extent}"
            )
