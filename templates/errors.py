"""What rendering refuses."""

from xdsl.utils.exceptions import DiagnosticException


class TemplateError(DiagnosticException):
    """A template that is not there, a variable that does not fit, text that is not well-formed."""
