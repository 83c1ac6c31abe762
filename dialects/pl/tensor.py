"""
Tensor ops. Tensors are buffers: an op that writes does so in place and returns its destination.

The result of a view keeps the kind of its source, so a distributed tensor stays one.
Source: design.md, Tensor, tile and distributed ops.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.boxes import BoxOp
from xdsl_pld.dialects.constraints import any_tensor, numbers, plain_tensor
from xdsl_pld.dialects.index_lists import (
    IndexLike,
    Offsets,
    entries,
    join,
    split,
    verify_box,
)
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.traits import (
    PackedRoot,
    ViewOf,
    WritesBack,
    leading_slice,
    never_packed,
    static_box,
)
from xdsl_pld.dialects.types import shapes_agree
from xdsl_pld.dialects.values import (
    element_of,
    shape_of,
    shown,
    verify_same_element,
    verify_same_kind,
)


class AllocatesResult(MemoryEffect):
    """The op allocates its own result: a dead one goes, two are never one."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.ALLOC, op.results[0])}


@irdl_op_definition
class CreateOp(IRDLOperation):
    """
    Allocates a tensor.

        %e = pl.tensor.create : tensor<8x64xf32>
    """

    name = "pl.tensor.create"

    result = result_def(plain_tensor("result"))

    traits = traits_def(AllocatesResult(), PackedRoot(), OwnAttributes())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result_type: TensorType[Attribute]):
        super().__init__(result_types=[result_type])

    def verify_(self) -> None:
        if DYNAMIC_INDEX in shape_of(self.result):
            raise VerifyException(
                f"a tensor is created with a static shape, not {self.result.type}: there is "
                "nothing to size it from"
            )


@irdl_op_definition
class SliceOp(BoxOp):
    """
    A zero-copy box of a tensor.

        %s = pl.tensor.slice %t[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>

    The result has the sizes as its shape; leading sizes of 1 may be dropped from it.
    """

    name = "pl.tensor.slice"

    source = operand_def(any_tensor("source"))
    result = result_def(any_tensor("result"))

    traits = traits_def(Pure(), ViewOf("source", leading_slice, static_box), OwnAttributes())

    def verify_(self) -> None:
        verify_same_kind(self.source, self.result)
        extents = shape_of(self.source)
        starts, lengths = self.box(len(extents))
        verify_box("the source", extents, starts, lengths)
        shape = shape_of(self.result)
        dropped = len(lengths) - len(shape)
        if (
            dropped < 0
            or any(size != 1 for size in lengths[:dropped])
            or (tuple(lengths[dropped:]) != shape)
        ):
            raise VerifyException(
                f"the result of a slice has the sizes {shown(lengths)} as its shape (leading ones "
                f"may go), not {shown(shape)}"
            )


@irdl_op_definition
class AssembleOp(IRDLOperation):
    """
    Writes a tensor into a box of another, in place, and returns the destination.

        %d = pl.tensor.assemble %src into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>

    A source of lower rank fills a box with leading sizes of 1.
    """

    name = "pl.tensor.assemble"

    T: ClassVar = VarConstraint("T", any_tensor("destination"))

    source = operand_def(any_tensor("source"))
    destination = operand_def(T)
    offsets = var_operand_def(IndexType)
    static_offsets = prop_def(numbers("static_offsets"))
    result = result_def(T)

    traits = traits_def(MemoryWriteEffect(), WritesBack("destination"), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$source `into` $destination custom<Offsets>($offsets, $static_offsets) attr-dict `:`"
        " type($source) `,` type($destination)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        destination: SSAValue | Operation,
        offsets: Sequence[IndexLike],
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[source, destination, dynamic_offsets],
            result_types=[SSAValue.get(destination).type],
            properties={"static_offsets": static_offsets},
        )

    @property
    def mixed_offsets(self) -> Sequence[IndexLike]:
        """The offsets, constants and values in their places."""
        return join(self.static_offsets, self.offsets)

    def verify_(self) -> None:
        verify_same_element(self.source, "source", self.destination, "destination")
        extents, lengths = shape_of(self.destination), shape_of(self.source)
        if len(lengths) > len(extents):
            raise VerifyException(
                f"a source of rank {len(lengths)} does not fit a destination of rank {len(extents)}"
            )
        starts = entries("offsets", self.static_offsets, self.offsets, len(extents))
        verify_box("the destination", extents, starts, lengths)


class _SameElements(IRDLOperation):
    """Checks shared by the views that renumber elements without moving them."""

    def verify_(self) -> None:
        source, result = self.operands[0], self.results[0]
        verify_same_kind(source, result)
        before, after = shape_of(source), shape_of(result)
        if (
            DYNAMIC_INDEX not in before
            and DYNAMIC_INDEX not in after
            and prod(before) != prod(after)
        ):
            raise VerifyException(
                f"source {shown(before)} has {prod(before)} elements, result {shown(after)} has "
                f"{prod(after)}"
            )


@irdl_op_definition
class ViewOp(_SameElements):
    """
    The same elements under another shape.

        %v = pl.tensor.view %t : tensor<8x64xf32> -> tensor<512xf32>
    """

    name = "pl.tensor.view"

    source = operand_def(any_tensor("source"))
    result = result_def(any_tensor("result"))

    traits = traits_def(Pure(), ViewOf("source"), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])


@irdl_op_definition
class ReshapeOp(_SameElements):
    """
    The same elements under another shape.

        %v = pl.tensor.reshape %t : tensor<8x64xf32> -> tensor<16x32xf32>
    """

    name = "pl.tensor.reshape"

    source = operand_def(any_tensor("source"))
    result = result_def(any_tensor("result"))

    traits = traits_def(Pure(), ViewOf("source"), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])


@irdl_op_definition
class SetValidShapeOp(IRDLOperation):
    """
    The same tensor with another valid shape, which the result's view states.

        %v = pl.tensor.set_validshape %t : T -> tensor<8x64xf32, {valid_shape = array<i64: 4, 64>}>
    """

    name = "pl.tensor.set_validshape"

    source = operand_def(any_tensor("source"))
    result = result_def(any_tensor("result"))

    traits = traits_def(Pure(), ViewOf("source"), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        verify_same_kind(self.source, self.result)
        if not shapes_agree(shape_of(self.source), shape_of(self.result)):
            raise VerifyException(
                f"a valid shape changes no extent: source {shown(shape_of(self.source))}, result "
                f"{shown(shape_of(self.result))}"
            )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """
    The dimensions in another order; axis i of the result is axis `axes[i]` of the source.

        %x = pl.tensor.transpose %t {axes = array<i64: 1, 0>} : tensor<8x64xf32> -> tensor<64x8xf32>
    """

    name = "pl.tensor.transpose"

    source = operand_def(any_tensor("source"))
    axes = prop_def(numbers("axes"))
    result = result_def(any_tensor("result"))

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure(), ViewOf("source", never_packed), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue | Operation, axes: Sequence[int], result_type: Attribute):
        super().__init__(
            operands=[source],
            result_types=[result_type],
            properties={"axes": DenseArrayBase.from_list(i64, axes)},
        )

    def verify_(self) -> None:
        verify_same_kind(self.source, self.result)
        source, axes = shape_of(self.source), self.axes.get_values()
        if sorted(axes) != list(range(len(source))):
            raise VerifyException(
                f"axes {list(axes)} are no permutation of the {len(source)} axes of the source"
            )
        expected = [source[axis] for axis in axes]
        if not shapes_agree(expected, shape_of(self.result)):
            raise VerifyException(
                f"the result's shape is {shown(expected)}, not {shown(shape_of(self.result))}"
            )


@irdl_op_definition
class ReadOp(IRDLOperation):
    """
    Reads one element.

        %x = pl.tensor.read %c[%i, 0] : D<2x1xi32> -> i32
    """

    name = "pl.tensor.read"

    source = operand_def(any_tensor("source"))
    offsets = var_operand_def(IndexType)
    static_offsets = prop_def(numbers("static_offsets"))
    result = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect(), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$source custom<Offsets>($offsets, $static_offsets) attr-dict `:` type($source) `->`"
        " type($result)"
    )

    def __init__(self, source: SSAValue | Operation, offsets: Sequence[IndexLike]):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[source, dynamic_offsets],
            result_types=[element_of(SSAValue.get(source))],
            properties={"static_offsets": static_offsets},
        )

    def verify_(self) -> None:
        if self.result.type != element_of(self.source):
            raise VerifyException(
                f"an element of the source is {element_of(self.source)}, not {self.result.type}"
            )
        extents = shape_of(self.source)
        starts = entries("offsets", self.static_offsets, self.offsets, len(extents))
        verify_box("the source", extents, starts, ())


@irdl_op_definition
class WriteOp(IRDLOperation):
    """
    Writes one element, in place, and returns the tensor.

        %y = pl.tensor.write %v into %c[%i, 0] : i32, D<2x1xi32>
    """

    name = "pl.tensor.write"

    T: ClassVar = VarConstraint("T", any_tensor("destination"))

    value = operand_def(AnyAttr())
    destination = operand_def(T)
    offsets = var_operand_def(IndexType)
    static_offsets = prop_def(numbers("static_offsets"))
    result = result_def(T)

    traits = traits_def(MemoryWriteEffect(), WritesBack("destination"), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$value `into` $destination custom<Offsets>($offsets, $static_offsets) attr-dict `:`"
        " type($value) `,` type($destination)"
    )

    def __init__(
        self,
        value: SSAValue | Operation,
        destination: SSAValue | Operation,
        offsets: Sequence[IndexLike],
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[value, destination, dynamic_offsets],
            result_types=[SSAValue.get(destination).type],
            properties={"static_offsets": static_offsets},
        )

    def verify_(self) -> None:
        if self.value.type != element_of(self.destination):
            raise VerifyException(
                f"an element of the destination is {element_of(self.destination)}, not "
                f"{self.value.type}"
            )
        extents = shape_of(self.destination)
        starts = entries("offsets", self.static_offsets, self.offsets, len(extents))
        verify_box("the destination", extents, starts, ())
