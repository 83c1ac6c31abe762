"""
Check what a collective demands of the windows that the host allocates for it.

A chip pipeline gets its windows as parameters. Whether two of them are one allocation, lie in two
domains, or are made for another number of ranks, its own text cannot say; on the card the ranks
then overwrite each other or wait for ever. Where the host body is in the module, this pass follows
each operand there.

Reads   the collectives that each dispatched pipeline reaches, through any number of calls, at any
        stage of lowering; the windows that the dispatch passes, their buffers and devices.
Decides for each dispatch and collective, in this order, whether
        * two operands lie in one window buffer,
        * operands belong to different communication domains,
        * the number of ranks that the signal states is that of the domain,
        * all devices of the domain come to a collective on its signal.
Changes nothing. Without a host body, or where the windows come from elsewhere, it says nothing; a
        value that may be one of several windows is refused only where it must be wrong.

Source: issue 6; l2-collectives, Not this pass's business; runtime-abi, Host.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.passes.analysis.calls import callee_of
from xdsl_pld.passes.analysis.devices import NO_DEVICES, DeviceSet
from xdsl_pld.passes.analysis.host_windows import (
    Buffer,
    Dispatch,
    HostBodies,
    HostWindows,
    domain_of,
)
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.reached_collectives import Reached, ReachedCollectives
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note


@dataclass(frozen=True)
class _Use:
    """A collective that a dispatch leads to, with the buffers behind its operands."""

    host: HostWindows
    dispatch: Dispatch
    reached: Reached
    buffers: Mapping[str, Sequence[Buffer]]
    """By role; empty where it is not known to be a window."""

    def finding(self, message: str, *notes: Note) -> Finding:
        """A finding at the collective, with the way from the host to it."""
        names = [self.host.function.sym_name.data]
        way = [Note(f"dispatched here, in '{names[0]}'", self.dispatch.op)]
        for function, op in self.reached.path():
            names.append(function.sym_name.data)
            if op is not self.reached.site.op:
                way.append(Note(f"called here, in '{function.sym_name.data}'", op))
        path = " -> ".join([*names, self.reached.site.operator])
        return Finding(self.reached.site.op, f"{message} (by {path})", (*notes, *way))


def _uses(host: HostWindows, collectives: ReachedCollectives) -> Iterator[_Use]:
    for dispatch in host.dispatches:
        callee = callee_of(dispatch.op) if isinstance(dispatch.op, CallOp) else None
        if callee is None:
            continue
        arguments = dispatch.op.arguments
        for reached in collectives.of(callee):
            buffers: dict[str, Sequence[Buffer]] = {}
            for role, parameters in reached.parameters.items():
                passed = [host.buffers_of(arguments[p]) for p in sorted(parameters)]
                known = bool(passed) and all(passed)
                buffers[role] = [b for each in passed for b in each] if known else ()
            yield _Use(host, dispatch, reached, buffers)


# The rules


def _sharing(use: _Use) -> Finding | None:
    for (first, ours), (second, theirs) in combinations(use.buffers.items(), 2):
        # What may be one of several is wrong for sure only if the other can be nothing else.
        if len(ours) != 1 and len(theirs) != 1:
            continue
        shared = next((buffer for buffer in ours if buffer in theirs), None)
        if shared is not None:
            return use.finding(
                f'{first} and {second} share one window buffer, "{shared.buffer_name.data}"',
                Note("the buffer", shared),
                Note("allocate a window buffer for each operand of a collective"),
            )
    return None


def _domain_key(host: HostWindows, buffer: Buffer) -> object | None:
    """What two buffers of one domain have in common."""
    return domain_of(buffer) or host.domain_devices(buffer)


def _domains(use: _Use) -> Finding | None:
    known = [
        (role, buffers, {_domain_key(use.host, buffer) for buffer in buffers})
        for role, buffers in use.buffers.items()
        if buffers
    ]
    for (first, ours, left), (second, theirs, right) in combinations(known, 2):
        if None in left or None in right or left & right:
            continue
        return use.finding(
            f"{first} and {second} belong to different communication domains: "
            f'"{ours[0].buffer_name.data}" is on {use.host.domain_devices(ours[0])}, '
            f'"{theirs[0].buffer_name.data}" on {use.host.domain_devices(theirs[0])}',
            Note(f"the buffer of {first}", ours[0]),
            Note(f"the buffer of {second}", theirs[0]),
            Note("a domain is made of the buffers that are dispatched to the same devices"),
        )
    return None


def _ranks(use: _Use) -> Finding | None:
    stated = use.reached.site.stated_ranks
    for buffer in use.buffers.get("signal", ()):
        devices = use.host.domain_devices(buffer)
        if stated is None or devices is None or devices.listed is None:
            continue
        if len(devices.listed) != stated:
            return use.finding(
                f"the collective is of {stated} ranks, as its signal states, but its domain has "
                f"{devices}",
                Note("the buffer of signal", buffer),
            )
    return None


_RULES = (_sharing, _domains, _ranks)


@dataclass
class _Arrivals:
    """The devices that come to a collective on one signal."""

    first: _Use
    devices: DeviceSet = NO_DEVICES
    known: bool = True
    sound: bool = field(default=True)
    """Whether nothing else is wrong with it."""


def _missing(buffer: Buffer, arrivals: _Arrivals) -> Finding | None:
    """Devices of the domain that never come."""
    wanted = arrivals.first.host.domain_devices(buffer)
    if not arrivals.known or wanted is None or wanted <= arrivals.devices:
        return None
    assert arrivals.devices.listed is not None
    stated = arrivals.first.reached.site.stated_ranks
    if wanted.listed is None and (stated is None or stated <= len(arrivals.devices.listed)):
        return None  # there may be no further device
    return arrivals.first.finding(
        f'only {arrivals.devices} come to the collective on signal "{buffer.buffer_name.data}", '
        f"but its domain has {wanted}: they would wait for the others for ever",
        Note("the buffer of signal", buffer),
        Note("dispatch a pipeline with this collective to each device of the domain"),
    )


def _check(host: HostWindows, collectives: ReachedCollectives) -> Iterator[Finding]:
    arrivals: dict[Buffer, _Arrivals] = {}
    reported: set[tuple[Operation, str]] = set()
    for use in _uses(host, collectives):
        finding = next((found for rule in _RULES if (found := rule(use)) is not None), None)
        for buffer in use.buffers.get("signal", ()):
            at = arrivals.setdefault(buffer, _Arrivals(use))
            at.sound = at.sound and finding is None
            if use.dispatch.devices is None:
                at.known = False
            else:
                at.devices |= use.dispatch.devices
        if finding is not None and (use.reached.site.op, finding.message) not in reported:
            reported.add((use.reached.site.op, finding.message))
            yield finding
    for buffer, at in arrivals.items():
        if at.sound and (finding := _missing(buffer, at)) is not None:
            yield finding


@dataclass(frozen=True)
class CheckCollectiveOperandsPass(PldPass):
    """Checks the operands of chip collectives against the host's windows; changes nothing."""

    name = "check-collective-operands"

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        roots = Roots(Lineage())
        hosts = HostBodies(module, roots).all
        if not hosts:
            return
        collectives = ReachedCollectives(module, roots)
        findings = [finding for host in hosts for finding in _check(host, collectives)]
        if findings:
            raise FindingsError(findings)
