"""The pages that show pld-run: its commands print what they show."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from xdsl_pld.tools import run

ROOT = Path(__file__).resolve().parents[2]
PAGES = {name: (ROOT / "docs" / name).read_text() for name in ("pld-run.md", "pypto.md")}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r" +\d+\.\d$", re.MULTILINE)


def blocks(page: str, *languages: str) -> Iterator[str]:
    return (text for kind, text in BLOCK.findall(PAGES[page]) if kind in languages)


def transcript(commands: list[str]) -> str:
    """The commands and what they print, as in the page."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for command in commands:
            tool, *arguments = shlex.split(command)
            assert tool == "pld-run"
            print(f"$ {command}")
            run.main(arguments)
    return output.getvalue()


@pytest.mark.parametrize(
    ("page", "shown"), [(page, shown) for page in PAGES for shown in blocks(page, "console")]
)
def test_commands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiled_kernels: Path, page: str, shown: str
):
    monkeypatch.setenv("XDSL_PLD_CACHE", str(compiled_kernels))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for program in blocks(page, "mlir", "python"):
        name, text = program.split("\n", 1)
        (tmp_path / name.lstrip("/# ")).write_text(program)
        assert text
    monkeypatch.chdir(tmp_path)
    commands = [line.removeprefix("$ ") for line in shown.splitlines() if line.startswith("$ ")]
    assert TIME.sub(" _", transcript(commands)) == TIME.sub(" _", shown)


def test_every_option_is_explained(capsys: pytest.CaptureFixture[str]):
    assert run.main(["--help"]) == 0
    options = set(re.findall(r"--[\w-]+", capsys.readouterr().out))
    assert options - set(re.findall(r"--[\w-]+", PAGES["pld-run.md"])) == {"--help", "--version"}
