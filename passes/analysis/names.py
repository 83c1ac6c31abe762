"""
How messages name a value.
"""

from xdsl.ir import BlockArgument, OpResult, SSAValue


def name_of(value: SSAValue) -> str:
    """The value's name as the source has it, or what it is where it has none."""
    if value.name_hint is not None:
        return f"'{value.name_hint}'"
    if isinstance(value, OpResult):
        return f"'<result {value.index} of {value.op.name}>'"
    assert isinstance(value, BlockArgument)
    return f"'<argument {value.index}>'"
