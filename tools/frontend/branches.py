"""
`if`: the names that its arms bind become results.

Source: the DSL reference, section 4, points 4, 7 and 8.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Region, SSAValue

from xdsl_pld.tools.frontend.body import (
    Array,
    Binding,
    Body,
    Const,
    Poisoned,
    Results,
    Unbound,
    set_hint,
)
from xdsl_pld.tools.frontend.scalars import as_ssa, condition, default_type, is_scalar
from xdsl_pld.tools.frontend.source import Node, Problem, SilentProblem, assigned
from xdsl_pld.tools.frontend.statements import return_values

ReadBlock = Callable[[Body, Sequence[ast.stmt]], None]


@dataclass
class Arm:
    """One arm as it was read."""

    block: Block
    bindings: Mapping[str, Binding | None]
    bound_at: Mapping[str, Node]
    returned: list[SSAValue] | None = None


def yield_call(body: Body, statement: ast.stmt | None) -> tuple[Sequence[str], ast.Call] | None:
    """The names and the call of `p, q = pl.yield_(u, v)`."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Call() as call):
            if body.module.constants.vocabulary.path(call.func) != "pl.yield_":
                return None
        case _:
            return None
    if call.keywords:
        raise Problem(call.keywords[0], "pl.yield_ takes values only")
    elements = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [element.id for element in elements if isinstance(element, ast.Name)]
    if len(names) != len(elements):
        raise Problem(target, "pl.yield_ gives its values to plain names")
    if len(names) != len(call.args):
        raise Problem(call, f"{len(call.args)} values are yielded to {len(names)} names")
    return names, call


def read_if(body: Body, node: ast.If, read_block: ReadBlock) -> None:
    """An `if`; a constant condition chooses its arm here."""
    chosen = condition(body, body.read(node.test), node.test)
    if isinstance(chosen, bool):
        _read_chosen(body, node.body if chosen else node.orelse, read_block)
        return
    yields = _yields(body, node)
    arms = [body.names.block(arm) for arm in (node.body, node.orelse)]
    bound = list({**arms[0].binds, **arms[1].binds})
    before = body.save(bound)
    then = _read_arm(body, node.body, before, read_block)
    other = _read_arm(body, node.orelse, before, read_block)
    live = body.names.live_after(node)
    results: list[tuple[str, SSAValue, SSAValue]] = []
    after: dict[str, Binding] = {}
    for name in yields if yields is not None else bound:
        if yields is None and name not in live:
            continue
        merged = _merge(body, name, then, other, node)
        if isinstance(merged, tuple):
            results.append((name, *merged))
        else:
            after[name] = merged
    for name in bound:
        storage = then.bindings.get(name)
        if isinstance(storage, Array) and storage is other.bindings.get(name):
            continue  # written, not bound
        if yields is not None and name not in yields:
            after[name] = Unbound(
                f"'{name}' is bound in arms that end in pl.yield_, which does not yield it",
                ((node, "the `if`"),),
            )
    op = _emit(body, node, chosen, then.block, other.block, results, bool(node.orelse))
    for name, binding in after.items():
        body.env[name] = binding
    for (name, _, _), result in zip(results, op.results, strict=True):
        body.bound_at[name] = node
        body.env[name] = result
        set_hint(result, name)


def _read_chosen(body: Body, statements: Sequence[ast.stmt], read_block: ReadBlock) -> None:
    """The arm that a constant condition chooses, in place."""
    found = yield_call(body, statements[-1]) if statements else None
    if found is None:
        read_block(body, statements)
        return
    read_block(body, statements[:-1])
    names, call = found
    values = [body.read(argument) for argument in call.args]
    for name, value in zip(names, values, strict=True):
        body.bind(name, value, call)


def _yields(body: Body, node: ast.If) -> Sequence[str] | None:
    """The names that `pl.yield_` in both arms gives values to."""
    found = [yield_call(body, arm[-1]) if arm else None for arm in (node.body, node.orelse)]
    if found[0] is None and found[1] is None:
        return None
    if found[0] is None or found[1] is None:
        present = found[0] or found[1]
        assert present is not None
        raise Problem(present[1], "pl.yield_ must stand in both arms of an `if`, or in none")
    if list(found[0][0]) != list(found[1][0]):
        raise Problem(
            found[1][1],
            "both arms of an `if` must yield the same names: "
            f"{', '.join(found[0][0])} and {', '.join(found[1][0])}",
        )
    return found[0][0]


def _read_arm(
    body: Body,
    statements: Sequence[ast.stmt],
    before: Mapping[str, Binding | None],
    read_block: ReadBlock,
    returns: bool = False,
) -> Arm:
    outer = body.block
    body.block = Block()
    returned: list[SSAValue] | None = None
    try:
        found = yield_call(body, statements[-1]) if statements else None
        if found is not None:
            read_block(body, statements[:-1])
            names, call = found
            try:
                values = [body.read(argument) for argument in call.args]
                for name, value in zip(names, values, strict=True):
                    body.env[name] = value
                    body.bound_at[name] = call
            except Problem as problem:
                body.report.add(problem)
                body.poison(names)
            except SilentProblem:
                body.poison(names)
        elif returns:
            returned = _read_returning(body, statements, read_block)
        else:
            read_block(body, statements)
        return Arm(
            body.block,
            body.save(list(before)),
            {name: body.bound_at[name] for name in before if name in body.bound_at},
            returned,
        )
    finally:
        body.block = outer
        body.restore(before)


def _merge(
    body: Body, name: str, then: Arm, other: Arm, node: ast.If
) -> tuple[SSAValue, SSAValue] | Binding:
    """The values of a name at the ends of the arms, or what it is after an `if` without them."""
    a, b = then.bindings.get(name), other.bindings.get(name)
    if isinstance(a, Poisoned) or isinstance(b, Poisoned):
        return Poisoned()
    if a is None or isinstance(a, Unbound):
        return _lacking(a, name, other, "if", node)
    if b is None or isinstance(b, Unbound):
        return _lacking(b, name, then, "else", node)
    if isinstance(a, Const) and isinstance(b, Const):
        same = type(a.value) is type(b.value) and a.value == b.value and a.type == b.type
        if same or default_type(a.value) is None or default_type(b.value) is None:
            return a if same else _no_merge(name, node)
    if isinstance(a, Results | Array) or isinstance(b, Results | Array):
        return a if a is b else _no_merge(name, node)
    wanted = _merged_type(a, b)
    values: list[SSAValue] = []
    outer = body.block
    try:
        for value, arm in ((a, then), (b, other)):
            body.block = arm.block
            at = arm.bound_at.get(name, node)
            values.append(as_ssa(body, value, assigned(at), wanted))
    finally:
        body.block = outer
    if values[0].type != values[1].type:
        place = other.bound_at.get(name) or then.bound_at.get(name, node)
        body.report.add(
            Problem(
                place,
                f"'{name}' has the type {values[0].type} in one arm of the `if` and "
                f"{values[1].type} in the other",
                [(node, "the `if`")],
            )
        )
        return Poisoned()
    return values[0], values[1]


def _lacking(value: Unbound | None, name: str, binds: Arm, where: str, node: ast.If) -> Unbound:
    """What a name is after an `if` whose arm `where` does not bind it."""
    if value is not None and name not in binds.bound_at:
        return value
    place = binds.bound_at.get(name, node)
    return Unbound(
        f"'{name}' may be unbound here: the '{where}' arm of the `if` at line {node.lineno} does "
        "not bind it",
        ((place, "it is bound here"),),
    )


def _no_merge(name: str, node: ast.If) -> Unbound:
    return Unbound(
        f"'{name}' has different values after the `if` that cannot be merged: it is no tensor and "
        "no scalar",
        ((node, "the `if`"),),
    )


def _merged_type(a: SSAValue | Const, b: SSAValue | Const) -> Attribute | None:
    """The type that a literal in an arm takes: the other arm's."""
    for value in (a, b):
        type_ = value.type
        if type_ is not None and is_scalar(type_):
            return type_
    values = [value.value for value in (a, b) if isinstance(value, Const)]
    if len(values) == 2 and float in (type(values[0]), type(values[1])):
        return default_type(1.0)
    return None


def _emit(
    body: Body,
    node: ast.If,
    chosen: SSAValue,
    then: Block,
    other: Block,
    results: Sequence[tuple[str, SSAValue, SSAValue]],
    has_else: bool,
) -> scf.IfOp:
    outer = body.block
    for block, values in (
        (then, [value for _, value, _ in results]),
        (other, [value for _, _, value in results]),
    ):
        body.block = block
        body.emit(scf.YieldOp(*values), node)
    body.block = outer
    false_region = Region(other) if has_else or results else None
    op = scf.IfOp(chosen, [each[1].type for each in results], Region(then), false_region)
    return body.emit(op, node)


# Returns


def read_function_end(
    body: Body, statement: ast.stmt, read_block: ReadBlock
) -> list[SSAValue] | None:
    """What the last statement of a function returns; None for one that does not return."""
    if isinstance(statement, ast.Return):
        return return_values(body, statement, body.results)
    if isinstance(statement, ast.If) and _returns(statement):
        return _read_returning_if(body, statement, read_block)
    return None


def _returns(node: ast.If) -> bool:
    """Whether an arm of the `if` ends in a return (see `names.fold_returns`)."""
    return any(
        isinstance(last, ast.Return) or (isinstance(last, ast.If) and _returns(last))
        for arm in (node.body, node.orelse)
        for last in arm[-1:]
    )


def _read_returning(
    body: Body, statements: Sequence[ast.stmt], read_block: ReadBlock
) -> list[SSAValue]:
    """Reads an arm that ends the function; what it returns is what it yields."""
    if not statements:
        return []
    read_block(body, statements[:-1])
    values = read_function_end(body, statements[-1], read_block)
    if values is None:
        read_block(body, statements[-1:])
        return []
    return values


def _read_returning_if(body: Body, node: ast.If, read_block: ReadBlock) -> list[SSAValue]:
    """An `if` whose arms return; its results are the function's."""
    chosen = condition(body, body.read(node.test), node.test)
    if isinstance(chosen, bool):
        return _read_returning(body, node.body if chosen else node.orelse, read_block)
    bound = list({**body.names.block(node.body).binds, **body.names.block(node.orelse).binds})
    before = body.save(bound)
    then = _read_arm(body, node.body, before, read_block, returns=True)
    other = _read_arm(body, node.orelse, before, read_block, returns=True)
    a, b = then.returned or [], other.returned or []
    if len(a) != len(b):
        raise Problem(node, f"the arms of the `if` return {len(a)} and {len(b)} values")
    for index, (left, right) in enumerate(zip(a, b, strict=True)):
        if left.type != right.type:
            raise Problem(
                node,
                f"result {index} has the type {left.type} in one arm of the `if` and "
                f"{right.type} in the other",
            )
    results = [("", left, right) for left, right in zip(a, b, strict=True)]
    return list(_emit(body, node, chosen, then.block, other.block, results, True).results)
