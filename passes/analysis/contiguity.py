"""
Contiguity: whether a tensor value is provably packed and row-major, from its root on.

Reads   the views of types, the packing rules of aliasing traits, the flow of values through
        control flow, and what callees return.
Decides for a value whether every value that can reach it is packed; if not, the chain of values
        down to the one that breaks it, and why.
Changes nothing.

Allowed are roots (parameters, what ops with the trait PackedRoot make, an `out` that the runtime
allocates) and steps that keep a packed source packed, which the aliasing traits of ops declare.
Everything else is refused: a kernel addresses its operands flat, and a rank that refuses at run
time while its peers launch leaves them in the barrier.

Accepted beyond PyPTO, with proof:
* the result of a write (`pl.tile.store`, `pl.tensor.write`): it is the destination itself, same
  address, same strides, so it is packed exactly when the destination is;
* the result of a callee that returns its parameter not literally but by lineage, through
  write-backs, carries and calls: lineage shows that it is the argument's tensor as a whole. Where a
  view lies between (`Returned.whole` is false) the call is refused.

A call's types are compared with the callee's, not with each other, so a result may state another
shape than the argument that it is; such a result is refused, since its type is wrong.

Source: l2-collectives, Contiguity.
"""

from xdsl.dialects import func
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.traits import PackedRoot
from xdsl_pld.dialects.types import shapes_agree, tensor_of
from xdsl_pld.dialects.values import shape_of, shown
from xdsl_pld.dialects.views import Packed, TensorView
from xdsl_pld.passes.analysis.calls import AnyCallOp, argument_for, callee_of
from xdsl_pld.passes.analysis.chains import ChainSearch, Step, Violation
from xdsl_pld.passes.analysis.flow import join_of
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.upstream import makes_values, readable_alias_of


class Contiguity:
    """The contiguity of a module's values; ask before the IR changes."""

    def __init__(self, lineage: Lineage):
        self._lineage = lineage
        self._search = ChainSearch(self._step)

    def violation(self, value: SSAValue) -> Violation | None:
        """Why `value` is not provably packed and row-major, None when it is."""
        return self._search.violation(value)

    def _step(self, value: SSAValue) -> Step:
        tensor = tensor_of(value.type)
        if tensor is None:
            return Step(broken=f"its type {value.type} is no ranked tensor")
        packed, reason = TensorView.of(tensor).packed()
        if packed is not Packed.YES:
            return Step(broken=reason)
        if (join := join_of(value)) is not None:
            return Step((join.seed, *join.others))
        owner = value.owner
        if isinstance(owner, Block):
            return self._block_argument(owner)
        if isinstance(owner, CallOp | SubmitOp | func.CallOp):
            return self._call(owner, value)
        return self._made(owner, value)

    def _block_argument(self, block: Block) -> Step:
        if isinstance(block.parent_op(), FuncOp) and block.prev_block is None:
            return Step()
        return Step(broken="it is an argument of a block that nothing is known about")

    def _made(self, op: Operation, value: SSAValue) -> Step:
        if op.has_trait(PackedRoot, value_if_unregistered=False):
            return Step()
        if (alias := readable_alias_of(value)) is None:
            if (name := makes_values(op)) is not None:
                return Step(broken=f"{name} makes a value, not a buffer whose place is known")
            return Step(broken=f"{op.name} is not known to make a packed tensor")
        if (broken := alias.trait.broken_packing(op)) is not None:
            return Step(broken=broken)
        return Step((alias.source,))

    def _call(self, call: AnyCallOp, value: SSAValue) -> Step:
        callee = callee_of(call)
        if callee is None:  # equivalent mutant: the verifier has refused such a call
            return Step(broken=f"{call.callee} is no function of this module")
        assert isinstance(value, OpResult)
        position = value.index
        returned = self._lineage.returned(callee)[position]
        if returned.parameter is None:
            return Step(broken=f"{call.callee} does not return a parameter at result {position}")
        if not returned.whole:
            return Step(broken=f"{call.callee} returns a view of a parameter at result {position}")
        argument = argument_for(call, callee, returned.parameter)
        if argument is None:
            return Step()
        given, stated = shape_of(argument), shape_of(value)
        if not shapes_agree(given, stated):
            return Step(
                broken=f"its shape {shown(stated)} is not {shown(given)}, that of the argument "
                f"which {call.callee} returns"
            )
        return Step((argument,))
