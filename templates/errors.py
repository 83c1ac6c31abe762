"""What rendering and emission refuse."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException


class TemplateError(DiagnosticException):
    """A template that is not there, a variable that does not fit, text that is not well-formed."""


class Problem(NamedTuple):
    """Something in the IR that has no form in what is emitted: where, what, and what to do."""

    place: Operation | SSAValue
    message: str
    advice: str | None = None


class EmissionError(TemplateError):
    """All that stands against emitting a module, in text order."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Sequence[Problem]):
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in problems))
