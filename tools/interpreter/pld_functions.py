"""
The ops of `pld`: windows, contexts, signals, transfers, and collectives at every stage.

Peers are addressed through the context that a tensor carries (`memory`). A managed collective in a
pipeline or a kernel meets the other ranks there and then; in a host body, and as a dispatch of the
host rail, it is a job of its own on each device.
"""

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreter import InterpreterFunctions as Functions
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.pld import builtin, collectives, system, transfers, windows
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.tools.interpreter.blocks import require_one_block
from xdsl_pld.tools.interpreter.exchange import EXCHANGES, Call, Engine, blocks_of
from xdsl_pld.tools.interpreter.memory import (
    POISON,
    Array,
    CommCtx,
    DistTensor,
    Domain,
    TensorValue,
    WindowBuffer,
    array_of,
    box,
    over,
)
from xdsl_pld.tools.interpreter.operands import indices, loaded, split_operands
from xdsl_pld.tools.interpreter.pl_functions import operands_of
from xdsl_pld.tools.interpreter.scalars import int_of, scalar
from xdsl_pld.tools.interpreter.scheduler import Waiting

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent

_REACHED: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ge": operator.ge,
}
_SIGNS = {"eq": "==", "ge": ">="}


@register_impls
class PldFunctions(Functions):
    """The ops of `pld` for one agent."""

    def __init__(self, agent: "Agent"):
        self.agent = agent

    # Windows

    @impl(windows.CommDomainOp)
    def run_comm_domain(
        self, interpreter: Interpreter, op: windows.CommDomainOp, args: PythonValues
    ):
        world = self.agent.machine.world
        devices = world.devices if op.devices is None else tuple(map(int, op.devices.get_values()))
        for device in devices:
            if device not in world.devices:
                raise InterpretationError(
                    f"domain '{op.domain_name.data}' has device {device}, but there are "
                    f"{world.size} (--ranks)"
                )
        slots = frozenset(slot.data for slot in op.slots)
        self.agent.domains.append(Domain(op.domain_name.data, devices, slots))
        results = interpreter.run_ssacfg_region(op.body, (), "comm_domain")
        self.agent.domains.pop()
        return results

    @impl_terminator(windows.YieldOp)
    def run_yield(
        self, interpreter: Interpreter, op: windows.YieldOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args), ()

    @impl(windows.AllocWindowBufferOp)
    def run_alloc(
        self, interpreter: Interpreter, op: windows.AllocWindowBufferOp, args: PythonValues
    ):
        size, name = int_of(args[0]), op.buffer_name.data
        if size < 1:
            raise InterpretationError(f"a window buffer has a positive size, not {size} bytes")
        machine, around = self.agent.machine, self.agent.domains
        scope = next((d for d in reversed(around) if name in d.slots), None)
        domain = machine.domains.of(op) if scope is None else scope
        poisoned = machine.settings.poison and name not in machine.settings.signals
        fill = POISON if poisoned else 0
        memory = machine.settings.engine.allocate(name, domain, size, fill)
        buffer = WindowBuffer(name, domain, memory)
        machine.windows[name] = buffer
        return (buffer,)

    @impl(windows.WindowOp)
    def run_window(self, interpreter: Interpreter, op: windows.WindowOp, args: PythonValues):
        (buffer,) = args
        type_ = op.result.type
        assert isinstance(buffer, WindowBuffer)
        assert isinstance(type_, DistributedTensorType)
        array = over(buffer.memory[0], type_.tensor)
        if buffer.tensor is None:
            buffer.tensor = type_.tensor
        device = self.agent.device
        view = DistTensor(array, buffer, None, CommCtx(buffer, None))
        return (view if device is None else view.on(device),)

    # Contexts

    @impl(system.WorldSizeOp)
    def run_world_size(self, interpreter: Interpreter, op: system.WorldSizeOp, args: PythonValues):
        return (scalar(self.agent.machine.settings.ranks, op.result.type),)

    @impl(system.GetCommCtxOp)
    def run_get_comm_ctx(
        self, interpreter: Interpreter, op: system.GetCommCtxOp, args: PythonValues
    ):
        return (args[0].context,)

    @impl(system.RankOp)
    def run_rank(self, interpreter: Interpreter, op: system.RankOp, args: PythonValues):
        return (scalar(args[0].rank, op.result.type),)

    @impl(system.NRanksOp)
    def run_nranks(self, interpreter: Interpreter, op: system.NRanksOp, args: PythonValues):
        return (scalar(args[0].ranks, op.result.type),)

    # Signals

    @impl(system.NotifyOp)
    def run_notify(self, interpreter: Interpreter, op: system.NotifyOp, args: PythonValues):
        signal, *offsets, peer, value = args
        cell = box(signal.at(int_of(peer)), "the signal", indices(op.static_offsets, offsets))
        self.agent.machine.settings.engine.notify(
            self.agent.require_device(), cell, int_of(value), add=op.notify_op.data != "set"
        )
        self.agent.counters.signals += 1
        return ()

    @impl(system.WaitOp)
    def run_wait(self, interpreter: Interpreter, op: system.WaitOp, args: PythonValues):
        signal, *offsets, expected_value = args
        at = indices(op.static_offsets, offsets)
        cell = box(array_of(signal), "the signal", at)
        reached = _REACHED[op.comparison.data]
        expected = int_of(expected_value)

        def arrived() -> bool:
            return reached(int(cell.reshape(-1)[0]), expected)

        def describe() -> str:
            return (
                f"cell {at} of its window '{signal.window.name}' to be "
                f"{_SIGNS[op.comparison.data]} {expected}; it is {int(cell.reshape(-1)[0])}"
                f"{_notifier(signal, at)}"
            )

        with self.agent.span("wait", "wait", op):
            self.agent.wait(Waiting(arrived, describe, op))
        self.agent.machine.settings.engine.awaited(self.agent.require_device(), cell)
        return ()

    # Transfers

    def _sends(self, array: Array, peer: DistTensor, to: int) -> None:
        """Counts bytes that go over the wire; what stays on the rank does not."""
        if to != peer.context.rank:
            self.agent.counters.wire_bytes += array.nbytes

    def _store(self, remote: DistTensor, part: Array, payload: Array, atomic: str) -> None:
        """Puts data into a peer's window. Several may add at once, as several may read."""
        engine = self.agent.machine.settings.engine
        (engine.add if atomic == "add" else engine.write)(part, payload)
        self.agent.touched(remote, part, write=atomic != "add")

    def _put(
        self, op: transfers.TensorPutOp | transfers.TilePutOp, args: PythonValues
    ) -> PythonValues:
        engine = self.agent.machine.settings.engine
        copied = _copied(op, args, engine, remote_source=False)
        self.agent.touched(copied.source, copied.read)
        self._store(copied.remote, copied.written, copied.payload, op.atomic.data)
        self._sends(copied.payload, copied.remote, copied.peer)
        return ()

    def _get(
        self, op: transfers.TensorGetOp | transfers.TileGetOp, args: PythonValues
    ) -> PythonValues:
        engine = self.agent.machine.settings.engine
        copied = _copied(op, args, engine, remote_source=True)
        copied.written[...] = copied.payload
        self.agent.touched(copied.source, copied.read)
        self.agent.touched(copied.destination, copied.written, write=True)
        self._sends(copied.payload, copied.remote, copied.peer)
        return ()

    @impl(transfers.TensorPutOp)
    def run_tensor_put(
        self, interpreter: Interpreter, op: transfers.TensorPutOp, args: PythonValues
    ):
        return self._put(op, args)

    @impl(transfers.TilePutOp)
    def run_tile_put(self, interpreter: Interpreter, op: transfers.TilePutOp, args: PythonValues):
        return self._put(op, args)

    @impl(transfers.TensorGetOp)
    def run_tensor_get(
        self, interpreter: Interpreter, op: transfers.TensorGetOp, args: PythonValues
    ):
        return self._get(op, args)

    @impl(transfers.TileGetOp)
    def run_tile_get(self, interpreter: Interpreter, op: transfers.TileGetOp, args: PythonValues):
        return self._get(op, args)

    @impl(transfers.RemoteLoadOp)
    def run_remote_load(
        self, interpreter: Interpreter, op: transfers.RemoteLoadOp, args: PythonValues
    ):
        (source,), offsets, sizes, valid, (peer,) = split_operands(op, args)
        starts, lengths = indices(op.static_offsets, offsets), indices(op.static_sizes, sizes)
        of = int_of(peer)
        read = self.agent.machine.settings.engine.read
        array, part = loaded(source.at(of), starts, lengths, indices(op.static_valid, valid), read)
        self.agent.touched(source, part)
        if array.shape != shape_of(op.result):
            raise InterpretationError(f"a box of {lengths} does not fill {op.result.type}")
        self._sends(array, source, of)
        return (array,)

    @impl(transfers.RemoteStoreOp)
    def run_remote_store(
        self, interpreter: Interpreter, op: transfers.RemoteStoreOp, args: PythonValues
    ):
        moved, destination, *offsets, peer = args
        starts, to = indices(op.static_offsets, offsets), int_of(peer)
        part = box(destination.at(to), "the destination", starts, moved.shape)
        self._store(destination, part, moved, op.atomic.data)
        self._sends(moved, destination, to)
        return ()

    # Collectives

    def _collective(self, op: Operation, args: PythonValues) -> PythonValues:
        trait = op.get_trait(ManagedCollective)
        assert trait is not None
        by_value = dict(zip(op.operands, args, strict=True))
        values = {role: by_value[value] for role, value in trait.operands(op).items()}
        core_num: SSAValue | None = getattr(op, "core_num", None)
        width = None if core_num is None else int_of(by_value[core_num])
        call = _call(op, values, width, self.agent.machine.settings.core_num)
        written = next(role for role in ("target", "signal") if role in values)
        if self.agent.device is None:
            self._on_all_devices(op, call, values)
        else:
            require_one_block(self.agent, f"the {call.operator}")
            with self.agent.as_task(call.operator, op):
                self.agent.machine.meetings.meet(self.agent, call, operands_of(values), op)
        return (values[written],)

    def _on_all_devices(self, op: Operation, call: Call, values: Mapping[str, Any]) -> None:
        """A collective in a host body: every device of the domain takes part."""
        _require_windows(values)
        domain = next(iter(values.values())).window.domain
        for device in domain.devices:
            self._dispatch(op, call, values, device)

    def _builtin(self, op: builtin.BuiltinDispatchOp, args: PythonValues) -> PythonValues:
        arguments, (device,), core_num = split_operands(op, args)
        trait = op.COLLECTIVE.get_trait(ManagedCollective)
        assert trait is not None
        values = dict(zip(trait.roles, arguments, strict=True))
        _require_windows(values)
        width = int_of(core_num[0]) if core_num else None
        call = _call(op, values, width, self.agent.machine.settings.core_num)
        self._dispatch(op, call, values, int_of(device))
        return ()

    def _dispatch(self, op: Operation, call: Call, values: Mapping[str, Any], device: int) -> None:
        from xdsl_pld.tools.interpreter.machine import Agent, Job

        self.agent.machine.require_device(device)

        def run(agent: Agent) -> None:
            local = {role: value.on(device) for role, value in values.items()}
            with agent.as_task(call.operator, op):
                agent.machine.meetings.meet(agent, call, operands_of(local), op)

        self.agent.machine.dispatch(device, Job(call.operator, op, run))

    @impl(collectives.AllToAllVOp)
    def run_all_to_all_v(
        self, interpreter: Interpreter, op: collectives.AllToAllVOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.IndexedAllToAllVOp)
    def run_indexed(
        self, interpreter: Interpreter, op: collectives.IndexedAllToAllVOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.AllToAllOp)
    def run_all_to_all(
        self, interpreter: Interpreter, op: collectives.AllToAllOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.AllGatherOp)
    def run_allgather(
        self, interpreter: Interpreter, op: collectives.AllGatherOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.AllReduceOp)
    def run_allreduce(
        self, interpreter: Interpreter, op: collectives.AllReduceOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.ReduceScatterOp)
    def run_reduce_scatter(
        self, interpreter: Interpreter, op: collectives.ReduceScatterOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.BroadcastOp)
    def run_broadcast(
        self, interpreter: Interpreter, op: collectives.BroadcastOp, args: PythonValues
    ):
        return self._collective(op, args)

    @impl(collectives.BarrierOp)
    def run_barrier(self, interpreter: Interpreter, op: collectives.BarrierOp, args: PythonValues):
        return self._collective(op, args)

    @impl(builtin.AllToAllVDispatchOp)
    def run_builtin_all_to_all_v(
        self, interpreter: Interpreter, op: builtin.AllToAllVDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.AllToAllDispatchOp)
    def run_builtin_all_to_all(
        self, interpreter: Interpreter, op: builtin.AllToAllDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.AllGatherDispatchOp)
    def run_builtin_allgather(
        self, interpreter: Interpreter, op: builtin.AllGatherDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.AllReduceDispatchOp)
    def run_builtin_allreduce(
        self, interpreter: Interpreter, op: builtin.AllReduceDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.ReduceScatterDispatchOp)
    def run_builtin_reduce_scatter(
        self, interpreter: Interpreter, op: builtin.ReduceScatterDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.BroadcastDispatchOp)
    def run_builtin_broadcast(
        self, interpreter: Interpreter, op: builtin.BroadcastDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)

    @impl(builtin.BarrierDispatchOp)
    def run_builtin_barrier(
        self, interpreter: Interpreter, op: builtin.BarrierDispatchOp, args: PythonValues
    ):
        return self._builtin(op, args)


class _Copied(NamedTuple):
    """What a put or get moves."""

    payload: Array
    """A copy of what is read."""
    source: TensorValue
    read: Array
    destination: TensorValue
    written: Array
    remote: DistTensor
    peer: int


def _copied(
    op: transfers.TensorPutOp | transfers.TilePutOp | transfers.TensorGetOp | transfers.TileGetOp,
    args: PythonValues,
    engine: Engine,
    *,
    remote_source: bool,
) -> _Copied:
    (source,), (destination,), from_, to, sizes, (peer_value,) = split_operands(op, args)
    peer = int_of(peer_value)
    lengths = indices(op.static_sizes, sizes)
    there = source.at(peer) if remote_source else array_of(source)
    here = array_of(destination) if remote_source else destination.at(peer)
    read = box(there, "the source", indices(op.static_source_offsets, from_), lengths)
    starts = indices(op.static_destination_offsets, to)
    written = box(here, "the destination", starts, lengths)
    remote = source if remote_source else destination
    payload = engine.read(read) if remote_source else read.copy()
    return _Copied(payload, source, read, destination, written, remote, peer)


def _notifier(signal: DistTensor, cell: list[int]) -> str:
    """Whose notification a cell waits for, where the signal has a row a rank."""
    if signal.array.ndim < 2 or signal.array.shape[0] != signal.context.ranks:
        return ""
    return f", and its row is rank {cell[0]}'s to notify"


def _require_windows(values: Mapping[str, Any]) -> None:
    for role, value in values.items():
        if not isinstance(value, DistTensor):
            raise InterpretationError(f"{role} must be a window on the host rail")


def _call(
    op: Operation, values: Mapping[str, Any], core_num: int | None, override: int | None
) -> Call:
    """The collective that an op asks for."""
    operator = op.name.rsplit(".", 1)[-1]
    first: DistTensor = values["target" if "target" in values else "signal"]
    limit = 1 if core_num is None else core_num
    if override is not None and operator in EXCHANGES:
        limit = override
    blocks = blocks_of(operator, limit, first.window.domain.size)
    options: dict[str, str | int] = {}
    for key in ("op", "mode"):
        attribute = op.properties.get(key)
        if isinstance(attribute, StringAttr):
            options[key] = attribute.data
    if operator == "broadcast":
        root = op.properties.get("root")
        options["root"] = root.value.data if isinstance(root, IntegerAttr) else 0
    if operator == "allreduce":
        options.setdefault("mode", "mesh")
    return Call(operator, blocks, options)
