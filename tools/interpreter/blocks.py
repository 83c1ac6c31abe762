"""
Launches of several blocks: the kernel's body runs once a block, each with its own `block_idx`.

With `sync_start` all blocks are admitted at once: each is an agent with an interpreter and a thread
of its own, so they may wait for each other. Without it nothing says that they are: they run one
after another, which is what happens on a chip with one free core, so a block that waits for a later
one of its launch is found as a deadlock. Blocks share the memory that the launch was given.

Sources: design.md, Calls; runtime-abi, Chip orchestration; field-cases (pypto #1935).
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.tools.interpreter.machine import Agent, Block
from xdsl_pld.tools.interpreter.memory import Array, DistTensor, address
from xdsl_pld.tools.interpreter.report import SpanDetails
from xdsl_pld.tools.interpreter.scheduler import Waiting

MOST_AT_ONCE = 1024
"""How many blocks are admitted at once; chips have some 50 cores."""


def launch(
    agent: Agent,
    op: Operation,
    callee: FuncOp,
    arguments: Sequence[Any],
    blocks: int,
    *,
    sync_start: bool,
) -> PythonValues:
    """
    Runs a kernel's body as `blocks` blocks; returns what they all return.

    Raises InterpretationError where the blocks return different things.
    """
    if blocks == 1:
        return agent.call(op, callee, arguments)
    run = _at_once if sync_start else _one_by_one
    return run(agent, op, callee, arguments, blocks)


def require_one_block(agent: Agent, what: str) -> None:
    """Raises InterpretationError for a step that a launch takes once, not once a block."""
    if (count := agent.block.count) > 1:
        raise InterpretationError(
            f"each of the {count} blocks of this launch comes to {what}: launch the kernel that "
            "holds it with one block"
        )


def _one_by_one(
    agent: Agent, op: Operation, callee: FuncOp, arguments: Sequence[Any], blocks: int
) -> PythonValues:
    outer = agent.name
    first: PythonValues = ()
    for index in range(blocks):
        block = Block(index, blocks)
        agent.become(block, f"{outer}, block {index} of {blocks}", " (no sync_start)")
        results = agent.call(op, callee, arguments)
        first = results if index == 0 else _agreed(callee, first, results, block)
    # Not where an error passes: its report names the block.
    agent.become(Block(0, 1), outer)
    return first


def _at_once(
    agent: Agent, op: Operation, callee: FuncOp, arguments: Sequence[Any], blocks: int
) -> PythonValues:
    if blocks > MOST_AT_ONCE:
        raise InterpretationError(
            f"sync_start admits all {blocks} blocks at once, pld-run at most {MOST_AT_ONCE}; "
            "no chip has so many cores"
        )
    runs = [_BlockRun(agent, Block(index, blocks)) for index in range(blocks)]
    for run in runs:
        run.begin(op, callee, arguments)
    name = callee.sym_name.data
    over = Waiting(
        lambda: all(run.task.finished for run in runs), lambda: f"the blocks of @{name}", op
    )
    agent.wait(over, idle=True)
    first = runs[0].results
    for run in runs:
        run.end(agent)
        first = _agreed(callee, first, run.results, run.block)
    return first


class _BlockRun(Agent):
    """One block of a launch whose blocks run at once."""

    def __init__(self, parent: Agent, block: Block):
        super().__init__(parent.machine, parent.device)
        self.block = block
        self.name = f"{parent.name}, block {block.index} of {block.count}"
        self.counters = parent.counters
        self.in_task = True
        self.results: PythonValues = ()
        self._calls = list(parent._calls)
        self._before = self._steps = parent._steps

    def begin(self, op: Operation, callee: FuncOp, arguments: Sequence[Any]) -> None:
        """Lets the block run beside the others."""

        def body() -> None:
            self.results = self.call(op, callee, arguments)

        self.start(body)

    def end(self, parent: Agent) -> None:
        """After its end: counts its operations to its rank's."""
        parent._steps += self._steps - self._before
        self.machine.scheduler.remove(self.task)

    @contextmanager
    def span(self, name: str, kind: str, op: Operation) -> Generator[SpanDetails]:
        """A lane shows one thing at a time: block 0's."""
        if self.block.index > 0:
            yield {}
            return
        with super().span(name, kind, op) as details:
            yield details


def _agreed(callee: FuncOp, first: PythonValues, other: PythonValues, block: Block) -> PythonValues:
    """What block 0 returned, which `other` must return too."""
    for index, (mine, theirs) in enumerate(zip(first, other, strict=True)):
        if not _same(mine, theirs):
            raise InterpretationError(
                f"result {index} of @{callee.sym_name.data} differs between block 0 and block "
                f"{block.index}: a launch of several blocks returns what they share, a tensor "
                "that it was given"
            )
    return first


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, DistTensor) and isinstance(right, DistTensor):
        return left.window is right.window and _one_view(left.array, right.array)
    if isinstance(left, DistTensor) or isinstance(right, DistTensor):
        return False
    if hasattr(left, "__array_interface__"):
        return _one_view(left, right)
    return bool(left == right)


def _one_view(left: Array, right: Array) -> bool:
    return (address(left), left.shape, left.strides) == (
        address(right),
        right.shape,
        right.strides,
    )
