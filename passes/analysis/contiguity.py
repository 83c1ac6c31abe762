"""
Contiguity: whether a tensor value is provably packed and row-major, from its root on.

Reads   the views of types, the packing rules of aliasing traits, the flow of values through
        control flow, and what callees return.
Decides for a value whether every value that can reach it is packed; if not, the chain of values
        down to the one that breaks it, and why.
Changes nothing. What was found is remembered, so each value is analysed once; cycles of
        loop-carried values are walked once.

Allowed are roots (parameters, windows, `pl.tensor.create`, an `out` that the runtime allocates) and
steps that keep a packed source packed, which the aliasing traits of ops declare. Everything else is
refused: a kernel addresses its operands flat, and a rank that refuses at run time while its peers
launch leaves them in the barrier.

Accepted beyond PyPTO, with proof:
* the result of a write (`pl.tile.store`, `pl.tensor.write`): it is the destination itself, same
  address, same strides, so it is packed exactly when the destination is;
* the result of a callee that returns its parameter not literally but by lineage, through
  write-backs, carries and calls: lineage shows that it is the argument's tensor as a whole. Where a
  view lies between (`Returned.whole` is false) the call is refused.

Source: l2-collectives, Contiguity.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, OpResult, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pl.tensor import CreateOp
from xdsl_pld.dialects.pld.windows import WindowOp
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.dialects.views import Packed, TensorView
from xdsl_pld.passes.analysis.calls import AnyCallOp, argument_for, callee_of
from xdsl_pld.passes.analysis.flow import join_of
from xdsl_pld.passes.analysis.lineage import Lineage


@dataclass(frozen=True)
class Violation:
    """Why a value is not provably contiguous."""

    chain: Sequence[SSAValue]
    """From the value asked for to the one that breaks it."""
    reason: str


class _Step(NamedTuple):
    """What a value is made from, or why that is not known to be packed."""

    sources: Iterable[SSAValue] = ()
    broken: str | None = None


class Contiguity:
    """The contiguity of a module's values; ask before the IR changes."""

    def __init__(self, lineage: Lineage):
        self._lineage = lineage
        self._good: set[SSAValue] = set()
        self._reasons: dict[SSAValue, str] = {}
        """Why a value is not packed itself, for those that were found to break a chain."""
        self._towards: dict[SSAValue, SSAValue] = {}
        """The next value on the chain to one of those, for all that were found to reach one."""

    def violation(self, value: SSAValue) -> Violation | None:
        """Why `value` is not provably packed and row-major, None when it is."""
        came_from: dict[SSAValue, SSAValue | None] = {value: None}
        pending = [value]
        while pending:
            current = pending.pop()
            if current in self._good:
                continue
            if current in self._reasons or current in self._towards:
                return self._broken(_chain(came_from, current))
            step = self._step(current)
            if step.broken is not None:
                self._reasons[current] = step.broken
                return self._broken(_chain(came_from, current))
            for source in step.sources:
                if source not in came_from:
                    came_from[source] = current
                    pending.append(source)
        self._good.update(came_from)
        return None

    def _broken(self, chain: list[SSAValue]) -> Violation:
        """The violation whose chain begins so, the rest being known."""
        self._towards.update(pairwise(chain))
        while chain[-1] not in self._reasons:
            chain.append(self._towards[chain[-1]])
        return Violation(chain, self._reasons[chain[-1]])

    def _step(self, value: SSAValue) -> _Step:
        tensor = tensor_of(value.type)
        if tensor is None:
            return _Step(broken=f"it is a {value.type}, no tensor")
        packed, reason = TensorView.of(tensor).packed()
        if packed is not Packed.YES:
            return _Step(broken=reason)
        if (join := join_of(value)) is not None:
            return _Step((join.seed, *join.others))
        owner = value.owner
        if isinstance(owner, Block):
            if isinstance(owner.parent_op(), FuncOp) and owner.prev_block is None:
                return _Step()
            return _Step(broken="it is an argument of a block that nothing is known about")
        if isinstance(owner, CreateOp | WindowOp):
            return _Step()
        if isinstance(owner, CallOp | SubmitOp | func.CallOp):
            return self._call(owner, value)
        if (alias := alias_of(value)) is None:
            return _Step(broken=f"{owner.name} is not known to make a packed tensor")
        if (broken := alias.trait.broken_packing(owner)) is not None:
            return _Step(broken=broken)
        return _Step((alias.source,))

    def _call(self, call: AnyCallOp, value: SSAValue) -> _Step:
        callee = callee_of(call)
        if callee is None:
            return _Step(broken=f"{call.callee} is no function of this module")
        assert isinstance(value, OpResult)
        position = value.index
        returned = self._lineage.returned(callee)[position]
        if returned.parameter is None:
            return _Step(broken=f"{call.callee} does not return a parameter at result {position}")
        if not returned.whole:
            return _Step(broken=f"{call.callee} returns a view of a parameter at result {position}")
        argument = argument_for(call, callee, returned.parameter)
        return _Step() if argument is None else _Step((argument,))


def _chain(came_from: dict[SSAValue, SSAValue | None], last: SSAValue) -> list[SSAValue]:
    chain = [last]
    while (before := came_from[chain[-1]]) is not None:
        chain.append(before)
    return chain[::-1]
