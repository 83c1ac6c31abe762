"""Dialect `pl`, the language core: functions, calls and submits, tensors and tiles."""

from xdsl.ir import Dialect

from xdsl_pld.dialects.pl import attribute_rules, call, tensor, tensor_dim, tile
from xdsl_pld.dialects.pl.tile_compute import TILE_COMPUTE_OPS
from xdsl_pld.dialects.types import TaskIdType, TileType

attribute_rules.install()

PL = Dialect(
    "pl",
    [
        call.CallOp,
        call.SubmitOp,
        call.TaskDummyOp,
        tensor.CreateOp,
        tensor.SliceOp,
        tensor.AssembleOp,
        tensor.ViewOp,
        tensor.ReshapeOp,
        tensor.TransposeOp,
        tensor.SetValidShapeOp,
        tensor.ReadOp,
        tensor.WriteOp,
        tile.LoadOp,
        tile.StoreOp,
        tile.SliceOp,
        tensor_dim.DimOp,
        *TILE_COMPUTE_OPS,
    ],
    [TaskIdType, TileType],
)
