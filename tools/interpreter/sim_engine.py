"""
An `Engine` that runs the shipped kernels: rendered from their templates, compiled by the system's
compiler, P ranks x B blocks as threads (`tools.sim`).

Reads   the operands of all ranks; the kernel's template and variables, from the function that was
        called or, where the collective is not lowered yet, from the element type.
Decides nothing: collectives without a template are executed by the reference statements.
Changes the arrays as the kernel does. The simulator has windows of its own; operands are copied in
        before the exchange and out after it. The local arrays are given as they are.

What the simulator finds (an address outside of windows, an access that nothing orders, a wait that
never ends, a signal that is not zero at the end) is an error at the collective.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.builtin_kernels import (
    ALL_TO_ALL_V,
    ELEMENT_VARIANTS,
    INDEXED_ALL_TO_ALL_V,
    TEMPLATE_PREFIX,
    BuiltinKernel,
)
from xdsl_pld.dialects.pl.attributes import TEMPLATE_DIR, TEMPLATE_VARS
from xdsl_pld.templates.errors import TemplateError
from xdsl_pld.templates.render import Renderer
from xdsl_pld.tools.interpreter.collectives import ReferenceEngine
from xdsl_pld.tools.interpreter.exchange import Call, EngineError, Exchange
from xdsl_pld.tools.interpreter.memory import Array, Domain, WindowMemory, dtype_of
from xdsl_pld.tools.sim.abi import FindingKind
from xdsl_pld.tools.sim.compiler import CompilerError
from xdsl_pld.tools.sim.engine import Engine as Simulator
from xdsl_pld.tools.sim.engine import Report, Session

KERNELS = {kernel.operator: kernel for kernel in (ALL_TO_ALL_V, INDEXED_ALL_TO_ALL_V)}
_CONTEXTS = 3
"""Every builtin kernel has three distributed operands, and so three contexts."""
_GAP = 4096
"""Room in a window for the gaps between its buffers."""


class Kernels:
    """The shipped kernels, rendered and compiled when first asked for."""

    def __init__(self) -> None:
        """Raises InterpretationError where there is no compiler."""
        try:
            self.simulator = Simulator()
        except CompilerError as error:
            raise InterpretationError(str(error)) from error
        self._renderer = Renderer()
        self._entries: dict[tuple[str, str], int] = {}

    def entry(self, call: Call, payload: np.dtype[Any], kernel: BuiltinKernel) -> int:
        """The compiled kernel's entry, rendered from the template that the program names."""
        handle, variables = _template(call, payload, kernel)
        if (handle, variables) not in self._entries:
            try:
                text = self._renderer.kernel(handle, variables)
                self._entries[handle, variables] = self.simulator.load_kernel(text)
            except (TemplateError, CompilerError) as error:
                raise InterpretationError(str(error)) from error
        return self._entries[handle, variables]


class SimulatedEngine:
    """Executes exchanges by compiled kernels; all else by the reference statements."""

    def __init__(self, wait_limit: float = 20.0):
        self._kernels = Kernels()
        self._wait_limit = wait_limit
        self._reference = ReferenceEngine()

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> WindowMemory:
        return self._reference.allocate(name, domain, size, fill)

    def run(self, exchange: Exchange) -> None:
        kernel = KERNELS.get(exchange.call.operator)
        if kernel is None:
            self._reference.run(exchange)
            return
        entry = self._kernels.entry(exchange.call, exchange.of("target")[0].dtype, kernel)
        with Session(
            self._kernels.simulator,
            len(exchange.ranks),
            window_bytes=_window_bytes(exchange, kernel),
            max_blocks=exchange.call.blocks,
            wait_limit=self._wait_limit,
        ) as session:
            self._run(exchange, kernel, entry, session)

    def _run(self, exchange: Exchange, kernel: BuiltinKernel, entry: int, session: Session) -> None:
        ranks = range(len(exchange.ranks))
        placed = {
            operand.role: self._place(session, operand.role, operand.distributed, exchange)
            for operand in kernel.operands
        }
        for rank in ranks:
            for role, arrays in placed.items():
                if role != "signal":
                    session.host_wrote(rank, arrays[rank])

        def launch(rank: int) -> None:
            tensors = [placed[operand.role][rank] for operand in kernel.operands]
            contexts = [session.context(rank)] * _CONTEXTS
            session.launch(rank, entry, tensors, contexts, blocks=exchange.call.blocks)
            session.host_reads(rank, placed["target"][rank], placed["recv_counts"][rank])

        session.run_ranks(launch)
        raise_findings(session.report())
        for role in ("target", "recv_counts"):
            for mine, theirs in zip(exchange.of(role), placed[role], strict=True):
                mine[...] = theirs

    def _place(
        self, session: Session, role: str, distributed: bool, exchange: Exchange
    ) -> Sequence[Array]:
        """An operand of all ranks in the simulator's memory."""
        given = exchange.of(role)
        if not distributed:
            return [session.local(rank, role, array) for rank, array in enumerate(given)]
        first = given[0]
        arrays: Sequence[Array] = session.window(
            role, first.shape, first.dtype, credits=role == "signal"
        )
        for array, values in zip(arrays, given, strict=True):
            array[...] = values
        return arrays


def _template(call: Call, payload: np.dtype[Any], kernel: BuiltinKernel) -> tuple[str, str]:
    function = call.kernel
    if function is not None:
        handle = function.attributes[TEMPLATE_DIR]
        variables = function.attributes.get(TEMPLATE_VARS, StringAttr(""))
        assert isinstance(handle, StringAttr)
        assert isinstance(variables, StringAttr)
        return handle.data, variables.data
    for element, variant in ELEMENT_VARIANTS.items():
        if dtype_of(element) == payload:
            return TEMPLATE_PREFIX + kernel.operator, f"dtype_cpp={variant.cpp}"
    raise InterpretationError(f"there is no kernel {kernel.operator} for elements of {payload}")


def _window_bytes(exchange: Exchange, kernel: BuiltinKernel) -> int:
    roles = [operand.role for operand in kernel.operands if operand.distributed]
    return sum(exchange.of(role)[0].nbytes + _GAP for role in roles)


def raise_findings(report: Report) -> None:
    """Raises EngineError for what a session found."""
    if not report.clean:
        first, *others = str(report).splitlines()
        remarks = [line.strip() for line in others]
        waited = report.findings[0].kind is FindingKind.DEADLOCK
        raise EngineError(f"the kernel is wrong: {first}", remarks, waited=waited)
