"""
Operand and attribute constraints that the ops of both dialects share.

A constraint that takes part in inferring a result type is checked while parsing, where xDSL adds
no operand name to the message; so each of ours names the role itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from typing_extensions import TypeVar
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.types import DistributedTensorType, TensorLikeType, TileType, tensor_of
from xdsl_pld.dialects.views import TensorView

_KIND_NAMES: Mapping[type[Attribute], str] = {
    TensorType: "tensor",
    DistributedTensorType: "pld.dist_tensor",
    TileType: "pl.tile",
}


@dataclass(frozen=True)
class TensorOperand(AttrConstraint[TensorLikeType | TileType]):
    """
    A tensor in one of `kinds`, with one of `elements` as its element type (any, when empty).

    `role` is the operand's name in messages.
    """

    role: str
    kinds: tuple[type[Attribute], ...]
    elements: tuple[Attribute, ...] = field(default=())

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, self.kinds):
            names = " or a ".join(_KIND_NAMES[kind] for kind in self.kinds)
            why = (
                ": peers can only address a window"
                if self.kinds == (DistributedTensorType,)
                else ""
            )
            raise VerifyException(f"{self.role} must be a {names}, not {attr}{why}")
        tensor = attr.tensor if isinstance(attr, TileType) else tensor_of(attr)
        assert tensor is not None
        TensorView.of(tensor)
        if self.elements and tensor.element_type not in self.elements:
            wanted = " or ".join(str(element) for element in self.elements)
            raise VerifyException(
                f"{self.role} must have elements of {wanted}, not {tensor.element_type}"
            )

    def get_bases(self) -> set[type[Attribute]]:
        return set(self.kinds)

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> "TensorOperand":
        return self


def any_tensor(role: str, *elements: Attribute) -> TensorOperand:
    """A plain or a distributed tensor."""
    return TensorOperand(role, (TensorType, DistributedTensorType), elements)


def dist_tensor(role: str, *elements: Attribute) -> TensorOperand:
    """A distributed tensor: the operand is addressed by peers."""
    return TensorOperand(role, (DistributedTensorType,), elements)


def tile(role: str) -> TensorOperand:
    """A tile in local memory."""
    return TensorOperand(role, (TileType,))


def tile_or_tensor(role: str) -> TensorOperand:
    """A tile, a plain or a distributed tensor."""
    return TensorOperand(role, (TileType, TensorType, DistributedTensorType))


@dataclass(frozen=True)
class OneOf(AttrConstraint[StringAttr]):
    """A string attribute out of a closed list, named `attribute` in messages."""

    attribute: str
    values: tuple[str, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, StringAttr) or attr.data not in self.values:
            raise VerifyException(
                f"{self.attribute} must be one of {', '.join(self.values)}, not {attr}"
            )

    def get_bases(self) -> set[type[Attribute]]:
        return {StringAttr}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> "OneOf":
        return self
