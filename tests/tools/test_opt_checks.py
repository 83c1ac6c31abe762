"""What is checked before the first pass and xDSL does not verify: dominance, scf, symbols."""

import time

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects

from xdsl_pld.passes.analysis.wellformed import check_wellformed
from xdsl_pld.passes.diagnostics import Note
from xdsl_pld.tools.diagnostics import Remark, from_finding
from xdsl_pld.tools.reader import LocatingParser


def read(text: str):
    ctx = Context(allow_unregistered=True)
    for name, factory in get_all_dialects().items():
        ctx.register_dialect(name, factory)
    return LocatingParser(ctx, text, "-").read(allow_implicit_module=True)


def check(body: str) -> list[str]:
    """The findings and notes on the body of a function, with places; its first line is 1."""
    found: list[str] = []
    header = "func.func @f(%a: i32, %b: i64, %c: i1, %n: index) { "
    for finding in check_wellformed(read(f"{header}{body}\n}}")):
        diagnostic = from_finding(finding)
        found += [_line("error", diagnostic.error)]
        found += [_line("note", note) for note in diagnostic.notes]
    return found


def _line(severity: str, remark: Remark) -> str:
    at = remark.location
    place = "" if at is None else f"{at.line}:{at.col}: "
    return f"{place}{severity}: {remark.message}"


BAD_USE = "error: operand #0 ('%x') does not dominate this use"

DOMINANCE = {
    "later": (
        """
"test.op"(%x) : (i32) -> ()
%x = "test.op"() : () -> i32""",
        [f"2:1: {BAD_USE}", "3:1: note: it is defined here"],
    ),
    "itself": (
        """
%x = "test.op"(%x) : (i32) -> i32""",
        [f"2:1: {BAD_USE}", "2:1: note: it is defined here"],
    ),
    "its own region": (
        """
%x = "test.op"() ({
  "test.termop"(%x) : (i32) -> ()
}) : () -> i32""",
        [f"3:3: {BAD_USE}", "2:1: note: it is defined here"],
    ),
    "used in a nested region before": (
        """
scf.if %c {
  "test.op"(%x) : (i32) -> ()
}
%x = "test.op"() : () -> i32""",
        [f"3:3: {BAD_USE}", "5:1: note: it is defined here"],
    ),
    "defined in a sibling region": (
        """
"test.op"() ({
  "test.termop"(%x) : (i32) -> ()
}, {
^bb(%x : i32):
  "test.termop"() : () -> ()
}) : () -> ()""",
        [f"3:3: {BAD_USE}", "5:5: note: it is defined here"],
    ),
    "one branch only": (
        """
  cf.cond_br %c, ^left, ^right
^left:
  %x = "test.op"() : () -> i32
  cf.br ^end
^right:
  cf.br ^end
^end:
  "test.op"(%x) : (i32) -> ()
  func.return""",
        [f"9:3: {BAD_USE}", "4:3: note: it is defined here"],
    ),
    "around a loop": (
        """
  cf.br ^header
^header:
  "test.op"(%x) : (i32) -> ()
  cf.cond_br %c, ^body, ^end
^body:
  %x = "test.op"() : () -> i32
  cf.br ^header
^end:
  func.return""",
        [f"4:3: {BAD_USE}", "7:3: note: it is defined here"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), DOMINANCE.values(), ids=DOMINANCE)
def test_uses_that_are_not_dominated(body: str, expected: list[str]):
    assert check(body) == expected


VALID = {
    "nested": """
%x = "test.op"() : () -> i32
scf.if %c { scf.if %c { "test.op"(%x, %a) : (i32, i32) -> () } }""",
    "diamond": """
  %x = "test.op"() : () -> i32
  cf.cond_br %c, ^left, ^right(%x : i32)
^left:
  cf.br ^right(%x : i32)
^right(%y : i32):
  "test.op"(%x, %y) : (i32, i32) -> ()
  func.return""",
    "unreachable predecessor": """
  %x = "test.op"() : () -> i32
  cf.br ^end
^dead:
  cf.br ^end
^end:
  "test.op"(%x) : (i32) -> ()
  func.return""",
    "use in an unreachable block": """
  cf.br ^end
^dead:
  "test.op"(%x) : (i32) -> ()
  cf.br ^end
^end:
  %x = "test.op"() : () -> i32
  func.return""",
    "blocks in another order": """
  cf.br ^first
^second:
  "test.op"(%x) : (i32) -> ()
  func.return
^first:
  %x = "test.op"() : () -> i32
  cf.br ^second""",
    "graph regions": """
builtin.module { "test.op"(%x) : (i32) -> () %x = "test.op"() : () -> i32 }
"unknown.op"() ({ "test.op"(%y) : (i32) -> () %y = "test.op"() : () -> i32 }) : () -> ()""",
    "scf": """
%f = scf.for %i = %n to %n step %n iter_args(%s = %a) -> (i32) { scf.yield %s : i32 }
%g = scf.if %c -> (i64) { scf.yield %b : i64 } else { scf.yield %b : i64 }
scf.if %c { "test.op"() : () -> () }
%w = scf.while (%s = %a) : (i32) -> i64 { scf.condition(%c) %b : i64 } do {
^bb0(%t: i64): scf.yield %a : i32 }""",
}


@pytest.mark.parametrize("body", [pytest.param(b, id=i) for i, b in VALID.items()])
def test_valid_ir_is_let_be(body: str):
    assert check(body) == []


SCF = {
    "if without else": (
        "%x = scf.if %c -> (i32) { scf.yield %a : i32 }",
        ["2:1: error: scf.if with 1 result needs an else region"],
    ),
    "if yields too little": (
        "%x = scf.if %c -> (i32) { scf.yield } else { scf.yield %a : i32 }",
        [
            "2:27: error: scf.yield has 0 operands, but scf.if has 1 result",
            "2:1: note: in this scf.if",
        ],
    ),
    "if yields another type": (
        "%x = scf.if %c -> (i32) { scf.yield %a : i32 } else { scf.yield %b : i64 }",
        [
            "2:55: error: operand #0 of scf.yield has type i64, but result #0 of scf.if has type "
            "i32",
            "2:1: note: in this scf.if",
        ],
    ),
    "for yields nothing": (
        "%x = scf.for %i = %n to %n step %n iter_args(%s = %a) -> (i32) { scf.yield }",
        [
            "2:66: error: scf.yield has 0 operands, but scf.for has 1 result",
            "2:1: note: in this scf.for",
        ],
    ),
    "for with other results": (
        '%x = "scf.for"(%n, %n, %n, %a) ({^b(%i: index, %s: i64): scf.yield %b : i64}) '
        ": (index, index, index, i32) -> i64",
        [
            "2:1: error: initial value #0 of scf.for has type i32, but loop-carried argument #0 "
            "of the body has type i64",
            "2:1: error: initial value #0 of scf.for has type i32, but result #0 of scf.for has "
            "type i64",
        ],
    ),
    "while condition and yield": (
        "%w = scf.while (%s = %a) : (i32) -> i64 { scf.condition(%c) %a : i32 } do {\n"
        "^bb0(%t: i64): scf.yield %t, %t : i64, i64 }",
        [
            "2:43: error: argument #0 of scf.condition has type i32, but result #0 of scf.while "
            "has type i64",
            "2:1: note: in this scf.while",
            "3:16: error: scf.yield has 2 operands, but the before region has 1 argument",
            "2:1: note: in this scf.while",
        ],
    ),
    "while regions": (
        "%w = scf.while (%s = %a) : (i32) -> i64 { scf.yield } do {\n"
        '^bb0: "test.termop"() : () -> () }',
        [
            "2:1: error: scf.while has 1 result, but the after region has 0 arguments",
            "2:43: error: the before region must end with scf.condition",
            "2:1: note: in this scf.while",
            "3:7: error: the after region must end with scf.yield",
            "2:1: note: in this scf.while",
        ],
    ),
}


@pytest.mark.parametrize(("body", "expected"), SCF.values(), ids=SCF)
def test_values_that_do_not_fit_scf_regions(body: str, expected: list[str]):
    assert check(f"\n{body}") == expected


@pytest.mark.parametrize("name", ["if", "for", "while"])
@pytest.mark.parametrize("regions", ["", "({})", "({}, {})", "({^a:}, {^b:}, {^c:})"])
def test_no_shape_of_regions_trips_the_checks(name: str, regions: str):
    check(f'\n%r = "scf.{name}"(%a) {regions} : (i32) -> (i32)')


def test_symbols_are_unique_in_nested_modules_too():
    module = read(
        "builtin.module @m {\n  func.func private @x()\n  func.func private @x()\n}\n"
        "builtin.module @x {}"
    )
    (finding,) = check_wellformed(module)
    assert from_finding(finding).error.message == 'Redefinition of symbol "x"'
    (note,) = finding.notes
    assert isinstance(note, Note)


def test_the_checks_are_linear():
    """A chain of blocks and a long block: what a quadratic check takes minutes for."""
    blocks = "".join(
        f'^b{i}:\n  "test.op"(%x) : (i32) -> ()\n  cf.br ^b{i + 1}\n' for i in range(800)
    )
    body = f'  %x = "test.op"() : () -> i32\n  cf.br ^b0\n{blocks}^b800:\n  func.return'
    module = read(f"func.func @f() {{\n{body}\n}}")
    start = time.perf_counter()
    assert check_wellformed(module) == []
    assert time.perf_counter() - start < 2
