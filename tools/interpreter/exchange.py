"""
The meeting of all ranks of a domain in one collective, and who executes it.

A rank that comes to a collective, written as such or lowered to a builtin kernel's call or to a
dispatch of the host rail, brings its operands and waits. They meet by the memory of their signal,
as on a card. The last to come has an `Engine` execute the exchange, and all go on.

`Engine` is the seam between the operators' meaning and the kernels that are shipped: the reference
engine runs the numpy statements in `collectives`; another may run a kernel's compiled source on the
same arrays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.values import shown
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.memory import (
    Array,
    Domain,
    WindowBuffer,
    WindowMemory,
    address,
)
from xdsl_pld.tools.interpreter.scheduler import Waiting

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent


EXCHANGES = ("all_to_all_v", "indexed_all_to_all_v")
"""The collectives whose launch has a width that matters: they have a signal column a block."""


def blocks_of(operator: str, core_num: int, ranks: int) -> int:
    """
    The blocks that a launch admits for a requested width. Raises InterpretationError for a width
    out of range.
    """
    if (message := out_of_range(core_num)) is not None:
        raise InterpretationError(message)
    # The indexed exchange takes its width as it is.
    return admitted_blocks(core_num, ranks) if operator == "all_to_all_v" else core_num


@dataclass(frozen=True, eq=False)
class Call:
    """What all ranks must bring alike."""

    operator: str
    """The collective's name without its dialect, `all_to_all_v`."""
    blocks: int = 1
    """The admitted blocks of the launch."""
    options: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    """The operator's attributes: op, mode, root."""
    kernel: FuncOp | None = None
    """The builtin kernel, where the collective has been lowered to a call of one."""


@dataclass(frozen=True, eq=False)
class Operands:
    """What one rank brings, by role."""

    arrays: Mapping[str, Array]
    windows: Mapping[str, WindowBuffer]
    """The windows of those that are distributed."""


@dataclass(frozen=True, eq=False)
class Exchange:
    """A collective that all ranks of a domain have come to."""

    call: Call
    ranks: Sequence[Operands]
    """By rank in the domain."""

    def of(self, role: str) -> Sequence[Array]:
        """The arrays of all ranks in a role."""
        return [rank.arrays[role] for rank in self.ranks]


class EngineError(InterpretationError):
    """What an engine found wrong in an exchange: the first of it, and remarks on the rest."""

    def __init__(self, message: str, remarks: Sequence[str], *, waited: bool = False):
        super().__init__(message)
        self.remarks = remarks
        self.waited = waited
        """Whether what it found is a wait that took too long."""


class Engine(Protocol):
    """Owns the memory of windows, and executes exchanges."""

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> WindowMemory:
        """
        Memory for a new window buffer, by rank of its domain: `size` bytes of the value `fill`.

        Raises InterpretationError for more than there is.
        """
        ...

    def run(self, exchange: Exchange) -> None:
        """
        Does to the arrays what the collective does.

        Raises InterpretationError when it cannot, EngineError when it finds something wrong.
        """
        ...


@dataclass(frozen=True, eq=False)
class _Arrival:
    brought: "Brought"
    operands: Operands
    op: Operation


@dataclass(eq=False)
class _Meeting:
    """Who has come so far, by rank."""

    window: WindowBuffer
    arrivals: dict[int, _Arrival] = field(default_factory=dict[int, _Arrival])
    over: bool = False

    def missing(self) -> list[int]:
        return [r for r in range(self.window.domain.size) if r not in self.arrivals]


class Meetings:
    """The collectives that are under way."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._open: dict[tuple[WindowBuffer, int], _Meeting] = {}

    def meet(self, agent: "Agent", call: Call, operands: Operands, op: Operation) -> None:
        """Returns when all ranks of the domain have met and the exchange is done."""
        from xdsl_pld.tools.interpreter.collectives import check, sent

        role = "signal" if "signal" in operands.arrays else "target"
        window = operands.windows[role]
        rank = window.domain.rank_of(agent.require_device())
        check(call, operands, rank, window.domain)
        key = (window, address(operands.arrays[role]) - address(window.memory[rank]))
        meeting = self._open.setdefault(key, _Meeting(window))
        arrival = _Arrival(Brought.of(agent.name, call, operands), operands, op)
        if meeting.arrivals:
            first = next(iter(meeting.arrivals.values()))
            require_alike(first.brought, first.op, arrival.brought, op)
        meeting.arrivals[rank] = arrival
        with agent.span(call.operator, "collective", op) as span:
            span["bytes"] = sent(call, operands, rank, window.domain.size)
            agent.counters.sent(call, span["bytes"])
            if not meeting.missing():
                del self._open[key]
                ranks = [meeting.arrivals[r].operands for r in range(window.domain.size)]
                self._engine.run(Exchange(call, ranks))
                meeting.over = True
            describe = partial(absent, meeting.missing, call, window)
            agent.wait(Waiting(lambda: meeting.over, describe, op))


def absent(missing: Callable[[], Sequence[int]], call: Call, window: WindowBuffer) -> str:
    """Who is waited for in a collective."""
    ranks = missing()
    who = "rank" if len(ranks) == 1 else "ranks"
    return (
        f"{who} {', '.join(map(str, ranks))} of '{window.domain.name}' to come to {call.operator} "
        f"on window '{window.name}'"
    )


@dataclass(frozen=True)
class Brought:
    """What a rank brings to a collective and all must bring alike, in words."""

    who: str
    operator: str
    blocks: int
    options: str
    types: Mapping[str, str]

    @classmethod
    def of(cls, who: str, call: Call, operands: Operands) -> "Brought":
        options = ", ".join(f"{key} = {value}" for key, value in call.options.items())
        types = {
            role: f"{shown(array.shape)} of {array.dtype}"
            for role, array in operands.arrays.items()
        }
        return cls(who, call.operator, call.blocks, options, types)

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
    message = f"{first.who} and {other.who} meet on one signal with {difference}"
    raise FindingsError([Finding(other_op, message, (Note(f"{first.who} is here", op),))])
