"""
Let kernels write where their result belongs, instead of into a staging tensor that is copied there.

Reads   in chip orchestrations: `pl.tensor.create`, what is done with the tensor, and the
        `pl.tensor.assemble` that puts it into a destination.
Decides which staging tensors are nothing but a box of their destination: filled by calls, whole in
        exactly one assemble in the same block, not used afterwards, while nothing in between
        touches the destination's memory.
Changes the create into a slice of the destination and drops the assemble; a loop that then carries
        a tensor which it only yields back no longer carries it.

Needs nothing; runs before the directions are derived, since tasks change their operands.

Source: neighbours, fuse-create-assemble-to-slice.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_pld.dialects.pl.attributes import Direction, direction, is_chip_orchestration
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pl.tensor import AssembleOp, CreateOp, SliceOp
from xdsl_pld.dialects.types import is_tensor_like, tensor_of, with_tensor
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.passes.analysis.buffers import Buffers, FunctionBuffers, Places
from xdsl_pld.passes.analysis.calls import callee_of, functions
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.properties import Property


class _Function:
    """What is known of one orchestration, while staging tensors in it are fused."""

    def __init__(self, function: FuncOp, buffers: FunctionBuffers):
        self._buffers = buffers
        self._order: dict[Operation, int] = {}
        self._last_inside: dict[Operation, int] = {}
        self._touched: dict[SSAValue | None, list[int]] = {}
        """Per memory root (None: any) the ops that touch it, in text order."""
        self._holding: dict[SSAValue, list[SSAValue]] = {}
        """Per create the values that may be its tensor."""
        self._shared: set[SSAValue] = set()
        """Creates of which some value is only perhaps the tensor."""
        self._fused: dict[SSAValue, Places] = {}
        """Per fused create, and per slice in its place, the memory of the destination."""
        self.assembles: list[AssembleOp] = []
        self._walk(function)

    def _walk(self, function: FuncOp) -> None:
        for op in function.body.walk():
            self._order[op] = number = len(self._order)
            around = op.parent_op()
            while around is not None and around is not function:
                self._last_inside[around] = number
                around = around.parent_op()
            if isinstance(op, AssembleOp):
                self.assembles.append(op)
            for region in op.regions:
                for block in region.blocks:
                    self._note_values(block.args)
            self._note_values(op.results)
            for operand in op.operands:
                if is_tensor_like(operand.type):
                    self._touch(self._buffers.places(operand), number)

    def _note_values(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            if not is_tensor_like(value.type):
                continue
            places = self._buffers.places(value)
            for root in places.areas:
                if isinstance(root.owner, CreateOp):
                    self._holding.setdefault(root, []).append(value)
                    if places.ambiguous:
                        self._shared.add(root)

    def _touch(self, places: Places, number: int) -> None:
        for root in places.areas:
            self._touched.setdefault(root, []).append(number)
        if places.anywhere:
            self._touched.setdefault(None, []).append(number)

    def create_of(self, assemble: AssembleOp) -> CreateOp | None:
        """The create whose tensor, as a whole, the assemble puts into its destination."""
        places = self._buffers.places(assemble.source)
        if places.ambiguous or not places.areas:
            return None
        ((root, area),) = places.areas.items()
        create = root.owner
        if not isinstance(create, CreateOp) or create.parent is not assemble.parent:
            return None
        whole = self._buffers.places(root).areas[root]
        return create if area == whole and assemble.source.type == root.type else None

    def is_box(self, create: CreateOp, assemble: AssembleOp) -> bool:
        """Whether the created tensor can be a box of the assemble's destination from the start."""
        tensor = create.result
        destination = tensor_of(assemble.destination.type)
        assert destination is not None
        own = tensor_of(tensor.type)
        assert own is not None
        if not (isinstance(destination.encoding, NoneAttr) and isinstance(own.encoding, NoneAttr)):
            return False  # a view of another layout, or with strides of its own
        holding = self._holding[tensor]
        at, end = self._order[create], self._order[assemble]
        return (
            tensor not in self._shared
            and all(self._is_defined_before(v, create) for v in assemble.operands[1:])
            and self._is_filled(holding)
            and self._uses_end_at(holding, assemble)
            and self._keeps_kind(create, assemble)
            and not self._is_touched(self._places(assemble.destination), at, end)
        )

    def _is_defined_before(self, value: SSAValue, op: Operation) -> bool:
        """Whether a value that reaches the assemble, in the block of `op`, also reaches `op`."""
        return not isinstance(value, OpResult) or (
            value.op.parent is not op.parent or self._order[value.op] < self._order[op]
        )

    def _is_filled(self, holding: Sequence[SSAValue]) -> bool:
        return any(_writes(use.operation, use.index) for v in holding for use in v.uses)

    def _uses_end_at(self, holding: Sequence[SSAValue], assemble: AssembleOp) -> bool:
        """Whether the tensor is used up to the assemble, and no other assemble reads it."""
        end = self._order[assemble]
        for value in holding:
            for use in value.uses:
                op = use.operation
                if op is assemble:
                    continue
                if self._order[op] > end:
                    return False
                if isinstance(op, AssembleOp) and op.source is value:
                    return False
        return True

    def _keeps_kind(self, create: CreateOp, assemble: AssembleOp) -> bool:
        """A box of a distributed tensor is one, too: it fits where launches take any tensor."""
        if type(assemble.destination.type) is type(create.result.type):
            return True
        return all(
            isinstance(use.operation, CallOp | SubmitOp) or use.operation is assemble
            for use in create.result.uses
        )

    def _places(self, value: SSAValue) -> Places:
        """The memory of a value, with what has been fused by now."""
        places = self._fused.get(value) or self._buffers.places(value)
        if places.ambiguous or not places.areas:
            return places
        (root,) = places.areas
        return self._fused.get(root, places)

    def _is_touched(self, places: Places, at: int, end: int) -> bool:
        if places.anywhere:
            return True
        return any(
            (index := bisect_right(touched, at)) < len(touched) and touched[index] < end
            for touched in (self._touched.get(root, ()) for root in (*places.areas, None))
        )

    def fuse(self, create: CreateOp, assemble: AssembleOp, rewriter: Rewriter) -> SSAValue:
        """Replaces create and assemble by a slice; returns the destination."""
        destination = assemble.destination
        own = tensor_of(create.result.type)
        assert own is not None
        shape = shape_of(create.result)
        sizes = [1] * (len(shape_of(destination)) - len(shape)) + list(shape)
        box = SliceOp(
            destination, assemble.mixed_offsets, sizes, with_tensor(destination.type, own)
        )
        box.location = create.location
        box.result.name_hint = create.result.name_hint
        # What touches the staging tensor from now on touches the destination.
        places = self._places(destination)
        self._fused[create.result] = self._fused[box.result] = places
        self._order[box] = self._order[create]
        for root in places.areas:
            for number in self._touched.get(create.result, ()):
                insort(self._touched.setdefault(root, []), number)
        rewriter.replace_op(create, box)
        rewriter.replace_op(assemble, [], [destination])
        return destination


def _writes(op: Operation, index: int) -> bool:
    """Whether a call or submit writes the tensor that is its operand `index`."""
    if not isinstance(op, CallOp | SubmitOp) or index >= len(op.arguments):
        return False
    callee = callee_of(op)
    if callee is None:
        return False
    return direction(callee, op.parameter_indices(callee)[index]) is not Direction.IN


# Carries


def _self_carries(loop: scf.ForOp) -> Iterator[int]:
    last = loop.body.block.last_op
    assert isinstance(last, scf.YieldOp)
    for index, argument in enumerate(loop.body.block.args[1:]):
        if last.arguments[index] is argument and is_tensor_like(argument.type):
            yield index


def _drop_self_carries(loop: scf.ForOp, rewriter: Rewriter) -> scf.ForOp:
    """
    Before: %r = scf.for ... iter_args(%x = %a) { ... scf.yield %x }
    After:  scf.for ... { ... }      (%a for %x and %r)
    """
    dropped = set(_self_carries(loop))
    if not dropped:
        return loop
    block = loop.body.block
    last = block.last_op
    assert isinstance(last, scf.YieldOp)
    kept = [i for i in range(len(loop.iter_args)) if i not in dropped]
    initial = list(loop.iter_args)
    rewriter.replace_op(last, scf.YieldOp(*(last.arguments[i] for i in kept)))
    for index in sorted(dropped, reverse=True):
        argument = block.args[index + 1]
        argument.replace_all_uses_with(initial[index])
        block.erase_arg(argument)
    body = rewriter.move_region_contents_to_new_regions(loop.body)
    new = scf.ForOp(loop.lb, loop.ub, loop.step, [initial[i] for i in kept], body)
    new.attributes = dict(loop.attributes)
    new.location = loop.location
    results = iter(new.results)
    values = [initial[i] if i in dropped else next(results) for i in range(len(initial))]
    rewriter.replace_op(loop, new, values)
    return new


def _loops_around(op: Operation) -> Iterator[scf.ForOp]:
    around = op.parent_op()
    while around is not None:
        if isinstance(around, scf.ForOp):
            yield around
        around = around.parent_op()


@dataclass(frozen=True)
class FuseCreateAssembleToSlicePass(PldPass):
    """
    Makes a staging tensor a slice of the tensor that it is assembled into.

    Before: %s = pl.tensor.create : tensor<8x64xf32>
            pl.call @k(%s) : (tensor<8x64xf32>) -> ()
            %d = pl.tensor.assemble %s into %dst[8, 0] : tensor<8x64xf32>, tensor<32x64xf32>
    After:  %s = pl.tensor.slice %dst[8, 0] [8, 64] : tensor<32x64xf32> -> tensor<8x64xf32>
            pl.call @k(%s) : (tensor<8x64xf32>) -> ()
    """

    name = "fuse-create-assemble-to-slice"

    breaks: ClassVar[tuple[Property, ...]] = (
        Property.CALL_DIRECTIONS_RESOLVED,
        Property.DIST_TENSOR_CTX_MATERIALIZED,
    )

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        buffers = Buffers()
        rewriter = Rewriter()
        for function in functions(module):
            if is_chip_orchestration(function):
                _fuse_in(function, buffers.of(function), rewriter)


def _fuse_in(function: FuncOp, buffers: FunctionBuffers, rewriter: Rewriter) -> None:
    known: _Function | None = None
    loops: dict[Operation, None] = {}
    if any(isinstance(op, AssembleOp) for op in function.body.walk()):
        known = _Function(function, buffers)
    for assemble in () if known is None else known.assembles:
        assert known is not None
        create = known.create_of(assemble)
        if create is not None and known.is_box(create, assemble):
            loops |= dict.fromkeys(_loops_around(assemble))
            known.fuse(create, assemble, rewriter)
    # From the inside out: a loop that no longer carries leaves the one around it a self-carry.
    for loop in sorted(loops, key=_depth, reverse=True):
        assert isinstance(loop, scf.ForOp)
        _drop_self_carries(loop, rewriter)


def _depth(op: Operation) -> int:
    depth = 0
    around = op.parent_op()
    while around is not None:
        depth += 1
        around = around.parent_op()
    return depth
