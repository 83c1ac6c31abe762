"""
How values flow through structured control flow: `scf.for`, `scf.while`, `scf.if` and
`pld.comm_domain`.

One place knows the operand positions of these ops; analyses ask for the sources of a block
argument or a result. The IR is well-formed (`wellformed`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_pld.dialects.pld.windows import CommDomainOp, YieldOp


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
        yielded = _yielded(op.body)
        for argument, initial, last in zip(arguments, op.iter_args, yielded, strict=True):
            yield Join(argument, initial, (last,), carried=True)
    elif isinstance(op, scf.WhileOp) and region is op.before_region:
        yielded = _yielded(op.after_region)
        arguments = op.before_region.block.args
        for argument, initial, last in zip(arguments, op.arguments, yielded, strict=True):
            yield Join(argument, initial, (last,), carried=True)
    elif isinstance(op, scf.WhileOp):
        for argument, passed in zip(op.after_region.block.args, _condition(op), strict=True):
            yield Join(argument, passed, (), carried=False)


def result_joins(op: Operation) -> Iterator[Join]:
    """The results of a structured op, each with what it may be."""
    if isinstance(op, scf.ForOp):
        # What the loop ends with is what its carry held last.
        for result, carry in zip(op.res, op.body.block.args[1:], strict=True):
            yield Join(result, carry, (), carried=False)
    elif isinstance(op, scf.WhileOp):
        for result, passed in zip(op.res, _condition(op), strict=True):
            yield Join(result, passed, (), carried=False)
    elif isinstance(op, scf.IfOp) and op.results:
        branches = (_yielded(op.true_region), _yielded(op.false_region))
        for result, then, otherwise in zip(op.output, *branches, strict=True):
            yield Join(result, then, (otherwise,), carried=False)
    elif isinstance(op, CommDomainOp) and op.results:
        for result, yielded in zip(op.results, _yielded(op.body), strict=True):
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


def sources_of(value: SSAValue) -> Sequence[SSAValue]:
    """All values that control flow may make of `value`, itself where it decides nothing."""
    found: list[SSAValue] = []
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if (join := join_of(current)) is None:
            found.append(current)
            continue
        new = [source for source in (join.seed, *join.others) if source not in seen]
        seen.update(new)
        pending += new
    return found


def _yielded(region: Region) -> Sequence[SSAValue]:
    terminator = None if region.last_block is None else region.last_block.last_op
    assert isinstance(terminator, scf.YieldOp | YieldOp)
    return terminator.arguments


def _condition(op: scf.WhileOp) -> Sequence[SSAValue]:
    terminator = op.before_region.block.last_op
    assert isinstance(terminator, scf.ConditionOp)
    return terminator.args
