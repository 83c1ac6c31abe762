"""
Scalars: literals that take a type, casts, arithmetic, comparisons.

Source: the DSL reference, section 7.
"""

import ast
import math
from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f32,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_pld.tools.frontend.annotations import is_unsigned
from xdsl_pld.tools.frontend.body import Body, Const, Value, set_hint
from xdsl_pld.tools.frontend.constants import (
    ConstValue,
    fold_binary,
    fold_comparison,
    fold_unary,
)
from xdsl_pld.tools.frontend.source import Node, Problem

INDEX = IndexType()


def is_integer(type_: Attribute) -> bool:
    return isinstance(type_, IntegerType | IndexType)


def is_float(type_: Attribute) -> bool:
    return isinstance(type_, AnyFloat)


def is_scalar(type_: Attribute) -> bool:
    return is_integer(type_) or is_float(type_)


def default_type(value: ConstValue) -> Attribute | None:
    """The type of a literal where nothing else gives it one."""
    if isinstance(value, bool):
        return i1
    if isinstance(value, int):
        return INDEX
    return f32 if isinstance(value, float) else None


def width(type_: Attribute) -> int:
    """The bits of an integer type; an index has 64."""
    return type_.width.data if isa(type_, IntegerType) else 64


# Making values


def literal(value: float, type_: Attribute, node: Node) -> IntegerAttr | FloatAttr:
    """A literal as an attribute of a type; a Problem where it does not fit."""
    if isa(type_, IntegerType) or isa(type_, IndexType):
        if isinstance(value, float):
            raise Problem(node, f"a float is no {type_}: write pl.cast(...)")
        bits = width(type_)
        if is_unsigned(type_):
            raise Problem(node, f"{type_} is for elements of tensors, not for scalars")
        if bits == 1 and value not in (0, 1):
            raise Problem(node, f"{value} is no i1")
        if bits > 1 and not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise Problem(node, f"{value} does not fit into {type_}")
        return IntegerAttr(-1 if bits == 1 and value else int(value), type_)
    if isinstance(type_, AnyFloat):
        if isinstance(value, bool):
            raise Problem(node, f"a bool is no {type_}")
        attribute = FloatAttr(float(value), type_)
        if not math.isfinite(attribute.value.data):  # rounded to infinity
            raise Problem(node, f"{value} does not fit into {type_}")
        return attribute
    raise Problem(node, f"a number is no {type_}")


def constant(body: Body, value: float, type_: Attribute, node: Node) -> SSAValue:
    """The op of a literal in a type; a Problem where it does not fit."""
    result = body.emit(arith.ConstantOp(literal(value, type_, node)), node).result
    if is_integer(type_) and width(type_) > 1 and value >= 0:
        suffix = "" if isinstance(type_, IndexType) else f"_{type_}"
        set_hint(result, f"c{int(value)}{suffix}")
    return result


def as_ssa(body: Body, value: Value, node: Node, wanted: Attribute | None = None) -> SSAValue:
    """The SSA value of `value`; a literal takes the type `wanted`, or its own."""
    if isinstance(value, SSAValue):
        return value
    if isinstance(value, Const):
        type_ = value.type or wanted or default_type(value.value)
        if isinstance(value.value, int | float) and type_ is not None:
            return constant(body, value.value, type_, node)
        raise Problem(node, "this constant is no value of the program")
    raise Problem(node, "a value is needed here, not a tuple or an array")


def as_scalar(body: Body, value: Value, type_: Attribute, what: str, node: Node) -> SSAValue:
    """`value` in the scalar type that its position fixes; another integer type is cast."""
    if isinstance(value, Const) and not isinstance(value.value, int | float):
        raise Problem(node, f"{what} must be a scalar")
    if isinstance(value, Const) and value.type in (None, type_):
        return constant(body, number(value.value, node), type_, node)
    ssa = as_ssa(body, value, node, type_)
    if ssa.type == type_:
        return ssa
    if is_integer(ssa.type) and is_integer(type_):
        return cast_integer(body, ssa, type_, node)
    if is_scalar(ssa.type):
        raise Problem(node, f"{what} must be {type_}, not {ssa.type}: write pl.cast(...)")
    raise Problem(node, f"{what} must be a scalar, not {ssa.type}")


def number(value: ConstValue, node: Node) -> int | float:
    if isinstance(value, int | float):
        return value
    raise Problem(node, "a number is needed here")


def cast_integer(body: Body, value: SSAValue, type_: Attribute, node: Node) -> SSAValue:
    """A signed conversion between integer types; i1 and UINT are no numbers."""
    for side in (value.type, type_):
        if side == i1 or is_unsigned(side):
            raise Problem(node, f"{value.type} does not convert to {type_}")
    if isinstance(value.type, IndexType) or isinstance(type_, IndexType):
        op: Operation = arith.IndexCastOp(value, type_)
    elif width(value.type) < width(type_):
        assert isa(type_, IntegerType)
        op = arith.ExtSIOp(value, type_)
    else:
        assert isa(type_, IntegerType)
        op = arith.TruncIOp(value, type_)
    return body.emit(op, node).results[0]


# Arithmetic

_INTEGER_OPS: Mapping[type[ast.operator], Callable[[SSAValue, SSAValue], Operation]] = {
    ast.Add: arith.AddiOp,
    ast.Sub: arith.SubiOp,
    ast.Mult: arith.MuliOp,
    ast.FloorDiv: arith.DivSIOp,
    ast.Mod: arith.RemSIOp,
    ast.LShift: arith.ShLIOp,
    ast.RShift: arith.ShRSIOp,
}
_FLOAT_OPS: Mapping[type[ast.operator], Callable[[SSAValue, SSAValue], Operation]] = {
    ast.Add: arith.AddfOp,
    ast.Sub: arith.SubfOp,
    ast.Mult: arith.MulfOp,
    ast.Div: arith.DivfOp,
}
_REFUSED_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_PREDICATES: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}


def refuse_operator(op: ast.operator, node: Node) -> None:
    """Raises a Problem for an operator that the DSL does not have on values."""
    if (sign := _REFUSED_OPERATORS.get(type(op))) is not None:
        hint = ": use 'and' / 'or' on conditions" if sign in "&|" else ""
        raise Problem(node, f"the operator '{sign}' is not supported{hint}")


def unify(body: Body, left: Value, right: Value, node: ast.expr) -> tuple[SSAValue, SSAValue]:
    """Two scalars in one type: a literal takes its partner's, integers meet in the wider."""
    typed = next((v for v in (left, right) if not (isinstance(v, Const) and v.type is None)), None)
    wanted: Attribute | None = None
    if isinstance(typed, SSAValue):
        wanted = typed.type
    elif isinstance(typed, Const):
        wanted = typed.type
    elif isinstance(left, Const) and isinstance(right, Const):
        wanted = f32 if float in (type(left.value), type(right.value)) else None
    place, other = _operands(node)
    a, b = as_ssa(body, left, place, wanted), as_ssa(body, right, other, wanted)
    for side in (a, b):
        if not is_scalar(side.type):
            raise Problem(node, f"a scalar is needed here, not {side.type}")
        if is_unsigned(side.type):
            raise Problem(node, f"{side.type} has no arithmetic here: read it as a signed type")
    if a.type == b.type:
        return a, b
    if is_integer(a.type) and is_integer(b.type):
        target = a.type if _rank(a.type) > _rank(b.type) else b.type
        a = a if a.type == target else cast_integer(body, a, target, place)
        b = b if b.type == target else cast_integer(body, b, target, other)
        return a, b
    raise Problem(node, f"{a.type} and {b.type} do not mix: write pl.cast(...)")


def _operands(node: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Where the two operands of an operation stand."""
    match node:
        case ast.BinOp(left=left, right=right):
            return left, right
        case ast.Compare(left=left, comparators=[right]):
            return left, right
        case ast.Call(args=[left, right]):
            return left, right
        case _:
            return node, node


def _rank(type_: Attribute) -> int:
    return 65 if isinstance(type_, IndexType) else width(type_)


def binary(body: Body, op: ast.operator, left: Value, right: Value, node: ast.expr) -> Value:
    """`left op right` on scalars; two constants are folded."""
    if isinstance(left, Const) and isinstance(right, Const):
        folded = fold_binary(op, left.value, right.value, node)
        return Const(folded, left.type or right.type)
    refuse_operator(op, node)
    if isinstance(op, ast.FloorDiv | ast.Mod) and isinstance(left, Const):
        if isinstance(left.value, int) and left.value < 0:
            sign = "//" if isinstance(op, ast.FloorDiv) else "%"
            raise Problem(
                node,
                f"'{sign}' of a negative constant: Python rounds down, the kernel towards zero",
            )
    if isinstance(op, ast.FloorDiv | ast.Mod | ast.Div) and isinstance(right, Const):
        if right.value == 0:
            raise Problem(node, "division by zero")
    a, b = unify(body, left, right, node)
    if a.type == i1:
        raise Problem(node, "arithmetic needs numbers, not conditions")
    table = _FLOAT_OPS if is_float(a.type) else _INTEGER_OPS
    make = table.get(type(op))
    if make is None:
        if isinstance(op, ast.Div):
            raise Problem(node, f"'/' is for floats; on {a.type} write '//'")
        raise Problem(node, f"this operator is not supported on {a.type}")
    return body.emit(make(a, b), node).results[0]


def unary(body: Body, op: ast.unaryop, value: Value, node: ast.expr) -> Value:
    """A sign, `~` or `not`."""
    if isinstance(value, Const):
        return Const(fold_unary(op, value.value, node), value.type)
    ssa = as_ssa(body, value, node)
    if not is_scalar(ssa.type) or is_unsigned(ssa.type):
        raise Problem(node, f"this operator needs a scalar, not {ssa.type}")
    match op:
        case ast.UAdd():
            return ssa
        case ast.USub() if is_float(ssa.type):
            return body.emit(arith.NegfOp(ssa), node).result
        case ast.USub() if ssa.type != i1:
            zero = constant(body, 0, ssa.type, node)
            return body.emit(arith.SubiOp(zero, ssa), node).result
        case ast.Invert() if is_integer(ssa.type) and ssa.type != i1:
            ones = constant(body, -1, ssa.type, node)
            return body.emit(arith.XOrIOp(ssa, ones), node).result
        case ast.Not() if ssa.type == i1:
            true = constant(body, 1, i1, node)
            return body.emit(arith.XOrIOp(ssa, true), node).result
        case ast.Not():
            raise Problem(node, f"'not' needs a condition (i1), not {ssa.type}")
        case _:
            raise Problem(node, f"this operator is not supported on {ssa.type}")


def compare(body: Body, op: ast.cmpop, left: Value, right: Value, node: ast.expr) -> Value:
    """One comparison; signed on integers, ordered on floats."""
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(fold_comparison(op, left.value, right.value, node))
    predicates = _PREDICATES[type(op)]
    a, b = unify(body, left, right, node)
    if is_float(a.type):
        return body.emit(arith.CmpfOp(a, b, predicates[1]), node).result
    return body.emit(arith.CmpiOp(a, b, predicates[0]), node).result


def condition(body: Body, value: Value, node: ast.expr) -> SSAValue | bool:
    """The condition of an `if` or `while`: an i1, or a constant's truth."""
    if isinstance(value, Const):
        if value.type not in (None, i1):
            raise Problem(node, f"a condition must be i1, not {value.type}: compare it")
        return bool(value.value)
    ssa = as_ssa(body, value, node)
    if ssa.type != i1:
        hint = ": compare it with something" if is_scalar(ssa.type) else ""
        raise Problem(node, f"a condition must be i1, not {ssa.type}{hint}")
    return ssa


def bool_op(body: Body, op: ast.boolop, left: Value, right: Value, node: ast.expr) -> Value:
    """`and`, `or` of two conditions, both computed."""
    if isinstance(left, Const) and isinstance(right, Const):
        both = bool(left.value) and bool(right.value)
        either = bool(left.value) or bool(right.value)
        return Const(both if isinstance(op, ast.And) else either)
    a, b = as_ssa(body, left, node, i1), as_ssa(body, right, node, i1)
    for side in (a, b):
        if side.type != i1:
            raise Problem(node, f"'and' and 'or' need conditions (i1), not {side.type}")
    make = arith.AndIOp if isinstance(op, ast.And) else arith.OrIOp
    return body.emit(make(a, b), node).results[0]


def extremum(body: Body, larger: bool, left: Value, right: Value, node: ast.expr) -> Value:
    """`pl.max` or `pl.min` of two scalars."""
    if isinstance(left, Const) and isinstance(right, Const):
        values = number(left.value, node), number(right.value, node)
        return Const(max(values) if larger else min(values), left.type or right.type)
    a, b = unify(body, left, right, node)
    if is_float(a.type):
        op: Operation = arith.MaximumfOp(a, b) if larger else arith.MinimumfOp(a, b)
    else:
        op = arith.MaxSIOp(a, b) if larger else arith.MinSIOp(a, b)
    return body.emit(op, node).results[0]


def cast(body: Body, value: Value, type_: Attribute, node: ast.expr) -> Value:
    """`pl.cast` of a scalar."""
    if is_unsigned(type_):
        raise Problem(node, f"{type_} is for elements of tensors, not for scalars")
    if isinstance(value, Const):
        original = number(value.value, node)
        if is_float(type_):
            return Const(float(original), type_)
        if type_ == i1 and not isinstance(original, bool):
            raise Problem(node, "a bool from a number: compare it with 0")
        return Const(int(original), type_)
    ssa = as_ssa(body, value, node)
    if ssa.type == type_:
        return ssa
    if type_ == i1:
        raise Problem(node, f"a bool from {ssa.type}: compare it with 0")
    if not is_scalar(ssa.type) or not is_scalar(type_):
        raise Problem(node, f"{ssa.type} does not convert to {type_}")
    if is_integer(ssa.type) and is_integer(type_):
        return cast_integer(body, ssa, type_, node)
    return body.emit(_float_cast(body, ssa, type_, node), node).results[0]


def _float_cast(body: Body, value: SSAValue, type_: Attribute, node: ast.expr) -> Operation:
    """The op between a float type and another scalar type; index goes through i64."""
    from xdsl.dialects.builtin import i64

    if isinstance(value.type, IndexType):
        value = cast_integer(body, value, i64, node)
    if is_integer(value.type):
        assert isinstance(type_, AnyFloat)
        return arith.SIToFPOp(value, type_)
    if isinstance(type_, IndexType):
        return arith.IndexCastOp(body.emit(arith.FPToSIOp(value, i64), node).result, type_)
    if isa(type_, IntegerType):
        return arith.FPToSIOp(value, type_)
    assert isinstance(value.type, AnyFloat)
    assert isinstance(type_, AnyFloat)
    if value.type.bitwidth < type_.bitwidth:
        return arith.ExtFOp(value, type_)
    if value.type.bitwidth == type_.bitwidth:
        raise Problem(node, f"{value.type} does not convert to {type_} in one step")
    return arith.TruncFOp(value, type_)
