"""
Give each host allreduce that has no signal one of its own.

The signal is the protocol's, not the author's: in a host body it may be left out, and everything
after this pass relies on it.

Reads   the allreduces of host bodies; the devices of their targets; what other signals state.
Decides the number of ranks, as far as it is known: the devices of the target's domain where they
        are listed, else what all signals of the module state alike. Where nothing says it,
        dimension 0 of the window stays open, `?`: as many rows as the buffer holds. All is decided,
        and every finding collected, before the IR changes.
Changes each such allreduce: before it stand world_size, a buffer of world_size * core_num * 4
        bytes, under a name that is free, and a window `[ranks, core_num]` of i32 over it.

A ring needs other cells, a row a step and a column a rank; it gets them where the number of ranks
is known. In a loop, each turn would allocate a window: there the signal must be written.

Source: neighbours, synthesize-allreduce-signals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp, StringAttr, TensorType, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from xdsl_pld.dialects.pld.collectives import AllReduceOp, ManagedCollective, ranks_of_signal
from xdsl_pld.dialects.pld.system import WorldSizeOp
from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp, WindowOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.passes.analysis.constants import folded_int
from xdsl_pld.passes.analysis.host_windows import HostBodies, HostWindows
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.roots import Roots
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property

_CELL = 4
"""Bytes of an i32."""


class _Signal(NamedTuple):
    """The signal that an allreduce gets."""

    allreduce: AllReduceOp
    rows: int | None
    """None for world_size, which is known at run time."""
    columns: int
    bytes: int
    """Of all rows, or of one where their number is not known or is that of all devices."""
    per_device: bool


class _Refusal(Exception):
    def __init__(self, message: str, *notes: Note):
        self.message = message
        self.notes = notes


# Deciding


def _loop_around(op: Operation) -> Operation | None:
    around = op.parent_op()
    while around is not None and not isinstance(around, FuncOp):
        if isinstance(around, scf.ForOp | scf.WhileOp | scf.ParallelOp):
            return around
        around = around.parent_op()
    return None


def _stated_ranks(module: ModuleOp) -> int | None:
    """The number of ranks that all signals of the module state alike."""
    stated: set[int] = set()
    for op in module.walk():
        trait = op.get_trait(ManagedCollective)
        signal = None if trait is None else trait.operands(op).get("signal")
        if signal is None:
            continue
        ring = op.properties.get("mode") == StringAttr("ring")
        ranks = ranks_of_signal(shape_of(signal), ring=ring)
        if ranks is not None:
            stated.add(ranks)
    return stated.pop() if len(stated) == 1 else None


def _ranks(op: AllReduceOp, host: HostWindows, stated: int | None) -> int | None:
    """The number of ranks of the target's domain, None where it is not known."""
    for buffer in host.buffers_of(op.target):
        devices = host.domain_devices(buffer)
        if devices is not None and devices.listed is not None:
            return len(devices.listed)
    return stated


def _decide(op: AllReduceOp, host: HostWindows, stated: int | None) -> _Signal:
    if (loop := _loop_around(op)) is not None:
        raise _Refusal(
            "an allreduce in a loop needs an explicit signal",
            Note("the loop: each turn would allocate a window", loop),
            Note("write a window of i32, a row a rank, before the loop and pass it"),
        )
    width = 1 if op.core_num is None else folded_int(op.core_num)
    if width is None:
        raise _Refusal(
            "an allreduce with a run-time core_num needs an explicit signal",
            Note("core_num comes from here, and is the width of the signal", op.core_num),
        )
    ranks = _ranks(op, host, stated)
    if op.mode.data != "ring":
        return _Signal(op, ranks, width, width * _CELL, per_device=True)
    if ranks is None:
        raise _Refusal(
            "an allreduce of mode ring needs an explicit signal: nothing says how many ranks there "
            "are, and its signal has 2*(ranks-1)+1 rows and a column a rank"
        )
    rows = 2 * (ranks - 1) + 1
    return _Signal(op, rows, ranks, rows * ranks * _CELL, per_device=False)


def _without_signal(module: ModuleOp) -> Sequence[tuple[HostWindows, AllReduceOp]]:
    return [
        (host, op)
        for host in HostBodies(module, Roots(Lineage())).all
        for op in host.collectives
        if isinstance(op, AllReduceOp) and op.signal is None
    ]


def _free_names(module: ModuleOp) -> Iterator[str]:
    taken = {op.buffer_name.data for op in module.walk() if isinstance(op, AllocWindowBufferOp)}
    count = 0
    while True:
        if (name := f"allreduce_signal_{count}") not in taken:
            yield name
        count += 1


# Rewriting


def _insert(signal: _Signal, name: str, rewriter: Rewriter) -> None:
    op = signal.allreduce
    size = arith.ConstantOp(IntegerAttr.from_index_int_value(signal.bytes))
    size.result.name_hint = "signal_bytes"
    new: list[Operation] = [size]
    bytes_ = size.result
    if signal.per_device:
        world = WorldSizeOp()
        world.result.name_hint = "devices"
        size.result.name_hint = "row_bytes"
        total = arith.MuliOp(world.result, size.result)
        total.result.name_hint = "signal_bytes"
        new = [world, size, total]
        bytes_ = total.result
    buffer = AllocWindowBufferOp(bytes_, name)
    buffer.buffer.name_hint = "signal_buffer"
    rows = DYNAMIC_INDEX if signal.rows is None else signal.rows
    window = WindowOp(buffer.buffer, DistributedTensorType(TensorType(i32, [rows, signal.columns])))
    window.result.name_hint = "signal"
    new += [buffer, window]
    replacement = AllReduceOp(
        op.target, window.result, op.reduce_op.data, mode=op.mode.data, core_num=op.core_num
    )
    replacement.attributes |= op.attributes
    replacement.result.name_hint = op.result.name_hint
    new.append(replacement)
    for each in new:
        each.location = op.location
    rewriter.replace_op(op, new, [replacement.result])


@dataclass(frozen=True)
class SynthesizeAllreduceSignalsPass(PldPass):
    """
    Makes the signals of host allreduces explicit.

    Before: %h = pld.tensor.allreduce %d {op = "sum"} : D<8x64xf32>
    After:  %n = pld.system.world_size : index
            %bytes = arith.muli %n, %c4 : index
            %b = pld.tensor.alloc_window_buffer %bytes {name = "allreduce_signal_0"} ...
            %s = pld.tensor.window %b : !pld.window_buffer -> D<2x1xi32>
            %h = pld.tensor.allreduce %d, %s {op = "sum"} : D<8x64xf32>, D<2x1xi32>
    """

    name = "synthesize-allreduce-signals"

    breaks: ClassVar[tuple[Property, ...]] = (Property.COMM_DOMAIN_SCOPES_MATERIALIZED,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        signals: list[_Signal] = []
        findings: list[Finding] = []
        allreduces = _without_signal(module)
        stated = _stated_ranks(module) if allreduces else None
        for host, op in allreduces:
            try:
                signals.append(_decide(op, host, stated))
            except _Refusal as refusal:
                findings.append(Finding(op, refusal.message, refusal.notes))
        if findings:
            raise FindingsError(findings)
        rewriter = Rewriter()
        for signal, name in zip(signals, _free_names(module), strict=False):
            _insert(signal, name, rewriter)
