"""
A file's program as a module: its functions are read in the order of the text, each once.

A function without a `->` annotation has the types of what it returns, so a call of one reads it
first. Source: the DSL reference, sections 2, 3 and 4.
"""

import ast
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from xdsl_pld.dialects.pl.attributes import (
    DIRECTION,
    FUNC_TYPE,
    LEVEL,
    ROLE,
    Direction,
    set_param_attrs,
)
from xdsl_pld.dialects.pld.signature import CTX_OF
from xdsl_pld.dialects.types import CommCtxType, DistributedTensorType
from xdsl_pld.tools.frontend import branches, loops, scopes
from xdsl_pld.tools.frontend.annotations import Annotations
from xdsl_pld.tools.frontend.body import Body, Results, Value, set_hint
from xdsl_pld.tools.frontend.branches import read_function_end
from xdsl_pld.tools.frontend.constants import Constants, Overrides, Scope
from xdsl_pld.tools.frontend.expressions import read_expression
from xdsl_pld.tools.frontend.names import Names, fold_returns
from xdsl_pld.tools.frontend.program import Collector, Function, Program
from xdsl_pld.tools.frontend.source import Node, Problem, Report, SilentProblem, Source, parse
from xdsl_pld.tools.frontend.statements import Statement, read_block
from xdsl_pld.tools.frontend.vocabulary import Vocabulary

_FRAMES = 10_000
"""Python frames that reading may take: some 20 a level of nesting or of calls."""

_MOST_COPIES = 20_000
"""Unrolled iterations and inline expansions that one program may have."""

_COMPOUND: Mapping[type, Statement] = {
    ast.If: lambda body, node: branches.read_if(body, _as_if(node), _read_nested),
    ast.For: lambda body, node: loops.read_for(body, node, _read_nested),
    ast.While: lambda body, node: loops.read_while(body, node, _read_nested),
    ast.With: lambda body, node: scopes.read_with(body, node, _read_nested),
}


def _as_if(node: ast.stmt) -> ast.If:
    assert isinstance(node, ast.If)
    return node


def _read_nested(body: Body, statements: Sequence[ast.stmt]) -> None:
    read_block(body, statements, _COMPOUND)


def read_program(
    source: Source, *, program: str | None, overrides: Overrides, ranks: int | None
) -> ModuleOp:
    """The module of a file; every failure is a ParseError."""
    tree = parse(source)
    report = Report(source)
    with _deep_recursion():
        try:
            constants = Constants(Vocabulary.of(tree), overrides)
            collector = Collector(tree, constants, report)
            collector.check_defines(_start(tree))
            chosen = collector.choose(program)
            module = _Reader(report, constants, chosen, ranks).read()
        except Problem as problem:
            report.add(problem)
            module = ModuleOp([])
        except RecursionError:
            report.add(Problem(_start(tree), "the program is nested too deeply"))
            module = ModuleOp([])
    report.finish()
    module.location = source.location(_start(tree))
    return module


def _start(tree: ast.Module) -> Node:
    if tree.body:
        return tree.body[0]
    return ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


@contextmanager
def _deep_recursion() -> Generator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@dataclass(eq=False)
class _Read:
    """What is known of one function."""

    parameters: Sequence[tuple[Attribute, Direction]] | None = None
    declared: Sequence[Attribute] | None = None
    """The results of the `->` annotation."""
    results: Sequence[Attribute] | None = None
    op: FuncOp | None = None
    open: bool = False
    head_failed: bool = False
    calls: dict[Function, Node] = field(default_factory=dict[Function, Node])


class _Reader:
    """Reads the functions of one program; see `body.ModuleReader` for what bodies ask of it."""

    def __init__(
        self,
        report: Report,
        constants: Constants,
        program: Program,
        ranks: int | None,
    ):
        self.report = report
        self.constants = constants
        self.ranks = ranks
        self.buffer_names: dict[str, Node] = {}
        self._program = program
        self._states: dict[Function, _Read] = {}
        self._templates: dict[Function, tuple[Sequence[ast.stmt], Names]] = {}
        self._expanding: list[Function] = []
        self._copies = 0

    def read(self) -> ModuleOp:
        wanted = list(self._program.functions)
        seen = set(wanted)
        for function in wanted:  # grows while it is walked
            if not function.is_inline:
                self._read(function)
            for callee in self._state(function).calls:
                if callee not in seen:
                    seen.add(callee)
                    wanted.append(callee)
        self._refuse_recursion(wanted)
        self._refuse_name_clashes(wanted)
        ops = [
            op
            for function in sorted(wanted, key=lambda each: each.node.lineno)
            if (op := self._state(function).op) is not None
        ]
        return ModuleOp(ops)

    # What bodies ask

    def expression(self, body: Body, node: ast.expr) -> Value:
        return read_expression(body, node)

    def function(self, name: str, of_program: bool) -> Function | None:
        if of_program:
            return self._program.methods.get(name)
        return self._program.module_functions.get(name)

    def expanded(self, copies: int, node: Node) -> None:
        self._copies += copies
        if self._copies > _MOST_COPIES:
            raise Problem(
                node, f"more than {_MOST_COPIES} copies of unrolled loops and inline functions"
            )

    def known_names(self) -> Sequence[str]:
        return [*self._program.methods, *self._program.module_functions]

    def signature(self, function: Function) -> Sequence[tuple[Attribute, Direction]]:
        state = self._head(function)
        if state.head_failed or state.parameters is None:
            raise SilentProblem
        return state.parameters

    def results(self, function: Function) -> Sequence[Attribute]:
        state = self._head(function)
        if state.declared is not None:
            return state.declared
        if state.open:
            raise SilentProblem  # recursion, which is reported when all is read
        if state.results is None:
            self._read(function)
        if state.results is None:
            raise SilentProblem
        return state.results

    def returned_parameters(self, function: Function) -> Sequence[int | None]:
        state = self._head(function)
        if not state.open:
            self._read(function)
        if state.op is None or state.op.is_declaration:
            return [None] * len(state.results or state.declared or ())
        block = state.op.body.block
        end = block.last_op
        assert end is not None
        return [loops.returned_parameter(value, block) for value in end.operands]

    def called(self, function: Function, by: Function, node: Node) -> None:
        self._state(by).calls.setdefault(function, node)

    def expand(
        self, function: Function, arguments: Sequence[Value], body: Body, node: ast.Call
    ) -> Value | None:
        if function in self._expanding:
            raise Problem(node, f"the inline function '{function.name}' calls itself")
        if len(arguments) != len(function.parameters):
            raise Problem(
                node,
                f"'{function.name}' takes {len(function.parameters)} arguments, not "
                f"{len(arguments)}",
            )
        self.expanded(1, node)
        template = self._templates.get(function)
        if template is None:
            statements = fold_returns(function.node.body)
            template = self._templates[function] = (statements, Names(statements))
        statements, names = template
        inner = Body(
            module=self,
            function=function,
            root=body.root,
            names=names,
            scope=Scope(function.node, function.scope, is_body=True),
            block=body.block,
            caller=body.location(node),
            manual_scope=body.manual_scope,
        )
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            inner.env[parameter.arg] = argument
            inner.bound_at[parameter.arg] = parameter
            if isinstance(argument, SSAValue):
                inner.parameters = {**inner.parameters, parameter.arg: argument}
        self._expanding.append(function)
        try:
            values = self._read_body(inner, statements)
        finally:
            self._expanding.pop()
        if values is None:
            raise SilentProblem
        if len(values) == 1:
            return values[0]
        return Results(tuple(values)) if values else None

    # One function

    def _state(self, function: Function) -> _Read:
        return self._states.setdefault(function, _Read())

    def _head(self, function: Function) -> _Read:
        """The parameters and declared results."""
        state = self._state(function)
        if state.parameters is not None or state.head_failed:
            return state
        annotations = Annotations(self.constants, function.scope, function.node.lineno, self.report)
        parameters: list[tuple[Attribute, Direction]] = []
        arguments = function.node.args
        for unsupported in (*arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if unsupported is not None:
                self._fail(
                    state,
                    Problem(unsupported, "parameters are positional: no '*', no '**' in a head"),
                )
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self._fail(state, Problem(default, "a parameter has no default value"))
        for parameter in function.parameters:
            try:
                if parameter.annotation is None:
                    raise Problem(parameter, f"parameter '{parameter.arg}' needs an annotation")
                parameters.append(annotations.parameter(parameter.annotation))
            except Problem as problem:
                self._fail(state, problem)
        if function.node.returns is not None:
            try:
                state.declared = annotations.results(function.node.returns)
            except Problem as problem:
                self._fail(state, problem)
        state.parameters = parameters
        return state

    def _fail(self, state: _Read, problem: Problem) -> None:
        state.head_failed = True
        self.report.add(problem)

    def _read(self, function: Function) -> None:
        state = self._head(function)
        if state.op is not None or state.open or state.head_failed:
            return
        assert state.parameters is not None
        if function.is_sub_worker or _is_declaration(function):
            state.results = state.declared or ()
            state.op = self._declaration(function, state)
            return
        state.open = True
        try:
            state.op = self._definition(function, state)
        finally:
            state.open = False

    def _declaration(self, function: Function, state: _Read) -> FuncOp:
        assert state.parameters is not None
        types = [type_ for type_, _ in state.parameters]
        op = FuncOp.external(function.name, types, list(state.results or ()))
        self._finish_op(function, state, op)
        return op

    def _definition(self, function: Function, state: _Read) -> FuncOp | None:
        assert state.parameters is not None
        location = self.report.source.location
        block = Block(arg_types=[type_ for type_, _ in state.parameters])
        statements = fold_returns(function.node.body)
        body = Body(
            module=self,
            function=function,
            root=function,
            names=Names(statements),
            scope=Scope(function.node, function.scope, is_body=True),
            block=block,
            results=state.declared,
        )
        for parameter, argument in zip(function.parameters, block.args, strict=True):
            argument.location = location(parameter)
            set_hint(argument, parameter.arg)
            body.env[parameter.arg] = argument
            body.bound_at[parameter.arg] = parameter
        body.parameters = {
            parameter.arg: argument
            for parameter, argument in zip(function.parameters, block.args, strict=True)
        }
        values = self._read_body(body, statements)
        if values is None:
            return None
        last = function.node.body[-1]
        body.emit(func.ReturnOp(*values), last)
        state.results = [value.type for value in values]
        type_ = FunctionType.from_lists([t for t, _ in state.parameters], state.results)
        op = FuncOp(function.name, type_, Region(block))
        self._finish_op(function, state, op)
        return op

    def _read_body(self, body: Body, statements: Sequence[ast.stmt]) -> list[SSAValue] | None:
        """Reads all statements; what the last one returns, None where it cannot be read."""
        for index, statement in enumerate(statements[:-1]):
            if isinstance(statement, ast.Return):
                behind = statements[index + 1]
                problem = Problem(
                    behind, "code after 'return' is never reached", [(statement, "the return")]
                )
                self.report.add(problem)
                statements = statements[: index + 1]
                break
        _read_nested(body, statements[:-1])
        block = body.block
        try:
            values = read_function_end(body, statements[-1], _read_nested)
            if values is not None:
                return values
        except Problem as problem:
            self.report.add(problem)
            return None
        except SilentProblem:
            return None
        finally:
            body.block = block
        _read_nested(body, statements[-1:])
        if body.results:
            self.report.add(
                Problem(
                    body.function.node,
                    f"'{body.function.name}' declares {len(body.results)} results and returns none",
                )
            )
            return None
        return []

    def _finish_op(self, function: Function, state: _Read, op: FuncOp) -> None:
        assert state.parameters is not None
        op.location = self.report.source.location(function.node)
        if function.func_type is not None:
            op.attributes[FUNC_TYPE] = StringAttr(function.func_type)
        if function.level is not None:
            op.attributes[LEVEL] = StringAttr(function.level)
        if function.role is not None:
            op.attributes[ROLE] = StringAttr(function.role)
        for name, value in function.template.items():
            if value is not False:
                attribute = StringAttr(value) if isinstance(value, str) else UnitAttr()
                op.attributes[f"pl.{name}"] = attribute
        set_param_attrs(op, _parameter_attributes(state.parameters))

    # The whole program

    def _refuse_recursion(self, functions: Sequence[Function]) -> None:
        """Reports each call that closes a circle."""
        done: set[Function] = set()
        for root in functions:
            path: dict[Function, None] = {}
            stack: list[tuple[Function, list[tuple[Function, Node]]]] = []
            if root not in done:
                path[root] = None
                stack.append((root, list(self._state(root).calls.items())))
            while stack:
                function, pending = stack[-1]
                if not pending:
                    stack.pop()
                    del path[function]
                    done.add(function)
                    continue
                callee, node = pending.pop()
                if callee in path:
                    self.report.add(
                        Problem(node, f"recursion between functions: '{callee.name}' calls itself")
                    )
                elif callee not in done:
                    path[callee] = None
                    stack.append((callee, list(self._state(callee).calls.items())))

    def _refuse_name_clashes(self, functions: Sequence[Function]) -> None:
        seen: dict[str, Function] = {}
        for function in functions:
            first = seen.setdefault(function.name, function)
            if first is not function:
                self.report.add(
                    Problem(
                        function.node,
                        f"two functions of the program are called '{function.name}'",
                        [(first.node, "the first one")],
                    )
                )


def _parameter_attributes(
    parameters: Sequence[tuple[Attribute, Direction]],
) -> Sequence[Mapping[str, Attribute]]:
    """
    Directions, and which tensor each context belongs to: contexts at the tail, one for each
    distributed tensor, are theirs in order.
    """
    attributes: list[dict[str, Attribute]] = [
        {} if direction is Direction.IN else {DIRECTION: StringAttr(direction)}
        for _, direction in parameters
    ]
    tensors = [i for i, (t, _) in enumerate(parameters) if isinstance(t, DistributedTensorType)]
    tail = range(len(parameters) - len(tensors), len(parameters))
    if all(isinstance(parameters[index][0], CommCtxType) for index in tail):
        for index, tensor in zip(tail, tensors, strict=True):
            attributes[index][CTX_OF] = IntegerAttr(tensor, IndexType())
    return attributes


def _is_declaration(function: Function) -> bool:
    """Whether the body is `...` or `pass`, and the head says what comes back."""
    if function.node.returns is None:
        return False
    return all(
        isinstance(statement, ast.Pass)
        or (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and (statement.value.value is ... or isinstance(statement.value.value, str))
        )
        for statement in function.node.body
    )
