"""
The domains of window buffers that no `pld.comm_domain` has as a slot yet.

Reads   the host body, by the analysis that `materialize-comm-domain-scopes` decides by.
Decides for each buffer the devices that it will have there; all of them where that pass would not
        know. So a program runs before that pass as it does after it.
"""

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp
from xdsl_pld.passes.analysis.devices import ALL_DEVICES, NO_DEVICES, DeviceSet
from xdsl_pld.passes.analysis.host_windows import HostWindows
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.tools.interpreter.memory import Domain


class BufferDevices:
    """The devices of the window buffers of functions."""

    def __init__(self) -> None:
        self._roots = Roots(Lineage())
        self._windows: dict[FuncOp, HostWindows] = {}

    def of(self, buffer: AllocWindowBufferOp) -> DeviceSet:
        """The devices of a buffer's domain, as it is or as it will be."""
        devices = self._windows_around(buffer).domain_devices(buffer)
        return ALL_DEVICES if devices in (None, NO_DEVICES) else devices

    def are_parts(self, host: FuncOp) -> bool:
        """Whether a body has windows on some of the ranks only: not all on the same, from 0 on."""
        listed = {self.of(buffer).listed for buffer in self._windows_around(host).buffers}
        return any(d is not None and (len(listed) > 1 or d != (*range(len(d)),)) for d in listed)

    def needed(self, host: FuncOp) -> int:
        """How many devices there must be for those that the buffers of a body have by number."""
        listed = [self.of(buffer).listed or () for buffer in self._windows_around(host).buffers]
        return max((device + 1 for devices in listed for device in devices), default=0)

    def _windows_around(self, op: Operation) -> HostWindows:
        function: Operation | None = op
        while not isinstance(function, FuncOp):
            assert function is not None
            function = function.parent_op()
        if function not in self._windows:
            self._windows[function] = HostWindows(function, self._roots)
        return self._windows[function]


class Domains:
    """The domains of a world's buffers; those of the same devices share one."""

    def __init__(self, world: Domain):
        self._world = world
        self._devices = BufferDevices()
        self._made: dict[tuple[int, ...], Domain] = {}

    def of(self, buffer: AllocWindowBufferOp) -> Domain:
        """The domain of a buffer that is no slot of a scope around it."""
        listed = self._devices.of(buffer).listed
        if listed is None or not set(listed) < set(self._world.devices):
            return self._world
        noun = "device" if len(listed) == 1 else "devices"
        domain = Domain(f"{noun} {', '.join(map(str, listed))}", listed)
        return self._made.setdefault(listed, domain)
