"""
A last look at rendered text, before it becomes a file.

Templates are text, so a slip in one shows only when a compiler reads it, on another machine. What
can be seen here is: Python that does not parse, C++ whose brackets do not match.
"""

import ast
import re

from xdsl_pld.templates.errors import TemplateError

_CLOSING = {")": "(", "]": "[", "}": "{"}
_CPP_SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)


def check_rendered(text: str, template: str) -> None:
    """Raises TemplateError, with the numbered text, if what `template` gave is not well-formed."""
    problem = _python_problem(text) if template.endswith(".py.j2") else _cpp_problem(text)
    if problem is not None:
        raise TemplateError(f"template {template}: {problem}\n{numbered(text)}")


def numbered(text: str) -> str:
    """The text with a number before each line."""
    lines = text.splitlines()
    width = len(str(len(lines)))
    return "\n".join(f"{n:>{width}} | {line}".rstrip() for n, line in enumerate(lines, start=1))


def _python_problem(text: str) -> str | None:
    try:
        ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno} is no Python: {error.msg}"
    return None


def _cpp_problem(text: str) -> str | None:
    """The first bracket that does not match; comments and literals are left out."""
    code = _CPP_SKIPPED.sub(lambda skipped: "\n" * skipped.group().count("\n"), text)
    opened: list[tuple[str, int]] = []
    for number, line in enumerate(code.splitlines(), start=1):
        for character in line:
            if character in _CLOSING.values():
                opened.append((character, number))
            elif character in _CLOSING:
                if not opened or opened[-1][0] != _CLOSING[character]:
                    return f"line {number} has a '{character}' that closes nothing"
                opened.pop()
    if opened:
        character, number = opened[-1]
        return f"line {number} has a '{character}' that is never closed"
    return None
