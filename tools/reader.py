"""
Reading MLIR text so that every operation and block argument knows its source position, and
every failure has one.

xDSL's parser leaves locations unknown, and what fails outside of its own grammar (a type's
verifier, a constructor, the recursion limit) has no position at all. The reader keeps the
stack of operations being parsed: such an error belongs to the innermost one.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.frontend.mlir import MLIRFrontend
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    UnregisteredConstructException,
)
from xdsl.utils.lexer import Input, Span

from xdsl_pld.dialects.pl.attribute_rules import LOST_ON_DECLARATION
from xdsl_pld.tools.caching_parser import CachingParser
from xdsl_pld.tools.collector import no_collections
from xdsl_pld.tools.diagnostics import ParseErrors, one_line

_CLEARER = {
    " in block definition": "expected an operation, a block label or '}'",
    "Could not parse entire input!": "expected an operation",
}
"""xDSL's messages that leave the reader guessing, and what to say instead."""
_TELLING = (
    DiagnosticException,
    NotImplementedError,
    UnregisteredConstructException,
    ValueError,
)
"""Exceptions whose texts are meant for the author of the input."""
_BYTE_ORDER_MARK = "\ufeff"
_BEFORE_COMMENT = re.compile(r'(?:[^"/]|/(?!/)|"(?:\\.|[^"\\])*")*')


@dataclass(frozen=True)
class LocatingMLIRFrontend(MLIRFrontend):
    """xDSL's `mlir` frontend with source positions; every failure is a ParseError."""

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        text = decode(input.read(), input_name)
        return read_module(ctx, text, input_name, implicit_module=not self.no_implicit_module)


def read_module(ctx: Context, text: str, name: str, *, implicit_module: bool = True) -> ModuleOp:
    """
    The module in a text, each operation and block argument with its position; `name` is the file.

    Raises ParseError, with a position, whatever is wrong with the text.
    """
    with no_collections():
        return LocatingParser(ctx, text, name).read(implicit_module)


def decode(data: bytes, name: str) -> str:
    """The text of a file, which is UTF-8 without a byte order mark."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = Input(data.decode("utf-8", "replace"), name)
        start = len(data[: error.start].decode("utf-8"))
        message = f"invalid UTF-8: {error.reason} (byte 0x{data[error.start]:02x})"
        raise ParseError(Span(start, start + 1, readable), message) from error
    if (start := text.find(_BYTE_ORDER_MARK)) >= 0 and not text[:start].strip():
        message = "byte order mark (U+FEFF): save the file as UTF-8 without one"
        raise ParseError(Span(start, start + 1, Input(text, name)), message)
    return text


_int_attr = lru_cache(maxsize=4096)(IntAttr)


def _file_line_col(filename: StringAttr, line: IntAttr, column: IntAttr) -> FileLineColLoc:
    """
    A location without verification, which can find nothing here and would be a tenth of the
    reader's time.
    """
    location = FileLineColLoc.__new__(FileLineColLoc)
    for name, value in (("filename", filename), ("line", line), ("column", column)):
        object.__setattr__(location, name, value)
    return location


class LocatingParser(CachingParser):
    """The fast parser; attaches positions and places errors."""

    def __init__(self, ctx: Context, input: str, name: str):
        super().__init__(ctx, input, name)
        self._filename = StringAttr(name)
        self._newlines = [match.start() for match in re.finditer("\n", input)]
        self._first = self.pos
        self._open: list[int] = []
        """Where each operation starts that is being parsed, the innermost last."""
        self._first_uses: dict[str, Span] = {}
        """The first use of each name that was not defined when it was used."""
        self._unnamed_parameter = False
        """Whether what is being parsed may be a parameter without a name: a declaration's."""
        self._unknown: LocationAttr | None = None
        """The last `loc(unknown)` that was written: it is kept."""

    def read(self, allow_implicit_module: bool) -> ModuleOp:
        """Parses the whole text; whatever goes wrong is raised as a ParseError."""
        try:
            module = self.parse_module(allow_implicit_module)
        except ParseError as error:
            if self.forward_ssa_references and error.msg.startswith("values used but not defined"):
                raise self._undefined() from None
            self._place(error)
            error.msg = _CLEARER.get(error.msg, error.msg)
            raise
        except RecursionError:
            self._raise_at_operation("nested too deeply: gave up parsing here", None)
        except Exception as error:
            message = one_line(error)
            if not isinstance(error, _TELLING):
                message = f"cannot parse this operation: {type(error).__name__}: {message}"
            self._raise_at_operation(message, error)
        if self._is_unset(module.location):
            module.location = self._location(self._first)
        return module

    def parse_operation(self) -> Operation:
        depth = len(self._open)
        start = self.pos
        self._open.append(start)
        op = super().parse_operation()
        del self._open[depth:]
        if self._is_unset(op.location):
            op.location = self._location(start)
        # What a custom format builds without text: terminators and region arguments.
        for region in op.regions:
            for block in region.blocks:
                if block.last_op is not None and self._is_unset(block.last_op.location):
                    block.last_op.location = op.location
                for argument in block.args:
                    if self._is_unset(argument.location):
                        argument.location = op.location
        return op

    def parse_optional_location(self) -> LocationAttr | None:
        location = super().parse_optional_location()
        if isinstance(location, UnknownLoc):
            self._unknown = location
        return location

    def parse_optional_argument(self, expect_type: bool = True) -> Any:  # of two overloads
        argument = super().parse_optional_argument(expect_type)
        self._unnamed_parameter = argument is None
        return argument

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        start = self.pos
        attributes = super().parse_optional_dictionary_attr_dict()
        unnamed, self._unnamed_parameter = self._unnamed_parameter, False
        if unnamed and any(name.startswith(("pl.", "pld.")) for name in attributes):
            # xDSL consumes them here and keeps nothing: a direction would be lost without a word.
            raise ParseError(Span(start, self.pos, self.lexer.input), LOST_ON_DECLARATION)
        return attributes

    def resolve_operand(self, operand: UnresolvedOperand, type: Attribute) -> SSAValue:
        name = operand.operand_name
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._first_uses[name] = operand.span
        return super().resolve_operand(operand, type)

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        super()._register_ssa_definition(name, values, span)
        for value in values:
            if isinstance(value, BlockArgument) and self._is_unset(value.location):
                value.location = self._location(span.start)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            # xDSL points at the token after the name, which may be on the next line.
            error.span = Span(self._open[-1], self._open[-1] + 1, self.lexer.input)
            raise

    def _is_unset(self, location: LocationAttr) -> bool:
        return isinstance(location, UnknownLoc) and location is not self._unknown

    def _location(self, position: int) -> FileLineColLoc:
        line = bisect_left(self._newlines, position)
        column = position - (self._newlines[line - 1] + 1 if line else 0)
        return _file_line_col(self._filename, _int_attr(line + 1), _int_attr(column + 1))

    def _undefined(self) -> ParseError:
        names = self.forward_ssa_references
        spans = sorted((self._first_uses[name] for name in names), key=lambda span: span.start)
        return ParseErrors(
            [ParseError(s, f"value {s.text} is used but not defined") for s in spans]
        )

    def _raise_at_operation(self, message: str, cause: Exception | None) -> NoReturn:
        start = self._open[-1] if self._open else self.pos
        raise ParseError(Span(start, start + 1, self.lexer.input), message) from cause

    def _place(self, error: ParseError) -> None:
        """
        Moves an error about the token that follows back to where the mistake is.

        xDSL reports a missing token, and a wrong number of types, at the next token, which is
        often on the next line. As in MLIR, the former belongs to the end of the text before.
        """
        start = error.span.start
        if start < self._first:  # the start of the text, for a module that was expected
            start = self._first
        elif start == self.pos and self._open and start > self._open[-1]:
            if "operand types but had" in error.msg:
                start = self._open[-1]
            else:
                start = self._end_of_text_before(start)
        error.span = Span(start, max(error.span.end, start), self.lexer.input)

    def _end_of_text_before(self, position: int) -> int:
        """`position`, or the end of the last token where that is on an earlier line."""
        text = self.lexer.input.content
        line_start = text.rfind("\n", 0, position) + 1
        if text[line_start:position].strip():
            return position
        while line_start > 0:
            previous = text.rfind("\n", 0, line_start - 1) + 1
            code = _BEFORE_COMMENT.match(text, previous, line_start - 1)
            if code is not None and (before := code.group().rstrip()):
                return previous + len(before)
            line_start = previous
        return position
