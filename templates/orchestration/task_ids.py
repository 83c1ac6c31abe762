"""
Which tasks' ids others wait for (`pl.after`), and where an id has to be kept.

An edge n -> m says that m waits for the latest instance of n submitted before it, if there is one.
Where n stands before m in a block around m, that one is there. Everywhere else (n in a loop or a
branch of its own, or an earlier iteration's) it may not be, and its id is kept beside a flag.
A task that is gone (`canonicalize` removes branches that are never taken) is never submitted, and
nobody waits for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from xdsl_pld.dialects.pl.attributes import AFTER, TASK
from xdsl_pld.dialects.pl.call import CallLikeOp, call_like_ops
from xdsl_pld.templates.errors import Problem


class Wait(NamedTuple):
    """A task that is waited for, and whether it is sure to have been submitted."""

    number: int
    is_sure: bool


@dataclass
class TaskIds:
    """The tasks of a pipeline by number, and what is asked of their ids."""

    numbers: dict[Operation, int] = field(default_factory=dict[Operation, int])
    tasks: dict[int, CallLikeOp] = field(default_factory=dict[int, CallLikeOp])
    after: dict[Operation, list[Wait]] = field(default_factory=dict[Operation, list[Wait]])
    kept: set[int] = field(default_factory=set[int])
    """The tasks whose latest id is kept in a variable, with a flag."""
    direct: set[int] = field(default_factory=set[int])
    """The tasks whose id is read where it is sure to be there."""
    problems: list[Problem] = field(default_factory=list[Problem])

    @staticmethod
    def of(function: FuncOp) -> "TaskIds":
        ids = TaskIds()
        calls = list(call_like_ops(function))
        order = {op: place for place, op in enumerate(function.walk())}
        for position, call in enumerate(calls):
            stated = call.attributes.get(TASK)
            number = stated.value.data if isinstance(stated, IntegerAttr) else position
            if number in ids.tasks:
                ids.problems.append(Problem(call, f"the task number {number} is given twice"))
            ids.numbers[call] = number
            ids.tasks[number] = call
        for call in calls:
            waits = call.attributes.get(AFTER)
            if not isinstance(waits, DenseArrayBase):
                continue
            ids.after[call] = []
            for number in dict.fromkeys(int(n) for n in waits.get_values()):
                if (source := ids.tasks.get(number)) is None:
                    continue
                wait = Wait(number, _is_sure(source, call, order))
                ids.after[call].append(wait)
                (ids.direct if wait.is_sure else ids.kept).add(number)
        return ids


def _is_sure(source: Operation, user: Operation, order: Mapping[Operation, int]) -> bool:
    """Whether `source` has run, in the same iteration of all that is around it, before `user`."""
    block = source.parent
    if block is None:
        return False
    at = _ancestor_in(user, block)
    return at is not None and order[source] < order[at]


def _ancestor_in(op: Operation, block: Block) -> Operation | None:
    current: Operation | None = op
    while current is not None and current.parent is not block:
        current = current.parent_op()
    return current
