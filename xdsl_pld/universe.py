"""
The one registry of the plugin: name -> loader function.

The stock `xdsl-opt` finds it through the entry point `xdsl.universe`; `pld-opt` asks the same
multiverse. Loaders import on demand, so that a driver's start pays only for what it uses.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.universe import Universe

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass
    from xdsl.utils.frontend import Frontend
    from xdsl.utils.target import Target


def _pl() -> "Dialect":
    from xdsl_pld.dialects.pl import PL

    return PL


def _pld() -> "Dialect":
    from xdsl_pld.dialects.pld import PLD

    return PLD


PASSES = (
    "check-collective-operands",
    "check-collective-convergence",
    "lower-composite-ops",
    "normalize-return-order",
    "fuse-create-assemble-to-slice",
    "lower-l2-tensor-collectives",
    "legalize-spmd-launches",
    "derive-call-directions",
    "auto-derive-task-dependencies",
    "synthesize-allreduce-signals",
    "materialize-comm-domain-scopes",
    "lower-host-tensor-collectives",
    "materialize-dist-tensor-ctx",
    "pld-default-pipeline",
)
"""
The checks, the passes in the order of the table in design.md, and the pipeline of these. A pass's
name gives its module's and its class's.
"""


def _pass_loader(name: str) -> "Callable[[], type[ModulePass]]":
    def load() -> "type[ModulePass]":
        module = import_module(f"xdsl_pld.passes.{name.replace('-', '_')}")
        return getattr(module, "".join(map(str.capitalize, name.split("-"))) + "Pass")

    return load


def _pypto() -> "type[Frontend]":
    from xdsl_pld.tools.frontend.frontend import PyPTOFrontend

    return PyPTOFrontend


def _pld_python() -> "type[Target]":
    from xdsl_pld.tools.frontend.python_target import PythonTarget

    return PythonTarget


def _source_target(name: str) -> "Callable[[], type[Target]]":
    def load() -> "type[Target]":
        from xdsl_pld.tools import targets

        return {
            "pld-kernels": targets.KernelsTarget,
            "pld-orchestration": targets.OrchestrationTarget,
            "pld-config": targets.ConfigTarget,
        }[name]

    return load


_SOURCE_TARGETS = ("pld-kernels", "pld-orchestration", "pld-config")


def _task_graph() -> "type[Target]":
    from xdsl_pld.tools.task_graph import PldTaskGraphTarget

    return PldTaskGraphTarget


UNIVERSE = Universe(
    all_targets={
        "pld-python": _pld_python,
        "pld-task-graph": _task_graph,
        **{name: _source_target(name) for name in _SOURCE_TARGETS},
    },
    all_frontends={"pypto": _pypto},
    all_dialects={"pl": _pl, "pld": _pld},
    all_passes={name: _pass_loader(name) for name in PASSES},
)
