"""
A module as a program of the DSL: functions, loops, branches, calls.

Every value gets a name of its own, so nothing is bound twice; loops and branches use the explicit
forms (`init_values`, `pl.yield_`). An operand's own op is written in the operand's place where the
frontend, reading it there, makes the op at the same point again: that is what lets the way there
and back end where it began. Source: the DSL reference, sections 2 to 7.
"""

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xdsl_pld.dialects.pl.attributes import AFTER, LOOP_KIND, TASK
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pl.tensor import SliceOp, ViewOp
from xdsl_pld.dialects.pld.windows import AllocWindowBufferOp, CommDomainOp, YieldOp
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.tools.frontend.calls import inferred_results
from xdsl_pld.tools.frontend.loops import returned_parameter
from xdsl_pld.tools.frontend.python_ops import (
    SAY,
    Piece,
    Said,
    Use,
    constant_of,
    directions_text,
)
from xdsl_pld.tools.frontend.python_types import (
    DYNAMIC_NAME,
    decorator_text,
    parameter_text,
    results_text,
    string_text,
    type_text,
    unsayable,
)
from xdsl_pld.tools.frontend.scalars import is_scalar

_INDEX = IndexType()
_WIDTH = 100
_INDENT = "    "
_RESERVED = frozenset(
    (*keyword.kwlist, "self", "pl", "pld", "len", "min", "max", "abs", "int", DYNAMIC_NAME)
)
_NEEDS_NAME = (AllocWindowBufferOp, memref.AllocaOp)
_DEEPEST_OPERAND = 20
_DEEPEST_BLOCK = 98
"""Nesting that Python's parser reads: 200 parentheses, 100 levels of indentation."""


def module_text(module: ModuleOp) -> tuple[str, Sequence[Operation]]:
    """
    The program of a module, and for each line the operation that it is of; FindingsError where the
    DSL cannot say it.
    """
    for name in (*module.attributes, *module.properties):
        raise unsayable(module, f"the attribute '{name}' of a module")
    callees: dict[str, FuncOp] = {}
    for op in module.body.block.ops:
        if not isinstance(op, FuncOp):
            raise unsayable(op, f"'{op.name}' in a module")
        callees[op.sym_name.data] = op
    body: list[tuple[str, Operation]] = []
    for function in callees.values():
        body += [*_Function(function, callees).lines(), ("", function)]
    body = body[:-1] or [(f"{_INDENT}pass", module)]
    head = ["import pypto.language as pl", "import pypto.language.distributed as pld"]
    if any(re.search(rf"\b{DYNAMIC_NAME}\b", line) for line, _ in body):
        head += ["", f'{DYNAMIC_NAME} = pl.dynamic("{DYNAMIC_NAME}")']
    head += ["", "", "@pl.program", "class Program:"]
    lines = [*head, *(line for line, _ in body)]
    return "\n".join(lines) + "\n", [*([module] * len(head)), *(op for _, op in body)]


@dataclass
class _Function:
    """The text of one function."""

    function: FuncOp
    _callees: Mapping[str, FuncOp]
    _names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    _taken: set[str] = field(default_factory=lambda: set(_RESERVED))
    _counts: dict[str, int] = field(default_factory=dict[str, int])
    _inlined: set[Operation] = field(default_factory=set[Operation])
    _lines: list[tuple[str, Operation]] = field(default_factory=list[tuple[str, Operation]])
    _op: Operation = field(init=False)
    """The operation whose lines are written."""
    _targets: dict[Block, Sequence[str]] = field(default_factory=dict[Block, Sequence[str]])
    """The names that each block's `pl.yield_` gives its values to."""

    def lines(self) -> Sequence[tuple[str, Operation]]:
        """The lines, each with the operation that it is of."""
        function = self._op = self.function
        name = function.sym_name.data
        if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
            raise unsayable(function, f"the function name '{name}'")
        self._put(1, decorator_text(function))
        if function.is_declaration:
            count = len(function.function_type.inputs)
            self._head([f"arg{index}" for index in range(count)], "...")
            return self._lines
        if len(function.body.blocks) != 1:
            raise unsayable(function, "control flow between blocks")
        for op in function.walk():
            if isinstance(op, AllocWindowBufferOp):
                self._prefer(op.buffer, op.buffer_name.data)
        block = function.body.block
        self._head([self._name(argument) for argument in block.args], "")
        self._block(block, 2)
        return self._lines

    def _head(self, names: Sequence[str], body: str) -> None:
        parameters = ["self"]
        parameters += [parameter_text(self.function, i, name) for i, name in enumerate(names)]
        results = results_text(self.function)
        if body and not results:
            results = " -> None"
        name = self.function.sym_name.data
        line = f"def {name}({', '.join(parameters)}){results}: {body}".rstrip()
        if len(line) + len(_INDENT) <= _WIDTH:
            self._put(1, line)
            return
        self._put(1, f"def {name}(")
        for parameter in parameters:
            self._put(2, f"{parameter},")
        self._put(1, f"){results}: {body}".rstrip())

    def _put(self, depth: int, text: str) -> None:
        if depth > _DEEPEST_BLOCK:
            raise unsayable(self._op, f"a block at a depth of more than {_DEEPEST_BLOCK}")
        self._lines.append((_INDENT * depth + text, self._op))

    # Names

    def _name(self, value: SSAValue) -> str:
        if value not in self._names:
            self._names[value] = self._fresh(value.name_hint)
        return self._names[value]

    def _fresh(self, hint: str | None) -> str:
        base = "" if hint is None else re.sub(r"\W", "_", hint, flags=re.ASCII)
        if base and not base.isidentifier():
            base = f"v{base}"
        name = base
        while not name or name in self._taken:
            number = self._counts.get(base, 0 if not base else 1)
            self._counts[base] = number + 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name

    def _prefer(self, buffer: SSAValue, name: str) -> None:
        """Calls a buffer what it is called at run time, if its value gets the same name again."""
        if not name.isidentifier() or not name.isascii() or name in self._taken:
            return
        if SSAValue.is_valid_name(name) and SSAValue.extract_valid_name(name) == buffer.name_hint:
            self._names[buffer] = name
            self._taken.add(name)

    # Operands

    def _plan(self, block: Block) -> Iterator[Operation]:
        """The ops of a block that are statements; marks those that are written in an operand."""
        statements: list[Operation] = []
        cursor = block.last_op
        while cursor is not None:
            statements.append(cursor)
            cursor = self._mark(self._uses(cursor), self._before(cursor), True, 0)
        return reversed(statements)

    def _mark(
        self, uses: Sequence[Use], cursor: Operation | None, calls: bool, depth: int
    ) -> Operation | None:
        """Marks the ops up to `cursor` that the operands can hold; returns what is left."""
        behind = False  # something that is read later is written in its operand's place
        for use in reversed(uses):
            value = use.value
            allowed = calls and use.calls
            if cursor is None or not isinstance(value, OpResult) or value.op is not cursor:
                continue
            if depth == _DEEPEST_OPERAND or not self._fits(cursor, use, allowed):
                continue
            if use.lazy and behind and isinstance(cursor, arith.ConstantOp):
                continue  # its op would be made behind the other's
            self._inlined.add(cursor)
            behind = True
            cursor = self._mark(self._uses(cursor), self._before(cursor), allowed, depth + 1)
        return cursor

    def _before(self, op: Operation) -> Operation | None:
        """The op before `op` and before what is said together with it."""
        if isinstance(op, ViewOp) and _indexed(op) is not None:
            box = op.source.owner
            assert isinstance(box, Operation)
            self._inlined.add(box)
            return box.prev_op
        return op.prev_op

    def _fits(self, op: Operation, use: Use, calls: bool) -> bool:
        """Whether an op can be written in the place of its result."""
        result = use.value
        if len(op.results) != 1 or not result.has_one_use() or isinstance(op, _NEEDS_NAME):
            return False
        if isinstance(op, arith.ConstantOp):
            if not use.constants:
                return False
            literal = use.literal == result.type
            return (calls or literal) and result.name_hint in (None, _automatic_name(op))
        if result.name_hint is not None:
            return False
        if isinstance(op, CallOp):
            return calls and op.core_num is None
        if type(op) not in SAY:
            return False
        return calls or not self._say(op).is_call

    def _uses(self, op: Operation) -> Sequence[Use]:
        """The operands of an op in the order in which the frontend reads them."""
        match op:
            case CallOp():
                first = [] if op.core_num is None else [Use(op.core_num, _INDEX)]
                last = [] if op.device is None else [Use(op.device, _INDEX)]
                return [*first, *map(_argument, op.arguments), *last]
            case SubmitOp():
                first = [] if op.core_num is None else [Use(op.core_num, _INDEX)]
                return [*first, *map(_argument, op.arguments), *map(Use, op.deps)]
            case scf.ForOp():
                bounds = [Use(bound, _INDEX) for bound in (op.lb, op.ub, op.step)]
                return [*bounds, *(Use(value, lazy=True) for value in op.iter_args)]
            case scf.WhileOp():
                return [Use(value, lazy=True) for value in op.arguments]
            case scf.ConditionOp():
                return [Use(op.operands[0], i1)]
            case scf.IfOp():
                return [Use(op.cond, constants=False)]
            case scf.YieldOp():
                # Two arms that yield one constant would give no result.
                constants = not isinstance(op.parent_op(), scf.IfOp)
                return [Use(value, constants=constants, lazy=True) for value in op.arguments]
            case AllocWindowBufferOp():
                return [Use(op.bytes, _INDEX)]
            case memref.StoreOp():
                return [Use(op.value, op.value.type), Use(op.indices[0], _INDEX)]
            case _ if type(op) in SAY:
                return [piece for piece in self._say(op).pieces if isinstance(piece, Use)]
            case _:
                return [Use(operand, lazy=True) for operand in op.operands]

    def _say(self, op: Operation) -> Said:
        if isinstance(op, ViewOp) and (said := _indexed(op)) is not None:
            return said
        return SAY[type(op)](op)

    def _text(self, use: Use, inside_operator: bool = False) -> str:
        value = use.value
        if not isinstance(value, OpResult) or value.op not in self._inlined:
            return self._name(value)
        op = value.op
        if isinstance(op, CallOp):
            return self._call(op)
        if isinstance(op, arith.ConstantOp) and use.literal == value.type:
            number = constant_of(value)
            assert number is not None
            return str(bool(number)) if value.type == i1 else repr(number)
        said = self._say(op)
        text = self._expression(said)
        return f"({text})" if inside_operator and not said.binds_tighter else text

    def _expression(self, said: Said) -> str:
        def text(piece: Piece) -> str:
            if isinstance(piece, str):
                return piece
            if piece.value in said.literals:
                return said.literals[piece.value]
            return self._text(piece, inside_operator=not said.binds_tighter)

        return "".join(map(text, said.pieces))

    # Statements

    def _block(self, block: Block, depth: int) -> None:
        before = len(self._lines)
        for op in self._plan(block):
            self._statement(op, depth)
        if len(self._lines) == before:
            self._put(depth, "pass")

    def _statement(self, op: Operation, depth: int) -> None:
        self._op = op
        match op:
            case scf.ForOp():
                self._for(op, depth)
            case scf.WhileOp():
                self._while(op, depth)
            case scf.IfOp():
                self._if(op, depth)
            case scf.YieldOp():
                self._yield(op, depth)
            case func.ReturnOp():
                if op.arguments:
                    values = ", ".join(self._text(Use(value)) for value in op.arguments)
                    self._put(depth, f"return {values}")
            case CallOp():
                self._call_statement(op, depth)
            case SubmitOp():
                self._put(depth, f"{self._submit_target(op)} = {self._submit(op)}")
            case AllocWindowBufferOp():
                self._alloc(op, depth)
            case CommDomainOp():
                self._domain(op, depth)
            case YieldOp():
                self._given_out(op, depth)
            case memref.StoreOp():
                index = self._text(Use(op.indices[0], _INDEX))
                value = self._text(Use(op.value, op.value.type))
                self._put(depth, f"{self._name(op.memref)}[{index}] = {value}")
            case _ if type(op) in SAY:
                self._refuse_attributes(op, ())
                said = self._say(op)
                text = self._expression(said)
                (result, *_) = [*op.results, None]
                unused = result is None or (
                    result.first_use is None and result.name_hint is None and said.is_call
                )
                if unused and not isinstance(op, _NEEDS_NAME):
                    self._put(depth, text)
                else:
                    assert result is not None
                    self._put(depth, f"{self._name(result)} = {text}")
            case _:
                raise unsayable(op, f"'{op.name}'")

    def _refuse_attributes(self, op: Operation, known: Sequence[str]) -> None:
        for name in op.attributes:
            if name not in known:
                raise unsayable(op, f"the attribute '{name}'")

    def _for(self, op: scf.ForOp, depth: int) -> None:
        self._refuse_attributes(op, (LOOP_KIND,))
        variable, *carries = op.body.block.args
        if variable.type != _INDEX:
            raise unsayable(op, f"a loop over {variable.type}")
        if constant_of(op.step) is None:
            raise unsayable(op, "a step that is no constant")
        results = [self._name(result) for result in op.results]
        lower, upper, step = (self._text(Use(b, _INDEX)) for b in (op.lb, op.ub, op.step))
        bounds = [lower, upper, step]
        if step == "1":
            bounds = [upper] if lower == "0" else [lower, upper]
        arguments = ", ".join(bounds)
        target = self._name(variable)
        if carries:
            target += f", {_tuple([self._name(carry) for carry in carries])}"
            initial = _tuple([self._text(Use(value)) for value in op.iter_args])
            arguments += f", init_values={initial}"
        name = "parallel" if LOOP_KIND in op.attributes else "range"
        self._put(depth, f"for {target} in pl.{name}({arguments}):")
        self._targets[op.body.block] = results
        self._block(op.body.block, depth + 1)

    def _while(self, op: scf.WhileOp, depth: int) -> None:
        self._refuse_attributes(op, ())
        before, after = op.before_region.block, op.after_region.block
        *computed, end = before.ops
        assert isinstance(end, scf.ConditionOp)
        if list(end.operands[1:]) != list(before.args):
            raise unsayable(op, "a while loop that passes on other values than it carries")
        results = [self._name(result) for result in op.results]
        initial = _tuple([self._text(Use(value)) for value in op.arguments])
        names = [self._name(argument) for argument in before.args]
        for argument, name in zip(after.args, names, strict=True):
            self._names[argument] = name
        statements = list(self._plan(before))
        if statements != [end]:
            raise unsayable(computed[0], "a while condition that is no single expression")
        condition = self._text(Use(end.operands[0], i1))
        if names:
            self._put(depth, f"for {_tuple(names)} in pl.while_(init_values={initial}):")
            self._put(depth + 1, f"pl.cond({condition})")
        else:
            self._put(depth, f"while {condition}:")
        self._targets[after] = results
        self._block(after, depth + 1)

    def _if(self, op: scf.IfOp, depth: int) -> None:
        self._refuse_attributes(op, ())
        results = [self._name(result) for result in op.results]
        self._put(depth, f"if {self._text(Use(op.cond))}:")
        self._targets[op.true_region.block] = results
        self._block(op.true_region.block, depth + 1)
        if op.false_region.blocks:
            self._op = op
            self._put(depth, "else:")
            self._targets[op.false_region.block] = results
            self._block(op.false_region.block, depth + 1)

    def _yield(self, op: scf.YieldOp, depth: int) -> None:
        block = op.parent
        assert block is not None
        names = self._targets[block]
        if names:
            values = ", ".join(self._text(Use(value)) for value in op.arguments)
            self._put(depth, f"{', '.join(names)} = pl.yield_({values})")

    # Windows and domains

    def _alloc(self, op: AllocWindowBufferOp, depth: int) -> None:
        self._refuse_attributes(op, ())
        name, target = op.buffer_name.data, self._name(op.buffer)
        attrs = "" if name == target else f', attrs={{"name": {string_text(name)}}}'
        size = self._text(Use(op.bytes, _INDEX))
        self._put(depth, f"{target} = pld.alloc_window_buffer({size}{attrs})")

    def _domain(self, op: CommDomainOp, depth: int) -> None:
        self._refuse_attributes(op, ())
        arguments = [string_text(op.domain_name.data)]
        if op.devices is not None:
            arguments.append(f"devices={list(op.devices.get_values())}")
        slots = ", ".join(string_text(slot.data) for slot in op.slots)
        arguments.append(f"slots=[{slots}]")
        self._put(depth, f"with pld.comm_domain({', '.join(arguments)}):")
        self._targets[op.body.block] = [self._name(result) for result in op.results]
        self._block(op.body.block, depth + 1)

    def _given_out(self, op: YieldOp, depth: int) -> None:
        block = op.parent
        assert block is not None
        if names := self._targets[block]:
            values = ", ".join(self._text(Use(value)) for value in op.arguments)
            self._put(depth, f"{', '.join(names)} = pld.yield_({values})")

    # Calls

    def _call_statement(self, op: CallOp, depth: int) -> None:
        text = self._call(op)
        if op.results and any(r.first_use or r.name_hint for r in op.results):
            text = f"{', '.join(map(self._name, op.results))} = {text}"
        if op.core_num is not None:
            blocks = self._text(Use(op.core_num, _INDEX))
            sync = ", sync_start=True" if op.sync_start is not None else ""
            self._put(depth, f"with pl.spmd({blocks}{sync}):")
            depth += 1
        self._put(depth, text)

    def _call(self, op: CallOp) -> str:
        self._refuse_attributes(op, (TASK, AFTER))
        arguments = self._arguments(op)
        if op.device is not None:
            arguments.append(f"device={self._text(Use(op.device, _INDEX))}")
        return f"self.{op.callee.root_reference.data}({', '.join([*arguments, *self._attrs(op)])})"

    def _submit(self, op: SubmitOp) -> str:
        self._refuse_attributes(op, (TASK, AFTER))
        arguments = [f"self.{op.callee.root_reference.data}", *self._arguments(op)]
        if op.deps:
            arguments.append(f"deps=[{', '.join(self._text(Use(dep)) for dep in op.deps)}]")
        if op.core_num is not None:
            arguments.append(f"core_num={self._text(Use(op.core_num, _INDEX))}")
            if op.sync_start is not None:
                arguments.append("sync_start=True")
        name = "pl.submit" if op.core_num is None else "pl.spmd_submit"
        return f"{name}({', '.join([*arguments, *self._attrs(op)])})"

    def _submit_target(self, op: SubmitOp) -> str:
        *results, task = map(self._name, op.results)
        if not results:
            return task
        return f"{results[0] if len(results) == 1 else _tuple(results)}, {task}"

    def _arguments(self, op: CallOp | SubmitOp) -> list[str]:
        no_dep = () if op.no_dep is None else op.no_dep.get_values()
        texts = [self._text(_argument(argument)) for argument in op.arguments]
        return [f"pl.no_dep({t})" if i in no_dep else t for i, t in enumerate(texts)]

    def _attrs(self, op: CallOp | SubmitOp) -> Sequence[str]:
        """What a pass has added to a launch, or its author."""
        entries = [directions_text(op.arg_directions)] if op.arg_directions is not None else []
        task, after = op.attributes.get(TASK), op.attributes.get(AFTER)
        if isinstance(task, IntegerAttr):
            entries.append(f'"task": {task.value.data}')
        if isinstance(after, DenseArrayBase):
            entries.append(f'"after": {list(after.get_values())}')
        types = [result.type for result in op.callee_results]
        callee = self._callees.get(op.callee.root_reference.data)
        if callee is not None and types != _results(callee, op):
            entries.append(f'"results": [{", ".join(type_text(t, op) for t in types)}]')
        return [f"attrs={{{', '.join(entries)}}}"] if entries else []


def _results(callee: FuncOp, op: CallOp | SubmitOp) -> Sequence[Attribute]:
    """The result types that the frontend finds for a call."""

    def returned() -> Sequence[int | None]:
        if callee.is_declaration:
            return [None] * len(callee.function_type.outputs)
        block = callee.body.block
        assert block.last_op is not None
        return [returned_parameter(value, block) for value in block.last_op.operands]

    passed = zip(op.parameter_indices(callee), op.arguments, strict=True)
    types = {parameter: argument.type for parameter, argument in passed}
    return list(inferred_results(callee.function_type.outputs.data, returned, types))


def _argument(value: SSAValue) -> Use:
    return Use(value, value.type if is_scalar(value.type) else None)


def _tuple(names: Sequence[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"


def _automatic_name(op: arith.ConstantOp) -> str | None:
    """The name that the frontend gives to the op of a literal."""
    number = constant_of(op.result)
    if not isinstance(number, int) or number < 0 or op.result.type == i1:
        return None
    suffix = "" if isinstance(op.result.type, IndexType) else f"_{op.result.type}"
    return f"c{number}{suffix}"


def _indexed(op: ViewOp) -> Said | None:
    """`x[r]` for a view of a box of `x` that drops its leading dimensions of extent 1."""
    box = op.source.owner
    if not isinstance(box, SliceOp) or not op.source.has_one_use() or box.next_op is not op:
        return None
    if op.source.name_hint is not None or box.attributes or op.attributes:
        return None
    shape, offsets = shape_of(box.source), box.mixed_offsets
    dropped = len(shape) - len(shape_of(op.result))
    whole = [1] * dropped + list(shape[dropped:])
    if dropped < 1 or list(box.static_sizes.get_values()) != whole or min(whole) < 0:
        return None
    if any(offset != 0 for offset in offsets[dropped:]) or len(shape) == dropped:
        return None
    pieces: list[Piece] = [Use(box.source), "["]
    for index, offset in enumerate(offsets[:dropped]):
        if index:
            pieces.append(", ")
        pieces.append(str(offset) if isinstance(offset, int) else Use(offset))
    return Said([*pieces, "]"], is_call=False)
