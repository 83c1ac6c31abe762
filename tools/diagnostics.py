"""
The one place that turns every error into compiler form.

    file:line:col: error: what is wrong
      the source line
      ^
    file:line:col: note: what explains it

Whatever goes wrong becomes a `Diagnostic` here, and `Sources` prints it with the lines it has.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, BlockArgument, IRNode, Operation, OpResult
from xdsl.utils.diagnostic import Diagnostic as XDSLDiagnostic
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Location

from xdsl_pld.passes.diagnostics import Finding, Note, Place, location_of

_WRAPPERS = ("Operation does not verify: ", "Error while applying pattern: ")
_LONGEST_MESSAGE = 2000
_LONGEST_LINE = 240


@dataclass(frozen=True)
class Remark:
    """A text and the place it is about, if it has one."""

    message: str
    location: Location | None = None


@dataclass(frozen=True)
class Diagnostic:
    """One error and the notes that explain it."""

    error: Remark
    notes: Sequence[Remark] = ()


class Sources:
    """The texts that were read: gives a location its source line."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def add(self, name: str, text: str) -> None:
        self._lines[name] = text.split("\n")

    def format(self, diagnostic: Diagnostic) -> str:
        """The diagnostic in compiler form, with a newline at its end."""
        lines = self._remark("error", diagnostic.error)
        for note in diagnostic.notes:
            lines += self._remark("note", note)
        return "\n".join(lines) + "\n"

    def format_remark(self, severity: str, remark: Remark) -> str:
        """One remark in compiler form, with a newline at its end."""
        return "\n".join(self._remark(severity, remark)) + "\n"

    def _remark(self, severity: str, remark: Remark) -> list[str]:
        if remark.location is None:
            return [f"{severity}: {remark.message}"]
        return [f"{remark.location}: {severity}: {remark.message}", *self._excerpt(remark.location)]

    def _excerpt(self, location: Location) -> list[str]:
        lines = self._lines.get(location.file, ())
        if not 1 <= location.line <= len(lines):
            return []
        line = lines[location.line - 1].rstrip("\r")
        line = "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in line)
        column = min(max(location.col - 1, 0), len(line))
        if len(line) > _LONGEST_LINE:
            start = max(0, min(column - _LONGEST_LINE // 2, len(line) - _LONGEST_LINE))
            line, column = line[start : start + _LONGEST_LINE], column - start
        indent = "".join("\t" if c == "\t" else " " for c in line[:column])
        return [line, f"{indent}^"]


def diagnose(error: BaseException, *, doing: str, module: Operation | None) -> list[Diagnostic]:
    """
    What to tell about an error that ended the work on a module.

    `doing` names the step for errors that no one foresaw; `module` is the place of an error
    that names none.
    """
    if isinstance(error, ParseErrors):
        return [_from_parse_error(each) for each in error.errors]
    if isinstance(error, ParseError):
        return [_from_parse_error(error)]
    if findings := attached_findings(error):
        return [from_finding(finding) for finding in findings]
    place = place_of(error) or module
    location = None if place is None else locate(place)
    if isinstance(error, DiagnosticException):
        return [Diagnostic(Remark(one_line(error), location), [Remark(f"while {doing}")])]
    if isinstance(error, RecursionError):
        return [Diagnostic(Remark(f"nested too deeply, gave up {doing}", location))]
    if isinstance(error, MemoryError):
        return [Diagnostic(Remark(f"not enough memory {doing}: {one_line(error)}", location))]
    text = f"internal error {doing}: {type(error).__name__}: {one_line(error)}"
    return [Diagnostic(Remark(text, location), [Remark("please report this, with the input")])]


def attached_findings(error: BaseException) -> list[Finding]:
    """The findings of a FindingsError, or of any error that carries some under that name."""
    findings: object = getattr(error, "findings", ())
    if not isinstance(findings, list | tuple):
        return []
    return [f for f in cast(Sequence[object], findings) if isinstance(f, Finding)]


def from_finding(finding: Finding) -> Diagnostic:
    notes = [
        Remark(note.message, None if note.place is None else locate(note.place))
        for note in finding.notes
    ]
    return Diagnostic(
        Remark(one_line(finding.message), locate(finding.place)), [*notes, *_made(finding)]
    )


def _made(finding: Finding) -> Iterator[Remark]:
    """An operation that a pass made without a location is not in the source line: name it."""
    if isinstance(finding.place, Operation) and isinstance(finding.place.location, UnknownLoc):
        yield Remark(f"the operation is a '{finding.place.name}' without a location of its own")


def locate(place: Place) -> Location | None:
    """The source position of a place, or else of the closest operation around it that has one."""
    location = _file_location(location_of(place))
    owner = _owner(place)
    while location is None and owner is not None:
        location = _file_location(owner.location)
        owner = owner.parent_op()
    return location


def _owner(place: Place) -> Operation | None:
    if isinstance(place, OpResult):
        return place.op
    if isinstance(place, BlockArgument):
        return place.block.parent_op()
    return place if isinstance(place, Operation) else None


def _file_location(location: Attribute) -> Location | None:
    """The first file position that a location speaks of."""
    match location:
        case FileLineColLoc():
            return Location(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            inner: Sequence[Attribute] = (location.location,)
        case CallSiteLoc():
            inner = (location.callee, location.caller)
        case FusedLoc():
            inner = tuple(cast(ArrayAttr[Attribute], location.locations))
        case _:
            inner = ()
    return next((found for each in inner if (found := _file_location(each))), None)


class ParseErrors(ParseError):
    """Several errors in one text, for instance all its undefined names."""

    errors: Sequence[ParseError]

    def __init__(self, errors: Sequence[ParseError]):
        super().__init__(errors[0].span, errors[0].msg)
        self.errors = errors


def _from_parse_error(error: ParseError) -> Diagnostic:
    notes: list[Remark] = []
    if isinstance(error, MultipleSpansParseError):
        notes = [
            Remark(text or error.ref_text or "see here", span.get_location())
            for span, text in error.refs
        ]
    return Diagnostic(Remark(one_line(error.msg), error.span.get_location()), notes)


def one_line(error: object) -> str:
    """An error's text on one line, without the wrappers that xDSL puts around it."""
    texts = error.args if isinstance(error, Exception) and len(error.args) > 1 else (error,)
    lines = (line.strip() for text in texts for line in str(text).splitlines())
    text = " ".join(line for line in lines if line)
    for wrapper in _WRAPPERS:
        text = text.removeprefix(wrapper)
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[:_LONGEST_MESSAGE]} ..."
    return text or type(error).__name__


def tie(error: Exception, place: Operation) -> None:
    """Lets an error carry the operation that it is about; the first is the closest to the cause."""
    if place_of(error) is None:
        error.__dict__["place"] = place


def place_of(error: BaseException) -> Operation | None:
    """The operation that an error was tied to."""
    place: Operation | None = getattr(error, "place", None)
    return place


@contextmanager
def places_on_errors() -> Generator[None]:
    """
    Has xDSL tie an error to its operation by `tie`.

    xDSL instead prints the whole module into a note of the exception, for each failing operation
    anew. The operation closest to the cause is the first to be tied.
    """

    def raise_exception(self: XDSLDiagnostic, ir: IRNode, underlying_error: Exception) -> NoReturn:
        place = ir.parent_op() if isinstance(ir, Block) else ir
        if isinstance(place, Operation):
            tie(underlying_error, place)
        raise underlying_error

    stock = XDSLDiagnostic.raise_exception
    XDSLDiagnostic.raise_exception = raise_exception
    try:
        yield
    finally:
        XDSLDiagnostic.raise_exception = stock


__all__ = [
    "Diagnostic",
    "Note",
    "ParseErrors",
    "Remark",
    "Sources",
    "attached_findings",
    "diagnose",
    "from_finding",
    "locate",
    "one_line",
    "place_of",
    "places_on_errors",
    "tie",
]
