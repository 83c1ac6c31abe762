"""
Where a template handle leads: `:pypto.runtime.builtins.collectives.<op>` to a folder of templates.

The IR names a handle, never a path. Our own templates are found by their operator's name; a user
adds folders of templates, each template a folder named after its handle without the colon:

    <search path>/my.company.collectives.exchange/kernel.cpp.j2
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl_pld.dialects.builtin_kernels import TEMPLATE_PREFIX
from xdsl_pld.templates.errors import TemplateError

_BUILTIN_FOLDER = Path(__file__).parent
_HANDLE = re.compile(r":[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)

KERNEL = "kernel.cpp.j2"
ENTRY = "entry.cpp.j2"
KERNEL_CONFIG = "kernel_config.py.j2"


@dataclass(frozen=True)
class TemplateFolder:
    """The templates of one handle."""

    handle: str
    path: Path

    def has(self, file: str) -> bool:
        return (self.path / file).is_file()


@dataclass(frozen=True)
class TemplateRegistry:
    """Resolves handles: ours, then those of the folders that a user gives."""

    search_path: Sequence[Path] = ()

    def resolve(self, handle: str) -> TemplateFolder:
        """The folder of a handle; raises TemplateError where there is none or more than one."""
        if not _HANDLE.fullmatch(handle):
            raise TemplateError(
                f"'{handle}' is no template handle: write a dotted name after a colon, such as "
                f"'{TEMPLATE_PREFIX}all_to_all_v'"
            )
        candidates = [base / handle.removeprefix(":") for base in self.search_path]
        operator = handle.removeprefix(TEMPLATE_PREFIX)
        if operator != handle and "." not in operator:
            candidates.insert(0, _BUILTIN_FOLDER / operator)
        found = [path for path in candidates if (path / KERNEL).is_file()]
        if not found:
            searched = "".join(f", {base}" for base in self.search_path)
            raise TemplateError(
                f"template {handle} is unknown; searched the built-in templates{searched}"
            )
        if len(found) > 1:
            places = " and ".join(str(path) for path in found)
            raise TemplateError(f"template {handle} is given more than once: {places}")
        return TemplateFolder(handle, found[0])
