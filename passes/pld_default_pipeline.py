"""
The default pipeline: all passes in the order that they need.

Where a pass stands is no matter of taste. The checks of whole programs come first, while a
collective is still what its author wrote. The chip rail stands before the directions and the task
edges are derived, which order its collectives with the tasks around them, and before contexts are
materialized, which its kernels need; launches are guarded while callers and kernels still agree on
returned parameters. design.md has the table.

`pld-opt` runs the passes one by one, as if they had been named: each is checked, printed and timed.
Elsewhere the pipeline is one pass.
"""

from dataclasses import dataclass

from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_pld.passes.auto_derive_task_dependencies import AutoDeriveTaskDependenciesPass
from xdsl_pld.passes.base import PassSequence
from xdsl_pld.passes.check_collective_convergence import CheckCollectiveConvergencePass
from xdsl_pld.passes.check_collective_operands import CheckCollectiveOperandsPass
from xdsl_pld.passes.derive_call_directions import DeriveCallDirectionsPass
from xdsl_pld.passes.fuse_create_assemble_to_slice import FuseCreateAssembleToSlicePass
from xdsl_pld.passes.legalize_spmd_launches import LegalizeSpmdLaunchesPass
from xdsl_pld.passes.lower_composite_ops import LowerCompositeOpsPass
from xdsl_pld.passes.lower_host_tensor_collectives import LowerHostTensorCollectivesPass
from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass
from xdsl_pld.passes.materialize_comm_domain_scopes import MaterializeCommDomainScopesPass
from xdsl_pld.passes.materialize_dist_tensor_ctx import MaterializeDistTensorCtxPass
from xdsl_pld.passes.normalize_return_order import NormalizeReturnOrderPass
from xdsl_pld.passes.synthesize_allreduce_signals import SynthesizeAllreduceSignalsPass

PASSES: tuple[type[ModulePass], ...] = (
    CheckCollectiveOperandsPass,
    CheckCollectiveConvergencePass,
    LowerCompositeOpsPass,
    NormalizeReturnOrderPass,
    FuseCreateAssembleToSlicePass,
    LowerL2TensorCollectivesPass,
    LegalizeSpmdLaunchesPass,
    DeriveCallDirectionsPass,
    AutoDeriveTaskDependenciesPass,
    SynthesizeAllreduceSignalsPass,
    MaterializeCommDomainScopesPass,
    LowerHostTensorCollectivesPass,
    MaterializeDistTensorCtxPass,
    CanonicalizePass,
)


@dataclass(frozen=True)
class PldDefaultPipelinePass(PassSequence):
    """Runs the passes of the default pipeline, in order."""

    name = "pld-default-pipeline"

    def passes(self) -> tuple[ModulePass, ...]:
        return tuple(each() for each in PASSES)
