"""
Verification with a place for each finding.

xDSL stops at the first operation that does not verify, and says where by printing the whole
module with the operation underlined. Here each operation is verified by itself, in textual
order, so that every failure is reported at its own source line.
"""

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import DiagnosticException

from xdsl_pld.passes.analysis.wellformed import Dominance, structure_findings
from xdsl_pld.passes.diagnostics import Finding
from xdsl_pld.tools.diagnostics import attached_findings, one_line


def verify_findings(module: Operation) -> list[Finding]:
    """What is wrong with `module`, by xDSL's verifiers and by `check_wellformed`'s rules."""
    dominance = Dominance(module)
    findings: list[Finding] = []
    for op in module.walk():
        # Where our own checks find something, the operation's verifier would say the same with
        # less to go by, or trip over it (scf.while raises IndexError).
        findings += structure_findings(op) or _own_findings(op)
        findings += dominance.findings(op)
    return findings


def _own_findings(op: Operation) -> list[Finding]:
    findings = list(_empty_blocks(op))
    try:
        op.verify(verify_nested_ops=False)
    except RecursionError:
        raise
    except DiagnosticException as error:
        findings += attached_findings(error) or [Finding(op, one_line(error))]
    except Exception as error:
        # Some verifiers raise plain exceptions for invalid IR, others trip over it.
        plain = type(error) in (Exception, ValueError) and str(error)
        reason = one_line(error) if plain else f"{type(error).__name__}: {one_line(error)}"
        findings.append(Finding(op, f"'{op.name}' does not verify: {reason}"))
    return findings


def _empty_blocks(op: Operation) -> Iterator[Finding]:
    """`Block.verify`'s own check, which verifying operations one by one passes by."""
    for region in op.regions:
        if len(region.blocks) == 1 and region.blocks[0].is_empty:
            if not op.has_trait(NoTerminator):
                yield Finding(op, f"the body of '{op.name}' is empty, it needs a terminator")
