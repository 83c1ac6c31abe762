"""
The host rail: a collective in a host body becomes one dispatch of a builtin pipeline per device.

Reads   the collectives of host bodies, the windows behind their operands and the domains of those
        windows.
Decides per collective, in the order of the reference, whether it can be lowered, and the devices it
        is dispatched to. All is decided, and every finding collected, before the IR changes.
Changes each collective, in place, into `pld.builtin.<op>`: one for each listed device of its
        domain, or a loop over world_size. Its result becomes the operand that it returns.

Needs `comm-domain-scopes-materialized`. The launch width stays as it was asked for: the emitted
entry computes the admitted blocks from it, by the formula of the chip rail, and checks a width that
is known at run time only. Leaves no managed collective in a host body.

Source: neighbours, lower-host-tensor-collectives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, ModuleOp, f32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.pld.builtin import BUILTIN_DISPATCHES, BuiltinDispatchOp
from xdsl_pld.dialects.pld.collectives import (
    AllReduceOp,
    AllToAllVOp,
    BroadcastOp,
    ManagedCollective,
    ranks_of_signal,
)
from xdsl_pld.dialects.pld.system import WorldSizeOp
from xdsl_pld.dialects.pld.windows import CommDomainOp
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.dialects.values import element_of, shape_of, shown
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.analysis.devices import DeviceSet
from xdsl_pld.passes.analysis.host_windows import (
    Buffer,
    HostBodies,
    HostWindows,
    devices_of_domain,
    domain_of,
)
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property

AIV_CORES: Mapping[str, int] = {"910b": 48, "950": 36}
"""The vector cores of a card (runtime-abi, Orchestration)."""

RING_DEVICES = 16
"""The most devices of a ring allreduce."""

_DISPATCHES: Mapping[type[Operation], type[BuiltinDispatchOp]] = {
    dispatch.COLLECTIVE: dispatch for dispatch in BUILTIN_DISPATCHES
}
"""What each collective of the host rail becomes."""


class _Lowering(NamedTuple):
    collective: Operation
    devices: DeviceSet


class _Refusal(Exception):
    """The first rule that a collective breaks."""

    def __init__(self, message: str, *notes: Note):
        self.message = message
        self.notes = notes


# Deciding


def _windows(op: Operation, host: HostWindows) -> Mapping[str, Sequence[Buffer]]:
    """The buffers behind each operand, by role."""
    trait = op.get_trait(ManagedCollective)
    assert trait is not None
    found: dict[str, Sequence[Buffer]] = {}
    for role in trait.roles:
        value = trait.operands(op).get(role)
        if value is None:
            raise _Refusal(
                f"{op.name} has no {role}",
                Note("run synthesize-allreduce-signals before lower-host-tensor-collectives"),
            )
        buffers = host.buffers_of(value)
        if not isinstance(value.type, DistributedTensorType) or not buffers:
            raise _Refusal(
                f"{role} {name_of(value)} must be a window on the host rail",
                Note(f"{role} comes from here", value),
                Note("lay a pld.tensor.window over a buffer and let the dispatches before fill it"),
            )
        found[role] = buffers
    return found


def _check_distinct(op: Operation, windows: Mapping[str, Sequence[Buffer]]) -> None:
    for (first, ours), (second, theirs) in combinations(windows.items(), 2):
        shared = next((buffer for buffer in ours if buffer in theirs), None)
        if shared is not None:
            raise _Refusal(
                f"{first} and {second} share one window buffer, "
                f'"{shared.buffer_name.data}": each operand needs one of its own',
                Note("the buffer", shared),
            )


def _domain(windows: Mapping[str, Sequence[Buffer]]) -> CommDomainOp:
    """The one domain of all operands."""
    first: tuple[str, CommDomainOp] | None = None
    for role, buffers in windows.items():
        for buffer in buffers:
            name = buffer.buffer_name.data
            domain = domain_of(buffer)
            if domain is None:
                raise _Refusal(
                    f'{role} lies in window buffer "{name}", which is a slot of no domain',
                    Note("run materialize-comm-domain-scopes before lower-host-tensor-collectives"),
                )
            if first is None:
                first = (role, domain)
            elif domain is not first[1]:
                ours, theirs = first[1], domain
                raise _Refusal(
                    f"{first[0]} and {role} belong to different communication domains, "
                    f'"{ours.domain_name.data}" with {devices_of_domain(ours)} and '
                    f'"{theirs.domain_name.data}" with {devices_of_domain(theirs)}',
                    Note("a domain is made of the buffers that are dispatched to the same devices"),
                )
    assert first is not None
    return first[1]


def _check_launch(op: Operation, ranks: int | None, cores: tuple[str, int] | None) -> None:
    """The launch width, against the signal and the card."""
    core_num: SSAValue | None = getattr(op, "core_num", None)
    limit = 1 if core_num is None else folded_int(core_num)
    if limit is None:
        return  # the emitted entry checks it
    if (message := out_of_range(limit)) is not None:
        raise _Refusal(message)
    if cores is not None and limit > cores[1]:
        raise _Refusal(f"core_num {limit} is more than the {cores[1]} AIV cores of {cores[0]}")
    if isinstance(op, AllReduceOp) and op.mode.data == "ring":
        return  # its signal has a column a rank
    blocks = limit
    if isinstance(op, AllToAllVOp) and ranks is not None:
        blocks = admitted_blocks(limit, ranks)
    extents = shape_of(_signal(op))
    columns = extents[1] if len(extents) > 1 else 1
    if columns != DYNAMIC_INDEX and columns < blocks:
        raise _Refusal(
            f"signal has {columns} columns, fewer than the {blocks} admitted blocks (core_num "
            f"{limit}, {'unknown' if ranks is None else ranks} ranks)",
            Note("each block has a signal column of its own: widen the window", _signal(op)),
        )


def _signal(op: Operation) -> SSAValue:
    return getattr(op, "signal")  # noqa: B009


def _check_ranks(op: Operation, devices: DeviceSet, domain: CommDomainOp) -> int | None:
    """The number of ranks, as far as devices or the signal tell; they must tell the same."""
    ring = isinstance(op, AllReduceOp) and op.mode.data == "ring"
    extents = shape_of(_signal(op))
    count = None if devices.listed is None else len(devices.listed)
    if isinstance(op, AllReduceOp) and ring:
        _check_ring(op, extents, count)
    stated = ranks_of_signal(extents, ring=ring)
    if count is not None and stated is not None and stated != count:
        raise _Refusal(
            f"signal {shown(extents)} states {stated} ranks, but its domain "
            f'"{domain.domain_name.data}" has {devices}',
            Note("a signal has a row for each rank of its domain", _signal(op)),
        )
    return stated if count is None else count


def _check_ring(op: AllReduceOp, extents: Sequence[int], count: int | None) -> None:
    element = element_of(op.target)
    if op.reduce_op.data != "sum" or element != f32:
        raise _Refusal(
            f"an allreduce of mode ring is a sum of f32, not {op.reduce_op.data} of {element}",
            Note('mode = "mesh" takes every op and element type'),
        )
    ranks = count
    if ranks is None and len(extents) == 2 and extents[1] != DYNAMIC_INDEX:
        ranks = extents[1]
    if ranks is None:
        raise _Refusal(
            f"the signal of a ring must state the ranks: [2*(ranks-1)+1, ranks], not "
            f"{shown(extents)}"
        )
    if ranks > RING_DEVICES:
        raise _Refusal(
            f"an allreduce of mode ring is for at most {RING_DEVICES} devices, not {ranks}"
        )
    wanted = (2 * (ranks - 1) + 1, ranks)
    if tuple(extents) != wanted:
        raise _Refusal(
            f"the signal of a ring of {ranks} ranks must be {shown(wanted)}, not {shown(extents)}",
            Note("the signal", _signal(op)),
        )


def _check_root(op: Operation, ranks: int | None) -> None:
    if isinstance(op, BroadcastOp) and ranks is not None and op.root_rank >= ranks:
        raise _Refusal(f"root {op.root_rank} is out of range: there are {ranks} ranks")


def _decide(op: Operation, host: HostWindows, cores: tuple[str, int] | None) -> _Lowering:
    if type(op) not in _DISPATCHES:
        raise _Refusal(
            f"{op.name} has no host-rail lowering (in '{host.function.sym_name.data}'): write it "
            "in a chip orchestration"
        )
    windows = _windows(op, host)
    _check_distinct(op, windows)
    domain = _domain(windows)
    devices = devices_of_domain(domain)
    ranks = _check_ranks(op, devices, domain)
    _check_launch(op, ranks, cores)
    _check_root(op, ranks)
    return _Lowering(op, devices)


# Rewriting


def _dispatch(op: Operation, device: SSAValue) -> BuiltinDispatchOp:
    trait = op.get_trait(ManagedCollective)
    assert trait is not None
    dispatch_type = _DISPATCHES[type(op)]
    own = dispatch_type.get_irdl_definition().properties
    segments = "operandSegmentSizes"
    shared = {n: v for n, v in op.properties.items() if n in own and n != segments}
    dispatch = dispatch_type(
        list(trait.operands(op).values()),
        device,
        getattr(op, "core_num", None),
        arg_directions=trait.directions,
        properties={**shared},
    )
    dispatch.location = op.location
    return dispatch


def _index(number: int, name: str, op: Operation) -> arith.ConstantOp:
    constant = arith.ConstantOp(IntegerAttr.from_index_int_value(number))
    constant.location = op.location
    constant.result.name_hint = name
    return constant


def _dispatches(lowering: _Lowering) -> list[Operation]:
    """One dispatch a device, with what it needs before it."""
    op = lowering.collective
    if lowering.devices.listed is not None:
        new: list[Operation] = []
        for device in lowering.devices.listed:
            constant = _index(device, f"device{device}", op)
            new += [constant, _dispatch(op, constant.result)]
        return new
    first, step = _index(0, "c0", op), _index(1, "c1", op)
    world = WorldSizeOp()
    world.location = op.location
    world.result.name_hint = "devices"
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = "r"
    block.args[0].location = op.location
    end = scf.YieldOp()
    end.location = op.location
    rewriter = Rewriter()
    for each in (_dispatch(op, block.args[0]), end):
        rewriter.insert_op(each, InsertPoint.at_end(block))
    loop = scf.ForOp(first.result, world.result, step.result, [], block)
    loop.location = op.location
    return [first, step, world, loop]


@dataclass(frozen=True)
class LowerHostTensorCollectivesPass(PldPass):
    """
    Lowers managed collectives in host bodies to dispatches of builtin pipelines.

    Before: %g = pld.tensor.barrier %sig : D<2x1xi32>
    After:  scf.for %r = %c0 to %devices step %c1 {
              pld.builtin.barrier %sig device(%r) {arg_directions = ["inout"]} : (D<2x1xi32>)
            }

    `target` is the card whose cores bound `core_num`; where none is given nothing is checked.
    """

    name = "lower-host-tensor-collectives"

    target: str | int | None = None
    """`950` is read as a number."""

    requires: ClassVar[tuple[Property, ...]] = (Property.COMM_DOMAIN_SCOPES_MATERIALIZED,)

    def __post_init__(self) -> None:
        if self.target is not None and str(self.target) not in AIV_CORES:
            known = " or ".join(AIV_CORES)
            raise ValueError(f"target must be {known}, not {self.target}")

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        card = None if self.target is None else str(self.target)
        cores = None if card is None else (card, AIV_CORES[card])
        lowerings: list[_Lowering] = []
        findings: list[Finding] = []
        for host in HostBodies(module, Roots(Lineage())).all:
            for op in host.collectives:
                try:
                    lowerings.append(_decide(op, host, cores))
                except _Refusal as refusal:
                    findings.append(Finding(op, refusal.message, refusal.notes))
        if findings:
            raise FindingsError(findings)
        rewriter = Rewriter()
        for lowering in lowerings:
            op = lowering.collective
            returned = alias_of(op.results[0])
            assert returned is not None
            rewriter.replace_op(op, _dispatches(lowering), [returned.source])
