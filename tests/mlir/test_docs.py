"""
The commands on the pages `docs/mlir-*.md`: each runs, and prints what the page says.

A fenced block `sh` or `python` is run in a folder of its own that holds `examples/`; a block `text`
after it is its output, in which `...` stands for any text.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from xdsl_pld.tools.mlir.mlir_opt import find_executable

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("mlir-*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[str, str, str | None]]:
    """Language, text and expected output of each block that runs."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    for index, (language, text) in enumerate(found):
        if language == "text":
            continue
        following = found[index + 1] if index + 1 < len(found) else ("", "")
        yield language, text, following[1] if following[0] == "text" else None


@pytest.fixture
def folder(tmp_path: Path, repository: Path) -> Path:
    shutil.copytree(repository / "examples", tmp_path / "work" / "examples")
    return tmp_path / "work"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Our tools on PATH, and an mlir-opt: heir-opt has all that it has."""
    tools = tmp_path / "bin"
    tools.mkdir()
    driver = find_executable()
    assert driver is not None
    for name in ("mlir-opt", "heir-opt"):
        (tools / name).symlink_to(driver)
    path = os.pathsep.join([str(Path(sys.executable).parent), str(tools), os.environ["PATH"]])
    return {**os.environ, "PATH": path}


def test_there_is_a_page_for_each_way_in():
    assert [page.stem for page in PAGES] == [
        "mlir-pass-manager",
        "mlir-pipes",
        "mlir-pld-opt",
        "mlir-xdsl-opt",
    ]


def matches(expected: str, output: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, output.strip(), re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_on_the_page_run(page: Path, folder: Path, environment: dict[str, str]):
    ran = 0
    for language, text, expected in blocks(page):
        assert language in ("sh", "python"), f"cannot run {language}"
        if language == "python" and "torch_mlir" in text and not find_spec("torch_mlir"):
            if os.environ.get("PLD_REQUIRE_MLIR"):
                pytest.fail("torch-mlir is not installed")
            pytest.skip("left out: torch-mlir is not installed (pip install -e .[mlir])")
        command = (
            ["bash", "-euo", "pipefail"] if language == "sh" else [sys.executable, "-W", "error"]
        )
        done = subprocess.run(
            [*command, "-c", text],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), text
        assert expected is None or matches(expected, done.stdout), f"{text}\nprints:\n{done.stdout}"
        ran += 1
    assert ran > 1
