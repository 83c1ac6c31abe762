"""
What is asked of a program before it runs: its host body, the number of ranks that it states, and
which of its windows hold signals.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_pld.dialects.pl.attributes import is_builtin_kernel, is_host_orchestrator
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.builtin import BuiltinDispatchOp
from xdsl_pld.dialects.pld.collectives import ManagedCollective, ranks_of_signal
from xdsl_pld.dialects.pld.system import NotifyOp, WaitOp
from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp, WindowOp
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.dialects.values import shape_of, shown
from xdsl_pld.passes.analysis.calls import (
    AnyCallOp,
    argument_for,
    callee_of,
    callee_results,
    functions,
)
from xdsl_pld.passes.analysis.flow import join_of
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.interpreter.domains import BufferDevices

_SIGNAL = 2
"""The position of the signal among a builtin kernel's operands."""


def host_function(module: ModuleOp, name: str | None) -> FuncOp:
    """
    The host body to run, by name or the only one.

    Raises FindingsError where there is none, or more than one to choose from.
    """
    hosts = [f for f in functions(module) if is_host_orchestrator(f) and not f.is_declaration]
    known = ", ".join(f.sym_name.data for f in hosts)
    if name is not None:
        hosts = [f for f in hosts if f.sym_name.data == name]
        if not hosts:
            listed = f"; the host functions are {known}" if known else ""
            raise FindingsError([Finding(module, f"--host: no host function '{name}'{listed}")])
    if not hosts:
        advice = Note(
            'a host body is a func.func with pl.level = "host", pl.role = "orchestrator"; it '
            "allocates the windows and dispatches the chip pipelines"
        )
        raise FindingsError([Finding(module, "the program has no host function to run", (advice,))])
    if len(hosts) > 1:
        notes = [Note(f"'{f.sym_name.data}' is one", f) for f in hosts]
        raise FindingsError(
            [Finding(hosts[1], f"several host functions, {known}: choose one with --host", notes)]
        )
    return hosts[0]


def called(host: FuncOp) -> Sequence[FuncOp]:
    """The host body and all functions that it calls, directly or not."""
    found: dict[FuncOp, None] = {host: None}
    pending = [host]
    while pending:
        for call in _calls(pending.pop()):
            callee = callee_of(call)
            if callee is not None and callee not in found:
                found[callee] = None
                pending.append(callee)
    return list(found)


class StatedRanks(NamedTuple):
    """The number of ranks that an operation's signal states."""

    ranks: int
    signal: SSAValue
    op: Operation


def stated_ranks(host: FuncOp) -> StatedRanks | None:
    """
    The number of ranks that the program's signals state, None where none does.

    A signal states the ranks of its window's domain. Where domains are parts of the world, those of
    listed devices do not count. Raises FindingsError where two signals state different numbers.
    """
    reached = called(host)
    devices = BufferDevices()
    parts = devices.are_parts(host)
    buffers = BuffersBehind(reached)
    first: StatedRanks | None = None
    for op, signal in (pair for function in reached for pair in _collective_signals(function)):
        mode = op.properties.get("mode")
        ring = isinstance(mode, StringAttr) and mode.data == "ring"
        stated = ranks_of_signal(shape_of(signal), ring=ring)
        if stated is None:
            continue
        if parts and any(devices.of(b).listed is not None for b in buffers.of([signal])):
            continue
        if first is None:
            first = StatedRanks(stated, signal, op)
        elif stated != first.ranks:
            message = (
                f"signal {shown(shape_of(signal))} states {stated} ranks, an earlier one "
                f"{shown(shape_of(first.signal))} states {first.ranks}"
            )
            raise FindingsError([Finding(op, message, (Note("the earlier one", first.op),))])
    return first


def agreed_ranks(host: FuncOp, wanted: int | None) -> int | None:
    """
    The number of ranks that is wanted, or that the program states; None where neither says one.

    Raises FindingsError where they differ.
    """
    stated = stated_ranks(host)
    if stated is None:
        return wanted
    if wanted not in (None, stated.ranks):
        message = (
            f"--ranks is {wanted}, but signal {shown(shape_of(stated.signal))} states "
            f"{stated.ranks} ranks"
        )
        raise FindingsError([Finding(stated.op, message)])
    return stated.ranks


def ranks_to_run(host: FuncOp, wanted: int | None) -> int:
    """
    The number of ranks to run with. Where neither the user nor a signal says one, and windows are
    on listed devices, the last of these is the last rank.

    Raises FindingsError where the number is not known, or wanted and stated ones differ.
    """
    ranks = agreed_ranks(host, wanted) or BufferDevices().needed(host)
    if not ranks:
        message = "no signal states how many ranks there are: say so with --ranks"
        raise FindingsError([Finding(host, message)])
    return ranks


class Waits:
    """Which functions wait: for a signal, or in a collective, themselves or in what they call."""

    def __init__(self) -> None:
        self._known: dict[FuncOp, bool] = {}

    def __contains__(self, function: FuncOp) -> bool:
        if function not in self._known:
            self._known[function] = any(
                isinstance(op, WaitOp) or op.has_trait(ManagedCollective)
                for each in called(function)
                for op in each.walk()
            )
        return self._known[function]


def _calls(function: FuncOp) -> Iterator[AnyCallOp]:
    for op in function.walk():
        if isinstance(op, CallOp | SubmitOp | func.CallOp):
            yield op


def _collective_signals(function: FuncOp) -> Iterator[tuple[Operation, SSAValue]]:
    """The collectives of a function, at any stage of lowering, with their signals."""
    for op in function.walk():
        if (trait := op.get_trait(ManagedCollective)) is not None:
            if (signal := trait.operands(op).get("signal")) is not None:
                yield op, signal
        elif isinstance(op, BuiltinDispatchOp):
            trait = op.COLLECTIVE.get_trait(ManagedCollective)
            assert trait is not None
            if "signal" in trait.roles and len(op.arguments) == len(trait.roles):
                yield op, op.arguments[trait.roles.index("signal")]
        elif isinstance(op, CallOp | SubmitOp):
            callee = callee_of(op)
            if callee is not None and is_builtin_kernel(callee) and len(op.arguments) > _SIGNAL:
                yield op, op.arguments[_SIGNAL]


def signal_buffers(host: FuncOp) -> frozenset[str]:
    """The names of the window buffers that hold signals: of collectives, notify or wait."""
    reached = called(host)
    signals = [signal for function in reached for _, signal in _collective_signals(function)]
    signals += [
        op.signal
        for function in reached
        for op in function.walk()
        if isinstance(op, NotifyOp | WaitOp)
    ]
    return frozenset(b.buffer_name.data for b in BuffersBehind(reached).of(signals))


class BuffersBehind:
    """From which window buffers the values of some functions come, through their calls."""

    def __init__(self, functions: Iterable[FuncOp]):
        self._lineage = Lineage()
        self._sites: dict[FuncOp, list[AnyCallOp]] = {}
        for function in functions:
            for call in _calls(function):
                if (callee := callee_of(call)) is not None:
                    self._sites.setdefault(callee, []).append(call)

    def of(self, values: Iterable[SSAValue]) -> AbstractSet[AllocWindowBufferOp]:
        """All buffers in whose memory one of the values may lie."""
        found: dict[AllocWindowBufferOp, None] = {}
        seen: set[SSAValue] = set()
        pending = list(values)
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value.owner, AllocWindowBufferOp):
                found[value.owner] = None
            pending += _sources(value, self._sites, self._lineage)
        return found.keys()


def _sources(
    value: SSAValue, sites: dict[FuncOp, list[AnyCallOp]], lineage: Lineage
) -> Iterable[SSAValue]:
    """The values that a value comes from."""
    if (join := join_of(value)) is not None:
        return (join.seed, *join.others)
    if isinstance(value, BlockArgument):
        function = value.block.parent_op()
        if not isinstance(function, FuncOp):
            return ()
        passed = (argument_for(call, function, value.index) for call in sites.get(function, ()))
        return [argument for argument in passed if argument is not None]
    assert isinstance(value, OpResult)
    op = value.op
    if isinstance(op, WindowOp):
        return (op.buffer,)
    if isinstance(op, CallOp | SubmitOp | func.CallOp):
        callee = callee_of(op)
        results = list(callee_results(op))
        if callee is None or value not in results:
            return ()
        parameter = lineage.returned(callee)[results.index(value)].parameter
        argument = None if parameter is None else argument_for(op, callee, parameter)
        return () if argument is None else (argument,)
    alias = alias_of(value)
    return () if alias is None else (alias.source,)
