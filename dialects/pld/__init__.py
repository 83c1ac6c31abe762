"""Dialect `pld`, the distributed part: windows, collectives, signals, one-sided transfers."""

from xdsl.ir import Dialect

from xdsl_pld.dialects import pl as pl  # its attribute checks must run wherever pld is used
from xdsl_pld.dialects.pld import signature, system, transfers, windows
from xdsl_pld.dialects.pld.builtin import BUILTIN_DISPATCHES
from xdsl_pld.dialects.pld.collectives import MANAGED_COLLECTIVES
from xdsl_pld.dialects.types import CommCtxType, DistributedTensorType, WindowBufferType

signature.install()

PLD = Dialect(
    "pld",
    [
        windows.AllocWindowBufferOp,
        windows.WindowOp,
        windows.CommDomainOp,
        windows.YieldOp,
        system.WorldSizeOp,
        system.GetCommCtxOp,
        system.RankOp,
        system.NRanksOp,
        system.NotifyOp,
        system.WaitOp,
        *MANAGED_COLLECTIVES,
        transfers.TensorPutOp,
        transfers.TensorGetOp,
        transfers.TilePutOp,
        transfers.TileGetOp,
        transfers.RemoteLoadOp,
        transfers.RemoteStoreOp,
        *BUILTIN_DISPATCHES,
    ],
    [DistributedTensorType, CommCtxType, WindowBufferType],
)
