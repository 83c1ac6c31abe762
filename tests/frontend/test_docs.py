"""The commands of docs/pypto.md run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pypto.md"
COMMANDS = re.findall(r"^    ((?:pld|xdsl)-\w+ .*)$", PAGE.read_text(), re.MULTILINE)


def test_the_page_has_commands():
    assert len(COMMANDS) == 10


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(command: str, repository: Path):
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        cwd=repository,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = ("func.func", "@pl.program", "dispatches", "kernel_config.py")
    assert any(word in done.stdout for word in shown)
