"""
Which values of a pipeline are one C++ variable: a kernel's result is the argument that the kernel
returns, a write's result is its destination, and a loop that yields its own carry carries nothing.

One walk in text order. A carry is taken for itself until its loop's yield is known.
"""

from collections.abc import Sequence

from xdsl.dialects import scf, tensor
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_pld.dialects.pl.attributes import Direction, direction
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pl.tensor import SetValidShapeOp
from xdsl_pld.dialects.symbols import lookup_callee
from xdsl_pld.dialects.traits import WritesBack, alias_of
from xdsl_pld.dialects.types import is_tensor_like


def returned_parameters(function: FuncOp) -> Sequence[int | None]:
    """
    The parameter that each result is, None where the function does not say.

    A declaration stands for a kernel in normal form: it returns what it writes, in order.
    """
    results = len(function.function_type.outputs)
    if function.is_declaration:
        written = [
            index
            for index, type_ in enumerate(function.function_type.inputs)
            if is_tensor_like(type_) and direction(function, index) is not Direction.IN
        ]
        return written if len(written) == results else [None] * results
    last = function.body.blocks[-1].last_op
    if len(function.body.blocks) != 1 or not isinstance(last, ReturnOp):
        return [None] * results
    return [_parameter(value, function) for value in last.arguments]


def _parameter(value: SSAValue, function: FuncOp) -> int | None:
    """The parameter that a returned value is: itself, or after writes into it."""
    while (alias := alias_of(value)) is not None and isinstance(alias.trait, WritesBack):
        value = alias.source
    if isinstance(value, BlockArgument) and value.block is function.body.blocks[0]:
        return value.index
    return None


class Aliases:
    """The representative of each value of a pipeline."""

    def __init__(self, function: FuncOp):
        self._same: dict[SSAValue, SSAValue] = {}
        for block in function.body.blocks:
            self._visit(block)

    def find(self, value: SSAValue) -> SSAValue:
        """The value whose variable `value` is."""
        chain: list[SSAValue] = []
        while (other := self._same.get(value)) is not None:
            chain.append(value)
            value = other
        for each in chain:
            self._same[each] = value
        return value

    def _link(self, value: SSAValue, other: SSAValue) -> None:
        other = self.find(other)
        if other is not value:
            self._same[value] = other

    def _visit(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, CallOp | SubmitOp):
                self._visit_call(op)
            elif isinstance(op, SetValidShapeOp | tensor.CastOp):
                self._link(op.results[0], op.operands[0])
            elif isinstance(op, scf.ForOp):
                self._visit_for(op)
            elif isinstance(op, scf.WhileOp):
                self._visit_while(op)
            else:
                for region in op.regions:
                    for inner in region.blocks:
                        self._visit(inner)
                if isinstance(op, scf.IfOp):
                    self._visit_if_results(op)
                elif op.results and (alias := alias_of(op.results[0])) is not None:
                    if isinstance(alias.trait, WritesBack):
                        self._link(op.results[0], alias.source)

    def _visit_call(self, call: CallOp | SubmitOp) -> None:
        if (callee := lookup_callee(call, call.callee)) is None:
            return
        passed = dict(zip(call.parameter_indices(callee), call.arguments, strict=True))
        for result, parameter in zip(call.callee_results, returned_parameters(callee), strict=True):
            if parameter is not None and parameter in passed:
                self._link(result, passed[parameter])

    def _visit_for(self, loop: scf.ForOp) -> None:
        body = loop.body.block
        self._visit(body)
        for carry, initial, last, result in zip(
            body.args[1:], loop.iter_args, _yielded(body), loop.res, strict=True
        ):
            if self.find(last) in (carry, self.find(initial)):
                self._link(carry, initial)
                self._link(result, initial)

    def _visit_while(self, loop: scf.WhileOp) -> None:
        before, after = loop.before_region.block, loop.after_region.block
        self._visit(before)
        condition = before.last_op
        assert isinstance(condition, scf.ConditionOp)
        for argument, passed in zip(after.args, condition.operands[1:], strict=True):
            self._link(argument, passed)
        self._visit(after)
        for carry, initial, last in zip(before.args, loop.arguments, _yielded(after), strict=True):
            if self.find(last) in (carry, self.find(initial)):
                self._link(carry, initial)
        for result, passed in zip(loop.res, condition.operands[1:], strict=True):
            root = self.find(passed)
            if root in before.args or not _inside(root, loop):
                self._link(result, root)

    def _visit_if_results(self, branch: scf.IfOp) -> None:
        if not branch.results:
            return
        pairs = zip(
            branch.output,
            _yielded(branch.true_region.block),
            _yielded(branch.false_region.block),
            strict=True,
        )
        for result, then, otherwise in pairs:
            if self.find(then) is self.find(otherwise):
                self._link(result, then)


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()


def _inside(value: SSAValue, op: Operation) -> bool:
    """Whether the value is defined in a region of `op`."""
    owner: Operation | Block | None = value.owner
    while owner is not None:
        parent = owner.parent_op()
        if parent is op:
            return True
        owner = parent
    return False
