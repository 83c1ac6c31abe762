"""
Statements: one function a kind of syntax node. An error ends its statement only: the names that it
would have bound are poisoned, and reading goes on.

Source: the DSL reference, section 5; sections 4 and 8 for names and errors.
"""

import ast
from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import Attribute, SSAValue

from xdsl_pld.dialects.types import TileType, is_tensor_like
from xdsl_pld.tools.frontend.annotations import Annotations
from xdsl_pld.tools.frontend.body import Array, Body, Const, Results, Value
from xdsl_pld.tools.frontend.expressions import read_effect
from xdsl_pld.tools.frontend.indexing import store_subscript
from xdsl_pld.tools.frontend.names import loop_names, simple_binds
from xdsl_pld.tools.frontend.ops import IGNORED
from xdsl_pld.tools.frontend.scalars import as_scalar, as_ssa, default_type, is_scalar, literal
from xdsl_pld.tools.frontend.source import Node, Problem, SilentProblem

Statement = Callable[[Body, ast.stmt], None]


def read_block(body: Body, statements: Sequence[ast.stmt], table: Mapping[type, Statement]) -> None:
    """Reads statements into the current block; `table` has the readers of compound ones."""
    for statement in statements:
        block = body.block
        try:
            _reader(statement, table)(body, statement)
        except Problem as problem:
            body.report.add(problem)
            body.poison(_bound_by(body, statement))
        except SilentProblem:
            body.poison(_bound_by(body, statement))
        finally:
            body.block = block


def _reader(statement: ast.stmt, table: Mapping[type, Statement]) -> Statement:
    reader = table.get(type(statement)) or _READERS.get(type(statement))
    if reader is None:
        reason = _REFUSED.get(type(statement), f"{type(statement).__name__} is not supported")
        raise Problem(statement, reason)
    return reader


def _bound_by(body: Body, statement: ast.stmt) -> Sequence[str]:
    match statement:
        case ast.For(body=inner):
            return [*loop_names(statement), *body.names.block(inner).binds]
        case ast.While(body=inner) | ast.With(body=inner):
            return list(body.names.block(inner).binds)
        case ast.If(body=then, orelse=orelse):
            return [*body.names.block(then).binds, *body.names.block(orelse).binds]
        case _:
            return simple_binds(statement)


# Assignments


def _assign(body: Body, node: ast.stmt) -> None:
    assert isinstance(node, ast.Assign)
    if len(node.targets) != 1:
        raise Problem(node, "a chained assignment is not supported: assign one name at a time")
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        store_subscript(body, target, node.value)
        return
    if isinstance(target, ast.Attribute):
        raise Problem(target, "attributes cannot be assigned to")
    if isinstance(target, ast.Name):
        body.target = (node.value, target.id)
    try:
        value = body.read(node.value)
    finally:
        body.target = None
    assign(body, target, value, node)


def assign(body: Body, target: ast.expr, value: Value, node: Node) -> None:
    """Binds a name, or unpacks the results of a call."""
    if isinstance(target, ast.Name):
        if isinstance(value, Array) and isinstance(node, ast.Assign):
            if not isinstance(node.value, ast.Call):
                raise Problem(node, "an array has one name only: its elements change in place")
        body.bind(target.id, value, node)
        return
    if not isinstance(target, ast.Tuple | ast.List):
        reason = (
            "a starred target is not supported"
            if isinstance(target, ast.Starred)
            else "only names can be assigned to here"
        )
        raise Problem(target, reason)
    values: Sequence[Value]
    if isinstance(value, Results):
        values = value.values
    elif isinstance(value, Const) and isinstance(value.value, tuple):
        values = [Const(entry) for entry in value.value]
    else:
        raise Problem(node, f"one value cannot be unpacked into {len(target.elts)} names")
    elements = target.elts
    if len(elements) == 2 and isinstance(elements[0], ast.Tuple) and len(values) > 1:
        # (a, b), tid = pl.submit(...)
        assign(body, elements[0], Results(tuple(values[:-1])), node)
        assign(body, elements[1], values[-1], node)
        return
    if len(elements) != len(values):
        raise Problem(node, f"{len(values)} results cannot be unpacked into {len(elements)} names")
    for element, each in zip(elements, values, strict=True):
        assign(body, element, each, node)


def _annotated(body: Body, node: ast.stmt) -> None:
    assert isinstance(node, ast.AnnAssign)
    if not isinstance(node.target, ast.Name):
        raise Problem(node, "only a name can have an annotation")
    if node.value is None:
        raise Problem(node, f"'{node.target.id}' has an annotation and no value")
    function = body.function
    annotations = Annotations(body.module.constants, body.scope, function.node.lineno, body.report)
    type_ = annotations.type(node.annotation)
    body.target = (node.value, node.target.id)
    try:
        value = body.read(node.value)
    finally:
        body.target = None
    if isinstance(value, Const) and value.type is None and is_scalar(type_):
        if isinstance(value.value, int | float):
            literal(value.value, type_, node.value)
            value = Const(value.value, type_)
    elif isinstance(value, SSAValue):
        _check_annotation(value, type_, node)
    body.bind(node.target.id, value, node)


def _check_annotation(value: SSAValue, type_: Attribute, node: ast.AnnAssign) -> None:
    if value.type == type_:
        return
    tensors = [t for t in (value.type, type_) if is_tensor_like(t) or isinstance(t, TileType)]
    if len(tensors) == 2 and type(value.type) is type(type_):
        # A view is not written out in annotations: kind, element, rank and extents count.
        from xdsl_pld.dialects.types import shapes_agree
        from xdsl_pld.tools.frontend.ops_tensor import tensor_type

        given, stated = tensor_type(value.type), tensor_type(type_)
        if given.element_type == stated.element_type:
            if shapes_agree(given.get_shape(), stated.get_shape()):
                return
    raise Problem(node.annotation, f"the annotation says {type_}, the value is {value.type}")


def _augmented(body: Body, node: ast.stmt) -> None:
    assert isinstance(node, ast.AugAssign)
    sign = _OPERATOR_SIGNS.get(type(node.op), "+")
    target = ast.unparse(node.target) if isinstance(node.target, ast.Name) else "x"
    raise Problem(
        node,
        f"'{sign}=' is not supported: write {target} = {target} {sign} ...",
    )


_OPERATOR_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Pow: "**",
    ast.MatMult: "@",
}


# Effects


def _expression(body: Body, node: ast.stmt) -> None:
    assert isinstance(node, ast.Expr)
    value = node.value
    if isinstance(value, ast.Constant) and (isinstance(value.value, str) or value.value is ...):
        return  # a docstring, or a body that is nothing
    if not isinstance(value, ast.Call):
        body.read(value)
        raise Problem(node, "a value that nothing uses")
    path = body.module.constants.vocabulary.path(value.func)
    if path in IGNORED:
        if path != "pl.static_print":
            body.report.warn(node, f"{path} is dropped: it is for debugging only")
    elif path == "pl.static_assert":
        _static_assert(body, value)
    elif path == "pl.func_attr":
        if value.keywords or not all(isinstance(a, ast.Dict) and not a.keys for a in value.args):
            raise Problem(value, "attributes of a function are not supported: pl.func_attr({})")
    elif path == "pl.yield_":
        raise Problem(
            node,
            "a bare pl.yield_ is not supported: write <name> = pl.yield_(...), last in the "
            "body of a loop with init_values or in both arms of an `if`",
        )
    elif path == "pl.cond":
        raise Problem(node, "pl.cond must be the first statement of a pl.while_ loop")
    else:
        read_effect(body, value)


def _static_assert(body: Body, node: ast.Call) -> None:
    if not 1 <= len(node.args) <= 2 or node.keywords:
        raise Problem(node, "pl.static_assert takes a condition and a message")
    value = body.read(node.args[0])
    if not isinstance(value, Const):
        raise Problem(node, "the condition of pl.static_assert must be a constant")
    if not value.value:
        text = ""
        if len(node.args) == 2:
            message = body.read(node.args[1])
            if isinstance(message, Const) and isinstance(message.value, str):
                text = f": {message.value}"
        raise Problem(node, f"pl.static_assert fails{text}")


def _pass(body: Body, node: ast.stmt) -> None:
    """Nothing."""


def return_values(
    body: Body, node: ast.Return, declared: Sequence[Attribute] | None
) -> list[SSAValue]:
    """What a `return` gives back, in the declared types if there are any."""
    if isinstance(node.value, ast.Tuple):
        places: Sequence[ast.expr] = node.value.elts
        values: Sequence[Value | None] = [body.read(element) for element in places]
    elif isinstance(node.value, ast.Call):
        value = read_effect(body, node.value)
        values, places = [] if value is None else [value], [node.value]
    elif node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
        values, places = [], []
    else:
        values, places = [body.read(node.value)], [node.value]
    flat: list[tuple[Value, ast.expr]] = []
    for value, place in zip(values, places, strict=False):
        if isinstance(value, Results):
            flat += [(each, place) for each in value.values]
        elif value is not None:
            flat.append((value, place))
    if declared is not None and len(flat) != len(declared):
        raise Problem(
            node, f"{len(flat)} values are returned, the function declares {len(declared)} results"
        )
    found: list[SSAValue] = []
    for index, (value, place) in enumerate(flat):
        wanted = None if declared is None else declared[index]
        found.append(_returned(body, value, wanted, place))
    return found


def _returned(body: Body, value: Value, wanted: Attribute | None, node: ast.expr) -> SSAValue:
    if wanted is not None and is_scalar(wanted):
        if isinstance(value, Const):
            return as_scalar(body, value, wanted, "the result", node)
    if isinstance(value, Const) and default_type(value.value) is None:
        raise Problem(node, "this constant is no value of the program")
    ssa = as_ssa(body, value, node)
    if wanted is not None and ssa.type != wanted:
        raise Problem(node, f"the function declares the result {wanted}, this is {ssa.type}")
    return ssa


_READERS: Mapping[type, Statement] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Pass: _pass,
}
_NO_IMPORT = "an import inside a function is not supported: the file is parsed, not executed"
_REFUSED: Mapping[type, str] = {
    ast.Assert: "assert is not supported: use pl.static_assert on constants",
    ast.AsyncFor: "async is not supported",
    ast.AsyncFunctionDef: "a nested function is not supported: write it at module level",
    ast.AsyncWith: "async is not supported",
    ast.Break: "'break' is not supported: put the condition into a `while`",
    ast.ClassDef: "a class inside a function is not supported",
    ast.Continue: "'continue' is not supported: put the rest into an `if`",
    ast.Delete: "'del' is not supported",
    ast.FunctionDef: "a nested function is not supported: write it at module level",
    ast.Global: "'global' is not supported",
    ast.Import: _NO_IMPORT,
    ast.ImportFrom: _NO_IMPORT,
    ast.Match: "'match' is not supported: write an `if`",
    ast.Nonlocal: "'nonlocal' is not supported",
    ast.Raise: "'raise' is not supported",
    ast.Return: "a 'return' inside a loop or `with`, or on some paths of an arm only, is not "
    "supported: it must be last, or end an arm of an `if` that is followed by the rest",
    ast.Try: "'try' is not supported",
}
