"""What several test modules share: where the repository is and which files it holds."""

import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden", action="store_true", help="write the golden files of tests/build anew"
    )


def pytest_report_header() -> list[str]:
    """What of the tests depends on what is installed."""
    packages = [
        name for name in ("torch_mlir", "mlir") if find_spec(name) and find_spec(f"{name}.ir")
    ]
    found = ", ".join(packages) or "none, their tests are left out (pip install -e '.[mlir]')"
    return [f"MLIR Python bindings: {found}"]


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
