"""
Tile arithmetic: what a kernel computes in a core's local memory.

All ops are pure: a tile is a value, and the result is a new one. Source: pypto-dsl, section 6.
"""

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import tile
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.types import TileType
from xdsl_pld.dialects.values import element_of, shape_of, shown


class TileBinaryOp(IRDLOperation, ABC):
    """
    Combines a tile with a tile of its type, or each element with one scalar of its element type.
    """

    T: ClassVar = VarConstraint("T", tile("lhs"))

    lhs = operand_def(T)
    rhs = operand_def(AnyAttr())
    result = result_def(T)

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        super().__init__(operands=[lhs, rhs], result_types=[SSAValue.get(lhs).type])

    def verify_(self) -> None:
        if self.rhs.type not in (self.lhs.type, element_of(self.lhs)):
            raise VerifyException(
                f"rhs must be a tile {self.lhs.type} as lhs, or a scalar {element_of(self.lhs)}, "
                f"not {self.rhs.type}"
            )


@irdl_op_definition
class AddOp(TileBinaryOp):
    """
    Element by element, the sum.

        %c = pl.tile.add %a, %b : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
        %c = pl.tile.add %a, %s : !pl.tile<tensor<1x64xf32>>, f32
    """

    name = "pl.tile.add"


@irdl_op_definition
class SubOp(TileBinaryOp):
    """
    Element by element, the difference.

        %c = pl.tile.sub %a, %b : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
    """

    name = "pl.tile.sub"


@irdl_op_definition
class MulOp(TileBinaryOp):
    """
    Element by element, the product.

        %c = pl.tile.mul %a, %s : !pl.tile<tensor<1x64xf32>>, f32
    """

    name = "pl.tile.mul"


@irdl_op_definition
class DivOp(TileBinaryOp):
    """
    Element by element, the quotient.

        %c = pl.tile.div %a, %s : !pl.tile<tensor<1x64xf32>>, f32
    """

    name = "pl.tile.div"


@irdl_op_definition
class MaxOp(TileBinaryOp):
    """
    Element by element, the larger.

        %c = pl.tile.max %a, %b : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
    """

    name = "pl.tile.max"


@irdl_op_definition
class MinOp(TileBinaryOp):
    """
    Element by element, the smaller.

        %c = pl.tile.min %a, %b : !pl.tile<tensor<1x64xf32>>, !pl.tile<tensor<1x64xf32>>
    """

    name = "pl.tile.min"


@irdl_op_definition
class CastOp(IRDLOperation):
    """
    The same elements in another element type.

        %c = pl.tile.cast %k : !pl.tile<tensor<1x64xf32>> -> !pl.tile<tensor<1x64xf16>>
    """

    name = "pl.tile.cast"

    source = operand_def(tile("source"))
    result = result_def(tile("result"))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: TileType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        if shape_of(self.source) != shape_of(self.result):
            raise VerifyException(
                f"a cast keeps the shape: source {shown(shape_of(self.source))}, result "
                f"{shown(shape_of(self.result))}"
            )


@irdl_op_definition
class FullOp(IRDLOperation):
    """
    A tile whose elements are all one scalar.

        %k = pl.tile.full %zero : f32 -> !pl.tile<tensor<1x64xf32>>
    """

    name = "pl.tile.full"

    value = operand_def(AnyAttr())
    result = result_def(tile("result"))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"

    def __init__(self, value: SSAValue | Operation, result_type: TileType):
        super().__init__(operands=[value], result_types=[result_type])

    def verify_(self) -> None:
        if self.value.type != element_of(self.result):
            raise VerifyException(
                f"an element of the result is {element_of(self.result)}, not {self.value.type}"
            )


@irdl_op_definition
class RowSumOp(IRDLOperation):
    """
    The sum of each row, as a column.

        %s = pl.tile.row_sum %k : !pl.tile<tensor<4x64xf32>> -> !pl.tile<tensor<4x1xf32>>
    """

    name = "pl.tile.row_sum"

    source = operand_def(tile("source"))
    result = result_def(tile("result"))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: TileType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        shape = shape_of(self.source)
        if len(shape) != 2:
            raise VerifyException(f"a tile of rows is of rank 2, not {self.source.type}")
        _verify_shape(self, (shape[0], 1))


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """
    The same elements under another shape.

        %v = pl.tile.reshape %k : !pl.tile<tensor<4x16xf32>> -> !pl.tile<tensor<1x64xf32>>
    """

    name = "pl.tile.reshape"

    source = operand_def(tile("source"))
    result = result_def(tile("result"))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: TileType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        before, after = shape_of(self.source), shape_of(self.result)
        if prod(before) != prod(after):
            raise VerifyException(
                f"source {shown(before)} has {prod(before)} elements, result {shown(after)} has "
                f"{prod(after)}"
            )
        _verify_shape(self, after)


def _verify_shape(op: CastOp | RowSumOp | ReshapeOp, shape: Sequence[int]) -> None:
    """Raises VerifyException unless the result has `shape` and the source's element type."""
    if shape_of(op.result) != tuple(shape):
        raise VerifyException(
            f"the result's shape is {shown(shape)}, not {shown(shape_of(op.result))}"
        )
    if element_of(op.source) != element_of(op.result):
        raise VerifyException(
            f"source {op.source.type} and result {op.result.type} must have one element type"
        )


class _BlockQuery(IRDLOperation, ABC):
    """Asks about the blocks of the launch that the kernel runs in."""

    result = result_def(IndexType())

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self):
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class BlockIdxOp(_BlockQuery):
    """
    Which block of its launch the kernel runs as.

        %b = pl.tile.block_idx : index
    """

    name = "pl.tile.block_idx"


@irdl_op_definition
class BlockNumOp(_BlockQuery):
    """
    How many blocks the launch of the kernel has.

        %n = pl.tile.block_num : index
    """

    name = "pl.tile.block_num"


TILE_BINARY_OPS: Sequence[type[TileBinaryOp]] = (AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp)

TILE_COMPUTE_OPS: Sequence[type[Operation]] = (
    *TILE_BINARY_OPS,
    CastOp,
    FullOp,
    RowSumOp,
    ReshapeOp,
    BlockIdxOp,
    BlockNumOp,
)
