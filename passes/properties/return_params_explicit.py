"""
`return-params-explicit`: where a function returns one of its parameters, the return names it.

Source: dist-tensor-ctx, Return lineage.
"""

from xdsl.dialects.builtin import ModuleOp

from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.returns import ImplicitReturn, implicit_returns
from xdsl_pld.passes.diagnostics import Finding, Note


def _other(found: ImplicitReturn) -> str:
    """The value that is returned; a program that binds a name again has two of one name."""
    name = name_of(found.value)
    return f"another value, {name} too" if name == name_of(found.parameter) else name


def violations(module: ModuleOp) -> list[Finding]:
    """The returned values that are a parameter and are not named so."""
    return [
        Finding(
            found.return_op,
            f"result {found.position} of '{found.function.sym_name.data}' is its parameter "
            f"{name_of(found.parameter)}, but the return names {_other(found)}",
            (Note(f"{name_of(found.value)} is defined here", found.value),),
        )
        for found in implicit_returns(module, Lineage())
    ]
