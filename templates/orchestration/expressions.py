"""
`arith` as C++ expressions.

An `index` is an `int64_t`, and its arithmetic plain C++: one that overflows 64 bits addresses
nothing anyway. Other integers wrap, as `arith` says, by way of `uint64_t`. Operands are names or
literals, so no expression needs brackets around them.
"""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

_INT32_MAX = 2**31 - 1
_INT64_MIN = -(2**63)
_UNSIGNED_COMPARISONS = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
_SIGNED_COMPARISONS = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_ORDERED_COMPARISONS = {"oeq": "==", "ogt": ">", "oge": ">=", "olt": "<", "ole": "<="}
_NEGATED_COMPARISONS = {"une": "==", "ule": ">", "ult": ">=", "uge": "<", "ugt": "<="}


class NoFormError(Exception):
    """What has no C++ expression, and why."""


def scalar_type(type_: Attribute) -> str | None:
    """The C++ type of a scalar, None where there is none."""
    width = _width(type_)
    if isinstance(type_, IndexType):
        return "int64_t"
    if isinstance(type_, IntegerType):
        if width == 1:
            return "bool"
        return f"int{width}_t" if width in (8, 16, 32, 64) else None
    if isinstance(type_, Float32Type):
        return "float"
    return "double" if isinstance(type_, Float64Type) else None


def _width(type_: Attribute) -> int:
    return type_.bitwidth if isinstance(type_, IntegerType) else 64


def unsigned_type(type_: Attribute) -> str:
    name = required_type(type_)
    return "uint8_t" if name == "bool" else f"u{name}"


def required_type(type_: Attribute) -> str:
    if (name := scalar_type(type_)) is None:
        raise NoFormError(f"a scalar of type {type_} has no C++ type here")
    return name


def literal(value: Attribute) -> str:
    """A constant as C++."""
    if isa(value, IntegerAttr):
        required_type(value.type)
        if isinstance(value.type, IntegerType) and _width(value.type) == 1:
            return "true" if value.value.data else "false"
        return integer(value.value.data)
    if isa(value, FloatAttr):
        name = required_type(value.type)
        number = value.value.data
        if number != number or number in (float("inf"), float("-inf")):
            raise NoFormError(f"the constant {number} has no C++ literal")
        text = repr(number)
        text = text if "." in text or "e" in text else f"{text}.0"
        text = f"{text}f" if name == "float" else text
        return f"({text})" if text.startswith("-") else text
    raise NoFormError(f"the constant {value} has no C++ literal")


def integer(value: int) -> str:
    if value == _INT64_MIN:
        return f"({_INT64_MIN + 1}LL - 1)"
    text = str(value) if abs(value) <= _INT32_MAX else f"{value}LL"
    return f"({text})" if value < 0 else text


def expression(op: Operation, operands: Sequence[str]) -> str:
    """
    The value of an `arith` operation, given the names or literals of its operands.

    Raises NoFormError for what has none.
    """
    form = _FORMS.get(type(op))
    if form is None:
        raise NoFormError(f"'{op.name}' has no form in an orchestration")
    required_type(op.results[0].type)
    for operand in op.operands:
        required_type(operand.type)
    return form(op, operands)


_Form = Callable[[Operation, Sequence[str]], str]


def _is_bool(op: Operation) -> bool:
    return scalar_type(op.operands[0].type) == "bool"


def _wrapping(sign: str, as_bool: str) -> _Form:
    def form(op: Operation, x: Sequence[str]) -> str:
        type_ = op.results[0].type
        if _is_bool(op):
            return f"{x[0]} {as_bool} {x[1]}"
        if isinstance(type_, IndexType):
            return f"{x[0]} {sign} {x[1]}"
        wide = f"static_cast<uint64_t>({x[0]}) {sign} static_cast<uint64_t>({x[1]})"
        return f"static_cast<{required_type(type_)}>({wide})"

    return form


def _bitwise(sign: str, as_bool: str) -> _Form:
    def form(op: Operation, x: Sequence[str]) -> str:
        if _is_bool(op):
            return f"{x[0]} {as_bool} {x[1]}"
        return f"static_cast<{required_type(op.results[0].type)}>({x[0]} {sign} {x[1]})"

    return form


def _integers(template: str, *, unsigned: bool = False, divides: bool = False) -> _Form:
    """A form over {a} and {b}, in the type or its unsigned twin."""

    def form(op: Operation, x: Sequence[str]) -> str:
        if _is_bool(op):
            raise NoFormError(f"'{op.name}' on i1 has no form in an orchestration")
        if divides and x[1] == "0":
            raise NoFormError(f"'{op.name}' divides by the constant 0")
        type_ = op.results[0].type
        a, b = x
        if unsigned:
            a, b = (f"static_cast<{unsigned_type(type_)}>({each})" for each in x)
        text = template.format(a=a, b=b)
        plain = isinstance(type_, IndexType) and not unsigned
        return text if plain else f"static_cast<{required_type(type_)}>({text})"

    return form


def _shift(sign: str, *, unsigned: bool) -> _Form:
    def form(op: Operation, x: Sequence[str]) -> str:
        type_ = op.results[0].type
        if _is_bool(op):
            raise NoFormError(f"'{op.name}' on i1 has no form in an orchestration")
        width = _width(type_)
        if (x[1].isdigit() and int(x[1]) >= width) or x[1].startswith("("):
            raise NoFormError(f"'{op.name}' shifts {width} bits by {x[1]}")
        a = x[0]
        if sign == "<<":
            a = f"static_cast<uint64_t>({a})"
        elif unsigned:
            a = f"static_cast<{unsigned_type(type_)}>({a})"
        return f"static_cast<{required_type(type_)}>({a} {sign} {x[1]})"

    return form


def _cmpi(op: Operation, x: Sequence[str]) -> str:
    assert isinstance(op, arith.CmpiOp)
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if (sign := _SIGNED_COMPARISONS.get(predicate)) is not None:
        if _is_bool(op) and predicate not in ("eq", "ne"):
            raise NoFormError(f"'arith.cmpi' {predicate} on i1 has no form in an orchestration")
        return f"{x[0]} {sign} {x[1]}"
    # Comparisons with 0 whose answer is known draw a warning.
    if x[1] == "0" and predicate in ("ult", "uge"):
        return "false" if predicate == "ult" else "true"
    if x[0] == "0" and predicate in ("ugt", "ule"):
        return "false" if predicate == "ugt" else "true"
    unsigned = unsigned_type(op.lhs.type)
    a, b = (f"static_cast<{unsigned}>({each})" for each in x)
    return f"{a} {_UNSIGNED_COMPARISONS[predicate]} {b}"


def _cmpf(op: Operation, x: Sequence[str]) -> str:
    assert isinstance(op, arith.CmpfOp)
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    a, b = x
    if predicate in ("true", "false"):
        return predicate
    if (sign := _ORDERED_COMPARISONS.get(predicate)) is not None:
        return f"{a} {sign} {b}"
    if (sign := _NEGATED_COMPARISONS.get(predicate)) is not None:
        return f"!({a} {sign} {b})"
    return {
        "one": f"{a} < {b} || {a} > {b}",
        "ueq": f"!({a} < {b} || {a} > {b})",
        "ord": f"!__builtin_isunordered({a}, {b})",
        "uno": f"__builtin_isunordered({a}, {b})",
    }[predicate]


def _select(op: Operation, x: Sequence[str]) -> str:
    return f"{x[0]} ? {x[1]} : {x[2]}"


def _cast(op: Operation, x: Sequence[str]) -> str:
    """Between signed integers, and between integers and floats: what static_cast does."""
    if _is_bool(op):
        return f"{x[0]} ? -1 : 0"
    name = required_type(op.results[0].type)
    if name == "bool":
        return f"({x[0]} & 1) != 0"
    return f"static_cast<{name}>({x[0]})"


def _extui(op: Operation, x: Sequence[str]) -> str:
    if _is_bool(op):
        return f"{x[0]} ? 1 : 0"
    unsigned = unsigned_type(op.operands[0].type)
    return f"static_cast<{required_type(op.results[0].type)}>(static_cast<{unsigned}>({x[0]}))"


def _float_to_integer(op: Operation, x: Sequence[str]) -> str:
    name = required_type(op.results[0].type)
    if name == "bool":
        raise NoFormError(f"'{op.name}' to i1 has no form in an orchestration")
    return f"static_cast<{name}>({x[0]})"


def _float_binary(sign: str) -> _Form:
    def form(op: Operation, x: Sequence[str]) -> str:
        return f"{x[0]} {sign} {x[1]}"

    return form


def _negf(op: Operation, x: Sequence[str]) -> str:
    return f"-{x[0]}"


_FORMS: Mapping[type[Operation], _Form] = {
    arith.AddiOp: _wrapping("+", "!="),
    arith.SubiOp: _wrapping("-", "!="),
    arith.MuliOp: _wrapping("*", "&&"),
    arith.AndIOp: _bitwise("&", "&&"),
    arith.OrIOp: _bitwise("|", "||"),
    arith.XOrIOp: _bitwise("^", "!="),
    arith.DivSIOp: _integers("{a} / {b}", divides=True),
    arith.RemSIOp: _integers("{a} % {b}", divides=True),
    arith.FloorDivSIOp: _integers(
        "{a} / {b} - ({a} % {b} != 0 && ({a} < 0) != ({b} < 0) ? 1 : 0)", divides=True
    ),
    arith.CeilDivSIOp: _integers(
        "{a} / {b} + ({a} % {b} != 0 && ({a} < 0) == ({b} < 0) ? 1 : 0)", divides=True
    ),
    arith.DivUIOp: _integers("{a} / {b}", unsigned=True, divides=True),
    arith.RemUIOp: _integers("{a} % {b}", unsigned=True, divides=True),
    arith.CeilDivUIOp: _integers(
        "{a} / {b} + ({a} % {b} != 0 ? 1 : 0)", unsigned=True, divides=True
    ),
    arith.MinSIOp: _integers("{a} < {b} ? {a} : {b}"),
    arith.MaxSIOp: _integers("{a} > {b} ? {a} : {b}"),
    arith.MinUIOp: _integers("{a} < {b} ? {a} : {b}", unsigned=True),
    arith.MaxUIOp: _integers("{a} > {b} ? {a} : {b}", unsigned=True),
    arith.ShLIOp: _shift("<<", unsigned=True),
    arith.ShRUIOp: _shift(">>", unsigned=True),
    arith.ShRSIOp: _shift(">>", unsigned=False),
    arith.CmpiOp: _cmpi,
    arith.CmpfOp: _cmpf,
    arith.SelectOp: _select,
    arith.IndexCastOp: _cast,
    arith.ExtSIOp: _cast,
    arith.ExtUIOp: _extui,
    arith.TruncIOp: _cast,
    arith.SIToFPOp: _cast,
    arith.FPToSIOp: _float_to_integer,
    arith.ExtFOp: _cast,
    arith.TruncFOp: _cast,
    arith.AddfOp: _float_binary("+"),
    arith.SubfOp: _float_binary("-"),
    arith.MulfOp: _float_binary("*"),
    arith.DivfOp: _float_binary("/"),
    arith.NegfOp: _negf,
}
