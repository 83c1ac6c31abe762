"""
`pl.arith.*`: the scalar ops of lowered programs that no operator of the DSL stands for.

The DSL has no bitwise `&`, no unsigned division, and `not x` brings its constant along, while a
pass may have put one constant for many. `pld-python` writes these, nobody has to. Source: ours.
"""

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from xdsl_pld.tools.frontend.arguments import OpCall, table
from xdsl_pld.tools.frontend.body import Value
from xdsl_pld.tools.frontend.scalars import as_ssa, is_integer, unify
from xdsl_pld.tools.frontend.source import Problem

BINARY: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "andi": arith.AndIOp,
    "ori": arith.OrIOp,
    "xori": arith.XOrIOp,
    "shrui": arith.ShRUIOp,
    "divui": arith.DivUIOp,
    "remui": arith.RemUIOp,
    "ceildivui": arith.CeilDivUIOp,
    "ceildivsi": arith.CeilDivSIOp,
    "floordivsi": arith.FloorDivSIOp,
    "minui": arith.MinUIOp,
    "maxui": arith.MaxUIOp,
}
UNSIGNED = ("ult", "ule", "ugt", "uge")
"""The predicates of integers that are no comparison of the DSL, in the order of `arith`, from 6."""


def _operands(call: OpCall, left: str, right: str) -> tuple[SSAValue, SSAValue]:
    return unify(call.body, call.value(left), call.value(right), call.node)


def _binary(name: str) -> Callable[[OpCall], Value]:
    def build(call: OpCall) -> Value:
        a, b = _operands(call, "a", "b")
        if not is_integer(a.type):
            raise Problem(call.node, f"{call.op.path} is for integers, not for {a.type}")
        return call.emit(BINARY[name](a, b)).results[0]

    return build


def _compare(name: str) -> Callable[[OpCall], Value]:
    def build(call: OpCall) -> Value:
        a, b = _operands(call, "a", "b")
        if not is_integer(a.type):
            raise Problem(call.node, f"{call.op.path} is for integers, not for {a.type}")
        return call.emit(arith.CmpiOp(a, b, name)).result

    return build


def _select(call: OpCall) -> Value:
    condition = as_ssa(call.body, call.value("c"), call.place("c"), i1)
    if condition.type != i1:
        raise Problem(call.place("c"), f"a condition must be i1, not {condition.type}")
    a, b = _operands(call, "a", "b")
    return call.emit(arith.SelectOp(condition, a, b)).result


TABLE = table(
    *((f"pl.arith.{name}", "a:any b:any", _binary(name)) for name in BINARY),
    *((f"pl.arith.{name}", "a:any b:any", _compare(name)) for name in UNSIGNED),
    ("pl.arith.select", "c:any a:any b:any", _select),
)
