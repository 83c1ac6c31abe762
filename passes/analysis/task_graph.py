"""
The task graph of one orchestration: which task has to wait for which.

Reads   `arg_directions`, `deps`, the places of arguments (`buffers`), loops and branches.
Decides the fewest edges that order all hazards: read after write, write after read, write after
        write, on memory that may be the same.
Changes nothing.

What an edge n -> m says: *an instance of m waits for the latest instance of n that was submitted
before it, if there is one*. A task in a loop has one instance an iteration, one in a branch has
none where the other branch is taken. So an edge may lead from a task to itself, or to one before
it in the text: that one waits for the iteration before. From this follows what is bounded:

* The iterations of a sequential loop that write one place wait for each other, so the latest stands
  for all. Those that only read it do not, unless a task that stands directly in the loop's body
  writes there: it waits for the reader of its iteration, and the next reader for it.
* Where a hazard leads out of such a loop, or from one of its iterations to a later one, and the
  instances do not wait for each other (readers alone; a parallel loop), no fixed set of edges
  orders it. Then no edge touches any task in that loop: the run-time task map orders them, from
  their directions. The same holds for regions of ops that we do not know, and for functions with
  several blocks.
* A path orders two tasks only if what lies on it runs whenever one of them does: a writer in a
  branch, or in a loop that may have no iteration, replaces no edge around it, except between tasks
  under the same condition.
* Tasks under many different conditions may each have to wait for all others. An orchestration with
  more hazards than EDGES_PER_NODE a task is left to the run-time task map as a whole.

Source: neighbours, auto-derive-task-dependencies.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_pld.dialects.pl.attributes import is_parallel
from xdsl_pld.dialects.pl.call import CallLikeOp, CallOp, SubmitOp, TaskDummyOp, call_like_ops
from xdsl_pld.dialects.traits import AliasesOperand, WritesBack
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.passes.analysis.buffers import FunctionBuffers
from xdsl_pld.passes.analysis.live_accesses import Access, LiveAccesses
from xdsl_pld.passes.analysis.regions import Region
from xdsl_pld.passes.analysis.task_order import Candidates, Scope, Scopes, reduce

EDGES_PER_NODE = 64
EDGES_AT_LEAST = 4096
"""An orchestration in which more hazards meet than this is left to the run-time task map."""

_READING = ("input", "inout")
_WRITING = ("output", "output_existing", "inout")


class HazardKind(StrEnum):
    """Why a later access waits for an earlier one."""

    RAW = "RAW"
    WAR = "WAR"
    WAW = "WAW"


class Hazard(NamedTuple):
    """What two tasks have in common; no buffer where it may be any."""

    kind: HazardKind
    root: SSAValue | None


@dataclass(frozen=True)
class Edge:
    """The task of number `after` waits for the latest earlier instance of `before`."""

    before: int
    after: int
    hazards: tuple[Hazard, ...]
    carried: bool
    """Whether it can only be an instance from an earlier iteration."""


@dataclass
class TaskGraph:
    """The tasks of a function, in text order, and the edges that order their hazards."""

    tasks: list[CallLikeOp] = field(default_factory=list[CallLikeOp])
    edges: list[Edge] = field(default_factory=list[Edge])
    unbounded: list[Operation] = field(default_factory=list[Operation])
    """The ops whose tasks have no edges: the run-time task map orders them."""


def task_graph(function: FuncOp, buffers: FunctionBuffers) -> TaskGraph:
    """The task graph of an orchestration whose calls have directions."""
    graph = TaskGraph(list(call_like_ops(function)))
    if len(function.body.blocks) != 1:
        graph.unbounded = [function] if graph.tasks else []
        return graph
    try:
        builder = _Builder(function, buffers)
    except _TooManyEdges:
        graph.unbounded = [function]
        return graph
    numbers = {builder.nodes[task]: number for number, task in enumerate(graph.tasks)}
    graph.unbounded = list(builder.unbounded)
    for after, befores in reduce(builder.candidates(), numbers.keys()).items():
        hazards = builder.hazards[after]
        for before in befores:
            found = tuple(sorted(hazards.get(before, ()), key=lambda h: h.kind))
            carried = not builder.is_ahead(before, after)
            graph.edges.append(Edge(numbers[before], numbers[after], found, carried))
    graph.edges.sort(key=lambda edge: (edge.after, edge.before))
    return graph


class _TooManyEdges(Exception):
    """The hazards of an orchestration are too many to write down."""


class _Builder:
    """
    Walks a function and notes for each node (a task, or an op in between that moves data) whom it
    may have to wait for.
    """

    def __init__(self, function: FuncOp, buffers: FunctionBuffers):
        self.nodes: dict[Operation, int] = {}
        self.hazards: dict[int, dict[int, dict[Hazard, None]]] = {}
        self.unbounded: dict[Operation, None] = {}
        self._buffers = buffers
        self._accesses: list[Sequence[Access]] = []
        self._holding: set[Operation] = set()
        """The ops with a node somewhere inside."""
        self._forward: dict[int, dict[int, None]] = {}
        self._carried: dict[int, dict[int, dict[Operation, None]]] = {}
        self._left: dict[Operation, Sequence[Access]] = {}
        """What a loop leaves behind, once known."""
        self._live = LiveAccesses()
        self._recording = True
        self._scopes = Scopes()
        self._blocks: list[Block | None] = []
        self._met = 0
        for op in function.body.walk():
            if _is_task(op) or _moves_data(op):
                self._add_node(op)
        self._visit(function.body.block)

    def _add_node(self, op: Operation) -> None:
        node = len(self.nodes)
        self.nodes[op] = node
        self._blocks.append(op.parent)
        accesses = _of_task if isinstance(op, CallOp | SubmitOp) else _of_step
        self._accesses.append(
            [
                Access(node, root, region, writes, reads)
                for value, reads, writes in accesses(op, self._buffers)
                for root, region in _parts(self._buffers, value)
            ]
        )
        around = op.parent_op()
        while around is not None and around not in self._holding:
            self._holding.add(around)
            around = around.parent_op()

    # The walk

    def _visit(self, block: Block) -> None:
        for op in block.ops:
            if op in self.nodes:
                self._visit_node(self.nodes[op])
            elif op not in self._holding:
                continue
            elif isinstance(op, scf.IfOp):
                self._visit_if(op)
            elif isinstance(op, scf.ForOp | scf.WhileOp):
                self._visit_loop(op)
            else:
                self.unbounded[op] = None
                self._add_all(replace(access, loose=op) for access in self._inside(op))

    def _visit_node(self, node: int) -> None:
        met = [(access, self._live.conflicting(access)) for access in self._accesses[node]]
        self._met += sum(len(conflicting) for _, conflicting in met)
        if self._met > EDGES_PER_NODE * len(self.nodes) + EDGES_AT_LEAST:
            raise _TooManyEdges
        for access, conflicting in met:
            if self._recording:
                for earlier in conflicting:
                    self._note(earlier, access)
            if access.writes:
                self._live.settle(access, conflicting)
        self._add_all(self._accesses[node])

    def _note(self, earlier: Access, later: Access) -> None:
        if self._never_both(earlier, later):
            return
        if earlier.loose is not None:
            self.unbounded[earlier.loose] = None
            return
        if earlier.carried is None:
            self._forward.setdefault(later.node, {})[earlier.node] = None
        else:
            loops = self._carried.setdefault(later.node, {}).setdefault(earlier.node, {})
            loops[earlier.carried] = None
        hazard = Hazard(_kind(earlier, later), earlier.root or later.root)
        self.hazards.setdefault(later.node, {}).setdefault(earlier.node, {})[hazard] = None

    def _never_both(self, earlier: Access, later: Access) -> bool:
        """Whether two accesses of one iteration stand on opposite sides of a condition."""
        around = self._scopes.around(self._blocks[later.node])
        return earlier.carried is None and any(
            not isinstance(scope, Block) and (scope[0], not scope[1]) in around
            for scope in self._scopes.around(self._blocks[earlier.node])
        )

    def _visit_if(self, op: scf.IfOp) -> None:
        """
        Behind it is alive what one branch has left alive, but for what was made under the same
        condition as the branch that settles it.
        """
        mark = self._live.mark()
        branches: list[tuple[list[Access], list[Access]]] = []
        for region in op.regions:
            for block in region.blocks:
                self._visit(block)
            branches.append(self._live.undo(mark))
        (came, gone), (other_came, other_gone) = branches
        settled = set(gone) & set(other_gone)
        for side, accesses in ((True, gone), (False, other_gone)):
            settled.update(a for a in accesses if self._is_under(a, (op.cond, side)))
        for access in (*gone, *other_gone):
            if access in settled:
                self._live.remove(access)
        self._add_all((*came, *other_came))

    def _is_under(self, access: Access, scope: Scope) -> bool:
        """Whether an access of this iteration was made only if a condition had this side."""
        around = self._scopes.around(self._blocks[access.node])
        return access.carried is None and scope in around

    def _visit_loop(self, op: scf.ForOp | scf.WhileOp) -> None:
        """Behind it is alive what was before it, too: it may have no iteration."""
        left = self._inside(op)
        if self._recording:
            mark = self._live.mark()
            if _is_sequential(op):
                self._add_all(replace(access, carried=op) for access in left)
            for region in op.regions:
                self._visit(region.block)
            self._live.undo(mark)
        self._add_all(left)

    def _inside(self, op: Operation) -> Sequence[Access]:
        """The accesses in an op's regions that are alive at their end, seen from behind it."""
        if op in self._left:
            return self._left[op]
        outer, self._live = self._live, LiveAccesses()
        recording, self._recording = self._recording, False
        for region in op.regions:
            for block in region.blocks:
                self._visit(block)
        left, self._live, self._recording = list(self._live), outer, recording
        ordered = _Ordered(op, self.nodes, self._accesses)
        self._left[op] = [
            access
            if access.loose is not None or ordered.holds(access)
            else replace(access, loose=op)
            for access in left
        ]
        return self._left[op]

    def _add_all(self, accesses: Iterable[Access]) -> None:
        for access in accesses:
            self._live.add(access)

    # What comes of it

    def is_ahead(self, before: int, after: int) -> bool:
        """Whether a node has to wait for another in the same iteration."""
        through = before not in self._carried.get(after, {})
        return before < after and (through or before in self._forward.get(after, {}))

    def candidates(self) -> Candidates:
        """Whom each node may have to wait for, those left to the task map taken out."""
        dropped = {
            self.nodes[op]
            for unbounded in self.unbounded
            for op in unbounded.walk()
            if op in self.nodes
        }
        forward: dict[int, Sequence[int]] = {}
        carried: dict[int, Mapping[int, Collection[Operation]]] = {}
        for node in self.nodes.values():
            if node in dropped:
                continue
            forward[node] = [n for n in self._forward.get(node, ()) if n not in dropped]
            found = self._carried.get(node, {})
            carried[node] = {n: loops for n, loops in found.items() if n not in dropped}
        written = {
            node: [self.nodes[task] for task in submits_behind(op.deps) if task in self.nodes]
            for op, node in self.nodes.items()
            if isinstance(op, SubmitOp)
        }
        return Candidates(list(self.nodes), forward, carried, written)


class _Ordered:
    """Tells whose instances in the iterations of a loop wait for each other."""

    def __init__(
        self, op: Operation, nodes: Mapping[Operation, int], accesses: Sequence[Sequence[Access]]
    ):
        self._sequential = _is_sequential(op)
        self._direct = LiveAccesses()
        """The writes of the nodes that run in every iteration."""
        for region in op.regions if self._sequential else ():
            for inner in region.block.ops:
                for access in accesses[nodes[inner]] if inner in nodes else ():
                    if access.writes:
                        self._direct.add(access)

    def holds(self, access: Access) -> bool:
        if not self._sequential:
            return False
        return access.writes or bool(self._direct.conflicting(access))


def _is_sequential(op: Operation) -> bool:
    return isinstance(op, scf.WhileOp) or (isinstance(op, scf.ForOp) and not is_parallel(op))


def _kind(earlier: Access, later: Access) -> HazardKind:
    if not earlier.writes:
        return HazardKind.WAR
    return HazardKind.RAW if later.reads else HazardKind.WAW


# Nodes and their accesses


def _is_task(op: Operation) -> bool:
    return isinstance(op, CallOp | SubmitOp)


def _moves_data(op: Operation) -> bool:
    """Whether an op that is no task writes one tensor from others: who reads it waits for them."""
    return isinstance(op.get_trait(AliasesOperand), WritesBack) and (
        sum(is_tensor_like(operand.type) for operand in op.operands) > 1
    )


_Touched = tuple[SSAValue, bool, bool]
"""A value, whether it is read, whether it is written."""


def _of_task(op: Operation, buffers: FunctionBuffers) -> Iterator[_Touched]:
    assert isinstance(op, CallOp | SubmitOp)
    given = op.arg_directions
    for index, argument in enumerate(op.arguments):
        if is_tensor_like(argument.type):
            entry = "inout" if given is None else given.data[index].data
            if entry in _READING or entry in _WRITING:
                yield argument, entry in _READING, entry in _WRITING
    for result in op.callee_results:
        # An output that the runtime allocates, or memory of the callee's own.
        if is_tensor_like(result.type) and result in buffers.places(result).areas:
            yield result, False, True


def _of_step(op: Operation, buffers: FunctionBuffers) -> Iterator[_Touched]:
    trait = op.get_trait(AliasesOperand)
    assert trait is not None
    destination = trait.source(op)
    for operand in op.operands:
        if is_tensor_like(operand.type):
            yield operand, operand is not destination, operand is destination


def _parts(
    buffers: FunctionBuffers, value: SSAValue
) -> Iterator[tuple[SSAValue | None, Region | None]]:
    places = buffers.places(value)
    if places.anywhere:
        yield None, None
        return
    for root, area in places.areas.items():
        if area.region is None or not area.region.empty:
            yield root, area.region


def submits_behind(ids: Iterable[SSAValue]) -> Iterator[SubmitOp]:
    """The submits that task ids stand for, as far as they are no matter of control flow."""
    pending, seen = list(ids), set[SSAValue]()
    while pending:
        task_id = pending.pop()
        if task_id in seen or not isinstance(task_id, OpResult):
            continue
        seen.add(task_id)
        if isinstance(task_id.op, SubmitOp):
            yield task_id.op
        elif isinstance(task_id.op, TaskDummyOp):
            pending += task_id.op.deps
