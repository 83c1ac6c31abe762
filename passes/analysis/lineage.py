"""
Lineage: whose memory a tensor value denotes.

Reads   the aliasing traits of ops, the flow of values through control flow (`flow`), and for calls
        what the callee returns, at exact positions.
Decides for every tensor value of a function its *root*: the parameter, or the value of another op
        (a window, a created tensor, the result of an opaque callee), whose memory it is, or, where
        control flow merges different ones, the merged value itself.
Changes nothing. One walk a function, in program order; each function is analysed at most once.

A loop-carried value starts with the origin of its initial value, so that a self-carry resolves; a
body that yields something else weakens it, and the body is walked again until nothing changes (an
origin weakens at most twice). For a distributed tensor a yield that cannot be traced, to a
parameter or a window, leaves the seed as it is, unless one of the values that meet in it can, or it
comes out of control flow that `flow` does not know (a branch between blocks, a foreign region).
Merges that do not agree are kept in `conflicts` for those to whom they matter: a context is never
guessed.

Source: dist-tensor-ctx, Lineage and Return lineage.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.windows import WindowOp
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.dialects.types import DistributedTensorType, is_tensor_like
from xdsl_pld.passes.analysis.blocks import definitions_first
from xdsl_pld.passes.analysis.calls import (
    AnyCallOp,
    arguments_by_parameter,
    callee_of,
    callee_results,
)
from xdsl_pld.passes.analysis.flow import Join, entry_joins, join_of, result_joins


class Origin(NamedTuple):
    """Where a tensor value comes from."""

    root: SSAValue
    """The value whose memory it is; where control flow merges different ones, the merged value."""
    whole: bool
    """Whether it is the root's tensor itself; a view may have another shape."""


class Conflict(NamedTuple):
    """A merge whose sides have different roots."""

    join: Join
    seed: Origin
    other: Origin


class Returned(NamedTuple):
    """The parameter that a function returns at a position."""

    parameter: int | None
    whole: bool


class FunctionLineage:
    """The origins of all tensor values of one function, and the merges that do not agree."""

    def __init__(self, function: FuncOp, returned: Callable[[FuncOp], Sequence[Returned]]):
        """`returned` tells what a callee returns."""
        self.function = function
        self._returned = returned
        self._origins: dict[SSAValue, Origin] = {}
        self._conflicts: dict[SSAValue, Conflict] = {}
        self._visit(function.body)

    @property
    def conflicts(self) -> Iterable[Conflict]:
        """Merges of different parameters or windows, in text order."""
        return self._conflicts.values()

    def origin(self, value: SSAValue) -> Origin:
        """The origin of a tensor value; a value from elsewhere is its own root."""
        return self._origins.get(value, Origin(value, True))

    def parameter(self, value: SSAValue) -> int | None:
        """The index of the parameter whose memory the value is, None where it is none."""
        return named_parameter(self.function, self.origin(value).root)

    def is_traced(self, root: SSAValue) -> bool:
        """Whether a root is a parameter or a window, whose context is known by name."""
        return named_parameter(self.function, root) is not None or isinstance(root.owner, WindowOp)

    def _visit(self, region: Region) -> None:
        for block in definitions_first(region):
            for op in block.ops:
                if op.regions:  # equivalent mutant: saves time
                    self._visit_regions(op)
                self._visit_results(op)

    def _visit_regions(self, op: Operation) -> None:
        """Walks the regions of `op` until the origins of what they carry no longer weaken."""
        joins: dict[Region, list[Join]] = {
            region: [join for join in entry_joins(op, region) if is_tensor_like(join.value.type)]
            for region in op.regions
        }
        carries = [join for region in op.regions for join in joins[region] if join.carried]
        changed = True
        while changed:
            for region in op.regions:
                for join in joins[region]:
                    known = self._origins.get(join.value) if join.carried else None
                    seed = self.origin(join.seed)
                    self._origins[join.value] = seed if known is None else _meet(join, known, seed)
                self._visit(region)
            before = {join.value: self._origins[join.value] for join in carries}
            # All at once: a weakened carry does not hide what the next one is given.
            after = {join.value: self._joined(join, before[join.value]) for join in carries}
            self._origins |= after
            changed = after != before

    def _visit_results(self, op: Operation) -> None:
        if op.regions:
            for join in result_joins(op):
                if is_tensor_like(join.value.type):  # equivalent mutant: saves memory
                    self._origins[join.value] = self._joined(join, self.origin(join.seed))
        elif isinstance(op, CallOp | SubmitOp | func.CallOp):
            self._visit_call(op)
        elif op.results and (alias := alias_of(op.results[0])) is not None:
            source = self.origin(alias.source)
            whole = source.whole and alias.trait.keeps_value
            self._origins[op.results[0]] = Origin(source.root, whole)
        for result in op.results:
            if is_tensor_like(result.type):  # equivalent mutant: saves memory
                self._origins.setdefault(result, Origin(result, True))

    def _visit_call(self, call: AnyCallOp) -> None:
        if (callee := callee_of(call)) is None:
            return
        arguments = arguments_by_parameter(call, callee)
        for result, returned in zip(callee_results(call), self._returned(callee), strict=True):
            if returned.parameter is not None and returned.parameter in arguments:
                source = self.origin(arguments[returned.parameter])
                self._origins[result] = Origin(source.root, source.whole and returned.whole)

    def _joined(self, join: Join, origin: Origin) -> Origin:
        """What a join is, its seed being `origin`."""
        distributed = isinstance(join.value.type, DistributedTensorType)
        for value in join.others:
            other = self.origin(value)
            if other.root is not origin.root and self.is_traced(other.root):
                if join.carried or self.is_traced(origin.root):
                    self._conflicts.setdefault(join.value, Conflict(join, origin, other))
            elif other.root is not origin.root and join.carried and distributed:
                another = self._another_root(value, origin.root)
                if another is None:
                    other = Origin(origin.root, False)
                elif self.is_traced(another):
                    conflict = Conflict(join, origin, Origin(another, False))
                    self._conflicts.setdefault(join.value, conflict)
            origin = _meet(join, origin, other)
        return origin

    def _another_root(self, value: SSAValue, seed: SSAValue) -> SSAValue | None:
        """
        A root that `value` may have beside `seed`; None where all else are results of opaque ops.

        A block argument or the result of a region of which `flow` knows nothing may be anything.
        """
        pending, seen = [value], {seed}
        while pending:
            root = self.origin(pending.pop()).root
            if root in seen:
                continue
            seen.add(root)
            if self.is_traced(root):
                return root
            if (join := join_of(root)) is not None:
                pending += (join.seed, *join.others)
            elif isinstance(root.owner, Block) or root.owner.regions:
                return root
        return None


def _meet(join: Join, left: Origin, right: Origin) -> Origin:
    """
    What is known of a join that is either: the same root, no longer whole, or the join itself.

    It only descends through these three, or the walk of a loop would not end.
    """
    if left.root is right.root and left.root is not join.value:
        return Origin(left.root, left.whole and right.whole)
    return Origin(join.value, True)


class Lineage:
    """
    The lineage of a module's functions, each computed when it is first asked for.

    Callees whose returns must be analysed come first. In a recursion one of the functions has to
    be read before it is known: then it returns nothing known, and its readers are analysed again
    when more has come out. What a function returns only ever becomes better known; where knowing
    more about a callee shows a conflict instead, it is unknown for good, so this ends.
    """

    def __init__(self):
        self._functions: dict[FuncOp, FunctionLineage] = {}
        self._returns: dict[FuncOp, Sequence[Returned]] = {}
        self._readers: dict[FuncOp, dict[FuncOp, None]] = {}
        """For each callee, the functions whose lineage rests on what it returns."""
        self._given_up: set[tuple[FuncOp, int]] = set()
        """Positions that are unknown whatever comes out about callees."""

    def of(self, function: FuncOp) -> FunctionLineage:
        """The lineage of one function."""
        started: set[FuncOp] = set()
        outdated: list[FuncOp] = []
        stack = [function]
        while stack:
            current = stack[-1]
            if current in self._functions:
                stack.pop()
            elif current not in started:
                started.add(current)
                stack += [f for f in self._opaque_callees(current) if f not in started]
            else:
                stack.pop()
                outdated += self._analyse(current)
        while outdated:
            outdated += self._analyse(outdated.pop())
        return self._functions[function]

    def returned(self, function: FuncOp) -> Sequence[Returned]:
        """The parameter that `function` returns at each position."""
        if not self._is_known(function):
            self.of(function)
        return self._returns[function]

    def _analyse(self, function: FuncOp) -> Iterable[FuncOp]:
        """Analyses one function; returns those that have read something else of it before."""
        lineage = FunctionLineage(function, lambda callee: self._read(callee, function))
        self._functions[function] = lineage
        before = self._returns.get(function, _nothing_known(function))
        found = list(_returned(function, lineage))
        for position, (old, new) in enumerate(zip(before, found, strict=True)):
            if old.parameter not in (None, new.parameter) or old.whole > new.whole:
                self._given_up.add((function, position))
            if (function, position) in self._given_up:
                found[position] = _NO_PARAMETER
        self._returns[function] = found
        return () if found == before else tuple(self._readers.get(function, ()))

    def _read(self, callee: FuncOp, reader: FuncOp) -> Sequence[Returned]:
        self._readers.setdefault(callee, {})[reader] = None
        return self._returns[callee] if self._is_known(callee) else _nothing_known(callee)

    def _is_known(self, function: FuncOp) -> bool:
        """Whether it was analysed, or its returns can be read off."""
        if function not in self._returns and _is_literal(function):
            self._returns[function] = _returned(function, None)
        return function in self._returns

    def _opaque_callees(self, function: FuncOp) -> Iterable[FuncOp]:
        """The callees in a body whose returns cannot be read off."""
        found: dict[FuncOp, None] = {}
        for op in function.body.walk():
            if isinstance(op, CallOp | SubmitOp | func.CallOp) and op.results:
                callee = callee_of(op)
                if callee is not None and not self._is_known(callee):
                    found[callee] = None
        return found


_NO_PARAMETER = Returned(None, False)


def returns_of(function: FuncOp) -> Sequence[func.ReturnOp]:
    """The returns of a body, one for each block that leaves it."""
    terminators = (block.last_op for block in function.body.blocks)
    return [op for op in terminators if isinstance(op, func.ReturnOp)]


def named_parameter(function: FuncOp, value: SSAValue) -> int | None:
    """The index of the parameter that `value` is literally, None where it is none."""
    if isinstance(value, BlockArgument) and value.block is function.body.first_block:
        return value.index
    return None


def _is_literal(function: FuncOp) -> bool:
    """Whether every tensor that the function returns is named as a parameter."""
    return all(
        named_parameter(function, value) is not None or not is_tensor_like(value.type)
        for return_op in returns_of(function)
        for value in return_op.arguments
    )


def _returned(function: FuncOp, lineage: FunctionLineage | None) -> Sequence[Returned]:
    """Every return must name the same parameter at a position, or it is none."""
    returns = [
        [_denoted(function, value, lineage) for value in op.arguments]
        for op in returns_of(function)
    ]
    if not returns:
        return _nothing_known(function)
    return [
        Returned(first.parameter, all(r.whole for r in (first, *others)))
        if all(r.parameter == first.parameter for r in others)
        else _NO_PARAMETER
        for first, *others in zip(*returns, strict=True)
    ]


def _denoted(function: FuncOp, value: SSAValue, lineage: FunctionLineage | None) -> Returned:
    if (named := named_parameter(function, value)) is not None:
        return Returned(named, True)
    if lineage is None or not is_tensor_like(value.type):
        return _NO_PARAMETER
    parameter = lineage.parameter(value)
    return Returned(parameter, parameter is not None and lineage.origin(value).whole)


def _nothing_known(function: FuncOp) -> Sequence[Returned]:
    return [_NO_PARAMETER] * len(function.function_type.outputs)
