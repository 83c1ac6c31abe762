"""
The refusals of `lit_tests/passes/lower-l2-tensor-collectives/`: those that are written down.

filecheck sees that each expected error is there; that there is no other, and that all stand in
their order, is pinned here.
"""

import re
from pathlib import Path

import pytest

from xdsl_pld.tools.opt import main

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "lit_tests" / "passes" / "lower-l2-tensor-collectives"
FILES = sorted(
    file for file in FOLDER.glob("*.mlir") if "RUN: not pld-opt" in file.read_text().split("\n")[0]
)
ERROR = re.compile(r"^\S*?(?P<error>[\w-]+\.mlir:\d+:\d+: error: .*)$", re.MULTILINE)
CHECK = re.compile(r"^ *// CHECK: (?P<error>\S+: error: .*)$", re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_error_is_expected(file: Path, capsys: pytest.CaptureFixture[str]):
    text = file.read_text()
    (arguments,) = re.findall(r"RUN: not pld-opt %s (.*) 2>&1 \| filecheck %s", text)
    assert main([str(file), *arguments.split()]) == 1
    captured = capsys.readouterr()
    reported = [match["error"] for match in ERROR.finditer(captured.out + captured.err)]
    expected = [match["error"] for match in CHECK.finditer(text)]
    assert len(expected) >= text.count("// -----")
    assert [
        error if not error.startswith(start) else start
        for error, start in zip(reported, expected, strict=True)
    ] == expected


def test_there_are_files():
    assert len(FILES) >= 8
