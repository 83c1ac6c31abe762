"""
`dist-tensor-ctx-materialized`: each function has the contexts of its distributed tensors as
parameters, each call passes each tensor's own, and nothing outside the host asks for one.

Source: design.md, Passes.
"""

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_pld.dialects.pl.attributes import is_host_orchestrator
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.signature import context_parameters
from xdsl_pld.dialects.pld.system import GetCommCtxOp
from xdsl_pld.passes.analysis.calls import callee_of, functions
from xdsl_pld.passes.analysis.contexts import missing_contexts, wrong_contexts
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.diagnostics import Finding, Note


def violations(module: ModuleOp) -> list[Finding]:
    """Missing context parameters, wrong contexts, and queries outside the host."""
    lineage = Lineage()
    return [
        finding
        for function in functions(module)
        for finding in (*_missing(function), *_in_body(function, lineage))
    ]


def _missing(function: FuncOp) -> Iterator[Finding]:
    for index in missing_contexts(function):
        name = "" if function.is_declaration else f" {name_of(function.args[index])}"
        yield Finding(
            function,
            f"parameter {index}{name} of '{function.sym_name.data}' is a distributed tensor "
            "without a context parameter",
        )


def _in_body(function: FuncOp, lineage: Lineage) -> Iterator[Finding]:
    host = is_host_orchestrator(function)
    for op in function.body.walk():
        if isinstance(op, GetCommCtxOp) and not host:
            message = f"context query left in '{function.sym_name.data}'"
            yield Finding(op, message, (Note(f"it asks for {name_of(op.tensor)}", op.tensor),))
        elif isinstance(op, CallOp | SubmitOp | func.CallOp):
            callee = callee_of(op)
            if callee is not None and context_parameters(callee):  # equivalent mutant: saves time
                yield from wrong_contexts(op, callee, lineage.of(function))
