"""
What the tools that take a program have in common: they read it and run passes as pld-opt does.
"""

import argparse
import sys
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_pld.tools.diagnostics import Diagnostic, diagnose
from xdsl_pld.tools.opt import PldOptMain, program_options


class ProgramDriver(PldOptMain):
    """
    Reads the program that `options` name; usage errors are those of the tool whose `parser` it is.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        parser: argparse.ArgumentParser,
        more: Sequence[str],
        then: str,
    ):
        """`more` are further arguments of pld-opt, `then` what the tool does with the program."""
        self._own_parser = parser
        self._then = then
        language = ["-f", options.frontend] if options.frontend else []
        super().__init__([options.input_file, *language, *program_options(options), *more])

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = self._own_parser.prog
        arg_parser.usage = self._own_parser.format_usage().removeprefix("usage: ").rstrip()
        self.arg_parser = self._own_parser

    def read(self) -> ModuleOp:
        """The module after the passes."""
        module = self.parse()
        self.apply_passes(module)
        self._doing = self._then
        return module

    def parse(self) -> ModuleOp:
        """The module as it is written."""
        ((stream, offset),), extension = self.prepare_input()
        self._doing = "reading the input"
        self._module = self.parse_chunk(stream, extension, offset)
        if self._module is None:
            raise PassFailedException("the input is empty")
        return self._module

    def lower(self, module: ModuleOp, passes: str) -> None:
        """Runs `passes`, instead of those of the command line."""
        self.args.passes = passes
        self.setup_pipeline()
        self.apply_passes(module)
        self._doing = self._then

    def report(self, error: BaseException) -> None:
        for diagnostic in self.diagnose(error):
            sys.stderr.write(self.sources.format(diagnostic))

    def diagnose(self, error: BaseException) -> Sequence[Diagnostic]:
        """What to tell about an error."""
        return diagnose(error, doing=self._doing, module=self._module)
