"""
An `Engine` that runs the shipped kernels: rendered from their templates, compiled by the system's
compiler, P ranks x B blocks as threads (`tools.sim`).

One simulator session serves a whole run. A device's window memory is one stretch of addresses in
it, in which every window buffer of the program has its place, the same on all devices: kernels
address it directly, through contexts that give where each rank's stretch begins. So signals live
from one exchange to the next, a rank that is early credits peers that are still in the last
exchange, and what is not ordered is found across exchanges too.

Reads   the operands of a rank; the kernel's template and variables, from the function that was
        called or, where the collective is not lowered yet, from the element type.
Decides whether a card could launch as many blocks; collectives without a template are executed by
        the reference statements, between two meetings of all ranks.
Changes windows as the kernel does. Local tensors are lent as copies, with the descriptor of the
        view that they are, and written ones are copied back.

What pipelines and InCore kernels do to windows themselves is part of the order that is checked:
their accesses are complete when they are made. What is found is an error at the collective of the
rank that it is about; a signal that is not zero at the end, at the last collective that used it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.builtin_kernels import (
    BUILTIN_KERNELS,
    ELEMENT_VARIANTS,
    BuiltinKernel,
)
from xdsl_pld.dialects.pl.attributes import TEMPLATE_DIR, TEMPLATE_VARS, Direction
from xdsl_pld.passes.diagnostics import Finding, FindingsError
from xdsl_pld.passes.lower_host_tensor_collectives import AIV_CORES
from xdsl_pld.templates.errors import TemplateError
from xdsl_pld.templates.render import Renderer
from xdsl_pld.tools.diagnostics import tie
from xdsl_pld.tools.interpreter.collectives import ReferenceEngine
from xdsl_pld.tools.interpreter.exchange import (
    Engine,
    EngineError,
    Exchange,
    Launch,
    Ran,
    Visit,
)
from xdsl_pld.tools.interpreter.memory import Array, Domain, address, dtype_of
from xdsl_pld.tools.sim import engine as sim
from xdsl_pld.tools.sim.abi import FindingKind, Tensor
from xdsl_pld.tools.sim.compiler import CompilerError

WINDOW_BYTES = 1 << 34
"""
What a device's windows may have in all, or less where the machine has fewer addresses. Memory is
taken only as it is used.
"""
_MOST_FINDINGS = 8
_EXCHANGE_IS_WRONG = "the exchange is wrong: "
_IDLE_SECONDS = 0.1
"""How long the ranks' own work may wait for a launch before it is looked at again."""


class SimulatedEngine(Engine):
    """Executes exchanges by compiled kernels; all else by the reference statements."""

    def __init__(self, target: str, wait_limit: float):
        """
        `target` is the card whose cores limit a launch. Blocks that wait for `wait_limit` seconds
        in which no block does anything are a deadlock; mostly that is known at once, but a rank may
        compute.
        """
        try:
            self._simulator = sim.Engine()
        except CompilerError as error:
            raise InterpretationError(f"{error} (--engine ir needs none)") from error
        self._target = target
        self._renderer = Renderer()
        self._wait_limit = wait_limit
        self._entries: dict[tuple[str, str], int] = {}
        self._reference = ReferenceEngine()
        self._session: sim.Session | None = None
        self._places: dict[int, Operation] = {}
        """The last collective of each device."""
        self._signals: dict[int, Operation] = {}
        """The last collective on each signal, by its address on the domain's first rank."""
        self._domains: dict[str, Domain] = {}
        """The domain of each window buffer."""

    @property
    def session(self) -> sim.Session:
        assert self._session is not None, "used outside of a run"
        return self._session

    # A run.

    def open(self, ranks: int, timeline: bool) -> None:
        sizes = [WINDOW_BYTES >> shift for shift in range(0, 10, 2)]
        for size in sizes:
            try:
                self._session = sim.Session(
                    self._simulator,
                    ranks,
                    window_bytes=size,
                    max_blocks=AIV_CORES[self._target],
                    wait_limit=self._wait_limit,
                    keep_spans=timeline,
                )
                return
            except ValueError as error:  # the machine may limit a process's addresses
                if size == sizes[-1]:
                    raise InterpretationError(str(error)) from error

    def close(self) -> None:
        if self._session is not None:
            self._session.close()

    def finish(self) -> None:
        """Raises FindingsError for what was found last, and for signals that are not zero."""
        found = [Finding(self._places[f.rank], str(f)) for f in self.session.findings()]
        for key, signal in self._signals.items():
            for finding in self.session.credits_left(key):
                found.append(Finding(signal, str(finding)))
        if found:
            raise FindingsError(found[:_MOST_FINDINGS])

    def idle(self) -> None:
        self.session.idle(_IDLE_SECONDS)

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> Sequence[Array]:
        try:
            memory = self.session.allocate(name, size, domain.devices)
        except ValueError as error:
            raise InterpretationError(f"{error} (of a device, in the simulator)") from error
        self._domains[name] = domain
        if fill:
            for each in memory:
                each.fill(fill)
        return memory

    def admit(self, launched: str, blocks: int, *, sync_start: bool, waits: bool) -> None:
        cores = AIV_CORES[self._target]
        if sync_start and blocks > cores:
            raise InterpretationError(
                f"a sync-start launch of {blocks} blocks of {launched} is refused: a "
                f"{self._target} has {cores} vector cores (--target), and all blocks must start "
                "at once; the runtime reports error code 7"
            )
        if blocks > 1 and waits and not sync_start:
            raise InterpretationError(
                f"{blocks} blocks of {launched} are launched without sync_start, but they wait: a "
                "card may start only some of them, which then wait for ever; write sync_start"
            )

    # Exchanges.

    def start(self, visit: Visit) -> Launch | None:
        kernel = shipped_kernel(visit)
        return None if kernel is None else self._launch(visit, kernel)

    def run(self, exchange: Exchange) -> None:
        kernel = shipped_kernel(exchange.visits[0])
        if kernel is None:
            self._run_by_meaning(exchange)
            return
        launches = [self._launch(visit, kernel) for visit in exchange.visits]
        for launch in launches:
            while not launch.over():
                self.idle()
        for launch in launches:
            try:
                launch.collect()
            except EngineError as error:
                tie(error, launch.visit.op)
                raise

    def _run_by_meaning(self, exchange: Exchange) -> None:
        """Meets, then everyone reads its input and writes its target, then meets again."""
        self._meet(exchange)
        self._reference.run(exchange)
        for visit in exchange.visits:
            for role in ("input", "target"):
                if role in visit.operands.windows:
                    array = visit.operands.arrays[role]
                    self.accessed(visit.device, array, write=role == "target")
        self._meet(exchange)

    def _meet(self, exchange: Exchange) -> None:
        # Down the line and back up: after it each knows what all did.
        pairs = list(pairwise(visit.device for visit in exchange.visits))
        for before, after in (*pairs, *((after, before) for before, after in reversed(pairs))):
            self.session.order(before, after)

    def _launch(self, visit: Visit, kernel: BuiltinKernel) -> "_Launch":
        entry = self._entry(visit, kernel)
        self._places[visit.device] = visit.op
        self._mark_signal(visit)
        launch = _Launch(self.session, visit, kernel, self._raise_findings)
        launch.start(entry)
        return launch

    def _mark_signal(self, visit: Visit) -> None:
        """So that a wait is told by row and column, and what is left at the end is found."""
        window, signal = visit.operands.windows["signal"], visit.operands.arrays["signal"]
        own = window.memory[visit.domain.rank_of(visit.device)]
        offset = address(signal) - address(own)
        key = address(window.memory[0]) + offset
        if key not in self._signals:
            arrays = [
                memory[offset : offset + signal.nbytes].view(signal.dtype).reshape(signal.shape)
                for memory in window.memory
            ]
            self.session.mark_credits(window.name, arrays, visit.domain.devices)
        self._signals[key] = visit.op

    def _entry(self, visit: Visit, kernel: BuiltinKernel) -> int:
        """The compiled kernel's entry, rendered from the template that the program names."""
        handle, variables = _template(visit, kernel)
        if (handle, variables) not in self._entries:
            try:
                text = self._renderer.kernel(handle, variables)
                self._entries[handle, variables] = self._simulator.load_kernel(text)
            except (TemplateError, CompilerError) as error:
                raise InterpretationError(str(error)) from error
        return self._entries[handle, variables]

    # What ranks do by themselves.

    def accessed(self, device: int, array: Array, *, write: bool) -> None:
        (self.session.host_wrote if write else self.session.host_reads)(device, array)
        self._raise_findings(device, "")

    def notify(self, device: int, cell: Array, value: int, *, add: bool) -> None:
        self.session.host_notifies(device, cell, value, add=add)
        self._raise_findings(device, "")

    def awaited(self, device: int, cell: Array) -> None:
        self.session.host_waited(device, cell)

    def ordered(self, before: int | None, after: int | None) -> None:
        self.session.order(
            sim.PROGRAM if before is None else before, sim.PROGRAM if after is None else after
        )

    # What is found.

    def _raise_findings(self, device: int, blame: str = _EXCHANGE_IS_WRONG) -> None:
        """
        Raises EngineError for what is found about a device, or about the run as a whole; `blame`
        says what is at fault: the kernel, or what goes on around it.
        """
        if self.session.found() == 0:
            return
        findings = self.session.findings()
        mine = [f for f in findings if f.rank == device or f.kind is FindingKind.DEADLOCK]
        if mine:
            waiters = [str(self._named(waiter)) for waiter in self.session.waiters()]
            others = [str(each) for each in findings if each is not mine[0]]
            waited = mine[0].kind is FindingKind.DEADLOCK
            message = f"{'' if waited else blame}{mine[0]}"
            raise EngineError(message, [*waiters, *others[: _MOST_FINDINGS - 1]], waited=waited)

    def _named(self, waiter: sim.Waiter) -> sim.Waiter:
        """A waiter with the device that it waits for, in place of a rank of its domain."""
        domain = self._domains.get(waiter.cell.rsplit("[", 1)[0])
        if waiter.peer is None or domain is None or waiter.peer >= domain.size:
            return waiter
        return replace(waiter, peer=domain.devices[waiter.peer])


class _Launch:
    """One rank's kernel, from its launch to its end."""

    def __init__(
        self,
        session: sim.Session,
        visit: Visit,
        kernel: BuiltinKernel,
        check: Callable[[int], None],
    ):
        self.visit = visit
        self._session = session
        self._kernel = kernel
        self._check = check
        self._loans: list[tuple[Array, Tensor, bool]] = []
        """Local operands, their copies, and whether they are written."""
        self._before = session.count(visit.device).wait_ns

    def start(self, entry: int) -> None:
        operands, device = self.visit.operands, self.visit.device
        rank = self.visit.domain.rank_of(device)
        tensors: list[Tensor] = []
        for operand in self._kernel.operands:
            array, window = operands.arrays[operand.role], operands.windows.get(operand.role)
            if window is not None:
                tensors.append(Tensor(array, address(window.memory[rank]), window.size))
                continue
            copy = self._session.lend(device, operand.role, array)
            self._loans.append((array, copy, operand.direction is not Direction.IN))
            tensors.append(copy)
        contexts = [
            self._session.context(device, operands.contexts[operand.role].window.domain.devices)
            for operand in self._kernel.operands
            if operand.distributed
        ]
        self._session.start(device, entry, tensors, contexts, blocks=self.visit.call.blocks)

    def over(self) -> bool:
        return self._session.over(self.visit.device)

    @property
    def waited(self) -> float:
        after = self._session.count(self.visit.device).wait_ns
        return (after - self._before) * 1e-9 / self.visit.call.blocks

    @property
    def ran(self) -> Sequence[Ran]:
        return [self._named(span) for span in self._session.spans(self.visit.device)]

    def _named(self, span: sim.Span) -> Ran:
        kernel, kind = self.visit.call.operator, "kernel"
        if span.waits:
            devices = self.visit.domain.devices
            known = span.peer is not None and span.peer < len(devices)
            kernel, kind = "wait", "wait"
            if known and span.peer is not None:
                kernel = f"wait for rank {devices[span.peer]}"
        return Ran(span.block, kernel, kind, span.start, span.end)

    def collect(self) -> None:
        """
        Copies back what was written. Raises EngineError for what is found about the rank, and
        where what arrived could not be read yet.
        """
        for array, copy, written in self._loans:
            if written:
                array[...] = copy.array
            self._session.take_back(self.visit.device, copy)
        arrays = self.visit.operands.arrays
        received, target = arrays["recv_counts"].reshape(-1), arrays["target"]
        capacity = len(target) // len(received)
        arrived = [target[s * capacity :][: max(int(n), 0)] for s, n in enumerate(received)]
        self._session.host_sees(self.visit.device, arrays["recv_counts"], *arrived)
        self._check(self.visit.device)


def shipped_kernel(visit: Visit) -> BuiltinKernel | None:
    """The kernel that executes a collective; None where there is none, for its element type."""
    kernel = BUILTIN_KERNELS.get(visit.call.operator)
    if kernel is None or visit.call.kernel is not None:
        return kernel
    return None if _cpp_element(visit) is None else kernel


def _cpp_element(visit: Visit) -> str | None:
    payload = visit.operands.arrays["target"].dtype
    names = (v.cpp for element, v in ELEMENT_VARIANTS.items() if dtype_of(element) == payload)
    return next(names, None)


def _template(visit: Visit, kernel: BuiltinKernel) -> tuple[str, str]:
    function = visit.call.kernel
    if function is not None:
        handle = function.attributes[TEMPLATE_DIR]
        variables = function.attributes.get(TEMPLATE_VARS, StringAttr(""))
        assert isinstance(handle, StringAttr)
        assert isinstance(variables, StringAttr)
        return handle.data, variables.data
    return kernel.handle, f"dtype_cpp={_cpp_element(visit)}"
