"""
Turn a managed collective in a chip orchestration into one task of the caller's own pipeline.

Lowered on the host rail, a collective splits a chip pipeline into three dispatches per card. Here
it becomes a `pl.call` of one synthesized AIV kernel: one dispatch, and the derived directions order
compute -> collective -> consume.

Reads   the bodies of chip orchestrations (`orchestration`, `graph`); the constants behind
        `core_num`; the contiguity of every operand; the functions that already have a kernel's
        name.
Decides per collective, in the order of the reference's table, whether it can be lowered, how many
        blocks B are admitted, and which kernel variant it calls. All is decided, and every finding
        collected, before the IR changes.
Changes each collective, in place, into the call; the new kernels stand at the end of the module.

Needs nothing before it; must run before `derive-call-directions` and
`materialize-dist-tensor-ctx`, which treat the new call as any other. Leaves no managed collective
in an orchestration that is not the host's, no indexed exchange where no rail lowers it, and no
upstream tensor value where a chip orchestration writes.

Source: l2-collectives.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from xdsl_pld.dialects.builtin_kernels import BuiltinKernel
from xdsl_pld.dialects.pl.attributes import (
    Role,
    is_builtin_kernel,
    is_chip_orchestration,
    is_host_orchestrator,
    is_launchable,
    role,
)
from xdsl_pld.dialects.pl.call import CallOp, trailing_contexts
from xdsl_pld.dialects.pld.collectives import (
    AllToAllVOp,
    IndexedAllToAllVOp,
    ManagedCollective,
)
from xdsl_pld.dialects.symbols import enclosing_function, lookup_in, symbol_scope
from xdsl_pld.dialects.traits import WritesBack
from xdsl_pld.dialects.values import element_of
from xdsl_pld.passes.analysis.calls import AnyCallOp
from xdsl_pld.passes.analysis.chip_rules import (
    ChipCollectiveOp,
    Refusal,
    check_contiguous,
    check_element_type,
    check_written,
    kernel_of,
    launch_width,
    tensor_operands,
)
from xdsl_pld.passes.analysis.constants import Constants
from xdsl_pld.passes.analysis.contiguity import Contiguity
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.writability import Writability
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property


class _Lowering(NamedTuple):
    """What a collective becomes."""

    collective: ChipCollectiveOp
    kernel: BuiltinKernel
    blocks: int


class _Kernels:
    """The kernel of each variant in each symbol scope, existing or to be made."""

    def __init__(self):
        self._existing: dict[tuple[Operation, str], FuncOp] = {}
        self._free: set[tuple[Operation, str]] = set()
        """The names that nothing has: to look for one again would read the whole scope again."""

    def check(self, op: ChipCollectiveOp) -> None:
        """Refuses a kernel name that something else has."""
        kernel, payload, key = self._variant(op)
        if key in self._existing or key in self._free:  # equivalent mutant: saves time only
            return
        scope, name = key
        existing = lookup_in(scope, name)
        if existing is None:
            self._free.add(key)  # equivalent mutant: saves time only
        elif not isinstance(existing, FuncOp):
            raise Refusal(
                f"@{name} is already the name of another function or symbol (a {existing.name}), "
                "and the kernel of this collective needs it",
                Note("the other symbol; give it another name", existing),
            )
        elif existing.is_structurally_equivalent(kernel.function(payload)):
            self._existing[key] = existing
        elif is_builtin_kernel(existing) and trailing_contexts(existing):
            raise Refusal(
                f"@{name} already has its contexts: the module has passed "
                "materialize-dist-tensor-ctx, and lower-l2-tensor-collectives runs before it",
                Note("the kernel with contexts", existing),
            )
        else:
            raise Refusal(
                f"@{name} is already the name of another function, and the kernel of this "
                "collective needs it",
                Note("the other function; give it another name", existing),
            )

    def ensure(self, op: ChipCollectiveOp, rewriter: Rewriter) -> None:
        """Makes the kernel that `op` calls unless it is there."""
        kernel, payload, key = self._variant(op)
        if key in self._existing:
            return
        function = kernel.function(payload)
        for made in function.walk():
            made.location = op.location
        for argument in function.args:
            argument.location = op.location
        rewriter.insert_op(function, _end_of(key[0]))
        self._existing[key] = function

    @staticmethod
    def _variant(
        op: ChipCollectiveOp,
    ) -> tuple[BuiltinKernel, Attribute, tuple[Operation, str]]:
        kernel, payload = kernel_of(op), element_of(op.target)
        scope = symbol_scope(op)
        assert scope is not None
        return kernel, payload, (scope, kernel.name(payload))


def _end_of(scope: Operation) -> InsertPoint:
    """Behind the functions of a symbol table, which may have a terminator."""
    block = scope.regions[0].block
    last = block.last_op
    assert last is not None  # the collective's function, if no other
    if last.has_trait(IsTerminator, value_if_unregistered=False):
        return InsertPoint.before(last)
    return InsertPoint.at_end(block)


class _Rules:
    """Decides op by op; what the analyses found about one serves the next."""

    def __init__(self):
        lineage = Lineage()
        self.kernels = _Kernels()
        self._constants = Constants()
        self._contiguity = Contiguity(lineage)
        self._writability = Writability(lineage)

    def decide(self, op: Operation, function: FuncOp) -> _Lowering | None:
        """What `op` becomes, None where it stays. Raises Refusal."""
        if not op.has_trait(ManagedCollective):
            if is_chip_orchestration(function):
                check_written(op, self._writability)
            return None
        if (missing := _missing_rail(op, function)) is not None:
            raise Refusal(
                f"{op.name} has no {missing} lowering (in '{function.sym_name.data}'): write it "
                f"{_elsewhere(op)}"
            )
        if not is_chip_orchestration(function):
            return None
        assert isinstance(op, ChipCollectiveOp)  # others miss their rail here
        blocks = launch_width(op, self._constants)
        check_element_type(op)
        check_written(op, self._writability)
        check_contiguous(op, self._contiguity)
        self.kernels.check(op)
        return _Lowering(op, kernel_of(op), blocks)


def _candidates(module: ModuleOp) -> Iterator[tuple[Operation, FuncOp]]:
    """The ops that a rule may concern, each with its function, in text order."""
    for op in module.walk():
        if (
            op.has_trait(
                ManagedCollective, value_if_unregistered=False
            )  # equivalent mutant: so far
            or op.has_trait(WritesBack, value_if_unregistered=False)
            or isinstance(op, AnyCallOp)
        ) and (function := enclosing_function(op)) is not None:
            yield op, function


def _missing_rail(op: Operation, function: FuncOp) -> str | None:
    """The rail that a collective would need and does not have where it stands."""
    if is_chip_orchestration(function):
        return None if isinstance(op, ChipCollectiveOp) else "chip-rail"
    if is_host_orchestrator(function):
        return "host-rail" if isinstance(op, IndexedAllToAllVOp) else None
    if role(function) is Role.ORCHESTRATOR:
        return "chip-rail"
    if is_launchable(function):
        return "InCore-rail" if isinstance(op, IndexedAllToAllVOp) else None
    return None


def _elsewhere(op: Operation) -> str:
    """Where a collective may be written."""
    if isinstance(op, IndexedAllToAllVOp):
        return "in a chip orchestration, the only place where it can be lowered"
    rails = "in a host body (the host rail) or in a kernel (lower-composite-ops)"
    return f"in a chip orchestration, {rails}" if isinstance(op, AllToAllVOp) else rails


def _rewrite(lowering: _Lowering, rewriter: Rewriter) -> None:
    op = lowering.collective
    launch: list[Operation] = []
    if lowering.blocks > 1:
        width = arith.ConstantOp(IntegerAttr.from_index_int_value(lowering.blocks))
        width.result.name_hint = f"c{lowering.blocks}"
        launch.append(width)
    call = CallOp(
        lowering.kernel.name(element_of(op.target)),
        list(tensor_operands(op).values()),
        [op.result.type],
        core_num=launch[0] if launch else None,
        sync_start=bool(launch),
    )
    for new in (*launch, call):
        new.location = op.location
    call.results[0].name_hint = op.result.name_hint
    rewriter.replace_op(op, [*launch, call], [call.results[0]])


@dataclass(frozen=True)
class LowerL2TensorCollectivesPass(PldPass):
    """
    Lowers managed collectives in chip orchestrations to calls of builtin kernels.

    Before: %d = pld.tensor.all_to_all_v %in, %tgt, %sig, %sc, %rc core_num(%c8) : ...
    After:  %d = pl.call @__builtin_all_to_all_v__fp32(%in, %tgt, %sig, %sc, %rc) core_num(%c8)
                   sync_start : ...
    """

    name = "lower-l2-tensor-collectives"

    breaks: ClassVar[tuple[Property, ...]] = (
        Property.CALL_DIRECTIONS_RESOLVED,
        Property.DIST_TENSOR_CTX_MATERIALIZED,
    )

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        rules = _Rules()
        lowerings: list[_Lowering] = []
        findings: list[Finding] = []
        for op, function in _candidates(module):
            try:
                if (lowering := rules.decide(op, function)) is not None:
                    lowerings.append(lowering)
            except Refusal as refusal:
                findings.append(Finding(op, refusal.message, refusal.notes))
        if findings:
            raise FindingsError(findings)
        rewriter = Rewriter()
        for lowering in lowerings:
            rules.kernels.ensure(lowering.collective, rewriter)
            _rewrite(lowering, rewriter)
