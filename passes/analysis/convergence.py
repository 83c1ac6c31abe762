"""
Whether all ranks come to the same collectives in the same order.

Reads   every body, callees first: what values and memory depend on (`rank_dependence`), the
        collectives and calls under each branch and loop, and the places of operands that peers
        address.
Decides for each branch, loop and exit whether it depends on the rank and what stands under it; and
        for what it cannot know, a parameter's value or content, what its callers must keep to.
Changes nothing. Each body is walked until nothing new is learnt, as a rule twice.

Sources of a dependence are the rank, what is read from a window, since peers write there, and in a
host body the device of a dispatch. Memory is followed by roots: what depends on the rank and is
stored makes what is read from there depend on it. After a collective that leaves the same on every
rank (allreduce, allgather, broadcast) its target is the same on every rank, until it is written.

A branch that depends on the rank is accepted where both sides hold the same collectives, on the
same places, in the same order.

Source: issue 6, Convergence; field-cases, Contiguity.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import ConstantLike, MemoryReadEffect

from xdsl_pld.dialects.pl.attributes import Direction, direction, is_host_orchestrator
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.system import GetCommCtxOp, RankOp
from xdsl_pld.dialects.pld.transfers import (
    RemoteStoreOp,
    TensorGetOp,
    TensorPutOp,
    TileGetOp,
    TilePutOp,
)
from xdsl_pld.dialects.traits import ViewOf, WritesBack, alias_of
from xdsl_pld.dialects.types import DistributedTensorType, is_tensor_like
from xdsl_pld.passes.analysis.blocks import definitions_first, successors
from xdsl_pld.passes.analysis.calls import (
    AnyCallOp,
    arguments_by_parameter,
    callee_of,
    callee_results,
    callees_first,
    calls_in,
    functions,
)
from xdsl_pld.passes.analysis.collective_sites import Site, site_of
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.analysis.devices import device_loop
from xdsl_pld.passes.analysis.flow import entry_joins, result_joins
from xdsl_pld.passes.analysis.lineage import Lineage, named_parameter, returns_of
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.rank_dependence import (
    UNIFORM,
    Aspect,
    Dependence,
    Symbol,
    because,
    on,
)
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.diagnostics import Finding, Note

# What stands under a branch or loop


@dataclass(frozen=True, eq=False)
class Meeting:
    """A collective."""

    site: Site


@dataclass(frozen=True, eq=False)
class Through:
    """A call of a function that comes to collectives."""

    call: AnyCallOp
    callee: FuncOp


@dataclass(frozen=True, eq=False)
class Repeated:
    """A loop with collectives in it; `events` are those of one turn."""

    op: Operation
    events: Sequence["Event"]


@dataclass(frozen=True, eq=False)
class Branched:
    """A branch that is the same on every rank, with collectives in it."""

    op: Operation
    sides: Sequence[Sequence["Event"]]


Event = Meeting | Through | Repeated | Branched


class Demand(NamedTuple):
    """What a function needs its callers to keep the same on every rank."""

    message: str
    place: Operation
    notes: tuple[Note, ...]
    """What depends on it, and the calls on the way there."""


class Accepted(NamedTuple):
    """A construct that depends on the rank and is none the worse for it."""

    op: Operation
    reason: str


@dataclass
class Summary:
    """What callers need to know of a function."""

    events: Sequence[Event] = ()
    demands: dict[tuple[Symbol, str], Demand] = field(
        default_factory=dict[tuple[Symbol, str], Demand]
    )
    results: Sequence[Dependence] = ()
    contents: dict[int, Dependence] = field(default_factory=dict[int, Dependence])
    """What the content of a written parameter depends on beyond what it was."""
    written: set[int] = field(default_factory=set[int])
    replicated: set[int] = field(default_factory=set[int])
    """Parameters whose content is the same on every rank at the end."""


class Convergence:
    """The convergence of a module: `findings`, and what was `accepted` with its reason."""

    def __init__(self, module: ModuleOp):
        self.findings: list[Finding] = []
        self.accepted: list[Accepted] = []
        self._roots = Roots(lineage := Lineage())
        self._lineage = lineage
        self.summaries: dict[FuncOp, Summary] = {}
        found: dict[FuncOp, list[Finding]] = {}
        for function in callees_first(module):
            walk = _Walk(function, self._roots, self.summaries)
            self.summaries[function] = walk.run()
            found[function] = walk.findings
            self.accepted += walk.accepted
        called = {callee_of(call) for f in functions(module) for call in calls_in(f)}
        for function in functions(module):
            self.findings += found[function]
            if function not in called:
                self.findings += self._unmet(function)

    def _unmet(self, function: FuncOp) -> Iterator[Finding]:
        """What a function needs of its callers that cannot hold, whoever they are."""
        for (symbol, _), demand in self.summaries[function].demands.items():
            parameter = function.args[symbol.parameter]
            if symbol.aspect is Aspect.CONTENT and isinstance(
                parameter.type, DistributedTensorType
            ):
                cause = _received(parameter)
                assert cause.cause is not None
                yield Finding(demand.place, demand.message, (*demand.notes, *cause.cause.notes()))


def _received(window: SSAValue) -> Dependence:
    return because(f"{name_of(window)} is a window, which peers write into", window)


# One body


class _Walk:
    """One function: learns what values depend on, then judges."""

    def __init__(self, function: FuncOp, roots: Roots, summaries: Mapping[FuncOp, Summary]):
        self.function = function
        self.findings: list[Finding] = []
        self.accepted: list[Accepted] = []
        self._roots = roots
        self._summaries = summaries
        self._host = is_host_orchestrator(function)
        self._values: dict[SSAValue, Dependence] = {}
        self._contents: dict[SSAValue, Dependence] = {}
        """By root, what was stored there."""
        self._writes: dict[Operation, set[SSAValue]] = {}
        """By structured op, the roots that are written in it."""
        self._around: list[Operation] = []
        self._control: list[Dependence] = []
        """What the construct that is being walked depends on, from the outside in."""
        self._replicated: set[SSAValue] = set()
        self._changed = True
        self._reported: set[tuple[Operation, str]] = set()
        self._summary = Summary()
        self._devices: set[SSAValue] = set()
        for op in function.body.walk():
            if isinstance(op, CallOp | BuiltinDispatchOp) and op.device is not None:
                if device_loop(op.device) is not None:
                    self._devices.add(op.device)

    def run(self) -> Summary:
        if self.function.is_declaration:
            return self._declared()
        while self._changed:
            self._changed = False
            self.findings, self.accepted = [], []
            self._reported = set()
            self._summary = Summary(written=self._summary.written)
            self._replicated = set()
            self._summary.events = self._region(self.function.body)
        self._conclude()
        return self._summary

    def _declared(self) -> Summary:
        """A function without a body: what it writes may depend on all that it reads."""
        inputs = self.function.function_type.inputs.data
        everything = on(
            *(
                Symbol(aspect, index)
                for index, type_ in enumerate(inputs)
                for aspect in (Aspect.VALUE, Aspect.CONTENT)
                if aspect is Aspect.VALUE or is_tensor_like(type_)
            )
        )
        written = {i for i in range(len(inputs)) if direction(self.function, i) is not Direction.IN}
        return Summary(
            results=[everything] * len(self.function.function_type.outputs),
            contents={index: everything for index in written},
            written=written,
        )

    def _conclude(self) -> None:
        returns = returns_of(self.function)
        outputs = self.function.function_type.outputs
        results = [UNIFORM] * len(outputs)
        for op in returns:
            results = [r | self._value(v) for r, v in zip(results, op.arguments, strict=False)]
        self._summary.results = results
        for root, content in self._contents.items():
            index = named_parameter(self.function, root)
            if index is not None:
                self._summary.contents[index] = content
        for root in self._replicated:
            index = named_parameter(self.function, root)
            if index is not None and len(self.function.body.blocks) == 1:
                self._summary.replicated.add(index)

    # What is known

    def _value(self, value: SSAValue) -> Dependence:
        if (known := self._values.get(value)) is not None:
            return known
        if value in self._devices:
            return because(f"{name_of(value)} is the device of a dispatch", value)
        index = named_parameter(self.function, value)
        if index is None or self._host:
            return UNIFORM
        return on(Symbol(Aspect.VALUE, index))

    def _content(self, value: SSAValue) -> Dependence:
        """What the elements of a tensor depend on, its place left out."""
        found = UNIFORM
        for root in self._roots.of(self.function, value):
            found |= self._content_of_root(root)
        return found

    def _content_of_root(self, root: SSAValue) -> Dependence:
        if root in self._replicated:
            return UNIFORM
        stored = self._contents.get(root, UNIFORM)
        index = named_parameter(self.function, root)
        if index is not None and not self._host:
            return stored | on(Symbol(Aspect.CONTENT, index))
        if isinstance(root.type, DistributedTensorType):
            return stored | _received(root)
        return stored

    def _learn(self, value: SSAValue, dependence: Dependence) -> None:
        before = self._value(value)
        after = before | dependence
        if after.grown(before):
            self._values[value] = after
            self._changed = True

    def _written(self, value: SSAValue, stored: Dependence, *, replicated: bool = False) -> None:
        """Something is stored into a tensor, under all that surrounds it."""
        for each in self._control:
            stored |= each
        for root in self._roots.of(self.function, value):
            self._replicated.discard(root)
            if replicated:
                self._replicated.add(root)
            before = self._contents.get(root, UNIFORM)
            after = before | stored
            if after.grown(before):
                self._contents[root] = after
                self._changed = True
            for op in self._around:
                known = self._writes.setdefault(op, set())
                if root not in known:
                    known.add(root)
                    self._changed = True
            index = named_parameter(self.function, root)
            if index is not None:
                self._summary.written.add(index)

    # Walking

    def _region(self, region: Region) -> list[Event]:
        """The events of a region; branches between its blocks are judged."""
        by_block: dict[Block, list[Event]] = {}
        for block in definitions_first(region):
            if len(region.blocks) > 1:
                self._replicated.clear()
            by_block[block] = [event for op in block.ops for event in self._visit(op)]
        if len(by_block) > 1:
            self._branches(region, by_block)
        return [event for block in region.blocks for event in by_block[block]]

    def _branches(self, region: Region, by_block: Mapping[Block, Sequence[Event]]) -> None:
        for block in list(region.blocks)[1:]:
            passed = UNIFORM
            for other in region.blocks:
                last = other.last_op
                if last is not None and block in last.successors:
                    for operand in last.operands:
                        passed |= self._value(operand)
            for argument in block.args:
                self._learn(argument, passed)
        for block in region.blocks:
            last = block.last_op
            if last is None or len(last.successors) < 2:
                continue
            dependence = self._union(last.operands[:1])
            if not dependence:
                continue
            for other, events in by_block.items():
                if events and _skippable(block, other):
                    self._refuse(events, last, dependence, "behind an exit that")

    def _union(self, values: Sequence[SSAValue]) -> Dependence:
        found = UNIFORM
        for value in values:
            found |= self._value(value)
        return found

    def _visit(self, op: Operation) -> Sequence[Event]:
        if (site := site_of(op)) is not None:
            return self._site(site)
        if isinstance(op, AnyCallOp):
            return self._call(op)
        if op.regions:
            return self._structured(op)
        if isinstance(op, RankOp):
            self._learn(op.result, because("the rank is asked for here", op))
        elif isinstance(op, GetCommCtxOp):
            pass
        elif isinstance(op, TensorGetOp | TileGetOp):
            source = self._value(op.source) | self._content(op.source)
            self._written(op.destination, source | self._union(op.operands[2:]))
        elif isinstance(op, TensorPutOp | TilePutOp | RemoteStoreOp):
            self._written(op.destination, UNIFORM)
        elif (alias := alias_of(op.results[0]) if op.results else None) is not None:
            if isinstance(alias.trait, WritesBack):
                others = [operand for operand in op.operands if operand is not alias.source]
                stored = self._union(others)
                for operand in others:
                    if is_tensor_like(operand.type):
                        stored |= self._content(operand)
                self._written(alias.source, stored)
                self._learn(op.results[0], self._value(alias.source))
            else:
                self._pass_on(op, UNIFORM)
        else:
            read = UNIFORM
            if op.has_trait(MemoryReadEffect) or isinstance(op, tensor.ExtractOp):
                for operand in op.operands:
                    if is_tensor_like(operand.type):
                        read |= self._content(operand).through(
                            f"read from {name_of(operand)} here", op
                        )
            self._pass_on(op, read)
        return ()

    def _pass_on(self, op: Operation, more: Dependence) -> None:
        """The results of an op depend on its operands."""
        if not op.results:
            return
        found = more
        for operand in op.operands:
            found |= self._value(operand).through(f"through {name_of(op.results[0])}", op)
        for result in op.results:
            self._learn(result, found)

    # Collectives and calls

    def _site(self, site: Site) -> Sequence[Event]:
        for role, value in site.operands.items():
            if role in site.trait.addressed and (place := self._value(value)):
                self._demand(
                    place,
                    "address",
                    f"the local address of {role} {name_of(value)} depends on the rank: peers "
                    "compute theirs from their own",
                    site.op,
                    (),
                )
        if site.core_num is not None and (width := self._value(site.core_num)):
            message = f"core_num of {site.operator} depends on the rank: all ranks launch alike"
            self._demand(width, "core_num", message, site.op, ())
        for role, value in site.operands.items():
            if role not in site.trait.read_only:
                plain = not isinstance(value.type, DistributedTensorType)
                stored = because("peers' data is received here", site.op) if plain else UNIFORM
                self._written(value, stored, replicated=site.trait.replicates and role == "target")
        if site.op.results:
            target = alias_of(site.op.results[0])
            source = site.operands.get("target") if target is None else target.source
            if source is not None:
                self._learn(site.op.results[0], self._value(source))
        return (Meeting(site),)

    def _call(self, call: AnyCallOp) -> Sequence[Event]:
        callee = callee_of(call)
        summary = None if callee is None else self._summaries.get(callee)
        if callee is None or summary is None:  # a recursion, or a callee that is elsewhere
            self._pass_on(call, UNIFORM)
            return ()
        passed = arguments_by_parameter(call, callee)

        def resolve(dependence: Dependence) -> Dependence:
            found = Dependence(dependence.cause)
            for symbol in dependence.symbols:
                argument = passed.get(symbol.parameter)
                if argument is None:
                    continue
                own = self._value(argument)
                if symbol.aspect is Aspect.CONTENT:
                    own |= self._content(argument)
                name = name_of(argument)
                found |= own.through(f"{name} is passed to {call.callee} here", call)
            return found

        for (symbol, kind), demand in summary.demands.items():
            needed = resolve(on(symbol))
            if needed:
                way = Note(f"called here, in '{self.function.sym_name.data}'", call)
                self._demand(needed, kind, demand.message, demand.place, (*demand.notes, way))
        resolved = {index: resolve(content) for index, content in summary.contents.items()}
        results = [resolve(result) for result in summary.results]
        for index in sorted(summary.written):
            if (argument := passed.get(index)) is not None:
                stored = resolved.get(index, UNIFORM)
                replicated = index in summary.replicated
                self._written(argument, stored, replicated=replicated)
        for result, dependence in zip(callee_results(call), results, strict=False):
            self._learn(result, dependence)
        return (Through(call, callee),) if summary.events else ()

    # Branches and loops

    @contextmanager
    def _inside(self, op: Operation, dependence: Dependence) -> Generator[None]:
        self._around.append(op)
        self._control.append(dependence)
        yield
        self._control.pop()
        self._around.pop()

    def _structured(self, op: Operation) -> Sequence[Event]:
        if isinstance(op, scf.IfOp):
            return self._if(op)
        if isinstance(op, scf.ForOp):
            return self._for(op)
        if isinstance(op, scf.WhileOp):
            return self._while(op)
        dependence = self._union(op.operands)
        events: list[Event] = []
        with self._inside(op, dependence):
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        self._learn(argument, dependence)
                events += self._region(region)
        for join in result_joins(op):
            self._learn(join.value, self._value(join.seed))
        if not list(result_joins(op)):
            self._pass_on(op, UNIFORM)
        if events and dependence:
            self._refuse(events, op, dependence, f"in this {op.name}, which")
        return events

    def _if(self, op: scf.IfOp) -> Sequence[Event]:
        dependence = self._value(op.cond)
        before = set(self._replicated)
        sides: list[list[Event]] = []
        after: list[set[SSAValue]] = []
        with self._inside(op, dependence):
            for region in op.regions:
                self._replicated = set(before)
                sides.append(self._region(region) if region.blocks else [])
                after.append(self._replicated)
        self._replicated = after[0] & after[1]
        for join in result_joins(op):
            found = self._value(join.seed) | self._union(join.others)
            if any(other is not join.seed for other in join.others):
                found |= dependence.through(f"{name_of(join.value)} is chosen here", op)
            self._learn(join.value, found)
        if not any(sides):
            return ()
        if not dependence:
            return (Branched(op, sides),)
        compare = _Comparison(self._summaries)
        if (differing := compare.difference(*sides)) is None:
            reason = (
                "both sides hold the same collectives, on the same windows, in the same order: "
                + ", ".join(compare.names(sides[0]))
            )
            self.accepted.append(Accepted(op, reason))
            return sides[0]
        self._refuse([differing], op, dependence, "under a branch that")
        return (Branched(op, sides),)

    def _for(self, op: scf.ForOp) -> Sequence[Event]:
        dependence = self._union((op.lb, op.ub, op.step))
        self._learn(op.body.block.args[0], self._union((op.lb, op.step)))
        for join in entry_joins(op, op.body):
            self._learn(join.value, self._value(join.seed) | self._union(join.others))
        self._replicated -= self._writes.get(op, set())
        outside = set(self._replicated)
        with self._inside(op, dependence):
            events = self._region(op.body)
        self._replicated = outside
        for join in entry_joins(op, op.body):
            self._learn(join.value, self._union(join.others))
        for join in result_joins(op):
            self._learn(join.value, self._value(join.seed) | dependence)
        if not events:
            return ()
        if dependence:
            self._refuse(events, op, dependence, "in a loop whose bounds")
        return (Repeated(op, events),)

    def _while(self, op: scf.WhileOp) -> Sequence[Event]:
        condition = op.before_region.block.last_op
        assert isinstance(condition, scf.ConditionOp)
        dependence = self._value(condition.operands[0])
        self._replicated -= self._writes.get(op, set())
        with self._inside(op, dependence):
            for join in entry_joins(op, op.before_region):
                self._learn(join.value, self._value(join.seed) | self._union(join.others))
            events = self._region(op.before_region)
            at_condition = set(self._replicated)
            for join in entry_joins(op, op.after_region):
                self._learn(join.value, self._value(join.seed))
            events += self._region(op.after_region)
        self._replicated = at_condition
        dependence = self._value(condition.operands[0])
        for join in result_joins(op):
            self._learn(join.value, self._value(join.seed) | dependence)
        if not events:
            return ()
        if dependence:
            self._refuse(events, op, dependence, "in a loop whose condition")
        return (Repeated(op, events),)

    # Judging

    def _refuse(
        self, events: Sequence[Event], op: Operation, dependence: Dependence, where: str
    ) -> None:
        site, way = _first_site(events[0], self._summaries)
        verb = "depend" if where.endswith("bounds") else "depends"
        message = (
            f"some ranks may skip this {site.operator}, or come to it in another order: it stands "
            f"{where} {verb} on the rank"
        )
        notes = (*way, Note(f"{where.split()[0]} this {op.name}", op))
        self._demand(dependence, "control", message, site.op, notes)

    def _demand(
        self,
        dependence: Dependence,
        kind: str,
        message: str,
        place: Operation,
        notes: tuple[Note, ...],
    ) -> None:
        """Something must not depend on the rank: refused where it does, else left to callers."""
        if (cause := dependence.cause) is not None:
            if (place, message) not in self._reported:
                self._reported.add((place, message))
                self.findings.append(Finding(place, message, (*notes, *cause.notes())))
            return
        for symbol, way in dependence.symbols.items():
            reasons = () if way is None else way.notes()
            demand = Demand(message, place, (*notes, *reasons))
            self._summary.demands.setdefault((symbol, kind), demand)


def _skippable(branch: Block, other: Block) -> bool:
    """Whether it depends on the end of `branch` if control comes to `other`."""
    return other in _reachable(branch, None) and any(
        not successors(block) for block in _reachable(branch, other)
    )


def _reachable(start: Block, avoided: Block | None) -> set[Block]:
    """The blocks after `start` that are reached without `avoided`."""
    found: set[Block] = set()
    pending = [block for block in successors(start) if block is not avoided]
    while pending:
        block = pending.pop()
        if block not in found:
            found.add(block)
            pending += [s for s in successors(block) if s is not avoided]
    return found


def _first_site(event: Event, summaries: Mapping[FuncOp, Summary]) -> tuple[Site, tuple[Note, ...]]:
    """A collective that an event comes to, and the calls on the way."""
    way: list[Note] = []
    while True:
        if isinstance(event, Meeting):
            return event.site, tuple(way)
        if isinstance(event, Through):
            way.append(Note(f"called here, by {event.call.callee}", event.call))
            event = summaries[event.callee].events[0]
        elif isinstance(event, Repeated):
            event = event.events[0]
        else:
            event = next(side for side in event.sides if side)[0]


# Comparing the sides of a branch

_Key = object


class _Comparison:
    """Compares sequences of events, functions that are called taken apart."""

    def __init__(self, summaries: Mapping[FuncOp, Summary]):
        self._summaries = summaries

    def difference(self, left: Sequence[Event], right: Sequence[Event]) -> Event | None:
        """The first event that the other side does not have, None where they are the same."""
        nothing: Mapping[SSAValue, _Key] = {}
        mine = list(self._items(left, nothing, 0))
        theirs = list(self._items(right, nothing, 0))
        for one, other in zip_longest(mine, theirs):
            if one is None or other is None or one[0] != other[0]:
                present = one if one is not None else other
                assert present is not None
                return present[1]
        return None

    def names(self, events: Sequence[Event]) -> list[str]:
        """The collectives of a sequence, one for each place that it has in the text."""
        return [
            _first_site(event, self._summaries)[0].operator
            for _, event in self._items(events, {}, 0)
        ]

    def _items(
        self, events: Sequence[Event], given: Mapping[SSAValue, _Key], depth: int
    ) -> Iterator[tuple[_Key, Event]]:
        """What must be equal for each event, and the event; `given` are the keys of parameters."""
        for event in events:
            if isinstance(event, Meeting):
                yield self._meeting(event.site, given), event
            elif isinstance(event, Through) and depth < _DEEPEST:
                passed = arguments_by_parameter(event.call, event.callee)
                inner: dict[SSAValue, _Key] = {
                    parameter: _key(passed[index], given)
                    for index, parameter in enumerate(event.callee.args)
                    if index in passed
                }
                yield from self._items(self._summaries[event.callee].events, inner, depth + 1)
            elif isinstance(event, Repeated) and isinstance(event.op, scf.ForOp):
                loop = event.op
                bounds = tuple(_key(v, given) for v in (loop.lb, loop.ub, loop.step))
                yield ("for", bounds, self._keys(event.events, given, depth)), event
            elif isinstance(event, Branched) and isinstance(event.op, scf.IfOp):
                sides = tuple(self._keys(side, given, depth) for side in event.sides)
                yield ("if", _key(event.op.cond, given), sides), event
            else:
                yield (event,), event  # equal to itself only

    def _keys(
        self, events: Sequence[Event], given: Mapping[SSAValue, _Key], depth: int
    ) -> tuple[_Key, ...]:
        return tuple(key for key, _ in self._items(events, given, depth))

    def _meeting(self, site: Site, given: Mapping[SSAValue, _Key]) -> _Key:
        places = tuple(
            (role, _key(value, given))
            for role, value in site.operands.items()
            if role in site.trait.addressed
        )
        types = tuple(value.type for value in site.operands.values())
        width = None if site.core_num is None else _key(site.core_num, given)
        options = tuple(sorted((name, str(value)) for name, value in site.options.items()))
        return (site.operator, places, types, width, options)


_DEEPEST = 50
"""How deep calls are taken apart; in a recursion there is no end to it."""


def _key(value: SSAValue, given: Mapping[SSAValue, _Key]) -> _Key:
    """Equal keys are equal values, on every rank that computes both."""
    if value in given:
        return given[value]
    if isinstance(value, BlockArgument):
        return value
    constant = ConstantLike.get_constant_value(value)
    if constant is not None:
        return constant
    if (folded := folded_int(value)) is not None:
        return ("folded", folded, value.type)
    op = value.owner
    assert isinstance(op, Operation)
    alias = alias_of(value)
    if alias is not None and isinstance(alias.trait, WritesBack):
        return _key(alias.source, given)
    if alias is not None and isinstance(alias.trait, ViewOf):
        properties = tuple(sorted((n, str(v)) for n, v in op.properties.items()))
        operands = tuple(_key(operand, given) for operand in op.operands)
        return (op.name, properties, value.type, operands)
    return value
