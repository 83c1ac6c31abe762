"""
What an agent's interpreter knows: all ops that can be run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.interpreter import InterpreterFunctions
from xdsl.interpreters.builtin import BuiltinFunctions

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent


def implementations(agent: "Agent") -> Sequence[InterpreterFunctions]:
    """The functions of all dialects, for one agent."""
    from xdsl_pld.tools.interpreter.control import BranchFunctions, StructuredFunctions
    from xdsl_pld.tools.interpreter.math_functions import MathFunctions
    from xdsl_pld.tools.interpreter.pl_functions import PlFunctions
    from xdsl_pld.tools.interpreter.pld_functions import PldFunctions
    from xdsl_pld.tools.interpreter.scalars import ScalarFunctions
    from xdsl_pld.tools.interpreter.storage import StorageFunctions
    from xdsl_pld.tools.interpreter.tile_functions import TileFunctions

    return (
        BuiltinFunctions(),
        ScalarFunctions(),
        MathFunctions(),
        StructuredFunctions(),
        BranchFunctions(),
        StorageFunctions(agent),
        PlFunctions(agent),
        TileFunctions(agent),
        PldFunctions(agent),
    )
