"""
A collective of all ranks of a domain, and who executes it.

`Engine` is the seam between the operators' meaning and the kernels that are shipped: it owns the
windows' memory and executes exchanges. The reference engine runs the numpy statements in
`collectives`; another may run a kernel's compiled source on the same memory. An engine that checks
order is also told what the interpreter does to windows by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.tools.interpreter.memory import Array, CommCtx, Domain, WindowBuffer

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
    contexts: Mapping[str, CommCtx]
    """The contexts that were passed for them."""


@dataclass(frozen=True, eq=False)
class Visit:
    """A rank's coming to a collective."""

    call: Call
    operands: Operands
    device: int
    domain: Domain
    op: Operation


@dataclass(frozen=True, eq=False)
class Exchange:
    """A collective that all ranks of a domain have come to."""

    visits: Sequence[Visit]
    """By rank in the domain."""

    @property
    def call(self) -> Call:
        return self.visits[0].call

    @property
    def ranks(self) -> Sequence[Operands]:
        return [visit.operands for visit in self.visits]

    def of(self, role: str) -> Sequence[Array]:
        """The arrays of all ranks in a role."""
        return [visit.operands.arrays[role] for visit in self.visits]


class EngineError(InterpretationError):
    """What an engine found wrong in an exchange: the first of it, and remarks on the rest."""

    def __init__(self, message: str, remarks: Sequence[str], *, waited: bool = False):
        super().__init__(message)
        self.remarks = remarks
        self.waited = waited
        """Whether it is a wait that took too long."""


@dataclass(frozen=True)
class Ran:
    """A stretch of time of a block of a launch, for the timeline; seconds of perf_counter."""

    block: int
    name: str
    kind: str
    start: float
    end: float


class Launch(Protocol):
    """One rank's part of an exchange, under way."""

    def over(self) -> bool: ...

    def collect(self) -> None:
        """Called once it is over. Raises what the engine found wrong."""
        ...

    @property
    def waited(self) -> float:
        """Seconds that a block waited on average; known when it is over."""
        ...

    @property
    def ran(self) -> Sequence[Ran]:
        """What its blocks did, where a timeline is wanted."""
        ...


class Engine(Protocol):
    """Owns the memory of windows, and executes exchanges."""

    def open(self, ranks: int, timeline: bool) -> None:
        """Called before a run: how many devices there are, and whether times are to be kept."""

    def close(self) -> None:
        """Called after a run, however it ended."""

    def finish(self) -> None:
        """Called when the program has ended well. Raises what is wrong at the end."""

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

    def start(self, visit: Visit) -> Launch | None:
        """
        Starts one rank's part of an exchange; None for collectives that are run when all ranks
        have come. Raises InterpretationError when it cannot.
        """
        return None

    def idle(self) -> None:
        """Waits a while for launches under way: no rank can do anything before one ends."""

    def admit(self, launched: str, blocks: int, *, sync_start: bool, waits: bool) -> None:
        """
        Whether a card could launch `blocks` of what is `launched` there; `waits` says that its
        blocks wait for something. Raises InterpretationError where it could not.
        """

    # What pipelines and kernels do to windows by themselves. A device is None for the host body.

    def accessed(self, device: int, array: Array, *, write: bool) -> None:
        """A device reads or writes a window, its own or a peer's."""

    def notify(self, device: int, cell: Array, value: int, *, add: bool) -> None:
        """A device adds to a cell of a signal, or sets it."""
        cell[...] = cell + value if add else value

    def read(self, part: Array) -> Array:
        """A copy of a part of a window, which may be a peer's."""
        return part.copy()

    def write(self, part: Array, payload: Array) -> None:
        """Overwrites a part of a window, which may be a peer's."""
        part[...] = payload

    def add(self, part: Array, payload: Array) -> None:
        """Adds to a part of a window, each element in one indivisible step."""
        part += payload

    def awaited(self, device: int, cell: Array) -> None:
        """A device has seen the value of a cell that it waited for, or looks at a signal."""

    def ordered(self, before: int | None, after: int | None) -> None:
        """All that one did comes before what the other will do."""
