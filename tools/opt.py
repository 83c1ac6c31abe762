"""
`pld-opt`: xDSL's optimizer driver with source locations, errors in compiler form, checks that
xDSL leaves out, and an output file that is touched only on success.

Exit status: 0, or 1 when the input or a pass is at fault, or 2 for a wrong command line.
"""

import argparse
import gc
import io
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import accumulate
from typing import IO, TYPE_CHECKING, ClassVar, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass, PassPipeline
from xdsl.printer import Printer
from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.utils.diagnostic import Diagnostic as XDSLDiagnostic
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    ShrinkException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_pld import __version__
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.collector import no_collections
from xdsl_pld.tools.diagnostics import Sources, diagnose, one_line, places_on_errors

if TYPE_CHECKING:
    from xdsl_pld.tools.frontend.frontend import PyPTOFrontend

_SEPARATOR = b"// -----"
_PYTHON_OPTIONS = ("program", "define", "bind", "ranks")


class FileError(Exception):
    """A file that cannot be read or written."""

    def __init__(self, action: str, name: str, error: Exception):
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        super().__init__(f"cannot {action} '{name}': {reason}")


class PldOptMain(xDSLOptMain):
    """The driver; `process` runs it and returns the exit status."""

    version_format: ClassVar[str] = f"pld-opt from xdsl-pld {__version__}, xDSL {{xdsl_version}}"

    arg_parser: argparse.ArgumentParser

    def __init__(self, args: Sequence[str] | None = None):
        self.sources = Sources()
        self._doing = "reading the command line"
        self._module: ModuleOp | None = None
        try:
            super().__init__("xDSL's optimizer with the pl and pld dialects and passes", args)
        except ArgSpecParseError as error:  # xDSL parses both specs without saying which
            self._usage_error("-t/--target or -f/--frontend", error)
        self._check_spec("-t/--target", self.args.target, self.available_targets)
        if self.args.frontend:
            self._check_spec("-f/--frontend", self.args.frontend, self.available_frontends)

    # Command line

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        self.arg_parser = arg_parser
        arg_parser.prog = "pld-opt"
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--no-property-checks",
            action="store_true",
            help="run passes in any order, whatever they require, produce and break",
        )
        arg_parser.add_argument(
            "--emit-irdl",
            metavar="DIALECT",
            help="print the IRDL definition of a dialect, pld, for upstream's --irdl-file",
        )
        add_program_options(arg_parser)
        arg_parser.add_argument(
            "--ranks", metavar="N", type=int, help="ranks, where the shape of a window needs it"
        )

    def register_all_passes(self) -> None:
        super().register_all_passes()

        def located_mlir_opt():
            from xdsl_pld.tools.mlir.mlir_opt import LocatedMLIROptPass

            return LocatedMLIROptPass

        self.available_passes["mlir-opt"] = located_mlir_opt

    def register_all_frontends(self) -> None:
        super().register_all_frontends()

        def locating_mlir():
            from xdsl_pld.tools.reader import LocatingMLIRFrontend

            return LocatingMLIRFrontend

        self.available_frontends["mlir"] = locating_mlir
        # The universe has no key `py`: two plugins with the same key stop every driver.
        self.available_frontends["py"] = self.available_frontends["pypto"]

    def register_all_targets(self) -> None:
        super().register_all_targets()

        def caching_mlir():
            from xdsl_pld.tools.caching_printer import CachingMLIRTarget

            return CachingMLIRTarget

        self.available_targets["mlir"] = caching_mlir

    def setup_pipeline(self) -> None:
        passes = tuple(_expanded([self._pass(spec) for spec in self._pass_specs()]))
        if passes and not self.args.no_property_checks:
            from xdsl_pld.passes.properties.chain import order_error

            if (reason := order_error(passes)) is not None:
                self._usage_error("-p/--passes", reason)
        self.pipeline = PassPipeline(passes, self.between_passes)

    def _pass_specs(self) -> tuple[ArgSpec, ...]:
        try:
            return tuple(parse_pipeline(self.args.passes))
        except (ArgSpecParseError, RuntimeError) as error:
            self._usage_error("-p/--passes", error)

    def _pass(self, spec: ArgSpec) -> ModulePass:
        factory = self.available_passes.get(spec.name)
        if factory is None:
            hint = _nearest(spec.name, self.available_passes)
            self._usage_error("-p/--passes", f"unknown pass '{spec.name}'{hint}")
        try:
            return factory().from_spec(spec)
        except (ImportError, TypeError, ValueError) as error:
            self._usage_error("-p/--passes", f"pass '{spec.name}': {one_line(error)}")

    def _check_spec(
        self, option: str, text: str, available: Mapping[str, Callable[..., object]]
    ) -> None:
        """Finds a wrong option of a target or frontend before any work is done."""
        import inspect

        spec = parse_spec(text)
        factory = available[spec.name]
        if inspect.signature(factory).parameters:
            return  # an old-style function, which takes no options
        try:
            convertible = factory()
            if isinstance(convertible, type) and issubclass(convertible, ArgSpecConvertible):
                convertible.from_spec(spec)
        except (ImportError, TypeError, ValueError) as error:
            self._usage_error(option, f"'{spec.name}': {one_line(error)}")

    def _usage_error(self, option: str, error: BaseException | str) -> NoReturn:
        """Prints the usage and the error, and exits with status 2."""
        if isinstance(error, ArgSpecParseError):
            # "Error parsing ...", "pass-pipeline:1:3", the text, a caret, the message
            _, _, *excerpt, message = str(error).rstrip().split("\n")
            error = "\n".join([message.strip(), *excerpt])
        self.arg_parser.error(f"argument {option}: {error}")

    # Files

    def get_input_name(self) -> str:
        name = self.args.input_file
        if name is None or name == "-":
            return "<stdin>"
        return os.fsencode(name).decode("utf-8", "backslashreplace")

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        name = self.args.input_file
        if name is None or name == "-":
            return BytesIO(sys.stdin.buffer.read()), "mlir"
        extension = os.path.splitext(name)[1].removeprefix(".")
        if not self.args.frontend and extension not in self.available_frontends:
            known = ", ".join(f".{each}" for each in self.available_frontends)
            self.arg_parser.error(
                f"argument input_file: '{name}' has none of the extensions {known}; "
                f"choose the language with -f"
            )
        with open(name, "rb") as file:
            return BytesIO(file.read()), extension

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        """
        The text, or with --split-input-file its chunks, each behind as many empty lines as it
        has lines before it: so every position in a chunk is one in the file.
        """
        try:
            stream, extension = self.get_input_stream()
        except (OSError, ValueError, AttributeError) as error:
            raise FileError("read", self.get_input_name(), error) from error
        data = stream.read()
        self.sources.add(self.get_input_name(), data.decode("utf-8", "replace"))
        if not self.args.split_input_file:
            return [(BytesIO(data), 0)], extension
        chunks = data.split(_SEPARATOR)
        offsets = accumulate([0, *(chunk.count(b"\n") for chunk in chunks[:-1])])
        return [
            (BytesIO(b"\n" * offset + chunk), offset)
            for chunk, offset in zip(chunks, offsets, strict=True)
        ], extension

    def prepare_output(self) -> IO[str]:
        """Standard output, or a buffer: a file is written when all has succeeded."""
        return sys.stdout if self._output_path() is None else io.StringIO()

    def _output_path(self) -> str | None:
        path = self.args.output_file
        return None if path is None or path == "-" else path

    # Work

    def run(self) -> NoReturn:
        sys.exit(self.process())

    def process(self) -> int:
        """Processes all chunks and returns the exit status."""
        path = self._output_path()
        if path is not None:
            check_writable(path)
        if self.args.emit_irdl is not None:
            return self._emit_irdl(self.args.emit_irdl, path)
        chunks, extension = self.prepare_input()
        output = self.prepare_output()
        status = 0
        try:
            for index, (chunk, offset) in enumerate(chunks):
                if index > 0:
                    output.write("// -----\n")
                with no_collections():
                    status |= self._process_chunk(chunk, extension, offset, output)
        except ShrinkException:
            if not self.args.shrink:
                raise
            print("Success, can shrink")
            return 0
        if path is not None and status == 0:
            assert isinstance(output, io.StringIO)
            write_file(path, output.getvalue())
        if self.args.shrink:
            print("Failure, can't shrink")
            return 1
        return status

    def _emit_irdl(self, dialect: str, path: str | None) -> int:
        from xdsl_pld.tools.irdl import irdl_text

        try:
            text = irdl_text(dialect)
        except ValueError as error:
            self._usage_error("--emit-irdl", str(error))
        if path is None:
            sys.stdout.write(text)
        else:
            write_file(path, text)
        return 0

    def _process_chunk(self, chunk: IO[bytes], extension: str, offset: int, output: IO[str]) -> int:
        self._module = None
        try:
            self._doing = "reading the input"
            self._module = self.parse_chunk(chunk, extension, offset)
            if self._module is None:
                return 0
            self.apply_passes(self._module)
            self._doing = f"writing target '{self.args.target}'"
            text = self.output_resulting_program(self._module)
        except ShrinkException:
            raise
        except (Exception, ArgSpecParseError) as error:  # the latter is a BaseException
            return self._report(error)
        output.write(text)
        return 0

    def _report(self, error: BaseException) -> int:
        """Prints an error; the diagnostics flags ask for it on stdout, as a success."""
        verifying = any(isinstance(e, DiagnosticException) for e in (error, error.__cause__))
        expected = (
            self.args.verify_diagnostics
            if verifying
            else self.args.parsing_diagnostics and isinstance(error, ParseError)
        )
        stream = sys.stdout if expected else sys.stderr
        for diagnostic in diagnose(error, doing=self._doing, module=self._module):
            stream.write(self.sources.format(diagnostic))
        return 0 if expected else 1

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        data = chunk.read()
        python = self._python_frontend(file_extension)
        if python is not None:
            return python.parse(self.ctx, BytesIO(data), self.get_input_name())
        if b"pl." in data:
            # Attributes `pl.*` are verified even where no operation of pl is used.
            self.ctx.get_optional_dialect("pl")
        return super().parse_chunk(BytesIO(data), file_extension, start_offset)

    def _python_frontend(self, file_extension: str) -> "PyPTOFrontend | None":
        """The frontend for a program in Python, with the command line's options."""
        text = self.args.frontend or ("pypto" if file_extension == "py" else file_extension)
        spec = parse_spec(text)
        options = {name: getattr(self.args, name) for name in _PYTHON_OPTIONS}
        if spec.name != "pypto":
            given = next((name for name, value in options.items() if value), None)
            if given is not None:
                option = "-D" if given == "define" else f"--{given}"
                self.arg_parser.error(f"argument {option}: for programs in Python only")
            return None
        from xdsl_pld.tools.frontend.frontend import PyPTOFrontend

        try:
            frontend = PyPTOFrontend.from_spec(spec)
        except ValueError as error:
            self._usage_error("-f/--frontend", one_line(error))
        try:
            return frontend.with_options(**options)
        except ValueError as error:
            self.arg_parser.error(one_line(error))

    def between_passes(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Called before the first pass, between passes and after the last: all checks are here."""
        if previous is not None and self.args.time_passes:
            seconds = time.perf_counter() - self._started
            # Stock prints this to stdout, into the IR.
            print(f"Pass {previous.name} took {seconds:.6f} seconds", file=sys.stderr)
        if not self.args.disable_verify:
            self._doing = (
                "verifying the input"
                if previous is None
                else f"verifying after pass '{previous.name}'"
            )
            self._verify(module, previous)
        if not self.args.no_property_checks:
            self._check_properties(previous, module, following)
        if previous and following and self.args.print_between_passes:
            print(f"IR after {previous.name}:")
            Printer(stream=sys.stdout).print_op(module)
            print("\n\n\n")
        if following is not None:
            self._doing = f"in pass '{following.name}'"
        self._started = time.perf_counter()

    def _verify(self, module: ModuleOp, previous: ModulePass | None) -> None:
        from xdsl_pld.passes.analysis.wellformed import vouch_for
        from xdsl_pld.tools.verify import Verdicts, verify_findings

        if previous is None:
            self._verdicts = Verdicts()
        findings = verify_findings(module, self._verdicts)
        if previous is not None:
            after = Note(f"after pass '{previous.name}'")
            findings = [Finding(f.place, f.message, (*f.notes, after)) for f in findings]
        if findings:
            raise FindingsError(findings)
        vouch_for(module)

    def _check_properties(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        if previous is None and following is None:
            return
        from xdsl_pld.passes.properties.chain import PropertyChain

        if previous is None:
            self._properties = PropertyChain()
        else:
            self._doing = f"checking properties after pass '{previous.name}'"
            self._properties.after(previous, module)
        if following is not None:
            self._doing = f"checking properties before pass '{following.name}'"
            self._properties.before(following, module)


def add_program_options(parser: argparse.ArgumentParser) -> None:
    """The options for programs in Python, which all tools take."""
    parser.add_argument(
        "--program", metavar="NAME", help="of a PyPTO file: the class, factory or jit entry to read"
    )
    parser.add_argument(
        "-D",
        "--define",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="of a PyPTO file: a value for a name of the module",
    )
    parser.add_argument(
        "--bind",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="of a PyPTO file: a value for a parameter of the program's factory",
    )


def program_options(options: argparse.Namespace) -> list[str]:
    """The arguments that say the same again."""
    arguments = [] if options.program is None else ["--program", options.program]
    arguments += [f"--define={text}" for text in options.define]
    return [*arguments, *(f"--bind={text}" for text in options.bind)]


def is_program(input_file: str | None, frontend: str | None) -> bool:
    """Whether the input is a program in Python."""
    if frontend:
        return parse_spec(frontend).name == "pypto"
    return (input_file or "").endswith(".py")


def _expanded(passes: Sequence[ModulePass]) -> Iterator[ModulePass]:
    """The passes, each sequence of passes replaced by what is in it."""
    if passes:
        from xdsl_pld.passes.base import PassSequence

        for each in passes:
            if isinstance(each, PassSequence):
                yield from _expanded(each.passes())
            else:
                yield each


def check_writable(path: str) -> None:
    """Finds an impossible output before the work rather than after it."""
    if os.path.isdir(path):
        raise FileError("write", path, IsADirectoryError(0, "Is a directory"))
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileError("write", path, FileNotFoundError(0, "No such directory"))
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise FileError("write", path, PermissionError(0, "Permission denied"))


def write_file(path: str, content: str | bytes) -> None:
    """
    Replaces a file in one step, so that no reader ever sees half of it. A device or a pipe is
    written to as it stands. Raises FileError.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not _is_replaceable(path):
            _write(path, data)
            return
        path = os.path.realpath(path)
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            _write(temporary, data)
            if os.path.exists(path):
                os.chmod(temporary, os.stat(path).st_mode)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise FileError("write", path, error) from error


def _is_replaceable(path: str) -> bool:
    """Whether a new file may take the place of `path`: no device, pipe or foreign folder."""
    if path.startswith(("/dev/", "/proc/")) or (os.path.exists(path) and not os.path.isfile(path)):
        return False
    return os.access(os.path.dirname(os.path.realpath(path)), os.W_OK)


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _nearest(name: str, known: dict[str, Callable[[], type[ModulePass]]]) -> str:
    from difflib import get_close_matches

    matches = get_close_matches(name, known, n=1)
    return f", did you mean '{matches[0]}'?" if matches else ""


@contextmanager
def _own_process_state() -> Generator[None]:
    """Undoes what xDSL's driver sets for the whole process, for callers in the same process."""
    post_init = Attribute.__post_init__
    colored = XDSLDiagnostic.colored
    try:
        with places_on_errors():
            yield
    finally:
        Attribute.__post_init__ = post_init
        XDSLDiagnostic.colored = colored


def guarded(work: Callable[[], int]) -> int:
    """The exit status of a tool's work: whatever it raises becomes an error message."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8")
    try:
        with _own_process_state():
            status = work()
        sys.stdout.flush()
        return status
    except SystemExit as exit:  # argparse: a wrong command line, --help, --version
        return exit.code if isinstance(exit.code, int) else 1
    except BrokenPipeError:
        # The reader of our output has left; let Python's own flush at exit go nowhere.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except FileError as error:
        message = str(error)
    except OSError as error:
        message = str(FileError("write", "<stdout>", error))
    except KeyboardInterrupt:
        message = "interrupted"
    except Exception as error:
        message = f"internal error: {type(error).__name__}: {one_line(error)}"
    print(f"error: {message}", file=sys.stderr)
    return 1


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `pld-opt` and returns its exit status."""
    status = guarded(lambda: PldOptMain(argv).process())
    if argv is None:
        # The process ends: Python would search the module for garbage once more, for nothing.
        gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(main())
