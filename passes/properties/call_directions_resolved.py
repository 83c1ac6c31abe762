"""
`call-directions-resolved`: each call and submit says for every argument what its task does with it,
and says nothing that its callee's parameters contradict.

Source: neighbours, derive-call-directions.
"""

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from xdsl_pld.dialects.pl.attributes import Direction, direction
from xdsl_pld.dialects.pl.call import CallLikeOp, call_like_ops
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.passes.analysis.calls import callee_of, functions
from xdsl_pld.passes.diagnostics import Finding

_ALLOWED = {
    Direction.IN: ("input", "no_dep"),
    Direction.INOUT: ("inout", "output_existing", "no_dep"),
    Direction.OUT: ("output", "output_existing", "inout", "no_dep"),
}


def violations(module: ModuleOp) -> list[Finding]:
    """Missing vectors, and entries that do not fit the argument or the callee's parameter."""
    return [
        finding
        for function in functions(module)
        for call in call_like_ops(function)
        for finding in _of_call(call)
    ]


def _of_call(call: CallLikeOp) -> Iterator[Finding]:
    if not call.arguments or (callee := callee_of(call)) is None:
        return
    if call.arg_directions is None:
        yield Finding(call, f"this call of {call.callee} has no directions for its arguments")
    else:
        yield from misfits(call, call.arg_directions, callee, direction)


def misfits(
    call: CallLikeOp,
    vector: ArrayAttr[StringAttr],
    callee: FuncOp,
    direction_of: Callable[[FuncOp, int], Direction],
) -> Iterator[Finding]:
    """The entries of a vector that do not fit, `direction_of` telling those of parameters."""
    for index, parameter in enumerate(call.parameter_indices(callee)):
        entry, type_ = vector.data[index].data, call.arguments[index].type
        if not is_tensor_like(type_):
            if entry != "scalar":
                yield Finding(
                    call,
                    f"argument {index} of {call.callee} is '{entry}', but one of type {type_} is "
                    "'scalar'",
                )
            continue
        declared = direction_of(callee, parameter)
        allowed = _ALLOWED[declared]
        if entry not in allowed:
            choices = " or ".join(f"'{choice}'" for choice in allowed)
            yield Finding(
                call,
                f"argument {index} of {call.callee} is '{entry}', but parameter {parameter} is "
                f"{declared}: it may be {choices}",
            )
