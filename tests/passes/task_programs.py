"""
Random orchestrations, and an oracle for their hazards that shares nothing with the compiler.

A program is a tree of tasks, loops and branches over buffers of 8x8 elements. The oracle numbers
the elements of each buffer and slices and reshapes these numbers with numpy; it runs the program
with given trip counts and branches, and compares the sets of elements that tasks have touched.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from hypothesis import strategies as st

ROWS = COLUMNS = 8
BUFFERS = ("a", "b")


@dataclass(frozen=True)
class Piece:
    """A view of a buffer: `steps` are slices (offsets, sizes) and reshapes (a shape)."""

    buffer: str
    steps: tuple[tuple[str, tuple[int | None, ...], tuple[int, ...]], ...] = ()

    def elements(self, counters: Sequence[int] = ()) -> frozenset[tuple[str, int]]:
        """The elements; an offset of None is the innermost loop's counter."""
        numbers = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
        for kind, offsets, sizes in self.steps:
            if kind == "slice":
                starts = [counters[-1] if o is None else o for o in offsets]
                at = zip(starts, sizes, strict=True)
                numbers = numbers[tuple(slice(o, o + s) for o, s in at)]
            else:
                numbers = numbers.reshape(sizes)
        return frozenset((self.buffer, int(n)) for n in numbers.flat)

    @property
    def dynamic(self) -> bool:
        return any(None in offsets for _, offsets, _ in self.steps)


@dataclass(frozen=True)
class Use:
    """An argument: a piece and its direction."""

    piece: Piece
    direction: str

    @property
    def reads(self) -> bool:
        return self.direction in ("input", "inout")

    @property
    def writes(self) -> bool:
        return self.direction in ("inout", "output_existing")


@dataclass(frozen=True)
class Task:
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Loop:
    body: "tuple[Node, ...]"
    kind: str
    """`for`, `parallel` or `while`."""


@dataclass(frozen=True)
class Branch:
    condition: int | None
    """One of the function's conditions, or one of the branch's own, found anew each time."""
    then: "tuple[Node, ...]"
    otherwise: "tuple[Node, ...]"


Node = Task | Loop | Branch


# Strategies


@st.composite
def pieces(draw: st.DrawFn, *, dynamic: bool = False) -> Piece:
    buffer = draw(st.sampled_from(BUFFERS))
    shape: tuple[int, ...] = (ROWS, COLUMNS)
    gaps = False
    steps: list[tuple[str, tuple[int | None, ...], tuple[int, ...]]] = []
    if dynamic and draw(st.booleans()):
        size = draw(st.integers(1, 2))
        return Piece(buffer, (("slice", (None, 0), (size, COLUMNS)),))
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            sizes = tuple(draw(st.integers(1, extent)) for extent in shape)
            pairs = zip(shape, sizes, strict=True)
            offsets = tuple(draw(st.integers(0, e - s)) for e, s in pairs)
            gaps = gaps or any(
                size < extent and any(n > 1 for n in sizes[:dim])
                for dim, (size, extent) in enumerate(zip(sizes, shape, strict=True))
            )
            steps.append(("slice", offsets, sizes))
            shape = sizes
        elif not gaps:
            n = int(np.prod(shape))
            rows = draw(st.sampled_from([d for d in range(1, n + 1) if n % d == 0]))
            shape = draw(st.sampled_from([(n,), (rows, n // rows)]))
            steps.append(("view", (), shape))
    return Piece(buffer, tuple(steps))


@st.composite
def tasks(draw: st.DrawFn, *, dynamic: bool = False) -> Task:
    directions = st.sampled_from(("input", "input", "inout", "output_existing"))
    uses = st.builds(Use, pieces(dynamic=dynamic), directions)
    return Task(tuple(draw(st.lists(uses, min_size=1, max_size=3))))


@st.composite
def bodies(draw: st.DrawFn, depth: int = 2, *, dynamic: bool = False) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(("task", "task", "for", "while", "parallel", "if")))
        if depth == 0 or kind == "task":
            nodes.append(draw(tasks(dynamic=dynamic)))
        elif kind == "if":
            otherwise = draw(bodies(depth - 1, dynamic=dynamic)) if draw(st.booleans()) else ()
            condition = draw(st.sampled_from((None, None, 0, 1)))
            nodes.append(Branch(condition, draw(bodies(depth - 1, dynamic=dynamic)), otherwise))
        else:
            inside = kind != "while" and draw(st.booleans())
            nodes.append(Loop(draw(bodies(depth - 1, dynamic=inside)), kind))
    return tuple(nodes)


# Text


Signature = tuple[tuple[str, ...], tuple[str, ...]]
"""Types and directions of a kernel's parameters."""

PARAMETERS = {"input": "in", "inout": "inout", "output_existing": "out"}


@dataclass
class Writer:
    """Writes a program as MLIR."""

    directed: bool = True
    """Whether calls have their directions; else kernels do, and some launches have a width."""
    lines: list[str] = field(default_factory=list[str])
    counters: list[str] = field(default_factory=list[str])
    kernels: dict[Signature, str] = field(default_factory=dict[Signature, str])
    names: Iterator[int] = field(default_factory=count)

    def program(self, nodes: Sequence[Node]) -> str:
        parameters = ", ".join(f'%{b}: tensor<8x8xf32> {{pl.dir = "inout"}}' for b in BUFFERS)
        self.lines = []
        self._nodes(nodes)
        body = "\n".join(self.lines)
        kernels = "\n".join(
            f"func.func private @{name}({', '.join(kind)}) -> ()\n"
            f'  attributes {{pl.func_type = "incore", pl.arg_attrs = ['
            + ", ".join(f'{{pl.dir = "{direction}"}}' for direction in directions)
            + "]}"
            for (kind, directions), name in self.kernels.items()
        )
        return (
            f"{kernels}\nfunc.func @f({parameters}, %n: index, %c0: i1, %c1: i1)"
            f' attributes {{pl.func_type = "orchestration"}} {{\n'
            "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
            f"{body}\nfunc.return\n}}\n"
        )

    def _nodes(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            if isinstance(node, Task):
                self._task(node)
            elif isinstance(node, Branch):
                condition = f"%c{node.condition}"
                if node.condition is None:
                    condition = f"%p{next(self.names)}"
                    self.lines.append(f"{condition} = arith.cmpi eq, %n, %n : index")
                self.lines.append(f"scf.if {condition} {{")
                self._nodes(node.then)
                if node.otherwise:
                    self.lines.append("} else {")
                    self._nodes(node.otherwise)
                self.lines.append("}")
            elif node.kind == "while":
                self.lines += ["scf.while () : () -> () {", "scf.condition(%c0)", "} do {"]
                self._nodes(node.body)
                self.lines += ["scf.yield", "}"]
            else:
                self.counters.append(f"%i{next(self.names)}")
                self.lines.append(f"scf.for {self.counters[-1]} = %zero to %n step %one {{")
                self._nodes(node.body)
                parallel = node.kind == "parallel"
                self.lines.append('} {pl.kind = "parallel"}' if parallel else "}")
                self.counters.pop()

    def _task(self, task: Task) -> None:
        values, types = [], []
        for use in task.uses:
            value, type_ = f"%{use.piece.buffer}", "tensor<8x8xf32>"
            for kind, offsets, sizes in use.piece.steps:
                name = f"%v{next(self.names)}"
                result = f"tensor<{'x'.join(map(str, sizes))}xf32>"
                if kind == "slice":
                    at = ", ".join(self.counters[-1] if o is None else str(o) for o in offsets)
                    self.lines.append(
                        f"{name} = pl.tensor.slice {value}[{at}] [{', '.join(map(str, sizes))}]"
                        f" : {type_} -> {result}"
                    )
                else:
                    self.lines.append(f"{name} = pl.tensor.view {value} : {type_} -> {result}")
                value, type_ = name, result
            values.append(value)
            types.append(type_)
        declared = tuple("inout" if self.directed else PARAMETERS[u.direction] for u in task.uses)
        kernel = self.kernels.setdefault((tuple(types), declared), f"k{len(self.kernels)}")
        directions = ", ".join(f'"{use.direction}"' for use in task.uses)
        attributes = f" {{arg_directions = [{directions}]}}" if self.directed else ""
        width = "" if self.directed or len(task.uses) == 1 else " core_num(%n)"
        self.lines.append(
            f"pl.call @{kernel}({', '.join(values)}){width}{attributes}"
            f" : ({', '.join(types)}) -> ()"
        )


def text_of(nodes: Sequence[Node], *, directed: bool = True) -> str:
    """The program as MLIR, one task a call, in text order."""
    return Writer(directed).program(nodes)


# Running


@dataclass(frozen=True)
class Instance:
    """One run of a task: its number, the parallel iterations it is in, what it touches."""

    number: int
    iterations: Mapping[int, int]
    reads: frozenset[tuple[str, int]]
    writes: frozenset[tuple[str, int]]

    def conflicts(self, other: "Instance") -> bool:
        """Whether the order of the two matters; iterations of a parallel loop promise none."""
        if any(other.iterations.get(loop, at) != at for loop, at in self.iterations.items()):
            return False
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


class Runner:
    """Runs a program with what `draw` says of trip counts and branches."""

    def __init__(self, draw: st.DrawFn):
        self._draw = draw
        self.trace: list[Instance] = []
        self._conditions: dict[int, bool] = {}

    def run(self, nodes: Sequence[Node]) -> list[Instance]:
        self._run(nodes, 0, (), {})
        return self.trace

    def _run(
        self,
        nodes: Sequence[Node],
        number: int,
        counters: Sequence[int],
        iterations: Mapping[int, int],
    ) -> None:
        for node in nodes:
            if isinstance(node, Task):
                self._touch(node, number, counters, iterations)
            elif isinstance(node, Branch):
                if self._is_taken(node):
                    self._run(node.then, number, counters, iterations)
                else:
                    behind = number + tasks_in(node.then)
                    self._run(node.otherwise, behind, counters, iterations)
            else:
                for at in range(self._draw(st.integers(0, 3))):
                    parallel = node.kind == "parallel"
                    within = {**iterations, id(node): at} if parallel else iterations
                    inner = counters if node.kind == "while" else (*counters, at)
                    self._run(node.body, number, inner, within)
            number += tasks_in([node])

    def _is_taken(self, branch: Branch) -> bool:
        if branch.condition is None:
            return self._draw(st.booleans())
        if branch.condition not in self._conditions:
            self._conditions[branch.condition] = self._draw(st.booleans())
        return self._conditions[branch.condition]

    def _touch(
        self, task: Task, number: int, counters: Sequence[int], iterations: Mapping[int, int]
    ) -> None:
        nothing = frozenset[tuple[str, int]]()
        elements = [(use, use.piece.elements(counters)) for use in task.uses]
        self.trace.append(
            Instance(
                number,
                dict(iterations),
                nothing.union(*(e for use, e in elements if use.reads)),
                nothing.union(*(e for use, e in elements if use.writes)),
            )
        )


def tasks_in(nodes: Sequence[Node]) -> int:
    """How many tasks the text of some nodes has."""
    total = 0
    for node in nodes:
        if isinstance(node, Task):
            total += 1
        elif isinstance(node, Branch):
            total += tasks_in(node.then) + tasks_in(node.otherwise)
        else:
            total += tasks_in(node.body)
    return total


def flat(nodes: Sequence[Node]) -> Iterator[Task]:
    """All tasks, in text order."""
    for node in nodes:
        if isinstance(node, Task):
            yield node
        elif isinstance(node, Branch):
            yield from flat((*node.then, *node.otherwise))
        else:
            yield from flat(node.body)
