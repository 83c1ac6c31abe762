"""The IRDL of dialect `pld` in a real MLIR: what it accepts, and what it refuses."""

import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from xdsl.dialects.irdl import irdl
from xdsl.traits import IsTerminator, NoTerminator, Pure

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.pld.collectives import MANAGED_COLLECTIVES
from xdsl_pld.tools.irdl import REFUSED, export_dialect, irdl_text
from xdsl_pld.tools.mlir.mlir_opt import find_executable
from xdsl_pld.tools.opt import main

T = "tensor<8x64xf32>"
D = f"!pld.dist_tensor<{T}>"
SIGNAL = "!pld.dist_tensor<tensor<2x4xi32>>"
COUNTS = "tensor<2x1xi32>"
RECV = "!pld.dist_tensor<tensor<2x1xi32>>"
TILE = "!pl.tile<tensor<1x64xf32>>"
BUFFER = "!pld.window_buffer"
CTX = "!pld.comm_ctx"
ZEROS = "array<i64: 0, 0>"
SIZES = "array<i64: 1, 64>"
ONE_DYNAMIC = f"array<i64: {-(2**63)}, 0>"


@dataclass(frozen=True)
class Sample:
    """One valid operation in generic form."""

    operands: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    attributes: str = ""

    def text(self, name: str) -> str:
        arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.operands))
        values = ", ".join(f"%a{i}" for i in range(len(self.operands)))
        types = ", ".join(self.operands)
        defines = "%r = " if self.results else ""
        host = 'attributes {pl.level = "host", pl.role = "orchestrator"}'
        return (
            f"func.func @f({arguments}) {host} {{\n"
            f'  {defines}"{name}"({values}) {{{self.attributes}}} : ({types}) -> '
            f"({', '.join(self.results)})\n"
            "  func.return\n"
            "}\n"
        )

    def with_operand(self, index: int, type_: str) -> "Sample":
        operands = (*self.operands[:index], type_, *self.operands[index + 1 :])
        return Sample(operands, self.results, self.attributes)


DYNAMIC = -(2**63)
COPY = (
    f"static_source_offsets = array<i64: 0, {-(2**63)}>, static_destination_offsets = "
    f"array<i64: 0, {-(2**63)}>, static_sizes = array<i64: 1, {-(2**63)}>, "
    "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>"
)
COPY_INDICES = ("index", "index", "index", "i32")


def dispatch(roles: int, core_num: bool) -> str:
    return f"operandSegmentSizes = array<i32: {roles}, 1, {int(core_num)}>"


SAMPLES = {
    "pld.tensor.alloc_window_buffer": Sample(("index",), (BUFFER,), 'name = "b"'),
    "pld.tensor.window": Sample((BUFFER,), (D,)),
    "pld.system.world_size": Sample((), ("index",)),
    "pld.system.get_comm_ctx": Sample((D,), (CTX,)),
    "pld.system.rank": Sample((CTX,), ("i32",)),
    "pld.system.nranks": Sample((CTX,), ("i32",)),
    "pld.system.notify": Sample(
        (SIGNAL, "index", "i32", "i32"), (), f'static_offsets = {ONE_DYNAMIC}, op = "set"'
    ),
    "pld.system.wait": Sample(
        (SIGNAL, "index", "i32"), (), f'static_offsets = {ONE_DYNAMIC}, cmp = "ge"'
    ),
    "pld.tensor.all_to_all_v": Sample((T, D, SIGNAL, COUNTS, RECV, "index"), (D,)),
    "pld.tensor.indexed_all_to_all_v": Sample(
        (T, D, SIGNAL, RECV, RECV, "tensor<8xi32>", "index"), (D,)
    ),
    "pld.tensor.all_to_all": Sample((T, D, SIGNAL), (D,)),
    "pld.tensor.allgather": Sample((T, D, SIGNAL), (D,)),
    "pld.tensor.allreduce": Sample(
        (D, SIGNAL, "index"),
        (D,),
        'op = "sum", mode = "ring", operandSegmentSizes = array<i32: 1, 1, 1>',
    ),
    "pld.tensor.reduce_scatter": Sample((D, SIGNAL), (D,), 'op = "max"'),
    "pld.tensor.broadcast": Sample((D, SIGNAL), (D,), "root = 1 : i64"),
    "pld.tensor.barrier": Sample((SIGNAL,), (SIGNAL,)),
    "pld.tensor.put": Sample((T, D, *COPY_INDICES), (), f'{COPY}, atomic = "none"'),
    "pld.tensor.get": Sample((D, T, *COPY_INDICES), (), COPY),
    "pld.tile.put": Sample((T, D, *COPY_INDICES), (), f'{COPY}, atomic = "add"'),
    "pld.tile.get": Sample((D, T, *COPY_INDICES), (), COPY),
    "pld.tile.remote_load": Sample(
        (D, "i32"),
        (TILE,),
        f"static_offsets = {ZEROS}, static_sizes = {SIZES}, static_valid = array<i64>, "
        "operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>",
    ),
    "pld.tile.remote_store": Sample(
        (TILE, D, "index", "i32"), (), f'static_offsets = {ONE_DYNAMIC}, atomic = "add"'
    ),
    "pld.builtin.all_to_all_v": Sample(
        (T, D, SIGNAL, COUNTS, RECV, "index", "index"), (), dispatch(5, True)
    ),
    "pld.builtin.all_to_all": Sample((T, D, SIGNAL, "index"), (), dispatch(3, False)),
    "pld.builtin.allgather": Sample((T, D, SIGNAL, "index"), (), dispatch(3, False)),
    "pld.builtin.allreduce": Sample(
        (D, SIGNAL, "index"), (), f'op = "sum", mode = "mesh", {dispatch(2, False)}'
    ),
    "pld.builtin.reduce_scatter": Sample(
        (D, SIGNAL, "index"), (), f'op = "min", {dispatch(2, False)}'
    ),
    "pld.builtin.broadcast": Sample((D, SIGNAL, "index"), (), dispatch(2, False)),
    "pld.builtin.barrier": Sample((SIGNAL, "index"), (), dispatch(1, False)),
}
"""A valid operation of each kind; comm_domain and yield take any operands, or none."""


@pytest.fixture(scope="module")
def irdl_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("irdl") / "pld.irdl.mlir"
    file.write_text(irdl_text("pld"), encoding="utf-8")
    return file


def upstream(irdl_file: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    executable = find_executable("heir-opt")
    assert executable is not None
    command = [executable, f"--irdl-file={irdl_file}", "--allow-unregistered-dialect", *flags]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_there_is_a_sample_of_each_operation():
    structural = {
        op.name for op in PLD.operations if op.has_trait(IsTerminator) or op.has_trait(NoTerminator)
    }
    assert structural == {"pld.comm_domain", "pld.yield"}
    assert {op.name for op in PLD.operations} - structural == set(SAMPLES)


def test_upstream_accepts_each_operation(irdl_file: Path):
    text = "// -----\n".join(sample.text(name) for name, sample in SAMPLES.items())
    done = upstream(irdl_file, text, "--split-input-file")
    assert (done.stderr, done.returncode) == ("", 0)
    assert [name for name in SAMPLES if f'"{name}"' not in done.stdout] == []


def test_our_parser_accepts_the_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "samples.mlir"
    chunks = [sample.text(name) for name, sample in SAMPLES.items()]
    file.write_text("// -----\n".join(chunks), encoding="utf-8")
    status = main([str(file), "--split-input-file"])
    assert (capsys.readouterr().err, status) == ("", 0)


def assert_each_refused(irdl_file: Path, cases: list[str]) -> str:
    """Upstream reports an error at the operation of each case, which is on its second line."""
    done = upstream(irdl_file, "// -----\n".join(cases), "--split-input-file")
    assert done.returncode == 1
    places = {int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: error: ", done.stderr, re.M)}
    expected: set[int] = set()
    line = 1
    for case in cases:
        expected.add(line + 1)
        line += case.count("\n") + 1
    assert places == expected
    return done.stderr


def test_upstream_refuses_a_wrong_type_of_each_operand(irdl_file: Path):
    cases = [
        sample.with_operand(index, "f64").text(name)
        for name, sample in SAMPLES.items()
        for index in range(len(sample.operands))
    ]
    assert len(cases) > 80
    assert_each_refused(irdl_file, cases)


def test_upstream_refuses_a_wrong_type_of_each_result(irdl_file: Path):
    cases = [
        replace(sample, results=("f64",)).text(name)
        for name, sample in SAMPLES.items()
        if sample.results
    ]
    assert_each_refused(irdl_file, cases)


def test_upstream_wants_a_window_where_peers_write(irdl_file: Path):
    cases = [
        sample.with_operand(sample.operands.index(D), T).text(name)
        for name, sample in SAMPLES.items()
        if D in sample.operands and not name.startswith("pld.builtin.")
    ]
    errors = assert_each_refused(irdl_file, cases)
    assert "expected base type 'pld.dist_tensor' but got 'builtin.tensor'" in errors


def test_upstream_wants_the_destination_as_the_result(irdl_file: Path):
    other = "!pld.dist_tensor<tensor<16x64xf32>>"
    cases = [
        replace(sample, results=(other,)).text(name)
        for name, sample in SAMPLES.items()
        if name in {op.name for op in MANAGED_COLLECTIVES}
    ]
    assert len(cases) == len(MANAGED_COLLECTIVES)
    errors = assert_each_refused(irdl_file, cases)
    assert f"expected '{D}' but got '{other}'" in errors


@pytest.mark.parametrize(
    ("name", "written", "wrong"),
    [
        ("pld.system.notify", 'op = "set"', 'op = "get"'),
        ("pld.system.wait", 'cmp = "ge"', 'cmp = "gt"'),
        ("pld.system.wait", 'cmp = "ge"', "cmp = 1 : i64"),
        ("pld.tensor.allreduce", 'op = "sum"', 'op = "mean"'),
        ("pld.tensor.allreduce", 'mode = "ring"', 'mode = "tree"'),
        ("pld.tile.put", 'atomic = "add"', 'atomic = "sub"'),
        ("pld.tensor.put", f"static_sizes = array<i64: 1, {-(2**63)}>", "static_sizes = [1, 64]"),
        ("pld.tensor.reduce_scatter", 'op = "max"', ""),
        ("pld.tensor.alloc_window_buffer", 'name = "b"', "name = @b"),
    ],
)
def test_upstream_refuses_a_wrong_attribute(irdl_file: Path, name: str, written: str, wrong: str):
    text = SAMPLES[name].text(name)
    assert written in text
    assert_each_refused(irdl_file, [text.replace(written, wrong).replace(", ,", ",")])


def test_what_was_widened_is_listed():
    text = irdl_text("pld")
    module, _, lists = text.partition("\n// ")
    assert "//" not in module
    assert "//   pld.tensor.all_to_all_v: signal: elements of i32" in lists
    assert "//   pld.tensor.broadcast: root: optional attribute, not declared" in lists
    assert "//   pld.comm_domain: trait NoTerminator" in lists


def test_the_form_for_llvm_22_has_no_choice_between_kinds():
    export = export_dialect(PLD, for_llvm_22=True)
    for op in export.module.walk():
        if isinstance(op, irdl.AnyOfOp):
            assert all(isinstance(each.owner, irdl.IsOp) for each in op.args)
    assert "pld.tensor.all_to_all_v: input: any type in place of a choice" in export.widened


def test_pl_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="gives all elements of a variadic one type"):
        irdl_text("pl")
    assert set(REFUSED) == {"pl"}


@pytest.mark.parametrize(
    "stage",
    [
        "",
        "lower-l2-tensor-collectives",
        "lower-l2-tensor-collectives,materialize-dist-tensor-ctx",
    ],
)
def test_the_examples_survive_upstream_passes(
    irdl_file: Path, repository: Path, capsys: pytest.CaptureFixture[str], stage: str
):
    passes = ("canonicalize", "cse", "loop-invariant-code-motion", "inline", "symbol-dce")
    for example in sorted((repository / "examples").glob("*.mlir")):
        flags = ["--print-op-generic", "--print-no-properties", "-p", stage]
        assert main([str(example), *flags]) == 0
        before = capsys.readouterr().out
        done = upstream(irdl_file, before, "--mlir-print-op-generic", *(f"--{p}" for p in passes))
        assert (done.stderr, done.returncode) == ("", 0)
        assert with_effects(done.stdout) == with_effects(before)


def with_effects(text: str) -> list[str]:
    """The operations of ours that have effects, in order, with their callees."""
    ours = re.findall(r'"(pld?\.[\w.]+)"\(.*?(callee = @\w+|\n)', text)
    assert ours
    return [f"{name} {callee}" for name, callee in ours if name not in NO_EFFECTS]


NO_EFFECTS = {op.name for op in (*PL.operations, *PLD.operations) if op.has_trait(Pure)}
