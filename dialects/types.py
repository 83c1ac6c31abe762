"""
The types of both dialects, and how the tensor inside one is read.

A value is *tensor-like* when it is a `tensor` or a `!pld.dist_tensor`. Which window a distributed
tensor is bound to is read from its defining op, never stored in the type. Source: design.md, Types.
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyTensorType,
    ContainerType,
    ShapedType,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.views import verify_view


class _OverTensor(ParametrizedAttribute, TypeAttribute, ShapedType, ContainerType[Attribute]):
    """A type with one parameter, a ranked tensor type that holds shape, element type and view."""

    tensor: AnyTensorType

    def get_num_dims(self) -> int:
        return self.tensor.get_num_dims()

    def get_shape(self) -> tuple[int, ...]:
        return self.tensor.get_shape()

    def get_element_type(self) -> Attribute:
        return self.tensor.element_type

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            parser.raise_error(f"!{cls.name} takes a ranked tensor type: !{cls.name}<tensor<...>>")
        start = parser.pos
        tensor = parser.parse_type()
        if not isinstance(tensor, TensorType):
            parser.raise_error(
                f"!{cls.name} takes a ranked tensor type, not {tensor}", start, parser.pos
            )
        parser.parse_punctuation(">")
        return (cast(AnyTensorType, tensor),)

    def verify(self) -> None:
        verify_view(self.tensor)


@irdl_attr_definition
class DistributedTensorType(_OverTensor):
    """`!pld.dist_tensor<tensor<8x64xf32>>`: the local view of a window; `?` is a dynamic extent."""

    name = "pld.dist_tensor"

    tensor: AnyTensorType

    def __init__(self, tensor: AnyTensorType):
        super().__init__(tensor)


@irdl_attr_definition
class TileType(_OverTensor):
    """`!pl.tile<tensor<1x64xf32>>`: a block in a core's local memory, of static shape."""

    name = "pl.tile"

    tensor: AnyTensorType

    def __init__(self, tensor: AnyTensorType):
        super().__init__(tensor)

    def verify(self) -> None:
        super().verify()
        if DYNAMIC_INDEX in self.get_shape():
            raise VerifyException(f"a tile has a static shape, not that of {self.tensor}")


class _Handle(ParametrizedAttribute, TypeAttribute):
    """A type without parameters."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is not None:
            parser.raise_error(f"!{cls.name} takes no parameters")
        return ()


@irdl_attr_definition
class CommCtxType(_Handle):
    """`!pld.comm_ctx`: the handle that remote addressing needs (rank, rank count, window bases)."""

    name = "pld.comm_ctx"


@irdl_attr_definition
class WindowBufferType(_Handle):
    """`!pld.window_buffer`: a buffer of one size on every rank of a communication domain."""

    name = "pld.window_buffer"


@irdl_attr_definition
class TaskIdType(_Handle):
    """`!pl.task_id`: a submitted task, for the `deps` of later ones."""

    name = "pl.task_id"


TensorLikeType = AnyTensorType | DistributedTensorType


def tensor_of(type_: Attribute) -> AnyTensorType | None:
    """The tensor type of a tensor-like type, None for any other type."""
    if isinstance(type_, TensorType):
        # xDSL's `isa` would build a constraint from the hint at each call.
        return cast(AnyTensorType, type_)
    if isinstance(type_, DistributedTensorType):
        return type_.tensor
    return None


def is_tensor_like(type_: Attribute) -> bool:
    """Whether the type is a tensor or a distributed tensor."""
    return isinstance(type_, TensorType | DistributedTensorType)


def with_tensor(type_: Attribute, tensor: AnyTensorType) -> Attribute:
    """`tensor` in the kind of `type_`: distributed, tile or plain."""
    if isinstance(type_, DistributedTensorType):
        return DistributedTensorType(tensor)
    if isinstance(type_, TileType):
        return TileType(tensor)
    return tensor


def extents_agree(left: int, right: int) -> bool:
    """Two extents agree when they are equal or one is dynamic."""
    return left == right or DYNAMIC_INDEX in (left, right)


def shapes_agree(left: Sequence[int], right: Sequence[int]) -> bool:
    """Two shapes agree when the ranks are equal and every pair of extents agrees."""
    return len(left) == len(right) and all(map(extents_agree, left, right))
