"""`pld-opt`: places, diagnostics in compiler form, files and the command line."""

import io
import os
import re
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.diagnostic import Diagnostic as XDSLDiagnostic
from xdsl.utils.exceptions import PassFailedException, ShrinkException, VerifyException

from xdsl_pld import __version__
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools import opt


class Result(NamedTuple):
    status: int
    out: str
    err: str


def pld_opt(*argv: str, text: str | bytes = "") -> Result:
    """Runs the driver in this process, with `text` as standard input."""
    data = text.encode() if isinstance(text, str) else text
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = opt.main(argv)
    finally:
        sys.stdin = stdin
    return Result(status, out.getvalue(), err.getvalue())


def errors(*argv: str, text: str | bytes) -> str:
    """What the driver prints about a text that it refuses."""
    result = pld_opt(*argv, text=text)
    assert (result.status, result.out) == (1, ""), result
    return result.err


def heads(err: str) -> list[str]:
    """The lines `file:line:col: severity: message`, without excerpts and the file's name."""
    found = re.findall(r"^<stdin>:(\d+:\d+: (?:error|note): .*)$", err, re.MULTILINE)
    return [str(line) for line in found]


def in_function(body: str) -> str:
    return f"func.func @f(%a: i32, %c: i1, %n: index) {{\n{body}\n  func.return\n}}\n"


GOOD = "func.func @f(%a: i32) -> i32 {\n  func.return %a : i32\n}\n"
PRINTED = """\
builtin.module {
  func.func @f(%a: i32) -> i32 {
    func.return %a : i32
  }
}

"""


# Locations


def test_every_operation_and_argument_is_located():
    text = """\
// é is one character
func.func @f(%a: i32, %b: i32) {
  "test.op"() {name = "é"} : () -> () "test.op"() ({
  ^bb0(%x: i32):
    "test.termop"() : () -> ()
  }) : () -> ()
  func.return
}
"""
    assert pld_opt("--print-debuginfo", "-", text=text).out == (
        """\
builtin.module {
  func.func @f(%a: i32 loc("<stdin>":2:14), %b: i32 loc("<stdin>":2:23)) {
    "test.op"() {name = "\\C3\\A9"} : () -> () loc("<stdin>":3:3)
    "test.op"() ({
    ^bb0(%x: i32 loc("<stdin>":4:8)):
      "test.termop"() : () -> () loc("<stdin>":5:5)
    }) : () -> () loc("<stdin>":3:39)
    func.return loc("<stdin>":7:3)
  } loc("<stdin>":2:1)
} loc("<stdin>":2:1)

"""
    )


def test_written_locations_are_kept():
    text = """\
"test.op"() : () -> () loc("a.py":7:8)
"test.op"() : () -> () loc(unknown)
"test.op"() ({^bb0(%x: i32 loc("b.py":1:2)): "test.termop"() : () -> ()}) : () -> () loc("n")
"""
    out = pld_opt("--print-debuginfo", text=text).out
    assert re.findall(r"loc\((.*?)\)", out) == [
        '"a.py":7:8',
        "unknown",
        '"b.py":1:2',
        '"<stdin>":3:46',
        '"n"',
        '"<stdin>":1:1',
    ]


def test_implicit_terminators_and_induction_variables_are_located():
    text = in_function("  scf.for %i = %n to %n step %n {\n  }")
    out = pld_opt("--print-debuginfo", "--print-op-generic", text=text).out
    assert '(%i: index loc("<stdin>":2:11))' in out
    assert '"scf.yield"() : () -> () loc("<stdin>":2:3)' in out


def test_locations_change_no_output_unless_asked_for():
    for argv in ((), ("--print-op-generic",)):
        assert "loc(" not in pld_opt(*argv, text=GOOD).out
    assert pld_opt(text=GOOD) == Result(0, PRINTED, "")


def test_split_input_counts_lines_of_the_file():
    text = f"{GOOD}// -----\n{GOOD}"
    out = pld_opt("--split-input-file", "--print-debuginfo", text=text).out
    assert re.findall(r"return .*?:(\d+:\d+)\)", out) == ["2:3", "6:3"]


# Parse errors


def test_parse_error_in_compiler_form():
    assert errors(text="func.func @f() {\n\tfoo.bar %x\n}") == (
        "<stdin>:2:2: error: Operation foo.bar is not registered\n\tfoo.bar %x\n\t^\n"
    )


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("  %0 = arith.addi %a, %a // no type", "2:25: error: Expected ':'"),
        ("  %0 = foo.bar\n", "2:3: error: Operation foo.bar is not registered"),
        ("  func.call @g(%a, %q) :\n  () -> ()", "2:3: error: expected 0 operand types but had 2"),
        ('  "test.op"(\n  %n) : (i32) -> ()', "3:3: error: operand is used with type i32, but"),
        # An error outside the grammar has no place: it belongs to the operation.
        (
            '  %0 = "test.op"() {\n    t = 300 : i8} : () -> i8',
            "2:3: error: Integer value 300 is out of range for type i8",
        ),
        ("  %0 = arith.addf %a, %a : i32", "2:3: error: Unexpected attribute i32"),
        ("  scf.if %c {", "4:2: error: expected an operation, a block label or '}'"),
    ],
)
def test_parse_errors_stand_where_the_mistake_is(body: str, head: str):
    assert heads(errors(text=in_function(body)))[0].startswith(head)


def test_errors_with_several_texts_are_joined():
    err = errors(text='"test.op"() ({\n^0:\n}) : () -> ()')
    assert heads(err)[0].startswith("1:1: error: Invalid Block name format `0`. Make sure names")


@pytest.mark.parametrize(("text", "place"), [("", "1:1"), ("\n// nothing\n", "3:1")])
def test_empty_inputs_are_refused(text: str, place: str):
    assert heads(errors(text=text)) == [f"{place}: error: expected an operation"]


def test_undefined_values_are_reported_at_their_uses():
    text = in_function("  %0 = arith.addi %x, %y : i32\n  %1 = arith.addi %y, %x : i32")
    assert heads(errors(text=text)) == [
        "2:19: error: value %x is used but not defined",
        "2:23: error: value %y is used but not defined",
    ]


def test_second_places_become_notes():
    text = '"test.op"() ({\n  ^a:\n    "test.termop"()[^b] : () -> ()\n}) : () -> ()'
    (error, note) = heads(errors(text=text))
    assert error.startswith("4:2: error: region ends with missing block declarations")
    assert note == '3:21: note: reference to block "^b" without implementation'


def test_errors_in_a_chunk_count_lines_of_the_file():
    text = f"builtin.module {{}}\n// -----\n\n  {GOOD}"
    result = pld_opt("--split-input-file", "--no-implicit-module", text=text)
    assert heads(result.err) == ["4:3: error: builtin.module operation expected"]
    result = pld_opt("--split-input-file", text=f"{GOOD}// -----\nfunc.func @f(%a: foo)")
    assert heads(result.err) == ["5:18: error: type expected"]


def test_deep_nesting_is_refused_where_it_gets_too_deep():
    err = errors(text=in_function("scf.if %c {\n" * 400 + "}\n" * 400))
    match = re.fullmatch(
        r"<stdin>:(\d+):1: error: nested too deeply: gave up parsing here\nscf.if %c \{\n\^\n", err
    )
    assert match is not None
    assert int(match[1]) > 60
    assert "nested too deeply" in errors(text=f'"test.op"() {{a = {"[" * 999}}} : () -> ()')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"// \xc3\xa9\n \xc3\xa9\xff",
            "2:3: error: invalid UTF-8: invalid start byte (byte 0xff)",
        ),
        (b"\xef\xbb\xbf" + GOOD.encode(), "1:1: error: byte order mark (U+FEFF): save the file as"),
    ],
)
def test_other_encodings_are_refused(data: bytes, message: str):
    (head,) = heads(errors(text=data))
    assert head.startswith(message)


# Verification


def test_every_failing_operation_is_reported_at_its_own_place():
    text = """\
builtin.module {
  func.func @f(%a: i32) -> i64 {
    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
    func.return %a : i32
  }
  func.func @g() {
    "test.op"() : () -> ()
  }
}
"""
    err = errors(text=text)
    assert [head.split(": error: ")[0] for head in heads(err)] == ["3:5", "4:5", "7:5"]
    assert '    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64\n    ^\n' in err
    for wrapper in ("does not verify: Op", "Operation does not verify", '"builtin.module"', "| "):
        assert wrapper not in err


def test_a_symbol_defined_twice_shows_both_places():
    text = "\n".join(f"func.func @{name}() {{ func.return }}" for name in "fgf")
    assert errors(text=text) == (
        '<stdin>:3:1: error: Redefinition of symbol "f"\n'
        "func.func @f() { func.return }\n^\n"
        "<stdin>:1:1: note: the first definition is here\n"
        "func.func @f() { func.return }\n^\n"
    )


def test_verifiers_that_raise_other_exceptions_are_reported_too():
    body = """\
  "scf.index_switch"(%n) <{cases = array<i64>}> ({
    "test.termop"() : () -> ()
  }) : (index) -> ()"""
    (head, *_) = heads(errors(text=in_function(body)))
    assert head.startswith("2:3: error: ")


def test_disable_verify_skips_all_checks_and_leaves_the_process_as_it_was():
    post_init, raising = Attribute.__post_init__, XDSLDiagnostic.raise_exception
    text = GOOD.replace("-> i32", "-> i64")
    assert pld_opt("--disable-verify", "--syntax-highlight", text=text).status == 0
    assert Attribute.__post_init__ is post_init
    assert XDSLDiagnostic.raise_exception is raising
    assert not XDSLDiagnostic.colored
    assert pld_opt(text=text).status == 1


def test_pl_attributes_are_verified_where_no_operation_of_pl_is_used():
    text = 'func.func private @f() attributes {pl.func_type = "incor"}'
    (head,) = heads(errors(text=text))
    assert head.startswith("1:1: error: pl.func_type must be one of ")


# Diagnostics flags


def test_diagnostics_flags_print_to_stdout_and_succeed():
    unverified = GOOD.replace("-> i32", "-> i64")
    (_, out, err) = result = pld_opt("--verify-diagnostics", text=unverified)
    assert (result.status, err) == (0, "")
    assert out.startswith("<stdin>:2:3: error: ")
    assert pld_opt("--parsing-diagnostics", text=unverified).status == 1
    assert pld_opt("--parsing-diagnostics", text="foo.bar") == Result(
        0, "<stdin>:1:1: error: Operation foo.bar is not registered\nfoo.bar\n^\n", ""
    )
    assert pld_opt("--verify-diagnostics", text="foo.bar").status == 1


def test_split_input_reports_all_chunks_and_prints_the_good_ones():
    bad = GOOD.replace("-> i32", "-> i64")
    result = pld_opt("--split-input-file", text=f"foo\n// -----\n{GOOD}// -----\n{bad}")
    assert result.status == 1
    assert result.out == f"// -----\n{PRINTED}// -----\n"
    assert [head.split(": ")[0] for head in heads(result.err)] == ["1:1", "8:3"]


# Passes


class FailAtFunction(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.FuncOp, rewriter: PatternRewriter):
        raise PassFailedException("cannot do this function")


@dataclass(frozen=True)
class TroublePass(ModulePass):
    """Goes wrong in the way its option asks for."""

    name: ClassVar[str] = "trouble"

    kind: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        function = next(each for each in op.walk() if isinstance(each, func.FuncOp))
        returned = function.body.block.last_op
        assert returned is not None
        match self.kind:
            case "pattern":
                PatternRewriteWalker(FailAtFunction()).rewrite_module(op)
            case "failed":
                raise PassFailedException("this module is not for me")
            case "findings":
                argument = function.body.block.args[0]
                notes = [Note("from here", argument), Note("write another")]
                raise FindingsError([Finding(returned, "bad value", notes), Finding(op, "worse")])
            case "carried":
                error = VerifyException("not shown")
                error.__dict__["findings"] = (Finding(returned, "carried"),)
                raise error
            case "invalid":
                function.body.block.insert_op_before(
                    arith.ConstantOp.from_int_and_width(1, 32), returned
                )
                returned.operands = ()
            case "unlocated":
                new = func.ReturnOp()
                function.body.block.insert_op_after(new, returned)
                returned.detach()
                returned.erase()
            case "shrink":
                raise ShrinkException()
            case "interrupt":
                raise KeyboardInterrupt()
            case "recursion":
                self.apply(ctx, op)
            case "none":
                pass
            case _:
                raise KeyError(self.kind)


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    stock = opt.PldOptMain.register_all_passes

    def register(self: opt.PldOptMain):
        stock(self)
        self.register_pass("trouble", lambda: TroublePass)

    monkeypatch.setattr(opt.PldOptMain, "register_all_passes", register)

    def run(kind: str, *argv: str) -> Result:
        return pld_opt("-p", f"trouble{{kind={kind}}}", *argv, text=GOOD)

    return run


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("pattern", ["1:1: error: cannot do this function"]),
        ("failed", ["1:1: error: this module is not for me"]),
        ("findings", ["2:3: error: bad value", "1:14: note: from here", "1:1: error: worse"]),
        ("carried", ["2:3: error: carried"]),
        ("recursion", ["1:1: error: nested too deeply, gave up in pass 'trouble'"]),
        ("other", ["1:1: error: internal error in pass 'trouble': KeyError: 'other'"]),
    ],
)
def test_errors_of_passes(trouble: Callable[..., Result], kind: str, expected: list[str]):
    result = trouble(kind)
    assert (result.status, result.out, heads(result.err)) == (1, "", expected)
    assert ("note: while in pass 'trouble'\n" in result.err) == (kind in ("pattern", "failed"))
    assert ("note: please report this" in result.err) == (kind == "other")
    assert ("note: write another\n" in result.err) == (kind == "findings")


def test_a_verify_failure_names_the_pass_it_came_after(trouble: Callable[..., Result]):
    result = trouble("invalid")
    assert result.status == 1
    assert result.err.startswith("<stdin>:2:3: error: ")
    assert result.err.endswith("note: after pass 'trouble'\n")


def test_an_operation_made_without_location_is_named(trouble: Callable[..., Result]):
    result = trouble("unlocated")
    assert result.err.startswith("<stdin>:1:1: error: ")
    assert "note: the operation is a 'func.return' without a location of its own\n" in result.err


def test_shrink_and_interrupt(trouble: Callable[..., Result]):
    assert trouble("shrink", "--shrink")[:2] == (0, "Success, can shrink\n")
    assert trouble("none", "--shrink").out.endswith("Failure, can't shrink\n")
    assert trouble("none", "--shrink").status == 1
    assert trouble("interrupt") == Result(1, "", "error: interrupted\n")


def test_timing_goes_to_stderr_and_leaves_the_ir_alone():
    result = pld_opt("--time-passes", "-p", "cse,dce", text=GOOD)
    assert result.out == PRINTED
    assert re.fullmatch(r"(Pass (cse|dce) took [\d.]+ seconds\n){2}", result.err)
    assert pld_opt("--print-between-passes", "-p", "cse,dce", text=GOOD).out.startswith(
        "IR after cse:\nbuiltin.module {"
    )


# Command line


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["-p", "csee"], "argument -p/--passes: unknown pass 'csee', did you mean 'cse'?"),
        (["-p", "qqqqqqq"], "argument -p/--passes: unknown pass 'qqqqqqq'"),
        (["-p", "cse{x=1}"], "argument -p/--passes: pass 'cse': Provided arguments [\"x\"]"),
        (["-p", "cse{"], "argument -p/--passes: Expected argument name here\ncse{"),
        (["-p", "cse,,dce"], "argument -p/--passes: Expected pass name here\ncse,,dce\n    ^"),
        (["-p", "cse dce"], "argument -p/--passes: Expected a comma or pass arguments here"),
        (["-p", "é"], "argument -p/--passes: Unknown token\né\n^"),
        (["-t", "mlirr"], "argument -t/--target: invalid choice: 'mlirr' (choose from "),
        (["-t", "mlir{x}"], "argument -t/--target: 'mlir': Provided arguments [\"x\"]"),
        (["-t", ""], "argument -t/--target or -f/--frontend: Expected pass name here"),
        (["-f", "fortran"], "argument -f/--frontend: invalid choice: 'fortran'"),
        (["-f", "mlir{x}"], "argument -f/--frontend: 'mlir': Provided arguments [\"x\"]"),
        (["a.f90"], "argument input_file: 'a.f90' has none of the extensions .mlir"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_wrong_command_lines(argv: list[str], message: str):
    result = pld_opt(*argv, text=GOOD)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("usage: pld-opt [-h]")
    assert f"\npld-opt: error: {message}" in result.err


def test_version_and_help():
    assert pld_opt("--version").out == f"pld-opt from xdsl-pld {__version__}, xDSL 0.75.0\n"
    result = pld_opt("--help")
    assert result.status == 0
    assert result.out.startswith("usage: pld-opt ")


# Files


def test_unreadable_input(tmp_path: Path):
    folder = tmp_path / "d.mlir"
    folder.mkdir()
    missing = tmp_path / "no.mlir"
    assert pld_opt(str(folder)) == Result(1, "", f"error: cannot read '{folder}': Is a directory\n")
    assert pld_opt(str(missing)) == Result(
        1, "", f"error: cannot read '{missing}': No such file or directory\n"
    )


def test_another_extension_with_a_frontend(tmp_path: Path):
    file = tmp_path / "a.txt"
    file.write_text(GOOD)
    assert pld_opt(str(file), "-f", "mlir").out == PRINTED


def test_unwritable_output(tmp_path: Path):
    result = pld_opt("-o", str(tmp_path), text=GOOD)
    assert result == Result(1, "", f"error: cannot write '{tmp_path}': Is a directory\n")
    lost = tmp_path / "no" / "out.mlir"
    result = pld_opt("-o", str(lost), text=GOOD)
    assert result == Result(1, "", f"error: cannot write '{lost}': No such directory\n")


def test_output_replaces_a_file_only_on_success(tmp_path: Path):
    out = tmp_path / "out.mlir"
    out.write_text("old")
    out.chmod(0o640)
    bad = f"{GOOD}// -----\nfoo"
    assert pld_opt("-o", str(out), text="foo").status == 1
    assert pld_opt("--split-input-file", "-o", str(out), text=bad).status == 1
    assert out.read_text() == "old"
    assert pld_opt("-o", str(out), text=GOOD) == Result(0, "", "")
    assert out.read_text() == PRINTED
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out.mlir"]


def test_output_through_a_link_and_over_the_input(tmp_path: Path):
    file, link = tmp_path / "a.mlir", tmp_path / "link.mlir"
    file.write_text(GOOD)
    link.symlink_to(file)
    assert pld_opt(str(file), "-o", str(link)).status == 0
    assert link.is_symlink()
    assert file.read_text() == PRINTED


# The installed script


@contextmanager
def script(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    path = Path(sysconfig.get_path("scripts")) / "pld-opt"
    pipe = subprocess.PIPE
    with subprocess.Popen([path, *argv], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process


def test_the_console_script(tmp_path: Path):
    with script("-", "-o", "/dev/stdout") as process:
        assert process.communicate(GOOD.encode()) == (PRINTED.encode(), b"")
    assert process.returncode == 0
    with script("-p", "cze") as process:
        process.communicate(b"")
    assert process.returncode == 2


def test_a_reader_that_leaves_is_no_error():
    with script() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(GOOD.encode())
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
