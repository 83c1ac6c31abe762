"""
`with pld.comm_domain("d0", devices=[0, 1], slots=["data_buf"]):`, the scope of a domain.

Nobody writes it: `materialize-comm-domain-scopes` finds the domains, and `pld-python` prints them
in this form. What is bound inside ends with the scope, but for what the last statement gives out:

        data2, sum2 = pld.yield_(data, sum)

Source: ours; design.md has the operation.
"""

import ast
from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Block, Region, SSAValue

from xdsl_pld.dialects.pld.windows import CommDomainOp, YieldOp
from xdsl_pld.tools.frontend.body import Binding, Body, Const, Unbound
from xdsl_pld.tools.frontend.branches import ReadBlock
from xdsl_pld.tools.frontend.scalars import as_ssa
from xdsl_pld.tools.frontend.source import Problem, SilentProblem

_T = TypeVar("_T", int, str)


def read_domain(body: Body, node: ast.With, call: ast.Call, read_block: ReadBlock) -> None:
    """The scope and its statements; a Problem where it is none or stands outside of a host body."""
    if not body.root.is_host:
        raise Problem(call, "pld.comm_domain is for host bodies (level HOST, role Orchestrator)")
    name, devices, slots = _head(body, call)
    given = _given(body, node.body[-1])
    statements = node.body if given is None else node.body[:-1]
    inner = list(body.names.block(node.body).binds)
    before = body.save(inner)
    outer, body.block = body.block, Block()
    block = body.block
    values: list[SSAValue] | None = []
    try:
        read_block(body, statements)
        if given is not None:
            values = _values(body, given[1])
    finally:
        body.block = outer
        _leave(body, node, inner, before)
    if values is None:
        body.poison([] if given is None else given[0])
        return
    if given is not None:
        yielded = YieldOp(*values)
        yielded.location = body.location(given[1])
        block.add_op(yielded)
    types = [value.type for value in values]
    op = body.emit(CommDomainOp(name, slots, Region(block), devices, types), call)
    for target, result in zip(given[0] if given else (), op.results, strict=True):
        body.bind(target, result, node)


def _head(body: Body, call: ast.Call) -> tuple[str, Sequence[int] | None, Sequence[str]]:
    """The name, the devices (None for all) and the slots."""
    if len(call.args) != 1:
        raise Problem(call, "pld.comm_domain takes the name of the domain, devices= and slots=")
    devices: Sequence[int] | None = None
    slots: Sequence[str] | None = None
    for keyword in call.keywords:
        if keyword.arg == "devices":
            devices = [_constant(body, each, int) for each in _elements(keyword.value)]
        elif keyword.arg == "slots":
            slots = [_constant(body, each, str) for each in _elements(keyword.value)]
        else:
            raise Problem(keyword, f"pld.comm_domain takes no keyword '{keyword.arg}'")
    if slots is None:
        raise Problem(call, "pld.comm_domain needs slots=[...], the names of its window buffers")
    return _constant(body, call.args[0], str), devices, slots


def _elements(node: ast.expr) -> Sequence[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    raise Problem(node, "expected a list, written out")


def _constant(body: Body, node: ast.expr, kind: type[_T]) -> _T:
    value = body.read(node)
    if isinstance(value, Const) and isinstance(value.value, kind):
        if not isinstance(value.value, bool):
            return value.value
    wanted = "a string" if kind is str else "a constant integer"
    raise Problem(node, f"expected {wanted}")


def _given(body: Body, last: ast.stmt) -> tuple[Sequence[str], ast.Call] | None:
    """The names and the call of `a, b = pld.yield_(x, y)`."""
    if not isinstance(last, ast.Assign) or not isinstance(last.value, ast.Call):
        return None
    if body.module.constants.vocabulary.path(last.value.func) != "pld.yield_":
        return None
    target = last.targets[0]
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    if len(last.targets) != 1 or len(names) != len(targets) or len(set(names)) != len(names):
        raise Problem(last, "pld.yield_ gives its values to names, each another one")
    if last.value.keywords or len(names) != len(last.value.args):
        raise Problem(
            last.value,
            f"pld.yield_ gives {len(last.value.args)} values to {len(names)} names",
        )
    return names, last.value


def _values(body: Body, call: ast.Call) -> list[SSAValue] | None:
    try:
        return [as_ssa(body, body.read(argument), argument) for argument in call.args]
    except Problem as problem:
        body.report.add(problem)
    except SilentProblem:
        pass
    return None


def _leave(
    body: Body, node: ast.With, inner: Sequence[str], before: dict[str, Binding | None]
) -> None:
    """What the scope has bound is gone behind it; what it has bound again is not to be read."""
    body.restore(before)
    for name in inner:
        body.env[name] = Unbound(
            f"'{name}' belongs to the domain at line {node.lineno}: give it out by pld.yield_, "
            "last in the scope",
            ((node, "the domain"),),
        )
