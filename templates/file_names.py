"""
Names from the IR as names of files: only what every file system takes, and takes apart.

A symbol may be any string in quotes (`@"../x"`). It is refused, not changed: the loader finds
kernels by their names.
"""

import re
from collections.abc import Iterable

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$-]*(\.[A-Za-z0-9_$-]+)*", re.ASCII)
_LONGEST = 200
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
)
_OURS = "builtin."
"""Folders of the host rail begin with it."""


def file_name_problem(name: str) -> str | None:
    """Why a symbol cannot name a file, None for one that can."""
    if not _NAME.fullmatch(name):
        return (
            f"{name!r} cannot name a file: it takes letters, digits, '_', '$', '-' and single dots "
            "between them, and starts with a letter or '_'"
        )
    if len(name) > _LONGEST:
        return f"a name of {len(name)} characters cannot name a file: at most {_LONGEST}"
    if name.split(".")[0].lower() in _RESERVED:
        return f"'{name}' cannot name a file: some systems keep the name for a device"
    if name.startswith(_OURS):
        return f"'{name}' is the name of a folder of the host rail: names begin otherwise"
    return None


def case_clash(name: str, others: Iterable[str]) -> str | None:
    """Another name that some file systems take for the same."""
    folded = name.casefold()
    return next((o for o in others if o != name and o.casefold() == folded), None)
