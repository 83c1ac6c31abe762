"""
`pld-build`: the sources that the runtime takes, from a program.

    pld-build prog.mlir -o build/ [--runtime 2026.08] [--target 950] [--template-path DIR] [--print]

Exit status: 0, or 1 when the program is at fault or the output cannot be written, or 2 for a wrong
command line. Errors have the form of pld-opt's.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from xdsl_pld import __version__
from xdsl_pld.dialects.pl.attributes import is_chip_orchestration, is_host_orchestrator
from xdsl_pld.dialects.pl.call import call_like_ops
from xdsl_pld.dialects.pld.collectives import ManagedCollective
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.passes.analysis.calls import functions
from xdsl_pld.passes.properties import Property, violations
from xdsl_pld.templates.host.emit import has_windows_outside_domains
from xdsl_pld.templates.registry import TemplateRegistry
from xdsl_pld.templates.render import Renderer
from xdsl_pld.templates.runtimes import (
    DEFAULT_RUNTIME,
    DEFAULT_TARGET,
    RUNTIME_PROFILES,
    TARGETS,
)
from xdsl_pld.templates.sources import Sources
from xdsl_pld.tools.opt import FileError, add_program_options, guarded
from xdsl_pld.tools.output_folder import check_folder, write_folder
from xdsl_pld.tools.program import ProgramDriver
from xdsl_pld.tools.targets import listing, sources_of

PIPELINE = "pld-default-pipeline"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pld-build", description="Writes the sources of a program's pipelines for the runtime."
    )
    parser.add_argument("input_file", help="the program, .mlir or .py; '-' is standard input")
    output = parser.add_mutually_exclusive_group(required=True)
    output.add_argument("-o", "--output", metavar="DIR", help="the folder to write")
    output.add_argument(
        "--print", action="store_true", dest="print_", help="print the files and write none"
    )
    parser.add_argument(
        "-p",
        "--passes",
        help=f"passes to run first, as for pld-opt (default: {PIPELINE}, or none where the program "
        "is lowered already)",
    )
    parser.add_argument(
        "--runtime",
        choices=list(RUNTIME_PROFILES),
        default=DEFAULT_RUNTIME.name,
        help="the version of the runtime (default: %(default)s)",
    )
    parser.add_argument(
        "--target",
        choices=list(TARGETS),
        default=DEFAULT_TARGET.name,
        help="the card (default: %(default)s)",
    )
    parser.add_argument(
        "--template-path",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder of further kernel templates; may be given more than once",
    )
    parser.add_argument("-f", "--frontend", help="the program's language, as for pld-opt")
    add_program_options(parser)
    parser.add_argument(
        "--ranks", metavar="N", type=int, help="ranks, where the shape of a window needs it"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print no summary")
    parser.add_argument("--version", action="version", version=f"pld-build {__version__}")
    return parser


def is_lowered(module: ModuleOp) -> bool:
    """Whether nothing is left for the default pipeline that the sources depend on."""
    for function in functions(module):
        host = is_host_orchestrator(function)
        if not host and not is_chip_orchestration(function):
            continue
        if host and has_windows_outside_domains(function):
            return False
        for op in function.walk():
            if op.has_trait(ManagedCollective, value_if_unregistered=False):
                return False
        for call in () if host else call_like_ops(function):
            if call.arg_directions is None and any(is_tensor_like(a.type) for a in call.arguments):
                return False
    return not violations(Property.DIST_TENSOR_CTX_MATERIALIZED, module)


def _lower(driver: ProgramDriver, options: argparse.Namespace) -> ModuleOp:
    module = driver.parse()
    if options.passes is not None:
        driver.lower(module, options.passes)
        return module
    driver.lower(module, "")  # checks the program
    if is_lowered(module):
        return module
    driver.lower(module, PIPELINE)
    return module


def _template_folders(parser: argparse.ArgumentParser, options: argparse.Namespace) -> list[Path]:
    folders = [Path(folder) for folder in options.template_path]
    for folder in folders:
        if not folder.is_dir():
            parser.error(f"argument --template-path: '{folder}' is no folder")
    return folders


def _summary(sources: Sources, options: argparse.Namespace) -> Iterator[str]:
    yield f"{options.output}: runtime {options.runtime}, target {options.target}\n"
    width = max(map(len, sources.files))
    for path, text in sources.files.items():
        lines = text.count("\n")
        yield f"  {path:<{width}}  {lines:>4} line{'s' if lines != 1 else ''}\n"
    for note in sources.notes:
        yield f"note: {note}\n"


def _build(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    registry = TemplateRegistry(_template_folders(parser, options))
    renderer = Renderer(registry, RUNTIME_PROFILES[options.runtime], TARGETS[options.target])
    if options.output is not None:
        check_folder(Path(options.output))
    more = [] if options.ranks is None else ["--ranks", str(options.ranks)]
    driver = ProgramDriver(options, parser, more, "emitting sources")
    try:
        sources = sources_of(_lower(driver, options), renderer)
        if options.output is None:
            sys.stdout.writelines(listing(sources.files))
        else:
            write_folder(Path(options.output), sources.files)
            if not options.quiet:
                sys.stdout.writelines(_summary(sources, options))
    except (FileError, BrokenPipeError):
        raise
    except Exception as error:
        driver.report(error)
        return 1
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `pld-build` and returns its exit status."""
    return guarded(lambda: _build(argv))


if __name__ == "__main__":
    sys.exit(main())
