"""Lineage, asked directly: what no pass shows by its outcome."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, cf, func, scf
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.passes.analysis.lineage import FunctionLineage, Lineage, returns_of

D, T = "!pld.dist_tensor<tensor<4xf32>>", "tensor<4xf32>"


def lineages(text: str) -> dict[str, FunctionLineage]:
    ctx = Context()
    for dialect in (Builtin, arith.Arith, cf.Cf, func.Func, scf.Scf, PL, PLD):
        ctx.load_dialect(dialect)
    module = Parser(ctx, text.replace("!D", D).replace("!T", T)).parse_module()
    module.verify()
    lineage = Lineage()
    functions = [op for op in module.body.ops if isinstance(op, func.FuncOp)]
    return {f.sym_name.data: lineage.of(f) for f in functions if not f.is_declaration}


def returned(lineage: FunctionLineage) -> list[tuple[int | None, bool]]:
    (op,) = returns_of(lineage.function)
    return [(lineage.parameter(v), lineage.origin(v).whole) for v in op.arguments]


@pytest.mark.parametrize(
    ("kind", "expected"), [("!D", (0, False)), ("!T", (None, True))], ids=["window", "plain"]
)
def test_an_opaque_yield_leaves_the_seed_of_a_distributed_carry_only(
    kind: str, expected: tuple[int | None, bool]
):
    found = lineages(
        f"""
func.func private @opaque({kind}) -> {kind}
func.func @f(%a: {kind}, %n: index) -> {kind} {{
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> ({kind}) {{
    %y = func.call @opaque(%x) : ({kind}) -> {kind}
    scf.yield %y : {kind}
  }}
  func.return %r : {kind}
}}"""
    )
    assert returned(found["f"]) == [expected]


def test_carries_that_hold_each_other_are_looked_through_once():
    branch = """
    %{0} = scf.if %c -> (!D) {{
      %o{0} = func.call @opaque(%{1}) : (!D) -> !D
      scf.yield %o{0} : !D
    }} else {{
      scf.yield %{1} : !D
    }}"""
    swap = "".join(branch.format(*pair) for pair in (("p", "z"), ("q", "w"), ("r", "z")))
    found = lineages(
        f"""
func.func private @opaque(!D) -> !D
func.func @f(%a: !D, %c: i1, %n: index) -> (!D, !D, !D) {{
  %u = scf.execute_region -> (!D) {{
    scf.yield %a : !D
  }}
  %v = scf.execute_region -> (!D) {{
    scf.yield %a : !D
  }}
  %l, %m, %k = scf.for %i = %n to %n step %n
      iter_args(%x = %a, %z = %u, %w = %v) -> (!D, !D, !D) {{{swap}
    scf.yield %p, %q, %r : !D, !D, !D
  }}
  func.return %l, %m, %k : !D, !D, !D
}}"""
    )
    assert returned(found["f"]) == [(None, True)] * 3


def test_the_walk_ends_where_an_inner_carry_weakens_late():
    """The inner carry is one tensor, then a view of it, then nobody's, as the outer one is."""
    found = lineages("""
func.func @f(%a: !T, %b: !T, %n: index) -> (!T, !T) {
  %p, %q = scf.for %i = %n to %n step %n iter_args(%x = %a, %z = %b) -> (!T, !T) {
    %r = scf.for %j = %n to %n step %n iter_args(%y = %x) -> (!T) {
      %v = pl.tensor.view %y : !T -> !T
      scf.yield %v : !T
    }
    scf.yield %b, %r : !T, !T
  }
  func.return %p, %q : !T, !T
}""")
    assert returned(found["f"]) == [(None, True), (None, True)]


CALLERS = """
func.func @first(%a: !T, %b: !T) -> (!T, !T) {
  %0, %1 = func.call @second(%b, %a) : (!T, !T) -> (!T, !T)
  %2 = pl.tensor.view %b : !T -> !T
  func.return %1, %2 : !T, !T
}"""

CALLED = """
func.func @second(%a: !T, %b: !T) -> (!T, !T) {
  %0, %1 = func.call @first(%b, %a) : (!T, !T) -> (!T, !T)
  %2 = pl.tensor.assemble %a into %b[0] : !T, !T
  func.return %1, %2 : !T, !T
}"""


@pytest.mark.parametrize("text", [CALLERS + CALLED, CALLED + CALLERS], ids=["first", "second"])
def test_recursion_in_any_order(text: str):
    found = lineages(text)
    assert returned(found["second"]) == [(0, False), (1, True)]
    assert returned(found["first"]) == [(0, True), (1, False)]
