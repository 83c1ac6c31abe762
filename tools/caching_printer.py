"""
xDSL's printer, printing each type once; the text is the same to the byte.

A type's text depends on the type alone, so it is kept by the object that was printed: after
`CachingParser`, the types of a module are few objects. Kept are types whose text is one line, since
a line break is indented by where it stands; a resource that a type names is noted when it is
printed first.
"""

from contextlib import AbstractContextManager
from io import StringIO
from types import TracebackType
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget

_MOST = 4096
"""More different types than a program has."""


class _Delimited(AbstractContextManager[None]):
    """Prints a bracket on entry and, as xDSL's, the other on exit unless there is an error."""

    def __init__(self, printer: Printer, start: str, end: str):
        self._printer = printer
        self._start = start
        self._end = end

    def __enter__(self) -> None:
        self._printer.print_string(self._start)

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if exc_type is None:
            self._printer.print_string(self._end)


class CachingPrinter(Printer):
    """xDSL's printer; prints each type once."""

    _texts: dict[int, tuple[Attribute, str]] | None = None
    """By identity; the attribute is held, so that no other gets its number."""

    def print_attribute(self, attribute: Attribute) -> None:
        if not isinstance(attribute, TypeAttribute):
            super().print_attribute(attribute)
            return
        if self._texts is None:
            self._texts = {}
        known = self._texts.get(id(attribute))
        if known is not None:
            self.print_string(known[1])
            return
        stream, line, column = self.stream, self._current_line, self._current_column
        self.stream = StringIO()
        try:
            super().print_attribute(attribute)
            text = self.stream.getvalue()
        finally:
            self.stream = stream
        stream.write(text)
        if self._current_line == line and len(self._texts) < _MOST:
            assert self._current_column == column + len(text)
            self._texts[id(attribute)] = (attribute, text)

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            super().print_string(text, indent=indent)
        else:
            self._current_column += len(text)
            self.stream.write(text)

    def in_angle_brackets(self) -> AbstractContextManager[None]:
        return _Delimited(self, "<", ">")

    def in_braces(self) -> AbstractContextManager[None]:
        return _Delimited(self, "{", "}")

    def in_parens(self) -> AbstractContextManager[None]:
        return _Delimited(self, "(", ")")

    def in_square_brackets(self) -> AbstractContextManager[None]:
        return _Delimited(self, "[", "]")


class CachingMLIRTarget(MLIRTarget):
    """xDSL's target `mlir` with the caching printer."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if self.syntax_highlight:
            super().emit(ctx, module, output)
            return
        printer = CachingPrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=output)


def print_text(op: Operation, *, generic: bool = False) -> str:
    """The text of an operation, in the custom syntax or the generic one."""
    stream = StringIO()
    CachingPrinter(stream, print_generic_format=generic).print_op(op)
    return stream.getvalue()
