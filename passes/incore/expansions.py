"""
What each collective becomes in a kernel: one builder a collective, in the table `EXPANSIONS`.

All but the barrier have one frame, the protocol of the builtin kernels:

    arrive     every peer has finished with what the last call left, and its operands are ready
    move       each rank writes where nobody else reads or writes, until the next line
    arrive     everything has arrived, and everybody has read what it needed
    clear      the credits are taken off, so that one signal serves any number of calls

Data moves by what the owner of a place may do alone:

| collective     | rank r moves                                                               |
|----------------|----------------------------------------------------------------------------|
| all_to_all_v   | its rows for d into d's block r, and their count into d's recv_counts[r]   |
| all_to_all     | its block d into d's block r                                               |
| allgather      | its input into everybody's block r                                         |
| allreduce      | rows r, r + NR, ...: combines all ranks', stores the result on every rank; |
|                | row i of any target is read by rank i mod NR only, which overwrites it     |
| reduce_scatter | its block: combines all blocks r, which nobody else reads, into its own    |
| broadcast      | fetches the root's target, unless it is the root                           |

Source: l2-collectives, The kernel's protocol; neighbours, lower-composite-ops.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_pld.dialects.pl.tensor import ReadOp
from xdsl_pld.dialects.pld.collectives import (
    AllGatherOp,
    AllReduceOp,
    AllToAllOp,
    AllToAllVOp,
    BarrierOp,
    BroadcastOp,
    ReduceScatterOp,
)
from xdsl_pld.dialects.pld.system import NotifyOp
from xdsl_pld.dialects.pld.transfers import RemoteStoreOp, TileGetOp, TilePutOp
from xdsl_pld.dialects.values import shape_of, shown
from xdsl_pld.passes.incore.emitter import Protocol


class Expansion(NamedTuple):
    """How a collective is expanded."""

    refusal: Callable[[Any, int], str | None]
    """Why an operation cannot be, for the number of ranks that its signal states."""
    move: Callable[[Any, Protocol], None]
    """Emits what stands between the two barriers."""
    barriers: int = 2


def expand(op: Operation, rewriter: Rewriter) -> None:
    """Emits the expansion of `op` before it; nothing refuses it."""
    expansion = EXPANSIONS[type(op)]
    protocol = Protocol(op, rewriter, signal_of(op))
    protocol.arrive(1)
    if expansion.barriers > 1:
        expansion.move(op, protocol)
        protocol.arrive(2)
    protocol.clear(expansion.barriers)


def signal_of(op: Operation) -> SSAValue:
    """The signal of a collective; outside host bodies it has one."""
    signal: SSAValue | None = getattr(op, "signal", None)
    assert signal is not None
    return signal


def refusal(op: Operation) -> str | None:
    """Why a collective cannot be expanded in a kernel, None where it can."""
    expansion = EXPANSIONS.get(type(op))
    if expansion is None:
        return f"{op.name} is for chip orchestrations: it has no expansion in a kernel"
    extents = shape_of(signal_of(op))
    if not extents or extents[0] == DYNAMIC_INDEX or min(extents) == 0:
        return (
            "signal must state the number of ranks in a kernel, by a static dimension 0, and have "
            f"a cell for each: {shown(extents)}"
        )
    return expansion.refusal(op, extents[0])


# What cannot be expanded


def _static(role: str, value: SSAValue) -> str | None:
    extents = shape_of(value)
    if not extents or DYNAMIC_INDEX in extents:
        return f"{role} must have static extents in a kernel, not {shown(extents)}"
    return None


def _cut(role: str, value: SSAValue, ranks: int) -> str | None:
    """A tensor is cut into one block a rank along dimension 0."""
    rows = shape_of(value)[0]
    if rows % ranks:
        return (
            f"dimension 0 of {role} must be a multiple of the {ranks} ranks that signal states, "
            f"not {rows}: each rank has a block of rows"
        )
    return None


def _refuse_all_to_all_v(op: AllToAllVOp, ranks: int) -> str | None:
    return _static("input", op.input) or _static("target", op.target)


def _refuse_all_to_all(op: AllToAllOp, ranks: int) -> str | None:
    if (message := _static("input", op.input) or _static("target", op.target)) is not None:
        return message
    if shape_of(op.input) != shape_of(op.target):
        return (
            "input and target must have one shape in a kernel, not "
            f"{shown(shape_of(op.input))} and {shown(shape_of(op.target))}"
        )
    return _cut("target", op.target, ranks)


def _refuse_allgather(op: AllGatherOp, ranks: int) -> str | None:
    if (message := _static("input", op.input) or _static("target", op.target)) is not None:
        return message
    rows, *rest = shape_of(op.input)
    wanted = (ranks * rows, *rest)
    if shape_of(op.target) != wanted:
        return (
            f"target must be {shown(wanted)} in a kernel, {ranks} inputs one below the other, not "
            f"{shown(shape_of(op.target))}"
        )
    return None


def _refuse_allreduce(op: AllReduceOp, ranks: int) -> str | None:
    if op.mode.data != "mesh":
        return f"mode {op.mode.data} of an allreduce is for host bodies: in a kernel it is mesh"
    return _static("target", op.target)


def _refuse_reduce_scatter(op: ReduceScatterOp, ranks: int) -> str | None:
    return _static("target", op.target) or _cut("target", op.target, ranks)


def _refuse_broadcast(op: BroadcastOp, ranks: int) -> str | None:
    if op.root_rank >= ranks:
        return f"root {op.root_rank} is out of range: there are {ranks} ranks"
    return _static("target", op.target)


def _refuse_nothing(op: BarrierOp, ranks: int) -> str | None:
    return None


# What moves between the barriers


def _at_row(row: SSAValue | int, tensor: SSAValue) -> Sequence[SSAValue | int]:
    """Offsets of a row, or of a block that begins there."""
    return [row, *[0] * (len(shape_of(tensor)) - 1)]


def _move_all_to_all_v(op: AllToAllVOp, protocol: Protocol) -> None:
    rows, width = shape_of(op.target)
    capacity = rows // protocol.ranks
    my_block = protocol.times(protocol.mine, capacity, "my_block")

    def send(rank: SSAValue, peer: SSAValue) -> None:
        wanted = protocol.add(ReadOp(op.send_counts, _at_row(rank, op.send_counts)), "wanted")
        positive = protocol.add(arith.MaxSIOp(wanted.result, protocol.i32(0)), "positive")
        count = protocol.add(arith.MinSIOp(positive.result, protocol.i32(capacity)), "count").result
        cell = _at_row(protocol.mine, op.recv_counts)
        protocol.add(NotifyOp(op.recv_counts, cell, peer, count, "set"))
        some = protocol.add(arith.CmpiOp(count, protocol.i32(0), "sgt"), "some").result

        def put() -> None:
            first = protocol.times(rank, capacity, "first")
            sizes = [protocol.to_index(count, "rows"), width]
            protocol.add(TilePutOp(op.input, [first, 0], op.target, [my_block, 0], sizes, peer))

        protocol.when(some, put)

    protocol.each_rank(send)


def _move_all_to_all(op: AllToAllOp, protocol: Protocol) -> None:
    rows, *rest = shape_of(op.target)
    share = rows // protocol.ranks
    to = _at_row(protocol.times(protocol.mine, share, "my_block"), op.target)

    def send(rank: SSAValue, peer: SSAValue) -> None:
        first = _at_row(protocol.times(rank, share, "first"), op.input)
        protocol.add(TilePutOp(op.input, first, op.target, to, [share, *rest], peer))

    protocol.each_rank(send)


def _move_allgather(op: AllGatherOp, protocol: Protocol) -> None:
    sizes = shape_of(op.input)
    to = _at_row(protocol.times(protocol.mine, sizes[0], "my_block"), op.target)

    def send(rank: SSAValue, peer: SSAValue) -> None:
        protocol.add(TilePutOp(op.input, _at_row(0, op.input), op.target, to, sizes, peer))

    protocol.each_rank(send)


def _move_allreduce(op: AllReduceOp, protocol: Protocol) -> None:
    rows = protocol.index(shape_of(op.target)[0])

    def reduce_row(row: SSAValue) -> None:
        result = protocol.combined_row(op.target, row, op.reduce_op.data)
        protocol.each_rank(lambda _, peer: _store_at(protocol, result, op.target, row, peer))

    protocol.loop((protocol.mine, rows, protocol.index(protocol.ranks)), "row", reduce_row)


def _store_at(
    protocol: Protocol, tile: SSAValue, tensor: SSAValue, row: SSAValue, peer: SSAValue
) -> None:
    protocol.add(RemoteStoreOp(tile, tensor, _at_row(row, tensor), peer))


def _move_reduce_scatter(op: ReduceScatterOp, protocol: Protocol) -> None:
    share = shape_of(op.target)[0] // protocol.ranks
    first = protocol.times(protocol.mine, share, "first")
    end = protocol.plus(first, protocol.index(share), "end")

    def reduce_row(row: SSAValue) -> None:
        result = protocol.combined_row(op.target, row, op.reduce_op.data)
        protocol.store_row(result, op.target, row)

    protocol.loop((first, end, protocol.index(1)), "row", reduce_row)


def _move_broadcast(op: BroadcastOp, protocol: Protocol) -> None:
    root = protocol.i32(op.root_rank)
    whole = _at_row(0, op.target)
    elsewhere = protocol.add(arith.CmpiOp(protocol.me, root, "ne"), "elsewhere").result

    def fetch() -> None:
        sizes = shape_of(op.target)
        protocol.add(TileGetOp(op.target, whole, op.target, whole, sizes, root))

    protocol.when(elsewhere, fetch)


def _move_nothing(op: BarrierOp, protocol: Protocol) -> None:
    pass


EXPANSIONS: Mapping[type[Operation], Expansion] = {
    AllToAllVOp: Expansion(_refuse_all_to_all_v, _move_all_to_all_v),
    AllToAllOp: Expansion(_refuse_all_to_all, _move_all_to_all),
    AllGatherOp: Expansion(_refuse_allgather, _move_allgather),
    AllReduceOp: Expansion(_refuse_allreduce, _move_allreduce),
    ReduceScatterOp: Expansion(_refuse_reduce_scatter, _move_reduce_scatter),
    BroadcastOp: Expansion(_refuse_broadcast, _move_broadcast),
    BarrierOp: Expansion(_refuse_nothing, _move_nothing, barriers=1),
}
