"""
Modules as text that both xDSL and upstream MLIR read: how IR crosses the bridge.

The text is generic, with properties as attributes (a dialect from IRDL has none) and locations
written out. Walking both object models instead was no faster and twice the code (xdsl-notes, 3).

MLIR keeps no value names. It does keep a *name location*, `loc("x"("f.mlir":3:5))`, and prints it
as `%x` when asked to (`--mlir-use-nameloc-as-prefix`). So `write` wraps each named value's location
in its name, and `read` takes it off again: in xDSL a name is the value's hint and the location is
the plain position, as if `pld-opt` had read the file. The results of one operation share its
location, so their names stand in each other, `loc("x"("y"("f"...)))`; MLIR shows the first.

xDSL has no location ranges and no metadata on fused locations: a range keeps its start.
"""

import re
from collections.abc import Sequence
from io import StringIO

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.universe import Universe
from xdsl.utils.exceptions import ParseError
from xdsl.utils.hints import isa

from xdsl_pld.tools.caching_printer import CachingPrinter
from xdsl_pld.tools.collector import no_collections
from xdsl_pld.tools.reader import LocatingParser

_OPERATION_LINE = re.compile(r'^\s*(?:%[^"]*= )?"', re.MULTILINE)


def new_context() -> Context:
    """A context with every dialect that is installed; others stay unregistered."""
    context = Context(allow_unregistered=True)
    for name, load in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, load)
    return context


def read(context: Context, text: str, name: str) -> ModuleOp:
    """The module in a generic text of MLIR's; raises ParseError with a position in that text."""
    if "pl." in text:
        # Attributes `pl.*` are verified even where no operation of pl is used.
        context.get_optional_dialect("pl")
    with no_collections():
        module = _Parser(context, text, name).read(allow_implicit_module=False)
    for op in module.walk():
        op.location = _without_names(op.location, op.results)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    argument.location = _without_names(argument.location, (argument,))
    return module


def write(module: Operation) -> str:
    """The generic text of a module, for MLIR."""
    stream = StringIO()
    _Printer(
        stream,
        print_generic_format=True,
        print_properties_as_attributes=True,
        print_debuginfo=True,
    ).print_op(module)
    return stream.getvalue()


def operation_index(before: str) -> int:
    """Which operation, counted in textual order, is the last to start in the head of a text."""
    return max(len(_OPERATION_LINE.findall(before)) - 1, 0)


def text_before(error: ParseError) -> str:
    """The text that was read, up to the error."""
    content = error.span.input.content
    assert isinstance(content, str)
    return content[: error.span.start + 1]


class _Parser(LocatingParser):
    """Reads the location syntax that MLIR prints and xDSL does not know."""

    def _parse_location(self) -> LocationAttr:
        if self.parse_optional_keyword("fused"):
            if self.parse_optional_punctuation("<") is not None:
                self.parse_attribute()  # metadata, such as a debug scope
                self.parse_punctuation(">")
            nested = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
            return FusedLoc(ArrayAttr[Attribute](nested), NoneAttr())
        location = super()._parse_location()
        if isinstance(location, FileLineColLoc) and self.parse_optional_keyword("to"):
            self.parse_optional_integer(False, False)
            self.parse_punctuation(":")
            self.parse_integer(False, False)
        return location


class _Printer(CachingPrinter):
    """Prints each location with the name of the value that is defined there."""

    def print_operation_type(self, op: Operation) -> None:
        self.print_function_type(op.operand_types, op.result_types)
        self.print_string(" ")
        self.print_attribute(_with_names(op.location, op.results))

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        self.print_ssa_value(arg)
        if print_type:
            self.print_string(": ")
            self.print_attribute(arg.type)
            self.print_string(" ")
            self.print_attribute(_with_names(arg.location, (arg,)))


def _with_names(location: LocationAttr, values: Sequence[SSAValue]) -> LocationAttr:
    """The location inside the names of the values that are defined there, the first outermost."""
    first = values[0].name_hint if values else None
    if first is None or (isinstance(location, NameLoc) and _hint(location) == first):
        return location
    for value in reversed(values):
        location = NameLoc(StringAttr(value.name_hint or first), location)
    return location


def _without_names(location: LocationAttr, values: Sequence[SSAValue]) -> LocationAttr:
    """The location inside the names, which become the values' only ones."""
    for value in values:
        value.name_hint = None
    for value in values:
        if not isinstance(location, NameLoc):
            break
        value.name_hint = _hint(location)
        if value.name_hint != location.desc.data:
            break  # more than a name, such as "layer/attention"
        inner = location.location
        location = inner if isa(inner, LocationAttr) else UnknownLoc()
    return location


def _hint(location: NameLoc) -> str | None:
    """The value name in a location, as xDSL takes it: without a number at its end."""
    name = location.desc.data
    return SSAValue.extract_valid_name(name) if SSAValue.is_valid_name(name) else None
