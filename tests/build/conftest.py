"""What the tests of `pld-build` share: a way to build a text, and programs of one exchange."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from xdsl_pld.tools import build as tool
from xdsl_pld.tools.sim.compiler import Compiler, CompilerError, find_compiler

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Built:
    """What a run of `pld-build` left behind."""

    status: int
    out: str
    err: str
    files: Mapping[str, str] = field(default_factory=dict)

    def only(self, ending: str) -> str:
        """The one file whose path ends so."""
        (text,) = (text for path, text in self.files.items() if path.endswith(ending))
        return text


Build = Callable[..., Built]


def read_folder(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Build:
    """Builds a program, a path or a text, into the folder `out` of the test's own."""

    def run(program: Path | str, *options: str) -> Built:
        if isinstance(program, str):
            (tmp_path / "program.mlir").write_text(program)
            program = tmp_path / "program.mlir"
        output = tmp_path / "out"
        status = tool.main([str(program), "-o", str(output), *options])
        captured = capsys.readouterr()
        files = {p: t for p, t in read_folder(output).items() if p != ".pld-build"}
        return Built(status, captured.out, captured.err.replace(f"{tmp_path}/", ""), files)

    return run


@pytest.fixture
def succeed(build: Build) -> Build:
    """As `build`, for programs that can be built."""

    def run(program: Path | str, *options: str) -> Built:
        built = build(program, *options)
        assert (built.status, built.err) == (0, "")
        return built

    return run


@pytest.fixture(scope="session")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    try:
        find_compiler()
    except CompilerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    return Compiler(cache=tmp_path_factory.mktemp("compiled"))


def exchange_text(
    blocks: int = 4,
    *,
    element: str = "f32",
    pipeline: str = "@chip",
    kernel: str | None = None,
    handle: str = ":pypto.runtime.builtins.collectives.all_to_all_v",
    variables: str | None = None,
) -> str:
    """A lowered pipeline of one exchange, as the chip rail leaves it."""
    suffix, cpp = {"f32": ("fp32", "float"), "i8": ("int8", "int8_t")}[element]
    kernel = kernel or f"@__builtin_all_to_all_v__{suffix}"
    variables = f"dtype_cpp={cpp}" if variables is None else variables
    t, d, s, c = (
        f"tensor<8x64x{element}>",
        f"!pld.dist_tensor<tensor<8x64x{element}>>",
        "!pld.dist_tensor<tensor<2x8xi32>>",
        "tensor<2x1xi32>",
    )
    r = f"!pld.dist_tensor<{c}>"
    dynamic = f"tensor<?x?x{element}>"
    launch = "" if blocks == 1 else " core_num(%blocks) sync_start"
    width = "" if blocks == 1 else f"  %blocks = arith.constant {blocks} : index\n"
    contexts = ", ".join(["!pld.comm_ctx"] * 3)
    directions = ", ".join(['"input", "inout", "inout", "input", "inout"', *['"scalar"'] * 3])
    inout = '{pl.dir = "inout"}'
    context = "!pld.comm_ctx {{pld.ctx_of = {} : index}}".format
    dynamic_signal = "!pld.dist_tensor<tensor<?x?xi32>>"
    return f"""\
func.func {pipeline}(%inp: {t}, %data: {d} {inout}, %signal: {s} {inout},
    %counts: {c}, %recv: {r} {inout},
    %data_ctx: {context(1)}, %signal_ctx: {context(2)}, %recv_ctx: {context(4)})
    attributes {{pl.func_type = "orchestration"}} {{
{width}  %d = pl.call {kernel}(%inp, %data, %signal, %counts, %recv,
    %data_ctx, %signal_ctx, %recv_ctx){launch}
    {{pl.task = 0 : index, arg_directions = [{directions}]}}
    : ({t}, {d}, {s}, {c}, {r}, {contexts}) -> {d}
  func.return
}}
func.func {kernel}(%input: {dynamic}, %target: !pld.dist_tensor<{dynamic}> {inout},
    %signal: {dynamic_signal} {inout}, %send_counts: tensor<?x?xi32>,
    %recv_counts: {dynamic_signal} {inout}, %target_ctx: {context(1)},
    %signal_ctx: {context(2)}, %recv_counts_ctx: {context(4)})
    -> !pld.dist_tensor<{dynamic}>
    attributes {{pl.func_type = "aiv", pl.builtin_template_dir = "{handle}",
    pl.builtin_template_vars = "{variables}", pl.require_contiguous_operands}} {{
  func.return %target : !pld.dist_tensor<{dynamic}>
}}
"""


@pytest.fixture
def exchange() -> Callable[..., str]:
    return exchange_text


def dispatch_text(element: str = "f32") -> str:
    """A host body with one builtin dispatch, as the host rail leaves it."""
    text = (PROGRAMS / "host_rail.mlir").read_text()
    return text.replace("x64xf32", f"x64x{element}")


@pytest.fixture
def dispatch() -> Callable[..., str]:
    return dispatch_text


@pytest.fixture
def programs() -> Path:
    return PROGRAMS
