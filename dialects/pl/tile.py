"""
Tile ops: what moves between a tensor and a core's local memory.

Source: design.md, Tensor, tile and distributed ops.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.boxes import BoxOp
from xdsl_pld.dialects.constraints import any_tensor, numbers, tile, tile_or_tensor
from xdsl_pld.dialects.index_lists import (
    NO_INDICES,
    IndexLike,
    Offsets,
    StaticIndices,
    entries,
    join,
    split,
    verify_box,
)
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.traits import ViewOf, WritesBack, leading_slice, static_box
from xdsl_pld.dialects.values import element_of, shape_of, shown, verify_same_kind


def verify_moved_box(
    tensor: SSAValue, role: str, starts: Sequence[int], lengths: Sequence[int], moved: SSAValue
) -> None:
    """Raises VerifyException where a tile does not hold the box of a tensor, or leaves it."""
    verify_box(role, shape_of(tensor), starts, lengths)
    if DYNAMIC_INDEX in lengths:
        raise VerifyException(f"the sizes of a tile must be constants, not {shown(lengths)}")
    if element_of(tensor) != element_of(moved):
        raise VerifyException(
            f"{role} has elements of {element_of(tensor)}, the tile of {element_of(moved)}"
        )
    if tuple(lengths) != shape_of(moved):
        raise VerifyException(
            f"the tile has the sizes {shown(lengths)} as its shape, not {shown(shape_of(moved))}"
        )


def verify_valid(
    static: StaticIndices, dynamic: Sequence[SSAValue], lengths: Sequence[int]
) -> None:
    """Raises VerifyException where the valid part of a box is larger than the box."""
    if static == NO_INDICES:
        return
    extents = entries("valid extents", static, dynamic, len(lengths))
    verify_box("the box", lengths, [0] * len(lengths), extents)


def verify_store(
    destination: SSAValue, static: StaticIndices, dynamic: Sequence[SSAValue], moved: SSAValue
) -> None:
    """Raises VerifyException where a tile does not fit into its destination at the offsets."""
    lengths, extents = shape_of(moved), shape_of(destination)
    starts = entries("offsets", static, dynamic, len(extents))
    if len(lengths) != len(extents):
        raise VerifyException(
            f"a tile of rank {len(lengths)} does not fit a tensor of rank {len(extents)}"
        )
    verify_moved_box(destination, "the destination", starts, lengths, moved)


@irdl_op_definition
class LoadOp(BoxOp):
    """
    Loads a box of a tensor into local memory.

        %k = pl.tile.load %t[%i, 0] [1, 64] : tensor<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
        %k = pl.tile.load %t[%i, 0] [4, 64] valid [%n, 64]
               : tensor<8x64xf32> -> !pl.tile<tensor<4x64xf32>>

    `valid` says how much of the box holds data; without it, all of it does.
    """

    name = "pl.tile.load"

    source = operand_def(any_tensor("source"))
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    valid = var_operand_def(IndexType)
    static_valid = prop_def(numbers("static_valid"), default_value=NO_INDICES)
    result = result_def(tile("result"))

    traits = traits_def(MemoryReadEffect(), OwnAttributes())
    assembly_format = (
        "$source custom<Offsets>($offsets, $static_offsets)"
        " custom<Sizes>($sizes, $static_sizes)"
        " (`valid` custom<Sizes>($valid, $static_valid)^)? attr-dict `:` type($source) `->`"
        " type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        sizes: Sequence[IndexLike],
        result_type: Attribute,
        valid: Sequence[IndexLike] = (),
    ):
        static_offsets, dynamic_offsets = split(offsets)
        static_sizes, dynamic_sizes = split(sizes)
        static_valid, dynamic_valid = split(valid)
        IRDLOperation.__init__(
            self,
            operands=[source, dynamic_offsets, dynamic_sizes, dynamic_valid],
            result_types=[result_type],
            properties={
                "static_offsets": static_offsets,
                "static_sizes": static_sizes,
                "static_valid": static_valid,
            },
        )

    @property
    def mixed_valid(self) -> Sequence[IndexLike]:
        """The valid extents, constants and values in their places; none where not written."""
        return join(self.static_valid, self.valid)

    def verify_(self) -> None:
        starts, lengths = self.box(len(shape_of(self.source)))
        verify_moved_box(self.source, "the source", starts, lengths, self.result)
        verify_valid(self.static_valid, self.valid, lengths)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """
    Stores a tile into a box of a tensor, in place, and returns the tensor.

        %u = pl.tile.store %k into %t[%i, 0] : !pl.tile<tensor<1x64xf32>>, tensor<8x64xf32>
    """

    name = "pl.tile.store"

    T: ClassVar = VarConstraint("T", any_tensor("destination"))

    tile = operand_def(tile("tile"))
    destination = operand_def(T)
    offsets = var_operand_def(IndexType)
    static_offsets = prop_def(numbers("static_offsets"))
    result = result_def(T)

    traits = traits_def(MemoryWriteEffect(), WritesBack("destination"), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$tile `into` $destination custom<Offsets>($offsets, $static_offsets) attr-dict `:`"
        " type($tile) `,` type($destination)"
    )

    def __init__(
        self,
        tile: SSAValue | Operation,
        destination: SSAValue | Operation,
        offsets: Sequence[IndexLike],
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[tile, destination, dynamic_offsets],
            result_types=[SSAValue.get(destination).type],
            properties={"static_offsets": static_offsets},
        )

    def verify_(self) -> None:
        verify_store(self.destination, self.static_offsets, self.offsets, self.tile)


@irdl_op_definition
class SliceOp(BoxOp):
    """
    A box of a tile (a tile) or of a tensor (a tensor of its kind), without a copy.

        %v = pl.tile.slice %k[0, 32] [1, 32]
               : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x32xf32>>
    """

    name = "pl.tile.slice"

    source = operand_def(tile_or_tensor("source"))
    result = result_def(tile_or_tensor("result"))

    traits = traits_def(Pure(), ViewOf("source", leading_slice, static_box), OwnAttributes())

    def verify_(self) -> None:
        verify_same_kind(self.source, self.result)
        extents = shape_of(self.source)
        starts, lengths = self.box(len(extents))
        verify_box("the source", extents, starts, lengths)
        if tuple(lengths) != shape_of(self.result):
            raise VerifyException(
                f"the result of a slice has the sizes {shown(lengths)} as its shape, not "
                f"{shown(shape_of(self.result))}"
            )
