"""Properties: what passes declare, what their order allows, and what is verified when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_pld.passes import properties
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import ESTABLISHED_BY, Property, violations
from xdsl_pld.passes.properties.chain import PropertyChain, order_error
from xdsl_pld.tools import opt
from xdsl_pld.tools.diagnostics import from_finding
from xdsl_pld.tools.reader import LocatingParser
from xdsl_pld.universe import PASSES, UNIVERSE

RETURNS, DIRECTIONS, SCOPES, CONTEXTS = Property

TABLE: dict[str, tuple[tuple[Property, ...], tuple[Property, ...], tuple[Property, ...]]] = {
    "normalize-return-order": ((), (RETURNS,), ()),
    "lower-composite-ops": ((), (), (DIRECTIONS, CONTEXTS)),
    "fuse-create-assemble-to-slice": ((), (), (DIRECTIONS, CONTEXTS)),
    "lower-l2-tensor-collectives": ((), (), (DIRECTIONS, CONTEXTS)),
    "legalize-spmd-launches": ((RETURNS,), (), ()),
    "derive-call-directions": ((), (DIRECTIONS,), ()),
    "auto-derive-task-dependencies": ((DIRECTIONS,), (), ()),
    "synthesize-allreduce-signals": ((), (), (SCOPES,)),
    "materialize-comm-domain-scopes": ((), (SCOPES,), ()),
    "lower-host-tensor-collectives": ((SCOPES,), (), ()),
    "materialize-dist-tensor-ctx": ((RETURNS,), (CONTEXTS,), ()),
}
"""Requires, produces, breaks: the table in design.md."""


def pass_named(name: str) -> ModulePass:
    return UNIVERSE.all_passes[name]()()


# The declarations


@pytest.mark.parametrize("name", [name for name in PASSES if name in TABLE])
def test_passes_declare_what_the_design_says(name: str):
    declared = pass_named(name)
    assert isinstance(declared, PldPass)
    assert (declared.requires, declared.produces, declared.breaks) == TABLE[name]


def test_a_property_is_established_by_the_pass_that_produces_it():
    produced = {p: name for name, (_, produces, _) in TABLE.items() for p in produces}
    assert produced == ESTABLISHED_BY


@pytest.mark.parametrize("name", PASSES)
def test_what_is_declared_can_be_verified(name: str):
    declared = pass_named(name)
    assert isinstance(declared, PldPass)
    for wanted in (*declared.requires, *declared.produces):
        assert violations(wanted, ModuleOp([])) == []


def test_every_verifier_is_a_property_s():
    """A file whose name is no property's would never be asked."""
    folder = Path(properties.__path__[0])
    files = {file.stem for file in folder.glob("*.py")} - {"__init__", "chain"}
    assert files <= {each.replace("-", "_") for each in Property}
    for file in files:
        assert callable(import_module(f"xdsl_pld.passes.properties.{file}").violations)


# The order


@dataclass(frozen=True)
class Fake(PldPass):
    """A pass that does nothing but declare."""

    name = "fake"
    change: ClassVar[Callable[[ModuleOp], None] | None] = None

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        if (change := type(self).change) is not None:
            change(module)


def fake(
    name: str,
    *,
    requires: Sequence[Property] = (),
    produces: Sequence[Property] = (),
    breaks: Sequence[Property] = (),
) -> PldPass:
    declared = {
        "name": name,
        "requires": tuple(requires),
        "produces": tuple(produces),
        "breaks": tuple(breaks),
    }
    return type("DeclaringPass", (Fake,), declared)()


makes = fake("makes", produces=[CONTEXTS])
makes_again = fake("makes-again", produces=[CONTEXTS])
breaks_it = fake("breaks-it", breaks=[CONTEXTS])
breaks_other = fake("breaks-other", breaks=[DIRECTIONS])
renews = fake("renews", produces=[CONTEXTS], breaks=[CONTEXTS])
needs = fake("needs", requires=[CONTEXTS])
foreign = CanonicalizePass()

ALLOWED = {
    "nothing": [],
    "a break before": [breaks_it, makes],
    "another property": [makes, breaks_other],
    "restored": [makes, breaks_it, makes],
    "restored by another": [makes, breaks_it, foreign, makes_again],
    "restored by itself": [makes, renews],
    "nothing produced": [breaks_it, breaks_it],
    "a requirement unmet by the order: the module may hold it": [breaks_it, needs],
}


@pytest.mark.parametrize("passes", ALLOWED.values(), ids=ALLOWED)
def test_an_order_that_may_work(passes: Sequence[ModulePass]):
    assert order_error(passes) is None


REFUSED = {
    "broken": ([makes, breaks_it], "breaks-it", "makes"),
    "broken later": ([makes, foreign, needs, breaks_it, foreign], "breaks-it", "makes"),
    "broken again": ([makes, breaks_it, makes_again, breaks_it], "breaks-it", "makes-again"),
}


@pytest.mark.parametrize(("passes", "breaker", "maker"), REFUSED.values(), ids=REFUSED)
def test_an_order_that_cannot_work(passes: Sequence[ModulePass], breaker: str, maker: str):
    assert order_error(passes) == (
        f"pass '{breaker}' breaks 'dist-tensor-ctx-materialized', which '{maker}' has established "
        f"before it, and no later pass restores it: run '{breaker}' before '{maker}'"
    )


@pytest.mark.parametrize("first", ["materialize-dist-tensor-ctx", "derive-call-directions"])
def test_the_chip_rail_comes_before_contexts_and_directions(first: str):
    (produced,) = TABLE[first][1]
    earlier = pass_named(first) if first in PASSES else fake(first, produces=[produced])
    assert order_error([pass_named("lower-l2-tensor-collectives"), earlier]) is None
    error = order_error([earlier, pass_named("lower-l2-tensor-collectives")])
    assert error is not None
    assert f"'lower-l2-tensor-collectives' breaks '{produced}', which '{first}'" in error


def test_a_wrong_order_is_a_wrong_command_line(capsys: pytest.CaptureFixture[str]):
    order = "materialize-dist-tensor-ctx,lower-l2-tensor-collectives"
    assert opt.main(["no-such-file.mlir", "-p", order]) == 2
    assert "argument -p/--passes: pass 'lower-l2-tensor-collectives' breaks" in (
        capsys.readouterr().err
    )
    assert opt.main(["no-such-file.mlir", "-p", order, "--no-property-checks"]) == 1


# The IR


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[Property]:
    """What was verified, in order; the module's attribute `broken` names what does not hold."""
    asked: list[Property] = []

    def verify(wanted: Property, module: ModuleOp) -> list[Finding]:
        asked.append(wanted)
        broken = module.attributes.get("broken") == StringAttr(wanted)
        return [Finding(module, "it is broken", (Note("here"),))] if broken else []

    monkeypatch.setattr("xdsl_pld.passes.properties.chain.violations", verify)
    return asked


def texts(error: FindingsError) -> list[str]:
    return [f.message for f in error.findings] + [
        n.message for f in error.findings for n in f.notes
    ]


def run(passes: Sequence[ModulePass], module: ModuleOp) -> None:
    """As `pld-opt` does."""
    chain = PropertyChain()
    for each in passes:
        chain.before(each, module)
        each.apply(Context(), module)
        chain.after(each, module)


def test_what_is_verified_when(verified: list[Property]):
    run([makes, foreign, needs, breaks_it, needs, foreign, makes_again], ModuleOp([]))
    # After makes, canonicalize, needs (whose requirement was just verified); once it is broken,
    # before needs alone; after makes-again.
    assert verified == [CONTEXTS] * 5


def breaking(produced: Property) -> PldPass:
    """A pass that breaks a property without saying so."""

    def change(module: ModuleOp) -> None:
        module.attributes["broken"] = StringAttr(produced)

    return type("BreakingPass", (Fake,), {"name": "quiet", "change": staticmethod(change)})()


@pytest.mark.usefixtures("verified")
def test_the_pass_is_named_after_which_a_property_no_longer_holds():
    with pytest.raises(FindingsError) as raised:
        run([makes, foreign, breaking(CONTEXTS), foreign], ModuleOp([]))
    assert texts(raised.value) == [
        "it is broken",
        "here",
        "'dist-tensor-ctx-materialized' no longer holds after pass 'quiet'; 'makes' had "
        "established it",
    ]


@pytest.mark.usefixtures("verified")
def test_a_pass_is_named_that_does_not_establish_what_it_says():
    with pytest.raises(FindingsError) as raised:
        run([makes], ModuleOp([], attributes={"broken": StringAttr(CONTEXTS)}))
    assert texts(raised.value)[-1] == (
        "after pass 'makes', which should have established 'dist-tensor-ctx-materialized'; please "
        "report this, with the input"
    )


@pytest.mark.usefixtures("verified")
def test_a_requirement_names_the_pass_that_establishes_it():
    with pytest.raises(FindingsError) as raised:
        run([needs], ModuleOp([], attributes={"broken": StringAttr(CONTEXTS)}))
    assert texts(raised.value)[-1] == (
        "pass 'needs' requires 'dist-tensor-ctx-materialized': run 'materialize-dist-tensor-ctx' "
        "before it"
    )


@pytest.mark.usefixtures("verified")
def test_what_is_declared_broken_or_was_never_established_may_not_hold():
    broken = ModuleOp([], attributes={"broken": StringAttr(CONTEXTS)})
    run([foreign, breaks_it], broken)
    module = ModuleOp([])
    run([makes, fake("breaks", breaks=[CONTEXTS]), breaking(CONTEXTS)], module)


def test_properties_of_malformed_ir_are_not_asked_for(verified: list[Property]):
    ctx = Context()
    for name, load in get_all_dialects().items():
        ctx.register_dialect(name, load)
    module = Parser(
        ctx,
        """
func.func @f(%c: i1) {
  %r = "scf.if"(%c) ({ scf.yield %c : i1 }, { scf.yield }) : (i1) -> i1
  func.return
}""",
    ).parse_module()
    with pytest.raises(FindingsError) as raised:
        PropertyChain().before(needs, module)
    assert texts(raised.value)[0] == "scf.yield has 0 operands, but scf.if has 1 result"
    assert verified == []


# The verifiers


def found(wanted: Property, text: str) -> list[str]:
    """The findings and notes on a module, with the lines that they stand on; the first is 1."""
    ctx = Context()
    for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, load)
    module = LocatingParser(ctx, text.replace("!D", "!pld.dist_tensor<tensor<4xf32>>"), "-").read(
        allow_implicit_module=True
    )
    assert isinstance(module, ModuleOp)
    module.verify()
    lines: list[str] = []
    for finding in violations(wanted, module):
        diagnostic = from_finding(finding)
        for remark in (diagnostic.error, *diagnostic.notes):
            assert remark.location is not None
            lines.append(f"{remark.location.line}: {remark.message}")
    return lines


def test_contexts_are_not_materialized():
    assert found(
        CONTEXTS,
        """func.func private @done(!D, !pld.comm_ctx)
  attributes {pl.func_type = "incore", pl.arg_attrs = [{}, {pld.ctx_of = 0 : index}]}
func.func private @declared(i32, !D) attributes {pl.func_type = "incore"}
func.func @f(%a: !D, %b: !D, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index})
    attributes {pl.func_type = "orchestration"} {
  %q = pld.system.get_comm_ctx %b : !D
  %i = arith.constant 0 : i32
  pl.call @declared(%i, %a) : (i32, !D) -> ()
  pl.call @done(%a, %a_ctx) : (!D, !pld.comm_ctx) -> ()
  pl.call @done(%b, %a_ctx) : (!D, !pld.comm_ctx) -> ()
  func.return
}
func.func @host(%n: index) attributes {pl.level = "host", pl.role = "orchestrator"} {
  %buffer = pld.tensor.alloc_window_buffer %n {name = "w"} : !pld.window_buffer
  %w = pld.tensor.window %buffer : !pld.window_buffer -> !D
  %q = pld.system.get_comm_ctx %w : !D
  func.return
}""",
    ) == [
        "3: parameter 1 of 'declared' is a distributed tensor without a context parameter",
        "4: parameter 1 'b' of 'f' is a distributed tensor without a context parameter",
        "6: context query left in 'f'",
        "4: it asks for 'b'",
        "10: @done gets 'a_ctx' as the context of 'b', but it is not the context of 'b'",
        "4: 'b' is defined here",
        "4: 'a_ctx' is defined here",
    ]


def test_returns_are_not_explicit():
    assert found(
        RETURNS,
        """func.func @k(%a: !D, %b: !D) -> (!D, !D) attributes {pl.func_type = "graph"} {
  %w = pl.tensor.assemble %b into %a[0] : !D, !D
  func.return %b, %w : !D, !D
}""",
    ) == [
        "3: result 1 of 'k' is its parameter 'a', but the return names 'w'",
        "2: 'w' is defined here",
    ]


def test_a_return_of_a_name_that_was_bound_again():
    """`a = pl.assemble(a, b, ..)` in a program: two values, one name in the source."""
    assert found(
        RETURNS,
        """func.func @k(%a: !D, %b: !D) -> !D attributes {pl.func_type = "graph"} {
  %a_1 = pl.tensor.assemble %b into %a[0] : !D, !D
  func.return %a_1 : !D
}""",
    ) == [
        "3: result 0 of 'k' is its parameter 'a', but the return names another value, 'a' too",
        "2: 'a' is defined here",
    ]
