"""Malformed IR: each pass refuses it where no driver has checked it, and pld-opt checks once."""

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from xdsl_pld.passes.analysis import wellformed
from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.tools.opt import main
from xdsl_pld.universe import PASSES, UNIVERSE

D = "!pld.dist_tensor<tensor<4xf32>>"

MALFORMED = {
    "a use before the definition": (
        f"""
  %v = pl.tensor.view %w : {D} -> {D}
  %w = pl.tensor.view %a : {D} -> {D}
  func.return""",
        "operand #0 ('%w') does not dominate this use",
    ),
    "a yield too short": (
        f"""
  %r = "scf.if"(%c) ({{ scf.yield %a : {D} }}, {{ scf.yield }}) : (i1) -> {D}
  func.return""",
        "scf.yield has 0 operands, but scf.if has 1 result",
    ),
    "a condition too short": (
        f"""
  %r = "scf.while"(%a) ({{
  ^before(%x: {D}):
    scf.condition(%c)
  }}, {{
  ^after(%x: {D}):
    scf.yield %x : {D}
  }}) : ({D}) -> {D}
  func.return""",
        "scf.condition has 0 arguments, but scf.while has 1 result",
    ),
    "no yield": (
        f"""
  %r = "scf.if"(%c) ({{ scf.yield %a : {D} }}, {{ "foreign.end"() : () -> () }}) : (i1) -> {D}
  func.return""",
        "a region of scf.if must end with scf.yield",
    ),
    "a branch to the entry": (
        f"""
  cf.br ^entry(%c, %b, %a : i1, {D}, {D})""",
        "branches to the entry block of its region",
    ),
}


def parse(body: str) -> ModuleOp:
    ctx = Context(allow_unregistered=True)
    for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, load)
    text = f"""
"func.func"() <{{sym_name = "f", function_type = (i1, {D}, {D}) -> ()}}> ({{
^entry(%c: i1, %a: {D}, %b: {D}):{body}
}}) {{pl.func_type = "orchestration"}} : () -> ()"""
    return Parser(ctx, text).parse_module()


def new_pass(name: str) -> ModulePass:
    return UNIVERSE.all_passes[name]()()


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize(("body", "message"), MALFORMED.values(), ids=MALFORMED)
def test_a_pass_refuses_malformed_ir(name: str, body: str, message: str):
    module = parse(body)
    before = str(module)
    with pytest.raises(PassFailedException) as raised:
        new_pass(name).apply(Context(), module)
    assert isinstance(raised.value, FindingsError)
    assert [finding.message for finding in raised.value.findings] == [message]
    assert str(module) == before


def test_pld_opt_checks_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    program = tmp_path / "in.mlir"
    program.write_text("func.func @f() { func.return }")
    checked: list[object] = []
    monkeypatch.setattr(wellformed, "check_wellformed", lambda op: checked.append(op) or [])
    assert main([str(program), "-p", PASSES[0], "-o", str(tmp_path / "out.mlir")]) == 0
    assert not checked
    assert main([str(program), "-p", PASSES[0], "--disable-verify"]) == 0
    assert checked
