"""
Contexts that are there already: which are missing from a signature, which are wrong at a call.

Reads   the `pld.ctx_of` pairs of signatures, lineage, and how contexts flow through control flow.
Decides for each pair of a callee whether a call passes, beside a tensor, that tensor's own context,
        as far as lineage can tell whose the tensor is: no type would find another, and the card
        would read another window.
Changes nothing.

Source: dist-tensor-ctx.
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from xdsl_pld.dialects.pl.attributes import param_attrs
from xdsl_pld.dialects.pld.signature import CTX_OF, context_parameters
from xdsl_pld.dialects.pld.system import GetCommCtxOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.analysis.calls import AnyCallOp, arguments_by_parameter
from xdsl_pld.passes.analysis.flow import sources_of
from xdsl_pld.passes.analysis.lineage import FunctionLineage, named_parameter
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.diagnostics import Finding, Note


def missing_contexts(function: FuncOp) -> Sequence[int]:
    """The distributed tensor parameters that have no context parameter."""
    paired = context_parameters(function)
    return [
        index
        for index, parameter in enumerate(function.function_type.inputs)
        if isinstance(parameter, DistributedTensorType) and index not in paired
    ]


def wrong_contexts(call: AnyCallOp, callee: FuncOp, lineage: FunctionLineage) -> Iterator[Finding]:
    """The contexts that a call passes beside a tensor of another window."""
    passed = arguments_by_parameter(call, callee)
    for parameter, context_parameter in context_parameters(callee).items():
        tensor, context = passed[parameter], passed[context_parameter]
        root = lineage.origin(tensor).root
        if not lineage.is_traced(root):
            continue
        if any(_window_of(source, lineage) is not root for source in sources_of(context)):
            yield Finding(
                call,
                f"{call.callee} gets {name_of(context)} as the context of {name_of(tensor)}, but "
                f"it is not the context of {name_of(root)}",
                (
                    Note(f"{name_of(root)} is defined here", root),
                    Note(f"{name_of(context)} is defined here", context),
                ),
            )


def _window_of(context: SSAValue, lineage: FunctionLineage) -> SSAValue | None:
    """The parameter or window whose context a value is, None where it is not known to be one."""
    if isinstance(context.owner, GetCommCtxOp):
        return lineage.origin(context.owner.tensor).root
    index = named_parameter(lineage.function, context)
    if index is None:
        return None
    tensor = param_attrs(lineage.function, index).get(CTX_OF)
    return lineage.function.args[tensor.value.data] if isinstance(tensor, IntegerAttr) else None
