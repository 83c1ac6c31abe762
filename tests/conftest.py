"""What several test modules share: where the repository is and which files it holds."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def repository_files() -> list[Path]:
    """All that is committed or about to be, relative to the repository, symlinks as such."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = sorted({Path(name) for name in listed.split("\0") if name})
    return [file for file in files if (ROOT / file).is_symlink() or (ROOT / file).exists()]
