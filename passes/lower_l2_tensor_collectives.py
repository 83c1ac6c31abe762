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
in an orchestration that is not the host's.

Source: l2-collectives.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.builtin_kernels import (
    ALL_TO_ALL_V,
    ELEMENT_VARIANTS,
    INDEXED_ALL_TO_ALL_V,
    BuiltinKernel,
)
from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.pl.attributes import (
    Role,
    is_chip_orchestration,
    is_host_orchestrator,
    role,
)
from xdsl_pld.dialects.pl.call import CallOp, trailing_contexts
from xdsl_pld.dialects.pld.collectives import (
    AllToAllVOp,
    IndexedAllToAllVOp,
    ManagedCollective,
)
from xdsl_pld.dialects.symbols import lookup_in, symbol_scope
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.analysis.contiguity import Contiguity, Violation
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property

ChipCollectiveOp = AllToAllVOp | IndexedAllToAllVOp
"""The collectives that have a chip-rail lowering."""


class _Lowering(NamedTuple):
    """What a collective becomes."""

    collective: ChipCollectiveOp
    kernel: BuiltinKernel
    blocks: int


def _kernel_of(op: ChipCollectiveOp) -> BuiltinKernel:
    return ALL_TO_ALL_V if isinstance(op, AllToAllVOp) else INDEXED_ALL_TO_ALL_V


def _operands(op: ChipCollectiveOp) -> Mapping[str, SSAValue]:
    trait = op.get_trait(ManagedCollective)
    assert trait is not None
    return trait.operands(op)


class _Refusal(Exception):
    """The first rule that a collective breaks."""

    def __init__(self, message: str, *notes: Note):
        self.message = message
        self.notes = notes


# Deciding


def _launch_width(op: ChipCollectiveOp) -> int:
    """The blocks B that the launch admits."""
    ranks, columns = shape_of(op.signal)
    limit = 1
    if op.core_num is not None:
        folded = folded_int(op.core_num)
        if folded is None:
            raise _Refusal(
                "core_num must be a compile-time constant on the chip rail",
                Note("core_num comes from here", op.core_num),
                Note(
                    "write an arith.constant, or arith on constants that folds; only the host rail "
                    "takes a run-time core_num"
                ),
            )
        limit = folded
    if (message := out_of_range(limit)) is not None:
        raise _Refusal(message)
    # The indexed exchange takes its width as it is; the plain one folds it.
    blocks = limit if isinstance(op, IndexedAllToAllVOp) else admitted_blocks(limit, ranks)
    if columns < blocks:
        raise _Refusal(
            f"signal has {columns} columns, fewer than the {blocks} admitted blocks (core_num "
            f"{limit}, {ranks} ranks)",
            Note("each block has a signal column of its own: widen the window", op.signal),
        )
    return blocks


def _check_element_type(op: ChipCollectiveOp) -> None:
    element = element_of(op.target)
    if element not in ELEMENT_VARIANTS:
        raise _Refusal(f"element type must be f32 or i8, not {element}")


def _check_contiguous(op: ChipCollectiveOp, contiguity: Contiguity) -> None:
    for operand, value in _operands(op).items():
        if (violation := contiguity.violation(value)) is not None:
            raise _Refusal(
                f"{operand} {name_of(value)} is not provably contiguous: {violation.reason}",
                *_chain_notes(violation),
                Note(
                    "the kernel addresses its operands flat; pass a packed row-major tensor: a "
                    "parameter, a window, a pl.tensor.create, or a slice that narrows only "
                    "dimension 0"
                ),
            )


_LONGEST_CHAIN = 16
"""A chain of more values is cut short: nobody reads ten thousand notes."""


def _chain_notes(violation: Violation) -> Iterator[Note]:
    *through, last = violation.chain
    links = through[1:]
    shown = links if len(links) <= _LONGEST_CHAIN else links[:_LONGEST_CHAIN]
    for value in shown:
        yield Note(f"through {name_of(value)} of type {value.type}", value)
    if len(shown) < len(links):
        yield Note(f"through {len(links) - len(shown)} more values")
    yield Note(f"{name_of(last)} of type {last.type} breaks it: {violation.reason}", last)


class _Kernels:
    """The kernel of each variant in each symbol scope, existing or to be made."""

    def __init__(self):
        self._existing: dict[tuple[Operation, str], FuncOp] = {}
        self._free: set[tuple[Operation, str]] = set()
        """The names that nothing has: to look for one again would read the whole scope again."""

    def check(self, op: ChipCollectiveOp, kernel: BuiltinKernel) -> None:
        """Refuses a kernel name that something else has."""
        scope = symbol_scope(op)
        assert scope is not None
        payload = element_of(op.target)
        name = kernel.name(payload)
        if (scope, name) in self._existing or (scope, name) in self._free:
            return
        existing = lookup_in(scope, name)
        if existing is None:
            self._free.add((scope, name))
            return
        if isinstance(existing, FuncOp) and _is_kernel(existing, kernel, payload):
            self._existing[scope, name] = existing
            return
        if isinstance(existing, FuncOp) and trailing_contexts(existing) > 0:
            raise _Refusal(
                f"@{name} already has its contexts: the module has passed "
                "materialize-dist-tensor-ctx, and lower-l2-tensor-collectives runs before it",
                Note("the kernel with contexts", existing),
            )
        raise _Refusal(
            f"@{name} is already the name of another function, and the kernel of this collective "
            "needs it",
            Note("the other function; give it another name", existing),
        )

    def ensure(self, op: ChipCollectiveOp, kernel: BuiltinKernel, rewriter: Rewriter) -> None:
        """Makes the kernel that `op` calls unless it is there."""
        scope = symbol_scope(op)
        assert scope is not None
        payload = element_of(op.target)
        key = (scope, kernel.name(payload))
        if key in self._existing:
            return
        function = kernel.function(payload)
        function.location = op.location
        for nested in function.walk():
            nested.location = op.location
        for argument in function.args:
            argument.location = op.location
        rewriter.insert_op(function, InsertPoint.at_end(scope.regions[0].block))
        self._existing[key] = function


def _is_kernel(function: FuncOp, kernel: BuiltinKernel, payload: Attribute) -> bool:
    return function.is_structurally_equivalent(kernel.function(payload))


# The pass


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
        contiguity = Contiguity(Lineage())
        kernels = _Kernels()
        lowerings: list[_Lowering] = []
        findings: list[Finding] = []
        for function in functions(module):
            for collective in _collectives(function):
                try:
                    lowerings.append(_decide(collective, function, contiguity, kernels))
                except _Refusal as refusal:
                    findings.append(Finding(collective, refusal.message, refusal.notes))
        if findings:
            raise FindingsError(findings)
        rewriter = Rewriter()
        for lowering in lowerings:
            kernels.ensure(lowering.collective, lowering.kernel, rewriter)
            _rewrite(lowering, rewriter)


def _collectives(function: FuncOp) -> Sequence[Operation]:
    """The managed collectives that must not stay: those of orchestrations but the host's."""
    orchestrates = is_chip_orchestration(function) or role(function) is Role.ORCHESTRATOR
    if not orchestrates or is_host_orchestrator(function):
        return ()
    return [
        op
        for op in function.body.walk()
        if op.has_trait(ManagedCollective, value_if_unregistered=False)
    ]


def _decide(
    op: Operation, function: FuncOp, contiguity: Contiguity, kernels: _Kernels
) -> _Lowering:
    if not isinstance(op, ChipCollectiveOp) or not is_chip_orchestration(function):
        elsewhere = (
            "write it in a chip orchestration"
            if isinstance(op, ChipCollectiveOp)
            else "write it in a host body (the host rail) or in a kernel (lower-composite-ops)"
        )
        raise _Refusal(
            f"{op.name} has no chip-rail lowering (in '{function.sym_name.data}'): {elsewhere}"
        )
    kernel = _kernel_of(op)
    blocks = _launch_width(op)
    _check_element_type(op)
    _check_contiguous(op, contiguity)
    kernels.check(op, kernel)
    return _Lowering(op, kernel, blocks)


def _rewrite(lowering: _Lowering, rewriter: Rewriter) -> None:
    op = lowering.collective
    launch: list[Operation] = []
    if lowering.blocks > 1:
        width = arith.ConstantOp(IntegerAttr.from_index_int_value(lowering.blocks))
        width.result.name_hint = f"c{lowering.blocks}"
        launch.append(width)
    call = CallOp(
        lowering.kernel.name(element_of(op.target)),
        list(_operands(op).values()),
        [op.result.type],
        core_num=launch[0] if launch else None,
        sync_start=bool(launch),
    )
    for new in (*launch, call):
        new.location = op.location
    call.results[0].name_hint = op.result.name_hint
    rewriter.replace_op(op, [*launch, call], [call.results[0]])
