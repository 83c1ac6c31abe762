"""
The machine: a host and P ranks, each an agent with an interpreter and a thread of its own.

The host runs the host body. A dispatch puts a job into its device's queue and returns at once; each
device works its queue in order. Jobs of different devices run concurrently unless one writes a host
tensor that the other touches: then the later one waits, as the runtime's task graph would have it.
Where the host body itself touches memory it waits for all jobs dispatched so far.

Within a pipeline tasks run in text order, which is a legal order of its task graph.

Sources: design.md, What the product is; runtime-abi, Host.
"""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter, OpImplResult, PythonValues
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.pl.attributes import Direction, direction
from xdsl_pld.dialects.pld.signature import context_parameters
from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.diagnostics import attached_findings, one_line, place_of, tie
from xdsl_pld.tools.interpreter.domains import Domains
from xdsl_pld.tools.interpreter.exchange import Engine, EngineError, Ran
from xdsl_pld.tools.interpreter.meetings import Meetings
from xdsl_pld.tools.interpreter.memory import (
    Array,
    CommCtx,
    DistTensor,
    Domain,
    TensorValue,
    WindowBuffer,
    array_of,
    check_shape,
    layout_of,
    overlap,
)
from xdsl_pld.tools.interpreter.program import Waits
from xdsl_pld.tools.interpreter.report import Counters, SpanDetails, Timeline
from xdsl_pld.tools.interpreter.scheduler import Deadlock, Scheduler, Task, Waiting

HOST = "the host"
DEEPEST_CALL = 50
"""How deep calls may nest; a program of this kind has some five levels."""
STEPS_AT_A_TIME = 5_000
"""After how many operations a rank lets the others run, so that polling a cell makes progress."""


@dataclass(frozen=True)
class Settings:
    """What is asked of a run."""

    ranks: int
    engine: Engine
    core_num: int | None = None
    """Launch width that exchanges ask for instead of what the program says."""
    poison: bool = False
    max_steps: int = 10_000_000
    timeline: bool = False
    signals: frozenset[str] = frozenset()
    """The window buffers that hold signals, which must start at zero."""


@dataclass(eq=False)
class Job:
    """What a device was told to do."""

    name: str
    op: Operation
    run: Callable[["Agent"], object]
    reads: Sequence[Array] = ()
    writes: Sequence[Array] = ()
    after: Sequence["Job"] = ()
    device: int | None = None
    done: bool = False

    def start(self) -> Waiting:
        """What must happen before the job starts."""
        return Waiting(
            lambda: all(earlier.done for earlier in self.after),
            lambda: (
                "an earlier dispatch to another device, of "
                f"{next(job.name for job in self.after if not job.done)}, that touches the same "
                "host tensor"
            ),
            self.op,
        )

    def must_follow(self, earlier: "Job") -> bool:
        """Whether the jobs touch one array that one of them writes."""
        return any(
            overlap(mine, theirs)
            for ours, others in (
                (self.writes, (*earlier.reads, *earlier.writes)),
                (self.reads, earlier.writes),
            )
            for mine in ours
            for theirs in others
        )


class Machine:
    """A module being run."""

    def __init__(self, module: ModuleOp, settings: Settings):
        self.module = module
        self.settings = settings
        self.lineage = Lineage()
        self.scheduler = Scheduler(settings.engine.idle)
        self.meetings = Meetings(settings.engine, settings.poison)
        self.timeline = Timeline(settings.timeline)
        self.world = Domain("world", tuple(range(settings.ranks)))
        self.domains = Domains(self.world)
        self.waits = Waits()
        self.windows: dict[str, WindowBuffer] = {}
        """The window buffers by name, as allocated last."""
        self.host = Agent(self, None)
        self.devices = [Agent(self, device) for device in range(settings.ranks)]

    def run(self, host: FuncOp, arguments: Sequence[Any]) -> None:
        """
        Runs a host body to its end.

        Raises FindingsError for what goes wrong in the program, deadlocks included.
        """
        self.host.start(lambda: self._run_host(host, arguments))
        for device in self.working:
            device.start(device.work)
        engine = self.settings.engine
        engine.open(self.settings.ranks, self.settings.timeline)
        try:
            self.scheduler.run()
            engine.finish()
        except Deadlock as deadlock:
            raise self.deadlock(deadlock, host) from None
        finally:
            engine.close()

    def _run_host(self, host: FuncOp, arguments: Sequence[Any]) -> None:
        with self.timeline.span(0, host.sym_name.data, "host", host):
            self.host.call(host, host, arguments)
            self.settle(at_end=True)
        for device in self.working:
            device.closed = True

    # What is different where each rank is a process of its own (tools.mpi).

    @property
    def working(self) -> Sequence["Agent"]:
        """The devices that work here."""
        return self.devices

    def deadlock(self, deadlock: Deadlock, host: FuncOp) -> FindingsError:
        """What to tell of waits that nobody ends."""
        return FindingsError([_deadlock(deadlock, host)])

    def perform(self, agent: "Agent", job: Job) -> None:
        """A device does what it was told."""
        job.run(agent)

    def settle(self, *, at_end: bool = False) -> None:
        """The host waits until all that it dispatched is done."""
        self.host.wait(
            Waiting(
                lambda: not any(device.queue for device in self.devices),
                lambda: "what it dispatched",
                self.host.place,
            )
        )
        for device in self.devices:
            self.settings.engine.ordered(device.device, None)

    def require_device(self, device: int) -> None:
        if not 0 <= device < len(self.devices):
            raise InterpretationError(
                f"device {device} is out of range: there are {len(self.devices)} (--ranks)"
            )

    def dispatch(self, device: int, job: Job) -> None:
        """Puts a job into the queue of a device."""
        job.device = device
        job.after = [
            earlier
            for other in self.devices
            if other.device != device
            for earlier in other.queue
            if job.must_follow(earlier)
        ]
        self.devices[device].queue.append(job)
        self.devices[device].counters.dispatches += 1
        self.scheduler.give_way(self.host.task)


class _Interpreter(Interpreter):
    """xDSL's interpreter; counts steps and ties errors to the innermost operation."""

    def __init__(self, module: ModuleOp, agent: "Agent"):
        super().__init__(module, index_bitwidth=64)
        self._agent = agent

    def _run_op(self, op: Operation, inputs: PythonValues) -> OpImplResult:
        self._agent.step(op)
        try:
            return super()._run_op(op, inputs)
        except Exception as error:
            tie(error, op)
            raise


@dataclass(frozen=True)
class Block:
    """Which block of a launch runs, and how many there are."""

    index: int
    count: int


class Agent:
    """The host (device None), a device, or one of the blocks that a device runs at once."""

    def __init__(self, machine: Machine, device: int | None):
        from xdsl_pld.tools.interpreter.implementations import implementations

        self.machine = machine
        self.device = device
        self.name = HOST if device is None else f"rank {device}"
        self.counters = Counters()
        self.queue: deque[Job] = deque()
        self.closed = False
        """Whether no job will follow."""
        self.domains: list[Domain] = [machine.world]
        """The domains whose scopes the host body is in, the innermost last."""
        self.in_task = False
        self.block = Block(0, 1)
        """What the kernel runs as, where a task runs."""
        self.interpreter = _Interpreter(machine.module, self)
        for functions in implementations(self):
            self.interpreter.register_implementations(functions)
        self._calls: list[Operation] = []
        self._steps = 0

    # Running

    def start(self, body: Callable[[], None]) -> None:
        """Lets the scheduler run `body` as this agent's thread."""
        self.task: Task = self.machine.scheduler.add(self.name, lambda: self._guarded(body))

    def become(self, block: Block, name: str, remark: str = "") -> None:
        """Runs as a block from now on; the remark is for reports of who waits."""
        self.block, self.name = block, name
        self.task.name = name + remark

    def work(self) -> None:
        """Works the queue until no job will follow."""
        while True:
            more = Waiting(lambda: self.closed or bool(self.queue), lambda: "a further dispatch")
            self.wait(more, idle=True)
            if not self.queue:
                return
            job = self.queue[0]
            self.wait(job.start())
            self.machine.settings.engine.ordered(None, self.device)
            for earlier in job.after:
                self.machine.settings.engine.ordered(earlier.device, self.device)
            with self.span(job.name, "dispatch", job.op):
                self._calls = [job.op]
                self.machine.perform(self, job)
            job.done = True
            self.queue.popleft()

    def settle(self) -> None:
        """In the host: waits until all that was dispatched is done."""
        if self.device is None:
            self.machine.settle()

    @property
    def place(self) -> Operation | None:
        """The innermost call that it is in."""
        return self._calls[-1] if self._calls else None

    def wait(self, waiting: Waiting, *, idle: bool = False) -> None:
        """Lets the others run until the condition holds; idle waits are not counted."""
        start = perf_counter()
        self.machine.scheduler.wait(self.task, waiting)
        if not idle:
            self.counters.waited += perf_counter() - start

    def step(self, op: Operation) -> None:
        """Called before each operation."""
        self._steps += 1
        if self._steps % STEPS_AT_A_TIME == 0:
            self.machine.scheduler.give_way(self.task)
        if self._steps > self.machine.settings.max_steps:
            raise InterpretationError(
                f"gave up after {self.machine.settings.max_steps} operations of {self.name} "
                "(--max-steps)"
            )

    @contextmanager
    def span(self, name: str, kind: str, op: Operation) -> Generator[SpanDetails]:
        """A stretch of this agent's lane in the timeline."""
        lane = 0 if self.device is None else self.device + 1
        with self.machine.timeline.span(lane, name, kind, op) as details:
            yield details

    def record(self, stretches: Sequence[Ran], op: Operation) -> None:
        """What blocks of this device did, in lanes of their own."""
        self.machine.timeline.record(self.require_device(), stretches, op)

    def touched(self, tensor: TensorValue, part: Array, *, write: bool = False) -> None:
        """
        Tells the engine that this agent reads or writes a part of a tensor, if it is in a window.
        Who looks at a cell of a signal learns from it, as one who waits does.
        """
        if not isinstance(tensor, DistTensor) or self.device is None:
            return
        if not write and part.size == 1 and tensor.window.name in self.machine.settings.signals:
            self.machine.settings.engine.awaited(self.device, part)
        else:
            self.machine.settings.engine.accessed(self.device, part, write=write)

    def require_device(self) -> int:
        if self.device is None:
            raise InterpretationError("this happens on a device, not in a host body")
        return self.device

    # Calls

    def call(self, op: Operation, callee: FuncOp, arguments: Sequence[Any]) -> PythonValues:
        """Runs the body of a function; `op` is where it is called."""
        name = callee.sym_name.data
        if callee.is_declaration:
            raise FindingsError(
                [
                    Finding(
                        op,
                        f"@{name} is declared only: pld-run needs its body to run it",
                        (Note("the declaration", callee),),
                    )
                ]
            )
        if len(self._calls) >= DEEPEST_CALL:
            raise InterpretationError(
                f"calls nest deeper than {DEEPEST_CALL}: @{name} is called once more"
            )
        values = bound(callee, arguments)
        self._calls.append(op)
        results = self.interpreter.run_ssacfg_region(callee.body, values, name)
        self._calls.pop()
        for index, type_ in enumerate(callee.function_type.outputs):
            if (tensor := tensor_of(type_)) is not None:
                check_shape(f"result {index} of @{name}", layout_of(results[index]), tensor)
        return results

    @contextmanager
    def as_task(self, name: str, op: Operation) -> Generator[None]:
        """Counts what is done inside as a task, unless it is part of one already."""
        outer, self.in_task = self.in_task, True
        try:
            if outer:
                yield
                return
            self.counters.tasks += 1
            with self.span(name, "task", op):
                yield
        finally:
            self.in_task = outer

    def _guarded(self, body: Callable[[], None]) -> None:
        """Gives every error a place, and notes how the agent came there."""
        try:
            body()
        except Deadlock:
            raise
        except Exception as error:
            raise FindingsError([self._finding(error)]) from error

    def _finding(self, error: Exception) -> Finding:
        # A dispatch stands there twice where it is a call.
        calls = [op for op in dict.fromkeys(self._calls) if not isinstance(op, FuncOp)]
        known = attached_findings(error)
        place = place_of(error)
        if place is None and not known and calls:
            place = calls.pop()  # a collective of the host body is itself the call
        place = place or self.machine.module
        notes = [Note(remark) for remark in error.remarks] if isinstance(error, EngineError) else []
        notes += [Note(f"{self.name} comes here by this call", op) for op in reversed(calls)]
        if known:
            first = known[0]
            return Finding(first.place, first.message, (*first.notes, *notes))
        if isinstance(error, RecursionError):
            message = "nested too deeply for pld-run"
        elif isinstance(error, MemoryError):
            message = f"not enough memory: {one_line(error)}"
        elif isinstance(error, InterpretationError):
            message = one_line(error)
            if message.startswith("Could not find interpretation function"):
                message = f"pld-run does not know what '{place.name}' does"
        else:
            message = (
                f"pld-run cannot run '{place.name}': {type(error).__name__}: {one_line(error)}"
            )
        if not notes and self.device is not None:
            notes = [Note(f"on {self.name}")]
        return Finding(place, message, notes)


def bound(callee: FuncOp, arguments: Sequence[Any], *, with_shapes: bool = True) -> PythonValues:
    """The arguments, checked against the parameters; tensors get the contexts that are passed."""
    values = list(arguments)
    name = callee.sym_name.data
    for index, type_ in enumerate(callee.function_type.inputs):
        if with_shapes and (tensor := tensor_of(type_)) is not None:
            check_shape(f"argument {index} of @{name}", layout_of(values[index]), tensor)
    for tensor_index, context_index in context_parameters(callee).items():
        window: DistTensor = values[tensor_index]
        values[tensor_index] = window.bound_to(values[context_index])
    return tuple(values)


def on_device(value: Any, device: int) -> Any:
    """A host body's value as it is passed to a device."""
    return value.on(device) if isinstance(value, DistTensor | CommCtx) else value


def touched(callee: FuncOp, arguments: Sequence[Any]) -> tuple[list[Array], list[Array]]:
    """The host tensors that a pipeline reads and those that it writes, by its directions."""
    reads: list[Array] = []
    writes: list[Array] = []
    for index, type_ in enumerate(callee.function_type.inputs):
        if tensor_of(type_) is not None and not isinstance(arguments[index], DistTensor):
            is_read = direction(callee, index) is Direction.IN
            (reads if is_read else writes).append(array_of(arguments[index]))
    return reads, writes


def _deadlock(deadlock: Deadlock, host: FuncOp) -> Finding:
    """Who waits for whom, and where."""
    notes: list[Note] = []
    first: Operation | None = None
    for thread in deadlock.threads:
        if thread.waits_for is None:
            notes.append(Note(f"{thread.name} has finished"))
            continue
        notes.append(Note(f"{thread.name} waits for {thread.waits_for}", thread.place))
        if first is None and thread.name != HOST:
            first = thread.place
    return Finding(first or host, "deadlock: every rank waits or has finished", notes)
