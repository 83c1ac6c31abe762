"""
The diagnostics of `lit_tests/dialects/*/invalid_*.mlir` stand at the line after their CHECK line.

filecheck has no line arithmetic, so the line is pinned here, together with column and text.
"""

import re
from pathlib import Path

import pytest

from xdsl_pld.tools.opt import main

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(ROOT.glob("lit_tests/dialects/*/invalid_*.mlir"))
REPORT = re.compile(r"^\S+:(?P<line>\d+)(?P<rest>:\d+: error: .*)$", re.MULTILINE)
CHECK = re.compile(r"// CHECK: (?P<rest>:\d+: error: .*)$")


def test_there_are_files():
    assert len(FILES) > 10


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_each_split_is_refused_at_its_line(file: Path, capsys: pytest.CaptureFixture[str]):
    lines = file.read_text().splitlines()
    expected = [
        (number + 1, check["rest"])
        for number, line in enumerate(lines, start=1)
        if (check := CHECK.search(line))
    ]
    assert len(expected) == lines.count("// -----") + 1, "one diagnostic a split"
    status = main([str(file), "--split-input-file"])
    captured = capsys.readouterr()
    reports = REPORT.finditer(captured.out + captured.err)
    assert [(int(report["line"]), report["rest"]) for report in reports] == expected
    assert status == 1
