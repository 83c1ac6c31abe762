"""
The windows of a host body: their buffers, who consumes them, and on which devices.

Reads   the window ops, dispatches and collectives of one host body; lineage for what reaches them.
Decides for each window buffer the devices that need it: the union over the dispatches that get one
        of its windows. What a host collective needs for its protocol, the signal and the receive
        counts, is needed where its data is; a barrier, which has no data, meets where the signal
        is dispatched, or else on all devices.
Changes nothing; each is computed once.

Source: neighbours, materialize-comm-domain-scopes.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.pl.attributes import is_host_orchestrator
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp, CommDomainOp, WindowOp
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.devices import ALL_DEVICES, NO_DEVICES, DeviceSet, devices_of
from xdsl_pld.passes.analysis.flow import sources_of
from xdsl_pld.passes.analysis.roots import Roots

Buffer: TypeAlias = AllocWindowBufferOp


class Dispatch(NamedTuple):
    """A dispatch of a chip pipeline, or of a builtin one, and the devices it goes to."""

    op: CallOp | BuiltinDispatchOp
    devices: DeviceSet | None
    """None where the form of the device is unknown."""

    @property
    def device(self) -> SSAValue:
        assert self.op.device is not None
        return self.op.device


class HostWindows:
    """The windows of one host body."""

    def __init__(self, function: FuncOp, roots: Roots):
        self.function = function
        self._roots = roots
        self.buffers: list[Buffer] = []
        self.dispatches: list[Dispatch] = []
        self.collectives: list[Operation] = []
        self._windows: dict[Buffer, list[WindowOp]] = {}
        for op in function.body.walk():
            if isinstance(op, AllocWindowBufferOp):
                self.buffers.append(op)
            elif isinstance(op, WindowOp):
                for buffer in _buffers_behind(op):
                    self._windows.setdefault(buffer, []).append(op)
            elif isinstance(op, CallOp | BuiltinDispatchOp):
                if op.device is not None:
                    self.dispatches.append(Dispatch(op, devices_of(op.device)))
            elif op.has_trait(ManagedCollective, value_if_unregistered=False):
                self.collectives.append(op)

    def windows_of(self, buffer: Buffer) -> Sequence[WindowOp]:
        """The windows that are laid over a buffer."""
        return self._windows.get(buffer, ())

    def roots(self, value: SSAValue) -> AbstractSet[SSAValue]:
        """All memory that a value of the body may denote."""
        return self._roots.of(self.function, value)

    def buffers_of(self, value: SSAValue) -> Sequence[Buffer]:
        """The buffers in which a value may lie; empty where it may lie elsewhere."""
        found: dict[Buffer, None] = {}
        for root in self.roots(value):
            if not isinstance(root.owner, WindowOp):
                return ()
            found |= dict.fromkeys(_buffers_behind(root.owner))
        return list(found)

    @cached_property
    def devices(self) -> Mapping[Buffer, DeviceSet]:
        """
        The devices that need each buffer, as far as known; one that nobody needs has no entry.
        """
        found: dict[Buffer, DeviceSet] = {}
        for dispatch in self.dispatches:
            for argument in dispatch.op.arguments:
                if dispatch.devices is not None and dispatch.devices != NO_DEVICES:
                    self._need(found, argument, dispatch.devices)
        for op in self.collectives:
            trait = op.get_trait(ManagedCollective)
            assert trait is not None
            operands = trait.operands(op)
            data = [value for role, value in operands.items() if role not in trait.protocol]
            needed = self._known(found, data or list(operands.values()))
            if needed is None and not data:
                needed = ALL_DEVICES
            for role, value in operands.items():
                if role in trait.protocol and needed is not None:
                    self._need(found, value, needed)
        return found

    @cached_property
    def uncertain(self) -> AbstractSet[Buffer]:
        """The buffers that may be needed on other devices, too: the form of a device is unknown."""
        return {
            buffer
            for dispatch in self.dispatches
            if dispatch.devices is None
            for argument in dispatch.op.arguments
            for buffer in self.buffers_of(argument)
        }

    def _need(self, found: dict[Buffer, DeviceSet], value: SSAValue, devices: DeviceSet) -> None:
        for buffer in self.buffers_of(value):
            found[buffer] = found.get(buffer, NO_DEVICES) | devices

    def _known(
        self, found: Mapping[Buffer, DeviceSet], values: Iterable[SSAValue]
    ) -> DeviceSet | None:
        """The devices that need any of the values; all of its domain where a buffer has one."""
        known: DeviceSet | None = None
        for value in values:
            for buffer in self.buffers_of(value):
                domain = domain_of(buffer)
                devices = found.get(buffer) if domain is None else devices_of_domain(domain)
                if devices is not None:
                    known = devices if known is None else known | devices
        return known

    def domain_devices(self, buffer: Buffer) -> DeviceSet | None:
        """The devices of a buffer's domain, as it is or as it will be; None where unknown."""
        domain = domain_of(buffer)
        if domain is not None:
            return devices_of_domain(domain)
        return None if buffer in self.uncertain else self.devices.get(buffer)


class HostBodies:
    """The windows of all host bodies of a module."""

    def __init__(self, module: ModuleOp, roots: Roots):
        self.all = [
            HostWindows(function, roots)
            for function in functions(module)
            if is_host_orchestrator(function) and not function.is_declaration
        ]


def domain_of(buffer: Buffer) -> CommDomainOp | None:
    """The domain around a buffer that has it as a slot."""
    name = buffer.buffer_name
    around = buffer.parent_op()
    while around is not None:
        if isinstance(around, CommDomainOp) and name in around.slots:
            return around
        around = around.parent_op()
    return None


def devices_of_domain(domain: CommDomainOp) -> DeviceSet:
    """The devices that a domain lists, or all."""
    if domain.devices is None:
        return ALL_DEVICES
    return DeviceSet(tuple(sorted(int(device) for device in domain.devices.get_values())))


def _buffers_behind(window: WindowOp) -> Iterable[Buffer]:
    for source in sources_of(window.buffer):
        if isinstance(source.owner, AllocWindowBufferOp):
            yield source.owner
