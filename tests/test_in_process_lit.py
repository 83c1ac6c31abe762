"""What the in-process lit format does with tests that fail: a green run shows nothing of it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CONFIG = (ROOT / "lit_tests" / "lit.cfg.py").read_text()
FORMAT = (ROOT / "lit_tests" / "in_process.py").read_text()

FUNCTION = "func.func @f() { func.return }\n"


def lit(folder: Path, text: str, harness: str = FORMAT) -> tuple[int, str]:
    """Runs one lit file in a suite of its own: exit code and report."""
    folder.mkdir(exist_ok=True)
    (folder / "case.mlir").write_text(text)
    (folder / "lit.cfg.py").write_text(CONFIG)
    (folder / "in_process.py").write_text(harness)
    done = subprocess.run(
        [Path(sys.executable).with_name("lit"), "-v", "-j1", folder],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_failed_check_shows_the_line_the_exit_code_and_both_streams(tmp_path: Path):
    code, report = lit(
        tmp_path, "// RUN: xdsl-opt %s | filecheck %s\n" + FUNCTION + "// CHECK: @other\n"
    )
    assert code == 1
    assert f"RUN: at line 1: xdsl-opt {tmp_path}/case.mlir | filecheck" in report
    assert "exit code 1 (failed)" in report
    assert "--- stdout\nbuiltin.module {\n  func.func @f()" in report
    assert "--- stderr\n" in report
    assert "Couldn't match" in report
    assert "# executed command" not in report, "it went to lit's shell"


def test_a_failed_command_fails_the_pipeline(tmp_path: Path):
    text = "// RUN: xdsl-opt %s --split-input-file | filecheck %s\n// CHECK: builtin.module\n"
    code, report = lit(tmp_path, text + "// -----\nnonsense\n")
    assert code == 1
    assert "exit code 1, by an exception that nobody caught (failed)" in report
    assert "ParseError" in report


def test_not_fails_when_the_command_succeeds(tmp_path: Path):
    code, report = lit(tmp_path, "// RUN: not xdsl-opt %s\n" + FUNCTION)
    assert code == 1
    assert "$ not xdsl-opt" in report
    assert "exit code 0 (failed)" in report


def test_each_line_counts(tmp_path: Path):
    text = "// RUN: xdsl-opt %s\n// RUN: xdsl-opt %s && xdsl-opt %s --no-such-flag\n" + FUNCTION
    code, report = lit(tmp_path, text)
    assert code == 1
    assert "RUN: at line 2" in report
    assert "usage: xdsl-opt" in report
    assert "exit code 2 (failed)" in report


def test_not_refuses_a_traceback_of_our_own_tools(tmp_path: Path):
    # No tool of ours raises on purpose; filecheck does, for a file that is not there.
    code, report = lit(tmp_path, "// RUN: not filecheck no-such-file\n")
    assert code == 1
    assert "FileNotFoundError" in report


@pytest.mark.parametrize(
    "command",
    [
        "xdsl-opt %s --disable-verify",
        "xdsl-opt %s --disable-ver",
        "xdsl-opt %s --syntax-highlight",
        "xdsl-opt %s | grep func",
        "xdsl-opt %s; xdsl-opt %s",
        "env xdsl-opt %s",
    ],
)
def test_what_takes_a_shell_goes_to_the_shell(tmp_path: Path, command: str):
    text = f"// RUN: xdsl-opt %s\n// RUN: {command}\n// RUN: not xdsl-opt %s\n"
    code, report = lit(tmp_path, text + FUNCTION)
    assert code == 1
    assert "# executed command: xdsl-opt" in report


def test_lit_keywords_are_heeded(tmp_path: Path):
    code, report = lit(tmp_path, "// RUN: not xdsl-opt %s\n// XFAIL: *\n" + FUNCTION)
    assert code == 0, report
    assert "XFAIL: xdsl-pld :: case.mlir" in report
    code, report = lit(tmp_path, "// RUN: not xdsl-opt %s\n// REQUIRES: moon\n" + FUNCTION)
    assert code == 0, report
    assert "UNSUPPORTED: xdsl-pld :: case.mlir" in report


def test_a_file_without_a_run_line_fails(tmp_path: Path):
    code, report = lit(tmp_path, FUNCTION)
    assert code == 1
    assert "Test has no 'RUN:' line" in report


@pytest.mark.parametrize("command", ["xdsl-opt %s", "env xdsl-opt %s"])
def test_a_path_may_hold_spaces(tmp_path: Path, command: str):
    text = f"// RUN: {command} > %t && filecheck %s < %t\n" + FUNCTION + "// CHECK: @f\n"
    code, report = lit(tmp_path / "a folder", text)
    assert code == 0, report


@pytest.mark.parametrize(
    ("command", "report_of"),
    [("pld-opt %s", "TIMEOUT: xdsl-pld"), ("env sleep 50", "exit status: -9")],
)
def test_a_test_that_takes_too_long_is_ended(tmp_path: Path, command: str, report_of: str):
    hasty = FORMAT.replace("TIME_LIMIT = 60", "TIME_LIMIT = 1")
    hanging = hasty.replace("from xdsl_pld.tools.opt import main", "import time; time.sleep(50)")
    assert hanging != hasty != FORMAT
    code, report = lit(tmp_path, f"// RUN: {command}\n", hanging)
    assert code == 1
    assert report_of in report
