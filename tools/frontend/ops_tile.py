"""
Tile and scalar ops of the DSL.

Source: the DSL reference, sections 6 and 7.
"""

import ast
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.index_lists import IndexLike
from xdsl_pld.dialects.pl import tile, tile_compute
from xdsl_pld.dialects.pl.attributes import LAUNCHABLE
from xdsl_pld.dialects.types import TileType, is_tensor_like
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.tools.frontend.arguments import OpCall, table
from xdsl_pld.tools.frontend.body import Body, Const, Value
from xdsl_pld.tools.frontend.constants import SCRATCH
from xdsl_pld.tools.frontend.ops_tensor import check_rank, static_shape
from xdsl_pld.tools.frontend.scalars import (
    as_scalar,
    as_ssa,
    binary,
    cast,
    extremum,
    is_scalar,
)
from xdsl_pld.tools.frontend.source import Problem

TILE_OPERATORS: Mapping[type[ast.operator], type[tile_compute.TileBinaryOp]] = {
    ast.Add: tile_compute.AddOp,
    ast.Sub: tile_compute.SubOp,
    ast.Mult: tile_compute.MulOp,
    ast.Div: tile_compute.DivOp,
}


def box_shape(sizes: Sequence[IndexLike], node: ast.expr) -> list[int]:
    """The static shape of a tile."""
    shape = static_shape(sizes)
    if DYNAMIC_INDEX in shape:
        raise Problem(
            node, "a tile has a static shape: give the part that holds data as valid_shape"
        )
    return shape


def valid_part(call: OpCall, sizes: Sequence[IndexLike]) -> Sequence[IndexLike]:
    """The `valid_shape` of a load; nothing where it is the whole box."""
    if not call.has("valid_shape"):
        return ()
    valid = call.indices("valid_shape")
    check_rank(valid, len(sizes), "'valid_shape'", call.place("valid_shape"))
    return () if list(valid) == list(sizes) else valid


def _load(call: OpCall) -> Value:
    source = call.ssa("t")
    rank = len(shape_of(source))
    offsets, sizes = call.indices("offsets"), call.indices("shapes")
    check_rank(offsets, rank, "'offsets'", call.place("offsets"))
    check_rank(sizes, rank, "'shapes'", call.place("shapes"))
    type_ = TileType(TensorType(element_of(source), box_shape(sizes, call.place("shapes"))))
    return call.emit(tile.LoadOp(source, offsets, sizes, type_, valid_part(call, sizes))).result


def _store(call: OpCall) -> Value:
    offsets = call.indices("offsets")
    rank = len(shape_of(call.ssa("output_tensor")))
    check_rank(offsets, rank, "'offsets'", call.place("offsets"))
    op = tile.StoreOp(call.ssa("tile"), call.ssa("output_tensor"), offsets)
    return call.emit(op).result


def tile_binary(
    body: Body,
    make: type[tile_compute.TileBinaryOp],
    left: Value,
    right: Value,
    node: ast.expr,
) -> Value:
    """Arithmetic whose operands are tiles, or a tile and a scalar."""
    if not is_tile(left):
        if make in (tile_compute.SubOp, tile_compute.DivOp):
            raise Problem(node, "the left operand must be a tile: make one with pl.tile.full")
        left, right = right, left
    lhs = as_ssa(body, left, node)
    if not is_tile(right):
        right = as_scalar(body, right, element_of(lhs), "the scalar operand", node)
    rhs = as_ssa(body, right, node)
    return body.emit(make(lhs, rhs), node).result


def is_tile(value: Value) -> bool:
    return isinstance(value, SSAValue) and isinstance(value.type, TileType)


def is_tensor(value: Value) -> bool:
    return isinstance(value, SSAValue) and is_tensor_like(value.type)


def refuse_tensor_arithmetic(node: ast.expr) -> Problem:
    return Problem(
        node, "arithmetic on tensors is not supported: load tiles in a kernel and compute on these"
    )


def _binary(
    make: type[tile_compute.TileBinaryOp],
    on_scalars: Callable[[Body, Value, Value, ast.expr], Value],
) -> Callable[[OpCall], Value]:
    def build(call: OpCall) -> Value:
        left, right = call.value("a"), call.value("b")
        if is_tensor(left) or is_tensor(right):
            raise refuse_tensor_arithmetic(call.node)
        if is_tile(left) or is_tile(right):
            return tile_binary(call.body, make, left, right, call.node)
        if call.op.path.startswith("pl.tile."):
            raise Problem(call.place("a"), f"{call.op.path}: 'a' must be a tile")
        return on_scalars(call.body, left, right, call.node)

    return build


def _scalar(op: ast.operator) -> Callable[[Body, Value, Value, ast.expr], Value]:
    return lambda body, left, right, node: binary(body, op, left, right, node)


def _extremum(larger: bool) -> Callable[[Body, Value, Value, ast.expr], Value]:
    return lambda body, left, right, node: extremum(body, larger, left, right, node)


def _cast(call: OpCall) -> Value:
    source = call.value("x")
    type_ = call.type("dtype")
    if is_tile(source):
        value = as_ssa(call.body, source, call.node)
        result = TileType(TensorType(type_, shape_of(value)))
        return call.emit(tile_compute.CastOp(value, result)).result
    if is_tensor(source):
        raise refuse_tensor_arithmetic(call.node)
    return cast(call.body, source, type_, call.node)


def _full(call: OpCall) -> Value:
    type_ = call.type("dtype")
    shape = box_shape(call.indices("shape"), call.place("shape"))
    value = as_scalar(call.body, call.value("value"), type_, "'value'", call.place("value"))
    return call.emit(tile_compute.FullOp(value, TileType(TensorType(type_, shape)))).result


def _scratch(call: OpCall) -> Value:
    """A tile that only gives an op room: nothing is made of it."""
    return Const(SCRATCH)


def _row_sum(call: OpCall) -> Value:
    source = call.ssa("t")
    shape = shape_of(source)
    if len(shape) != 2:
        raise Problem(call.place("t"), f"a tile of rows is of rank 2, not {source.type}")
    type_ = TileType(TensorType(element_of(source), [shape[0], 1]))
    return call.emit(tile_compute.RowSumOp(source, type_)).result


def _block_query(make: Callable[[], Operation]) -> Callable[[OpCall], Value]:
    def build(call: OpCall) -> Value:
        if call.body.root.func_type not in LAUNCHABLE:
            raise Problem(call.node, f"{call.op.path} is for kernels")
        return call.emit(make()).results[0]

    return build


def _const(call: OpCall) -> Value:
    type_ = call.type("dtype")
    value = call.value("v")
    if not isinstance(value, Const) or not is_scalar(type_):
        raise Problem(call.node, "pl.const takes a literal and a scalar type")
    result = as_scalar(call.body, Const(value.value), type_, "'v'", call.node)
    if call.body.target is not None and call.body.target[0] is call.node:
        result.name_hint = None  # the variable's name is better than the number's
    return result


TABLE = table(
    (
        "pl.load pl.tile.load",
        "t:tensor offsets:indices shapes:indices valid_shape:indices? target_memory:dropped?",
        _load,
    ),
    ("pl.store pl.tile.store", "tile:tile offsets:indices output_tensor:tensor", _store),
    ("pl.add pl.tile.add", "a:any b:any", _binary(tile_compute.AddOp, _scalar(ast.Add()))),
    ("pl.sub pl.tile.sub", "a:any b:any", _binary(tile_compute.SubOp, _scalar(ast.Sub()))),
    ("pl.mul pl.tile.mul", "a:any b:any", _binary(tile_compute.MulOp, _scalar(ast.Mult()))),
    ("pl.div pl.tile.div", "a:any b:any", _binary(tile_compute.DivOp, _scalar(ast.Div()))),
    (
        "pl.maximum pl.max pl.tile.maximum pl.tile.max",
        "a:any b:any",
        _binary(tile_compute.MaxOp, _extremum(True)),
    ),
    (
        "pl.minimum pl.min pl.tile.minimum pl.tile.min",
        "a:any b:any",
        _binary(tile_compute.MinOp, _extremum(False)),
    ),
    ("pl.cast pl.tile.cast", "x:any dtype:dtype mode:dropped?", _cast),
    ("pl.full pl.tile.full", "shape:indices dtype:dtype value:any", _full),
    (
        "pl.tile.create pl.create_tile",
        "shape:indices dtype:dtype target_memory:scratch?",
        _scratch,
    ),
    ("pl.row_sum pl.tile.row_sum", "t:tile tmp:scratch?", _row_sum),
    (
        "pl.get_block_idx pl.tile.get_block_idx",
        "",
        _block_query(tile_compute.BlockIdxOp),
    ),
    (
        "pl.get_block_num pl.tile.get_block_num",
        "",
        _block_query(tile_compute.BlockNumOp),
    ),
    ("pl.const", "v:any dtype:dtype", _const),
)
