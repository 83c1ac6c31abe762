"""
Writes the ops of an expansion before the collective that they replace.

A loop or branch is built complete before it is inserted, so a constant that its body asks for is
inserted ahead of it, once an expansion.
"""

from collections.abc import Callable, Mapping, Sequence

from typing_extensions import TypeVar
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pl.tile import StoreOp
from xdsl_pld.dialects.pl.tile_compute import AddOp, MaxOp, MinOp, MulOp, TileBinaryOp
from xdsl_pld.dialects.pld.system import GetCommCtxOp, NotifyOp, RankOp, WaitOp
from xdsl_pld.dialects.pld.transfers import RemoteLoadOp
from xdsl_pld.dialects.types import TileType
from xdsl_pld.dialects.values import element_of, shape_of

_OpT = TypeVar("_OpT", bound=Operation)

_COMBINE: Mapping[str, type[TileBinaryOp]] = {
    "sum": AddOp,
    "prod": MulOp,
    "max": MaxOp,
    "min": MinOp,
}


class Emitter:
    """Emits ops at the location of `anchor`, before it or into the loop that is being built."""

    def __init__(self, anchor: Operation, rewriter: Rewriter):
        self._anchor = anchor
        self._rewriter = rewriter
        self._blocks: list[Block] = []
        self._constants: dict[tuple[int, Attribute], SSAValue] = {}

    def add(self, op: _OpT, name: str | None = None) -> _OpT:
        """Inserts an op; `name` is that of its result."""
        op.location = self._anchor.location
        if name is not None:
            op.results[0].name_hint = name
        if self._blocks:
            self._rewriter.insert_op(op, InsertPoint.at_end(self._blocks[-1]))
        else:
            self._rewriter.insert_op(op, InsertPoint.before(self._anchor))
        return op

    def _constant(self, number: int, type_: IndexType | IntegerType, name: str) -> SSAValue:
        key = (number, type_)
        if key not in self._constants:
            op = arith.ConstantOp(IntegerAttr(number, type_))
            op.location = self._anchor.location
            op.result.name_hint = name
            self._rewriter.insert_op(op, InsertPoint.before(self._anchor))
            self._constants[key] = op.result
        return self._constants[key]

    def index(self, number: int) -> SSAValue:
        """A constant of type index."""
        return self._constant(number, IndexType(), f"c{number}")

    def i32(self, number: int) -> SSAValue:
        """A constant of type i32."""
        return self._constant(number, i32, f"n{number}" if number >= 0 else f"minus{-number}")

    def to_i32(self, value: SSAValue, name: str) -> SSAValue:
        return self.add(arith.IndexCastOp(value, i32), name).result

    def to_index(self, value: SSAValue, name: str) -> SSAValue:
        return self.add(arith.IndexCastOp(value, IndexType()), name).result

    def times(self, value: SSAValue, factor: int, name: str) -> SSAValue:
        return self.add(arith.MuliOp(value, self.index(factor)), name).result

    def plus(self, left: SSAValue, right: SSAValue, name: str) -> SSAValue:
        return self.add(arith.AddiOp(left, right), name).result

    def loop(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        name: str,
        body: Callable[[SSAValue], None],
    ) -> None:
        """`scf.for` from, to, step."""
        block = Block(arg_types=[IndexType()])
        block.args[0].name_hint = name
        self._fill(block, lambda: body(block.args[0]))
        self.add(scf.ForOp(*bounds, [], block))

    def accumulate(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        name: str,
        initial: SSAValue,
        body: Callable[[SSAValue, SSAValue], SSAValue],
    ) -> SSAValue:
        """`scf.for` that carries one value: from (index, value so far) to the next."""
        block = Block(arg_types=[IndexType(), initial.type])
        block.args[0].name_hint, block.args[1].name_hint = name, initial.name_hint

        def fill() -> None:
            self.add(scf.YieldOp(body(block.args[0], block.args[1])))

        self._fill(block, fill, terminated=True)
        loop = self.add(scf.ForOp(*bounds, [initial], block))
        loop.results[0].name_hint = initial.name_hint
        return loop.results[0]

    def when(self, condition: SSAValue, body: Callable[[], None]) -> None:
        """`scf.if` without an else."""
        block = Block()
        self._fill(block, body)
        self.add(scf.IfOp(condition, [], Region(block)))

    def _fill(self, block: Block, body: Callable[[], None], *, terminated: bool = False) -> None:
        for argument in block.args:
            argument.location = self._anchor.location
        self._blocks.append(block)
        body()
        if not terminated:
            self.add(scf.YieldOp())
        self._blocks.pop()


class Protocol(Emitter):
    """An emitter that knows the ranks of a collective: the handshake, and loops over peers."""

    def __init__(self, anchor: Operation, rewriter: Rewriter, signal: SSAValue):
        super().__init__(anchor, rewriter)
        self._signal = signal
        self.ranks = shape_of(signal)[0]
        context = self.add(GetCommCtxOp(signal), "ctx")
        self.me = self.add(RankOp(context.context), "me").result
        """The own rank, i32."""
        self.mine = self.to_index(self.me, "mine")
        """The own rank, index."""

    def each_cell(self, body: Callable[[Sequence[IndexLike]], None]) -> None:
        """A loop over the cells of the own signal in which the ranks' credits are counted."""
        bounds = (self.index(0), self.index(self.ranks), self.index(1))
        self.loop(bounds, "s", lambda rank: body(self._cell(rank)))

    def each_rank(self, body: Callable[[SSAValue, SSAValue], None]) -> None:
        """A loop over all ranks, the own one included; the body gets the rank as index and i32."""
        bounds = (self.index(0), self.index(self.ranks), self.index(1))
        self.loop(bounds, "d", lambda rank: body(rank, self.to_i32(rank, "peer")))

    def arrive(self, credits: int) -> None:
        """
        A barrier: gives each rank one credit, and waits until each has given `credits` since the
        signal was cleared. `>=`, since a peer may be one call ahead.
        """
        own = self._cell(self.mine)
        self.each_rank(lambda _, peer: self._notify(own, peer, self.i32(1)))
        self.each_cell(lambda cell: self._wait(cell, self.i32(credits)))

    def clear(self, credits: int) -> None:
        """Takes the credits of this call off, by an add: an early one of the next call survives."""
        self.each_cell(lambda cell: self._notify(cell, self.me, self.i32(-credits)))

    def _cell(self, rank: SSAValue) -> Sequence[IndexLike]:
        """Where the credits of a rank are counted."""
        return [rank, *[0] * (len(shape_of(self._signal)) - 1)]

    def _notify(self, cell: Sequence[IndexLike], peer: SSAValue, value: SSAValue) -> None:
        self.add(NotifyOp(self._signal, cell, peer, value, "atomic_add"))

    def _wait(self, cell: Sequence[IndexLike], expected: SSAValue) -> None:
        self.add(WaitOp(self._signal, cell, expected, "ge"))

    def combined_row(self, tensor: SSAValue, row: SSAValue, op: str) -> SSAValue:
        """
        A row of the tensor on all ranks, combined in the order of ranks, so that every rank that
        does this holds the same bits.
        """
        sizes = [1, *shape_of(tensor)[1:]]
        offsets = [row, *[0] * (len(sizes) - 1)]
        tile = TileType(TensorType(element_of(tensor), sizes))

        def load(peer: SSAValue) -> SSAValue:
            return self.add(RemoteLoadOp(tensor, offsets, sizes, peer, tile), "part").result

        def combine(rank: SSAValue, so_far: SSAValue) -> SSAValue:
            part = load(self.to_i32(rank, "peer"))
            return self.add(_COMBINE[op](so_far, part), "acc").result

        first = load(self.i32(0))
        first.name_hint = "acc"
        bounds = (self.index(1), self.index(self.ranks), self.index(1))
        return self.accumulate(bounds, "s", first, combine)

    def store_row(self, tile: SSAValue, tensor: SSAValue, row: SSAValue) -> None:
        """Stores a row into the own tensor."""
        self.add(StoreOp(tile, tensor, [row, *[0] * (len(shape_of(tensor)) - 1)]))
