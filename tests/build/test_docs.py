"""The page about pld-build: its commands print what it shows."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from xdsl_pld.tools import build

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "pld-build.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(PAGE) if kind == language]


@pytest.mark.parametrize("shown", blocks("console"))
def test_commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: str):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for program in blocks("mlir"):
        name = program.split("\n", 1)[0].removeprefix("// ")
        (tmp_path / name).write_text(program)
    monkeypatch.chdir(tmp_path)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for line in shown.splitlines():
            if line.startswith("$ "):
                print(line)
                tool, *arguments = shlex.split(line.removeprefix("$ "))
                assert tool == "pld-build"
                build.main(arguments)
    assert output.getvalue() == shown


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]):
    assert build.main(["--help"]) == 0
    options = set(re.findall(r"--[\w-]+", capsys.readouterr().out))
    assert options - set(re.findall(r"--[\w-]+", PAGE)) == {"--help", "--version", "--output"}
