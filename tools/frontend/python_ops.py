"""
How each op is said in the DSL: a table from op class to the pieces of its text.

The pieces are listed in the order in which the frontend reads them, so that an operand's own op can
be written in its place without moving it. Source: the DSL reference, sections 5 to 7.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_pld.dialects.index_lists import IndexLike, StaticIndices, join
from xdsl_pld.dialects.pl import tensor as pl_tensor
from xdsl_pld.dialects.pl import tensor_dim, tile, tile_compute
from xdsl_pld.dialects.pl.call import TaskDummyOp
from xdsl_pld.dialects.pld import collectives, system, transfers, windows
from xdsl_pld.dialects.pld.builtin import BUILTIN_DISPATCHES, BuiltinDispatchOp
from xdsl_pld.dialects.types import DistributedTensorType, TileType
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.dialects.views import TensorView
from xdsl_pld.tools.frontend.ops_arith import UNSIGNED
from xdsl_pld.tools.frontend.ops_tensor import reshaped, sliced, tensor_type, with_valid_shape
from xdsl_pld.tools.frontend.python_types import dtype_text, extents_text, type_text, unsayable

_INDEX = IndexType()


@dataclass(frozen=True)
class Use:
    """An operand in a text. A literal there takes the type `literal`, if that is not None."""

    value: SSAValue
    literal: Attribute | None = None
    calls: bool = True
    """Whether a call may be written in its place."""
    constants: bool = True
    """Whether a constant may be: the frontend computes with some, and selects arms by them."""
    lazy: bool = False
    """Whether a constant gets its op when all operands are read, not when it is."""


Piece = str | Use


@dataclass(frozen=True)
class Said:
    """An op as an expression."""

    pieces: Sequence[Piece]
    is_call: bool = True
    """A call may stand as a statement; other expressions need a name."""
    binds_tighter: bool = True
    """False for operators, which need parentheses inside others."""
    literals: Mapping[SSAValue, str] = field(default_factory=dict[SSAValue, str])


def _call(name: str, *arguments: Sequence[Piece]) -> Said:
    pieces: list[Piece] = [f"{name}("]
    for index, argument in enumerate(argument for argument in arguments if argument):
        if index:
            pieces.append(", ")
        pieces.extend(argument)
    return Said([*pieces, ")"])


def _value(value: SSAValue, literal: Attribute | None = None) -> Sequence[Piece]:
    return [Use(value, literal)]


def _keyword(name: str, value: SSAValue | None, literal: Attribute | None) -> Sequence[Piece]:
    return [] if value is None else [f"{name}=", Use(value, literal)]


def index_list(static: StaticIndices, dynamic: Sequence[SSAValue]) -> Sequence[Piece]:
    """`[i, 0]`"""
    return _list(join(static, dynamic))


def _list(entries: Sequence[IndexLike]) -> Sequence[Piece]:
    pieces: list[Piece] = ["["]
    for index, entry in enumerate(entries):
        if index:
            pieces.append(", ")
        pieces.append(str(entry) if isinstance(entry, int) else Use(entry))
    return [*pieces, "]"]


# Scalars

_OPERATORS: Mapping[type[Operation], str] = {
    arith.AddiOp: "+",
    arith.SubiOp: "-",
    arith.MuliOp: "*",
    arith.DivSIOp: "//",
    arith.RemSIOp: "%",
    arith.ShLIOp: "<<",
    arith.ShRSIOp: ">>",
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
}
_ARITH: Sequence[type[Operation]] = (
    arith.ShRUIOp,
    arith.DivUIOp,
    arith.RemUIOp,
    arith.CeilDivUIOp,
    arith.CeilDivSIOp,
    arith.FloorDivSIOp,
    arith.MinUIOp,
    arith.MaxUIOp,
    arith.SelectOp,
)
_INTEGER_PREDICATES = ("==", "!=", "<", "<=", ">", ">=")
_FLOAT_PREDICATES = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}


def constant_of(value: SSAValue) -> int | float | None:
    """The number of a constant."""
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    attribute = value.owner.value
    if isinstance(attribute, IntegerAttr):
        return attribute.value.data
    return attribute.value.data if isinstance(attribute, FloatAttr) else None


def _constant(op: Operation) -> Said:
    assert isinstance(op, arith.ConstantOp)
    number = constant_of(op.result)
    if number is None or not isfinite(number):
        raise unsayable(op, f"the constant {op.value}")
    text = str(bool(number)) if op.result.type == i1 else repr(number)
    return Said([f"pl.const({text}, {dtype_text(op.result.type, op)})"])


def _operator(op: Operation) -> Said:
    sign = _OPERATORS[type(op)]
    left, right = op.operands
    literal = op.results[0].type
    dividend, divisor = constant_of(left), constant_of(right)
    whole = sign in ("//", "%")
    # Both are errors where the reader sees them, see `scalars.binary`.
    negative = whole and dividend is not None and dividend < 0
    zero = (whole or sign == "/") and divisor == 0
    pieces: list[Piece] = [
        Use(left, literal, constants=not negative, lazy=True),
        f" {sign} ",
        Use(right, literal, constants=not zero, lazy=True),
    ]
    return Said(pieces, is_call=False, binds_tighter=False)


def _compare_integers(op: Operation) -> Said:
    assert isinstance(op, arith.CmpiOp)
    predicate = op.predicate.value.data
    if predicate >= len(_INTEGER_PREDICATES):
        return _lazily(f"pl.arith.{UNSIGNED[predicate - len(_INTEGER_PREDICATES)]}", op.operands)
    return _comparison(op, _INTEGER_PREDICATES[predicate])


def _compare_floats(op: Operation) -> Said:
    assert isinstance(op, arith.CmpfOp)
    sign = _FLOAT_PREDICATES.get(op.predicate.value.data)
    if sign is None:
        raise unsayable(op, "this comparison of floats")
    return _comparison(op, sign)


def _comparison(op: arith.CmpiOp | arith.CmpfOp, sign: str) -> Said:
    literal = op.lhs.type
    pieces: list[Piece] = [
        Use(op.lhs, literal, lazy=True),
        f" {sign} ",
        Use(op.rhs, literal, lazy=True),
    ]
    return Said(pieces, is_call=False, binds_tighter=False)


def _lazily(name: str, operands: Sequence[SSAValue]) -> Said:
    """A call that reads all operands before it makes the ops of constants."""
    return _call(name, *([Use(value, lazy=True)] for value in operands))


def _arith(op: Operation) -> Said:
    return _lazily(f"pl.{op.name}", op.operands)


def _logic(word: str) -> Callable[[Operation], Said]:
    def say(op: Operation) -> Said:
        if op.results[0].type != i1:
            return _arith(op)
        left, right = op.operands
        pieces: list[Piece] = [
            Use(left, i1, calls=False, lazy=True),
            f" {word} ",
            Use(right, i1, calls=False, lazy=True),
        ]
        return Said(pieces, is_call=False, binds_tighter=False)

    return say


def _xor(op: Operation) -> Said:
    left, right = op.operands
    number = constant_of(right)
    if number is None or op.prev_op is not right.owner or not right.has_one_use():
        return _arith(op)
    if op.results[0].type == i1 and number in (1, -1):
        sign = "not "
    elif number == -1:
        sign = "~"
    else:
        return _arith(op)
    # The constant is read with the sign, behind the operand.
    pieces: list[Piece] = [sign, Use(left, constants=False), Use(right, right.type)]
    return Said(pieces, False, False, {right: ""})


def _negf(op: Operation) -> Said:
    return Said(["-", Use(op.operands[0], constants=False)], is_call=False, binds_tighter=False)


def _cast(op: Operation) -> Said:
    type_ = op.results[0].type
    return _call("pl.cast", [Use(op.operands[0], constants=False)], [dtype_text(type_, op)])


def _pair(name: str) -> Callable[[Operation], Said]:
    return lambda op: _lazily(name, op.operands)


def _tile_pair(name: str) -> Callable[[Operation], Said]:
    def say(op: Operation) -> Said:
        left, right = op.operands
        return _call(name, _value(left), [Use(right, element_of(left), lazy=True)])

    return say


# Arrays and extents


def _alloca(op: Operation) -> Said:
    assert isinstance(op, memref.AllocaOp)
    type_ = op.memref.type
    if not isa(type_, MemRefType[Attribute]) or len(type_.get_shape()) != 1:
        raise unsayable(op, f"an array of type {type_}")
    element = dtype_text(type_.element_type, op)
    return _call("pl.array.create", [str(type_.get_shape()[0])], [element])


def _array_load(op: Operation) -> Said:
    assert isinstance(op, memref.LoadOp)
    return Said([Use(op.memref), "[", Use(op.indices[0], _INDEX), "]"], is_call=False)


def _dim(op: Operation) -> Said:
    if isinstance(op, tensor.DimOp):
        if constant_of(op.index) is None:
            raise unsayable(op, "the extent of an axis known at run time")
        return _call("pl.tensor.dim", _value(op.source), [Use(op.index, _INDEX, lazy=True)])
    assert isinstance(op, tensor_dim.DimOp)
    return _call("pl.tensor.dim", _value(op.source), [str(op.axis.value.data)])


# Tensors


def _stated(op: Operation, usual: Attribute) -> Sequence[Piece]:
    """`attrs={"type": T}` where the result is not of the `usual` type."""
    type_ = op.results[0].type
    return [] if type_ == usual else [f'attrs={{"type": {type_text(type_, op)}}}']


def _create(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.CreateOp)
    inner = tensor_type(op.result.type)
    return _call(
        "pl.create_tensor",
        [extents_text(inner.get_shape())],
        [f"dtype={dtype_text(inner.element_type, op)}"],
        _stated(op, TensorType(inner.element_type, inner.get_shape())),
    )


def _slice(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.SliceOp | tile.SliceOp)
    if isinstance(op, tile.SliceOp) and not isinstance(op.source.type, TileType):
        raise unsayable(op, "a tile slice of a tensor")
    sizes = join(op.static_sizes, op.sizes)
    usual = sliced(op.source, op.static_sizes.get_values())
    return _call("pl.slice", _value(op.source), _list(sizes), _offsets(op), _stated(op, usual))


def _offsets(op: pl_tensor.SliceOp | tile.SliceOp) -> Sequence[Piece]:
    return index_list(op.static_offsets, op.offsets)


def _assemble(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.AssembleOp)
    return _call(
        "pl.assemble",
        _value(op.destination),
        _value(op.source),
        index_list(op.static_offsets, op.offsets),
    )


def _view(name: str) -> Callable[[Operation], Said]:
    def say(op: Operation) -> Said:
        source, shape = op.operands[0], shape_of(op.results[0])
        if min(shape, default=0) < 0:
            stated = f'attrs={{"type": {type_text(op.results[0].type, op)}}}'
            return _call(name, _value(source), [stated])
        usual = reshaped(source, shape)
        return _call(name, _value(source), [extents_text(shape)], _stated(op, usual))

    return say


def _set_validshape(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.SetValidShapeOp)
    valid = TensorView.of(tensor_type(op.result.type)).valid_shape or ()
    if len(valid) in (1, 2) and op.result.type == with_valid_shape(op.source, valid):
        return _call("pl.set_validshape", _value(op.source), *([str(v)] for v in valid))
    stated = f'attrs={{"type": {type_text(op.result.type, op)}}}'
    return _call("pl.set_validshape", _value(op.source), [stated])


def _transpose(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.TransposeOp)
    axes = list(op.axes.get_values())
    moved = [i for i, axis in enumerate(axes) if axis != i]
    shape = shape_of(op.source)
    usual = reshaped(op.source, [shape[axis] for axis in axes])
    entries: list[str] = []
    if op.result.type != usual:
        entries.append(f'"type": {type_text(op.result.type, op)}')
    if len(moved) != 2:
        entries.append(f'"axes": {axes}')
    swapped = [[str(axis)] for axis in moved] if len(moved) == 2 else []
    attrs = [f"attrs={{{', '.join(entries)}}}"] if entries else []
    return _call("pl.transpose", _value(op.source), *swapped, attrs)


def _read(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.ReadOp)
    return _call("pl.read", _value(op.source), index_list(op.static_offsets, op.offsets))


def _write(op: Operation) -> Said:
    assert isinstance(op, pl_tensor.WriteOp)
    return _call(
        "pl.write",
        _value(op.destination),
        index_list(op.static_offsets, op.offsets),
        _value(op.value, element_of(op.destination)),
    )


# Tiles


def _valid(static: StaticIndices, dynamic: Sequence[SSAValue]) -> Sequence[Piece]:
    entries = join(static, dynamic)
    return ["valid_shape=", *_list(entries)] if entries else []


def _load(op: Operation) -> Said:
    assert isinstance(op, tile.LoadOp)
    return _call(
        "pl.load",
        _value(op.source),
        index_list(op.static_offsets, op.offsets),
        index_list(op.static_sizes, op.sizes),
        _valid(op.static_valid, op.valid),
    )


def _store(op: Operation) -> Said:
    assert isinstance(op, tile.StoreOp)
    return _call(
        "pl.store",
        _value(op.tile),
        index_list(op.static_offsets, op.offsets),
        _value(op.destination),
    )


def _tile_cast(op: Operation) -> Said:
    element = dtype_text(element_of(op.results[0]), op)
    return _call("pl.cast", _value(op.operands[0]), [element])


def _full(op: Operation) -> Said:
    assert isinstance(op, tile_compute.FullOp)
    element = element_of(op.result)
    return _call(
        "pl.tile.full",
        [extents_text(shape_of(op.result))],
        [dtype_text(element, op)],
        _value(op.value, element),
    )


def _no_operands(name: str) -> Callable[[Operation], Said]:
    return lambda op: Said([f"{name}()"])


# Distributed


def _dispatch(op: Operation) -> Said:
    """A dispatch of the host rail: its arguments, the device, then as its collective."""
    assert isinstance(op, BuiltinDispatchOp)
    keywords: list[Sequence[Piece]] = []
    reduce_op = getattr(op, "reduce_op", None)
    if isinstance(reduce_op, StringAttr):
        keywords.append([f"op=pld.ReduceOp.{reduce_op.data.capitalize()}"])
    mode = getattr(op, "mode", None)
    if isinstance(mode, StringAttr) and mode.data != "mesh":
        keywords.append([f'mode="{mode.data}"'])
    root = getattr(op, "root", None)
    if isinstance(root, IntegerAttr):
        keywords.append([f"root={root.value.data}"])
    directions = directions_text(op.arg_directions)
    return _call(
        op.name,
        *map(_value, op.arguments),
        _keyword("device", op.device, _INDEX),
        _keyword("core_num", op.core_num, _INDEX),
        *keywords,
        [f"attrs={{{directions}}}"] if directions else [],
    )


def directions_text(directions: ArrayAttr[StringAttr] | None) -> str:
    """The entry of `attrs=` that states what a task does with each argument."""
    if directions is None:
        return ""
    entries = ", ".join(f"pl.adir.{entry.data}" for entry in directions)
    return f'"arg_directions": [{entries}]'


def _window(op: Operation) -> Said:
    assert isinstance(op, windows.WindowOp)
    assert isinstance(op.result.type, DistributedTensorType)
    inner = op.result.type.tensor
    return _call(
        "pld.window",
        _value(op.buffer),
        [extents_text(inner.get_shape())],
        [f"dtype={dtype_text(inner.element_type, op)}"],
    )


def _unary(name: str) -> Callable[[Operation], Said]:
    return lambda op: _call(name, _value(op.operands[0]))


_NOTIFY = {"atomic_add": "AtomicAdd", "set": "Set"}


def _notify(op: Operation) -> Said:
    assert isinstance(op, system.NotifyOp)
    return _call(
        "pld.system.notify",
        _value(op.signal),
        _value(op.peer, i32),
        index_list(op.static_offsets, op.offsets),
        _value(op.value, i32),
        [f"op=pld.NotifyOp.{_NOTIFY[op.notify_op.data]}"],
    )


def _wait(op: Operation) -> Said:
    assert isinstance(op, system.WaitOp)
    return _call(
        "pld.system.wait",
        _value(op.signal),
        index_list(op.static_offsets, op.offsets),
        _value(op.expected, i32),
        [f"cmp=pld.WaitCmp.{op.comparison.data.capitalize()}"],
    )


def _atomic(attribute: StringAttr) -> Sequence[Piece]:
    return ["atomic=pld.AtomicType.Add"] if attribute.data == "add" else []


def _remote_load(op: Operation) -> Said:
    assert isinstance(op, transfers.RemoteLoadOp)
    return _call(
        "pld.tile.remote_load",
        _value(op.source),
        _value(op.peer, i32),
        index_list(op.static_offsets, op.offsets),
        index_list(op.static_sizes, op.sizes),
        _valid(op.static_valid, op.valid),
    )


def _remote_store(op: Operation) -> Said:
    assert isinstance(op, transfers.RemoteStoreOp)
    return _call(
        "pld.tile.remote_store",
        _value(op.tile),
        _value(op.destination),
        _value(op.peer, i32),
        index_list(op.static_offsets, op.offsets),
        _atomic(op.atomic),
    )


_CopyOp = transfers.TensorPutOp | transfers.TilePutOp | transfers.TensorGetOp | transfers.TileGetOp


def _copy(name: str) -> Callable[[Operation], Said]:
    def say(op: Operation) -> Said:
        assert isinstance(op, _CopyOp)
        put = isinstance(op, transfers.TensorPutOp | transfers.TilePutOp)
        return _call(
            name,
            _value(op.destination),
            _value(op.peer, i32),
            _value(op.source),
            index_list(op.static_destination_offsets, op.destination_offsets),
            index_list(op.static_source_offsets, op.source_offsets),
            index_list(op.static_sizes, op.sizes),
            _atomic(op.atomic) if put else [],
        )

    return say


def _collective(name: str) -> Callable[[Operation], Said]:
    """A collective: its operands in order, then what its attributes say."""

    def say(op: Operation) -> Said:
        core_num: SSAValue | None = getattr(op, "core_num", None)
        operands = [value for value in op.operands if value is not core_num]
        keywords: list[Sequence[Piece]] = []
        reduce_op, mode = getattr(op, "reduce_op", None), getattr(op, "mode", None)
        if isinstance(reduce_op, StringAttr):
            keywords.append([f"op=pld.ReduceOp.{reduce_op.data.capitalize()}"])
        if isinstance(mode, StringAttr) and mode.data != "mesh":
            keywords.append([f'mode="{mode.data}"'])
        if isinstance(op, collectives.BroadcastOp):
            keywords.append([f"root={op.root_rank}"])
        return _call(
            f"pld.tensor.{name}",
            *map(_value, operands),
            *keywords,
            _keyword("core_num", core_num, _INDEX),
        )

    return say


def _task_dummy(op: Operation) -> Said:
    assert isinstance(op, TaskDummyOp)
    if not op.deps:
        return Said(["pl.system.task_dummy()"])
    return _call("pl.system.task_dummy", ["deps=", *_list(op.deps)])


SAY: Mapping[type[Operation], Callable[[Operation], Said]] = {
    arith.ConstantOp: _constant,
    **{op: _operator for op in _OPERATORS},
    arith.CmpiOp: _compare_integers,
    arith.CmpfOp: _compare_floats,
    arith.AndIOp: _logic("and"),
    arith.OrIOp: _logic("or"),
    arith.XOrIOp: _xor,
    **{op: _arith for op in _ARITH},
    arith.NegfOp: _negf,
    arith.IndexCastOp: _cast,
    arith.ExtSIOp: _cast,
    arith.TruncIOp: _cast,
    arith.SIToFPOp: _cast,
    arith.FPToSIOp: _cast,
    arith.ExtFOp: _cast,
    arith.TruncFOp: _cast,
    arith.MinSIOp: _pair("pl.min"),
    arith.MaxSIOp: _pair("pl.max"),
    arith.MinimumfOp: _pair("pl.min"),
    arith.MaximumfOp: _pair("pl.max"),
    memref.AllocaOp: _alloca,
    memref.LoadOp: _array_load,
    tensor.DimOp: _dim,
    tensor_dim.DimOp: _dim,
    pl_tensor.CreateOp: _create,
    pl_tensor.SliceOp: _slice,
    pl_tensor.AssembleOp: _assemble,
    pl_tensor.ViewOp: _view("pl.tensor.view"),
    pl_tensor.ReshapeOp: _view("pl.reshape"),
    pl_tensor.SetValidShapeOp: _set_validshape,
    pl_tensor.TransposeOp: _transpose,
    pl_tensor.ReadOp: _read,
    pl_tensor.WriteOp: _write,
    tile.LoadOp: _load,
    tile.StoreOp: _store,
    tile.SliceOp: _slice,
    tile_compute.AddOp: _tile_pair("pl.add"),
    tile_compute.SubOp: _tile_pair("pl.sub"),
    tile_compute.MulOp: _tile_pair("pl.mul"),
    tile_compute.DivOp: _tile_pair("pl.div"),
    tile_compute.MaxOp: _tile_pair("pl.maximum"),
    tile_compute.MinOp: _tile_pair("pl.minimum"),
    tile_compute.CastOp: _tile_cast,
    tile_compute.FullOp: _full,
    tile_compute.RowSumOp: _unary("pl.tile.row_sum"),
    tile_compute.ReshapeOp: _view("pl.tile.reshape"),
    tile_compute.BlockIdxOp: _no_operands("pl.tile.get_block_idx"),
    tile_compute.BlockNumOp: _no_operands("pl.tile.get_block_num"),
    windows.WindowOp: _window,
    system.WorldSizeOp: _no_operands("pld.world_size"),
    system.GetCommCtxOp: _unary("pld.get_comm_ctx"),
    system.RankOp: _unary("pld.rank"),
    system.NRanksOp: _unary("pld.nranks"),
    system.NotifyOp: _notify,
    system.WaitOp: _wait,
    transfers.RemoteLoadOp: _remote_load,
    transfers.RemoteStoreOp: _remote_store,
    transfers.TensorPutOp: _copy("pld.tensor.put"),
    transfers.TilePutOp: _copy("pld.tile.put"),
    transfers.TensorGetOp: _copy("pld.tensor.get"),
    transfers.TileGetOp: _copy("pld.tile.get"),
    **{
        op: _collective(op.name.removeprefix("pld.tensor."))
        for op in collectives.MANAGED_COLLECTIVES
    },
    **{op: _dispatch for op in BUILTIN_DISPATCHES},
    TaskDummyOp: _task_dummy,
}
"""What says each op that is an expression; calls, loops and branches are `python_text`'s."""
