"""
The text of a program: positions of syntax nodes, and the diagnostics of one run.

`ast` counts columns in UTF-8 bytes from 0, everything that we say counts characters from 1.
Source: the DSL reference, section 8.
"""

import ast
import re
import sys
from collections.abc import Sequence

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Input, Span

from xdsl_pld.tools.diagnostics import ParseErrors, Remark, Sources

Node = ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias

_NEWLINE = re.compile(r"\r\n|\r|\n")
_MOST_ERRORS = 100
"""Errors that one run prints: more help nobody."""


class Source:
    """The text of one file."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text
        self._input = Input(text, name)
        self._filename = StringAttr(name)
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        self._ascii = text.isascii()

    def offset(self, line: int, byte_column: int) -> int:
        """The character position of `ast`'s line (from 1) and column (in bytes, from 0)."""
        if not 1 <= line <= len(self._starts):
            return len(self.text)
        start = self._starts[line - 1]
        if self._ascii:
            return min(start + byte_column, len(self.text))
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        before = self.text[start:end].encode("utf-8", "replace")[:byte_column]
        return start + len(before.decode("utf-8", "ignore"))

    def span(self, node: Node) -> Span:
        """Where a node starts, as xDSL's errors say it."""
        start = self.offset(*_position(node))
        return Span(start, start + 1, self._input)

    def span_at(self, offset: int) -> Span:
        """A position in the text, kept inside it."""
        start = max(0, min(offset, len(self.text)))
        return Span(start, start + 1, self._input)

    def location(self, node: Node) -> FileLineColLoc:
        """The location that the op of a node carries."""
        line, byte_column = _position(node)
        column = self.offset(line, byte_column) - self._starts[line - 1] + 1
        return FileLineColLoc(self._filename, IntAttr(line), IntAttr(column))


def _position(node: Node) -> tuple[int, int]:
    """A definition is at its name's line, not at its decorators'; ast sees to that."""
    return node.lineno, node.col_offset


class Problem(Exception):
    """
    What makes a statement unreadable; `notes` point at what explains it. One that is `told_once`
    has its cause elsewhere, and is told where it shows first.
    """

    def __init__(
        self,
        node: Node,
        message: str,
        notes: Sequence[tuple[Node, str]] = (),
        *,
        told_once: bool = False,
    ):
        super().__init__(message)
        self.node = node
        self.message = message
        self.notes = notes
        self.told_once = told_once


class SilentProblem(Exception):
    """A use of what could not be read: the cause was reported already."""


class Report:
    """The errors and warnings of one run, each place and text once."""

    def __init__(self, source: Source):
        self.source = source
        self._errors: list[ParseError] = []
        self._seen: set[tuple[int | None, str]] = set()
        """Place and text, or a text that is told once."""
        self._warnings: dict[tuple[int, str], Span] = {}

    def add(self, problem: Problem) -> None:
        span = self.source.span(problem.node)
        key = (None if problem.told_once else span.start, problem.message)
        if key in self._seen:
            return
        self._seen.add(key)
        if problem.notes:
            refs: list[tuple[Span[str] | Span[bytes], str | None]] = [
                (self.source.span(node), text) for node, text in problem.notes
            ]
            self._errors.append(MultipleSpansParseError(span, problem.message, None, refs))
        else:
            self._errors.append(ParseError(span, problem.message))

    def warn(self, node: Node, message: str) -> None:
        span = self.source.span(node)
        self._warnings.setdefault((span.start, message), span)

    def mark(self) -> tuple[int, int]:
        """Where `forget` returns to, for what is read on trial."""
        return len(self._errors), len(self._warnings)

    def forget(self, mark: tuple[int, int]) -> None:
        """Drops what was said since `mark`."""
        for error in self._errors[mark[0] :]:
            self._seen -= {(error.span.start, error.msg), (None, error.msg)}
        del self._errors[mark[0] :]
        for key in list(self._warnings)[mark[1] :]:
            del self._warnings[key]

    @property
    def failed(self) -> bool:
        return bool(self._errors)

    def finish(self) -> None:
        """Raises the errors, in the order of the text; without any, prints the warnings."""
        if self._errors:
            ordered = sorted(self._errors, key=lambda error: error.span.start)
            raise ParseErrors(ordered[:_MOST_ERRORS])
        sources = Sources()
        sources.add(self.source.name, self.source.text)
        for (_, message), span in self._warnings.items():
            remark = Remark(message, span.get_location())
            sys.stderr.write(sources.format_remark("warning", remark))


def parse(source: Source) -> ast.Module:
    """The syntax tree of a file; whatever stops Python's parser is raised as a ParseError."""
    if (null := source.text.find("\0")) >= 0:
        raise ParseError(source.span_at(null), "a null byte in the source")
    try:
        return ast.parse(source.text, filename=source.name)
    except SyntaxError as error:
        offset = 0
        if error.lineno is not None:
            # Here, unlike in the tree, Python counts characters from 1.
            line_start = source.offset(error.lineno, 0)
            offset = line_start + max((error.offset or 1) - 1, 0)
        raise ParseError(source.span_at(offset), f"syntax error: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise ParseError(source.span_at(0), "nested too deeply for Python's parser") from None
    except ValueError as error:
        raise ParseError(source.span_at(0), f"cannot be parsed: {error}") from None


def assigned(place: Node) -> Node:
    """Where the op of a literal points: at the value that is assigned, not at the assignment."""
    if isinstance(place, ast.Assign | ast.AnnAssign) and place.value is not None:
        return place.value
    return place
