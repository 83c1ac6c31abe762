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
    from xdsl.utils.target import Target


def _pl() -> "Dialect":
    from xdsl_pld.dialects.pl import PL

    return PL


def _pld() -> "Dialect":
    from xdsl_pld.dialects.pld import PLD

    return PLD


PASSES = (
    "normalize-return-order",
    "fuse-create-assemble-to-slice",
    "lower-l2-tensor-collectives",
    "legalize-spmd-launches",
    "derive-call-directions",
    "auto-derive-task-dependencies",
    "materialize-dist-tensor-ctx",
    "pld-default-pipeline",
)
"""
In the order of the table in design.md, then the pipeline of all. A pass's name gives its module's
and its class's.
"""


def _pass_loader(name: str) -> "Callable[[], type[ModulePass]]":
    def load() -> "type[ModulePass]":
        module = import_module(f"xdsl_pld.passes.{name.replace('-', '_')}")
        return getattr(module, "".join(map(str.capitalize, name.split("-"))) + "Pass")

    return load


def _task_graph() -> "type[Target]":
    from xdsl_pld.tools.task_graph import PldTaskGraphTarget

    return PldTaskGraphTarget


UNIVERSE = Universe(
    all_dialects={"pl": _pl, "pld": _pld},
    all_passes={name: _pass_loader(name) for name in PASSES},
    all_targets={"pld-task-graph": _task_graph},
)
