"""
Returns that do not name the parameter whose tensor they return.

Reads   the returns of kernels, wrappers and graphs, and the lineage of what they return.
Decides which of the returned values are a parameter as a whole. A view is not: its shape may
        differ. Nor is a value of another type, as a call of a kernel with dynamic extents may
        make one of its argument: the callers were promised that type.
Changes nothing.

Source: dist-tensor-ctx, Return lineage.
"""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, SSAValue

from xdsl_pld.dialects.pl.attributes import LAUNCHABLE, FuncType, func_type
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.analysis.lineage import Lineage, named_parameter, returns_of


class ImplicitReturn(NamedTuple):
    """A returned value that is a parameter without being named so."""

    function: FuncOp
    return_op: ReturnOp
    position: int
    parameter: BlockArgument

    @property
    def value(self) -> SSAValue:
        return self.return_op.arguments[self.position]


def implicit_returns(module: ModuleOp, lineage: Lineage) -> Iterator[ImplicitReturn]:
    """All of them, in text order; orchestrations, which may rename what they return, left out."""
    for function in functions(module):
        if func_type(function) not in _NAME_PARAMETERS:
            continue
        for return_op in returns_of(function):
            for position, value in enumerate(return_op.arguments):
                if named_parameter(function, value) is not None or not is_tensor_like(value.type):
                    continue
                origins = lineage.of(function)
                index = origins.parameter(value)
                if index is None or not origins.origin(value).whole:
                    continue
                parameter = function.args[index]
                if value.type == parameter.type:
                    yield ImplicitReturn(function, return_op, position, parameter)


_NAME_PARAMETERS = LAUNCHABLE | {FuncType.GRAPH}
