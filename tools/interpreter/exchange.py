"""
The meeting of all ranks of a domain in one collective, and who executes it.

A rank that comes to a collective, written as such or lowered to a builtin kernel's call or to a
dispatch of the host rail, brings its operands and waits. They meet by the memory of their signal,
as on a card. The last to come has an `Engine` execute the exchange, and all go on.

`Engine` is the seam between the operators' meaning and the kernels that are shipped: the reference
engine runs the numpy statements in `collectives`; another may run a kernel's compiled source on the
same arrays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.values import shown
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.memory import Array, Domain, WindowBuffer, address
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

    def __init__(self, message: str, remarks: Sequence[str]):
        super().__init__(message)
        self.remarks = remarks


class Engine(Protocol):
    """Owns the memory of windows, and executes exchanges."""

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> Sequence[Array]:
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
    agent: "Agent"
    call: Call
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
        if meeting.arrivals:
            _compare(next(iter(meeting.arrivals.values())), _Arrival(agent, call, operands, op))
        meeting.arrivals[rank] = _Arrival(agent, call, operands, op)
        with agent.span(call.operator, "collective", op) as span:
            span["bytes"] = sent(call, operands, rank, window.domain.size)
            agent.counters.sent(call, span["bytes"])
            if not meeting.missing():
                del self._open[key]
                ranks = [meeting.arrivals[r].operands for r in range(window.domain.size)]
                self._engine.run(Exchange(call, ranks))
                meeting.over = True
            agent.wait(Waiting(lambda: meeting.over, lambda: _absent(call, meeting), op))


def _absent(call: Call, meeting: _Meeting) -> str:
    missing = meeting.missing()
    ranks = ", ".join(map(str, missing))
    who = "rank" if len(missing) == 1 else "ranks"
    return (
        f"{who} {ranks} of '{meeting.window.domain.name}' to come to {call.operator} on window "
        f"'{meeting.window.name}'"
    )


def _compare(first: _Arrival, other: _Arrival) -> None:
    """Raises FindingsError where two ranks do not bring the same to a collective."""
    difference: str | None = None
    if first.call.operator != other.call.operator:
        difference = f"{first.call.operator} and {other.call.operator}"
    elif first.call.blocks != other.call.blocks:
        difference = f"{first.call.blocks} and {other.call.blocks} blocks"
    elif first.call.options != other.call.options:
        difference = f"{_listed(first.call.options)} and {_listed(other.call.options)}"
    else:
        for role, array in first.operands.arrays.items():
            theirs = other.operands.arrays[role]
            if (array.shape, array.dtype) != (theirs.shape, theirs.dtype):
                difference = f"{role} {_type(array)} and {role} {_type(theirs)}"
                break
    if difference is None:
        return
    raise FindingsError(
        [
            Finding(
                other.op,
                f"{first.agent.name} and {other.agent.name} meet on one signal with {difference}",
                (Note(f"{first.agent.name} is here", first.op),),
            )
        ]
    )


def _listed(options: Mapping[str, str | int]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in options.items())


def _type(array: Array) -> str:
    return f"{shown(array.shape)} of {array.dtype}"
