"""
The frontend `pypto`: what the drivers call.

    pld-opt prog.py --program Exchange --bind nr=2
    xdsl-opt -f 'pypto{program="Exchange" bind="nr=2"}' < prog.py
"""

import dataclasses
import gc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.frontend import Frontend

from xdsl_pld.tools.frontend.constants import ConstValue, Overrides, parse_override
from xdsl_pld.tools.frontend.reader import read_program
from xdsl_pld.tools.frontend.source import Source
from xdsl_pld.tools.reader import decode


@dataclass(frozen=True)
class PyPTOFrontend(Frontend):
    """
    Reads a `.py` file with PyPTO programs; the file is parsed, never executed.

    `program` names the class, factory or jit entry where the file holds several; `define` gives
    values to names of the module, `bind` to parameters of the chosen factory, each as NAME=VALUE;
    `ranks` is the number of ranks where a window's shape asks for `world_size()`.
    """

    name: ClassVar[str] = "pypto"

    program: str | None = None
    define: tuple[str, ...] | str = ()
    bind: tuple[str, ...] | str = ()
    ranks: int | None = None

    def __post_init__(self) -> None:
        self.overrides()
        if self.ranks is not None and self.ranks < 1:
            raise ValueError(f"ranks must be positive, not {self.ranks}")

    def overrides(self) -> Overrides:
        """The values of `define` and `bind`; ValueError where one cannot be read."""
        return Overrides(_parsed("-D", self.define), _parsed("--bind", self.bind))

    def with_options(
        self,
        *,
        program: str | None,
        define: Sequence[str],
        bind: Sequence[str],
        ranks: int | None,
    ) -> "PyPTOFrontend":
        """
        The frontend with a command line's options added, which win; ValueError for one that cannot
        be read or gives a name two values.
        """
        for option, values in (("-D", define), ("--bind", bind)):
            names = [parse_override(option, text)[0] for text in values]
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(f"{option} gives '{name}' several values")
        if ranks is not None and ranks < 1:
            raise ValueError(f"--ranks must be positive, not {ranks}")
        return dataclasses.replace(
            self,
            program=program or self.program,
            define=(*_listed(self.define), *define),
            bind=(*_listed(self.bind), *bind),
            ranks=self.ranks if ranks is None else ranks,
        )

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        ctx.get_optional_dialect("pl")
        source = Source(input_name, decode(input.read(), input_name))
        collecting = gc.isenabled()
        gc.disable()  # as for MLIR text: reading only allocates
        try:
            return read_program(
                source, program=self.program, overrides=self.overrides(), ranks=self.ranks
            )
        finally:
            if collecting:
                gc.enable()


def _listed(values: tuple[str, ...] | str) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else values


def _parsed(option: str, values: tuple[str, ...] | str) -> dict[str, ConstValue]:
    return dict(parse_override(option, text) for text in _listed(values))
