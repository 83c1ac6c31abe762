"""
What passes and property checks report: findings with a place, a text and notes.

A pass collects its findings and raises `FindingsError` once. `pld-opt` prints each in compiler
form with its source line (`tools/diagnostics.py`); the stock `xdsl-opt` prints `str(error)`,
which has the same lines without the source excerpt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

Place = Operation | SSAValue
"""What a finding points at: an operation, or a value (its argument or its defining operation)."""


def location_of(place: Place) -> LocationAttr:
    """The source location of an operation, of a block argument, or of a result's operation."""
    if isinstance(place, OpResult):
        return place.op.location
    if isinstance(place, BlockArgument):
        return place.location
    if isinstance(place, Operation):
        return place.location
    raise TypeError(f"{place!r} has no location")


def format_location(location: LocationAttr) -> str | None:
    """`file:line:col`, or None where the location is unknown."""
    if isinstance(location, FileLineColLoc):
        return f"{location.filename.data}:{location.line.data}:{location.column.data}"
    return None


@dataclass(frozen=True)
class Note:
    """A second place that explains a finding, or, without a place, an advice."""

    message: str
    place: Place | None = None


@dataclass(frozen=True)
class Finding:
    """One error: its place, what is wrong (with the numbers), and notes."""

    place: Place
    message: str
    notes: Sequence[Note] = field(default=())

    def __str__(self) -> str:
        lines = [_line("error", self.message, self.place)]
        lines += [_line("note", note.message, note.place) for note in self.notes]
        return "\n".join(lines)


class FindingsError(PassFailedException):
    """Raised once by a pass with all that it found."""

    findings: tuple[Finding, ...]

    def __init__(self, findings: Sequence[Finding]):
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in findings))


def _line(severity: str, message: str, place: Place | None) -> str:
    at = None if place is None else format_location(location_of(place))
    return f"{severity}: {message}" if at is None else f"{at}: {severity}: {message}"
