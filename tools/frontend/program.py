"""
Which program of a file is read, and the functions it has.

A program is a `@pl.program` class, at module level or in a factory function, or the entry of a
family of `@pl.jit` functions. Source: the DSL reference, section 2.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl_pld.dialects.pl.attributes import FuncType, Level, Role
from xdsl_pld.tools.frontend.constants import Constants, Member, Scope
from xdsl_pld.tools.frontend.source import Node, Problem, Report

_JIT_TYPES: Mapping[str, FuncType | None] = {
    "pl.jit": FuncType.ORCHESTRATION,
    "pl.jit.incore": FuncType.INCORE,
    "pl.jit.host": None,
    "pl.jit.opaque": None,
}
_INLINE = ("pl.jit.inline", "pl.inline")
_FUNCTION_DECORATORS = ("pl.function", *_JIT_TYPES, *_INLINE)
_FUNC_TYPES: Mapping[str, FuncType] = {
    "Opaque": FuncType.OPAQUE,
    "Orchestration": FuncType.ORCHESTRATION,
    "InCore": FuncType.INCORE,
    "AIC": FuncType.AIC,
    "AIV": FuncType.AIV,
    "Group": FuncType.GROUP,
    "Spmd": FuncType.SPMD,
    "Graph": FuncType.GRAPH,
    "Inline": FuncType.INLINE,
}
_TEMPLATE_KEYS: Mapping[str, type] = {
    "builtin_template_dir": str,
    "builtin_template_vars": str,
    "require_contiguous_operands": bool,
}
_T = TypeVar("_T")
_ROLES: Mapping[str, Role] = {"Orchestrator": Role.ORCHESTRATOR, "SubWorker": Role.SUB_WORKER}


@dataclass(eq=False)
class Function:
    """One function of a program, as its decorator and head state it."""

    name: str
    node: ast.FunctionDef
    scope: Scope
    decorator: str
    is_method: bool
    func_type: FuncType | None = None
    level: Level | None = None
    role: Role | None = None
    strict_ssa: bool = False
    template: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    """What `attrs=` says of a kernel that comes from a template."""

    @property
    def is_inline(self) -> bool:
        """Whether the function is a template, expanded at each call."""
        return self.decorator in _INLINE

    @property
    def is_sub_worker(self) -> bool:
        """Whether the body is host Python, which is not read."""
        return self.role is Role.SUB_WORKER and self.level is Level.HOST

    @property
    def is_host(self) -> bool:
        return self.level is Level.HOST and self.role is Role.ORCHESTRATOR

    @property
    def parameters(self) -> Sequence[ast.arg]:
        """The parameters, `self` left out."""
        arguments = self.node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if self.is_method and positional and positional[0].arg == "self":
            return positional[1:]
        return positional


@dataclass
class Program:
    """The chosen program: its own functions, and what else the file has to call."""

    functions: Sequence[Function]
    """Those that are read in any case."""
    methods: Mapping[str, Function]
    module_functions: Mapping[str, Function]


@dataclass
class _Candidate:
    name: str
    node: ast.ClassDef | ast.FunctionDef
    scope: Scope
    factory: str | None = None
    functions: list[Function] = field(default_factory=list[Function])


class Collector:
    """Finds the programs of a file and chooses one."""

    def __init__(self, module: ast.Module, constants: Constants, report: Report):
        self.constants = constants
        self.report = report
        self.scope = Scope(module)
        self._classes: list[_Candidate] = []
        self._module_functions: dict[str, Function] = {}
        self._collect(module.body, self.scope, None)

    def choose(self, name: str | None) -> Program:
        """The program called `name`, or the only one; a Problem where that is not one."""
        candidates = [*self._classes, *self._entries()]
        chosen = [c for c in candidates if name is None or name in (c.name, c.factory)]
        if len(chosen) != 1:
            raise self._no_choice(name, candidates, chosen)
        candidate = chosen[0]
        self._check_binds(candidate)
        if isinstance(candidate.node, ast.FunctionDef):
            entry = self._module_functions[candidate.name]
            return Program([entry], {}, self._module_functions)
        methods = dict(self._methods(candidate.node, candidate.scope))
        return Program(list(methods.values()), methods, self._module_functions)

    def _check_binds(self, candidate: _Candidate) -> None:
        known: set[str] = set()
        scope: Scope | None = candidate.scope
        while scope is not None:
            known.update(scope.parameters())
            scope = scope.parent
        known |= _dynamic_names(self.scope.node, self.constants)
        for name in self.constants.overrides.bind:
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise Problem(
                    candidate.node,
                    f"--bind {name}: this program has no parameter and no dynamic extent of that "
                    f"name; known: {listed}",
                )

    def check_defines(self, node: Node) -> None:
        """Refuses a `-D` for a name that the file does not have."""
        known = set(self.scope.bindings) | set(self.constants.vocabulary.foreign)
        known |= _dynamic_names(self.scope.node, self.constants)
        for name in self.constants.overrides.define:
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise Problem(
                    node, f"-D {name}: the module has no name of that kind; known: {listed}"
                )

    def _no_choice(
        self, name: str | None, candidates: Sequence[_Candidate], chosen: Sequence[_Candidate]
    ) -> Problem:
        where = candidates[0].node if candidates else _first(self.scope.node)
        if not candidates:
            return Problem(
                where, "no program in this file: no @pl.program class and no @pl.jit entry"
            )
        notes = [(c.node, f"'{_shown(c)}'") for c in chosen or candidates]
        if not chosen:
            return Problem(where, f"no program is called '{name}'; the file has:", notes)
        if name is None:
            text = "several programs in this file: choose one with --program NAME"
        else:
            text = f"'{name}' holds several programs: choose one by its class's name"
        return Problem(chosen[0].node, text, notes)

    def _entries(self) -> Iterator[_Candidate]:
        """The jit functions where a program may start: the hosts or, without one, `@pl.jit`."""
        for decorator in ("pl.jit.host", "pl.jit"):
            entries = [f for f in self._module_functions.values() if f.decorator == decorator]
            if entries:
                for entry in entries:
                    yield _Candidate(entry.name, entry.node, self.scope)
                return

    def _collect(self, body: Sequence[ast.stmt], scope: Scope, factory: str | None) -> None:
        for statement in body:
            match statement:
                case ast.ClassDef():
                    if self._decorator(statement, ("pl.program",)) is not None:
                        self._classes.append(_Candidate(statement.name, statement, scope, factory))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._collect_function(statement, scope, factory)
                case ast.If() | ast.For() | ast.While() | ast.Try() | ast.With():
                    self._refuse_nested(statement)
                case _:
                    pass

    def _collect_function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        scope: Scope,
        factory: str | None,
    ) -> None:
        decorator = self._decorator(node, _FUNCTION_DECORATORS)
        if decorator is None:
            self._collect(node.body, Scope(node, scope), node.name)
        elif isinstance(node, ast.AsyncFunctionDef):
            self.report.add(Problem(node, "an async function has no place in a program"))
        elif isinstance(scope.node, ast.Module):
            self._guard(lambda: self._add_module_function(node, scope, decorator))
        elif factory is not None:
            self.report.add(
                Problem(node, "a nested function has no place in the DSL: write it at module level")
            )

    def _add_module_function(self, node: ast.FunctionDef, scope: Scope, decorator: str) -> None:
        if node.name in self._module_functions:
            raise Problem(
                node,
                f"two functions are called '{node.name}'",
                [(self._module_functions[node.name].node, "the first one")],
            )
        self._module_functions[node.name] = self._function(node, scope, decorator, False)

    def _methods(self, node: ast.ClassDef, scope: Scope) -> Iterator[tuple[str, Function]]:
        seen: dict[str, ast.FunctionDef] = {}
        keywords = self._keywords(node, ("pl.program",))
        strict = self._program_keywords(keywords)
        for statement in node.body:
            if isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.With):
                self._refuse_nested(statement)
            if isinstance(statement, ast.AsyncFunctionDef):
                self.report.add(Problem(statement, "an async function has no place in a program"))
            if not isinstance(statement, ast.FunctionDef):
                continue
            decorator = self._decorator(statement, _FUNCTION_DECORATORS)
            if decorator is None:
                continue
            if statement.name in seen:
                first = (seen[statement.name], "the first one")
                text = f"two functions are called '{statement.name}'"
                self.report.add(Problem(statement, text, [first]))
                continue
            seen[statement.name] = statement
            try:
                function = self._function(statement, scope, decorator, True)
            except Problem as problem:
                self.report.add(problem)
                continue
            function.strict_ssa |= strict
            yield function.name, function

    def _guard(self, read: Callable[[], None]) -> None:
        try:
            read()
        except Problem as problem:
            self.report.add(problem)

    def _refuse_nested(self, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and self._decorator(
                node, ("pl.program", *_FUNCTION_DECORATORS)
            ):
                self.report.add(
                    Problem(
                        node,
                        "a program or function under `if`, `try`, `with` or a loop is "
                        "not read: its existence would depend on execution",
                    )
                )

    # Decorators

    def _decorator(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, known: Sequence[str]
    ) -> str | None:
        for decorator in node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            path = self.constants.vocabulary.path(callee)
            if path in known:
                return path
        return None

    def _keywords(
        self, node: ast.ClassDef | ast.FunctionDef, known: Sequence[str]
    ) -> Sequence[ast.keyword]:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call):
                if self.constants.vocabulary.path(decorator.func) in known:
                    if decorator.args:
                        raise Problem(decorator.args[0], "a decorator takes keywords only")
                    return decorator.keywords
        return ()

    def _program_keywords(self, keywords: Sequence[ast.keyword]) -> bool:
        strict = False
        for keyword in keywords:
            if keyword.arg != "strict_ssa":
                raise Problem(keyword, f"unknown keyword '{keyword.arg}' of @pl.program")
            strict = bool(self.constants.evaluate(keyword.value, self.scope, keyword.lineno))
        return strict

    def _function(
        self, node: ast.FunctionDef, scope: Scope, decorator: str, is_method: bool
    ) -> Function:
        if not node.name.isascii():
            raise Problem(node, f"'{node.name}' is no symbol of MLIR: use ASCII letters")
        function = Function(node.name, node, scope, decorator, is_method)
        function.func_type = _JIT_TYPES.get(decorator)
        if decorator == "pl.jit.host":
            function.level, function.role = Level.HOST, Role.ORCHESTRATOR
        for keyword in self._keywords(node, _FUNCTION_DECORATORS):
            self._apply(function, keyword)
        return function

    def _apply(self, function: Function, keyword: ast.keyword) -> None:
        match keyword.arg:
            case "attrs":
                function.template = self._template(keyword.value, function)
                return
            case "external_source":
                raise Problem(keyword, "external_source is not supported: its code is not read")
            case _:
                pass
        value = self.constants.evaluate(keyword.value, function.scope, function.node.lineno)
        match keyword.arg:
            case "type":
                kind = _choice(_FUNC_TYPES, value, "pl.FunctionType", keyword.value)
                function.func_type = None if kind is FuncType.OPAQUE else kind
            case "level":
                levels = {level.name: level for level in Level}
                function.level = _choice(levels, value, "pl.Level", keyword.value)
            case "role":
                function.role = _choice(_ROLES, value, "pl.Role", keyword.value)
            case "strict_ssa":
                function.strict_ssa = bool(value)
            case "auto_scope":
                if not value:
                    raise Problem(
                        keyword, "auto_scope=False is not supported: write pl.manual_scope()"
                    )
            case _:
                raise Problem(keyword, f"unknown keyword '{keyword.arg}' of @{function.decorator}")

    def _template(self, node: ast.expr, function: Function) -> Mapping[str, str | bool]:
        """`attrs={...}`: what a lowered program says of a builtin kernel, and nothing else."""
        if not isinstance(node, ast.Dict):
            raise Problem(node, "attrs of a function must be a dictionary, written out")
        found: dict[str, str | bool] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            kind = _TEMPLATE_KEYS.get(name) if isinstance(name, str) else None
            if kind is None or not isinstance(name, str):
                raise Problem(key or value, f"the function attribute {name!r} is not supported")
            constant = self.constants.evaluate(value, function.scope, function.node.lineno)
            if not isinstance(constant, str | bool) or type(constant) is not kind:
                raise Problem(value, f"'{name}' takes a {kind.__name__}")
            found[name] = constant
        return found


def _choice(table: Mapping[str, _T], value: object, enum: str, node: Node) -> _T:
    if isinstance(value, Member) and value.path.startswith(f"{enum}.") and value.last in table:
        return table[value.last]
    raise Problem(node, f"expected one of {enum}.{{{', '.join(table)}}}")


def _shown(candidate: _Candidate) -> str:
    if candidate.factory is None:
        return candidate.name
    return f"{candidate.name}' in '{candidate.factory}"


def _first(module: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> Node:
    if module.body:
        return module.body[0]
    return ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


def _dynamic_names(
    module: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, constants: Constants
) -> set[str]:
    """The names of all `pl.dynamic` extents, the Python name and the one written."""
    names: set[str] = set()
    for node in ast.walk(module):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        if constants.vocabulary.path(node.value.func) != "pl.dynamic":
            continue
        names.update(t.id for t in node.targets if isinstance(t, ast.Name))
        names.update(
            a.value
            for a in node.value.args
            if isinstance(a, ast.Constant) and isinstance(a.value, str)
        )
    return names
