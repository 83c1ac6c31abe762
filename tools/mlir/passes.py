"""
Our passes in an upstream PassManager.

The pass manager calls a Python function with a module. The module crosses to xDSL as text, the
passes run, and the result's operations take the place of the old ones. On an error nothing is
replaced, the errors go through MLIR's diagnostic engine and the pass manager's run fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, ParseError

from xdsl_pld.passes.analysis.wellformed import vouch_for
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.tools.collector import no_collections
from xdsl_pld.tools.diagnostics import diagnose, one_line, places_on_errors
from xdsl_pld.tools.mlir.bindings import Bindings, MLIROperation, MLIRPass, MLIRPassManager
from xdsl_pld.tools.mlir.errors import emit
from xdsl_pld.tools.mlir.text import new_context, operation_index, read, text_before, write
from xdsl_pld.tools.verify import Verdicts, verify_findings


def add_pass(pass_manager: MLIRPassManager, pipeline: str) -> None:
    """
    Adds passes of ours, in the syntax of `pld-opt -p`, to a pass manager on `builtin.module`.

        add_pass(pm, "lower-l2-tensor-collectives")
        add_pass(pm, "lower-l2-tensor-collectives,materialize-dist-tensor-ctx")

    Passes that are named together cross the bridge once. Raises ValueError for a pass or an option
    that does not exist. Python objects for operations inside the module are stale after the run.
    """
    Bindings.of(pass_manager)
    adapter = _Adapter(pipeline, _passes(pipeline))
    pass_manager.add(adapter.run, name=pipeline, argument=pipeline)


@dataclass(frozen=True)
class _Adapter:
    pipeline: str
    passes: Sequence[ModulePass]

    def run(self, op: MLIROperation, pass_: MLIRPass) -> None:
        """What the pass manager calls. No exception may leave: it would not be a diagnostic."""
        if op.name != "builtin.module":
            op.location.emit_error(
                f"pass '{self.pipeline}' runs on builtin.module, not on {op.name}: add it to the "
                "outermost pass manager"
            )
            pass_.signal_pass_failure()
        else:
            with no_collections():
                done = self._apply(op)
            if not done:
                pass_.signal_pass_failure()

    def _apply(self, op: MLIROperation) -> bool:
        """Runs the passes and puts the result into `op`, or emits what went wrong."""
        bindings = Bindings.of(op)
        context = new_context()
        try:
            module = read(context, bindings.text_of(op), "<mlir>")
        except ParseError as error:
            _emit_parse_error(error, op)
            return False
        attributes = {*module.attributes, *module.properties}
        doing = "verifying the input"
        try:
            with places_on_errors():
                verdicts = Verdicts()
                _verify(module, None, verdicts)
                for each in self.passes:
                    doing = f"in pass '{each.name}'"
                    each.apply(context, module)
                    doing = f"verifying after pass '{each.name}'"
                    _verify(module, each, verdicts)
                doing = "handing the result to MLIR"
                result = bindings.parse(write(module), op.context)
        except Exception as error:
            emit(diagnose(error, doing=doing, module=module), op)
            return False
        bindings.replace_body(op, result, sorted({*attributes, *module.attributes}))
        return True


def _verify(module: ModuleOp, previous: ModulePass | None, verdicts: Verdicts) -> None:
    findings = verify_findings(module, verdicts)
    if previous is not None:
        after = Note(f"after pass '{previous.name}'")
        findings = [Finding(f.place, f.message, (*f.notes, after)) for f in findings]
    if findings:
        raise FindingsError(findings)
    vouch_for(module)


def _passes(pipeline: str) -> Sequence[ModulePass]:
    try:
        specs = tuple(parse_pipeline(pipeline))
    except (ArgSpecParseError, RuntimeError) as error:
        raise ValueError(f"pass pipeline '{pipeline}': {one_line(error)}") from error
    if not specs:
        raise ValueError("the pass pipeline is empty")
    return tuple(map(_pass, specs))


def _pass(spec: ArgSpec) -> ModulePass:
    available = Universe.get_multiverse().all_passes
    if spec.name not in available:
        near = get_close_matches(spec.name, available, n=1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"unknown pass '{spec.name}'{hint}")
    try:
        return available[spec.name]().from_spec(spec)
    except (ImportError, TypeError, ValueError) as error:
        raise ValueError(f"pass '{spec.name}': {one_line(error)}") from error


def _emit_parse_error(error: ParseError, op: MLIROperation) -> None:
    """The text is of no file: the error belongs to the operation that stands at its position."""
    index = operation_index(text_before(error))
    operations = list(Bindings.of(op).operations(op))
    place = operations[min(index, len(operations) - 1)]
    place.location.emit_error(one_line(error.msg))
