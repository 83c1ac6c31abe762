"""
Distributed ops of the DSL: windows, contexts, signals, transfers, collectives.

Source: the DSL reference, section 6.
"""

import operator
from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pld import collectives, system, transfers, windows
from xdsl_pld.dialects.pld.builtin import (
    BUILTIN_DISPATCHES,
    AllReduceDispatchOp,
    BroadcastDispatchOp,
    BuiltinDispatchOp,
    ReduceScatterDispatchOp,
)
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.types import DistributedTensorType, TileType
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.tools.frontend.arguments import OpCall, read_indices, table
from xdsl_pld.tools.frontend.body import Value
from xdsl_pld.tools.frontend.constants import DTYPES
from xdsl_pld.tools.frontend.ops_tensor import check_rank
from xdsl_pld.tools.frontend.ops_tile import box_shape, valid_part
from xdsl_pld.tools.frontend.scalars import as_scalar, constant
from xdsl_pld.tools.frontend.source import Problem

_INDEX = IndexType()


def _in_host(call: OpCall) -> None:
    if not call.body.root.is_host:
        raise Problem(
            call.node,
            f"{call.op.path} is for host bodies (level HOST, role Orchestrator)",
        )


# Windows


def _alloc(call: OpCall) -> Value:
    _in_host(call)
    target = call.body.target
    if target is None or target[0] is not call.node:
        raise Problem(
            call.node,
            f"{call.op.path} takes its name from the variable: write <name> = {call.op.path}(...)",
        )
    name = call.attrs.name or target[1]
    taken = call.body.module.buffer_names.setdefault(name, call.node)
    if taken is not call.node:
        raise Problem(
            call.node,
            f"the window buffer name '{name}' is taken in this program: the runtime finds "
            "windows by it",
            [(taken, "the first one")],
        )
    return call.emit(windows.AllocWindowBufferOp(_bytes(call), name)).buffer


def _bytes(call: OpCall) -> SSAValue:
    body, place = call.body, call.place("size")
    if not call.has("dtype"):
        return as_scalar(body, body.read(place), _INDEX, "the size in bytes", place)
    extents = read_indices(body, place, "the shape")
    dtype = call.type("dtype")
    element = next((d.bytes for d in DTYPES.values() if d.type == dtype), 0)
    static = prod(entry for entry in extents if isinstance(entry, int)) * element
    product: SSAValue = constant(body, static, _INDEX, place)
    for entry in extents:
        if isinstance(entry, SSAValue):
            product = body.emit(arith.MuliOp(entry, product), place).result
    return product


def _window(call: OpCall) -> Value:
    _in_host(call)
    place = call.place("shape")
    block = call.body.block
    mark = block.last_op
    shape = [_static_extent(call, entry) for entry in _shape(call)]
    _erase_dead_after(call, mark)
    if DYNAMIC_INDEX in shape:
        raise Problem(place, "a window has a static shape")
    type_ = DistributedTensorType(TensorType(call.type("dtype"), shape))
    return call.emit(windows.WindowOp(call.ssa("buf"), type_)).result


def _shape(call: OpCall) -> Sequence[IndexLike]:
    return read_indices(call.body, call.place("shape"), "'shape'")


def _static_extent(call: OpCall, entry: IndexLike) -> int:
    """An extent of a window: `world_size()` is what `--ranks` says."""
    if isinstance(entry, int):
        return entry
    value = _evaluate(call, entry)
    return DYNAMIC_INDEX if value is None else value


_FOLDS: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.DivSIOp: lambda a, b: a // b if b else 0,
    arith.RemSIOp: lambda a, b: a % b if b else 0,
}


def _evaluate(call: OpCall, value: SSAValue) -> int | None:
    """The integer that ops on constants and `world_size` compute; None for anything else."""
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if isinstance(op, system.WorldSizeOp):
        if call.body.module.ranks is None:
            raise Problem(
                call.place("shape"),
                "the shape of a window is static, and world_size() is known at run time: "
                "pass --ranks N",
            )
        return call.body.module.ranks
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value.value.data
    fold = _FOLDS.get(type(op))
    if fold is None:
        return None
    operands = [_evaluate(call, operand) for operand in op.operands]
    if None in operands:
        return None
    left, right = (operand for operand in operands if operand is not None)
    return fold(left, right)


def _erase_dead_after(call: OpCall, mark: Operation | None) -> None:
    """Drops the arithmetic that only computed an extent."""
    block = call.body.block
    while (last := block.last_op) is not None and last is not mark:
        if any(result.first_use is not None for result in last.results):
            return
        block.erase_op(last)


def _world_size(call: OpCall) -> Value:
    _in_host(call)
    return call.emit(system.WorldSizeOp()).result


# Contexts and signals


def _get_comm_ctx(call: OpCall) -> Value:
    return call.emit(system.GetCommCtxOp(call.ssa("tensor"))).context


def _rank(call: OpCall) -> Value:
    return call.emit(system.RankOp(call.ssa("ctx"))).result


def _nranks(call: OpCall) -> Value:
    return call.emit(system.NRanksOp(call.ssa("ctx"))).result


def _notify(call: OpCall) -> None:
    offsets = call.indices("offsets")
    check_rank(offsets, len(shape_of(call.ssa("target"))), "'offsets'", call.place("offsets"))
    call.emit(
        system.NotifyOp(
            call.ssa("target"),
            offsets,
            call.ssa("peer"),
            call.ssa("value"),
            call.text("op", "atomic_add"),
        )
    )


def _wait(call: OpCall) -> None:
    offsets = call.indices("offsets")
    check_rank(offsets, len(shape_of(call.ssa("signal"))), "'offsets'", call.place("offsets"))
    op = system.WaitOp(call.ssa("signal"), offsets, call.ssa("expected"), call.text("cmp", "ge"))
    call.emit(op)


# Transfers


def _remote_load(call: OpCall) -> Value:
    source = call.ssa("target")
    rank = len(shape_of(source))
    offsets, sizes = call.indices("offsets"), call.indices("shape")
    check_rank(offsets, rank, "'offsets'", call.place("offsets"))
    check_rank(sizes, rank, "'shape'", call.place("shape"))
    type_ = TileType(TensorType(element_of(source), box_shape(sizes, call.place("shape"))))
    peer, valid = call.ssa("peer"), valid_part(call, sizes)
    return call.emit(transfers.RemoteLoadOp(source, offsets, sizes, peer, type_, valid)).result


def _remote_store(call: OpCall) -> None:
    target, offsets = call.ssa("target"), call.indices("offsets")
    check_rank(offsets, len(shape_of(target)), "'offsets'", call.place("offsets"))
    call.emit(
        transfers.RemoteStoreOp(
            call.ssa("src_tile"),
            target,
            offsets,
            call.ssa("peer"),
            atomic=call.text("atomic", "none"),
        )
    )


def _box(call: OpCall) -> tuple[Sequence[IndexLike], Sequence[IndexLike], Sequence[IndexLike]]:
    """Destination offsets, source offsets and sizes of a copy; without them, the whole source."""
    names = ("dst_offsets", "src_offsets", "shape")
    given = [name for name in names if call.has(name)]
    source = shape_of(call.ssa("src"))
    if not given:
        if DYNAMIC_INDEX in source:
            raise Problem(call.node, "'src' has dynamic extents: give offsets and shape")
        zeros = [0] * len(source)
        return zeros, zeros, source
    if len(given) != len(names):
        raise Problem(call.node, "give all of dst_offsets, src_offsets and shape, or none")
    for name in names:
        check_rank(call.indices(name), len(source), f"'{name}'", call.place(name))
    destination, start, sizes = (call.indices(name) for name in names)
    return destination, start, sizes


def _put(
    make: type[transfers.TensorPutOp] | type[transfers.TilePutOp],
) -> Callable[[OpCall], None]:
    def build(call: OpCall) -> None:
        destination, start, sizes = _box(call)
        call.emit(
            make(
                call.ssa("src"),
                start,
                call.ssa("dst"),
                destination,
                sizes,
                call.ssa("peer"),
                atomic=call.text("atomic", "none"),
            )
        )

    return build


def _get(
    make: type[transfers.TensorGetOp] | type[transfers.TileGetOp],
) -> Callable[[OpCall], None]:
    def build(call: OpCall) -> None:
        destination, start, sizes = _box(call)
        call.emit(
            make(call.ssa("src"), start, call.ssa("dst"), destination, sizes, call.ssa("peer"))
        )

    return build


# Collectives


def _allreduce(call: OpCall) -> Value:
    op = collectives.AllReduceOp(
        call.ssa("target"),
        call.optional_ssa("signal"),
        call.text("op", "sum"),
        mode=call.text("mode", "mesh"),
        core_num=call.optional_ssa("core_num"),
    )
    return call.emit(op).result


def _reduce_scatter(call: OpCall) -> Value:
    op = collectives.ReduceScatterOp(call.ssa("target"), call.ssa("signal"), call.text("op", "sum"))
    return call.emit(op).result


def _broadcast(call: OpCall) -> Value:
    root = call.integer("root", 0)
    if root < 0:
        raise Problem(call.place("root"), f"root must not be negative: {root}")
    return call.emit(collectives.BroadcastOp(call.ssa("target"), call.ssa("signal"), root)).result


def _barrier(call: OpCall) -> Value:
    return call.emit(collectives.BarrierOp(call.ssa("signal"))).result


def _allgather(call: OpCall) -> Value:
    op = collectives.AllGatherOp(call.ssa("local_data"), call.ssa("target"), call.ssa("signal"))
    return call.emit(op).result


def _all_to_all(call: OpCall) -> Value:
    op = collectives.AllToAllOp(call.ssa("input"), call.ssa("target"), call.ssa("signal"))
    return call.emit(op).result


def _all_to_all_v(call: OpCall) -> Value:
    op = collectives.AllToAllVOp(
        call.ssa("input"),
        call.ssa("target"),
        call.ssa("signal"),
        call.ssa("send_counts"),
        call.ssa("recv_counts"),
        call.optional_ssa("core_num"),
    )
    return call.emit(op).result


def _indexed_all_to_all_v(call: OpCall) -> Value:
    op = collectives.IndexedAllToAllVOp(
        call.ssa("input"),
        call.ssa("target"),
        call.ssa("signal"),
        call.ssa("send_counts"),
        call.ssa("recv_counts"),
        call.ssa("index"),
        call.ssa("core_num"),
    )
    return call.emit(op).result


# What the host rail makes of collectives


def _dispatch(make: type[BuiltinDispatchOp]) -> Callable[[OpCall], None]:
    def build(call: OpCall) -> None:
        _in_host(call)
        properties: dict[str, Attribute | None] = {}
        if make is AllReduceDispatchOp:
            properties["mode"] = StringAttr(call.text("mode", "mesh"))
        if make in (AllReduceDispatchOp, ReduceScatterDispatchOp):
            properties["op"] = StringAttr(call.text("op", "sum"))
        if make is BroadcastDispatchOp and call.has("root"):
            properties["root"] = IntegerAttr(call.integer("root"), i64)
        call.emit(
            make(
                [call.ssa(role) for role in dispatch_roles(make)],
                call.ssa("device"),
                call.optional_ssa("core_num"),
                arg_directions=call.attrs.arg_directions,
                properties=properties,
            )
        )

    return build


def dispatch_roles(make: type[BuiltinDispatchOp]) -> Sequence[str]:
    """The names of a dispatch's arguments: those of its collective's operands."""
    trait = make.COLLECTIVE.get_trait(ManagedCollective)
    assert trait is not None
    return list(trait.roles)


def _dispatch_row(
    make: type[BuiltinDispatchOp],
) -> tuple[str, str, Callable[[OpCall], Value | None]]:
    arguments = " ".join(f"{role}:tensor" for role in dispatch_roles(make))
    words = ""
    if make in (AllReduceDispatchOp, ReduceScatterDispatchOp):
        words = "op:reduce_op?"
    if make is AllReduceDispatchOp:
        words += " mode:mode?"
    if make is BroadcastDispatchOp:
        words = "root:int?"
    words = f"device:index core_num:index? {words} attrs:attrs/arg_directions?"
    return make.name, f"{arguments} {words}", _dispatch(make)


_PAYLOAD = "input:tensor target:dist signal:dist send_counts:tensor recv_counts:tensor"
_STAGED = "stage:scratch? stage2:scratch?"
_CHUNKS = "chunk_rows:dropped? chunk_cols:dropped? pipeline:dropped?"
_PUT = (
    "dst:dist peer:i32 src:tensor dst_offsets:indices? src_offsets:indices? shape:indices? "
    "atomic:atomic?"
)
_GET = "dst:tensor peer:i32 src:dist dst_offsets:indices? src_offsets:indices? shape:indices?"

TABLE = table(
    (
        "pld.alloc_window_buffer pld.tensor.alloc_window_buffer",
        "size:node dtype:dtype? name:refused? attrs:attrs/name?",
        _alloc,
    ),
    ("pld.window pld.tensor.window", "buf:buffer shape:node dtype:dtype", _window),
    ("pld.world_size pld.system.world_size", "", _world_size),
    ("pld.get_comm_ctx pld.system.get_comm_ctx", "tensor:dist", _get_comm_ctx),
    ("pld.rank pld.system.rank", "ctx:context", _rank),
    ("pld.nranks pld.system.nranks", "ctx:context", _nranks),
    (
        "pld.notify pld.system.notify",
        "target:dist peer:i32 offsets:indices value:i32 op:notify_op?",
        _notify,
    ),
    (
        "pld.wait pld.system.wait",
        "signal:dist offsets:indices expected:i32 cmp:wait_cmp?",
        _wait,
    ),
    (
        "pld.remote_load pld.tile.remote_load",
        "target:dist peer:i32 offsets:indices shape:indices valid_shape:indices?",
        _remote_load,
    ),
    (
        "pld.remote_store pld.tile.remote_store",
        "src_tile:tile target:dist peer:i32 offsets:indices atomic:atomic?",
        _remote_store,
    ),
    ("pld.put pld.tensor.put", f"{_PUT} {_CHUNKS}", _put(transfers.TensorPutOp)),
    ("pld.get pld.tensor.get", f"{_GET} {_CHUNKS}", _get(transfers.TensorGetOp)),
    ("pld.tile.put", f"{_PUT} {_STAGED} {_CHUNKS}", _put(transfers.TilePutOp)),
    ("pld.tile.get", f"{_GET} {_STAGED} {_CHUNKS}", _get(transfers.TileGetOp)),
    (
        "pld.allreduce pld.tensor.allreduce",
        "target:dist signal:dist? op:reduce_op? mode:mode? core_num:index?",
        _allreduce,
    ),
    (
        "pld.reduce_scatter pld.tensor.reduce_scatter",
        "target:dist signal:dist op:reduce_op?",
        _reduce_scatter,
    ),
    (
        "pld.broadcast pld.tensor.broadcast",
        "target:dist signal:dist root:int?",
        _broadcast,
    ),
    ("pld.barrier pld.tensor.barrier", "signal:dist", _barrier),
    (
        "pld.allgather pld.tensor.allgather",
        "local_data:tensor target:dist signal:dist",
        _allgather,
    ),
    (
        "pld.all_to_all pld.tensor.all_to_all",
        "input:tensor target:dist signal:dist",
        _all_to_all,
    ),
    ("pld.all_to_all_v pld.tensor.all_to_all_v", f"{_PAYLOAD} core_num:index?", _all_to_all_v),
    (
        "pld.indexed_all_to_all_v pld.tensor.indexed_all_to_all_v",
        f"{_PAYLOAD} index:tensor core_num:index",
        _indexed_all_to_all_v,
    ),
    *map(_dispatch_row, BUILTIN_DISPATCHES),
)
