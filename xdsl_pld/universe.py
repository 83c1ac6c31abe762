"""
The one registry of the plugin: name -> loader function.

The stock `xdsl-opt` finds it through the entry point `xdsl.universe`; `pld-opt` asks the same
multiverse. Loaders import on demand, so that a driver's start pays only for what it uses.
"""

from typing import TYPE_CHECKING

from xdsl.universe import Universe

if TYPE_CHECKING:
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass


def _pl() -> "Dialect":
    from xdsl_pld.dialects.pl import PL

    return PL


def _pld() -> "Dialect":
    from xdsl_pld.dialects.pld import PLD

    return PLD


def _lower_l2_tensor_collectives() -> "type[ModulePass]":
    from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass

    return LowerL2TensorCollectivesPass


def _materialize_dist_tensor_ctx() -> "type[ModulePass]":
    from xdsl_pld.passes.materialize_dist_tensor_ctx import MaterializeDistTensorCtxPass

    return MaterializeDistTensorCtxPass


UNIVERSE = Universe(
    all_dialects={"pl": _pl, "pld": _pld},
    all_passes={
        "lower-l2-tensor-collectives": _lower_l2_tensor_collectives,
        "materialize-dist-tensor-ctx": _materialize_dist_tensor_ctx,
    },
)
