"""
Operand and attribute constraints that the ops of both dialects share.

A constraint that takes part in inferring a result type is checked while parsing, where xDSL adds
no operand name to the message; so each of ours names the role itself.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    InferenceContext,
    IntConstraint,
    VerificationContext,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.types import DistributedTensorType, TensorLikeType, TileType, tensor_of
from xdsl_pld.dialects.views import verify_view

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
        verify_view(tensor)
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


def plain_tensor(role: str) -> TensorOperand:
    """A plain tensor."""
    return TensorOperand(role, (TensorType,))


def dist_tensor(role: str, *elements: Attribute) -> TensorOperand:
    """A distributed tensor: the operand is addressed by peers."""
    return TensorOperand(role, (DistributedTensorType,), elements)


def tile(role: str) -> TensorOperand:
    """A tile in local memory."""
    return TensorOperand(role, (TileType,))


def tile_or_tensor(role: str) -> TensorOperand:
    """A tile, a plain or a distributed tensor."""
    return TensorOperand(role, (TileType, TensorType, DistributedTensorType))


_AttributeInvT = TypeVar("_AttributeInvT", bound=Attribute)
_AttributeT = TypeVar("_AttributeT", bound=Attribute, covariant=True)


@dataclass(frozen=True)
class Named(AttrConstraint[_AttributeT]):
    """Names the attribute, or the role of a type, which xDSL's own messages do not always."""

    attribute: str
    what: str
    constraint: AttrConstraint[_AttributeT]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        try:
            self.constraint.verify(attr, constraint_context)
        except VerifyException as error:
            raise VerifyException(f"{self.attribute} must be {self.what}, not {attr}") from error

    def get_bases(self) -> set[type[Attribute]] | None:
        return self.constraint.get_bases()

    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return self.constraint.can_infer(var_constraint_names)

    def infer(self, context: InferenceContext) -> _AttributeT:
        return self.constraint.infer(context)

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> "Named[_AttributeT]":
        return Named(self.attribute, self.what, self.constraint.mapping_type_vars(type_var_mapping))


def exactly(role: str, type_: _AttributeInvT) -> Named[_AttributeInvT]:
    """One type, for the operand or result called `role`."""
    return Named(role, f"of type {type_}", EqAttrConstraint(type_))


def string(attribute: str) -> Named[StringAttr]:
    """A string attribute."""
    return Named(attribute, "a string", BaseAttr(StringAttr))


def strings(attribute: str) -> Named[ArrayAttr[StringAttr]]:
    """An array of strings."""
    return Named(attribute, "an array of strings", ArrayAttr.constr(BaseAttr(StringAttr)))


def numbers(attribute: str) -> Named[DenseArrayBase[I64]]:
    """An `array<i64>`."""
    return Named(attribute, "an array<i64>", DenseArrayBase.constr(i64))


def number(attribute: str) -> Named[IntegerAttr[I64]]:
    """An `i64` integer."""
    return Named(attribute, "an i64 integer", IntegerAttr[I64].constr(i64))


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
