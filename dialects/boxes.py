"""
Ops that read or view a box of their source: offsets and sizes, one entry a dimension.
"""

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, prop_def, var_operand_def

from xdsl_pld.dialects.constraints import numbers
from xdsl_pld.dialects.index_lists import IndexLike, Offsets, Sizes, entries, join, split


class BoxOp(IRDLOperation, ABC):
    """`%source[offsets] [sizes] : source type -> result type`; subclasses define both."""

    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    static_offsets = prop_def(numbers("static_offsets"))
    static_sizes = prop_def(numbers("static_sizes"))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Offsets, Sizes)
    assembly_format = (
        "$source custom<Offsets>($offsets, $static_offsets)"
        " custom<Sizes>($sizes, $static_sizes) attr-dict `:` type($source) `->`"
        " type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        sizes: Sequence[IndexLike],
        result_type: Attribute,
    ):
        static_offsets, dynamic_offsets = split(offsets)
        static_sizes, dynamic_sizes = split(sizes)
        super().__init__(
            operands=[source, dynamic_offsets, dynamic_sizes],
            result_types=[result_type],
            properties={"static_offsets": static_offsets, "static_sizes": static_sizes},
        )

    @property
    def mixed_offsets(self) -> Sequence[IndexLike]:
        """The offsets, constants and values in their places."""
        return join(self.static_offsets, self.offsets)

    @property
    def mixed_sizes(self) -> Sequence[IndexLike]:
        """The sizes, constants and values in their places."""
        return join(self.static_sizes, self.sizes)

    def box(self, rank: int) -> tuple[Sequence[int], Sequence[int]]:
        """
        Offsets and sizes, `DYNAMIC_INDEX` standing for a value.

        Raises VerifyException where a list does not fit its values or the rank.
        """
        return (
            entries("offsets", self.static_offsets, self.offsets, rank),
            entries("sizes", self.static_sizes, self.sizes, rank),
        )
