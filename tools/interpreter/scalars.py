"""
Scalars: xDSL's own `arith`, with what it lacks.

xDSL's implementations are used as they are but where an input would trip them (a division by zero,
a shift beyond the width, an operand that is no scalar) and for the ops that it has none for.
Scalars are `IntegerAttr` and `FloatAttr`, as everywhere in xDSL's interpreter. Integers wrap; a
float result is the nearest of its type.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float16Type,
    IndexType,
    IntegerType,
)
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute, Operation
from xdsl.utils.comparisons import to_signed, to_unsigned
from xdsl.utils.exceptions import InterpretationError
from xdsl.utils.hints import isa

from xdsl_pld.tools.interpreter.memory import dtype_of

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


def require_scalars(op: Operation) -> None:
    """Raises InterpretationError for an op on tensors, vectors or memory."""
    for value in (*op.operands, *op.results):
        if not isinstance(value.type, IndexType | IntegerType | AnyFloat):
            raise InterpretationError(f"pld-run knows {op.name} on scalars only")


def _binary(
    op: Operation,
    args: PythonValues,
    read: Callable[[Any], int | float],
    compute: Callable[[Any, Any], int | float],
) -> PythonValues:
    require_scalars(op)
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
_MOD = _divided(operator.mod)


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


def _extended_product(
    op: arith.MulUIExtendedOp | arith.MulSIExtendedOp,
    args: PythonValues,
    read: Callable[[Any], int],
) -> PythonValues:
    """The low and the high half of a product."""
    require_scalars(op)
    product = read(args[0]) * read(args[1])
    low, high = op.results
    return (scalar(product, low.type), scalar(product >> width_of(low.type), high.type))


@register_impls
class ScalarFunctions(ArithFunctions):
    """`arith` on scalars."""

    @impl(arith.ConstantOp)
    def run_constant(self, interpreter: Interpreter, op: arith.ConstantOp, args: PythonValues):
        if isa(op.value, DenseIntOrFPElementsAttr):
            # Tensors are buffers: each constant is one, which its user may write.
            type_ = op.value.get_element_type()
            values = np.array(op.value.get_values(), dtype_of(type_))
            return (values.reshape(op.value.get_shape()),)
        return super().run_constant(interpreter, op, args).values

    @impl(arith.AddiOp)
    def run_addi(self, interpreter: Interpreter, op: arith.AddiOp, args: PythonValues):
        return _binary(op, args, int_of, operator.add)

    @impl(arith.SubiOp)
    def run_subi(self, interpreter: Interpreter, op: arith.SubiOp, args: PythonValues):
        return _binary(op, args, int_of, operator.sub)

    @impl(arith.MuliOp)
    def run_muli(self, interpreter: Interpreter, op: arith.MuliOp, args: PythonValues):
        return _binary(op, args, int_of, operator.mul)

    @impl(arith.AndIOp)
    def run_andi(self, interpreter: Interpreter, op: arith.AndIOp, args: PythonValues):
        return _binary(op, args, int_of, lambda a, b: a & b)

    @impl(arith.OrIOp)
    def run_ori(self, interpreter: Interpreter, op: arith.OrIOp, args: PythonValues):
        return _binary(op, args, int_of, lambda a, b: a | b)

    @impl(arith.XOrIOp)
    def run_xori(self, interpreter: Interpreter, op: arith.XOrIOp, args: PythonValues):
        return _binary(op, args, int_of, lambda a, b: a ^ b)

    @impl(arith.AddUIExtendedOp)
    def run_addui_extended(
        self, interpreter: Interpreter, op: arith.AddUIExtendedOp, args: PythonValues
    ):
        require_scalars(op)
        total = unsigned_of(args[0]) + unsigned_of(args[1])
        carry = total >> width_of(op.sum.type)
        return (scalar(total, op.sum.type), scalar(carry, op.overflow.type))

    @impl(arith.MulUIExtendedOp)
    def run_mului_extended(
        self, interpreter: Interpreter, op: arith.MulUIExtendedOp, args: PythonValues
    ):
        return _extended_product(op, args, unsigned_of)

    @impl(arith.MulSIExtendedOp)
    def run_mulsi_extended(
        self, interpreter: Interpreter, op: arith.MulSIExtendedOp, args: PythonValues
    ):
        return _extended_product(op, args, int_of)

    @impl(arith.CmpiOp)
    def run_cmpi(self, interpreter: Interpreter, op: arith.CmpiOp, args: PythonValues):
        require_scalars(op)
        return super().run_cmpi(interpreter, op, args).values

    @impl(arith.CmpfOp)
    def run_cmpf(self, interpreter: Interpreter, op: arith.CmpfOp, args: PythonValues):
        require_scalars(op)
        return super().run_cmpf(interpreter, op, args).values

    @impl(arith.MaximumfOp)
    def run_maximumf(self, interpreter: Interpreter, op: arith.MaximumfOp, args: PythonValues):
        require_scalars(op)
        return super().run_maximumf(interpreter, op, args).values

    @impl(arith.MinimumfOp)
    def run_minimumf(self, interpreter: Interpreter, op: arith.MinimumfOp, args: PythonValues):
        require_scalars(op)
        return super().run_minimumf(interpreter, op, args).values

    @impl(arith.SelectOp)
    def run_select(self, interpreter: Interpreter, op: arith.SelectOp, args: PythonValues):
        if not isinstance(op.cond.type, IntegerType):
            raise InterpretationError(f"pld-run knows {op.name} with one condition only")
        return super().run_select(interpreter, op, args).values

    @impl(arith.BitcastOp)
    def run_bitcast(self, interpreter: Interpreter, op: arith.BitcastOp, args: PythonValues):
        require_scalars(op)
        from_, to = op.input.type, op.result.type
        if from_ == to:
            return args
        value = _float_of(args[0]) if isinstance(from_, AnyFloat) else int_of(args[0])
        return (scalar(np.array(value, dtype_of(from_)).view(dtype_of(to)).item(), to),)

    @impl(arith.AddfOp)
    def run_addf(self, interpreter: Interpreter, op: arith.AddfOp, args: PythonValues):
        return _binary(op, args, _float_of, operator.add)

    @impl(arith.SubfOp)
    def run_subf(self, interpreter: Interpreter, op: arith.SubfOp, args: PythonValues):
        return _binary(op, args, _float_of, operator.sub)

    @impl(arith.MulfOp)
    def run_mulf(self, interpreter: Interpreter, op: arith.MulfOp, args: PythonValues):
        return _binary(op, args, _float_of, operator.mul)

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
        require_scalars(op)
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
        require_scalars(op)
        distance, bits = unsigned_of(args[1]), width_of(op.results[0].type)
        if distance >= bits:
            raise InterpretationError(f"shift of {bits} bits by {distance}")
        return distance

    @impl(arith.ExtSIOp)
    def run_extsi(self, interpreter: Interpreter, op: arith.ExtSIOp, args: PythonValues):
        require_scalars(op)
        return (scalar(int_of(args[0]), op.result.type),)

    @impl(arith.ExtUIOp)
    def run_extui(self, interpreter: Interpreter, op: arith.ExtUIOp, args: PythonValues):
        require_scalars(op)
        return (scalar(unsigned_of(args[0]), op.result.type),)

    @impl(arith.TruncIOp)
    def run_trunci(self, interpreter: Interpreter, op: arith.TruncIOp, args: PythonValues):
        require_scalars(op)
        return (scalar(unsigned_of(args[0]), op.result.type),)

    @impl(arith.SIToFPOp)
    def run_sitofp(self, interpreter: Interpreter, op: arith.SIToFPOp, args: PythonValues):
        require_scalars(op)
        return (scalar(float(int_of(args[0])), op.result.type),)

    @impl(arith.UIToFPOp)
    def run_uitofp(self, interpreter: Interpreter, op: arith.UIToFPOp, args: PythonValues):
        require_scalars(op)
        return (scalar(float(unsigned_of(args[0])), op.result.type),)

    @impl(arith.FPToSIOp)
    def run_fptosi(self, interpreter: Interpreter, op: arith.FPToSIOp, args: PythonValues):
        require_scalars(op)
        number = _to_int(_float_of(args[0]), op.result.type, signed=True)
        return (scalar(number, op.result.type),)

    @impl(arith.FPToUIOp)
    def run_fptoui(self, interpreter: Interpreter, op: arith.FPToUIOp, args: PythonValues):
        require_scalars(op)
        number = _to_int(_float_of(args[0]), op.result.type, signed=False)
        return (scalar(number, op.result.type),)

    @impl(arith.ExtFOp)
    def run_extf(self, interpreter: Interpreter, op: arith.ExtFOp, args: PythonValues):
        require_scalars(op)
        return (scalar(_float_of(args[0]), op.result.type),)

    @impl(arith.TruncFOp)
    def run_truncf(self, interpreter: Interpreter, op: arith.TruncFOp, args: PythonValues):
        require_scalars(op)
        return (scalar(_float_of(args[0]), op.result.type),)
