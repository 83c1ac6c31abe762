"""Rules about the files themselves, whatever they do."""

import ast
import os
import re
from pathlib import Path

import pytest

CODE_FOLDERS = ("dialects", "passes", "templates", "tools")

# Spelt in pieces, so that this file is not a finding of its own.
MACHINE_FOLDERS = ("work", "root", "home", "tmp")
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "debian" + ".org",
    "golang" + ".org",
    "crates" + ".io",
)

MACHINE_PATH = re.compile(rf"(?<![\w.\-/$~)}}\]])/(?:{'|'.join(MACHINE_FOLDERS)})\b")
BARE_IMPORT = re.compile(
    rf"^\s*(?:from\s+(?:{'|'.join(CODE_FOLDERS)})[\s.]|import\s+(?:{'|'.join(CODE_FOLDERS)})\b)",
    re.MULTILINE,
)


def text_of(file: Path) -> str | None:
    """The text of a file, None for a symlink or what is not text."""
    if file.is_symlink():
        return None
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_no_file_holds_a_machine_path_or_a_registry_host(
    repository: Path, repository_files: list[Path]
):
    findings: list[str] = []
    for file in repository_files:
        for number, line in enumerate((text_of(repository / file) or "").splitlines(), start=1):
            if MACHINE_PATH.search(line) or any(host in line for host in REGISTRY_HOSTS):
                findings.append(f"{file}:{number}: {line.strip()}")
    assert not findings


@pytest.mark.parametrize("folder", MACHINE_FOLDERS)
def test_the_search_finds_a_machine_path(folder: str):
    assert MACHINE_PATH.search(f"see /{folder}/x/file.py")
    assert MACHINE_PATH.search(f'"/{folder}"')
    assert not MACHINE_PATH.search(f"docs/{folder}/file.py")
    assert not MACHINE_PATH.search(f"$DIR/{folder}")


def test_our_modules_are_imported_by_their_full_name(
    repository: Path, repository_files: list[Path]
):
    findings = [
        str(file)
        for file in repository_files
        if file.suffix == ".py" and BARE_IMPORT.search(text_of(repository / file) or "")
    ]
    assert not findings


@pytest.mark.parametrize(
    "line", ["import tools", "from dialects.pl import PL", "  import passes.a"]
)
def test_the_search_finds_a_bare_import(line: str):
    assert BARE_IMPORT.search(f"import os\n{line}\n")


def test_the_package_links_to_the_code_folders(repository: Path):
    links = {path.name: path for path in (repository / "xdsl_pld").iterdir() if path.is_symlink()}
    assert {name: os.readlink(path) for name, path in links.items()} == {
        folder: os.path.join("..", folder) for folder in CODE_FOLDERS
    }


def test_each_folder_of_code_is_a_package(repository: Path, repository_files: list[Path]):
    folders = {
        parent
        for file in repository_files
        if file.suffix == ".py" and file.parts[0] in CODE_FOLDERS
        for parent in file.parents[:-1]
    }
    assert folders, "no code found"
    missing = [str(f) for f in sorted(folders) if not (repository / f / "__init__.py").exists()]
    assert not missing


def test_each_module_says_what_it_is(repository: Path, repository_files: list[Path]):
    findings: list[str] = []
    for file in repository_files:
        if file.suffix != ".py" or file.parts[0] not in (*CODE_FOLDERS, "xdsl_pld"):
            continue
        text = text_of(repository / file)
        if text and text.strip() and not ast.get_docstring(ast.parse(text)):
            findings.append(str(file))
    assert not findings
