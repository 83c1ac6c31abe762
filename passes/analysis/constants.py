"""
Integer constants by xDSL's own folders, without changing the IR.

In xDSL 0.75 these fold `arith.addi`, `subi`, `muli`, `andi`, `ori` and `xori`. Source:
l2-collectives, Launch width; xdsl-notes, section 8.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.traits import ConstantLike, HasFolder
from xdsl.utils.hints import isa


class Constants:
    """The integers that a module's values fold to; ask before the IR changes."""

    def __init__(self):
        self._known: dict[SSAValue, Attribute | None] = {}

    def integer(self, value: SSAValue) -> int | None:
        """The integer that `value` folds to, None where it is no compile-time constant."""
        entered: set[SSAValue] = set()
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
            elif current in entered:  # its operands are known, or it depends on itself
                self._known[current] = _fold(current, self._known)
            else:
                entered.add(current)
                pending += [o for o in _foldable_operands(current) if o not in entered]
        constant = self._known[value]
        return constant.value.data if isinstance(constant, IntegerAttr) else None


def folded_int(value: SSAValue) -> int | None:
    """The integer that one value folds to; who asks for many keeps a `Constants`."""
    return Constants().integer(value)


def _foldable_operands(value: SSAValue) -> Sequence[SSAValue]:
    if not isinstance(value, OpResult) or value.op.regions or not value.op.has_trait(HasFolder):
        return ()
    return value.op.operands


def _fold(value: SSAValue, known: Mapping[SSAValue, Attribute | None]) -> Attribute | None:
    if not isinstance(value, OpResult):
        return None
    if (constant := ConstantLike.get_constant_value(value)) is not None:
        return constant
    op = value.op
    trait = None if op.regions else op.get_trait(HasFolder)
    operands = [known.get(operand) for operand in op.operands]
    if trait is None:
        return None
    constants: list[SSAValue] = []
    for operand in operands:
        if not isa(operand, IntegerAttr):
            return None
        constants.append(arith.ConstantOp(operand).result)
    copy = type(op).create(
        operands=constants,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
    )
    folded = trait.fold(copy)
    if folded is None:
        return None
    result = folded[value.index]
    if isinstance(result, Attribute):  # equivalent mutant: arith folds constants to attributes
        return result
    return ConstantLike.get_constant_value(result)
