"""
Target `pld-task-graph`: the task graphs of a module's orchestrations as Graphviz DOT.

    pld-opt in.mlir -p pld-default-pipeline -t pld-task-graph | dot -Tsvg > tasks.svg

One graph, one box per orchestration; in it the tasks (`pl.task`) with their kernels and launch
widths, loops and branches as boxes of their own, and the edges: those of `pl.after` with the hazard
and the tensor, dashed where they wait for an earlier iteration, and dotted those that the program
states itself (`deps`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.target import Target

from xdsl_pld.dialects.pl.attributes import (
    AFTER,
    TASK,
    is_chip_orchestration,
    is_parallel,
)
from xdsl_pld.dialects.pl.call import CallLikeOp, CallOp, SubmitOp, call_like_ops
from xdsl_pld.passes.analysis.buffers import Buffers
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.task_graph import Edge, TaskGraph, submits_behind, task_graph
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note

_INDENT = "  "


@dataclass(frozen=True)
class PldTaskGraphTarget(Target):
    """The task graphs of all chip orchestrations, as Graphviz DOT."""

    name = "pld-task-graph"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        orchestrations = [f for f in functions(module) if is_chip_orchestration(f)]
        findings = [
            Finding(
                call,
                f"this call of {call.callee} has no task number",
                (Note("run auto-derive-task-dependencies before: -p pld-default-pipeline"),),
            )
            for function in orchestrations
            for call in call_like_ops(function)
            if not isinstance(call.attributes.get(TASK), IntegerAttr)
        ]
        if findings:
            raise FindingsError(findings)
        buffers = Buffers()
        lines = [
            "digraph tasks {",
            "  compound = true;",
            '  node [shape = box, style = "rounded"];',
        ]
        for index, function in enumerate(orchestrations):
            graph = task_graph(function, buffers.of(function))
            lines += (_INDENT + line for line in _Drawing(function, graph, f"f{index}").lines())
        output.write("\n".join([*lines, "}", ""]))


class _Drawing:
    """The lines of one orchestration."""

    def __init__(self, function: FuncOp, graph: TaskGraph, prefix: str):
        self._function = function
        self._graph = graph
        self._prefix = prefix
        self._clusters = 0
        self._numbers = {task: _number(task) for task in graph.tasks}
        self._unbounded = set(graph.unbounded)

    def lines(self) -> Iterator[str]:
        yield from self._cluster(f"@{self._function.sym_name.data}", self._function)
        edges = {(edge.before, edge.after): edge for edge in self._graph.edges}
        derived = {task: number for number, task in enumerate(self._graph.tasks)}
        by_number = {number: task for task, number in self._numbers.items()}
        for task, number in self._numbers.items():
            for before in _after(task):
                if (known := by_number.get(before)) is not None:  # else gone with dead code
                    edge = edges.get((derived[known], derived[task]))
                    yield self._edge(before, number, edge)
            if isinstance(task, SubmitOp):
                for submit in submits_behind(task.deps):
                    if submit in self._numbers:
                        before = self._node(self._numbers[submit])
                        yield f'{before} -> {self._node(number)} [label = "deps", style = dotted];'

    def _edge(self, before: int, number: int, edge: Edge | None) -> str:
        attributes = [f"label = {_quoted(_hazards(edge))}"]
        if before >= number or (edge is not None and edge.carried):
            attributes += ["style = dashed", "constraint = false"]
        return f"{self._node(before)} -> {self._node(number)} [{', '.join(attributes)}];"

    def _node(self, number: int) -> str:
        return f"{self._prefix}_t{number}"

    def _cluster(self, label: str, op: Operation) -> Iterator[str]:
        inside = [
            line for region in op.regions for block in region.blocks for line in self._block(block)
        ]
        if not inside and op is not self._function:
            return
        name = f"cluster_{self._prefix}_{self._clusters}"
        self._clusters += 1
        if op in self._unbounded:
            label += "\nordered at run time"
        yield f"subgraph {name} {{"
        yield f"{_INDENT}label = {_quoted(label)};"
        yield f"{_INDENT}style = {'dashed' if op in self._unbounded else 'solid'};"
        yield from (_INDENT + line for line in inside)
        yield "}"

    def _block(self, block: Block) -> Iterator[str]:
        for op in block.ops:
            if isinstance(op, CallOp | SubmitOp):
                yield self._task(op)
            elif op.regions:
                yield from self._structure(op)

    def _structure(self, op: Operation) -> Iterator[str]:
        if isinstance(op, scf.IfOp):
            for region, label in zip(op.regions, ("then", "else"), strict=True):
                inside = [line for block in region.blocks for line in self._block(block)]
                if inside:
                    name = f"cluster_{self._prefix}_{self._clusters}"
                    self._clusters += 1
                    yield f"subgraph {name} {{"
                    yield f"{_INDENT}label = {_quoted(f'{_plain_name(op.cond)} {label}')};"
                    yield from (_INDENT + line for line in inside)
                    yield "}"
            return
        parallel = isinstance(op, scf.ForOp) and is_parallel(op)
        yield from self._cluster(f"parallel {op.name}" if parallel else op.name, op)

    def _task(self, task: CallLikeOp) -> str:
        number = self._numbers[task]
        label = f"{number}: {task.callee}"
        if task.core_num is not None:
            width = folded_int(task.core_num)
            label += f"\n{_plain_name(task.core_num) if width is None else width} blocks"
            if task.sync_start is not None:
                label += ", all at once"
        return f"{self._node(number)} [label = {_quoted(label)}];"


def _hazards(edge: Edge | None) -> str:
    return (
        "" if edge is None else "\n".join(f"{h.kind} {_plain_name(h.root)}" for h in edge.hazards)
    )


def _plain_name(value: SSAValue | None) -> str:
    return "any tensor" if value is None else name_of(value).strip("'")


def _number(task: CallLikeOp) -> int:
    number = task.attributes[TASK]
    assert isinstance(number, IntegerAttr)
    return number.value.data


def _after(task: CallLikeOp) -> Sequence[int]:
    after = task.attributes.get(AFTER)
    return [int(n) for n in after.get_values()] if isinstance(after, DenseArrayBase) else ()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
