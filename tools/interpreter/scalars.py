"""
Scalars and structured control flow: xDSL's own `arith` and `scf`, with what they lack.

xDSL's implementations are used as they are but where an input would trip them (a division by zero,
a shift beyond the width, a step that is not positive) and for the ops that it has none for.
Scalars are `IntegerAttr` and `FloatAttr`, as everywhere in xDSL's interpreter.
"""

import math
from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, Float16Type, IndexType, IntegerType
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.builtin import scalar_attr
from xdsl.interpreters.scf import ScfFunctions
from xdsl.ir import Attribute, Operation
from xdsl.utils.comparisons import to_signed, to_unsigned
from xdsl.utils.exceptions import InterpretationError
from xdsl.utils.hints import isa

INDEX_BITS = 64


def width_of(type_: Attribute) -> int:
    """The bits of an integer or index type."""
    return type_.width.data if isa(type_, IntegerType) else INDEX_BITS


def int_of(value: Any) -> int:
    """The signed number that an integer scalar holds."""
    return to_signed(value.value.data, width_of(value.type))


def unsigned_of(value: Any) -> int:
    return to_unsigned(value.value.data, width_of(value.type))


def scalar(value: float, type_: Attribute) -> Any:
    """A scalar of an integer, index or float type; integers wrap."""
    if isinstance(type_, AnyFloat) and not isinstance(value, int) and math.isfinite(value):
        limit = 65520.0 if isinstance(type_, Float16Type) else math.inf
        if abs(value) >= limit:  # struct refuses what rounds to infinity
            value = math.copysign(math.inf, value)
    try:
        return scalar_attr(value, type_, INDEX_BITS)
    except OverflowError:
        return scalar_attr(math.copysign(math.inf, value), type_, INDEX_BITS)


def _is_shaped(op: Operation) -> bool:
    return not all(isinstance(r.type, IndexType | IntegerType | AnyFloat) for r in op.results)


def _require_scalars(op: Operation) -> None:
    if _is_shaped(op):
        raise InterpretationError(f"pld-run knows {op.name} on scalars only")


def _binary(
    op: Operation,
    args: PythonValues,
    read: Callable[[Any], int | float],
    compute: Callable[[Any, Any], int | float],
) -> PythonValues:
    _require_scalars(op)
    return (scalar(compute(read(args[0]), read(args[1])), op.results[0].type),)


def _divided(compute: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def divide(left: int, right: int) -> int:
        if right == 0:
            raise InterpretationError(f"division of {left} by zero")
        return compute(left, right)

    return divide


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_DIV = _divided(_truncated)
_REM = _divided(lambda left, right: left - right * _truncated(left, right))
_FLOOR = _divided(lambda left, right: left // right)
_CEIL = _divided(lambda left, right: -(-left // right))
_MOD = _divided(lambda left, right: left % right)


def _float_of(value: Any) -> float:
    return value.value.data


def _divf(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _to_int(value: float, type_: Attribute, signed: bool) -> int:
    bits = width_of(type_)
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    if not math.isfinite(value) or not low <= math.trunc(value) < high:
        raise InterpretationError(f"{value} is no number of type {type_}")
    return math.trunc(value)


def _maxnum(left: float, right: float) -> float:
    if math.isnan(left) or math.isnan(right):
        return right if math.isnan(left) else left
    return max(left, right)


def _minnum(left: float, right: float) -> float:
    if math.isnan(left) or math.isnan(right):
        return right if math.isnan(left) else left
    return min(left, right)


@register_impls
class ScalarFunctions(ArithFunctions):
    """`arith` on scalars."""

    @impl(arith.AddfOp)
    def run_addf(self, interpreter: Interpreter, op: arith.AddfOp, args: PythonValues):
        return _binary(op, args, _float_of, lambda a, b: a + b)

    @impl(arith.SubfOp)
    def run_subf(self, interpreter: Interpreter, op: arith.SubfOp, args: PythonValues):
        return _binary(op, args, _float_of, lambda a, b: a - b)

    @impl(arith.MulfOp)
    def run_mulf(self, interpreter: Interpreter, op: arith.MulfOp, args: PythonValues):
        return _binary(op, args, _float_of, lambda a, b: a * b)

    @impl(arith.DivfOp)
    def run_divf(self, interpreter: Interpreter, op: arith.DivfOp, args: PythonValues):
        return _binary(op, args, _float_of, _divf)

    @impl(arith.MaxnumfOp)
    def run_maxnumf(self, interpreter: Interpreter, op: arith.MaxnumfOp, args: PythonValues):
        return _binary(op, args, _float_of, _maxnum)

    @impl(arith.MinnumfOp)
    def run_minnumf(self, interpreter: Interpreter, op: arith.MinnumfOp, args: PythonValues):
        return _binary(op, args, _float_of, _minnum)

    @impl(arith.NegfOp)
    def run_negf(self, interpreter: Interpreter, op: arith.NegfOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(-_float_of(args[0]), op.result.type),)

    @impl(arith.DivSIOp)
    def run_divsi(self, interpreter: Interpreter, op: arith.DivSIOp, args: PythonValues):
        return _binary(op, args, int_of, _DIV)

    @impl(arith.RemSIOp)
    def run_remsi(self, interpreter: Interpreter, op: arith.RemSIOp, args: PythonValues):
        return _binary(op, args, int_of, _REM)

    @impl(arith.FloorDivSIOp)
    def run_floordivsi(self, interpreter: Interpreter, op: arith.FloorDivSIOp, args: PythonValues):
        return _binary(op, args, int_of, _FLOOR)

    @impl(arith.CeilDivSIOp)
    def run_ceildivsi(self, interpreter: Interpreter, op: arith.CeilDivSIOp, args: PythonValues):
        return _binary(op, args, int_of, _CEIL)

    @impl(arith.CeilDivUIOp)
    def run_ceildivui(self, interpreter: Interpreter, op: arith.CeilDivUIOp, args: PythonValues):
        return _binary(op, args, unsigned_of, _CEIL)

    @impl(arith.DivUIOp)
    def run_divui(self, interpreter: Interpreter, op: arith.DivUIOp, args: PythonValues):
        return _binary(op, args, unsigned_of, _FLOOR)

    @impl(arith.RemUIOp)
    def run_remui(self, interpreter: Interpreter, op: arith.RemUIOp, args: PythonValues):
        return _binary(op, args, unsigned_of, _MOD)

    @impl(arith.MaxSIOp)
    def run_maxsi(self, interpreter: Interpreter, op: arith.MaxSIOp, args: PythonValues):
        return _binary(op, args, int_of, max)

    @impl(arith.MinSIOp)
    def run_minsi(self, interpreter: Interpreter, op: arith.MinSIOp, args: PythonValues):
        return _binary(op, args, int_of, min)

    @impl(arith.MaxUIOp)
    def run_maxui(self, interpreter: Interpreter, op: arith.MaxUIOp, args: PythonValues):
        return _binary(op, args, unsigned_of, max)

    @impl(arith.MinUIOp)
    def run_minui(self, interpreter: Interpreter, op: arith.MinUIOp, args: PythonValues):
        return _binary(op, args, unsigned_of, min)

    @impl(arith.ShLIOp)
    def run_shlsi(self, interpreter: Interpreter, op: arith.ShLIOp, args: PythonValues):
        distance = self._shift(op, args)
        return (scalar(int_of(args[0]) << distance, op.result.type),)

    @impl(arith.ShRSIOp)
    def run_shrsi(self, interpreter: Interpreter, op: arith.ShRSIOp, args: PythonValues):
        distance = self._shift(op, args)
        return (scalar(int_of(args[0]) >> distance, op.result.type),)

    @impl(arith.ShRUIOp)
    def run_shrui(self, interpreter: Interpreter, op: arith.ShRUIOp, args: PythonValues):
        distance = self._shift(op, args)
        return (scalar(unsigned_of(args[0]) >> distance, op.result.type),)

    def _shift(self, op: Operation, args: PythonValues) -> int:
        _require_scalars(op)
        distance, bits = unsigned_of(args[1]), width_of(op.results[0].type)
        if distance >= bits:
            raise InterpretationError(f"shift of {bits} bits by {distance}")
        return distance

    @impl(arith.ExtSIOp)
    def run_extsi(self, interpreter: Interpreter, op: arith.ExtSIOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(int_of(args[0]), op.result.type),)

    @impl(arith.ExtUIOp)
    def run_extui(self, interpreter: Interpreter, op: arith.ExtUIOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(unsigned_of(args[0]), op.result.type),)

    @impl(arith.TruncIOp)
    def run_trunci(self, interpreter: Interpreter, op: arith.TruncIOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(unsigned_of(args[0]), op.result.type),)

    @impl(arith.SIToFPOp)
    def run_sitofp(self, interpreter: Interpreter, op: arith.SIToFPOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(float(int_of(args[0])), op.result.type),)

    @impl(arith.UIToFPOp)
    def run_uitofp(self, interpreter: Interpreter, op: arith.UIToFPOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(float(unsigned_of(args[0])), op.result.type),)

    @impl(arith.FPToSIOp)
    def run_fptosi(self, interpreter: Interpreter, op: arith.FPToSIOp, args: PythonValues):
        _require_scalars(op)
        number = _to_int(_float_of(args[0]), op.result.type, signed=True)
        return (scalar(number, op.result.type),)

    @impl(arith.FPToUIOp)
    def run_fptoui(self, interpreter: Interpreter, op: arith.FPToUIOp, args: PythonValues):
        _require_scalars(op)
        number = _to_int(_float_of(args[0]), op.result.type, signed=False)
        return (scalar(number, op.result.type),)

    @impl(arith.ExtFOp)
    def run_extf(self, interpreter: Interpreter, op: arith.ExtFOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(_float_of(args[0]), op.result.type),)

    @impl(arith.TruncFOp)
    def run_truncf(self, interpreter: Interpreter, op: arith.TruncFOp, args: PythonValues):
        _require_scalars(op)
        return (scalar(_float_of(args[0]), op.result.type),)


@register_impls
class StructuredFunctions(ScfFunctions):
    """`scf`; a loop's step must be positive."""

    @impl(scf.ForOp)
    def run_for(self, interpreter: Interpreter, op: scf.ForOp, args: PythonValues) -> PythonValues:
        lower, upper, step = (int_of(value) for value in args[:3])
        if step <= 0:
            raise InterpretationError(f"the step of a loop must be positive, not {step}")
        carried = tuple(args[3:])
        for index in range(lower, upper, step):
            counter = scalar(index, op.lb.type)
            carried = interpreter.run_ssacfg_region(op.body, (counter, *carried), "for_loop")
        return carried
