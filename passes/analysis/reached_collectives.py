"""
The collectives that a call of a function comes to, with the parameters behind their operands.

Reads   the collectives of each body, at any stage of lowering, and its calls; the roots of operands
        and arguments.
Decides per function, callees first, which collectives it reaches and which of its own parameters
        each operand may be, so that a caller needs to look at its arguments only.
Changes nothing. Collectives whose operands are the same parameters are told apart by their text
        alone; one stands for all of them, so that a summary stays as small as a signature.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.passes.analysis.calls import (
    AnyCallOp,
    arguments_by_parameter,
    callee_of,
    callees_first,
)
from xdsl_pld.passes.analysis.collective_sites import Site, site_of
from xdsl_pld.passes.analysis.lineage import named_parameter
from xdsl_pld.passes.analysis.roots import Roots


@dataclass(frozen=True)
class Reached:
    """A collective, and the way to it."""

    site: Site
    function: FuncOp
    """Where the way begins."""
    call: AnyCallOp | None
    """The call in `function` that leads there; None where the collective stands in it."""
    rest: "Reached | None"
    """The way from the callee on."""
    parameters: Mapping[str, frozenset[int]]
    """For each role the parameters of `function` that the operand may be."""

    def path(self) -> Iterator[tuple[FuncOp, Operation]]:
        """The functions on the way, each with the call, or collective, that follows in it."""
        at: Reached | None = self
        while at is not None:
            yield at.function, at.call or at.site.op
            at = at.rest


class ReachedCollectives:
    """The collectives that each function of a module reaches."""

    def __init__(self, module: ModuleOp, roots: Roots):
        self._roots = roots
        self._reached: dict[FuncOp, Sequence[Reached]] = {}
        for function in callees_first(module):
            self._reached[function] = self._summary(function)

    def of(self, function: FuncOp) -> Sequence[Reached]:
        """One for each choice of parameters."""
        return self._reached.get(function, ())

    def _summary(self, function: FuncOp) -> Sequence[Reached]:
        found: dict[object, Reached] = {}
        for op in function.body.walk():
            for reached in self._through(function, op):
                key = (
                    reached.site.operator,
                    reached.site.stated_ranks,
                    tuple(reached.parameters.items()),
                )
                found.setdefault(key, reached)
        return list(found.values())

    def _through(self, function: FuncOp, op: Operation) -> Iterator[Reached]:
        if (site := site_of(op)) is not None:
            parameters = {
                role: self._parameters(function, value) for role, value in site.operands.items()
            }
            yield Reached(site, function, None, None, parameters)
        elif isinstance(op, AnyCallOp) and (callee := callee_of(op)) is not None:
            reached_there = self.of(callee)
            if not reached_there:
                return
            passed = arguments_by_parameter(op, callee)
            for reached in reached_there:
                parameters = {
                    role: frozenset(
                        own
                        for index in indices
                        if index in passed
                        for own in self._parameters(function, passed[index])
                    )
                    for role, indices in reached.parameters.items()
                }
                yield Reached(reached.site, function, op, reached, parameters)

    def _parameters(self, function: FuncOp, value: SSAValue) -> frozenset[int]:
        if not is_tensor_like(value.type):
            return frozenset()
        indices = (named_parameter(function, root) for root in self._roots.of(function, value))
        return frozenset(index for index in indices if index is not None)
