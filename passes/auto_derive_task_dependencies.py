"""
Number the tasks of every function, and say which tasks of an orchestration wait for which.

The runtime can find these edges itself, from directions, as far as its task map sees tensors that
overlap. Written down they can be read, drawn (`pld-opt -t pld-task-graph`), simulated, and given to
the runtime before a task is submitted.

Reads   what `analysis/task_graph.py` reads.
Decides the edges there: its docstring says what an edge means in loops and branches, what cannot be
        bounded, and what happens then.
Changes `pl.task` (text order, from 0 in each function) of every call and submit and, in chip
        orchestrations, `pl.after`: the numbers of the tasks that it waits for. Both are derived
        afresh by each run. Edges that the program states itself (`deps`) stay and are not doubled.

Needs `call-directions-resolved`. Host bodies get numbers only: their dispatches to different
devices run at the same time, and must, for a collective to end.

Source: neighbours, auto-derive-task-dependencies.
"""

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, i64

from xdsl_pld.dialects.pl.attributes import AFTER, TASK, is_chip_orchestration
from xdsl_pld.dialects.pl.call import call_like_ops
from xdsl_pld.passes.analysis.buffers import Buffers
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.task_graph import TaskGraph, task_graph
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.properties import Property


def _write(graph: TaskGraph) -> None:
    after: dict[int, list[int]] = {}
    for edge in graph.edges:
        after.setdefault(edge.after, []).append(edge.before)
    for number, task in enumerate(graph.tasks):
        task.attributes[TASK] = IntegerAttr.from_index_int_value(number)
        task.attributes.pop(AFTER, None)
        if number in after:
            task.attributes[AFTER] = DenseArrayBase.from_list(i64, after[number])


@dataclass(frozen=True)
class AutoDeriveTaskDependenciesPass(PldPass):
    """
    Numbers tasks and writes down the edges between them.

    Before: pl.call @produce(%a) {arg_directions = ["output_existing"]} : (T) -> ()
            pl.call @consume(%a) {arg_directions = ["input"]} : (T) -> ()
    After:  pl.call @produce(%a) {pl.task = 0 : index, ...} : (T) -> ()
            pl.call @consume(%a) {pl.task = 1 : index, pl.after = array<i64: 0>, ...} : (T) -> ()
    """

    name = "auto-derive-task-dependencies"

    requires: ClassVar[tuple[Property, ...]] = (Property.CALL_DIRECTIONS_RESOLVED,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        buffers = Buffers()
        for function in functions(module):
            if is_chip_orchestration(function):
                _write(task_graph(function, buffers.of(function)))
            else:
                _write(TaskGraph(list(call_like_ops(function))))
