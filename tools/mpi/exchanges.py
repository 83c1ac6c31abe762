"""
The meetings of ranks in collectives, where each is a process of its own.

Reads   this rank's operands; a word from each other rank of the domain that it has come.
Decides nothing: a collective with a shipped kernel is that kernel, launched on the windows; the
        others are executed by the reference statements on the operands of all ranks, which they
        send each other: the same bits as on one machine.
Changes this rank's arrays, and the peers' windows as the kernel does.

All have come before any begins: so whoever does not come, or brings something else, is told by
name. And since windows may be written as soon as a collective is over, none goes on before all have
their results: kernels see to that by themselves.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from xdsl_pld.tools.interpreter.collectives import MEANINGS, check, check_signal, sent
from xdsl_pld.tools.interpreter.exchange import EXCHANGES, Call, Exchange, Operands, Visit
from xdsl_pld.tools.interpreter.meetings import Brought, Stale, absent, require_alike, rows_by_rank
from xdsl_pld.tools.interpreter.memory import WindowBuffer, address
from xdsl_pld.tools.mpi.engine import MpiEngine
from xdsl_pld.tools.mpi.windows import MpiMemory

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent
    from xdsl_pld.tools.mpi.machine import MpiMachine


class Exchanges:
    """What `Meetings` is where all ranks are in one process."""

    def __init__(self, machine: "MpiMachine", engine: MpiEngine, poison: bool):
        self._machine = machine
        self._engine = engine
        self._poison = poison

    def meet(self, agent: "Agent", call: Call, operands: Operands, op: Operation) -> None:
        """Returns when this rank's part of the exchange is done."""
        role = "signal" if "signal" in operands.arrays else "target"
        window = operands.windows[role]
        device, domain = agent.require_device(), window.domain
        rank = domain.rank_of(device)
        check(call, operands, rank, domain)
        visit = Visit(call, operands, device, domain, op)
        if call.operator in EXCHANGES:
            self._engine.admit(call.operator, call.blocks, sync_start=True, waits=True)
        # Compiled before the others hear of us: they would wait for the compiler.
        self._engine.prepare(visit)
        with agent.span(call.operator, "collective", op) as span:
            span["bytes"] = sent(call, operands, rank, domain.size)
            agent.counters.sent(call, span["bytes"])
            check_signal(call, operands, rank)
            meeting = _Meeting(self._machine, agent, visit, window, role)
            rows = meeting.come()
            stale = None
            if self._poison and call.operator in EXCHANGES:
                stale = Stale(visit, [each[rank] for each in rows])
                meeting.say("is poisoned")
            launch = self._engine.start(visit)
            if launch is not None:
                agent.counters.waited += launch.waited
                agent.record(launch.ran, op)
                launch.collect()
            elif MEANINGS[call.operator].barriers > 1:
                self._by_meaning(visit, meeting)
            if stale is not None:
                stale.restore()

    def _by_meaning(self, visit: Visit, meeting: "_Meeting") -> None:
        arrays = {role: array.copy() for role, array in visit.operands.arrays.items()}
        visits = [
            Visit(visit.call, Operands(each, {}, {}), device, visit.domain, visit.op)
            for device, each in zip(
                visit.domain.devices, meeting.say("operands", arrays), strict=True
            )
        ]
        visits[visit.domain.rank_of(visit.device)] = visit
        self._engine.run(Exchange(visits))
        meeting.say("is done")


class _Meeting:
    """What the ranks tell each other in one collective; they meet by the memory of its signal."""

    def __init__(
        self, machine: "MpiMachine", agent: "Agent", visit: Visit, window: WindowBuffer, role: str
    ):
        memory = window.memory
        assert isinstance(memory, MpiMemory)
        assert memory.me is not None
        self._machine = machine
        self._agent = agent
        self._visit = visit
        self._window = window
        offset = address(visit.operands.arrays[role]) - address(memory[memory.me])
        self._key = (memory.number, offset)

    def say(self, what: str, body: Any = None) -> Sequence[Any]:
        """Returns what all ranks say, by rank, as soon as all have said it."""

        def describe(missing: list[int]) -> str:
            return absent(missing, self._visit.call.operator, self._window)

        visit = self._visit
        topic = (what, *self._key)
        return self._machine.gather(self._agent, visit.domain, topic, body, describe, visit.op)

    def come(self) -> Sequence[Sequence[int]]:
        """
        Waits for all and compares what they bring. Returns the rows that each sends to each, in
        exchanges.
        """
        visit, ops = self._visit, self._machine.ops
        rows = rows_by_rank(visit) if visit.call.operator in EXCHANGES else ()
        brought = (Brought.by(visit), self._machine.number_of(visit.op), rows)
        come = self.say("comes", brought)
        first: tuple[Brought, int, Sequence[int]] = come[0]
        other: tuple[Brought, int, Sequence[int]]
        for other in come[1:]:
            require_alike(first[0], ops[first[1]], other[0], ops[other[1]])
        return [each for _, _, each in come]
