"""
The least and the greatest value that an integer may have.

Reads   constants, `arith`, the bounds of `scf.for`, and the comparisons of `scf.if` around a use.
Decides an interval that holds for every execution; what is not known is the whole range of the
        type. Where a result might not fit its type it may wrap, and nothing is known.

`Ranges.at` also uses what must hold where the question is asked: inside a loop from a value that is
not negative to `%n`, `%n` is at least 1.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xdsl_pld.dialects.pld.system import NRanksOp, RankOp, WorldSizeOp


class Range(NamedTuple):
    """An interval, both ends included."""

    low: int
    high: int

    def meet(self, other: "Range") -> "Range":
        """What is in both; one that contradicts itself stands for code that never runs."""
        return Range(max(self.low, other.low), min(self.high, other.high))

    def join(self, other: "Range") -> "Range":
        return Range(min(self.low, other.low), max(self.high, other.high))


_INDEX = Range(-(2**63), 2**63 - 1)


def _of_type(value: SSAValue) -> Range:
    if isa(value.type, IntegerType):
        width = value.type.width.data
        return Range(-(2 ** (width - 1)), 2 ** (width - 1) - 1) if width > 1 else Range(0, 1)
    return _INDEX


class Ranges:
    """Ranges of values, each computed once."""

    def __init__(self):
        self._known: dict[SSAValue, Range] = {}

    def at(self, value: SSAValue, place: Operation) -> Range:
        """The range of `value`, an integer or index, where `place` stands."""
        found = self.of(value)
        for fact in _facts(value, place):
            other = self.of(fact.other)
            low = other.low + fact.strict if fact.above else found.low
            high = found.high if fact.above else other.high - fact.strict
            found = found.meet(Range(low, high))
        return found

    def of(self, value: SSAValue) -> Range:
        """The range of `value` wherever it is used."""
        pending, entered = [value], set[SSAValue]()
        while pending:
            current = pending[-1]
            if current in self._known:
                pending.pop()
            elif current in entered:
                self._known[current] = self._evaluate(current).meet(_of_type(current))
                pending.pop()
            else:
                entered.add(current)
                inputs = [i for i in _inputs(current) if i not in self._known]
                if any(i in entered for i in inputs):  # it depends on itself
                    self._known[current] = _of_type(current)
                pending += [i for i in inputs if i not in entered]
        return self._known[value]

    def _evaluate(self, value: SSAValue) -> Range:
        fallback = _of_type(value)
        if isinstance(value, BlockArgument):
            loop = value.block.parent_op()
            if isinstance(loop, scf.ForOp) and value.index == 0:
                low, high = self._known[loop.lb], self._known[loop.ub]
                if self._known[loop.step].low > 0:
                    return Range(low.low, max(high.high - 1, low.low))
            return fallback
        if not isinstance(value, OpResult):
            return fallback
        op = value.op
        constant = ConstantLike.get_constant_value(value)
        if isinstance(constant, IntegerAttr):
            return Range(constant.value.data, constant.value.data)
        if (stated := _SOURCES.get(type(op))) is not None:
            return stated
        rule = _RULES.get(type(op))
        if rule is None:
            return fallback
        operands = [self._known[operand] for operand in _inputs(value)]
        if rule.not_negative and any(operand.low < 0 for operand in operands):
            return fallback
        found = rule.range(operands[0], operands[-1])
        if found is None or found.low < fallback.low or found.high > fallback.high:
            return fallback
        return found


def _inputs(value: SSAValue) -> tuple[SSAValue, ...]:
    if isinstance(value, OpResult):
        if isinstance(value.op, arith.SelectOp):
            return (value.op.lhs, value.op.rhs)
        return tuple(value.op.operands) if type(value.op) in _RULES else ()
    loop = value.owner.parent_op() if isinstance(value.owner, Block) else None
    if isinstance(loop, scf.ForOp) and loop.body.block.args[0] is value:
        return (loop.lb, loop.ub, loop.step)
    return ()


def _corners(a: Range, b: Range, function: Callable[[int, int], int]) -> Range:
    values = [function(x, y) for x in a for y in b]
    return Range(min(values), max(values))


def _add(a: Range, b: Range) -> Range:
    return Range(a.low + b.low, a.high + b.high)


def _subtract(a: Range, b: Range) -> Range:
    return Range(a.low - b.high, a.high - b.low)


def _multiply(a: Range, b: Range) -> Range:
    return _corners(a, b, lambda x, y: x * y)


def _floor_div(a: Range, b: Range) -> Range | None:
    return _corners(a, b, lambda x, y: x // y) if b.low > 0 else None


def _ceil_div(a: Range, b: Range) -> Range | None:
    return _corners(a, b, lambda x, y: -(-x // y)) if b.low > 0 else None


def _remainder(a: Range, b: Range) -> Range | None:
    return Range(0, min(a.high, b.high - 1)) if b.low > 0 else None


def _maximum(a: Range, b: Range) -> Range:
    return Range(max(a.low, b.low), max(a.high, b.high))


def _minimum(a: Range, b: Range) -> Range:
    return Range(min(a.low, b.low), min(a.high, b.high))


class _Rule(NamedTuple):
    """The range of a result from those of two operands (of one: it twice)."""

    range: Callable[[Range, Range], Range | None]
    not_negative: bool = False
    """Whether it holds only where both operands are not negative."""


_RULES: Mapping[type[Operation], _Rule] = {
    arith.AddiOp: _Rule(_add),
    arith.SubiOp: _Rule(_subtract),
    arith.MuliOp: _Rule(_multiply),
    arith.FloorDivSIOp: _Rule(_floor_div),
    arith.CeilDivSIOp: _Rule(_ceil_div),
    arith.CeilDivUIOp: _Rule(_ceil_div, not_negative=True),
    arith.DivSIOp: _Rule(_floor_div, not_negative=True),
    arith.DivUIOp: _Rule(_floor_div, not_negative=True),
    arith.RemSIOp: _Rule(_remainder, not_negative=True),
    arith.RemUIOp: _Rule(_remainder, not_negative=True),
    arith.MaxSIOp: _Rule(_maximum),
    arith.MinSIOp: _Rule(_minimum),
    arith.MaxUIOp: _Rule(_maximum, not_negative=True),
    arith.MinUIOp: _Rule(_minimum, not_negative=True),
    arith.IndexCastOp: _Rule(_maximum),
    arith.ExtSIOp: _Rule(_maximum),
    arith.SelectOp: _Rule(Range.join),
}

_SOURCES: Mapping[type[Operation], Range] = {
    NRanksOp: Range(1, 2**31 - 1),
    RankOp: Range(0, 2**31 - 2),
    WorldSizeOp: Range(1, 2**31 - 1),
}


class _Fact(NamedTuple):
    """A value is above (or else below) another, strictly or not."""

    above: bool
    strict: bool
    other: SSAValue


def _facts(value: SSAValue, place: Operation) -> Iterator[_Fact]:
    """What loops and branches around `place` say about `value`."""
    block = place.parent
    while block is not None and (around := block.parent_op()) is not None:
        if isinstance(around, scf.ForOp):
            if around.ub is value:
                yield _Fact(above=True, strict=True, other=around.lb)
        elif isinstance(around, scf.IfOp) and isinstance(around.cond, OpResult):
            compare = around.cond.op
            if isinstance(compare, arith.CmpiOp):
                taken = block.parent_region() is around.true_region
                yield from _compared(value, compare, taken=taken)
        block = around.parent


_ABOVE = {2: (False, True), 3: (False, False), 4: (True, True), 5: (True, False)}
"""Signed predicates of arith.cmpi (slt, sle, sgt, sge): (above, strict)."""


def _compared(value: SSAValue, compare: arith.CmpiOp, *, taken: bool) -> Iterator[_Fact]:
    predicate = compare.predicate.value.data
    if predicate == (0 if taken else 1):  # eq taken, ne not taken
        for mine, other in ((compare.lhs, compare.rhs), (compare.rhs, compare.lhs)):
            if mine is value:
                yield _Fact(above=True, strict=False, other=other)
                yield _Fact(above=False, strict=False, other=other)
        return
    if predicate not in _ABOVE:
        return
    above, strict = _ABOVE[predicate]
    if not taken:
        above, strict = not above, not strict
    if compare.lhs is value:
        yield _Fact(above, strict, compare.rhs)
    elif compare.rhs is value:
        yield _Fact(not above, strict, compare.lhs)
