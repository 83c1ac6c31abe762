"""
The wheel, in an environment where nothing else was installed.

It is built from a copy of the files that git knows: in the working tree setuptools would also take
what an earlier build left in `build/`.
"""

import importlib
import inspect
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from email import message_from_string
from pathlib import Path

import pytest
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xdsl_pld.universe import PASSES, UNIVERSE

CODE_FOLDERS = ("dialects", "passes", "templates", "tools")
OUR_PASSES = ",".join(PASSES)

PROGRAM = """\
func.func @kernel(%x: tensor<8xf32> {pl.dir = "inout"}) -> tensor<8xf32>
    attributes {pl.func_type = "incore"} {
  %tile = pl.tile.load %x[0] [8] : tensor<8xf32> -> !pl.tile<tensor<8xf32>>
  %y = pl.tile.store %tile into %x[0] : !pl.tile<tensor<8xf32>>, tensor<8xf32>
  func.return %x : tensor<8xf32>
}
"""

OTHER_PLUGIN = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "other-plugin"
version = "1.0"
[project.entry-points."xdsl.universe"]
other-plugin = "other_plugin:UNIVERSE"
[tool.setuptools]
py-modules = ["other_plugin"]
""",
    "other_plugin.py": '''\
"""A dialect with one operation."""
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition
from xdsl.universe import Universe


@irdl_op_definition
class NopOp(IRDLOperation):
    name = "other.nop"


UNIVERSE = Universe(all_dialects={"other": lambda: Dialect("other", [NopOp])})
''',
}


# The wheel and the environment.


def run(
    command: Sequence[str | Path], cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command away from the repository and from what this Python has on its path."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def run_pip(python: str | Path, cwd: Path, *arguments: str | Path) -> None:
    done = run([python, "-m", "pip", "--disable-pip-version-check", *arguments], cwd)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def wheel(
    repository: Path, repository_files: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    source = tmp_path_factory.mktemp("source")
    for file in repository_files:
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / file, source / file, follow_symlinks=False)
    wheels = tmp_path_factory.mktemp("wheels")
    run_pip(sys.executable, wheels, "wheel", "-q", "--no-deps", "-w", wheels, source)
    (built,) = wheels.iterdir()
    return built


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment in which only the wheel was installed."""
    folder = tmp_path_factory.mktemp("environment")
    assert run([sys.executable, "-m", "venv", folder], folder).returncode == 0
    run_pip(folder / "bin" / "python", folder, "install", "-q", wheel)
    return folder / "bin"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.mlir"
    file.write_text(PROGRAM)
    return file


# What the wheel holds and needs.


def test_the_wheel_holds_our_modules_and_nothing_else(
    wheel: Path, repository: Path, repository_files: list[Path]
):
    expected = {"xdsl_pld/__init__.py", "xdsl_pld/mlir.py", "xdsl_pld/universe.py"}
    for file in repository_files:
        is_module = file.suffix == ".py" and file.parts[0] in CODE_FOLDERS
        is_template = file.suffix == ".j2" and file.parts[0] == "templates"
        is_header = file.parts[:3] == ("tools", "sim", "include")
        if is_module or is_template or is_header:
            expected.add(f"xdsl_pld/{file.as_posix()}")
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    assert {name for name in held if ".dist-info/" not in name} == expected
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in held)


def test_the_product_needs_no_test_package(wheel: Path, repository: Path):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        metadata = message_from_string(archive.read(name).decode())
    needs = [need for need in metadata.get_all("Requires-Dist", []) if "extra ==" not in need]
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    assert sorted(needs) == sorted(project["dependencies"])
    assert {need.split("=")[0].split(">")[0] for need in needs} == {"xdsl", "jinja2", "numpy"}


def test_installing_it_brings_no_test_package(environment: Path, tmp_path: Path):
    python = environment / "python"
    listed = run([python, "-m", "pip", "list", "--format=json"], tmp_path).stdout
    installed = {package["name"].lower() for package in json.loads(listed)}
    assert {"xdsl-pld", "xdsl", "jinja2", "numpy"} <= installed
    assert not installed & {"pytest", "lit", "filecheck", "hypothesis", "heir-py", "ruff"}


# The drivers in that environment.


def test_pld_opt_runs(environment: Path, program: Path):
    done = run([environment / "pld-opt", program.name, "-p", OUR_PASSES], program.parent)
    assert done.returncode == 0, done.stderr
    assert "func.func @kernel" in done.stdout
    assert "pl.tile.store" in done.stdout


def test_the_stock_driver_finds_our_passes(environment: Path, program: Path):
    help_text = run([environment / "xdsl-opt", "--help"], program.parent).stdout
    passes = "".join(help_text.split())
    assert all(name in passes for name in OUR_PASSES.split(","))
    done = run([environment / "xdsl-opt", program.name, "-p", OUR_PASSES], program.parent)
    assert done.returncode == 0, done.stderr
    assert "pl.tile.store" in done.stdout


def test_the_stock_driver_takes_us_beside_another_plugin(
    environment: Path, program: Path, tmp_path: Path
):
    source, target = tmp_path / "other", tmp_path / "site"
    source.mkdir()
    for name, text in OTHER_PLUGIN.items():
        (source / name).write_text(text)
    run_pip(sys.executable, tmp_path, "install", "-q", "--no-deps", "--target", target, source)
    program.write_text(PROGRAM + '"other.nop"() : () -> ()\n')
    for driver in ("xdsl-opt", "pld-opt"):
        assert run([environment / driver, program], tmp_path).returncode == 1
        done = run([environment / driver, program], tmp_path, path=target)
        assert done.returncode == 0, done.stderr
        assert "pl.tile.store" in done.stdout
        assert '"other.nop"() : () -> ()' in done.stdout


# The registry.


def test_the_multiverse_holds_all_of_ours():
    multiverse = Universe.get_multiverse()
    assert UNIVERSE.all_dialects.items() <= multiverse.all_dialects.items()
    assert UNIVERSE.all_passes.items() <= multiverse.all_passes.items()


@pytest.mark.parametrize("key", sorted(UNIVERSE.all_dialects))
def test_a_dialect_is_registered_under_its_name(key: str):
    assert UNIVERSE.all_dialects[key]().name == key


@pytest.mark.parametrize("key", sorted(UNIVERSE.all_passes))
def test_a_pass_is_registered_under_its_name(key: str):
    pass_class = UNIVERSE.all_passes[key]()
    assert pass_class.name == key
    assert pass_class.__module__ == f"xdsl_pld.passes.{key.replace('-', '_')}"
    assert pass_class.__name__ == "".join(word.capitalize() for word in key.split("-")) + "Pass"


def test_each_dialect_and_pass_is_registered(repository: Path):
    dialects = {path.name for path in (repository / "dialects").iterdir() if path.is_dir()}
    assert dialects - {"__pycache__"} == set(UNIVERSE.all_dialects)

    package = importlib.import_module("xdsl_pld.passes")
    names: set[str] = set()
    for module_info in pkgutil.walk_packages(package.__path__, "xdsl_pld.passes."):
        module = importlib.import_module(module_info.name)
        for _, member in inspect.getmembers(module, inspect.isclass):
            ours = issubclass(member, ModulePass) and member.__module__ == module.__name__
            if ours and not inspect.isabstract(member):
                names.add(member.name)
    assert names == set(UNIVERSE.all_passes)


def test_looking_at_the_registry_imports_no_dialect_and_no_pass(tmp_path: Path):
    code = (
        "import sys, xdsl_pld.universe;"
        "print([m for m in sys.modules if m.startswith(('xdsl_pld.dialects', 'xdsl_pld.passes'))])"
    )
    assert run([sys.executable, "-c", code], tmp_path).stdout == "[]\n"
