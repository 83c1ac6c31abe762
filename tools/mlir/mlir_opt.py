"""
`mlir-opt[...]` in a pipeline of `pld-opt`: upstream passes, run by the mlir-opt that is there.

xDSL's pass of this name loses locations and value names, and reports a missing or failing mlir-opt
as an exception without its text. This one keeps them (see `text`), takes heir-opt too, and reports
mlir-opt's errors at the source lines that they are about. It serves `pld-opt` only: the stock
driver has one registry, in which a name cannot be taken twice.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from xdsl.transforms.mlir_opt import MLIROptPass
from xdsl.utils.exceptions import ParseError

from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.diagnostics import locate, one_line
from xdsl_pld.tools.mlir.text import operation_index, read, text_before, write

EXECUTABLES = ("mlir-opt", "heir-opt")
"""Drivers that have all upstream passes, in the order in which they are looked for."""

_FLAGS = (
    "--allow-unregistered-dialect",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
)

_ERROR = re.compile(r"(?P<file>.*?):(?P<line>\d+)(?::(?P<column>\d+))?: error: (?P<message>.*)")
_INPUT = "<stdin>"


def find_executable(wanted: str = "") -> str | None:
    """
    The path of `wanted`, or else of what $XDSL_MLIR_OPT names, or else of one of EXECUTABLES; on
    PATH or beside Python, where pip puts heir-opt also if the environment is not activated.
    """
    wanted = wanted or os.environ.get("XDSL_MLIR_OPT", "")
    folders = os.pathsep.join([os.environ.get("PATH", ""), os.path.dirname(sys.executable)])
    found = (shutil.which(each, path=folders) for each in ([wanted] if wanted else EXECUTABLES))
    return next((path for path in found if path is not None), None)


@dataclass(frozen=True)
class LocatedMLIROptPass(MLIROptPass):
    """Runs mlir-opt on the module; `executable` names another than the one that is found."""

    name = "mlir-opt"

    executable: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        executable = find_executable(self.executable)
        if executable is None:
            raise FindingsError([_no_executable(op, self.executable)])
        text = write(op)
        done = self._run(executable, text)
        if done.returncode != 0:
            raise FindingsError(list(_findings(done, text, op)))
        _replace_body(op, _read_result(ctx, done.stdout, op))

    def _run(self, executable: str, text: str) -> subprocess.CompletedProcess[str]:
        flags = [flag for flag in _FLAGS if flag not in self.arguments]
        return subprocess.run(
            [executable, *self.arguments, *flags],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )


def _replace_body(op: ModuleOp, result: ModuleOp) -> None:
    op.detach_region(op.body)
    op.add_region(Rewriter().move_region_contents_to_new_regions(result.body))
    op.attributes = result.attributes
    op.properties = result.properties


# What can go wrong


def _no_executable(op: ModuleOp, wanted: str) -> Finding:
    names = wanted or os.environ.get("XDSL_MLIR_OPT") or " or ".join(EXECUTABLES)
    return Finding(
        op,
        f"pass 'mlir-opt' finds no {names}, neither on PATH nor beside {sys.executable}",
        [
            Note(
                "`pip install heir-py` brings heir-opt, which has all upstream passes; or name a "
                "driver in the environment variable XDSL_MLIR_OPT"
            )
        ],
    )


def _read_result(ctx: Context, text: str, op: ModuleOp) -> ModuleOp:
    try:
        return read(ctx, text, "<mlir-opt>")
    except ParseError as error:
        line = text.split("\n")[text_before(error).count("\n")].strip()
        note = Note(f"mlir-opt wrote: {line or 'nothing'}")
        message = f"cannot read back what mlir-opt wrote: {one_line(error.msg)}"
        raise FindingsError([Finding(op, message, [note])]) from error


def _findings(
    done: subprocess.CompletedProcess[str], text: str, module: ModuleOp
) -> Iterator[Finding]:
    """mlir-opt's errors, each at the operation that it is about."""
    notes = list(_opaque_regions(module))
    errors = [error for line in done.stderr.splitlines() if (error := _ERROR.fullmatch(line))]
    for error in errors:
        place = _operation_at(error, text, module)
        yield Finding(place, f"mlir-opt: {error['message']}", notes)
    if not errors:
        status = done.returncode
        ended = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        lines = done.stderr.strip().splitlines() or ["no message"]
        yield Finding(module, f"mlir-opt {ended}: {lines[0]}", notes)


def _opaque_regions(module: ModuleOp) -> Iterator[Note]:
    """LLVM 24 gives up, or crashes, on symbols beside an operation with regions unknown to it."""
    for op in module.walk():
        if op.regions and op.dialect_name() in ("pl", "pld"):
            yield Note(
                f"upstream's inline and symbol-dce cannot see into a '{op.name}', which it does "
                "not know: run them where there is none yet, or from Python (xdsl_pld.mlir)",
                op,
            )
            return


def _operation_at(error: re.Match[str], text: str, module: ModuleOp) -> Operation:
    line, column = int(error["line"]), int(error["column"] or 1)
    if error["file"] == _INPUT:  # a position in the text that it was given
        before = text.split("\n")[: line - 1]
        here = text.split("\n")[line - 1][:column]
        return list(module.walk())[operation_index("\n".join([*before, here]))]
    place = (error["file"], line, column)
    for op in module.walk():
        at = locate(op)
        if at is not None and (at.file, at.line, at.col) == place:
            return op
    return module
