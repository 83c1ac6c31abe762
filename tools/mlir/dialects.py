"""
Dialect `pld` in an MLIR context of the Python bindings.

IRDL states operand and attribute constraints (`tools/irdl.py`). What it cannot state and the
bindings of LLVM 23 and later can attach comes from our own operations' traits: terminators, regions
without one, pure operations. All others have unknown effects upstream, also those that say here
what they read or write: upstream passes keep each of them, once and in its place.
"""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.irdl import irdl
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait, Pure

from xdsl_pld.dialects.pld import PLD
from xdsl_pld.tools.irdl import export_dialect
from xdsl_pld.tools.mlir.bindings import Bindings, MLIRContext

_TRAITS: Mapping[type[OpTrait], str] = {
    IsTerminator: "IsTerminatorTrait",
    NoTerminator: "NoTerminatorTrait",
    IsolatedFromAbove: "IsIsolatedFromAboveTrait",
}
"""Our traits and their names in the bindings."""


def load_dialects(context: MLIRContext) -> Sequence[str]:
    """
    Loads `pld` into `context`, once, and lets `pl` pass unregistered.

    Returns the traits that these bindings cannot attach, as `operation: trait`; none with LLVM 23
    and later. Load before parsing: IR that is there already keeps its unregistered operations.
    """
    bindings = Bindings.of(context)
    # IRDL cannot hold dialect pl: see tools/irdl.py.
    context.allow_unregistered_dialects = True
    if any(context.is_registered_operation(op.name) for op in PLD.operations):
        return []
    _load(bindings, context)
    missing: list[str] = []
    for op in PLD.operations:
        for trait, name in _TRAITS.items():
            if op.has_trait(trait) and not bindings.attach_trait(name, op.name, context):
                missing.append(f"{op.name}: {trait.__name__}")
        if op.has_trait(Pure) and not bindings.attach_pure(op.name, context):
            missing.append(f"{op.name}: {Pure.__name__}")
    return missing


def _load(bindings: Bindings, context: MLIRContext) -> None:
    export = export_dialect(PLD, for_llvm_22=not bindings.has_dynamic_traits)
    names: list[str] = []
    for op in export.module.walk():
        if isinstance(op, irdl.OperationOp):
            names.append(op.sym_name.data)
            op.sym_name = StringAttr(f"op_{len(names)}")
    bindings.load_irdl(str(export.module), names, context)
