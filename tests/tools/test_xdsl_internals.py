"""The names of xDSL's that are not public are there, and there are no others in use."""

import ast
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

from xdsl_pld.tools.xdsl_internals import USED_BY, USED_NAMES

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def names_of(cls: type) -> set[str]:
    return {
        name
        for base in cls.__mro__
        for name in (*vars(base), *vars(base).get("__annotations__", ()))
    }


@pytest.mark.parametrize("cls", USED_NAMES, ids=lambda cls: cls.__name__)
def test_the_names_are_there(cls: type):
    assert set(USED_NAMES[cls]) <= names_of(cls)


def private_names(tree: ast.AST) -> Iterator[str]:
    """Attributes that are read, written or defined in a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield inner.name
                elif isinstance(inner, ast.Assign):
                    yield from (t.id for t in inner.targets if isinstance(t, ast.Name))


@pytest.mark.parametrize("module", USED_BY)
def test_no_other_is_used(module: str):
    import_module(f"xdsl_pld.tools.{module}")
    file = TOOLS / f"{module.replace('.', '/')}.py"
    theirs = set(chain.from_iterable(map(names_of, USED_NAMES)))
    used = {name for name in private_names(ast.parse(file.read_text())) if name.startswith("_")}
    private = {name for name in used & theirs if not name.startswith("__")}
    assert private <= set(chain.from_iterable(USED_NAMES.values()))
