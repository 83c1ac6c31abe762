"""
Checks a sequence of passes against the properties that they declare.

`order_error` judges the sequence by itself, before there is a module. `PropertyChain` follows the
passes as they run: what a pass requires is verified on the IR before it, what it produces after it
and after every later pass, as long as nothing that ran is declared to break it. Passes of others
declare nothing; what held before them is verified after them all the same.

Source: design.md, Passes.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_pld.passes.analysis.wellformed import refuse_malformed
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import ESTABLISHED_BY, Property, violations


def order_error(passes: Sequence[ModulePass]) -> str | None:
    """Why no module could pass through `passes`: one breaks for good what an earlier produced."""
    producers: dict[Property, str] = {}
    for index, each in enumerate(passes):
        for broken in _breaks(each):
            producer = producers.get(broken)
            if producer is not None and not any(broken in _produces(p) for p in passes[index:]):
                return (
                    f"pass '{each.name}' breaks '{broken}', which '{producer}' has established "
                    f"before it, and no later pass restores it: run '{each.name}' before "
                    f"'{producer}'"
                )
        producers |= dict.fromkeys(_produces(each), each.name)
    return None


class PropertyChain:
    """Follows the passes over one module; raises FindingsError at the first that is at fault."""

    def __init__(self):
        self._producers: dict[Property, str] = {}
        """What should hold by now, and the pass that has established it."""
        self._verified: set[Property] = set()
        """What is known to hold in the module as it is."""

    def before(self, following: ModulePass, module: ModuleOp) -> None:
        """Verifies what the pass requires."""
        for wanted in _requires(following):
            advice = (
                f"pass '{following.name}' requires '{wanted}': run '{ESTABLISHED_BY[wanted]}' "
                "before it"
            )
            self._verify(wanted, module, advice)

    def after(self, previous: ModulePass, module: ModuleOp) -> None:
        """Verifies what the pass has produced, and what it must not have broken."""
        self._verified.clear()
        for broken in _breaks(previous):
            self._producers.pop(broken, None)
        self._producers |= dict.fromkeys(_produces(previous), previous.name)
        for wanted, producer in self._producers.items():
            established = (
                f"after pass '{previous.name}', which should have established '{wanted}'; please "
                "report this, with the input"
                if wanted in _produces(previous)
                else f"'{wanted}' no longer holds after pass '{previous.name}'; '{producer}' had "
                "established it"
            )
            self._verify(wanted, module, established)

    def _verify(self, wanted: Property, module: ModuleOp, explanation: str) -> None:
        if wanted in self._verified:
            return
        refuse_malformed(module)
        if found := violations(wanted, module):
            note = Note(explanation)
            raise FindingsError([Finding(f.place, f.message, (*f.notes, note)) for f in found])
        self._verified.add(wanted)


def _requires(each: ModulePass) -> Sequence[Property]:
    return each.requires if isinstance(each, PldPass) else ()


def _produces(each: ModulePass) -> Sequence[Property]:
    return each.produces if isinstance(each, PldPass) else ()


def _breaks(each: ModulePass) -> Sequence[Property]:
    return each.breaks if isinstance(each, PldPass) else ()
