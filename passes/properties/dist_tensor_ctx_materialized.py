"""
`dist-tensor-ctx-materialized`: each function has the contexts of its distributed tensors as
parameters, each call passes them, and nothing outside the host asks for one.

A call is at fault that passes another context than that of the tensor beside it, as far as lineage
can tell whose the tensor is: no type would find it, and the card would read another window.

Source: design.md, Passes.
"""

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from xdsl_pld.dialects.pl.attributes import is_host_orchestrator
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.signature import context_parameters
from xdsl_pld.dialects.pld.system import GetCommCtxOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.analysis.calls import AnyCallOp, arguments_by_parameter, callee_of, functions
from xdsl_pld.passes.analysis.flow import sources_of
from xdsl_pld.passes.analysis.lineage import FunctionLineage, Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.diagnostics import Finding, Note


def violations(module: ModuleOp) -> list[Finding]:
    """Missing context parameters, wrong contexts, and queries outside the host."""
    contexts = _Contexts()
    return [
        finding
        for function in functions(module)
        for finding in (*_missing(function), *contexts.in_body(function))
    ]


def _missing(function: FuncOp) -> Iterator[Finding]:
    paired = context_parameters(function)
    for index, parameter in enumerate(function.function_type.inputs):
        if isinstance(parameter, DistributedTensorType) and index not in paired:
            name = "" if function.is_declaration else f" {name_of(function.args[index])}"
            yield Finding(
                function,
                f"parameter {index}{name} of '{function.sym_name.data}' is a distributed tensor "
                "without a context parameter",
            )


class _Contexts:
    """Compares the contexts that calls pass with the tensors beside them."""

    def __init__(self):
        self._lineage = Lineage()

    def in_body(self, function: FuncOp) -> Iterator[Finding]:
        host = is_host_orchestrator(function)
        for op in function.body.walk():
            if isinstance(op, GetCommCtxOp) and not host:
                message = f"context query left in '{function.sym_name.data}'"
                yield Finding(op, message, (Note(f"it asks for {name_of(op.tensor)}"),))
            elif isinstance(op, CallOp | SubmitOp | func.CallOp):
                callee = callee_of(op)
                if callee is None or not (pairs := context_parameters(callee)):
                    continue
                passed = arguments_by_parameter(op, callee)
                lineage = self._lineage.of(function)
                for tensor, context in pairs.items():
                    if tensor in passed and context in passed:
                        yield from _compare(op, passed[tensor], passed[context], lineage)


def _compare(
    call: AnyCallOp, tensor: SSAValue, context: SSAValue, lineage: FunctionLineage
) -> Iterator[Finding]:
    root = lineage.origin(tensor).root
    if not lineage.is_traced(root):
        return
    if all(_tensor_of(source, lineage) is root for source in sources_of(context)):
        return
    yield Finding(
        call,
        f"{call.callee} is passed {name_of(context)} as the context of {name_of(tensor)}, which "
        f"is not the context of {name_of(root)}",
        (
            Note(f"{name_of(tensor)} is a tensor of {name_of(root)}", root),
            Note(f"{name_of(context)} is defined here", context),
        ),
    )


def _tensor_of(context: SSAValue, lineage: FunctionLineage) -> SSAValue | None:
    """The parameter or window whose context a value is, None where it is not known to be one."""
    if isinstance(context.owner, GetCommCtxOp):
        return lineage.origin(context.owner.tensor).root
    for tensor, own in context_parameters(lineage.function).items():
        if context is lineage.function.args[own]:
            return lineage.function.args[tensor]
    return None
