"""
The meetings of ranks in collectives, and what is done there.

Reads   the operands of this rank; a word from each other rank of the domain that it has come.
Decides nothing: a collective with a shipped kernel is that kernel, compiled from the same text as
        for the simulator and launched on the windows; the others are executed by the reference
        statements on the operands of all ranks, which they send each other.
Changes this rank's arrays, and the peers' windows as the kernel does.

All have come before any begins, and, since windows may be written as soon as a collective is over,
none goes on before all have their results: the kernels see to that by themselves.
"""

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.builtin_kernels import BuiltinKernel
from xdsl_pld.tools.interpreter.collectives import MEANINGS, ReferenceEngine, check, sent
from xdsl_pld.tools.interpreter.exchange import (
    Brought,
    Call,
    Exchange,
    Operands,
    absent,
    require_alike,
)
from xdsl_pld.tools.interpreter.memory import Array, WindowBuffer, address
from xdsl_pld.tools.interpreter.sim_engine import KERNELS, Kernels, raise_findings
from xdsl_pld.tools.mpi.ending import JobEnds
from xdsl_pld.tools.mpi.windows import MpiMemory, Transport
from xdsl_pld.tools.sim.abi import MAX_RANKS
from xdsl_pld.tools.sim.engine import Session

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent
    from xdsl_pld.tools.mpi.machine import MpiMachine

_RANK_BIT = 48
"""A peer's address is ours plus its rank + 1 from this bit on (pld_sim/mpi_transport.cpp)."""


class CommContext(ctypes.Structure):
    """Who a rank is, and where the window of every rank begins (runtime-abi, CommContext)."""

    _fields_ = (
        ("workspace", ctypes.c_uint64),
        ("workspace_size", ctypes.c_uint64),
        ("rank", ctypes.c_uint32),
        ("ranks", ctypes.c_uint32),
        ("window_size", ctypes.c_uint64),
        ("windows_in", ctypes.c_uint64 * MAX_RANKS),
        ("windows_out", ctypes.c_uint64 * MAX_RANKS),
    )


class Exchanges:
    """Meets the other ranks, for one machine; what `Meetings` is where all ranks are in one."""

    def __init__(self, machine: "MpiMachine", transport: Transport, wait_limit: float):
        self._machine = machine
        self._transport = transport
        self._wait_limit = wait_limit
        self._kernels: Kernels | None = None
        self._reference = ReferenceEngine()

    def meet(self, agent: "Agent", call: Call, operands: Operands, op: Operation) -> None:
        """Returns when all ranks of the domain have met and the exchange is done for this one."""
        role = "signal" if "signal" in operands.arrays else "target"
        window = operands.windows[role]
        domain = window.domain
        rank = domain.rank_of(agent.require_device())
        check(call, operands, rank, domain)
        kernel = KERNELS.get(call.operator)
        # Compiled before the others hear of us: they would wait for the compiler.
        entry = None if kernel is None else self._entry(call, operands, kernel)
        with agent.span(call.operator, "collective", op) as span:
            span["bytes"] = sent(call, operands, rank, domain.size)
            agent.counters.sent(call, span["bytes"])
            self._gather_all(agent, call, operands, op, window, role)
            if kernel is not None and entry is not None:
                self._launch(agent, call, operands, kernel, entry, op)
            elif MEANINGS[call.operator].barriers > 1:
                self._by_meaning(agent, call, operands, op, window)

    def _gather_all(
        self,
        agent: "Agent",
        call: Call,
        operands: Operands,
        op: Operation,
        window: WindowBuffer,
        role: str,
    ) -> None:
        """Waits for all ranks, and compares what they bring."""
        memory = window.memory
        assert isinstance(memory, MpiMemory)
        assert memory.me is not None
        offset = address(operands.arrays[role]) - address(memory[memory.me])
        brought = Brought.of(agent.name, call, operands)
        number = self._machine.number_of(op)
        topic = ("come to", memory.number, offset)
        arrived = self._gather(agent, call, op, window, topic, (brought, number))
        first, first_number = arrived[0]
        for other, other_number in arrived[1:]:
            ops = self._machine.ops
            require_alike(first, ops[first_number], other, ops[other_number])

    def _gather(
        self,
        agent: "Agent",
        call: Call,
        op: Operation,
        window: WindowBuffer,
        topic: tuple[str, int, int],
        body: Any,
    ) -> Sequence[Any]:
        return self._machine.gather(
            agent,
            window.domain,
            topic,
            body,
            lambda missing: absent(lambda: missing, call, window),
            op,
        )

    # By the reference statements

    def _by_meaning(
        self, agent: "Agent", call: Call, operands: Operands, op: Operation, window: WindowBuffer
    ) -> None:
        memory = window.memory
        assert isinstance(memory, MpiMemory)
        assert memory.me is not None
        copies = {role: array.copy() for role, array in operands.arrays.items()}
        topic = ("operands", memory.number, 0)
        brought = self._gather(agent, call, op, window, topic, copies)
        ranks = [Operands(arrays, {}) for arrays in brought]
        ranks[memory.me] = operands
        self._reference.run(Exchange(call, ranks))
        self._gather(agent, call, op, window, ("done", memory.number, 0), None)

    # By a kernel

    def _entry(self, call: Call, operands: Operands, kernel: BuiltinKernel) -> int:
        if self._kernels is None:
            self._kernels = Kernels()
        return self._kernels.entry(call, operands.arrays["target"].dtype, kernel)

    def _launch(
        self,
        agent: "Agent",
        call: Call,
        operands: Operands,
        kernel: BuiltinKernel,
        entry: int,
        op: Operation,
    ) -> None:
        assert self._kernels is not None
        window = operands.windows["target"]
        memory = window.memory
        assert isinstance(memory, MpiMemory)
        assert memory.me is not None
        with Session(
            self._kernels.simulator,
            window.domain.size,
            window_bytes=1,
            max_blocks=call.blocks,
            wait_limit=self._wait_limit,
            check_order=False,
            transport=self._transport.handle,
        ) as session:
            tensors: list[Array] = []
            contexts: list[CommContext] = []
            for operand in kernel.operands:
                array = operands.arrays[operand.role]
                if operand.role in operands.windows:
                    adopt(session, operand.role, array, memory.me)
                else:
                    array = session.local(memory.me, operand.role, array)
                tensors.append(array)
                if operand.distributed:
                    contexts.append(context(operands.windows[operand.role]))
            scalars = [ctypes.addressof(each) for each in contexts]
            session.launch(memory.me, entry, tensors, scalars, blocks=call.blocks)
            report = session.report()
            for operand, array in zip(kernel.operands, tensors, strict=True):
                if operand.role not in operands.windows and operand.distributed:
                    raise InterpretationError(f"{operand.role} is no window")
        if report.clean and self._transport.abandoned():
            raise JobEnds([str(waiter) for waiter in report.waiters], op)
        raise_findings(report)


def adopt(session: Session, name: str, array: Array, me: int) -> None:
    """Makes a window's tensor known to a session, on all ranks."""
    for rank in range(session.ranks):
        there = None if rank == me else address(array) + ((rank + 1) << _RANK_BIT)
        session.adopt(name, rank, array, address=there, credits=name == "signal")


def context(window: WindowBuffer) -> CommContext:
    """The context of a window as kernels of this rank see it."""
    memory = window.memory
    assert isinstance(memory, MpiMemory)
    assert memory.me is not None
    made = CommContext(rank=memory.me, ranks=len(memory), window_size=window.size)
    own = address(memory[memory.me])
    for rank in range(len(memory)):
        there = own if rank == memory.me else own + ((rank + 1) << _RANK_BIT)
        made.windows_in[rank] = made.windows_out[rank] = there
    return made
