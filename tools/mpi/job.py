"""
What a rank of `pld-run --engine mpi` does, from its start to its end.

Rank 0 reads the program, runs the passes and loads the inputs; the others get the module as text
with its locations, the arrays and rank 0's options. All run it. Rank 0 then has the counters, the
arrays and the timeline of all, and does with them what `pld-run` does with any run.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from time import monotonic, perf_counter, sleep
from typing import Any, Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from xdsl_pld.tools.caching_parser import CachingParser
from xdsl_pld.tools.diagnostics import Diagnostic, Remark, Sources, locate
from xdsl_pld.tools.interpreter.exchange import Engine, EngineError
from xdsl_pld.tools.interpreter.machine import Machine, Settings
from xdsl_pld.tools.interpreter.memory import Array
from xdsl_pld.tools.interpreter.report import Counters, Span
from xdsl_pld.tools.mpi.ending import GRACE, Ending, Failure, JobEnds
from xdsl_pld.tools.mpi.engine import MpiEngine
from xdsl_pld.tools.mpi.machine import MpiMachine, Site, TooLate
from xdsl_pld.tools.mpi.mail import URGENT, Mail
from xdsl_pld.tools.mpi.windows import Transport, Windows
from xdsl_pld.tools.mpi.world import MpiError, World, limited
from xdsl_pld.tools.opt import FileError
from xdsl_pld.tools.sim.compiler import CompilerError

_PROGRAM, _OVER, _RESULTS = "program", "over", "results"

Make = Callable[[ModuleOp, Settings], Machine]


class Execution(Protocol):
    """A program that is ready to run."""

    machine: Machine

    def run(self) -> None: ...


class Tool(Protocol):
    """What `pld-run` does before and after a run."""

    sources: Sources

    def read(self, ranks: int) -> tuple[ModuleOp, Mapping[str, Array]]:
        """On rank 0: the program, which is to run on so many ranks, and the given arrays."""
        ...

    @property
    def options(self) -> Mapping[str, Any]:
        """On rank 0: how the program is to be run."""
        ...

    def adopt(self, options: Mapping[str, Any]) -> None:
        """On the other ranks: rank 0's options, in place of their own."""
        ...

    def context(self) -> Context:
        """Where the other ranks parse the program."""
        ...

    def prepare(
        self, module: ModuleOp, given: Mapping[str, Array], engine: Engine, make: Make
    ) -> Execution: ...

    @property
    def target(self) -> str:
        """The card whose cores limit a launch."""
        ...

    @property
    def shows_windows(self) -> bool:
        """Whether rank 0 needs what is in the windows at the end."""
        ...

    def finish(self, execution: Execution) -> int:
        """On rank 0: prints, saves and compares; the exit status."""
        ...

    def diagnose(self, error: Exception) -> Sequence[Diagnostic]: ...


@dataclass(frozen=True)
class _Results:
    """What a rank sends to rank 0."""

    counters: Counters
    spans: Sequence[Span]
    windows: Mapping[str, Array]


class _Late(MpiError):
    """Another rank has not come to the end of a part of the job."""


def run(tool: Tool, world: World) -> int:
    """Takes part in a run and returns the exit status, which is the same on all ranks."""
    with limited(world.wait_limit):
        mail = Mail(world.comm)

    def tell(diagnostic: Diagnostic) -> None:
        sys.stderr.write(tool.sources.format(diagnostic))

    ending = Ending(world, mail, tell)
    rank = _Rank(tool, world, mail, ending)
    try:
        status = rank.run()
    except JobEnds as end:
        return ending.stop(rank.waits(end))
    except Exception as error:
        return ending.fail(Failure(_diagnostics(tool, error), _has_waited(error)))
    rank.close()
    return status


class _Rank:
    def __init__(self, tool: Tool, world: World, mail: Mail, ending: Ending):
        self._tool = tool
        self._world = world
        self._mail = mail
        self._ending = ending
        self._machine: MpiMachine | None = None
        self._transport: Transport | None = None
        self._windows: Windows | None = None

    def run(self) -> int:
        module, given = self._program()
        self._transport = Transport(self._mail.handle, URGENT)
        self._windows = Windows(self._world, self._transport)
        site = Site(self._world, self._mail, self._ending, self._windows)
        target = self._tool.target
        engine = MpiEngine(self._windows, self._transport, target, self._world.wait_limit)

        def make(module: ModuleOp, settings: Settings) -> MpiMachine:
            self._machine = MpiMachine(module, settings, site)
            return self._machine

        execution = self._tool.prepare(module, given, engine, make)
        assert self._machine is not None
        self._machine.timeline.begin = perf_counter()
        execution.run()
        self._all_over()
        results = self._results(self._machine)
        if self._world.rank != 0:
            self._mail.post([0], _RESULTS, results)
            return self._ending.wait()
        self._collect(self._machine, results)
        status = self._tool.finish(execution)
        sys.stdout.flush()
        self._ending.succeed(status)
        return status

    def _program(self) -> tuple[ModuleOp, Mapping[str, Array]]:
        if self._world.rank == 0:
            module, given = self._tool.read(self._world.size)
            self._mail.post(
                self._ending.others, _PROGRAM, (_text(module), given, self._tool.options)
            )
            return module, given
        self._wait_for(_PROGRAM, [0], "send the program")
        text, given, options = self._mail.take(_PROGRAM, 0)
        self._tool.adopt(options)
        return CachingParser(self._tool.context(), text).parse_module(), given

    def _wait_for(self, topic: str, ranks: Sequence[int], what: str) -> None:
        """`what` is what the ranks are waited for to do."""
        limit, since = self._world.wait_limit, monotonic()
        # Rank 0 knows more of why a job does not go on: the others speak where it is the reason.
        longer = 0 if self._world.rank == 0 else GRACE
        while missing := [rank for rank in ranks if not self._mail.has(topic, rank)]:
            if self._mail.pump():
                since = monotonic()
            else:
                sleep(0.001)
            self._ending.check()
            if monotonic() - since > limit + longer:
                who = "rank" if len(missing) == 1 else "ranks"
                raise _Late(
                    f"rank {self._world.rank} has waited for more than {limit:g} s (--wait-limit) "
                    f"for {who} {', '.join(map(str, missing))} to {what}"
                )

    def _all_over(self) -> None:
        """Until all ranks have finished, each may still write into the windows of others."""
        if self._world.rank == 0:
            self._wait_for(_OVER, self._ending.others, "finish")
            self._mail.post(self._ending.others, _OVER)
        else:
            self._mail.post([0], _OVER)
            self._wait_for(_OVER, [0], "finish")

    def _results(self, machine: MpiMachine) -> _Results:
        device = machine.devices[machine.rank]
        begin = machine.timeline.begin
        # The host body's lane is the same on all.
        spans = [
            replace(span, start=span.start - begin, end=span.end - begin)
            for span in machine.timeline.spans
            if machine.rank == 0 or span.lane != 0
        ]
        windows: dict[str, Array] = {}
        if self._tool.shows_windows:
            for name, window in machine.windows.items():
                if machine.rank in window.domain.devices:
                    rank = window.domain.rank_of(machine.rank)
                    windows[name] = window.memory[rank].copy()
        return _Results(device.counters, spans, windows)

    def _collect(self, machine: MpiMachine, own: _Results) -> None:
        """Rank 0: what all ranks did, as if they were of this machine."""
        others = self._ending.others
        self._wait_for(_RESULTS, others, "send what they have")
        results = {0: own, **{rank: self._mail.take(_RESULTS, rank) for rank in others}}
        timeline = machine.timeline
        timeline.spans = []
        for rank, each in results.items():
            machine.devices[rank].counters = each.counters
            timeline.spans += each.spans
        timeline.begin = 0.0
        if self._tool.shows_windows:
            for name, window in machine.windows.items():
                arrays = [results[device].windows[name] for device in window.domain.devices]
                window.memory = arrays

    def waits(self, end: JobEnds) -> list[Remark]:
        """What was done here when the job ended."""
        if self._machine is None:
            return [Remark(f"rank {self._world.rank} waits for the program")]
        doing = end.doing or [(f"rank {self._world.rank} has finished", None)]
        return [Remark(text, None if place is None else locate(place)) for text, place in doing]

    def close(self) -> None:
        """All ranks together, after a run that went well."""
        with limited(self._world.wait_limit):
            if self._windows is not None:
                self._windows.free()
            if self._transport is not None:
                self._transport.close()
            self._mail.close()


def _text(module: ModuleOp) -> str:
    """The module with its locations."""
    stream = StringIO()
    printer = Printer(stream, print_generic_format=True, print_debuginfo=True)
    printer.print_op(module)
    return stream.getvalue()


def _diagnostics(tool: Tool, error: Exception) -> Sequence[Diagnostic]:
    if isinstance(error, FileError | CompilerError | MpiError):
        return [Diagnostic(Remark(str(error)))]
    return tool.diagnose(error)


def _has_waited(error: Exception) -> bool:
    cause = error.__cause__
    return isinstance(error, TooLate | _Late) or (isinstance(cause, EngineError) and cause.waited)
