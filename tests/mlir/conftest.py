"""MLIR's Python bindings, whichever are installed, for the tests of the bridge."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

PACKAGES = ("torch_mlir", "mlir")
"""The extra `mlir` brings the first; the second is xtc-mlir-python-bindings (LLVM 22)."""

LEFT_OUT = (
    "left out: no MLIR Python bindings are installed; `pip install -e .[mlir]` brings torch-mlir"
)


@dataclass(frozen=True)
class MLIR:
    """One package of bindings."""

    package: str

    @property
    def ir(self) -> Any:
        return import_module(f"{self.package}.ir")

    def pass_manager(self, pipeline: str) -> Any:
        return import_module(f"{self.package}.passmanager").PassManager.parse(pipeline)

    @property
    def has_traits(self) -> bool:
        return hasattr(self.ir, "IsTerminatorTrait")


def installed() -> list[str]:
    return [name for name in PACKAGES if find_spec(f"{name}") and find_spec(f"{name}.ir")]


@pytest.fixture(scope="session", params=installed() or [None])
def mlir(request: pytest.FixtureRequest) -> MLIR:
    if request.param is None:
        if os.environ.get("PLD_REQUIRE_MLIR"):
            pytest.fail(LEFT_OUT)
        pytest.skip(LEFT_OUT)
    return MLIR(request.param)


@pytest.fixture
def context(mlir: MLIR) -> Iterator[Any]:
    """A context with dialect pld, entered."""
    from xdsl_pld.mlir import load_dialects

    with mlir.ir.Context() as context, mlir.ir.Location.unknown():
        load_dialects(context)
        yield context
