"""Our passes in upstream's pass managers, and upstream's passes on our IR."""

import gc
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.traits import Pure

from xdsl_pld.mlir import add_pass, load_dialects, parse_module, print_module
from xdsl_pld.tools.mlir.text import new_context, read

LOWER = "lower-l2-tensor-collectives"
MATERIALIZE = "materialize-dist-tensor-ctx"
UPSTREAM = ("canonicalize", "cse", "loop-invariant-code-motion", "inline", "symbol-dce")
STAGES = ("", LOWER, f"{LOWER},{MATERIALIZE}")
EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.mlir"))


def spelt_out(text: str) -> str:
    types = {
        "DATA": "!pld.dist_tensor<tensor<8x64xf32>>",
        "SIGNAL": "!pld.dist_tensor<tensor<2x4xi32>>",
        "LOCAL": "tensor<8x64xf32>",
    }
    for name, type_ in types.items():
        text = text.replace(name, type_)
    return text


# Every operation with effects, in loops and domains, with results that nobody uses.
EFFECTS = spelt_out("""
func.func private @k(LOCAL, DATA)
  attributes {pl.func_type = "incore", pl.arg_attrs = [{pl.dir = "out"}, {pl.dir = "inout"}]}
func.func @chip(%t: LOCAL, %d: DATA,
    %s: SIGNAL, %p: i32, %v: f32, %n: index)
    attributes {pl.func_type = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pl.call @k(%t, %d) : (LOCAL, DATA) -> ()
    pl.call @k(%t, %d) : (LOCAL, DATA) -> ()
    %id = pl.submit @k(%t, %d) : (LOCAL, DATA) -> !pl.task_id
    %b0 = pld.tensor.barrier %s : SIGNAL
    %b1 = pld.tensor.barrier %s : SIGNAL
    %r0 = pld.tensor.allreduce %d, %s {op = "sum"} : DATA, SIGNAL
    %w0 = pl.tensor.write %v into %t[0, 0] : f32, LOCAL
    %w1 = pl.tensor.write %v into %t[0, 0] : f32, LOCAL
    pld.tensor.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : LOCAL, DATA
    pld.tensor.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : LOCAL, DATA
    pld.tensor.get %d[0, 0] into %t[0, 0] [4, 64] peer(%p) : DATA, LOCAL
    pld.system.notify %s[0, 0] peer(%p) value(%p) {op = "set"} : SIGNAL, i32, i32
    pld.system.notify %s[0, 0] peer(%p) value(%p) {op = "set"} : SIGNAL, i32, i32
    pld.system.wait %s[0, 0] expected(%p) {cmp = "ge"} : SIGNAL, i32
    pld.system.wait %s[0, 0] expected(%p) {cmp = "ge"} : SIGNAL, i32
  }
  func.return
}
""")

DOMAIN = spelt_out("""
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %bytes = arith.constant 2048 : index
  %w = pld.comm_domain attributes {name = "d0", slots = ["data"]} -> DATA {
    %b = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
    %x = pld.tensor.window %b : !pld.window_buffer -> DATA
    pld.yield %x : DATA
  }
  pld.comm_domain attributes {name = "d1", slots = ["more"]} {
    %b = pld.tensor.alloc_window_buffer %bytes {name = "more"} : !pld.window_buffer
  }
  func.return
}
""")

MISTAKE = """
func.func @chip(%i: tensor<8x64xf32>, %t: !pld.dist_tensor<tensor<8x64xf32>>,
    %s: !pld.dist_tensor<tensor<2x1xi32>>, %c: tensor<2x1xi32>,
    %r: !pld.dist_tensor<tensor<2x1xi32>>, %n: index) attributes {pl.func_type = "orchestration"} {
  %d = pld.tensor.all_to_all_v %i, %t, %s, %c, %r core_num(%n)
    : tensor<8x64xf32>, !pld.dist_tensor<tensor<8x64xf32>>, !pld.dist_tensor<tensor<2x1xi32>>,
      tensor<2x1xi32>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}
"""


def xdsl_module(module: Any) -> Operation:
    text = module.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=True, use_local_scope=True
    )
    return read(new_context(), text, "module")


def trace(module: Any) -> list[tuple[str, ...]]:
    """What has effects, in textual order, each with the operations around it."""

    def path(op: Operation | None) -> Iterator[str]:
        while op is not None:
            symbol = op.get_attr_or_prop("sym_name") or op.get_attr_or_prop("callee")
            yield op.name if symbol is None else f"{op.name} {symbol}"
            op = op.parent_op()

    return [
        tuple(path(op))
        for op in xdsl_module(module).walk()
        if op.name.startswith(("pl.", "pld."))
        and not op.has_trait(Pure)
        and op.name not in ("pl.tensor.read", "pl.tile.load", "pl.tensor.create")
    ]


def run(mlir: Any, module: Any, *passes: str) -> None:
    """Runs passes in one pass manager, ours and upstream's in turn."""
    pass_manager = mlir.pass_manager("builtin.module()")
    for name in passes:
        add = add_pass if name.startswith((LOWER, MATERIALIZE)) else type(pass_manager).add
        add(pass_manager, name)
    pass_manager.run(module.operation)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_survives_upstream_passes(mlir: Any, context: Any, example: Path, stage: str):
    module = parse_module(example.read_text(encoding="utf-8"), context, example.name)
    if stage:
        run(mlir, module, stage)
    before = trace(module)
    assert any(op.startswith(("pl.call", "pld.tensor.")) for op, *_ in before)
    run(mlir, module, *UPSTREAM, *UPSTREAM)
    assert module.operation.verify()
    assert trace(module) == before


def test_nothing_with_effects_is_lost_merged_or_moved(mlir: Any, context: Any):
    module = parse_module(EFFECTS, context)
    before = trace(module)
    assert len(before) == 15
    run(mlir, module, *UPSTREAM, *UPSTREAM)
    assert trace(module) == before


def test_a_communication_domain_survives(mlir: Any, context: Any):
    if not mlir.has_traits:
        pytest.skip(f"{mlir.package} attaches no traits: no terminators from IRDL")
    module = parse_module(DOMAIN, context)
    before = trace(module)
    run(mlir, module, *UPSTREAM, MATERIALIZE, *UPSTREAM)
    assert trace(module) == before
    assert "pld.yield %x" in print_module(module.operation)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_one_pass_manager_runs_upstream_passes_and_ours_in_turn(
    mlir: Any, context: Any, example: Path
):
    text = example.read_text(encoding="utf-8")
    module = parse_module(text, context, example.name)
    ordered = ("canonicalize", "cse", LOWER, "inline", MATERIALIZE, "symbol-dce")
    run(mlir, module, *ordered)
    lowered = print_module(module.operation)
    names = operations(lowered)
    if example.stem.startswith("chip_pipeline"):
        assert "pld.tensor.all_to_all_v" not in names
        assert re.search(r"pl\.call @__builtin_all_to_all_v__fp32\(.*, %data_ctx, ", lowered)
    # On every rail: the launches that were there, or that a collective of a chip became.
    before = operations(text)
    exchanges = lowered.count("pl.call @__builtin")
    assert names.count("pl.call") == before.count("pl.call") + exchanges
    assert names.count("pl.submit") == before.count("pl.submit")


def operations(text: str) -> list[str]:
    """The names of our operations in a text in custom form, in order."""
    return re.findall(r"\b(pl\.(?:call|submit)|pld\.tensor\.\w+)\b", text)


def test_the_result_is_that_of_the_driver(
    mlir: Any, context: Any, capsys: pytest.CaptureFixture[str]
):
    from xdsl_pld.tools.opt import main

    module = parse_module(EXAMPLES[0].read_text(encoding="utf-8"), context)
    run(mlir, module, f"{LOWER},{MATERIALIZE}")
    assert main([str(EXAMPLES[0]), "-p", f"{LOWER},{MATERIALIZE}"]) == 0
    expected = Parser(new_context(), capsys.readouterr().out).parse_module()
    # MLIR sorts attributes by name: equal, though not as text.
    assert xdsl_module(module).is_structurally_equivalent(expected)


def test_pure_operations_are_merged_and_hoisted(mlir: Any, context: Any):
    if not mlir.has_traits:
        pytest.skip(f"{mlir.package} attaches no traits: nothing is pure")
    text = """
    func.func @f(%c: !pld.comm_ctx, %n: index) -> (i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (i32) {
        %r = pld.system.rank %c : i32
        %q = pld.system.rank %c : i32
        %t = arith.addi %r, %q : i32
        %u = arith.addi %t, %s : i32
        scf.yield %u : i32
      }
      func.return %sum : i32
    }
    """
    module = parse_module(text, context)
    run(mlir, module, "cse", "loop-invariant-code-motion")
    ranks = [op for op in xdsl_module(module).walk() if op.name == "pld.system.rank"]
    assert [op.parent_op().name for op in ranks] == ["func.func"]  # type: ignore[union-attr]


# Names and locations


def test_names_and_locations_survive(mlir: Any, context: Any):
    text = """
    func.func @f(%arg: tensor<8x64xf32>, %n: index) -> (index, index) {
      %left, %right = "two.results"(%arg) : (tensor<8x64xf32>) -> (index, index)
      %sum = arith.addi %left, %right : index
      func.return %sum, %right : index, index
    }
    """
    module = parse_module(text, context, "names.mlir")
    run(mlir, module, "canonicalize", LOWER, "cse", MATERIALIZE)
    printed = print_module(module.operation)
    assert "func.func @f(%arg: tensor<8x64xf32>, %n: index)" in printed
    assert '%left, %right = "two.results"(%arg)' in printed
    assert "%sum = arith.addi %left, %right : index" in printed
    located = module.operation.get_asm(enable_debug_info=True, use_local_scope=True)
    assert 'loc("sum"("names.mlir":4:7))' in located
    assert 'loc("arg"("names.mlir":2:18))' in located


@pytest.mark.parametrize(
    "location",
    [
        "unknown",
        '"f.mlir":3:4',
        '"some/scope"("f.mlir":3:4)',
        '"bare name"',
        '"1st"("f.mlir":3:4)',
        '"x_1"("f.mlir":3:4)',
        '"\\C3\\A9t\\C3\\A9"("f.mlir":3:4)',
        r'"a\\C3"("f.mlir":3:4)',
        'callsite("f.mlir":3:4 at "g.mlir":5:6)',
        'fused["f.mlir":3:4, "g.mlir":5:6]',
    ],
)
def test_any_location_survives(mlir: Any, context: Any, location: str):
    text = f'module {{ %x = "x.op"() : () -> index loc({location}) }}'
    module = mlir.ir.Module.parse(text)
    before = str(module.body.operations[0].location)
    for _ in range(2):
        run(mlir, module, LOWER)
    assert str(module.body.operations[0].location) == before


@pytest.mark.parametrize(
    ("location", "kept"),
    [
        ('"f.mlir":3:4 to :9', '"f.mlir":3:4'),
        ('"f.mlir":3:4 to 5:6', '"f.mlir":3:4'),
        ('fused<"inlined">["f.mlir":3:4, "g.mlir":5:6]', 'fused["f.mlir":3:4, "g.mlir":5:6]'),
    ],
)
def test_what_xdsl_cannot_hold_of_a_location_is_dropped(
    mlir: Any, context: Any, location: str, kept: str
):
    module = mlir.ir.Module.parse(f'module {{ %x = "x.op"() : () -> index loc({location}) }}')
    run(mlir, module, LOWER)
    assert str(module.body.operations[0].location) == f"loc({kept})"


def test_the_module_keeps_its_own_attributes(mlir: Any, context: Any):
    module = mlir.ir.Module.parse("module @m attributes {a.b = 1} { func.func @f() { return } }")
    run(mlir, module, LOWER)
    assert str(module).startswith("module @m attributes {a.b = 1 : i64} {\n  func.func @f()")


# Errors


def errors(mlir: Any, context: Any, work: Callable[[], None]) -> list[tuple[str, str]]:
    """Location and message of each error that a diagnostic handler sees."""
    seen: list[tuple[str, str]] = []

    def handler(diagnostic: Any) -> bool:
        seen.append((str(diagnostic.location), diagnostic.message))
        return True

    context.emit_error_diagnostics = True
    with context.attach_diagnostic_handler(handler):
        with pytest.raises(mlir.ir.MLIRError, match="Failure while executing pass pipeline"):
            work()
    return seen


def test_a_mistake_comes_back_as_a_diagnostic_with_its_location(mlir: Any, context: Any):
    module = parse_module(MISTAKE, context, "mistake.mlir")
    before = str(module)
    (error,) = errors(mlir, context, lambda: run(mlir, module, "canonicalize", LOWER))
    assert error == (
        'loc("mistake.mlir":5:3)',
        "core_num must be a compile-time constant on the chip rail\n"
        "mistake.mlir:4:44: note: core_num comes from here\n"
        "note: write an arith.constant, or arith on constants that folds; only the host rail takes "
        "a run-time core_num",
    )
    assert str(module) == before


def test_without_a_handler_the_exception_holds_the_diagnostic(mlir: Any, context: Any):
    module = parse_module(MISTAKE, context, "mistake.mlir")
    with pytest.raises(mlir.ir.MLIRError) as caught:
        run(mlir, module, LOWER)
    (diagnostic,) = caught.value.error_diagnostics
    assert str(diagnostic.location) == 'loc("mistake.mlir":5:3)'
    assert 'error: "mistake.mlir":5:3: core_num must be a compile-time constant' in str(
        caught.value
    )


def test_ir_that_we_refuse_is_reported_at_its_operation(mlir: Any, context: Any):
    text = """
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
        %0 = "arith.constant"() {value = 1 : index} : () -> index loc("q.mlir":1:2)
        "pl.call"(%0) : (index) -> () loc("q.mlir":5:6)
        "func.return"() : () -> ()
      }) : () -> ()
    """
    module = mlir.ir.Module.parse(text)
    (error,) = errors(mlir, context, lambda: run(mlir, module, LOWER))
    assert error[0] == 'loc("q.mlir":5:6)'
    assert "operandSegmentSizes" in error[1]


def test_a_type_that_we_cannot_read_is_reported_at_its_operation(mlir: Any, context: Any):
    text = """
      func.func @f() {
        "x.before"() ({ "x.inner"() : () -> () loc("q.mlir":2:3) }) : () -> () loc("q.mlir":3:4)
        %0:2 = "x.op"() {note = "= \\22quoted\\22("} : () -> (i32, !pl.tile<i32>) loc("q.mlir":5:6)
        "x.after"() : () -> () loc("q.mlir":7:8)
        return
      }
    """
    module = mlir.ir.Module.parse(text)
    (error,) = errors(mlir, context, lambda: run(mlir, module, LOWER))
    assert error == ('loc("q.mlir":5:6)', "!pl.tile takes a ranked tensor type, not i32")


def test_verification_speaks_before_the_pass(mlir: Any, context: Any):
    text = """
      func.func @f() attributes {pl.func_type = "nonsense"} {
        return loc(unknown)
      } loc("v.mlir":7:8)
    """
    module = mlir.ir.Module.parse(text)
    (error,) = errors(mlir, context, lambda: run(mlir, module, LOWER))
    assert error[0] == 'loc("v.mlir":7:8)'
    assert "pl.func_type" in error[1]


def test_a_pass_manager_on_functions_is_told_so(mlir: Any, context: Any):
    module = mlir.ir.Module.parse('func.func @f() { return } loc("f.mlir":1:2)')
    pass_manager = mlir.pass_manager("func.func(cse)")
    add_pass(pass_manager, LOWER)
    function = module.body.operations[0].operation
    (error,) = errors(mlir, context, lambda: pass_manager.run(function))
    assert "runs on builtin.module, not on func.func" in error[1]


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("lower-l2-tensor-collective", "did you mean 'lower-l2-tensor-collectives'?"),
        ("", "empty"),
        (f"{LOWER}{{", "pass pipeline"),
        (f"{LOWER}{{x=1}}", '["x"] not found'),
    ],
)
def test_a_wrong_pipeline_is_refused_at_once(mlir: Any, context: Any, pipeline: str, message: str):
    with pytest.raises(ValueError, match=re.escape(message)):
        add_pass(mlir.pass_manager("builtin.module()"), pipeline)


def test_only_bindings_are_taken():
    with pytest.raises(TypeError, match="no MLIR Python bindings"):
        load_dialects(3)  # type: ignore[arg-type]


# Ownership and threads


def test_dialects_are_loaded_once(mlir: Any, context: Any):
    assert load_dialects(context) == []
    with mlir.ir.Context() as other:
        missing = load_dialects(other)
        assert (missing == []) == mlir.has_traits
        assert (
            parse_module(DOMAIN, other) if mlir.has_traits else "pld.yield: IsTerminator" in missing
        )


def test_many_runs_leave_no_dangling_operations(mlir: Any, context: Any):
    module = parse_module(EFFECTS, context)
    module.body.append(mlir.ir.Operation.create("user.first", [mlir.ir.IndexType.get()]))
    first = module.body.operations[len(module.body.operations) - 1]
    module.body.append(mlir.ir.Operation.create("user.second", [], [first.operation.result]))
    del first
    expected = trace(module)
    for _ in range(5):
        run(mlir, module, MATERIALIZE, "cse")
        gc.collect()
        assert module.operation.verify()
    assert trace(module) == expected
    assert "user.second" in str(module)


def test_upstream_threads_and_other_python_threads(mlir: Any):
    functions = "".join(
        f"""func.func @f{i}(%c: !pld.comm_ctx) -> (i32) {{
          %r = pld.system.rank %c : i32
          %s = pld.system.rank %c : i32
          %t = arith.addi %r, %s : i32
          func.return %t : i32
        }}\n"""
        for i in range(60)
    )
    results: list[int] = []

    def work() -> None:
        with mlir.ir.Context() as context, mlir.ir.Location.unknown():
            load_dialects(context)
            module = parse_module(functions, context)
            run(mlir, module, "func.func(cse,canonicalize)", MATERIALIZE, "func.func(cse)")
            results.append(str(module).count("pld.system.rank"))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [60 if mlir.has_traits else 120] * 2
