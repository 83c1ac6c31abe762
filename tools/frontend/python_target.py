"""The target `pld-python`: prints a module as a PyPTO program, where it can be said in one."""

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_pld.tools.frontend.python_check import check
from xdsl_pld.tools.frontend.python_text import module_text


@dataclass(frozen=True)
class PythonTarget(Target):
    """Prints the program; an op that the DSL cannot say is an error at its place."""

    name: ClassVar[str] = "pld-python"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        text, origins = module_text(module)
        check(module, text, origins)
        output.write(text)
