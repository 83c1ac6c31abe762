"""
What a task runs: one kernel, or the kernels of a group, each with the number that the orchestration
submits it under.

A wrapper (`group`, `spmd`) is no code of its own on a card: its kernels get the task's arguments.
So each has to pass on its parameters as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl.attributes import FuncType, func_type
from xdsl_pld.dialects.pl.call import CallLikeOp, CallOp, SubmitOp
from xdsl_pld.dialects.symbols import lookup_callee
from xdsl_pld.templates.errors import Problem

_MOST_AIV = 2


@dataclass(frozen=True)
class Kernel:
    """A kernel of a pipeline."""

    func_id: int
    function: FuncOp

    @property
    def name(self) -> str:
        return self.function.sym_name.data

    @property
    def core(self) -> str:
        """The kind of core that it runs on; an incore kernel is made for vector cores."""
        return "aic" if func_type(self.function) is FuncType.AIC else "aiv"


@dataclass
class Kernels:
    """The kernels of a pipeline, numbered in order of first use."""

    used: dict[str, Kernel] = field(default_factory=dict[str, Kernel])

    def use(self, function: FuncOp) -> Kernel:
        name = function.sym_name.data
        return self.used.setdefault(name, Kernel(len(self.used), function))


@dataclass(frozen=True)
class Launch:
    """What a task runs, and how wide."""

    kernels: Sequence[FuncOp]
    core_num: SSAValue | None
    inner_core_num: int | None
    """The width that a wrapper states for its kernel."""
    sync_start: bool
    mixed: bool


class LaunchError(Exception):
    """A launch that the runtime has no form for."""

    def __init__(self, problem: Problem):
        super().__init__(problem.message)
        self.problem = problem


def launch_of(call: CallLikeOp, around: Sequence[FuncOp] = ()) -> Launch:
    """What a call or submit launches, in the wrappers `around`; raises LaunchError."""
    callee = lookup_callee(call, call.callee)
    assert callee is not None, "the verifier resolves callees"
    match func_type(callee):
        case FuncType.INCORE | FuncType.AIV | FuncType.AIC:
            return Launch((callee,), call.core_num, None, call.sync_start is not None, False)
        case FuncType.GROUP:
            calls = _inner_calls(callee)
            for inner in calls:
                if inner.core_num is not None:
                    raise _error(inner, "a kernel of a group has no launch width of its own")
            kernels = [_kernel(inner) for inner in calls]
            _check_group(callee, kernels)
            return Launch(kernels, call.core_num, None, call.sync_start is not None, True)
        case FuncType.SPMD:
            if callee in around:
                chain = " -> ".join(f"'{f.sym_name.data}'" for f in (*around, callee))
                raise _error(
                    call, f"wrappers launch each other, {chain}: no kernel stands at the end"
                )
            return _spmd(call, callee, around)
        case kind:
            raise _error(
                call,
                f"'{callee.sym_name.data}' is {kind}, and an orchestration launches kernels only",
                "inline it, or launch the kernels that it calls",
            )


def _spmd(call: CallLikeOp, wrapper: FuncOp, around: Sequence[FuncOp]) -> Launch:
    calls = _inner_calls(wrapper)
    if len(calls) != 1:
        raise _error(
            wrapper,
            f"spmd function '{wrapper.sym_name.data}' makes {len(calls)} calls; a launch is one",
        )
    (inner,) = calls
    nested = launch_of(inner, (*around, wrapper))
    sync_start = nested.sync_start or call.sync_start is not None
    if nested.core_num is None:
        return Launch(
            nested.kernels, call.core_num, nested.inner_core_num, sync_start, nested.mixed
        )
    width = constant_int(nested.core_num)
    if call.core_num is not None:
        raise _error(inner, "both the launch and the call inside the wrapper state a core_num")
    if width is None:
        raise _error(inner, "the core_num of a call inside a wrapper must be a constant")
    return Launch(nested.kernels, None, width, sync_start, nested.mixed)


def _inner_calls(wrapper: FuncOp) -> Sequence[CallLikeOp]:
    name = wrapper.sym_name.data
    if wrapper.is_declaration:
        raise _error(wrapper, f"'{name}' is a declaration: which kernels it runs is not known")
    calls: list[CallLikeOp] = []
    same: dict[SSAValue, SSAValue] = {argument: argument for argument in wrapper.args}
    for op in wrapper.body.block.ops:
        if isinstance(op, CallOp | SubmitOp):
            if [same.get(a) for a in op.arguments] != list(wrapper.args):
                raise _error(
                    op,
                    f"a kernel inside '{name}' must get the wrapper's {len(wrapper.args)} "
                    "parameters, all and in order: on a card both see one argument list",
                )
            calls.append(op)
            _follow_results(op, same)
        elif not isinstance(op, ReturnOp) and not _is_harmless(op):
            raise _error(op, f"'{op.name}' has no form inside the wrapper '{name}'")
    return calls


def _follow_results(call: CallLikeOp, same: dict[SSAValue, SSAValue]) -> None:
    from xdsl_pld.templates.orchestration.aliases import returned_parameters

    callee = lookup_callee(call, call.callee)
    if callee is None:
        return
    passed = dict(zip(call.parameter_indices(callee), call.arguments, strict=True))
    for result, parameter in zip(call.callee_results, returned_parameters(callee), strict=True):
        if parameter is not None and parameter in passed and passed[parameter] in same:
            same[result] = same[passed[parameter]]


def _is_harmless(op: Operation) -> bool:
    return bool(op.results) and constant_int(op.results[0]) is not None


def _kernel(call: CallLikeOp) -> FuncOp:
    callee = lookup_callee(call, call.callee)
    assert callee is not None
    if func_type(callee) not in (FuncType.INCORE, FuncType.AIV, FuncType.AIC):
        raise _error(call, f"a group holds kernels; '{callee.sym_name.data}' is none")
    return callee


def _check_group(group: FuncOp, kernels: Sequence[FuncOp]) -> None:
    cubes = sum(func_type(k) is FuncType.AIC for k in kernels)
    vectors = len(kernels) - cubes
    if not kernels or cubes > 1 or vectors > _MOST_AIV:
        raise _error(
            group,
            f"group '{group.sym_name.data}' has {cubes} aic and {vectors} aiv kernels; a task runs "
            f"at most one and {_MOST_AIV}",
        )


def _error(place: Operation, message: str, advice: str | None = None) -> LaunchError:
    return LaunchError(Problem(place, message, advice))
