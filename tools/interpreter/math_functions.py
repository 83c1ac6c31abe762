"""
`math` on scalars.

Floats are computed by numpy in 64 bits, then rounded to the type; outside of a function's domain
the result is NaN or infinite, as IEEE 754 says. Integers wrap. `math.fma` and `math.erf` are not
here: the one rounds once, which this would not, the other numpy does not have.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import math
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.interpreter import InterpreterFunctions as Functions
from xdsl.ir import Operation
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.tools.interpreter.scalars import (
    int_of,
    require_scalars,
    scalar,
    unsigned_of,
    width_of,
)


def _away_from_zero(value: float) -> float:
    """The nearest whole number, halves away from zero."""
    whole = np.trunc(value)
    return whole + np.copysign(float(abs(value - whole) >= 0.5), value)


def _rsqrt(value: float) -> float:
    return 1.0 / np.sqrt(value)


_Function: TypeAlias = Callable[..., Any]
_FLOATS = cast(
    Mapping[type[Operation], _Function],
    {
        math.AbsFOp: np.fabs,
        math.AcosOp: np.arccos,
        math.AcoshOp: np.arccosh,
        math.AsinOp: np.arcsin,
        math.AsinhOp: np.arcsinh,
        math.AtanOp: np.arctan,
        math.AtanhOp: np.arctanh,
        math.Atan2Op: np.arctan2,
        math.CbrtOp: np.cbrt,
        math.CeilOp: np.ceil,
        math.CopySignOp: np.copysign,
        math.CosOp: np.cos,
        math.CoshOp: np.cosh,
        math.Exp2Op: np.exp2,
        math.ExpM1Op: np.expm1,
        math.ExpOp: np.exp,
        math.FloorOp: np.floor,
        math.Log10Op: np.log10,
        math.Log1pOp: np.log1p,
        math.Log2Op: np.log2,
        math.LogOp: np.log,
        math.PowFOp: np.power,
        math.RoundEvenOp: np.rint,
        math.RoundOp: _away_from_zero,
        math.RsqrtOp: _rsqrt,
        math.SinOp: np.sin,
        math.SinhOp: np.sinh,
        math.SqrtOp: np.sqrt,
        math.TanOp: np.tan,
        math.TanhOp: np.tanh,
        math.TruncOp: np.trunc,
    },
)


@register_impls
class MathFunctions(Functions):
    """`math`: the functions of floats by table, those of integers one by one."""

    @impl(math.AbsIOp)
    def run_absi(self, interpreter: Interpreter, op: math.AbsIOp, args: PythonValues):
        require_scalars(op)
        return (scalar(abs(int_of(args[0])), op.result.type),)

    @impl(math.CountLeadingZerosOp)
    def run_ctlz(self, interpreter: Interpreter, op: math.CountLeadingZerosOp, args: PythonValues):
        require_scalars(op)
        used = unsigned_of(args[0]).bit_length()
        return (scalar(width_of(op.result.type) - used, op.result.type),)

    @impl(math.CountTrailingZerosOp)
    def run_cttz(self, interpreter: Interpreter, op: math.CountTrailingZerosOp, args: PythonValues):
        require_scalars(op)
        bits = unsigned_of(args[0])
        zeros = (bits & -bits).bit_length() - 1 if bits else width_of(op.result.type)
        return (scalar(zeros, op.result.type),)

    @impl(math.CtPopOp)
    def run_ctpop(self, interpreter: Interpreter, op: math.CtPopOp, args: PythonValues):
        require_scalars(op)
        return (scalar(unsigned_of(args[0]).bit_count(), op.result.type),)

    @impl(math.IPowIOp)
    def run_ipowi(self, interpreter: Interpreter, op: math.IPowIOp, args: PythonValues):
        require_scalars(op)
        base, exponent = int_of(args[0]), int_of(args[1])
        if exponent < 0 and base == 0:
            raise InterpretationError(f"0 to the power of {exponent}")
        if exponent < 0:  # a fraction, towards zero
            power = base ** -(-exponent % 2) if base in (1, -1) else 0
            return (scalar(int(power), op.result.type),)
        return (scalar(pow(base, exponent, 1 << width_of(op.result.type)), op.result.type),)

    @impl(math.FPowIOp)
    def run_fpowi(self, interpreter: Interpreter, op: math.FPowIOp, args: PythonValues):
        require_scalars(op)
        power = np.power(np.float64(args[0].value.data), np.float64(int_of(args[1])))
        return (scalar(float(power), op.result.type),)


def _of_floats(type_: type[Operation], compute: _Function) -> Callable[..., PythonValues]:
    @impl(type_)
    def run(
        self: Functions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        require_scalars(op)
        result = compute(*(np.float64(value.value.data) for value in args))
        return (scalar(float(result), op.results[0].type),)

    return run


for _type, _compute in _FLOATS.items():
    setattr(MathFunctions, f"run_{_type.name}", _of_floats(_type, _compute))
register_impls(MathFunctions)
