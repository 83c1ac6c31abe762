"""
Put each window buffer of a host body into the communication domain of the devices that need it.

The ranks of a domain are its devices, and all collectives and addresses between ranks are about
those: a buffer needs a domain before anything can be emitted for it.

Reads   the window buffers of host bodies, their windows, and the dispatches that consume them.
Decides each buffer's devices (`analysis/host_windows`), and which buffers form a domain: those of
        equal devices, in source order. All is decided, and every finding collected, before the IR
        changes.
Changes the host body: all of it but the return moves into nested `pld.comm_domain`s, the outermost
        first, `comm_d0`, `comm_d1`, ...; what the return needs is yielded out.

A buffer that is a slot of a domain around it stays as it is, so a second run changes nothing. One
that is no slot, but stands in a domain of just its devices, becomes a slot of that one: a signal
that was made after the domains belongs where its data is.

Source: neighbours, materialize-comm-domain-scopes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.pld.windows import CommDomainOp, YieldOp
from xdsl_pld.passes.analysis.devices import KNOWN_FORMS, MOST_DEVICES, DeviceSet
from xdsl_pld.passes.analysis.host_windows import (
    Buffer,
    HostBodies,
    HostWindows,
    devices_of_domain,
    domain_of,
)
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property


class _Domain(NamedTuple):
    """A domain to be made."""

    name: str
    devices: DeviceSet
    slots: Sequence[str]


# Deciding


def _findings(host: HostWindows, buffers: Sequence[Buffer]) -> Iterator[Finding]:
    """What keeps buffers from having a domain."""
    for dispatch in host.dispatches:
        if dispatch.devices is None:
            yield Finding(
                dispatch.op,
                f"the devices of this dispatch are not known: {name_of(dispatch.device)} is of "
                "another form",
                (
                    Note("the device comes from here", dispatch.device),
                    Note(f"{KNOWN_FORMS}; there are at most {MOST_DEVICES}"),
                ),
            )
    for op in buffers:
        name = op.buffer_name.data
        if op.buffer.first_use is None or not host.windows_of(op):
            advice = Note("lay a pld.tensor.window over it, or remove it")
            yield Finding(op, f'window buffer "{name}" has no window', (advice,))
        elif op not in host.devices and op not in host.uncertain:
            windows = [Note("one of its windows", window) for window in host.windows_of(op)[:1]]
            advice = Note(
                "the devices of a buffer are those of the dispatches (pl.call ... device) that get "
                "its windows; a host collective's signal and receive counts are where its data is"
            )
            message = f'window buffer "{name}" is consumed by no dispatch'
            yield Finding(op, message, (*windows, advice))


def _domain_around(host: HostWindows, buffer: Buffer) -> CommDomainOp | None:
    """The innermost domain around a buffer that has the buffer's devices."""
    around = buffer.parent_op()
    while around is not None:
        if isinstance(around, CommDomainOp) and devices_of_domain(around) == host.devices[buffer]:
            return around
        around = around.parent_op()
    return None


def _domains(host: HostWindows, buffers: Sequence[Buffer]) -> Sequence[_Domain]:
    """The domains of buffers, in source order."""
    slots: dict[DeviceSet, list[str]] = {}
    for buffer in buffers:
        slots.setdefault(host.devices[buffer], []).append(buffer.buffer_name.data)
    taken = {
        op.domain_name.data for op in host.function.body.walk() if isinstance(op, CommDomainOp)
    }
    names = (name for i in range(len(taken) + len(slots)) if (name := f"comm_d{i}") not in taken)
    return [
        _Domain(name, devices, names_)
        for name, (devices, names_) in zip(names, slots.items(), strict=False)
    ]


# Rewriting


def _wrap(host: HostWindows, domains: Sequence[_Domain]) -> None:
    """Moves the body into the domains."""
    rewriter = Rewriter()
    body = host.function.body.block
    end = body.last_op
    assert end is not None
    inner = Block()
    for op in list(body.ops):
        if op is not end:
            op.detach()
            rewriter.insert_op(op, InsertPoint.at_end(inner))
    needed = list(dict.fromkeys(v for v in end.operands if v.owner is not body))
    hints = [value.name_hint for value in needed]
    values: Sequence[SSAValue] = needed
    outermost: CommDomainOp | None = None
    for domain in reversed(domains):
        if outermost is not None:
            inner = Block()
            rewriter.insert_op(outermost, InsertPoint.at_end(inner))
        if values:
            end_of_domain = YieldOp(*values)
            end_of_domain.location = end.location
            rewriter.insert_op(end_of_domain, InsertPoint.at_end(inner))
        outermost = CommDomainOp(
            domain.name,
            domain.slots,
            Region(inner),
            domain.devices.listed,
            [value.type for value in values],
        )
        outermost.location = host.function.location
        for result, hint in zip(outermost.results, hints, strict=True):
            result.name_hint = hint
        values = outermost.results
    assert outermost is not None
    rewriter.insert_op(outermost, InsertPoint.before(end))
    replaced: Mapping[SSAValue, SSAValue] = dict(zip(needed, values, strict=True))
    end.operands = [replaced.get(value, value) for value in end.operands]


@dataclass(frozen=True)
class MaterializeCommDomainScopesPass(PldPass):
    """
    Wraps host bodies in the communication domains of their windows.

    Before: %b = pld.tensor.alloc_window_buffer %n {name = "data"} ...     func.return
    After:  pld.comm_domain attributes {name = "comm_d0", slots = ["data"]} {
              %b = pld.tensor.alloc_window_buffer %n {name = "data"} ...
            }
            func.return
    """

    name = "materialize-comm-domain-scopes"

    produces: ClassVar[tuple[Property, ...]] = (Property.COMM_DOMAIN_SCOPES_MATERIALIZED,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        findings: list[Finding] = []
        todo: list[tuple[HostWindows, Sequence[Buffer]]] = []
        for host in HostBodies(module, Roots(Lineage())).all:
            buffers = [buffer for buffer in host.buffers if domain_of(buffer) is None]
            if not buffers:
                continue
            todo.append((host, buffers))
            findings += _findings(host, buffers)
            if len(host.function.body.blocks) > 1:
                message = (
                    f"'{host.function.sym_name.data}' branches between blocks: its windows cannot "
                    "be put into a domain"
                )
                advice = Note("write scf.for, scf.while and scf.if instead of branches")
                findings.append(Finding(host.function, message, (advice,)))
        if findings:
            raise FindingsError(findings)
        for host, buffers in todo:
            around = {buffer: _domain_around(host, buffer) for buffer in buffers}
            domains = _domains(host, [b for b, domain in around.items() if domain is None])
            for buffer, domain in around.items():
                if domain is not None:
                    domain.slots = ArrayAttr([*domain.slots, buffer.buffer_name])
            if domains:
                _wrap(host, domains)
