"""There and back: a module that is printed as a program and read again is the same."""

import argparse
import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.transforms.canonicalize import CanonicalizePass

from tests.frontend import test_ssa
from tests.passes import task_programs, test_chip_rail_bodies, test_contexts_by_interpretation
from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.passes.auto_derive_task_dependencies import AutoDeriveTaskDependenciesPass
from xdsl_pld.passes.derive_call_directions import DeriveCallDirectionsPass
from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.passes.lower_composite_ops import LowerCompositeOpsPass
from xdsl_pld.passes.lower_host_tensor_collectives import LowerHostTensorCollectivesPass
from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass
from xdsl_pld.passes.materialize_comm_domain_scopes import MaterializeCommDomainScopesPass
from xdsl_pld.passes.materialize_dist_tensor_ctx import MaterializeDistTensorCtxPass
from xdsl_pld.passes.pld_default_pipeline import PASSES
from xdsl_pld.passes.synthesize_allreduce_signals import SynthesizeAllreduceSignalsPass
from xdsl_pld.tools.frontend.frontend import PyPTOFrontend
from xdsl_pld.tools.frontend.python_target import PythonTarget
from xdsl_pld.tools.frontend.python_text import module_text

REPOSITORY = Path(__file__).parents[2]
OPTIONS = argparse.ArgumentParser()
OPTIONS.add_argument("--program")
OPTIONS.add_argument("-D", dest="define", action="append", default=[])
OPTIONS.add_argument("--bind", action="append", default=[])
OPTIONS.add_argument("--ranks", type=int)

EXAMPLES = sorted(file.name for file in (REPOSITORY / "examples").glob("*.py"))
CONSTRUCTS = {
    file: match.group(1)
    for file in sorted((REPOSITORY / "lit_tests" / "frontend").glob("*.py"))
    if (
        match := re.match(
            r"# RUN: pld-opt %s (.*?)(?:-t pld-python )?\| filecheck %s\n", file.read_text()
        )
    )
}
"""The lit tests that print a program, with their options."""

RAILS: dict[str, Sequence[type[ModulePass]]] = {
    "default": PASSES,
    "chip": (LowerL2TensorCollectivesPass, MaterializeDistTensorCtxPass, CanonicalizePass),
    "incore": (LowerCompositeOpsPass, CanonicalizePass),
    "host": (
        SynthesizeAllreduceSignalsPass,
        MaterializeCommDomainScopesPass,
        LowerHostTensorCollectivesPass,
        MaterializeDistTensorCtxPass,
    ),
}


@cache
def context() -> Context:
    loaded = Context()
    for name, dialect in get_all_dialects().items():
        loaded.register_dialect(name, dialect)
    loaded.load_dialect(PL)
    loaded.load_dialect(PLD)
    return loaded


def show(module: ModuleOp) -> str:
    stream = io.StringIO()
    Printer(stream=stream).print_op(module)
    return stream.getvalue()


def read(program: str | bytes, options: Sequence[str] = ()) -> ModuleOp:
    data = program if isinstance(program, bytes) else program.encode()
    frontend = PyPTOFrontend().with_options(**vars(OPTIONS.parse_args(options)))
    module = frontend.parse(context(), io.BytesIO(data), "p.py")
    module.verify()
    return module


def parsed(text: str) -> ModuleOp:
    """The module of an MLIR text."""
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def check(module: ModuleOp, text: str | None = None) -> str:
    """There and back, to the letter of the module's `text`; the program that is printed."""
    program, _ = module_text(module)
    assert show(read(program)) == (text or show(module)), program
    return program


def stages(module: ModuleOp, passes: Sequence[type[ModulePass]]) -> Iterator[str]:
    """The program after each pass that changes the module."""
    seen = show(module)
    yield check(module, seen)
    for each in passes:
        each().apply(context(), module)
        if (now := show(module)) != seen:
            seen = now
            yield check(module, now)


@pytest.mark.parametrize(
    ("name", "rail"),
    [(name, rail) for name in EXAMPLES for rail in RAILS if rail == "default" or "_4" not in name],
)
def test_each_example_at_each_stage(name: str, rail: str):
    module = read((REPOSITORY / "examples" / name).read_bytes())
    assert list(stages(module, RAILS[rail]))


@pytest.mark.parametrize("file", CONSTRUCTS, ids=lambda file: file.stem)
def test_each_construct_at_each_stage(file: Path):
    module = read(file.read_bytes(), CONSTRUCTS[file].split())
    assert list(stages(module, (DeriveCallDirectionsPass, CanonicalizePass)))


# Programs that nobody wrote as such


FEW = settings(deadline=None, max_examples=8, suppress_health_check=list(HealthCheck))


@FEW
@given(task_programs.bodies())
def test_random_tasks(nodes: Sequence[task_programs.Node]):
    program = check(module := parsed(task_programs.text_of(nodes)))
    assert program.count("self.k") == show(module).count("pl.call")
    AutoDeriveTaskDependenciesPass().apply(context(), module)
    program = check(module)
    assert program.count('"after": [') == show(module).count("pl.after")


@FEW
@given(test_chip_rail_bodies.programs())
def test_random_bodies_with_collectives(text: str):
    said_or_refused(module := parsed(text))
    LowerL2TensorCollectivesPass().apply(context(), module)
    said_or_refused(module)


@FEW
@given(test_contexts_by_interpretation.programs(consistent=True))
def test_random_windows_and_contexts(text: str):
    said_or_refused(module := parsed(text))
    MaterializeDistTensorCtxPass().apply(context(), module)
    said_or_refused(module)


@FEW
@given(test_ssa.programs())
def test_random_names_loops_and_branches(text: str):
    said_or_refused(module := read(text))
    CanonicalizePass().apply(context(), module)
    said_or_refused(module)


FOREIGN = (
    "'test.op' cannot be said",
    "'func.call' cannot be said",
    "a while condition that is no single expression",
    "a while loop that passes on other values than it carries",
    "a step that is no constant",
)
"""What random MLIR has and no program of the DSL: other dialects' ops, and other forms of loops."""


def said_or_refused(module: ModuleOp) -> None:
    try:
        check(module)
        reason = None
    except FindingsError as error:
        reason = str(error).removeprefix("error: ")
    assert reason is None or any(word in reason for word in FOREIGN)


WORDLESS = {
    "pl/attributes": "the attribute 'llvm.x'",
    "pl/calls": "the type tensor<*xf32>",
    "pl/tile": "a tile slice of a tensor",
    "pl/types": 'the view of tensor<8x64xf32, {layout = "nd"}>',
    "pld/collectives": 'the view of tensor<8x64xf32, {layout = "nd", stride = array<i64: 64, 1>',
}
"""What the DSL has no word for in the files of the dialects' tests, by file."""


@pytest.mark.parametrize(
    "name",
    [
        f"{dialect}/{file.stem}"
        for dialect in ("pl", "pld")
        for file in sorted((REPOSITORY / "lit_tests" / "dialects" / dialect).glob("*.mlir"))
        if "invalid" not in file.stem
    ],
)
def test_each_op_of_the_dialects(name: str):
    """What the dialects' tests print, but for attributes of a user."""
    text = (REPOSITORY / "lit_tests" / "dialects" / f"{name}.mlir").read_text()
    text = re.sub(r"\{user(\.\w+)?( = [^,}]*)?\}", "", text)
    module = parsed(re.sub(r"user(\.\w+)?( = [^,}]*)?, ", "", text))
    stream = io.StringIO()
    if name in WORDLESS:
        with pytest.raises(FindingsError, match=re.escape(WORDLESS[name])):
            PythonTarget().emit(context(), module, stream)
    else:
        PythonTarget().emit(context(), module, stream)  # which reads it again
    assert (stream.getvalue() == "") == (name in WORDLESS)


def test_a_condition_that_is_constant():
    """Canonicalization makes one; the frontend makes its op where the condition is."""
    text = """
import pypto.language as pl
@pl.program
class P:
    @pl.function
    def f(self, a: pl.INDEX):
        while a > 0 and a != a:
            a = a - 1
        return a
"""
    module = read(text)
    CanonicalizePass().apply(context(), module)
    assert "pl.cond(False)" in check(module)


def nest(loops: int) -> str:
    head = ["func.func @f(%n: index) {", "%c1 = arith.constant 1 : index"]
    body = [f"scf.for %i{i} = %n to %n step %c1 {{" for i in range(loops)]
    return "\n".join([*head, *body, *["}"] * loops, "func.return", "}"])


def test_nesting_as_deep_as_python_reads():
    """A function's body is at depth 2, the innermost of 96 loops at 98; Python reads up to 100."""
    check(parsed(nest(96)))
    with pytest.raises(FindingsError, match="a block at a depth of more than 98"):
        check(parsed(nest(97)))


@pytest.mark.parametrize("operands", ["%{0}, %n", "%n, %{0}"])
def test_long_expressions_are_cut(operands: str):
    """Python reads 200 parentheses in each other."""
    sums = [f"%{i + 1} = arith.addi {operands.format(i)} : index" for i in range(500)]
    text = "\n".join(["%0 = arith.addi %n, %n : index", *sums])
    module = parsed(f"func.func @f(%n: index) -> index {{\n{text}\nfunc.return %500 : index\n}}")
    assert 10 < check(module).count("\n") < 100
