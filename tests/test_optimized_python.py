"""
The negative suite under `python -O`: no refusal rests on an `assert`.

All lit files that expect a tool to fail run in one lit, in process (`lit_tests/in_process.py`),
with assertions compiled away.
"""

import re
import subprocess
import sys
from pathlib import Path

LIT_TESTS = Path(__file__).resolve().parents[1] / "lit_tests"
LIT = ["-c", "from lit.main import main; main()"]
EXPECTS_FAILURE = re.compile(r"// RUN: (?!.*\benv\b).*\bnot (?:pld-opt|xdsl-opt)\b")


def negative_files() -> list[Path]:
    return [
        file
        for file in sorted(LIT_TESTS.rglob("*.mlir"))
        if EXPECTS_FAILURE.search(file.read_text())
    ]


def test_every_refusal_holds_without_assertions():
    files = negative_files()
    assert len(files) > 20
    lit = [sys.executable, "-O", *LIT, "-v", "-j1"]
    done = subprocess.run([*lit, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Passed: {len(files)} " in done.stdout


def test_assertions_are_off_there(tmp_path: Path):
    """What a lit test runs in process is compiled without assertions, in lit's workers too."""
    (tmp_path / "probe.py").write_text(
        "import lit.formats, lit.Test\n"
        "class Probe(lit.formats.ShTest):\n"
        "    def execute(self, test, litConfig):\n"
        "        assert False\n"
        "        return lit.Test.Result(lit.Test.PASS)\n"
    )
    (tmp_path / "lit.cfg.py").write_text(
        "import os, sys\n"
        "sys.path.insert(0, os.getcwd())\n"
        "from probe import Probe\n"
        "config.name, config.suffixes, config.test_format = 'probe', ['.mlir'], Probe()\n"
    )
    (tmp_path / "probe.mlir").write_text("")
    statuses: list[int] = []
    for flags in ([], ["-O"]):
        lit = [sys.executable, *flags, *LIT, "-q", "-j1", "probe.mlir"]
        done = subprocess.run(lit, cwd=tmp_path, capture_output=True, check=False)
        statuses.append(done.returncode)
    assert statuses == [1, 0]
