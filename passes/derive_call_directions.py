"""
Say for every argument of every call and submit what its task does with it.

The runtime builds a chip's task graph from these directions: they are what orders compute ->
collective -> consume. A direction that claims too little loses an edge, and the result is wrong on
some runs only; so whatever is not known here becomes `inout`.

Reads   the directions of parameters (`pl.dir`), the buffers of arguments, loops around calls.
Decides first the directions of wrappers (`group`, `spmd`), a least fixed point over what their
        inner calls do with their parameters (in < out < inout, only ever raised); a parameter that
        is read before it is written is inout. Then, per function, one vector for each call that
        has none: the table in `_Deriver`.
Changes `pl.dir` of the parameters of wrappers, and `arg_directions` of calls and submits. An
        existing vector is authoritative and stays.

Needs nothing; `lower-l2-tensor-collectives` should have made collectives into calls. Leaves
`call-directions-resolved`.

Source: neighbours, derive-call-directions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_pld.dialects.pl.attributes import (
    DIRECTION,
    Direction,
    FuncType,
    direction,
    func_type,
    is_parallel,
    param_attrs,
    set_param_attrs,
)
from xdsl_pld.dialects.pl.call import CallLikeOp, CallOp, SubmitOp, call_like_ops
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.traits import AliasesOperand, WritesBack
from xdsl_pld.dialects.types import DistributedTensorType, is_tensor_like
from xdsl_pld.passes.analysis.buffers import Buffers, FunctionBuffers, Places, is_parameter
from xdsl_pld.passes.analysis.calls import callee_of, functions
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError
from xdsl_pld.passes.properties import Property
from xdsl_pld.passes.properties.call_directions_resolved import misfits

_RISING = (Direction.IN, Direction.OUT, Direction.INOUT)


class _Written:
    """
    The buffers that may have been written so far, seen from inside a nest of scopes.

    A scope sees what the scopes around it have written before it; what it writes itself is seen by
    those behind it only once it is left, when it counts as one writer.
    """

    def __init__(self):
        self._scopes: list[set[SSAValue | None]] = [set()]

    def add(self, places: Places) -> None:
        self._scopes[-1].update(places.areas)
        if places.anywhere:
            self._scopes[-1].add(None)

    def holds(self, places: Places) -> bool:
        """Whether one of the buffers, which are known, may have been written."""
        return any(None in s or not s.isdisjoint(places.areas) for s in self._scopes)

    def enter(self) -> None:
        self._scopes.append(set())

    def leave(self) -> set[SSAValue | None]:
        return self._scopes.pop()

    def join(self, op: Operation, scopes: Sequence[set[SSAValue | None]]) -> None:
        """Takes over what the regions of `op` have written."""
        self._scopes[-1].update(*scopes)


class _SurelyWritten(_Written):
    """The buffers that have been written as a whole, on every path."""

    def __init__(self, buffers: FunctionBuffers):
        super().__init__()
        self._buffers = buffers

    def add(self, places: Places) -> None:
        if places.ambiguous:
            return
        for root, area in places.areas.items():
            if area.region == self._buffers.places(root).areas[root].region:
                self._scopes[-1].add(root)

    def holds(self, places: Places) -> bool:
        """Whether the buffers, all that it may be, have been written."""
        written = set[SSAValue | None]().union(*self._scopes)
        return not places.anywhere and written.issuperset(places.areas)

    def join(self, op: Operation, scopes: Sequence[set[SSAValue | None]]) -> None:
        if isinstance(op, scf.IfOp):
            self._scopes[-1] |= scopes[0].intersection(*scopes[1:])


class _Site(NamedTuple):
    """A call, seen where it stands."""

    call: CallLikeOp
    callee: FuncOp
    sequential: bool
    """Whether it stands in a loop whose iterations follow each other."""
    written: _Written
    """What has been written before it; valid until the walk goes on."""


class _Directions:
    """The directions of parameters: those written, as far as they are not raised."""

    def __init__(self):
        self.raised: dict[FuncOp, dict[int, Direction]] = {}

    def __call__(self, function: FuncOp, index: int) -> Direction:
        return self.raised.get(function, {}).get(index) or direction(function, index)

    def raise_to(self, function: FuncOp, index: int, wanted: Direction) -> bool:
        if _RISING.index(wanted) <= _RISING.index(self(function, index)):
            return False
        self.raised.setdefault(function, {})[index] = wanted
        return True


class _Walk:
    """Visits the calls of a function in text order, and keeps account of what is written."""

    def __init__(
        self,
        function: FuncOp,
        directions: _Directions,
        places: Callable[[SSAValue], Places],
    ):
        """`places` says what buffers are: whether a slice is one of its own."""
        self._function = function
        self._directions = directions
        self._places = places

    def sites(self, written: _Written) -> Iterator[_Site]:
        blocks = self._function.body.blocks
        # Branches between blocks may form a loop.
        yield from self._visit(blocks, written, sequential=len(blocks) > 1)

    def _visit(
        self, blocks: Sequence[Block], written: _Written, *, sequential: bool
    ) -> Iterator[_Site]:
        for block in blocks:
            for op in block.ops:
                if isinstance(op, CallOp | SubmitOp):
                    callee = callee_of(op)
                    if callee is not None:
                        yield _Site(op, callee, sequential, written)
                        self._note_call(op, callee, written)
                elif op.regions:
                    yield from self._visit_regions(op, written, sequential=sequential)
                else:
                    for operand in _written_operands(op):
                        written.add(self._places(operand))

    def _visit_regions(
        self, op: Operation, written: _Written, *, sequential: bool
    ) -> Iterator[_Site]:
        sequential |= _is_sequential(op)
        scopes: list[set[SSAValue | None]] = []
        for region in op.regions:
            written.enter()
            inside = sequential or len(region.blocks) > 1
            yield from self._visit(region.blocks, written, sequential=inside)
            scopes.append(written.leave())
        written.join(op, scopes)

    def _note_call(self, call: CallLikeOp, callee: FuncOp, written: _Written) -> None:
        for index, parameter in enumerate(call.parameter_indices(callee)):
            if self._directions(callee, parameter) is not Direction.IN:
                written.add(self._places(call.arguments[index]))
        for result in call.callee_results:
            if is_tensor_like(result.type):
                # A result that is memory of its own, such as an omitted output, was filled here.
                area = self._places(result).areas.get(result)
                if area is not None:
                    written.add(Places({result: area}, anywhere=False))


def _is_sequential(op: Operation) -> bool:
    """Whether the iterations of a loop follow each other; what else repeats is not known."""
    if isinstance(op, scf.ForOp):
        return not is_parallel(op)
    return isinstance(op, scf.WhileOp)


def _written_operands(op: Operation) -> Sequence[SSAValue]:
    """What an op other than a call writes: its destination; a collective, all its windows."""
    if op.has_trait(ManagedCollective, value_if_unregistered=False):
        return [o for o in op.operands if isinstance(o.type, DistributedTensorType)]
    trait = op.get_trait(AliasesOperand)
    return [trait.source(op)] if isinstance(trait, WritesBack) else ()


# Wrappers


class _Use(NamedTuple):
    """An argument of an inner call that may be a parameter of the wrapper around it."""

    callee: FuncOp
    parameter: int
    """The callee's."""
    wrapper: FuncOp
    own: int
    """The wrapper's parameter."""


def _raise_wrappers(module: ModuleOp, buffers: Buffers, directions: _Directions) -> None:
    wrappers = [f for f in functions(module) if _is_wrapper(f)]
    uses = [use for wrapper in wrappers for use in _uses(wrapper, buffers.of(wrapper))]
    by_callee: dict[tuple[FuncOp, int], list[_Use]] = {}
    for use in uses:
        by_callee.setdefault((use.callee, use.parameter), []).append(use)
    _propagate(list(by_callee), by_callee, directions)
    read_first = [
        (wrapper, own)
        for wrapper in wrappers
        for own in _read_first(wrapper, buffers.of(wrapper), directions)
        if directions.raise_to(wrapper, own, Direction.INOUT)
    ]
    _propagate(read_first, by_callee, directions)


def _is_wrapper(function: FuncOp) -> bool:
    return func_type(function) in (FuncType.GROUP, FuncType.SPMD)


def _propagate(
    pending: list[tuple[FuncOp, int]],
    by_callee: Mapping[tuple[FuncOp, int], Sequence[_Use]],
    directions: _Directions,
) -> None:
    """Raises what depends on the directions in `pending`, until nothing changes."""
    while pending:
        callee, parameter = pending.pop()
        for use in by_callee.get((callee, parameter), ()):
            if directions.raise_to(use.wrapper, use.own, directions(callee, parameter)):
                pending.append((use.wrapper, use.own))


def _uses(wrapper: FuncOp, buffers: FunctionBuffers) -> Iterator[_Use]:
    for call in call_like_ops(wrapper):
        if (callee := callee_of(call)) is None:
            continue
        for argument, parameter in zip(call.arguments, call.parameter_indices(callee), strict=True):
            if is_tensor_like(argument.type):
                for own in _parameters(wrapper, buffers.places(argument)):
                    yield _Use(callee, parameter, wrapper, own)


def _parameters(function: FuncOp, places: Places) -> list[int]:
    """The parameters that a value may be."""
    if places.anywhere:
        return [a.index for a in function.args if is_tensor_like(a.type)]
    return [root.index for root in places.areas if is_parameter(root, function)]


def _read_first(
    wrapper: FuncOp, buffers: FunctionBuffers, directions: _Directions
) -> Iterator[int]:
    """The parameters `out` by now that an inner call reads before all of it has been written."""
    walk = _Walk(wrapper, directions, buffers.places)
    for site in walk.sites(_SurelyWritten(buffers)):
        for index, parameter in enumerate(site.call.parameter_indices(site.callee)):
            argument = site.call.arguments[index]
            if not is_tensor_like(argument.type):
                continue
            places = buffers.places(argument)
            reads = directions(site.callee, parameter) is Direction.IN
            if reads and not site.written.holds(places):
                for own in _parameters(wrapper, places):
                    if directions(wrapper, own) is Direction.OUT:
                        yield own


# Calls


class _Deriver:
    """
    Derives the vectors of a function's calls.

        callee's parameter   argument                                        direction
        any                  not a tensor                                    scalar
        in                   a tensor                                        input
        inout                a tensor                                        inout
        out                  in a sequential loop                            inout
        out                  of more than one buffer; of one written before  inout
                             in this scope; a parameter declared inout
        out                  else                                            output_existing
    """

    def __init__(self, function: FuncOp, buffers: Buffers, directions: _Directions):
        self._function = function
        self._directions = directions
        self.vectors: list[tuple[CallLikeOp, Sequence[str]]] = []
        self.findings: list[Finding] = []
        """What is wrong with the vectors that are there already."""
        self._buffers = buffers.of(function)

    def derive(self) -> None:
        walk = _Walk(self._function, self._directions, self._buffers.roots)
        for site in walk.sites(_Written()):
            if (given := site.call.arg_directions) is not None:
                self.findings += misfits(site.call, given, site.callee, self._directions)
            elif site.call.arguments:
                self.vectors.append((site.call, self._vector(site)))

    def _vector(self, site: _Site) -> Sequence[str]:
        no_dep = () if site.call.no_dep is None else site.call.no_dep.get_values()
        return [
            "no_dep" if index in no_dep else self._entry(site, argument, parameter)
            for index, (argument, parameter) in enumerate(
                zip(site.call.arguments, site.call.parameter_indices(site.callee), strict=True)
            )
        ]

    def _entry(self, site: _Site, argument: SSAValue, parameter: int) -> str:
        if not is_tensor_like(argument.type):
            return "scalar"
        declared = self._directions(site.callee, parameter)
        if declared is Direction.IN:
            return "input"
        if declared is Direction.INOUT or site.sequential:
            return "inout"
        roots = self._buffers.roots(argument)
        if roots.ambiguous or site.written.holds(roots) or self._is_inout(roots):
            return "inout"
        return "output_existing"

    def _is_inout(self, roots: Places) -> bool:
        return any(
            is_parameter(root, self._function)
            and self._directions(self._function, root.index) is Direction.INOUT
            for root in roots.areas
        )


def _write(directions: _Directions) -> None:
    """Writes the raised directions where `direction` reads them."""
    for wrapper, raised in directions.raised.items():
        parameters = range(len(wrapper.function_type.inputs))
        attributes = [dict(param_attrs(wrapper, index)) for index in parameters]
        for index, wanted in raised.items():
            attributes[index][DIRECTION] = StringAttr(wanted)
        set_param_attrs(wrapper, attributes)


@dataclass(frozen=True)
class DeriveCallDirectionsPass(PldPass):
    """
    Derives `arg_directions` for every call and submit that has none.

    Before: pl.call @k(%a, %n) : (T, index) -> ()      (%a for a parameter that is inout)
    After:  pl.call @k(%a, %n) {arg_directions = ["inout", "scalar"]} : (T, index) -> ()
    """

    name = "derive-call-directions"

    produces: ClassVar[tuple[Property, ...]] = (Property.CALL_DIRECTIONS_RESOLVED,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        buffers = Buffers()
        directions = _Directions()
        _raise_wrappers(module, buffers, directions)
        derivers = [_Deriver(f, buffers, directions) for f in functions(module)]
        for deriver in derivers:
            deriver.derive()
        if findings := [finding for deriver in derivers for finding in deriver.findings]:
            raise FindingsError(findings)
        _write(directions)
        for deriver in derivers:
            for call, vector in deriver.vectors:
                call.properties["arg_directions"] = ArrayAttr(map(StringAttr, vector))
