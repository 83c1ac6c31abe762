"""The edges of auto-derive-task-dependencies against an oracle that knows no compiler."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.dialects.scf import Scf
from xdsl.parser import Parser

from tests.passes.task_programs import (
    Instance,
    Node,
    Piece,
    Runner,
    Task,
    bodies,
    flat,
    tasks,
    text_of,
)
from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pl.call import call_like_ops
from xdsl_pld.passes.analysis.buffers import Buffers
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.task_graph import TaskGraph, task_graph
from xdsl_pld.passes.auto_derive_task_dependencies import AutoDeriveTaskDependenciesPass

CTX = Context()
for dialect in (Builtin, Func, Arith, Scf, PL):
    CTX.load_dialect(dialect)


def parse(nodes: Sequence[Node]) -> ModuleOp:
    module = Parser(CTX, text_of(nodes)).parse_module()
    module.verify()
    return module


def graph_of(module: ModuleOp) -> TaskGraph:
    *_, function = functions(module)
    return task_graph(function, Buffers().of(function))


def waits_of(graph: TaskGraph) -> Mapping[int, list[int]]:
    waits: dict[int, list[int]] = {n: [] for n in range(len(graph.tasks))}
    for edge in graph.edges:
        waits[edge.after].append(edge.before)
    return waits


def left_to_the_task_map(graph: TaskGraph) -> set[int]:
    inside = {task for op in graph.unbounded for task in call_like_ops(op)}
    return {number for number, task in enumerate(graph.tasks) if task in inside}


def may_conflict(left: Task, right: Task) -> bool:
    """
    Whether two tasks may touch one element, one of them writing. The compiler may take two pieces
    with gaps, seen under different shapes, for all that lies between their ends.
    """
    return any(
        (mine.writes or other.writes) and may_meet(mine.piece, other.piece)
        for mine in left.uses
        for other in right.uses
    )


def may_meet(left: Piece, right: Piece) -> bool:
    if left.buffer != right.buffer:
        return False
    if left.dynamic or right.dynamic:
        return True
    mine, other = left.elements(), right.elements()
    return bool(filled(mine) & filled(other)) if viewed(left, right) else bool(mine & other)


def viewed(left: Piece, right: Piece) -> bool:
    """Whether both have gaps, and not in the same frame."""
    kinds = {kind for piece in (left, right) for kind, _, _ in piece.steps}
    gaps = all(p.elements() != filled(p.elements()) for p in (left, right))
    return gaps and "view" in kinds


def filled(elements: frozenset[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    numbers = [number for _, number in elements]
    buffer = next(iter(elements))[0]
    return frozenset((buffer, n) for n in range(min(numbers), max(numbers) + 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(tasks(), min_size=2, max_size=14))
def test_straight_line(sequence: Sequence[Task]):
    waits = waits_of(graph_of(parse(sequence)))
    before: list[set[int]] = []
    for number, task in enumerate(sequence):
        assert all(may_conflict(sequence[n], task) for n in waits[number])
        over = set[int]().union(*(before[n] for n in waits[number]))
        assert over.isdisjoint(waits[number]), "an edge that a path replaces"
        before.append(over.union(waits[number]))
        trace = [Runner(lambda _: None).run([each])[0] for each in (*sequence[:number], task)]
        for earlier in range(number):
            if trace[earlier].conflicts(trace[number]):
                assert earlier in before[number]


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_loops_and_branches(data: st.DataObject):
    nodes = data.draw(bodies())
    graph = graph_of(parse(nodes))
    waits, unbounded = waits_of(graph), left_to_the_task_map(graph)
    statics = list(flat(nodes))
    for number, befores in waits.items():
        assert number not in unbounded or not befores
        assert unbounded.isdisjoint(befores)
        assert all(may_conflict(statics[before], statics[number]) for before in befores)
    trace = Runner(data.draw).run(nodes)
    check_order(trace, waits, unbounded)


def check_order(trace: Sequence[Instance], waits: Mapping[int, Sequence[int]], unbounded: set[int]):
    """Each instance waits for the latest ones: do these edges order all that conflicts?"""
    latest: dict[int, int] = {}
    before: list[set[int]] = []
    for place, instance in enumerate(trace):
        done = set[int]()
        for number in waits[instance.number]:
            if number in latest:
                done |= before[latest[number]] | {latest[number]}
        before.append(done)
        latest[instance.number] = place
        if instance.number in unbounded:
            continue
        for earlier in range(place):
            if trace[earlier].number not in unbounded and trace[earlier].conflicts(instance):
                assert earlier in done, (trace[earlier], instance)


@settings(max_examples=15, deadline=None)
@given(bodies())
def test_a_second_run_changes_nothing(nodes: Sequence[Node]):
    module = parse(nodes)
    AutoDeriveTaskDependenciesPass().apply(CTX, module)
    module.verify()
    once = str(module)
    AutoDeriveTaskDependenciesPass().apply(CTX, module)
    assert str(module) == once


@pytest.mark.parametrize("callees_first", [True, False])
def test_long_chains_of_calls(callees_first: bool):
    """Returns that must be traced, 400 calls deep: no recursion of our own."""
    head = "(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1) -> tensor<8xf32>"
    kind = 'attributes {pl.func_type = "group"}'
    type_ = "(tensor<8xf32>, tensor<8xf32>, i1) -> tensor<8xf32>"
    texts = [
        f"func.func @f0{head} {kind} {{ %0 = scf.if %c -> (tensor<8xf32>) {{ scf.yield %a : "
        "tensor<8xf32> } else { scf.yield %b : tensor<8xf32> } func.return %0 : tensor<8xf32> }"
    ]
    texts += [
        f"func.func @f{n}{head} {kind} {{ %0 = pl.call @f{n - 1}(%a, %b, %c) : {type_} "
        "func.return %0 : tensor<8xf32> }"
        for n in range(1, 400)
    ]
    module = Parser(CTX, "\n".join(texts if callees_first else reversed(texts))).parse_module()
    buffers = Buffers()
    answers = [buffers.of(f) for f in functions(module)]
    for each in reversed(answers) if callees_first else answers:
        returned = each.function.get_return_op()
        assert returned is not None
        found = each.places(returned.arguments[0])
        assert not found.anywhere
        assert set(each.function.args[:2]) <= found.areas.keys()
