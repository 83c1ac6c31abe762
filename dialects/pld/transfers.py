"""
One-sided transfers: put, get, remote load and remote store.

None declares its memory effects, but `remote_load`, which reads: a transfer is never lost, merged
or moved. Source: design.md, Tensor, tile and distributed ops.
"""

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, StringAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import OneOf, any_tensor, dist_tensor, exactly, numbers, tile
from xdsl_pld.dialects.index_lists import (
    NO_INDICES,
    IndexLike,
    Offsets,
    Sizes,
    entries,
    split,
    verify_box,
)
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.pl.tile import verify_moved_box, verify_store, verify_valid
from xdsl_pld.dialects.values import shape_of, verify_same_element

ATOMICS = ("none", "add")

_COPY_FORMAT = (
    "$source custom<Offsets>($source_offsets, $static_source_offsets) `into` $destination"
    " custom<Offsets>($destination_offsets, $static_destination_offsets)"
    " custom<Sizes>($sizes, $static_sizes) `peer` `(` $peer `)` attr-dict `:`"
    " type($source) `,` type($destination)"
)


class _Copy(IRDLOperation, ABC):
    """Moves a box of `source` into a box of the same sizes of `destination`."""

    source_offsets = var_operand_def(IndexType)
    destination_offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    peer = operand_def(exactly("peer", i32))
    static_source_offsets = prop_def(numbers("static_source_offsets"))
    static_destination_offsets = prop_def(numbers("static_destination_offsets"))
    static_sizes = prop_def(numbers("static_sizes"))

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(OwnAttributes())
    custom_directives = (Offsets, Sizes)
    assembly_format = _COPY_FORMAT

    def verify_(self) -> None:
        source, destination = self.operands[0], self.operands[1]
        verify_same_element(source, "source", destination, "destination")
        source_extents, extents = shape_of(source), shape_of(destination)
        starts = entries(
            "source offsets", self.static_source_offsets, self.source_offsets, len(source_extents)
        )
        ends = entries(
            "destination offsets",
            self.static_destination_offsets,
            self.destination_offsets,
            len(extents),
        )
        sizes = entries("sizes", self.static_sizes, self.sizes, len(source_extents))
        if len(source_extents) != len(extents):
            raise VerifyException(
                f"source and destination must be of one rank, not {len(source_extents)} and "
                f"{len(extents)}"
            )
        verify_box("the source", source_extents, starts, sizes)
        verify_box("the destination", extents, ends, sizes)


def _copy_operands(
    source: SSAValue | Operation,
    source_offsets: Sequence[IndexLike],
    destination: SSAValue | Operation,
    destination_offsets: Sequence[IndexLike],
    sizes: Sequence[IndexLike],
    peer: SSAValue | Operation,
) -> tuple[
    list[SSAValue | Operation | Sequence[SSAValue | Operation]], dict[str, Attribute | None]
]:
    """Operands and properties of a copy, in the order of the definition."""
    static_source, dynamic_source = split(source_offsets)
    static_destination, dynamic_destination = split(destination_offsets)
    static_sizes, dynamic_sizes = split(sizes)
    operands: list[SSAValue | Operation | Sequence[SSAValue | Operation]] = [
        source,
        destination,
        dynamic_source,
        dynamic_destination,
        dynamic_sizes,
        peer,
    ]
    properties: dict[str, Attribute | None] = {
        "static_source_offsets": static_source,
        "static_destination_offsets": static_destination,
        "static_sizes": static_sizes,
    }
    return operands, properties


class _Put(_Copy, ABC):
    """Writes a box of a local tensor into a peer's window."""

    atomic = prop_def(OneOf("atomic", ATOMICS), default_value=StringAttr("none"))

    def __init__(
        self,
        source: SSAValue | Operation,
        source_offsets: Sequence[IndexLike],
        destination: SSAValue | Operation,
        destination_offsets: Sequence[IndexLike],
        sizes: Sequence[IndexLike],
        peer: SSAValue | Operation,
        *,
        atomic: str = "none",
    ):
        operands, properties = _copy_operands(
            source, source_offsets, destination, destination_offsets, sizes, peer
        )
        super().__init__(operands=operands, properties=properties | {"atomic": StringAttr(atomic)})


class _Get(_Copy, ABC):
    """Reads a box of a peer's window into a local tensor."""

    def __init__(
        self,
        source: SSAValue | Operation,
        source_offsets: Sequence[IndexLike],
        destination: SSAValue | Operation,
        destination_offsets: Sequence[IndexLike],
        sizes: Sequence[IndexLike],
        peer: SSAValue | Operation,
    ):
        operands, properties = _copy_operands(
            source, source_offsets, destination, destination_offsets, sizes, peer
        )
        super().__init__(operands=operands, properties=properties)


@irdl_op_definition
class TensorPutOp(_Put):
    """
    Writes a box of a local tensor into a peer's window.

        pld.tensor.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, D<8x64xf32>
    """

    name = "pld.tensor.put"

    source = operand_def(any_tensor("source"))
    destination = operand_def(dist_tensor("destination"))


@irdl_op_definition
class TilePutOp(_Put):
    """
    As `pld.tensor.put`, inside a kernel, through local memory.

        pld.tile.put %t[0, 0] into %d[%i, 0] [4, 64] peer(%p) : tensor<8x64xf32>, D<8x64xf32>
    """

    name = "pld.tile.put"

    source = operand_def(any_tensor("source"))
    destination = operand_def(dist_tensor("destination"))


@irdl_op_definition
class TensorGetOp(_Get):
    """
    Reads a box of a peer's window into a local tensor.

        pld.tensor.get %d[%i, 0] into %t[0, 0] [4, 64] peer(%p) : D<8x64xf32>, tensor<8x64xf32>
    """

    name = "pld.tensor.get"

    source = operand_def(dist_tensor("source"))
    destination = operand_def(any_tensor("destination"))


@irdl_op_definition
class TileGetOp(_Get):
    """
    As `pld.tensor.get`, inside a kernel, through local memory.

        pld.tile.get %d[%i, 0] into %t[0, 0] [4, 64] peer(%p) : D<8x64xf32>, tensor<8x64xf32>
    """

    name = "pld.tile.get"

    source = operand_def(dist_tensor("source"))
    destination = operand_def(any_tensor("destination"))


@irdl_op_definition
class RemoteLoadOp(IRDLOperation):
    """
    Loads a box of a peer's window into local memory.

        %k = pld.tile.remote_load %d[%i, 0] [1, 64] peer(%p)
               : D<8x64xf32> -> !pl.tile<tensor<1x64xf32>>
    """

    name = "pld.tile.remote_load"

    source = operand_def(dist_tensor("source"))
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    valid = var_operand_def(IndexType)
    peer = operand_def(exactly("peer", i32))
    static_offsets = prop_def(numbers("static_offsets"))
    static_sizes = prop_def(numbers("static_sizes"))
    static_valid = prop_def(numbers("static_valid"), default_value=NO_INDICES)
    result = result_def(tile("result"))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), OwnAttributes())
    custom_directives = (Offsets, Sizes)
    assembly_format = (
        "$source custom<Offsets>($offsets, $static_offsets)"
        " custom<Sizes>($sizes, $static_sizes)"
        " (`valid` custom<Sizes>($valid, $static_valid)^)? `peer` `(` $peer `)` attr-dict `:`"
        " type($source) `->` type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        sizes: Sequence[IndexLike],
        peer: SSAValue | Operation,
        result_type: Attribute,
        valid: Sequence[IndexLike] = (),
    ):
        static_offsets, dynamic_offsets = split(offsets)
        static_sizes, dynamic_sizes = split(sizes)
        static_valid, dynamic_valid = split(valid)
        super().__init__(
            operands=[source, dynamic_offsets, dynamic_sizes, dynamic_valid, peer],
            result_types=[result_type],
            properties={
                "static_offsets": static_offsets,
                "static_sizes": static_sizes,
                "static_valid": static_valid,
            },
        )

    def verify_(self) -> None:
        rank = len(shape_of(self.source))
        starts = entries("offsets", self.static_offsets, self.offsets, rank)
        lengths = entries("sizes", self.static_sizes, self.sizes, rank)
        verify_moved_box(self.source, "the source", starts, lengths, self.result)
        verify_valid(self.static_valid, self.valid, lengths)


@irdl_op_definition
class RemoteStoreOp(IRDLOperation):
    """
    Stores a tile into a box of a peer's window.

        pld.tile.remote_store %k into %d[%i, 0] peer(%p) {atomic = "add"}
          : !pl.tile<tensor<1x64xf32>>, D<8x64xf32>
    """

    name = "pld.tile.remote_store"

    tile = operand_def(tile("tile"))
    destination = operand_def(dist_tensor("destination"))
    offsets = var_operand_def(IndexType)
    peer = operand_def(exactly("peer", i32))
    static_offsets = prop_def(numbers("static_offsets"))
    atomic = prop_def(OneOf("atomic", ATOMICS), default_value=StringAttr("none"))

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$tile `into` $destination custom<Offsets>($offsets, $static_offsets) `peer` `(` $peer `)`"
        " attr-dict `:` type($tile) `,` type($destination)"
    )

    def __init__(
        self,
        tile: SSAValue | Operation,
        destination: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        peer: SSAValue | Operation,
        *,
        atomic: str = "none",
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[tile, destination, dynamic_offsets, peer],
            properties={"static_offsets": static_offsets, "atomic": StringAttr(atomic)},
        )

    def verify_(self) -> None:
        verify_store(self.destination, self.static_offsets, self.offsets, self.tile)
