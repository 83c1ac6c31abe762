"""
Expand the managed collectives of kernels into signals and one-sided transfers.

A kernel is code of one core: nothing can be launched from it, so a collective there is its protocol
written out, on the signal and the windows that it names.

Reads   the bodies of kernels and wrappers (all functions with role sub_worker); the constants
        behind `core_num`; the extents of the operands.
Decides per collective whether it can be expanded. All is decided, and every finding collected,
        before the IR changes.
Changes each collective, in place, into the ops of `passes/incore/expansions.py`; its result becomes
        the operand that it returns.

Needs nothing, and must run before `materialize-dist-tensor-ctx`, since an expansion asks for the
context of the signal. Orchestration bodies, the host's and the chip's, are left for their rails.
Leaves no managed collective in a kernel.

Source: neighbours, lower-composite-ops.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_pld.dialects.pl.attributes import Role, role
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.incore.expansions import expand, refusal
from xdsl_pld.passes.properties import Property


def _collectives(module: ModuleOp) -> Iterator[Operation]:
    """The managed collectives of kernels, in text order."""
    for function in functions(module):
        if role(function) is not Role.SUB_WORKER:
            continue
        for op in function.body.walk():
            if op.has_trait(ManagedCollective, value_if_unregistered=False):
                yield op


def _finding(op: Operation) -> Finding | None:
    """What is wrong with a collective in a kernel, None where it can be expanded."""
    core_num: SSAValue | None = getattr(op, "core_num", None)
    if core_num is not None and (width := folded_int(core_num)) != 1:
        shown = ", and this is no compile-time constant" if width is None else f", not {width}"
        notes = (
            Note("core_num comes from here", core_num),
            Note("a kernel is one core; launch its caller's collective on the chip or host rail"),
        )
        return Finding(op, f"core_num must be 1 in a kernel{shown}", notes)
    message = refusal(op)
    return None if message is None else Finding(op, message)


@dataclass(frozen=True)
class LowerCompositeOpsPass(PldPass):
    """
    Expands managed collectives in kernels.

    Before: %g = pld.tensor.barrier %sig : D<2x1xi32>
    After:  scf.for %d = ... { pld.system.notify %sig[%mine, 0] peer(%peer) value(%n1) ... }
            scf.for %s = ... { pld.system.wait %sig[%s, 0] expected(%n1) {cmp = "ge"} ... }
            scf.for %s = ... { pld.system.notify %sig[%s, 0] peer(%me) value(%minus1) ... }
    """

    name = "lower-composite-ops"

    breaks: ClassVar[tuple[Property, ...]] = (
        Property.CALL_DIRECTIONS_RESOLVED,
        Property.DIST_TENSOR_CTX_MATERIALIZED,
    )

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        collectives = list(_collectives(module))
        findings = [finding for op in collectives if (finding := _finding(op)) is not None]
        if findings:
            raise FindingsError(findings)
        rewriter = Rewriter()
        for op in collectives:
            expand(op, rewriter)
            returned = alias_of(op.results[0])
            assert returned is not None
            rewriter.replace_op(op, [], [returned.source])
