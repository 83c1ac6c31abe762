"""
Shape, element type and kind of tensor values, and the checks of them that ops share.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.types import TileType, tensor_of


def _tensor(value: SSAValue) -> AnyTensorType:
    tensor = value.type.tensor if isinstance(value.type, TileType) else tensor_of(value.type)
    assert tensor is not None, f"{value.type} holds no tensor"
    return tensor


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The shape of a tensor, distributed tensor or tile; `DYNAMIC_INDEX` for `?`."""
    return _tensor(value).get_shape()


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor, distributed tensor or tile."""
    return _tensor(value).element_type


def shown(extents: Sequence[int]) -> str:
    """Extents as messages show them: `[?, 64]`."""
    return f"[{', '.join('?' if e == DYNAMIC_INDEX else str(e) for e in extents)}]"


def verify_same_element(left: SSAValue, left_role: str, right: SSAValue, right_role: str) -> None:
    """Raises VerifyException when two tensors differ in their element type."""
    if element_of(left) != element_of(right):
        raise VerifyException(
            f"{left_role} {left.type} and {right_role} {right.type} must have one element type"
        )


def verify_same_kind(source: SSAValue, result: SSAValue) -> None:
    """Raises VerifyException when a view changes the element type or the kind of its source."""
    verify_same_element(source, "source", result, "result")
    if type(source.type) is not type(result.type):
        raise VerifyException(
            f"result {result.type} must be of the kind of its source, {source.type}"
        )
