"""
`attrs={...}`: what a lowered module says of an operation beyond the DSL's own words.

    key             on                                      value
    arg_directions  calls, submits, `pld.builtin.*`         [pl.adir.input, ...]
    task, after     calls, submits                          the task's number, those it follows
    results         calls, submits                          the result types, unless the callee's
    type            tensor ops that make a view or a box    the result type, unless the usual one
    axes            pl.transpose                            the order, unless it swaps two axes
    name            pld.alloc_window_buffer                 the buffer's name, unless the target's

Programs that people write need none of them; `pld-python` writes them, and only where they say
something. Source: the DSL reference, section 5, for `arg_directions`; the others are ours.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute

from xdsl_pld.dialects.pl.call import ARG_DIRECTIONS
from xdsl_pld.tools.frontend.annotations import Annotations
from xdsl_pld.tools.frontend.body import Body, Const
from xdsl_pld.tools.frontend.constants import Member
from xdsl_pld.tools.frontend.source import Problem


@dataclass
class Attrs:
    """The entries of one `attrs=`; None for what it does not say."""

    arg_directions: Sequence[str] | None = None
    task: int | None = None
    after: Sequence[int] | None = None
    results: Sequence[Attribute] | None = None
    result_type: Attribute | None = None
    axes: Sequence[int] | None = None
    name: str | None = None


def read_attrs(body: Body, node: ast.expr, allowed: Sequence[str]) -> Attrs:
    """Reads a dictionary whose keys are among `allowed`; a Problem for any other."""
    attrs = Attrs()
    if not isinstance(node, ast.Dict):
        raise Problem(node, f"attrs must be a dictionary, written out, with {_list(allowed)}")
    seen: set[str] = set()
    for key, value in zip(node.keys, node.values, strict=True):
        name = key.value if isinstance(key, ast.Constant) else None
        if not isinstance(name, str) or name not in allowed:
            shown = f" '{name}'" if isinstance(name, str) else " of this kind"
            raise Problem(key or value, f"attrs has no key{shown} here; its keys: {_list(allowed)}")
        if name in seen:
            raise Problem(key or value, f"attrs has the key '{name}' twice")
        seen.add(name)
        match name:
            case "arg_directions":
                attrs.arg_directions = [_direction(body, e) for e in _elements(value)]
            case "task":
                attrs.task = _number(body, value)
            case "after":
                attrs.after = [_number(body, element) for element in _elements(value)]
            case "axes":
                attrs.axes = [_number(body, element) for element in _elements(value)]
            case "results":
                attrs.results = [_type(body, element) for element in _elements(value)]
            case "type":
                attrs.result_type = _type(body, value)
            case _:
                attrs.name = _text(body, value)
    return attrs


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def _elements(node: ast.expr) -> Sequence[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    raise Problem(node, "expected a list, written out")


def _direction(body: Body, node: ast.expr) -> str:
    value = body.read(node)
    member = value.value if isinstance(value, Const) else None
    if isinstance(member, Member) and member.path == f"pl.adir.{member.last}":
        if member.last in ARG_DIRECTIONS:
            return member.last
    raise Problem(node, f"expected one of pl.adir.{{{', '.join(ARG_DIRECTIONS)}}}")


def _number(body: Body, node: ast.expr) -> int:
    value = body.read(node)
    if isinstance(value, Const) and type(value.value) is int and 0 <= value.value < 2**63:
        return value.value
    raise Problem(node, "expected a constant integer that is not negative")


def _type(body: Body, node: ast.expr) -> Attribute:
    line = body.function.node.lineno
    return Annotations(body.module.constants, body.scope, line, body.report).type(node)


def _text(body: Body, node: ast.expr) -> str:
    value = body.read(node)
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value
    raise Problem(node, "expected a string")
