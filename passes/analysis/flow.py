"""
How values flow through structured control flow: `scf.for`, `scf.while`, `scf.if` and
`pld.comm_domain`.

One place knows the operand positions of these ops; analyses ask for the sources of a block
argument or a result. xDSL verifies neither the counts of yields nor that of conditions: malformed
IR is refused here (`pld-opt` has checked it before the first pass).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_pld.dialects.pld.windows import CommDomainOp, YieldOp
from xdsl_pld.passes.diagnostics import Finding, FindingsError


class Join(NamedTuple):
    """A value that is one of several others, depending on the control flow."""

    value: SSAValue
    seed: SSAValue
    """What it is at first: a loop's initial value, what the first branch yields, or its source."""
    others: tuple[SSAValue, ...]
    """What else it may be: a later iteration's value, or what the other branch yields."""
    carried: bool
    """Whether it is carried by a loop (and not merged by a branch)."""


def entry_joins(op: Operation, region: Region) -> Iterator[Join]:
    """The block arguments of a region of `op` that get values from elsewhere."""
    if isinstance(op, scf.ForOp):
        arguments = op.body.block.args[1:]
        yielded = _yielded(op, op.body)
        for argument, initial, last in _aligned(op, arguments, op.iter_args, yielded):
            yield Join(argument, initial, (last,), carried=True)
    elif isinstance(op, scf.WhileOp) and region is op.before_region:
        yielded = _yielded(op, op.after_region)
        arguments = op.before_region.block.args
        for argument, initial, last in _aligned(op, arguments, op.arguments, yielded):
            yield Join(argument, initial, (last,), carried=True)
    elif isinstance(op, scf.WhileOp):
        for argument, passed in _aligned(op, op.after_region.block.args, _condition(op)):
            yield Join(argument, passed, (), carried=False)


def result_joins(op: Operation) -> Iterator[Join]:
    """The results of a structured op, each with what it may be."""
    if isinstance(op, scf.ForOp):
        # What the loop ends with is what its carry held last.
        for result, carry in _aligned(op, op.res, op.body.block.args[1:]):
            yield Join(result, carry, (), carried=False)
    elif isinstance(op, scf.WhileOp):
        for result, passed in _aligned(op, op.res, _condition(op)):
            yield Join(result, passed, (), carried=False)
    elif isinstance(op, scf.IfOp) and op.results:
        branches = (_yielded(op, op.true_region), _yielded(op, op.false_region))
        for result, then, otherwise in _aligned(op, op.output, *branches):
            yield Join(result, then, (otherwise,), carried=False)
    elif isinstance(op, CommDomainOp) and op.results:
        for result, yielded in _aligned(op, op.results, _yielded(op, op.body)):
            yield Join(result, yielded, (), carried=False)


def join_of(value: SSAValue) -> Join | None:
    """How `value` comes about when control flow decides it, None for every other value."""
    owner = value.owner
    if isinstance(owner, Block):
        region, op = owner.parent, owner.parent_op()
        joins = () if region is None or op is None else entry_joins(op, region)
    else:
        joins = result_joins(owner) if owner.regions else ()
    return next((join for join in joins if join.value is value), None)


def _yielded(op: Operation, region: Region) -> Sequence[SSAValue]:
    terminator = None if region.last_block is None else region.last_block.last_op
    if not isinstance(terminator, scf.YieldOp | YieldOp):
        raise _malformed(op, "a region has no yield")
    return terminator.arguments


def _condition(op: scf.WhileOp) -> Sequence[SSAValue]:
    terminator = op.before_region.block.last_op
    if not isinstance(terminator, scf.ConditionOp):
        raise _malformed(op, "its first region has no scf.condition")
    return terminator.args


def _aligned(op: Operation, *lists: Sequence[SSAValue]) -> Iterator[tuple[SSAValue, ...]]:
    if len({len(values) for values in lists}) > 1:
        counts = ", ".join(str(len(values)) for values in lists)
        raise _malformed(op, f"its values, arguments and yields differ in number ({counts})")
    return zip(*lists, strict=True)


def _malformed(op: Operation, reason: str) -> FindingsError:
    return FindingsError([Finding(op, f"{op.name} is malformed: {reason}")])
