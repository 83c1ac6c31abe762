"""
`core_num`, the launch width that a caller asks for: its range, wherever an op has it.

Source: l2-collectives, Launch width and Diagnostics; design.md, Calls.
"""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.exceptions import VerifyException

MAX_CORE_NUM = 2147483647


def constant_int(value: SSAValue) -> int | None:
    """The integer that the op which defines `value` states, None where it is no constant."""
    constant = ConstantLike.get_constant_value(value)
    return constant.value.data if isinstance(constant, IntegerAttr) else None


def out_of_range(core_num: int) -> str | None:
    """The diagnostic for a launch width outside [1, MAX_CORE_NUM], None for one inside."""
    if 1 <= core_num <= MAX_CORE_NUM:
        return None
    return f"core_num is out of range [1, {MAX_CORE_NUM}]: {core_num}"


def verify_core_num(core_num: SSAValue | None) -> None:
    """Raises VerifyException for a constant launch width outside the range."""
    width = None if core_num is None else constant_int(core_num)
    if width is not None and (message := out_of_range(width)) is not None:
        raise VerifyException(message)
