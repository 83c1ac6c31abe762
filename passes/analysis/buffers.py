"""
Buffers: which memory a tensor value may denote.

Reads   the aliasing traits of ops, the flow of values through control flow (`flow`), and for calls
        what the callee returns.
Decides for every tensor value the roots that it may have, all of them: lineage answers whose
        context a tensor has and keeps what a loop starts with; here an order is at stake, so a
        value that may be two buffers is both.
Changes nothing. Linear: a value's answer grows at most a bounded number of times.

Two questions, two answers. `roots` are those of derive-call-directions, where a slice is a buffer
of its own. `places` are about memory: the root under all slices and views, and which elements of
it. What the elements are is known as far as offsets and sizes are constants; otherwise the place is
larger than the truth, never smaller.

Parameters are taken to be distinct allocations, as the host's windows and tensors are.

Source: neighbours, derive-call-directions and auto-derive-task-dependencies.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.windows import WindowOp
from xdsl_pld.dialects.traits import Alias, alias_of
from xdsl_pld.dialects.types import is_tensor_like, tensor_of
from xdsl_pld.dialects.views import TensorView
from xdsl_pld.passes.analysis import regions
from xdsl_pld.passes.analysis.blocks import definitions_first
from xdsl_pld.passes.analysis.calls import AnyCallOp, callee_of, callee_results, parameter_indices
from xdsl_pld.passes.analysis.flow import Join, entry_joins, result_joins

MAX_ROOTS = 8
"""A value that may be more buffers than this is taken to be any."""


class Area(NamedTuple):
    """A part of a root."""

    region: regions.Region | None
    """The elements, None for all; at least those that the value has."""
    exact: bool
    """Whether element `i` of the value is element `i` of the region's box."""


_ALL = Area(None, False)


class Places(NamedTuple):
    """The memory that a value may denote: one of the areas, or, if `anywhere`, any."""

    areas: Mapping[SSAValue, Area]
    anywhere: bool

    @property
    def ambiguous(self) -> bool:
        return self.anywhere or len(self.areas) > 1

    def loosened(self) -> "Places":
        """The same memory, of which it is not known which element is which."""
        areas = {root: Area(area.region, False) for root, area in self.areas.items()}
        return Places(areas, self.anywhere)


_NOWHERE = Places({}, False)
_ANYWHERE = Places({}, True)


def _union(all_places: Sequence[Places]) -> Places:
    if len(all_places) == 1:
        return all_places[0]
    areas: dict[SSAValue, Area] = {}
    for places in all_places:
        if places.anywhere:
            return _ANYWHERE
        for root, area in places.areas.items():
            known = areas.setdefault(root, area)
            if known != area:
                same = known.region == area.region
                areas[root] = Area(known.region if same else _all_of(root).region, False)
    return _ANYWHERE if len(areas) > MAX_ROOTS else Places(areas, False)


class Returned(NamedTuple):
    """What a function may return at a position."""

    parameters: Mapping[int, bool]
    """The parameters, each with whether it is the parameter's tensor as a whole."""
    own: bool
    """Whether it may be memory of the callee's own."""
    anywhere: bool = False


class Buffers:
    """The buffers of a module's functions, each computed when it is first asked for."""

    def __init__(self):
        self._functions: dict[FuncOp, FunctionBuffers] = {}
        self._started: set[FuncOp] = set()

    def of(self, function: FuncOp) -> "FunctionBuffers":
        """
        The buffers of one function; callees whose returns must be analysed come first. Within a
        recursion a callee may return any of its tensors, unless it names a parameter.
        """
        stack = [function]
        recursive: set[FuncOp] = set()
        while stack:
            current = stack[-1]
            if current not in self._started:
                self._started.add(current)
                for callee in _callees(current):
                    if self._is_under_way(callee):
                        recursive.add(callee)
                    elif not self._is_solved(callee):
                        stack.append(callee)
                continue
            stack.pop()
            if current not in self._functions:
                self._functions[current] = FunctionBuffers(current, self._returned)
            if current is not function or current in recursive:
                self._functions[current].solve()
        return self._functions[function]

    def _is_under_way(self, function: FuncOp) -> bool:
        return function in self._started and function not in self._functions

    def _is_solved(self, function: FuncOp) -> bool:
        return function in self._functions and self._functions[function].is_solved

    def _returned(self, function: FuncOp) -> Sequence[Returned]:
        returns = [b.last_op for b in function.body.blocks if isinstance(b.last_op, func.ReturnOp)]
        if not returns:
            return [_any_tensor(function)] * len(function.function_type.outputs)
        return [
            _merged([self._denoted(function, value) for value in values])
            for values in zip(*(op.operands for op in returns), strict=True)
        ]

    def _denoted(self, function: FuncOp, value: SSAValue) -> Returned:
        if is_parameter(value, function):
            return Returned({value.index: True}, own=False)
        if not is_tensor_like(value.type):
            return Returned({}, own=True)
        if not self._is_solved(function):  # it is in a recursion with who asks
            return _any_tensor(function)
        places = self._functions[function].places(value)
        parameters = {root.index: False for root in places.areas if is_parameter(root, function)}
        own = len(parameters) < len(places.areas)
        return Returned(parameters, own, places.anywhere)


def _merged(returned: Sequence[Returned]) -> Returned:
    parameters: dict[int, bool] = {}
    for each in returned:
        for parameter, whole in each.parameters.items():
            parameters[parameter] = parameters.get(parameter, True) and whole
    own = any(each.own for each in returned)
    return Returned(parameters, own, any(each.anywhere for each in returned))


def _any_tensor(function: FuncOp) -> Returned:
    inputs = function.function_type.inputs
    return Returned({i: False for i, type_ in enumerate(inputs) if is_tensor_like(type_)}, own=True)


def is_parameter(value: SSAValue, function: FuncOp) -> TypeGuard[BlockArgument]:
    """Whether a value is a parameter of `function`."""
    return isinstance(value, BlockArgument) and value.block is function.body.first_block


def _callees(function: FuncOp) -> Iterator[FuncOp]:
    """The callees in a body whose returns cannot be read off."""
    for op in function.body.walk():
        if isinstance(op, CallOp | SubmitOp | func.CallOp) and op.results:
            callee = callee_of(op)
            if callee is not None and not _is_literal(callee):
                yield callee


def _is_literal(function: FuncOp) -> bool:
    return all(
        is_parameter(value, function) or not is_tensor_like(value.type)
        for block in function.body.blocks
        if isinstance(block.last_op, func.ReturnOp)
        for value in block.last_op.operands
    )


class FunctionBuffers:
    """The buffers of all tensor values of one function."""

    def __init__(self, function: FuncOp, returned: Callable[[FuncOp], Sequence[Returned]]):
        """`returned` tells what a callee returns."""
        self.function = function
        self._returned = returned
        self._places: Mapping[SSAValue, Places] | None = None
        self._roots: Mapping[SSAValue, Places] | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the places are known, so that asking for one asks no callee."""
        return self._places is not None

    def solve(self) -> Mapping[SSAValue, Places]:
        """The places of all tensor values, computed unless they are known."""
        if self._places is None:
            self._places = _Solver(self.function, self._returned, slices_are_roots=False).known
        return self._places

    def places(self, value: SSAValue) -> Places:
        """The memory that a tensor value may denote."""
        return self.solve().get(value, _ANYWHERE)

    def roots(self, value: SSAValue) -> Places:
        """The buffers that a tensor value may be, a slice being one of its own."""
        if self._roots is None:
            self._roots = _Solver(self.function, self._returned, slices_are_roots=True).known
        return self._roots.get(value, _ANYWHERE)


class _Source(NamedTuple):
    """How a value's places follow from those of other values."""

    inputs: Sequence[SSAValue]
    places: Callable[[Sequence[Places]], Places]


class _Solver:
    """
    Finds the places of all tensor values of a function.

    One walk in program order settles all but what loops carry; that is then propagated until
    nothing changes. A value gains at most MAX_ROOTS roots, each loses its region once.
    """

    def __init__(
        self,
        function: FuncOp,
        returned: Callable[[FuncOp], Sequence[Returned]],
        *,
        slices_are_roots: bool,
    ):
        self.known: dict[SSAValue, Places] = {}
        self._returned = returned
        self._slices_are_roots = slices_are_roots
        self._sources: dict[SSAValue, _Source] = {}
        self._users: dict[SSAValue, list[SSAValue]] = {}
        self._carries: list[SSAValue] = []
        for argument in function.args if function.body.blocks else ():
            if is_tensor_like(argument.type):
                self.known[argument] = self._own(argument)
        self._visit(function.body)
        self._propagate()

    def _visit(self, region: Region) -> None:
        for block in definitions_first(region):
            for argument in block.args:
                if is_tensor_like(argument.type):
                    self.known.setdefault(argument, _ANYWHERE)
            for op in block.ops:
                if op.regions:
                    for each in op.regions:
                        self._join(entry_joins(op, each))
                        self._visit(each)
                    self._join(result_joins(op))
                elif op.results:
                    self._define_results(op)
                for result in op.results:
                    if is_tensor_like(result.type):
                        self.known.setdefault(result, _ANYWHERE)

    def _join(self, joins: Iterator[Join]) -> None:
        for join in joins:
            if is_tensor_like(join.value.type):
                self._define(join.value, (join.seed, *join.others), _union)
                if join.carried:
                    self._carries.append(join.value)

    def _define(
        self,
        value: SSAValue,
        inputs: Sequence[SSAValue],
        places: Callable[[Sequence[Places]], Places],
    ) -> None:
        self._sources[value] = source = _Source(inputs, places)
        for each in inputs:
            self._users.setdefault(each, []).append(value)
        self.known[value] = self._evaluate(source)

    def _evaluate(self, source: _Source) -> Places:
        return source.places([self.known.get(each, _NOWHERE) for each in source.inputs])

    def _propagate(self) -> None:
        pending = self._carries
        while pending:
            value = pending.pop()
            places = self._evaluate(self._sources[value])
            # Together with what was known, so that it only grows.
            places = _union([self.known[value], places])
            if places != self.known[value]:
                self.known[value] = places
                pending += self._users.get(value, ())

    def _define_results(self, op: Operation) -> None:
        if isinstance(op, CallOp | SubmitOp | func.CallOp):
            self._define_call(op)
            return
        for result in op.results:
            if not is_tensor_like(result.type):
                continue
            if (alias := alias_of(result)) is not None:
                self._define_alias(op, result, alias)
            elif isinstance(op, UnregisteredOp):
                self.known[result] = _ANYWHERE
            elif isinstance(op, WindowOp):
                self.known[result] = Places({op.buffer: _ALL}, False)
            else:
                # An op of others, which declares no alias: its own memory, or an operand's.
                tensors = [o for o in op.operands if is_tensor_like(o.type)]
                own = self._own(result)
                self._define(result, tensors, lambda p, own=own: _union([own, *map(_loose, p)]))

    def _define_alias(self, op: Operation, result: OpResult, alias: Alias) -> None:
        box = alias.trait.box(op)
        if box is not None and self._slices_are_roots:
            self.known[result] = Places({result: _ALL}, False)
            return
        if alias.trait.keeps_value:
            self._define(result, [alias.source], _union)
            return
        same_order = alias.trait.broken_packing(op) is None

        def view(areas: Sequence[Places]) -> Places:
            (places,) = areas
            if self._slices_are_roots:
                return places
            viewed: dict[SSAValue, Area] = {}
            for root, area in places.areas.items():
                if box is not None:
                    viewed[root] = _sliced(area, box.offsets, box.sizes)
                elif same_order:
                    viewed[root] = _reshaped(area, alias.source, result)
                else:
                    viewed[root] = Area(area.region, False)
            return Places(viewed, places.anywhere)

        self._define(result, [alias.source], view)

    def _define_call(self, call: AnyCallOp) -> None:
        callee = callee_of(call)
        if callee is None:
            return
        arguments = dict(zip(parameter_indices(call, callee), call.arguments, strict=True))
        for result, returned in zip(callee_results(call), self._returned(callee), strict=True):
            if not is_tensor_like(result.type):
                continue
            passed = [(arguments[p], w) for p, w in returned.parameters.items() if p in arguments]
            own = returned.own or len(passed) < len(returned.parameters)
            wholes = [whole for _, whole in passed]
            extra = [self._own(result)] if own else []
            if returned.anywhere:
                extra.append(_ANYWHERE)

            def places(
                given: Sequence[Places],
                wholes: Sequence[bool] = wholes,
                extra: Sequence[Places] = extra,
            ) -> Places:
                parts = [p if w else _loose(p) for p, w in zip(given, wholes, strict=True)]
                return _union([*parts, *extra]) if parts or extra else _ANYWHERE

            self._define(result, [argument for argument, _ in passed], places)

    def _own(self, value: SSAValue) -> Places:
        """A root: all of its own memory."""
        return Places({value: _ALL if self._slices_are_roots else _all_of(value)}, False)


def _loose(places: Places) -> Places:
    return places.loosened()


def _shape(value: SSAValue) -> tuple[int, ...]:
    tensor = tensor_of(value.type)
    assert tensor is not None
    return tuple(regions.UNBOUNDED if e == DYNAMIC_INDEX else e for e in tensor.get_shape())


def _in_order(value: SSAValue) -> bool:
    """Whether the type lets elements be numbered row-major: no strides, no other layout."""
    tensor = tensor_of(value.type)
    assert tensor is not None
    view = TensorView.of(tensor)
    return view.layout == "nd" and view.stride is None


def _all_of(value: SSAValue) -> Area:
    if not is_tensor_like(value.type):  # a window buffer
        return _ALL
    return Area(regions.whole(_shape(value)), True) if _in_order(value) else _ALL


def _sliced(area: Area, offsets: Sequence[int], sizes: Sequence[int]) -> Area:
    if area.region is None or not area.exact:
        return area
    starts = [None if n == DYNAMIC_INDEX else n for n in offsets]
    lengths = [None if n == DYNAMIC_INDEX else n for n in sizes]
    exact = None not in starts and None not in lengths
    return Area(area.region.narrowed(starts, lengths), exact)


def _reshaped(area: Area, source: SSAValue, result: SSAValue) -> Area:
    if area.region is None or not area.exact:
        return area
    shape = _shape(result)
    if not _in_order(result):
        return Area(area.region, False)
    if shape == _shape(source) and shape.count(regions.UNBOUNDED) < 2:
        return area
    run = area.region.run()
    if run is None or regions.UNBOUNDED in shape:
        return Area(area.region, False)
    return Area(regions.whole(shape, run[0]), True)
