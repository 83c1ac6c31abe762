"""
`with`: scopes that say how the calls inside them are ordered or launched.

Source: the DSL reference, section 5.
"""

import ast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from xdsl_pld.tools.frontend.body import Body, Const, Launch, Results
from xdsl_pld.tools.frontend.branches import ReadBlock
from xdsl_pld.tools.frontend.calls import callee_of, read_deps, read_flag
from xdsl_pld.tools.frontend.constants import Member
from xdsl_pld.tools.frontend.domains import read_domain
from xdsl_pld.tools.frontend.expressions import read_effect
from xdsl_pld.tools.frontend.ops import refusal
from xdsl_pld.tools.frontend.scalars import as_scalar
from xdsl_pld.tools.frontend.source import Problem
from xdsl_pld.tools.frontend.statements import assign

_HINTS = ("name_hint", "allow_early_resolve")


def read_with(body: Body, node: ast.stmt, read_block: ReadBlock) -> None:
    """A `with` over one of the DSL's scopes."""
    assert isinstance(node, ast.With)
    if len(node.items) != 1:
        raise Problem(node, "a `with` has one scope here: nest them")
    item = node.items[0]
    call = item.context_expr
    path = None
    if isinstance(call, ast.Call):
        path = body.module.constants.vocabulary.path(call.func)
    if path is None:
        raise Problem(call, "a `with` of anything but a scope of the DSL is not supported")
    assert isinstance(call, ast.Call)
    if path == "pl.manual_scope" or (path == "pl.scope" and _is_manual(body, call)):
        if item.optional_vars is not None:
            raise Problem(item.optional_vars, f"{path} has nothing to bind to a name")
        outer = body.manual_scope
        body.manual_scope = True
        try:
            read_block(body, node.body)
        finally:
            body.manual_scope = outer
    elif path == "pl.spmd":
        _read_spmd(body, node, item, call)
    elif path == "pld.comm_domain":
        if item.optional_vars is not None:
            raise Problem(item.optional_vars, f"{path} has nothing to bind to a name")
        read_domain(body, node, call, read_block)
    else:
        raise refusal(path, call)


def _is_manual(body: Body, call: ast.Call) -> bool:
    for keyword in call.keywords:
        if keyword.arg == "mode":
            value = body.read(keyword.value)
            if isinstance(value, Const) and isinstance(value.value, Member):
                return value.value.last == "MANUAL"
    return False


def _read_spmd(body: Body, node: ast.With, item: ast.withitem, call: ast.Call) -> None:
    """`with pl.spmd(n, sync_start=..):` around one kernel call is that call's launch."""
    statement = node.body[0]
    launched = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
    if (
        len(node.body) != 1
        or not isinstance(launched, ast.Call)
        or callee_of(body, launched.func) is None
    ):
        raise Problem(
            call,
            "pl.spmd is supported around one kernel call only, its region is not outlined: write a "
            "kernel and call it",
        )
    launch = _launch(body, item, call)
    if body.launch is not None:
        raise Problem(call, "pl.spmd inside pl.spmd is not supported")
    body.launch = launch
    try:
        value = read_effect(body, launched)
    finally:
        body.launch = None
    if not launch.used or (value is None and isinstance(statement, ast.Assign)):
        raise Problem(call, "pl.spmd holds one kernel call, with a result if it is assigned")
    if launch.deps is not None:
        *rest, task = value.values if isinstance(value, Results) else (value,)
        assert isinstance(task, SSAValue)
        if item.optional_vars is not None:
            assign(body, item.optional_vars, task, call)
        value = rest[0] if len(rest) == 1 else Results(tuple(rest))
    if isinstance(statement, ast.Assign):
        assert value is not None
        if len(statement.targets) != 1:
            raise Problem(
                statement, "a chained assignment is not supported: assign one name at a time"
            )
        assign(body, statement.targets[0], value, statement)


def _launch(body: Body, item: ast.withitem, call: ast.Call) -> Launch:
    if len(call.args) != 1:
        raise Problem(call, "pl.spmd takes the number of blocks")
    sync_start = False
    deps: list[SSAValue] | None = None if item.optional_vars is None else []
    for keyword in call.keywords:
        if keyword.arg == "sync_start":
            sync_start = read_flag(body, keyword.value, "sync_start")
        elif keyword.arg == "deps":
            deps = read_deps(body, keyword.value)
        elif keyword.arg in _HINTS:
            body.report.warn(keyword, f"'{keyword.arg}' is dropped: it is a hint only")
        else:
            raise Problem(keyword, f"pl.spmd takes no keyword '{keyword.arg}'")
    blocks = call.args[0]
    core_num = as_scalar(body, body.read(blocks), IndexType(), "the number of blocks", blocks)
    return Launch(core_num, sync_start, deps)
