"""
Verification with a place for each finding.

xDSL stops at the first operation that does not verify, and says where by printing the whole
module with the operation underlined. Here each operation is verified by itself, in textual
order, so that every failure is reported at its own source line.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import OpDef
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import DiagnosticException

from xdsl_pld.dialects.symbols import only_reading
from xdsl_pld.passes.analysis.wellformed import Dominance, structure_findings
from xdsl_pld.passes.diagnostics import Finding
from xdsl_pld.tools.diagnostics import attached_findings, one_line


def verify_findings(module: Operation, verdicts: "Verdicts | None" = None) -> list[Finding]:
    """
    What is wrong with `module`, by xDSL's verifiers and by `check_wellformed`'s rules.

    Give the same `verdicts` again after each pass.
    """
    dominance = Dominance(module)
    findings: list[Finding] = []
    with only_reading(), (verdicts or Verdicts()).used():
        for op in module.walk():
            # Where our own checks find something, the operation's verifier would say the same with
            # less to go by, or trip over it (scf.while raises IndexError).
            findings += structure_findings(op) or _own_findings(op)
            findings += dominance.findings(op)
    return findings


class Verdicts:
    """
    The signatures that have passed what an IRDL definition asks of types, properties and
    attributes, which are most of a verifier's time and mostly the same few.

    That part of `OpDef.verify` reads nothing else of an operation without successors, but for the
    number of blocks in a region and the types that it starts with; and attributes are immutable:
    once passed, always passed. Traits and verifiers in Python, which
    may look at other operations, run for every operation every time.
    """

    def __init__(self) -> None:
        self._passed: dict[int, tuple[OpDef, set[tuple[object, ...]]]] = {}
        self._numbers: dict[Attribute, int] = {}
        """Equal attributes have equal numbers."""
        self._known: dict[int, tuple[Attribute, int]] = {}
        """The number of an object; it is held, so that no other gets its id."""

    @contextmanager
    def used(self) -> Generator[None]:
        """Inside, in this thread, signatures that have passed pass again."""
        token = _USED.set(self)
        try:
            yield
        finally:
            _USED.reset(token)

    def verify(self, definition: OpDef, op: Operation) -> None:
        """As the definition's own verification, which runs for what has not passed before."""
        if op.successors:
            _STOCK(definition, op)
            return
        passed = self.passed_by(definition)
        signature = self.signature(definition, op)
        if signature not in passed:
            _STOCK(definition, op)
            passed.add(signature)
            return
        for trait in definition.traits:
            trait.verify(op)

    def passed_by(self, definition: OpDef) -> set[tuple[object, ...]]:
        """The signatures that have passed a definition."""
        key = id(definition)
        if key not in self._passed:
            self._passed[key] = (definition, set())
        return self._passed[key][1]

    def signature(self, definition: OpDef, op: Operation) -> tuple[object, ...]:
        """All of an operation that its definition reads; equal ones are equal to it."""
        number = self._number
        return (
            tuple([number(operand.type) for operand in op.operands]),
            tuple([number(result.type) for result in op.results]),
            tuple([(name, number(value)) for name, value in op.properties.items()]),
            tuple([(name, number(value)) for name, value in op.attributes.items()])
            if definition.attributes
            else (),
            tuple([self._region(region) for region in op.regions]) if op.regions else (),
        )

    def _region(self, region: Region) -> tuple[object, ...]:
        first = region.first_block
        types = () if first is None else [self._number(argument.type) for argument in first.args]
        return (len(region.blocks), *types)

    def _number(self, attribute: Attribute) -> int:
        known = self._known.get(id(attribute))
        if known is None:
            number = self._numbers.setdefault(attribute, len(self._numbers))
            self._known[id(attribute)] = (attribute, number)
            return number
        return known[1]


_STOCK = OpDef.verify
_USED: ContextVar[Verdicts | None] = ContextVar("_USED", default=None)
"""By thread: who asks for verdicts gets them, all others verify as ever."""


def _verify(self: OpDef, op: Operation) -> None:
    verdicts = _USED.get()
    if verdicts is None:
        _STOCK(self, op)
    else:
        verdicts.verify(self, op)


OpDef.verify = _verify


def _own_findings(op: Operation) -> list[Finding]:
    findings = list(_empty_blocks(op)) if op.regions else []
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
