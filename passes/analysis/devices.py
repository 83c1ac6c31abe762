"""
The devices that a dispatch goes to, and sets of devices.

Known forms of a device: a constant, the induction variable of a loop over a constant range, or of
one from 0 to world_size by 1 (all devices). Source: neighbours, materialize-comm-domain-scopes.
"""

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.ir import Block, SSAValue

from xdsl_pld.dialects.pld.system import WorldSizeOp
from xdsl_pld.passes.analysis.constants import folded_int

MOST_DEVICES = 64
"""As many as a context has windows for (runtime-abi, CommContext)."""

KNOWN_FORMS = (
    "a device is a constant, or the induction variable of an scf.for over a constant range or from "
    "0 to pld.system.world_size by 1"
)


@dataclass(frozen=True)
class DeviceSet:
    """Some devices, or all, however many there are."""

    listed: tuple[int, ...] | None
    """In ascending order; None for all."""

    def __or__(self, other: "DeviceSet") -> "DeviceSet":
        if self.listed is None or other.listed is None:
            return ALL_DEVICES
        return DeviceSet(tuple(sorted({*self.listed, *other.listed})))

    def __le__(self, other: "DeviceSet") -> bool:
        """Whether all of these are provably among the others."""
        if other.listed is None:
            return True
        return self.listed is not None and set(self.listed) <= set(other.listed)

    def __str__(self) -> str:
        if self.listed is None:
            return "all devices"
        noun = "device" if len(self.listed) == 1 else "devices"
        return f"{noun} {', '.join(map(str, self.listed))}" if self.listed else "no device"


ALL_DEVICES = DeviceSet(None)
NO_DEVICES = DeviceSet(())


def devices_of(device: SSAValue) -> DeviceSet | None:
    """The devices that the device operand of a dispatch may be, None where the form is unknown."""
    constant = folded_int(device)
    if constant is not None:
        return DeviceSet((constant,)) if constant >= 0 else None
    loop = device_loop(device)
    if loop is None:
        return None
    first, last, step = map(folded_int, (loop.lb, loop.ub, loop.step))
    if first is None or step is None or first < 0 or step < 1:
        return None
    if last is None:
        whole = isinstance(loop.ub.owner, WorldSizeOp) and (first, step) == (0, 1)
        return ALL_DEVICES if whole else None
    devices = range(first, last, step)
    return DeviceSet(tuple(devices)) if len(devices) <= MOST_DEVICES else None


def device_loop(device: SSAValue) -> scf.ForOp | None:
    """The loop whose induction variable `device` is."""
    if not isinstance(device.owner, Block):
        return None
    loop = device.owner.parent_op()
    return loop if isinstance(loop, scf.ForOp) and device is loop.body.block.args[0] else None
