"""
The engine of one rank: windows of MPI, and the shipped kernels on them.

It is the simulator's engine with the launches of one rank and another transport: the same kernel
text, compiled to the same library, calls the same functions, and the session hands copies, signals
and looks at cells to MPI (pld_sim/mpi_transport.cpp). What pipelines and InCore kernels do to
peers' windows goes there, too. Window bounds are checked as in the simulator; the order of accesses
is not, since no process sees those of all.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.passes.lower_host_tensor_collectives import AIV_CORES
from xdsl_pld.tools.interpreter.exchange import Exchange, Launch, Visit
from xdsl_pld.tools.interpreter.memory import Array, Domain, address
from xdsl_pld.tools.interpreter.sim_engine import SimulatedEngine, shipped_kernel
from xdsl_pld.tools.mpi.ending import JobEnds
from xdsl_pld.tools.mpi.windows import Transport, Windows
from xdsl_pld.tools.sim import abi
from xdsl_pld.tools.sim.engine import Engine as Simulator
from xdsl_pld.tools.sim.engine import Session

if TYPE_CHECKING:
    from xdsl_pld.tools.mpi.machine import MpiMachine

_DEVICE_BIT = 48
"""A peer's address is ours plus its device + 1 from this bit on (pld_sim/mpi_transport.cpp)."""


class MpiSession(Session):
    """A session of which one rank is here; ranks are devices."""

    def __init__(
        self,
        simulator: Simulator,
        devices: int,
        here: int,
        transport: Transport,
        *,
        max_blocks: int,
        wait_limit: float,
        keep_spans: bool = False,
    ):
        super().__init__(
            simulator,
            devices,
            window_bytes=1,  # windows are MPI's
            max_blocks=max_blocks,
            wait_limit=wait_limit,
            check_order=False,
            keep_spans=keep_spans,
            transport=transport.handle,
        )
        self._here = here
        self._lowest = 1 << _DEVICE_BIT

    def adopt(
        self, name: str, array: Array, devices: Sequence[int], *, credits: bool = False
    ) -> None:
        """Makes memory of a window known: `array` is this rank's."""
        self._lowest = min(self._lowest, address(array))
        for device in devices:
            there = address(array) + self._distance(device)
            # What lies outside of all buffers is told as an address in the rank's window.
            self.place_window(device, self._lowest + self._distance(device), 1 << _DEVICE_BIT - 1)
            self.add_memory(name, device, array, there, credits=credits)

    def _distance(self, device: int) -> int:
        return 0 if device == self._here else (device + 1) << _DEVICE_BIT

    def _new_context(self, domain: tuple[int, ...], rank: int) -> abi.CommContext:
        context = abi.CommContext(rank=rank, ranks=len(domain), window_bytes=1 << _DEVICE_BIT)
        for i, member in enumerate(domain):
            context.windows_in[i] = context.windows_out[i] = self._distance(member)
        return context

    def mark_credits(
        self, name: str, arrays: Sequence[Array], ranks: Sequence[int] | None = None
    ) -> None:
        """Of a signal's arrays only this rank's is looked at."""
        members = list(range(self.ranks) if ranks is None else ranks)
        own = arrays[members.index(self._here)]
        self.watch_credits(address(arrays[0]), name, [own], [self._here])
        self.adopt(name, own, members, credits=True)


class MpiEngine(SimulatedEngine):
    """Executes this rank's part of exchanges; allocates windows together with the other ranks."""

    def __init__(self, windows: Windows, transport: Transport, target: str, wait_limit: float):
        super().__init__(target, wait_limit)
        self.machine: MpiMachine | None = None
        """Whom to ask the other ranks through; set before a run."""
        self._windows = windows
        self._transport = transport

    @property
    def _asked(self) -> "MpiMachine":
        assert self.machine is not None
        return self.machine

    def open(self, ranks: int, timeline: bool) -> None:
        try:
            self._session = MpiSession(
                self._simulator,
                ranks,
                self._asked.rank,
                self._transport,
                max_blocks=AIV_CORES[self._target],
                wait_limit=self._wait_limit,
                keep_spans=timeline,
            )
        except ValueError as error:
            raise InterpretationError(str(error)) from error

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> Sequence[Array]:
        machine, windows = self._asked, self._windows
        self._domains[name] = domain
        if machine.rank not in domain.devices:
            return windows.reserve(domain, size)
        number = len(windows.made)
        machine.all_come(domain, ("make window", number), f"allocate window '{name}'")
        memory = windows.allocate(name, domain, size, fill)
        # Nobody writes into it before it is filled.
        machine.all_come(domain, ("made window", number), f"have window '{name}'")
        assert memory.me is not None
        session = self.session
        assert isinstance(session, MpiSession)
        session.adopt(name, memory[memory.me], domain.devices)
        return memory

    # Exchanges.

    def prepare(self, visit: Visit) -> None:
        """Compiles the kernel of an exchange, if it has one."""
        kernel = shipped_kernel(visit)
        if kernel is not None:
            self._entry(visit, kernel)

    def start(self, visit: Visit) -> Launch | None:
        """Executes this rank's part: while it does nobody else here calls MPI."""
        kernel = shipped_kernel(visit)
        if kernel is None:
            return None
        launch = self._launch(visit, kernel)
        self.session.wait_for(visit.device)
        if self.session.found() == 0 and self._transport.abandoned():
            raise JobEnds([(str(self._named(each)), visit.op) for each in self.session.waiters()])
        return launch

    def run(self, exchange: Exchange) -> None:
        """By the reference statements; the operands of the other ranks are copies."""
        self._reference.run(exchange)

    # What pipelines and kernels do to windows by themselves.

    def accessed(self, device: int, array: Array, *, write: bool) -> None:
        pass

    def awaited(self, device: int, cell: Array) -> None:
        pass

    def ordered(self, before: int | None, after: int | None) -> None:
        pass

    def notify(self, device: int, cell: Array, value: int, *, add: bool) -> None:
        memory, rank = self._windows.of(cell)
        memory.notify(rank, cell, value, add=add)

    def read(self, part: Array) -> Array:
        memory, rank = self._windows.of(part)
        return memory.read(rank, part)

    def write(self, part: Array, payload: Array) -> None:
        memory, rank = self._windows.of(part)
        memory.write(rank, part, payload)

    def add(self, part: Array, payload: Array) -> None:
        memory, rank = self._windows.of(part)
        memory.add(rank, part, payload)
