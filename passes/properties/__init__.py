"""
Properties: what a pass may rely on, establish or destroy, by the table in design.md.

A pass declares them on its class (`PldPass.requires`, `produces`, `breaks`); `chain` checks a
sequence of passes against what they declare. Each property has a module here, named after it, with
a function `violations` that reads the IR and returns findings; it is needed as soon as a pass
requires or produces the property.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module

from xdsl.dialects.builtin import ModuleOp

from xdsl_pld.passes.diagnostics import Finding


class Property(StrEnum):
    """A statement about a module that its IR alone decides."""

    RETURN_PARAMS_EXPLICIT = "return-params-explicit"
    CALL_DIRECTIONS_RESOLVED = "call-directions-resolved"
    COMM_DOMAIN_SCOPES_MATERIALIZED = "comm-domain-scopes-materialized"
    DIST_TENSOR_CTX_MATERIALIZED = "dist-tensor-ctx-materialized"


ESTABLISHED_BY: Mapping[Property, str] = {
    Property.RETURN_PARAMS_EXPLICIT: "normalize-return-order",
    Property.CALL_DIRECTIONS_RESOLVED: "derive-call-directions",
    Property.COMM_DOMAIN_SCOPES_MATERIALIZED: "materialize-comm-domain-scopes",
    Property.DIST_TENSOR_CTX_MATERIALIZED: "materialize-dist-tensor-ctx",
}
"""The pass to run where a property does not hold: the one that declares it in `produces`."""


def violations(wanted: Property, module: ModuleOp) -> list[Finding]:
    """Where `wanted` does not hold, empty where it does. The module is well-formed."""
    verifier = import_module(f"{__name__}.{wanted.replace('-', '_')}")
    check: Callable[[ModuleOp], list[Finding]] = verifier.violations
    return check(module)
