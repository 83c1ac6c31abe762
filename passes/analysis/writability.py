"""
Writability: whether what is written is memory, and not a value of upstream's `tensor` dialect.

Reads   the aliasing of ops, the flow of values through control flow, and what callees return.
Decides for a value whether an upstream tensor op made it or one that it may be; if so, the chain
        down to that op's result.
Changes nothing.

Upstream tensor ops are values. Two `tensor.empty` of one type are one value after cse (tried in
xDSL and in LLVM 24), a slice may become a copy: a task that writes into such a value writes into
memory that others share, or that nobody reads. Source: l2-collectives; issue 3.
"""

from xdsl.dialects import func
from xdsl.ir import Block, OpResult, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.passes.analysis.calls import AnyCallOp, argument_for, callee_of
from xdsl_pld.passes.analysis.chains import ChainSearch, Step, Violation
from xdsl_pld.passes.analysis.flow import join_of
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.upstream import makes_values


class Writability:
    """Which of a module's values may be written; ask before the IR changes."""

    def __init__(self, lineage: Lineage):
        self._lineage = lineage
        self._search = ChainSearch(self._step)

    def violation(self, value: SSAValue) -> Violation | None:
        """Why `value` may be no buffer, None where no upstream tensor op is known to make it."""
        return self._search.violation(value)

    def _step(self, value: SSAValue) -> Step:
        if (join := join_of(value)) is not None:
            return Step((join.seed, *join.others))
        owner = value.owner
        if isinstance(owner, Block):
            return Step()
        if (name := makes_values(owner)) is not None:
            return Step(broken=f"{name} makes a value, not a buffer")
        if isinstance(owner, CallOp | SubmitOp | func.CallOp):
            return self._call(owner, value)
        alias = alias_of(value)
        return Step() if alias is None else Step((alias.source,))

    def _call(self, call: AnyCallOp, value: SSAValue) -> Step:
        callee = callee_of(call)
        assert isinstance(value, OpResult)
        if callee is None:  # equivalent mutant: the verifier has refused such a call
            return Step()
        parameter = self._lineage.returned(callee)[value.index].parameter
        if parameter is None:  # equivalent mutant: nothing is passed to None
            return Step()
        argument = argument_for(call, callee, parameter)
        return Step() if argument is None else Step((argument,))
