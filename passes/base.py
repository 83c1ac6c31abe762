"""
What all passes of ours have in common.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xdsl_pld.passes.analysis.wellformed import refuse_malformed
from xdsl_pld.passes.properties import Property


@dataclass(frozen=True)
class PldPass(ModulePass):
    """
    A pass over well-formed IR: what the analyses rely on holds when `transform` starts.

    `pld-opt` has checked it between passes; under the stock driver, and from Python, it is checked
    here. `transform` decides first, raises FindingsError with all that it found, and only then
    changes the module.

    `pld-opt` holds passes to what they declare here (`properties.chain`).
    """

    requires: ClassVar[tuple[Property, ...]] = ()
    """What must hold in the module before the pass."""
    produces: ClassVar[tuple[Property, ...]] = ()
    """What holds after it."""
    breaks: ClassVar[tuple[Property, ...]] = ()
    """What may no longer hold after it."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_malformed(op)
        self.transform(ctx, op)

    @abstractmethod
    def transform(self, ctx: Context, module: ModuleOp) -> None:
        """The pass's work; raises FindingsError, the module unchanged, for what it refuses."""


@dataclass(frozen=True)
class PassSequence(PldPass):
    """
    Several passes under one name. `pld-opt` puts the passes in its place, so that each is held to
    what it declares, and shown; here, under other drivers, they run in turn.
    """

    @abstractmethod
    def passes(self) -> Sequence[ModulePass]:
        """The passes, in the order in which they run."""

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        for each in self.passes():
            each.apply(ctx, module)
