"""
Check that all ranks come to the same collectives in the same order.

A collective returns when every rank has come to it. Where a branch, a loop bound or an exit depends
on the rank, some may not come, and the others wait for ever; where the local address of a window
that peers address depends on it, they reach another place.

Reads   all bodies, host, chip and kernels, at any stage of lowering (`analysis/convergence`).
Decides what depends on the rank: its number, what was received from peers, and what follows from
        these through values, memory, control flow and calls.
Changes nothing. A condition that is the same on every rank is fine, and so is a branch whose two
        sides hold the same collectives in the same order.

Source: issue 6, Convergence.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_pld.passes.analysis.convergence import Convergence
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import FindingsError


@dataclass(frozen=True)
class CheckCollectiveConvergencePass(PldPass):
    """Checks that no rank skips or reorders a collective; changes nothing."""

    name = "check-collective-convergence"

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        findings = Convergence(module).findings
        if findings:
            raise FindingsError(findings)
