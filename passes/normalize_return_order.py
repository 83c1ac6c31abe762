"""
Make each kernel return its parameters themselves, in parameter order.

A caller learns from the return which argument a result is. Written as the parameter itself, every
later pass, and the emitters, can read it off; in the order of the out and inout parameters, results
stand where the runtime has them.

Reads   the returns of kernels, wrappers and graphs; the lineage of what they return; the directions
        of kernels' parameters; who refers to a kernel.
Decides which returned values are a parameter as a whole, and which kernels return exactly their
        out and inout parameters, each once, in another order than their own.
Changes returns (they name the parameter), the result types of those kernels, and their calls and
        submits: the results stand in the new order, a submit's task id last.

Leaves orchestrations alone, and an order that is not known to be free: one with a scalar, a fresh
tensor or a tensor twice in it, and that of a kernel which an op that is no call refers to. A second
run changes nothing. Produces `return-params-explicit`.

Source: dist-tensor-ctx, Return lineage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from xdsl_pld.dialects.pl.attributes import Direction, FuncType, direction, func_type
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.passes.analysis.calls import AnyCallOp, callee_of, functions
from xdsl_pld.passes.analysis.lineage import Lineage, named_parameter, returns_of
from xdsl_pld.passes.analysis.returns import implicit_returns
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.properties import Property

_KERNELS = (FuncType.INCORE, FuncType.AIC, FuncType.AIV)


# Naming the parameters


def _name_parameters(module: ModuleOp) -> None:
    """
    Before: %r = pl.tile.store %t into %out[0, 0]    func.return %r
    After:  %r = pl.tile.store %t into %out[0, 0]    func.return %out
    """
    for found in list(implicit_returns(module, Lineage())):
        found.return_op.operands[found.position] = found.parameter


# Ordering the results


Order = Sequence[int]
"""For each result in the new order, its position in the old one."""


def _new_orders(module: ModuleOp) -> dict[FuncOp, Order]:
    """The kernels whose results are to be reordered."""
    orders: dict[FuncOp, Order] = {}
    for function in functions(module):
        if func_type(function) in _KERNELS and (order := _parameter_order(function)) is not None:
            orders[function] = order
    if orders:  # equivalent mutant: saves time
        referred = _names_outside_calls(module)
        orders = {f: order for f, order in orders.items() if f.sym_name.data not in referred}
    return orders


def _parameter_order(function: FuncOp) -> Order | None:
    """The order of the out and inout parameters, None where it is that already, or not free."""
    written = [
        index
        for index in range(len(function.function_type.inputs))
        if direction(function, index) is not Direction.IN
    ]
    returned = {
        tuple(named_parameter(function, value) for value in op.arguments)
        for op in returns_of(function)
    }
    if len(returned) != 1:
        return None
    parameters = returned.pop()
    free = len(parameters) == len(written) and {*parameters} == {*written}
    if not free or list(parameters) == written:  # equivalent mutant: saves time
        return None
    return [parameters.index(index) for index in written]


def _names_outside_calls(module: ModuleOp) -> set[str]:
    """The symbols that operations other than calls refer to: these would miss a reordering."""
    names: set[str] = set()
    for op in module.walk():
        if not isinstance(op, CallOp | SubmitOp | func.CallOp | FuncOp):
            for attribute in (*op.attributes.values(), *op.properties.values()):
                _collect_names(attribute, names)
    return names


def _collect_names(attribute: Attribute, names: set[str]) -> None:
    match attribute:
        case SymbolRefAttr():
            names.update(n.data for n in (attribute.root_reference, *attribute.nested_references))
        case ArrayAttr():
            for entry in attribute:
                _collect_names(entry, names)
        case DictionaryAttr():
            for entry in attribute.data.values():
                _collect_names(entry, names)
        case _:
            pass


def _reorder_results(function: FuncOp, order: Order) -> None:
    """
    Before: func.func @k(%a {pl.dir = "out"}, %b {pl.dir = "out"})    func.return %b, %a
    After:  func.func @k(%a {pl.dir = "out"}, %b {pl.dir = "out"})    func.return %a, %b
    """
    signature = function.function_type
    outputs = [signature.outputs.data[old] for old in order]
    function.function_type = FunctionType.from_lists(signature.inputs.data, outputs)
    if function.res_attrs is not None:
        function.res_attrs = ArrayAttr([function.res_attrs.data[old] for old in order])
    for return_op in returns_of(function):
        return_op.operands = [return_op.arguments[old] for old in order]


def _reorder_call(call: AnyCallOp, order: Order, rewriter: Rewriter) -> None:
    """
    Before: %b2, %a2, %tid = pl.submit @k(%a, %b)
    After:  %a2, %b2, %tid = pl.submit @k(%a, %b)
    """
    places = [*order, *range(len(order), len(call.results))]
    reordered = type(call).create(
        operands=call.operands,
        result_types=[call.results[old].type for old in places],
        properties=call.properties,
        attributes=call.attributes,
    )
    reordered.location = call.location
    hints = [call.results[old].name_hint for old in places]
    results = dict(zip(places, reordered.results, strict=True))
    rewriter.replace_op(call, reordered, [results[old] for old in range(len(places))])
    # The rewriter names what has no name after the first result.
    for result, hint in zip(reordered.results, hints, strict=True):
        result.name_hint = hint


def _reorder(module: ModuleOp, orders: Mapping[FuncOp, Order], rewriter: Rewriter) -> None:
    calls: list[tuple[AnyCallOp, Order]] = []
    for op in module.walk():
        if isinstance(op, CallOp | SubmitOp | func.CallOp):
            callee = callee_of(op)
            if callee is not None and callee in orders:
                calls.append((op, orders[callee]))
    for function, order in orders.items():
        _reorder_results(function, order)
    for call, order in calls:
        _reorder_call(call, order, rewriter)


@dataclass(frozen=True)
class NormalizeReturnOrderPass(PldPass):
    """
    Makes each kernel return its parameters themselves, in parameter order.

    Before: func.func @k(%a {pl.dir = "out"}, %b {pl.dir = "out"})    func.return %b, %stored_a
            %y, %x = pl.call @k(%p, %q)
    After:  func.func @k(%a {pl.dir = "out"}, %b {pl.dir = "out"})    func.return %a, %b
            %x, %y = pl.call @k(%p, %q)
    """

    name = "normalize-return-order"

    produces: ClassVar[tuple[Property, ...]] = (Property.RETURN_PARAMS_EXPLICIT,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        _name_parameters(module)
        if orders := _new_orders(module):
            _reorder(module, orders, Rewriter())
