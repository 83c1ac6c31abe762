"""
Collectives at any stage of lowering, seen alike: the managed op, the call of the builtin kernel
that the chip rail makes of it, and the dispatch of the host rail.
"""

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_pld.dialects.builtin_kernels import TEMPLATE_PREFIX
from xdsl_pld.dialects.pl.attributes import TEMPLATE_DIR
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.collectives import (
    MANAGED_COLLECTIVES,
    ManagedCollective,
    ranks_of_signal,
)
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.passes.analysis.calls import callee_of

_NOT_OPTIONS = ("operandSegmentSizes", "arg_directions", "callee", "sync_start", "no_dep")
"""Properties that are no choice of the collective."""


class Site(NamedTuple):
    """A collective in a body."""

    op: Operation
    operator: str
    """The collective's name without its dialect, `all_to_all_v`."""
    trait: ManagedCollective
    operands: Mapping[str, SSAValue]
    """By role."""

    @property
    def core_num(self) -> SSAValue | None:
        return getattr(self.op, "core_num", None)

    @property
    def options(self) -> Mapping[str, Attribute]:
        """What the collective's attributes choose: op, mode, root."""
        return {n: v for n, v in self.op.properties.items() if n not in _NOT_OPTIONS}

    @property
    def stated_ranks(self) -> int | None:
        """The number of ranks that the signal states."""
        signal = self.operands.get("signal")
        ring = self.op.properties.get("mode") == StringAttr("ring")
        return None if signal is None else ranks_of_signal(shape_of(signal), ring=ring)


def _trait(op: type[Operation]) -> ManagedCollective:
    trait = op.get_trait(ManagedCollective)
    assert trait is not None
    return trait


_BY_OPERATOR: Mapping[str, ManagedCollective] = {
    op.name.rsplit(".", 1)[-1]: _trait(op) for op in MANAGED_COLLECTIVES
}


def site_of(op: Operation) -> Site | None:
    """The collective that an operation is, None where it is none."""
    if op.has_trait(ManagedCollective, value_if_unregistered=False):
        trait = _trait(type(op))
        return Site(op, op.name.rsplit(".", 1)[-1], trait, trait.operands(op))
    if isinstance(op, BuiltinDispatchOp):
        trait = _trait(op.COLLECTIVE)
        operands = dict(zip(trait.roles, op.arguments, strict=False))
        return Site(op, op.name.rsplit(".", 1)[-1], trait, operands)
    if isinstance(op, CallOp | SubmitOp):
        callee = callee_of(op)
        template = None if callee is None else callee.attributes.get(TEMPLATE_DIR)
        if isinstance(template, StringAttr):
            operator = template.data.removeprefix(TEMPLATE_PREFIX)
            trait = _BY_OPERATOR.get(operator)
            if trait is not None:
                operands = dict(zip(trait.roles, op.arguments, strict=False))
                return Site(op, operator, trait, operands)
    return None
