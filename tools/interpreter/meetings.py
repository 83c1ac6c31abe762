"""
The meeting of all ranks of a domain in one collective.

A rank that comes to a collective, written as such or lowered to a builtin kernel's call or to a
dispatch of the host rail, brings its operands and waits. They meet by the memory of their signal,
as on a card: the n-th call of each rank on one signal belong together. Then either

* the engine launches each rank's part when that rank comes, and it is the signal that makes them
  wait for each other; or
* the last to come has the engine execute the whole exchange, and all go on. So it is for
  collectives that have no kernel, and where windows are poisoned: only when all have come is
  nobody left who may look at what is about to be overwritten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from xdsl.ir import Operation

from xdsl_pld.dialects.values import shown
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.collectives import check, check_signal, rows_sent, sent
from xdsl_pld.tools.interpreter.exchange import (
    EXCHANGES,
    Call,
    Engine,
    EngineError,
    Exchange,
    Launch,
    Operands,
    Visit,
)
from xdsl_pld.tools.interpreter.memory import POISON, Array, WindowBuffer, address, overlap
from xdsl_pld.tools.interpreter.scheduler import Waiting

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent


@dataclass(eq=False)
class _Meeting:
    """Who has come so far, by rank."""

    window: WindowBuffer
    operator: str
    visits: dict[int, Visit] = field(default_factory=dict[int, Visit])
    launched: set[int] = field(default_factory=set[int])
    """Who may have added to signals already."""
    over: bool = False

    def missing(self) -> list[int]:
        return [r for r in range(self.window.domain.size) if r not in self.visits]

    def awaited(self) -> str:
        """Who is waited for; completes "rank 0 waits for ..."."""
        return absent(self.missing(), self.operator, self.window)


def absent(ranks: Sequence[int], operator: str, window: WindowBuffer) -> str:
    """Who has not come to a collective; completes "rank 0 waits for ..."."""
    who = "rank" if len(ranks) == 1 else "ranks"
    return (
        f"{who} {', '.join(map(str, ranks))} of '{window.domain.name}' to come to {operator} on "
        f"window '{window.name}'"
    )


_Key: TypeAlias = tuple[WindowBuffer, int, int]
"""The memory of a signal, its place in the window, and how many calls were before."""


class Meetings:
    """The collectives that are under way."""

    def __init__(self, engine: Engine, poison: bool):
        self._engine = engine
        self._poison = poison
        self._open: dict[_Key, _Meeting] = {}

    def meet(self, agent: "Agent", call: Call, operands: Operands, op: Operation) -> None:
        """Returns when the agent's part of the exchange is done."""
        role = "signal" if "signal" in operands.arrays else "target"
        window = operands.windows[role]
        domain = window.domain
        rank = domain.rank_of(agent.require_device())
        check(call, operands, rank, domain)
        visit = Visit(call, operands, agent.require_device(), domain, op)
        if call.operator in EXCHANGES:
            self._engine.admit(call.operator, call.blocks, sync_start=True, waits=True)
        with agent.span(call.operator, "collective", op) as span:
            span["bytes"] = sent(call, operands, rank, domain.size)
            agent.counters.sent(call, span["bytes"])
            meeting = self._join(visit, role, rank)
            check_signal(call, operands, rank, meeting.launched)
            launch = None if self._poison else self._engine.start(visit)
            if launch is not None:
                meeting.launched.add(rank)
                self._go_alone(agent, visit, launch, meeting)
            else:
                self._go_together(agent, visit, meeting)

    def _join(self, visit: Visit, role: str, rank: int) -> _Meeting:
        """Puts a rank into the meeting that it belongs to."""
        window, array = visit.operands.windows[role], visit.operands.arrays[role]
        offset = address(array) - address(window.memory[rank])
        number = window.visits.get((rank, offset), 0)
        window.visits[rank, offset] = number + 1
        key = (window, offset, number)
        meeting = self._open.setdefault(key, _Meeting(window, visit.call.operator))
        if meeting.visits:
            first = next(iter(meeting.visits.values()))
            require_alike(Brought.by(first), first.op, Brought.by(visit), visit.op)
        meeting.visits[rank] = visit
        if not meeting.missing():
            del self._open[key]
        return meeting

    def _go_alone(self, agent: "Agent", visit: Visit, launch: Launch, meeting: _Meeting) -> None:
        def awaited() -> str:
            return meeting.awaited() if meeting.missing() else "the blocks of its launch"

        agent.wait(Waiting(launch.over, awaited, visit.op, outside=True), idle=True)
        agent.counters.waited += launch.waited
        agent.record(launch.ran, visit.op)
        try:
            launch.collect()
        except EngineError as error:
            if meeting.missing():
                error.remarks = [*error.remarks, f"all wait for {meeting.awaited()}"]
            raise

    def _go_together(self, agent: "Agent", visit: Visit, meeting: _Meeting) -> None:
        if not meeting.missing():
            visits = [meeting.visits[r] for r in range(meeting.window.domain.size)]
            stale: list[Stale] = []
            if self._poison and visit.call.operator in EXCHANGES:
                sent = [rows_by_rank(each) for each in visits]
                stale = [Stale(v, [s[r] for s in sent]) for r, v in enumerate(visits)]
            self._engine.run(Exchange(visits))
            for each in stale:
                each.restore()
            meeting.over = True
        agent.wait(Waiting(lambda: meeting.over, meeting.awaited, visit.op))


class Stale:
    """
    What a rank's target and counts held before an exchange, and that poison was put there. An
    exchange leaves the rows past the count as they were: `restore` puts back what was there where
    there still is poison, which is where nothing was written.
    """

    def __init__(self, visit: Visit, rows: Sequence[int]):
        """`rows` are what the ranks send to this one."""
        arrays = visit.operands.arrays
        self._kept: Array | None = None
        if overlap(arrays["input"], arrays["target"]):
            return  # an input in the target's memory is still needed
        self._target = arrays["target"]
        capacity = len(self._target) // len(rows)
        self._kept = (np.arange(capacity) >= np.array(rows)[:, np.newaxis]).reshape(-1)
        self._before = self._target.copy()
        for role in ("target", "recv_counts"):
            arrays[role].reshape(-1).view(np.uint8)[:] = POISON

    def restore(self) -> None:
        if self._kept is not None:
            poisoned = (self._target.view(np.uint8) == POISON).all(axis=1)
            rows = self._kept & poisoned
            self._target[rows] = self._before[rows]


def rows_by_rank(visit: Visit) -> list[int]:
    """The rows that a rank sends to each in an exchange."""
    ranks = visit.domain.size
    return [rows_sent(visit.operands, destination, ranks) for destination in range(ranks)]


@dataclass(frozen=True)
class Brought:
    """What a rank brings to a collective and all must bring alike, in words."""

    device: int
    operator: str
    blocks: int
    options: str
    types: Mapping[str, str]

    @classmethod
    def by(cls, visit: Visit) -> "Brought":
        call = visit.call
        options = ", ".join(f"{key} = {value}" for key, value in call.options.items())
        types = {
            role: f"{shown(array.shape)} of {array.dtype}"
            for role, array in visit.operands.arrays.items()
        }
        return cls(visit.device, call.operator, call.blocks, options, types)

    def difference(self, other: "Brought") -> str | None:
        """In what two ranks differ."""
        if self.operator != other.operator:
            return f"{self.operator} and {other.operator}"
        if self.blocks != other.blocks:
            return f"{self.blocks} and {other.blocks} blocks"
        if self.options != other.options:
            return f"{self.options} and {other.options}"
        for role, type_ in self.types.items():
            if type_ != other.types[role]:
                return f"{role} {type_} and {role} {other.types[role]}"
        return None


def require_alike(first: Brought, op: Operation, other: Brought, other_op: Operation) -> None:
    """Raises FindingsError where two ranks do not bring the same to a collective."""
    difference = first.difference(other)
    if difference is None:
        return
    message = f"rank {first.device} and rank {other.device} meet on one signal with {difference}"
    note = Note(f"rank {first.device} is here", op)
    raise FindingsError([Finding(other_op, message, (note,))])
