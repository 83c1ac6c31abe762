"""
What an agent's interpreter knows: all ops that can be run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.interpreter import InterpreterFunctions
from xdsl.interpreters.builtin import BuiltinFunctions
from xdsl.interpreters.cf import CfFunctions

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent


def implementations(agent: "Agent") -> Sequence[InterpreterFunctions]:
    """The functions of all dialects, for one agent."""
    from xdsl_pld.tools.interpreter.pl_functions import PlFunctions
    from xdsl_pld.tools.interpreter.pld_functions import PldFunctions
    from xdsl_pld.tools.interpreter.scalars import ScalarFunctions, StructuredFunctions

    return (
        BuiltinFunctions(),
        CfFunctions(),
        ScalarFunctions(),
        StructuredFunctions(),
        PlFunctions(agent),
        PldFunctions(agent),
    )
