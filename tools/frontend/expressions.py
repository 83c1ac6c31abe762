"""
Expressions: one function a kind of syntax node.

Source: the DSL reference, sections 6 and 7.
"""

import ast
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.tools.frontend.body import Body, Const, Value
from xdsl_pld.tools.frontend.calls import no_result, read_call, read_submit, read_task_dummy
from xdsl_pld.tools.frontend.constants import CONSTANT_FUNCTIONS, DType, Dynamic, in_range
from xdsl_pld.tools.frontend.indexing import read_subscript
from xdsl_pld.tools.frontend.ops import read_op
from xdsl_pld.tools.frontend.ops_tensor import dim
from xdsl_pld.tools.frontend.ops_tile import (
    TILE_OPERATORS,
    is_tensor,
    is_tile,
    refuse_tensor_arithmetic,
    tile_binary,
)
from xdsl_pld.tools.frontend.scalars import binary, bool_op, compare, unary
from xdsl_pld.tools.frontend.source import Problem


def read_expression(body: Body, node: ast.expr) -> Value:
    """The value of an expression."""
    reader = _READERS.get(type(node))
    if reader is None:
        reason = _REFUSED.get(type(node), f"{type(node).__name__} is no expression of the DSL")
        raise Problem(node, reason)
    return reader(body, node)


def read_effect(body: Body, node: ast.Call) -> Value | None:
    """A call whose result nobody needs; None where it has none."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "get_byte":
        return _get_byte(body, node.func.value, node)
    path = body.module.constants.vocabulary.path(node.func)
    if path in ("pl.submit", "pl.spmd_submit"):
        return read_submit(body, path, node)
    if path == "pl.system.task_dummy":
        return read_task_dummy(body, node)
    if path == "pl.tuple":
        raise Problem(node, "tuples exist only as results of calls")
    if path is not None:
        return read_op(body, path, node)
    match node.func:
        case ast.Name(id=name) if name in CONSTANT_FUNCTIONS:
            if body.module.function(name, of_program=False) is None:
                return _constant_call(body, name, node)
        case _:
            pass
    return read_call(body, node)


def _get_byte(body: Body, owner: ast.expr, node: ast.Call) -> Value:
    dtype = body.read(owner)
    if not isinstance(dtype, Const) or not isinstance(dtype.value, DType) or node.args:
        raise Problem(node, "get_byte() is for element types such as pl.FP32")
    return Const(dtype.value.bytes)


def _constant_call(body: Body, name: str, node: ast.Call) -> Value:
    """`len`, `min`, `max`, `abs` or `int` of constants, those of the body too."""
    values = [body.read(argument) for argument in node.args]
    constants = [value.value for value in values if isinstance(value, Const)]
    if len(constants) != len(values) or node.keywords:
        hint = f": write pl.{name}(...)" if name in ("min", "max") else ""
        raise Problem(node, f"'{name}' is for constants{hint}")
    return Const(body.module.constants.apply(name, constants, node))


def _literal(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.Constant)
    if node.value is None or isinstance(node.value, int | float | str):
        return Const(in_range(node.value, node))
    kind = "'...'" if node.value is ... else f"a {type(node.value).__name__} literal"
    raise Problem(node, f"{kind} has no place in the DSL")


def _name(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.Name)
    value = body.lookup(node)
    if isinstance(value, Const) and isinstance(value.value, Dynamic):
        return _dynamic(body, value.value, node)
    return value


def _dynamic(body: Body, value: Dynamic, node: ast.Name) -> Value:
    """A `pl.dynamic` name as a value: the extent of the first parameter that carries it."""
    for parameter in body.function.parameters:
        extents = _annotated_extents(parameter.annotation)
        for axis, extent in enumerate(extents):
            if isinstance(extent, ast.Name) and extent.id == node.id:
                tensor = body.parameters.get(parameter.arg)
                if tensor is not None and is_tensor_like(tensor.type):
                    if shape_of(tensor)[axis] == DYNAMIC_INDEX:
                        return dim(body, tensor, axis, node)
    raise Problem(
        node,
        f"'{node.id}' is known at run time, and no parameter's shape states it as it is: "
        f"pass --bind {value.name or node.id}=<value>",
    )


def _annotated_extents(annotation: ast.expr | None) -> list[ast.expr]:
    """The extents that a parameter's annotation writes, through `pl.Out[..]`."""
    while isinstance(annotation, ast.Subscript | ast.Call):
        if isinstance(annotation, ast.Call):
            inner = annotation.args[0] if annotation.args else None
        else:
            inner = annotation.slice
        if isinstance(inner, ast.Tuple) and inner.elts and isinstance(annotation, ast.Subscript):
            inner = inner.elts[0]
        if isinstance(inner, ast.List | ast.Tuple):
            return inner.elts
        annotation = inner
    return []


def _attribute(body: Body, node: ast.expr) -> Value:
    constants = body.module.constants
    path = constants.vocabulary.path(node)
    if path is not None:
        return Const(constants.member(path, node))
    raise Problem(node, "attributes of values are not supported")


def _binary(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.BinOp)
    left, right = body.read(node.left), body.read(node.right)
    if is_tensor(left) or is_tensor(right):
        raise refuse_tensor_arithmetic(node)
    if is_tile(left) or is_tile(right):
        make = TILE_OPERATORS.get(type(node.op))
        if make is None:
            raise Problem(node, "this operator is not supported on tiles")
        return tile_binary(body, make, left, right, node)
    return binary(body, node.op, left, right, node)


def _unary(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.UnaryOp)
    return unary(body, node.op, body.read(node.operand), node)


def _compare(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.Compare)
    if len(node.ops) != 1:
        raise Problem(node, "a chain of comparisons is not supported: join them with 'and'")
    if isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
        raise Problem(node, "'is' and 'in' are not supported: use '==' or '!='")
    left, right = body.read(node.left), body.read(node.comparators[0])
    for value in (left, right):
        if isinstance(value, SSAValue) and (is_tensor(value) or is_tile(value)):
            raise Problem(node, "tensors and tiles are not compared: read an element")
    return compare(body, node.ops[0], left, right, node)


def _bool_op(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.BoolOp)
    for operand in node.values:
        for inner in ast.walk(operand):
            if isinstance(inner, ast.Call):
                raise Problem(
                    inner, "a call inside 'and' or 'or' is not supported: both sides are computed"
                )
    value = body.read(node.values[0])
    for operand in node.values[1:]:
        value = bool_op(body, node.op, value, body.read(operand), node)
    return value


def _conditional(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.IfExp)
    test = body.read(node.test)
    if not isinstance(test, Const):
        raise Problem(node, "'x if c else y' is for constants: write an `if` statement")
    return body.read(node.body if test.value else node.orelse)


def _call(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)
    value = read_effect(body, node)
    if value is None:
        raise no_result(node)
    return value


def _subscript(body: Body, node: ast.expr) -> Value:
    assert isinstance(node, ast.Subscript)
    return read_subscript(body, node)


def _sequence(body: Body, node: ast.expr) -> Value:
    """A tuple or list of constants."""
    assert isinstance(node, ast.Tuple | ast.List)
    values = [body.read(element) for element in node.elts]
    constants = [value.value for value in values if isinstance(value, Const)]
    if len(constants) != len(values):
        raise Problem(node, "tuples of values exist only as results of calls: name each value")
    return Const(tuple(constants))


_READERS: Mapping[type[ast.expr], Callable[[Body, ast.expr], Value]] = {
    ast.Constant: _literal,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _bool_op,
    ast.IfExp: _conditional,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Tuple: _sequence,
    ast.List: _sequence,
}
_REFUSED: Mapping[type[ast.expr], str] = {
    ast.Lambda: "lambda is not supported",
    ast.ListComp: "a comprehension is not supported: write a pl.range loop",
    ast.SetComp: "a comprehension is not supported: write a pl.range loop",
    ast.DictComp: "a comprehension is not supported: write a pl.range loop",
    ast.GeneratorExp: "a comprehension is not supported: write a pl.range loop",
    ast.NamedExpr: "':=' is not supported: assign in a statement of its own",
    ast.JoinedStr: "f-strings are not supported",
    ast.Await: "await is not supported",
    ast.Yield: "yield is not supported: a loop yields with pl.yield_",
    ast.YieldFrom: "yield is not supported: a loop yields with pl.yield_",
    ast.Starred: "'*' is not supported here",
    ast.Dict: "a dictionary has no place here",
    ast.Set: "a set has no place here",
    ast.Slice: "a slice has no place here",
}
