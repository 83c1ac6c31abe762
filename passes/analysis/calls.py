"""
Calls of any kind, seen alike: `pl.call`, `pl.submit` and upstream's `func.call`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, StringAttr, i32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.symbols import lookup_callee

AnyCallOp: TypeAlias = CallOp | SubmitOp | func.CallOp


def functions(module: Operation) -> Iterator[FuncOp]:
    """All functions of the module, those of nested modules included, in text order."""
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, FuncOp):
                    yield op
                elif op.regions:
                    yield from functions(op)


def calls_in(function: FuncOp) -> Iterator[AnyCallOp]:
    """The calls in a body, in text order."""
    for op in function.body.walk():
        if isinstance(op, CallOp | SubmitOp | func.CallOp):
            yield op


def callees_first(module: Operation) -> Sequence[FuncOp]:
    """
    All functions of the module, each after those that it calls; in a recursion one of them has to
    come before its callee.
    """
    order: dict[FuncOp, None] = {}
    entered: set[FuncOp] = set()
    for function in functions(module):
        stack = [function]
        while stack:
            current = stack[-1]
            if current in entered:
                stack.pop()
                order.setdefault(current)
                continue
            entered.add(current)
            callees = map(callee_of, calls_in(current))
            stack += [callee for callee in callees if callee is not None and callee not in entered]
    return list(order)


def callee_of(call: AnyCallOp) -> FuncOp | None:
    """The function that the call names, None where there is none."""
    return lookup_callee(call, call.callee)


def callee_results(call: AnyCallOp) -> Sequence[SSAValue]:
    """The results that the callee returns, at its positions."""
    return call.results if isinstance(call, func.CallOp) else call.callee_results


def parameter_indices(call: AnyCallOp, callee: FuncOp) -> Sequence[int]:
    """The parameter that each argument is passed to."""
    if isinstance(call, func.CallOp):
        return range(len(call.arguments))
    return call.parameter_indices(callee)


def arguments_by_parameter(call: AnyCallOp, callee: FuncOp) -> Mapping[int, SSAValue]:
    """What the call passes to each parameter; an output that the runtime allocates has no entry."""
    return dict(zip(parameter_indices(call, callee), call.arguments, strict=True))


def argument_for(call: AnyCallOp, callee: FuncOp, parameter: int) -> SSAValue | None:
    """What the call passes to `parameter`, None for an output that the runtime allocates."""
    return arguments_by_parameter(call, callee).get(parameter)


def append_arguments(call: AnyCallOp, values: Sequence[SSAValue]) -> None:
    """
    Passes further scalars at the end of the argument list, in place: all else of the call stays.

    A vector of directions, where there is one, gets as many `scalar` entries.
    """
    if not values:  # equivalent mutant: saves time
        return
    arguments = len(call.arguments)
    operands = list(call.operands)
    operands[arguments:arguments] = values
    call.operands = operands
    if isinstance(call, func.CallOp):
        return
    sizes = call.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    first, *others = (int(size) for size in sizes.get_values())
    call.properties["operandSegmentSizes"] = DenseArrayBase.from_list(
        i32, [first + len(values), *others]
    )
    if call.arg_directions is not None:
        scalars = [StringAttr("scalar")] * len(values)
        call.properties["arg_directions"] = ArrayAttr([*call.arg_directions, *scalars])
