"""
`pl.builtin_template_vars`: the substitutions that the IR gives a kernel's template.

The attribute's text is a list `key=value,key=value`. A value goes into source text, so only what
can stand in a C++ name or number is one.
"""

import re
from collections.abc import Iterable, Mapping

from xdsl_pld.templates.errors import TemplateError

_KEY = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_VALUE = re.compile(r"[\w:.+-]+", re.ASCII)


def parse_variables(text: str, template: str) -> dict[str, str]:
    """The variables that `text` gives; `template` is for the errors."""
    variables: dict[str, str] = {}
    for entry in text.split(",") if text else ():
        key, equals, value = entry.partition("=")
        where = f"template {template}: variable '{key}'"
        if not _KEY.fullmatch(key):
            raise TemplateError(f"template {template}: '{entry}' is not of the form key=value")
        if not equals:
            raise TemplateError(f"{where} is given without '=' and a value")
        if not value:
            raise TemplateError(f"{where} has an empty value")
        if not _VALUE.fullmatch(value):
            raise TemplateError(f"{where} has the value '{value}', which is no C++ name or number")
        if key in variables:
            raise TemplateError(f"{where} is given twice")
        variables[key] = value
    return variables


def check_variables(given: Mapping[str, str], needed: Iterable[str], template: str) -> None:
    """Raises TemplateError unless exactly the variables that the template needs are given."""
    needed = sorted(needed)
    for key in needed:
        if key not in given:
            raise TemplateError(f"template {template}: variable '{key}' is missing")
    for key in given:
        if key not in needed:
            known = ", ".join(needed) or "none"
            raise TemplateError(
                f"template {template}: variable '{key}' is unknown; the template takes: {known}"
            )
