"""
Our errors through MLIR's diagnostic engine.

Each is one MLIR error at its source location, so that a handler which is attached to the context
sees it as it sees MLIR's own; without one it is in the MLIRError that `PassManager.run` raises.
The bindings (and the C API under them) emit errors without notes: ours follow in the message, one a
line, with their places as text.
"""

from collections.abc import Sequence

from xdsl_pld.tools.diagnostics import Diagnostic, Remark
from xdsl_pld.tools.mlir.bindings import Bindings, MLIROperation


def emit(diagnostics: Sequence[Diagnostic], op: MLIROperation) -> None:
    """Emits diagnostics in the context of `op`, which is the place of those without one."""
    bindings = Bindings.of(op)
    for diagnostic in diagnostics:
        error = diagnostic.error
        location = op.location
        if (at := error.location) is not None:
            location = bindings.file_location(at.file, at.line, at.col, op.context)
        location.emit_error("\n".join([error.message, *map(_note, diagnostic.notes)]))


def _note(note: Remark) -> str:
    at = "" if note.location is None else f"{note.location}: "
    return f"{at}note: {note.message}"
