"""
Is a printed program the module that it was printed from?

The text is read again and both modules are walked side by side. Names of values and locations are
no part of the comparison, nor is a default that is written out in one of them: the direction `in`,
the function type `opaque`, the root 0. The first difference is an error at its operation: what the
DSL has no words for is refused, never printed as something else.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import ParseError

from xdsl_pld.dialects.pl.attributes import (
    ARG_ATTRS,
    DIRECTION,
    FUNC_TYPE,
    Direction,
    FuncType,
    param_attrs,
)
from xdsl_pld.dialects.pld.collectives import BroadcastOp
from xdsl_pld.tools.frontend.constants import Overrides
from xdsl_pld.tools.frontend.python_types import unsayable
from xdsl_pld.tools.frontend.reader import read_program
from xdsl_pld.tools.frontend.source import Source


def check(module: ModuleOp, text: str, origins: Sequence[Operation]) -> None:
    """
    FindingsError where `text`, read again, is another program; `origins` has for each line of the
    text the operation that it is of.
    """
    source = Source("pld-python", text)
    try:
        again = read_program(source, program=None, overrides=Overrides({}, {}), ranks=None)
    except ParseError as error:
        line = source.text.count("\n", 0, error.span.start)
        op = origins[min(line, len(origins) - 1)]
        raise unsayable(op, f"'{op.name}' as it is here ({error.msg})") from None
    _Comparison().operation(module, again)


class _Comparison:
    """Raises for the first difference between a module and its copy."""

    def __init__(self) -> None:
        self._same: dict[SSAValue, SSAValue] = {}

    def operation(self, op: Operation, copy: Operation | None) -> None:
        if copy is None or op.name != copy.name:
            raise _differs(
                op, "the operation" if copy is None else f"'{copy.name}' is read instead"
            )
        own, others = _attributes(op), _attributes(copy)
        for name in (*own, *others):
            if own.get(name) != others.get(name):
                raise _differs(op, f"the attribute '{name}'")
        for number, (a, b) in enumerate(zip_longest(op.operands, copy.operands)):
            if a is None or self._same.get(a) is not b:
                raise _differs(op, f"operand {number}")
        self._values(op, op.results, copy.results, "result")
        if len(op.regions) != len(copy.regions):
            raise _differs(op, "its regions")
        for region, other in zip(op.regions, copy.regions, strict=True):
            if len(region.blocks) != len(other.blocks):
                raise _differs(op, "the blocks of its regions")
            for block, matching in zip(region.blocks, other.blocks, strict=True):
                self._block(op, block, matching)

    def _block(self, op: Operation, block: Block, copy: Block) -> None:
        self._values(op, block.args, copy.args, "block argument")
        last: Operation = op
        for own, other in zip_longest(block.ops, copy.ops):
            if own is None:
                raise _differs(last, f"'{other.name}' is read after it")
            self.operation(own, other)
            last = own

    def _values(
        self, op: Operation, values: Sequence[SSAValue], copies: Sequence[SSAValue], what: str
    ) -> None:
        if len(values) != len(copies):
            raise _differs(op, f"the number of {what}s")
        for number, (value, copy) in enumerate(zip(values, copies, strict=True)):
            if value.type != copy.type:
                raise _differs(op, f"the type {value.type} of {what} {number}, {copy.type} is read")
            self._same[value] = copy


def _differs(op: Operation, what: str) -> Exception:
    return unsayable(op, f"'{op.name}' as it is here ({what})")


def _attributes(op: Operation) -> Mapping[str, Attribute]:
    """Attributes and properties by name, written defaults left out."""
    found = {**op.attributes, **op.properties}
    if isinstance(op, BroadcastOp) and op.root_rank == 0:
        found.pop("root", None)
    if isinstance(op, FuncOp):
        found.pop(ARG_ATTRS, None)
        found.pop("arg_attrs", None)
        if found.get(FUNC_TYPE) == StringAttr(FuncType.OPAQUE):
            del found[FUNC_TYPE]
        usual = StringAttr(Direction.IN)
        found["arg_attrs"] = ArrayAttr(
            DictionaryAttr({k: v for k, v in entry.items() if (k, v) != (DIRECTION, usual)})
            for entry in (param_attrs(op, index) for index in range(len(op.function_type.inputs)))
        )
    return found
