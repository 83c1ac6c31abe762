"""
Modules between our custom syntax, which upstream MLIR does not read, and upstream's objects.
"""

from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.tools.caching_printer import print_text
from xdsl_pld.tools.mlir.bindings import Bindings, MLIRContext, MLIRModule, MLIROperation
from xdsl_pld.tools.mlir.text import new_context, read, write
from xdsl_pld.tools.reader import read_module
from xdsl_pld.tools.verify import verify_findings


def parse_module(text: str, context: MLIRContext, name: str = "-") -> MLIRModule:
    """
    The module in a text, in our custom syntax or in MLIR's generic one; `name` is its file in
    locations. Value names are kept, as name locations.

    Raises xDSL's ParseError for text, FindingsError for IR that does not verify.
    """
    module = read_module(new_context(), text, name)
    if findings := verify_findings(module):
        raise FindingsError(findings)
    return Bindings.of(context).parse(write(module), context)


def print_module(op: MLIROperation) -> str:
    """The custom syntax of a module, with the value names that its locations hold."""
    module = read(new_context(), Bindings.of(op).text_of(op), "<mlir>")
    return print_text(module)
