"""
The fewest edges among nodes of a task graph that keep the order of all candidates.

An edge is superfluous if a path orders the same two nodes and every node on the path runs whenever
they do: it stands in the block of one of the two, or in a block around it, or in a branch of the
same condition. Sets of nodes are bit masks, so that 10,000 tasks on one buffer take no noticeable
time.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue


class Candidates(NamedTuple):
    """Whom nodes, numbered in text order, may have to wait for."""

    nodes: Sequence[Operation]
    forward: Mapping[int, Sequence[int]]
    """Earlier in the text, in the same iteration of all loops around both."""
    carried: Mapping[int, Mapping[int, Collection[Operation]]]
    """In an earlier iteration, of the loops named."""
    written: Mapping[int, Sequence[int]]
    """Whom the program itself says: these hold, and are no edges of ours."""


def reduce(candidates: Candidates, tasks: Collection[int]) -> Mapping[int, Sequence[int]]:
    """Whom each task waits for; nodes that are no tasks hand on whom they wait for."""
    candidates = _through_steps(candidates, tasks)
    order = _Order(candidates)
    kept: dict[int, Sequence[int]] = {}
    for node in candidates.forward:
        befores = (*order.forward(node), *order.carried(node))
        if befores:
            kept[node] = sorted(set(befores))
    return kept


Scope = Block | tuple[SSAValue, bool]
"""What decides whether and how often a node runs: a block, or a side of a condition."""


class Scopes:
    """The scopes around blocks: a node runs whenever another does if its scopes are among them."""

    def __init__(self):
        self._around: dict[Block | None, frozenset[Scope]] = {None: frozenset()}

    def around(self, block: Block | None) -> frozenset[Scope]:
        pending = [block]
        while pending:
            current = pending[-1]
            if current is None or current in self._around:
                pending.pop()
                continue
            outer = _runs_before(current) or current.parent_block()
            if outer in self._around:
                self._around[current] = self._around[outer] | {scope_of(current)}
            else:
                pending.append(outer)
        return self._around[block]


def scope_of(block: Block) -> Scope:
    around = block.parent_op()
    if isinstance(around, scf.IfOp):
        return around.cond, block.parent_region() is around.true_region
    return block


class _Order:
    def __init__(self, candidates: Candidates):
        self._candidates = candidates
        self._blocks = [op.parent for op in candidates.nodes]
        self._scopes = Scopes()
        self._before: list[int] = []
        """Per node, those whose latest instance is done before it."""
        self._earlier: dict[Operation, dict[int, int]] = {}
        """Per loop and node, those that are done with the iteration before when it starts."""
        self._inside = self._masks()
        for node in range(len(self._blocks)):
            before = self._covered(node)
            for other in self._waits(node):
                before |= 1 << other
            self._before.append(before)

    def _covered(self, node: int) -> int:
        """The nodes from which a path over others leads to `node`."""
        covered = 0
        for other in self._waits(node):
            covered |= self._handed_on(other, sure=self._is_sure(other, node))
        return covered

    def _handed_on(self, node: int, *, sure: bool) -> int:
        """
        Who is done before those that wait for `node`: all it waits for if it is `sure` to run, or
        else those in its own scopes, behind which it runs.
        """
        before = self._before[node]
        if not sure:
            for scope in self._scopes.around(self._blocks[node]):
                before &= self._inside[scope]
        return before

    def _masks(self) -> Mapping[Scope, int]:
        """The nodes in each scope."""
        inside: dict[Scope, bytearray] = {}
        for node, block in enumerate(self._blocks):
            for scope in self._scopes.around(block):
                bits = inside.setdefault(scope, bytearray(len(self._blocks) // 8 + 1))
                bits[node // 8] |= 1 << node % 8
        return {scope: int.from_bytes(bits, "little") for scope, bits in inside.items()}

    def _waits(self, node: int) -> Sequence[int]:
        found = self._candidates.forward.get(node, ())
        return (*found, *self._candidates.written.get(node, ()))

    def _is_sure(self, other: int, node: int) -> bool:
        """Whether `other`, which stands before `node`, runs whenever `node` does."""
        scopes = self._scopes
        return scopes.around(self._blocks[other]) <= scopes.around(self._blocks[node])

    def forward(self, node: int) -> Sequence[int]:
        """The forward edges that are needed."""
        covered = self._covered(node)
        written = self._candidates.written.get(node, ())
        return [
            other
            for other in self._candidates.forward[node]
            if not covered >> other & 1 and other not in written
        ]

    def carried(self, node: int) -> Sequence[int]:
        """The edges from earlier iterations that are needed."""
        found = self._candidates.carried.get(node, {})
        loops = {loop for each in found.values() for loop in each}
        covered = {loop: self._covered_around(node, loop) for loop in loops}
        return [
            other
            for other, loops in found.items()
            if not self._before[node] >> other & 1
            and not (loops and all(covered[loop] >> other & 1 for loop in loops))
        ]

    def _covered_around(self, node: int, loop: Operation) -> int:
        """The nodes from whose instance in the iteration before another path leads to `node`."""
        covered = 0
        for other in self._waits(node):
            if self._is_sure(other, node):
                covered |= self._from_before(other, loop)
        for other, loops in self._candidates.carried[node].items():
            if loop in loops:
                covered |= self._handed_on(other, sure=self._is_direct(other, loop))
        return covered

    def _is_direct(self, node: int, loop: Operation) -> bool:
        block = self._blocks[node]
        return block is not None and block.parent_op() is loop

    def _from_before(self, node: int, loop: Operation) -> int:
        """The nodes whose instance in the iteration before of `loop` is done before `node`."""
        known = self._earlier.setdefault(loop, {})
        pending = [node]
        while pending:
            current = pending[-1]
            if current in known or not loop.is_ancestor(self._candidates.nodes[current]):
                known.setdefault(current, 0)
                pending.pop()
                continue
            sure = [each for each in self._waits(current) if self._is_sure(each, current)]
            if missing := [each for each in sure if each not in known]:
                pending += missing
                continue
            mask = 0
            for each in sure:
                mask |= known[each]
            for each, loops in self._candidates.carried.get(current, {}).items():
                if loop in loops:
                    mask |= 1 << each
                    mask |= self._handed_on(each, sure=self._is_direct(each, loop))
            known[current] = mask
            pending.pop()
        return known[node]


def _runs_before(block: Block) -> Block | None:
    """The block of the same loop that has always run before this one."""
    loop = block.parent_op()
    if isinstance(loop, scf.WhileOp) and block.parent_region() is loop.after_region:
        return loop.before_region.block
    return None


def _through_steps(candidates: Candidates, tasks: Collection[int]) -> Candidates:
    """Replaces each node that is no task by those that it waits for."""
    if len(tasks) == len(candidates.nodes):
        return candidates
    forward: dict[int, Sequence[int]] = {}
    carried: dict[int, dict[int, Collection[Operation]]] = {}
    for node in candidates.forward:
        if node not in tasks:
            continue
        ahead = dict.fromkeys(n for n in candidates.forward[node] if n in tasks)
        again = {n: c for n, c in candidates.carried.get(node, {}).items() if n in tasks}
        steps = [n for n in candidates.forward[node] if n not in tasks]
        steps += [n for n in candidates.carried.get(node, {}) if n not in tasks]
        for other in _behind(steps, candidates, tasks):
            if other < node:
                ahead[other] = None
            else:
                again.setdefault(other, ())
        forward[node] = list(ahead)
        carried[node] = again
    return Candidates(candidates.nodes, forward, carried, candidates.written)


def _behind(steps: Sequence[int], candidates: Candidates, tasks: Collection[int]) -> Iterable[int]:
    found: dict[int, None] = {}
    pending, seen = list(steps), set(steps)
    while pending:
        step = pending.pop()
        waits = (*candidates.forward.get(step, ()), *candidates.carried.get(step, ()))
        for other in waits:
            if other in tasks:
                found[other] = None
            elif other not in seen:
                seen.add(other)
                pending.append(other)
    return found
