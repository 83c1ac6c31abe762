"""
The state of reading one function body: where ops go, what names stand for, where things are.

A name stands for an SSA value, a constant that has no op yet, the results of a call, an array in
memory, or for nothing (and why). Source: the DSL reference, sections 4 and 8.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from xdsl.dialects.builtin import CallSiteLoc, LocationAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_pld.dialects.pl.attributes import Direction
from xdsl_pld.tools.frontend.constants import Constants, ConstValue, Scope
from xdsl_pld.tools.frontend.names import Names
from xdsl_pld.tools.frontend.program import Function
from xdsl_pld.tools.frontend.source import Node, Problem, Report, SilentProblem

OpT = TypeVar("OpT", bound=Operation)

_NAMELESS = re.compile(r"_\d*")


@dataclass(frozen=True)
class Const:
    """A constant; its op is made where it is used. `type` is None until something gives it one."""

    value: ConstValue
    type: Attribute | None = None


@dataclass(frozen=True)
class Results:
    """The results of a call, under one name."""

    values: tuple["Value", ...]


@dataclass(frozen=True)
class Array:
    """A `pl.array`: storage, so rebinding its elements needs no new name."""

    memref: SSAValue
    element: Attribute
    size: int


Value = SSAValue | Const | Results | Array


@dataclass(frozen=True)
class Unbound:
    """A name that has no value here, and why."""

    message: str
    notes: tuple[tuple[Node, str], ...] = ()


@dataclass(frozen=True)
class Poisoned:
    """A name whose value could not be read; the reason was reported."""


Binding = Value | Unbound | Poisoned


@dataclass
class Launch:
    """What `with pl.spmd(..)` says about the one call inside it."""

    core_num: SSAValue
    sync_start: bool
    deps: Sequence[SSAValue] | None
    """The dependencies of a launch as a submit, None for a plain call."""
    used: bool = False


class ModuleReader(Protocol):
    """What a body asks of the module that it is read into."""

    report: Report
    constants: Constants
    ranks: int | None
    buffer_names: dict[str, Node]

    def expression(self, body: "Body", node: ast.expr) -> Value:
        """Reads an expression."""
        ...

    def function(self, name: str, of_program: bool) -> Function | None:
        """The function called `name`: a method of the program, or one of the module."""
        ...

    def signature(self, function: Function) -> Sequence[tuple[Attribute, Direction]]:
        """The types and directions of the parameters."""
        ...

    def results(self, function: Function) -> Sequence[Attribute]:
        """The result types of a function, which may have to be read for them."""
        ...

    def returned_parameters(self, function: Function) -> Sequence[int | None]:
        """For each result the parameter that it is, where the body says so."""
        ...

    def called(self, function: Function, by: Function, node: Node) -> None:
        """Notes a call, for reachability and recursion."""
        ...

    def expand(
        self, function: Function, arguments: Sequence[Value], body: "Body", node: ast.Call
    ) -> Value | None:
        """Reads the body of an inline function into `body`."""
        ...

    def expanded(self, copies: int, node: Node) -> None:
        """Notes that text is read `copies` times more; a Problem where that never ends."""
        ...

    def known_names(self) -> Sequence[str]:
        """The functions that may be called."""
        ...


@dataclass
class Body:
    """The reading of one function."""

    module: ModuleReader
    function: Function
    """The function whose text is read: an inline one while it is expanded."""
    root: Function
    """The function whose ops are made."""
    names: Names
    scope: Scope
    """The scope of the function itself, for constants."""
    block: Block
    env: dict[str, Binding] = field(default_factory=dict[str, Binding])
    bound_at: dict[str, Node] = field(default_factory=dict[str, Node])
    """Where each name was last bound, for messages."""
    parameters: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    caller: LocationAttr | None = None
    """The location of the call that an inline function is expanded at."""
    target: tuple[ast.expr, str] | None = None
    """The right side of a plain assignment, and the name that it is for."""
    manual_scope: bool = False
    launch: Launch | None = None
    trial_types: dict[tuple[ast.stmt, str], Attribute] = field(
        default_factory=dict[tuple[ast.stmt, str], Attribute]
    )
    """The types that literals had to take to be carried by a loop, found by reading it."""
    results: Sequence[Attribute] | None = None
    """The declared result types."""

    @property
    def report(self) -> Report:
        return self.module.report

    def read(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return self.module.expression(self, node)

    # Ops

    def location(self, node: Node) -> LocationAttr:
        location = self.report.source.location(node)
        return location if self.caller is None else CallSiteLoc(location, self.caller)

    def emit(self, op: OpT, node: Node) -> OpT:
        """Appends an op, located at `node`."""
        op.location = self.location(node)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    if not self._located(argument.location):
                        argument.location = op.location
        self.block.add_op(op)
        return op

    def _located(self, location: LocationAttr) -> bool:
        return location.name != "unknown_loc"

    def new_block(self, types: Sequence[Attribute], names: Sequence[str], node: Node) -> Block:
        """A block whose arguments have names and the location of `node`."""
        block = Block(arg_types=types)
        for argument, name in zip(block.args, names, strict=True):
            argument.location = self.location(node)
            set_hint(argument, name)
        return block

    # Names

    def bind(self, name: str, value: Binding, node: Node) -> None:
        """Binds a name; a value without one takes it."""
        if self.function.strict_ssa and name in self.bound_at and self.bound_at[name] is not node:
            raise Problem(
                node,
                f"'{name}' is bound again in a strict_ssa function",
                [(self.bound_at[name], "it was bound here")],
            )
        self.env[name] = value
        self.bound_at[name] = node
        if isinstance(value, SSAValue | Array):
            set_hint(value.memref if isinstance(value, Array) else value, name)

    def poison(self, names: Sequence[str]) -> None:
        for name in names:
            self.env[name] = Poisoned()

    def lookup(self, node: ast.Name) -> Value:
        """The value of a name, a constant of the file included."""
        binding = self.env.get(node.id)
        match binding:
            case Poisoned():
                raise SilentProblem
            case Unbound():
                raise Problem(node, binding.message, binding.notes)
            case None:
                if node.id in self.names.all.binds:
                    raise Problem(node, f"'{node.id}' is used before it is bound")
                line = self.function.node.lineno
                return Const(self.module.constants.name(node.id, node, self.scope, line))
            case _:
                return binding

    def save(self, names: Sequence[str]) -> dict[str, Binding | None]:
        """The bindings of `names`, for `restore`."""
        return {name: self.env.get(name) for name in names}

    def restore(self, saved: Mapping[str, Binding | None]) -> None:
        for name, binding in saved.items():
            if binding is None:
                self.env.pop(name, None)
            else:
                self.env[name] = binding


def set_hint(value: SSAValue, name: str) -> None:
    """
    Names a value after its first name. What MLIR cannot print stays unnamed, and so do `_` and
    `_<digits>`, by which the way back names what has no name.
    """
    if value.name_hint is not None or _NAMELESS.fullmatch(name):
        return
    if SSAValue.is_valid_name(name):
        value.name_hint = name
