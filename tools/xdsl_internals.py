"""
What the reader, the printer and verification use of xDSL that is not its public interface.

xDSL is pinned, and offers no other way: a faster parser is a subclass that replaces some of its
steps. A test holds this list against xDSL and against the modules that use it. In addition
`tools.verify` puts a function before `OpDef.verify` that passes on all but its own verifications.
"""

from collections.abc import Mapping, Sequence

from xdsl.irdl import OpDef
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRLexer

USED_NAMES: Mapping[type, Sequence[str]] = {
    Parser: (
        "_parser_state",  # its lexer and its current token
        "_parse_optional_token",
        "_register_ssa_definition",
        "_get_op_by_name",
        "_parse_location",
    ),
    MLIRLexer: ("_unescaped_characters_regex",),
    Printer: ("_current_line", "_current_column"),
    OpDef: ("verify",),
}
"""By class: methods that are overridden, attributes that are read and written."""
USED_BY = ("lexer", "caching_parser", "caching_printer", "reader", "verify", "mlir.text")
"""The modules of `tools` that do."""
