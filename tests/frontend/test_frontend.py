"""The frontend as a whole: nothing is executed, hostile input, large files, there and back."""

import io
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

import pytest
from xdsl.context import Context
from xdsl.utils.exceptions import ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_pld.tools import build, opt, run
from xdsl_pld.tools.frontend.frontend import PyPTOFrontend
from xdsl_pld.tools.frontend.ops import OPS

EXAMPLES = sorted(p.stem for p in (Path(__file__).parents[2] / "examples").glob("*.py"))
FORMS = (".py", ".mlir")
HEAD = "import pypto.language as pl\nimport pypto.language.distributed as pld\n"
KERNEL = """\
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def f(self, x: pl.Tensor[[8, 4], pl.FP32], y: pl.Out[pl.Tensor[[8, 4], pl.FP32]], n: pl.INDEX):
"""
UNROLL = (
    "        for i in pl.unroll(4000):\n            for j in pl.unroll(4000):\n                "
)


def pld_opt(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit status, output and errors of a run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = opt.main([str(argument) for argument in arguments])
    return status, out.getvalue(), err.getvalue()


# Nothing is executed


def test_nothing_in_a_file_is_imported_or_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trap = tmp_path / "trapped"
    write = f"open({str(trap)!r}, 'a').write('x')"
    (tmp_path / "planted.py").write_text(write)
    (tmp_path / "pypto").mkdir()
    for name in ("__init__", "language"):
        (tmp_path / "pypto" / f"{name}.py").write_text(write)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    program = tmp_path / "program.py"
    program.write_text(
        f"{HEAD}import planted\nfrom planted import *\n{write}\nN = [{write} for _ in '1'] and 8\n"
        f"M = 8\nclass Trap:\n    {write}\n    def __class_getitem__(cls, key): {write}\n"
        f"@(lambda f: {write})\ndef decorated(x={write}): pass\n"
        f"def factory(n=8):\n    {write}\n"
        "    @pl.program\n    class P:\n"
        f"        {write}\n"
        "        @pl.function\n"
        "        def f(self, x: pl.Tensor[[n, M], pl.FP32]):\n"
        "            pl.load(x, [0, 0], [1, M])\n"
        "    return P\n"
        f"if __name__ == '__main__':\n    {write}\n"
    )
    status, out, err = pld_opt(program)
    assert (status, err) == (0, "")
    assert "pl.tile.load" in out
    assert not trap.exists()
    assert not {"planted", "pypto"} & set(sys.modules)


# Hostile input

HOSTILE = {
    "empty": "",
    "null byte": HEAD + "x = '\0'\n",
    "unclosed": HEAD + "x = (\n",
    "tabs": HEAD + "if 1:\n\tx = 1\n        y = 2\n",
    "deep parentheses": HEAD + f"x = {'(' * 500}1{')' * 500}\n",
    "deep negation": HEAD + KERNEL + f"        a = {'-' * 50_000}n\n",
    "deep not": HEAD + KERNEL + f"        a = {'not ' * 5_000}n\n",
    "long sum": HEAD + KERNEL + f"        a = {' + '.join(['n'] * 50_000)}\n",
    "long constant sum": HEAD + f"N = {' + '.join(['1'] * 50_000)}\n" + KERNEL + "        a = N\n",
    "deep subscripts": HEAD + KERNEL + f"        a = x{'[0]' * 20_000}\n",
    "deep calls": HEAD + KERNEL + f"        a = {'pl.cast(' * 150}n{', pl.INT32)' * 150} + y\n",
    "deep blocks": HEAD
    + KERNEL
    + "".join(f"{' ' * (8 + i)}for i{i} in pl.range(2):\n" for i in range(90))
    + " " * 120
    + "z = y + 1\n",
    "long elif": HEAD
    + KERNEL
    + "        if n == 0:\n            z = 0\n"
    + "".join(f"        elif n == {i}:\n            z = {i}\n" for i in range(3000)),
    "huge integer": HEAD + f"N = {'9' * 5000}\n" + KERNEL + "        a = N\n",
    "huge integer in a body": HEAD + KERNEL + f"        a = n + {'9' * 4000}\n",
    "huge power": HEAD + KERNEL + "        a = 9 ** 9 ** 9 ** 9\n",
    "huge shift": HEAD + KERNEL + "        a = 1 << (1 << 60)\n",
    "huge shape": HEAD + KERNEL + "        a = pl.load(x, [0, 0], [1 << 62, 1 << 63])\n",
    "huge string": HEAD + f"N = 'x' * {10**12}\n" + KERNEL + "        a = N\n",
    "huge unrolling": HEAD + KERNEL + "        for i in pl.unroll(10 ** 12):\n            pass\n",
    "unroll in unroll": HEAD + KERNEL + UNROLL + "pass\n",
    "errors in an unroll": HEAD + KERNEL + UNROLL + "z = w\n",
    "expansion without end": HEAD
    + "@pl.inline\ndef g0(n: pl.INDEX):\n    return n\n"
    + "".join(
        f"@pl.inline\ndef g{i + 1}(n: pl.INDEX):\n    return g{i}(n) + g{i}(n)\n" for i in range(40)
    )
    + KERNEL
    + "        a = g40(n)\n",
    "cycle": HEAD + "A = B\nB = C\nC = A\n" + KERNEL + "        a = A\n",
    "alone surrogate": HEAD + KERNEL + "        a = '\\ud800'\n        b = a + n\n",
    "bytes": HEAD + KERNEL + "        a = b'x'\n        b = 1j\n        c = ...\n",
    "carriage returns": (HEAD + KERNEL + "        a = é\n").replace("\n", "\r"),
    "form feed": HEAD + "\f\n" + KERNEL + "\f        a = é\n",
    "self recursion": HEAD + KERNEL + "        return self.f(x, y, n)\n",
    "inline recursion": HEAD
    + "@pl.inline\ndef g(n: pl.INDEX):\n    return g(n)\n"
    + KERNEL
    + "        a = g(n)\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input_ends_in_a_diagnostic(case: str, tmp_path: Path):
    file = tmp_path / "p.py"
    file.write_bytes(HOSTILE[case].encode("utf-8"))
    status, out, err = pld_opt(file)
    assert (status, out) == (1, "")
    assert re.match(rf"{re.escape(str(file))}:\d+:\d+: error: ", err), err
    assert "internal error" not in err
    assert "Traceback" not in err


def test_a_file_that_is_no_utf_8(tmp_path: Path):
    file = tmp_path / "p.py"
    file.write_bytes(HEAD.encode() + b"x = '\xff'\n")
    assert f"{file}:3:6: error: invalid UTF-8" in pld_opt(file)[2]


def test_damaged_programs_end_in_a_diagnostic(repository: Path, tmp_path: Path):
    """Each line of the example left out, doubled or cut: never a traceback."""
    lines = (repository / "examples" / "chip_pipeline.py").read_text().split("\n")
    file = tmp_path / "p.py"
    for index in range(8, len(lines), 8):
        for damaged in (
            [*lines[:index], *lines[index + 1 :]],
            [*lines[: index + 1], *lines[index:]],
            [*lines[:index], lines[index][: len(lines[index]) // 2], *lines[index + 1 :]],
        ):
            file.write_text("\n".join(damaged))
            status, _, err = pld_opt(file)
            assert status in (0, 1)
            assert "internal error" not in err, (index, err)


# Large files


def large(lines: int) -> bytes:
    """Functions and one long body, with loops and branches."""
    text = [HEAD + KERNEL.rstrip("\n")]
    for number in range(lines // 5):
        text += [
            f"        v{number} = n + {number}",
            f"        for i in pl.range(v{number}):",
            f"            v{number} = v{number} + i",
            f"        if v{number} > 3:",
            f"            v{number} = v{max(number - 1, 0)}",
        ]
    return "\n".join(text).encode()


def test_a_large_file_is_read_in_linear_time():
    def calls(lines: int) -> int:
        """How many functions are called, of Python and of C, to read a file."""
        count = 0

        def counted(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(counted)
        try:
            PyPTOFrontend().parse(Context(), io.BytesIO(large(lines)), "p.py")
        finally:
            sys.setprofile(None)
        return count

    calls(100)
    short, long = calls(1250), calls(5000)
    assert long < 4.5 * short  # 4 when linear, 16 when quadratic


# The examples


def test_each_example_has_both_forms(repository: Path):
    names = {form: {p.stem for p in (repository / "examples").glob(f"*{form}")} for form in FORMS}
    assert names[".py"] == names[".mlir"]
    assert len(names[".py"]) >= 7


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_two_forms_of_an_example_are_one(repository: Path, name: str):
    file = repository / "examples" / name
    assert pld_opt(f"{file}.py") == pld_opt(f"{file}.mlir")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_stock_driver_reads_the_same(
    repository: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    """From its standard input: it refuses an extension that it does not know."""
    file = repository / "examples" / f"{name}.py"
    assert opt.main([str(file)]) == 0
    own = capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    xDSLOptMain(args=["-f", "pypto"]).run()
    assert capsys.readouterr() == own


# The command line

FACTORY = Path(__file__).parents[2] / "lit_tests" / "frontend" / "factory.py"
TOOLS: dict[str, Callable[[list[str]], int]] = {
    "pld-opt": opt.main,
    "pld-run": run.main,
    "pld-build": build.main,
}
WRONG = {
    "--bind nr": "--bind takes NAME=VALUE, not 'nr'",
    "--bind nr=x": "--bind nr=x: the value must be an int, a float, true, false or a dtype's name",
    "--bind nr=nan": "--bind nr=nan: the value must be",
    f"--bind nr={2**64}": f"--bind nr={2**64}: more than 64 bits",
    "--bind nr=2 --bind nr=3": "--bind gives 'nr' several values",
    "--bind other=3": "--bind other: this program has no parameter and no dynamic extent of that",
    "-D =3": "-D takes NAME=VALUE, not '=3'",
    "-D WIDTH=1 -D WIDTH=2": "-D gives 'WIDTH' several values",
    "-D NOPE=3": "-D NOPE: the module has no name of that kind; known: HALF, QUARTER, WIDTH",
    "--ranks 0": "ranks",
    "--ranks x": "'x'",
    "--program nope": "no program is called 'nope'; the file has:",
}


def status_of(tool: str, *arguments: str) -> object:
    try:
        return TOOLS[tool](list(arguments))
    except SystemExit as left:
        return left.code


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("tool", TOOLS)
def test_wrong_options_are_diagnostics(
    tool: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = ["-o", str(tmp_path / "built")] if tool == "pld-build" else []
    program = [] if "--program" in wrong else ["--program", "build"]
    status = status_of(tool, str(FACTORY), *output, *program, *wrong.split())
    out, err = capsys.readouterr()
    assert status in (1, 2)
    assert out == ""
    assert WRONG[wrong] in err
    assert not (tmp_path / "built").exists()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("option", ["--program X", "-D X=1", "--bind X=1"])
def test_the_options_are_for_programs_in_python(
    tool: str, option: str, repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = ["-o", str(tmp_path / "built")] if tool == "pld-build" else []
    file = repository / "examples" / "chip_pipeline.mlir"
    assert status_of(tool, str(file), *output, *option.split()) == 2
    name = option.split()[0]
    assert f"argument {name}: for programs in Python only" in capsys.readouterr().err


FACTORY_PROGRAM = f"""{HEAD}
SIZE = 3


def build(nr: int, dtype=pl.FP32):
    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def k(self, x: pl.Tensor[[nr, SIZE], dtype], y: pl.Out[pl.Tensor[[nr, SIZE], dtype]]):
            t = pl.load(x, [0, 0], [nr, SIZE])
            return pl.store(t, [0, 0], y)

        @pl.function(type=pl.FunctionType.Orchestration)
        def chip(self, x: pl.Tensor[[nr, SIZE], dtype], y: pl.Out[pl.Tensor[[nr, SIZE], dtype]],
                 s: pl.InOut[pld.DistributedTensor[[nr, 1], pl.INT32]]):
            return self.k(x, y)

        @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
        def host(self, x: pl.Tensor[[nr, nr, SIZE], dtype],
                 y: pl.Out[pl.Tensor[[nr, nr, SIZE], dtype]]):
            sig = pld.alloc_window_buffer(nr * 4)
            for r in pl.range(pld.world_size()):
                s = pld.window(sig, [pld.world_size(), 1], dtype=pl.INT32)
                self.chip(x[r], y[r], s, device=r)
"""


@pytest.mark.parametrize("tool", TOOLS)
def test_all_tools_take_programs_with_their_options(
    tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A factory with parameters, a constant that -D replaces, a window as long as the ranks."""
    file, folder = tmp_path / "p.py", tmp_path / "built"
    file.write_text(FACTORY_PROGRAM)
    output = ["-o", str(folder)] if tool == "pld-build" else []
    options = ["--program", "P", "--bind", "nr=2", "--bind", "dtype=FP16", "-D", "SIZE=8"]
    status = TOOLS[tool]([str(file), *output, *options, "--ranks", "2"])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    if tool == "pld-opt":
        assert "tensor<2x2x8xf16>" in out
        assert "!pld.dist_tensor<tensor<2x1xi32>>" in out
    assert folder.exists() == (tool == "pld-build")


# The API


def test_the_frontend_is_a_dataclass_of_its_options():
    frontend = PyPTOFrontend(program="P", bind="nr=2", define=("N=4", "T=pl.FP16"), ranks=2)
    assert str(frontend.spec()) == 'pypto{program="P" define="N=4","T=pl.FP16" bind="nr=2" ranks=2}'
    with pytest.raises(ValueError, match="takes NAME=VALUE"):
        PyPTOFrontend(bind="nr")
    with pytest.raises(ParseError, match="no program"):
        PyPTOFrontend().parse(Context(), io.BytesIO(b"x = 1\n"), "p.py")


def test_each_signature_of_the_tables_has_kinds_that_exist():
    from xdsl_pld.tools.frontend import arguments

    kinds = {p.kind.split("/")[0] for op in OPS.values() for p in op.parameters}
    assert kinds <= {*arguments.KINDS, "any", "indices", "attrs"}
