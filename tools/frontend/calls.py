"""
Calls of functions: launches, dispatches, submits, inline expansions.

Source: the DSL reference, section 5, Calls.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xdsl_pld.dialects.pl.attributes import AFTER, TASK, Direction, FuncType
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp, TaskDummyOp
from xdsl_pld.dialects.types import CommCtxType, TaskIdType, is_tensor_like, with_tensor
from xdsl_pld.tools.frontend.attrs import Attrs, read_attrs
from xdsl_pld.tools.frontend.body import Body, Const, Launch, Results, Value
from xdsl_pld.tools.frontend.ops_tensor import tensor_type
from xdsl_pld.tools.frontend.program import Function
from xdsl_pld.tools.frontend.scalars import as_scalar, is_scalar
from xdsl_pld.tools.frontend.source import Problem

_HINTS = ("dumps", "name_hint", "allow_early_resolve")
"""Keywords for debugging and scheduling, dropped with a warning."""
_ATTRS = ("arg_directions", "task", "after", "results")
_INDEX = IndexType()


@dataclass
class _Clauses:
    """The keywords of a call."""

    device: ast.expr | None = None
    core_num: ast.expr | None = None
    sync_start: bool = False
    deps: ast.expr | None = None
    attrs: Attrs = field(default_factory=Attrs)
    no_dep: list[int] = field(default_factory=list[int])

    @property
    def attributes(self) -> Mapping[str, Attribute]:
        """The attributes by which a task is numbered and ordered."""
        found: dict[str, Attribute] = {}
        if self.attrs.task is not None:
            found[TASK] = IntegerAttr(self.attrs.task, _INDEX)
        if self.attrs.after is not None:
            found[AFTER] = DenseArrayBase.from_list(i64, self.attrs.after)
        return found


def callee_of(body: Body, node: ast.expr) -> Function | None:
    """The function that `self.k` or `k` names, None where it names none of the program's."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return body.module.function(name, of_program=True)
        case ast.Name(id=name) if name not in body.env:
            return body.module.function(name, of_program=False)
        case _:
            return None


def read_call(body: Body, node: ast.Call) -> Value | None:
    """A call of a function of the program."""
    callee = _required(body, node.func)
    _positional(node.args)
    clauses = _clauses(body, node, ("device", "attrs"))
    if callee.is_inline:
        if node.keywords:
            raise Problem(node.keywords[0], "a call of an inline function takes no keywords")
        arguments = [body.read(argument) for argument in node.args]
        return body.module.expand(callee, arguments, body, node)
    launch = body.launch
    if launch is not None:
        if launch.used:
            raise Problem(node, "pl.spmd holds one kernel call")
        launch.used = True
    if launch is not None and launch.deps is not None:
        return _submit(body, node, callee, node.args, clauses, launch)
    parameters = body.module.signature(callee)
    if len(node.args) != len(parameters):
        raise Problem(
            node, f"'{callee.name}' takes {len(parameters)} arguments, not {len(node.args)}"
        )
    arguments = _arguments(body, callee, node.args, range(len(parameters)), clauses)
    device = None
    if clauses.device is not None:
        device = _device(body, callee, clauses.device)
    body.module.called(callee, body.root, node)
    op = CallOp(
        callee.name,
        arguments,
        _result_types(body, callee, arguments, range(len(arguments)), clauses),
        device=device,
        core_num=launch.core_num if launch else None,
        sync_start=launch.sync_start if launch else False,
        arg_directions=clauses.attrs.arg_directions,
        no_dep=clauses.no_dep or None,
        attributes=clauses.attributes,
    )
    return _value(body.emit(op, node).results)


def read_submit(body: Body, path: str, node: ast.Call) -> Value:
    """`pl.submit(f, ...)` or `pl.spmd_submit(f, ..., core_num=n)`."""
    if not node.args:
        raise Problem(node, f"{path} needs the kernel to submit")
    callee = _required(body, node.args[0])
    allowed = ("deps", "attrs")
    if path == "pl.spmd_submit":
        allowed = (*allowed, "core_num", "sync_start")
    clauses = _clauses(body, node, allowed)
    launch = None
    if path == "pl.spmd_submit":
        if clauses.core_num is None:
            raise Problem(node, "pl.spmd_submit needs core_num")
        core_num = as_scalar(
            body, body.read(clauses.core_num), _INDEX, "core_num", clauses.core_num
        )
        launch = Launch(core_num, clauses.sync_start, None)
    return _submit(body, node, callee, node.args[1:], clauses, launch)


def read_task_dummy(body: Body, node: ast.Call) -> Value:
    """`pl.system.task_dummy(deps=[..])`."""
    if node.args:
        raise Problem(node.args[0], "pl.system.task_dummy takes deps=[...] only")
    clauses = _clauses(body, node, ("deps",))
    deps = [] if clauses.deps is None else read_deps(body, clauses.deps)
    return body.emit(TaskDummyOp(deps), node).task_id


def read_deps(body: Body, node: ast.expr) -> list[SSAValue]:
    """The task ids of `deps=[t, None]`; `None` entries are dropped."""
    if not isinstance(node, ast.List | ast.Tuple):
        raise Problem(node, "deps must be a list of task ids, written out")
    deps: list[SSAValue] = []
    for element in node.elts:
        value = body.read(element)
        if isinstance(value, Const) and value.value is None:
            continue
        if not isinstance(value, SSAValue) or not isinstance(value.type, TaskIdType):
            raise Problem(element, "a dependency must be a task id, or None")
        deps.append(value)
    return deps


def _required(body: Body, node: ast.expr) -> Function:
    callee = callee_of(body, node)
    if callee is not None:
        return callee
    name = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else "this expression"
    foreign = body.module.constants.vocabulary.foreign
    if isinstance(node, ast.Name) and node.id in foreign:
        raise Problem(node, f"call of '{name}': kernels imported from other files are not read")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "self":
            from difflib import get_close_matches

            nearest = get_close_matches(node.attr, body.module.known_names(), n=1)
            hint = f", did you mean '{nearest[0]}'?" if nearest else ""
            raise Problem(node, f"the program has no function '{node.attr}'{hint}")
    raise Problem(node, f"call of '{name}': not a DSL op; the file is parsed, not executed")


def _positional(nodes: Sequence[ast.expr]) -> None:
    for node in nodes:
        if isinstance(node, ast.Starred):
            raise Problem(node, "'*' in a call is not supported: list the arguments")


def _clauses(body: Body, node: ast.Call, allowed: Sequence[str]) -> _Clauses:
    clauses = _Clauses()
    for keyword in node.keywords:
        name, value = keyword.arg, keyword.value
        if name in _HINTS:
            body.report.warn(keyword, f"'{name}' is dropped: it is a hint only")
        elif name is None:
            raise Problem(keyword, "'**' in a call is not supported: list the arguments")
        elif name == "predicate":
            raise Problem(keyword, "predicate= is not supported: write an `if`")
        elif name not in allowed:
            listed = ", ".join(allowed)
            raise Problem(
                keyword,
                f"a call here takes no keyword '{name}' (arguments are positional); "
                f"its keywords: {listed}",
            )
        elif name == "attrs":
            clauses.attrs = read_attrs(body, value, _ATTRS)
        elif name == "sync_start":
            clauses.sync_start = read_flag(body, value, "sync_start")
        elif name == "device":
            clauses.device = value
        elif name == "core_num":
            clauses.core_num = value
        else:
            clauses.deps = value
    return clauses


def read_flag(body: Body, node: ast.expr, what: str) -> bool:
    value = body.read(node)
    if isinstance(value, Const) and isinstance(value.value, bool):
        return value.value
    raise Problem(node, f"{what} must be True or False")


def _arguments(
    body: Body,
    callee: Function,
    nodes: Sequence[ast.expr],
    positions: Sequence[int],
    clauses: _Clauses,
) -> list[SSAValue]:
    """The arguments in the types of their parameters; `pl.no_dep(x)` is noted in `clauses`."""
    signature = body.module.signature(callee)
    arguments: list[SSAValue] = []
    for index, (node, position) in enumerate(zip(nodes, positions, strict=True)):
        if isinstance(node, ast.Call):
            if body.module.constants.vocabulary.path(node.func) == "pl.no_dep":
                if len(node.args) != 1 or node.keywords:
                    raise Problem(node, "pl.no_dep takes one argument")
                node = node.args[0]
                clauses.no_dep.append(index)
        argument = _argument(body, node, signature[position][0], callee.parameters[position].arg)
        if body.manual_scope and is_tensor_like(argument.type) and index not in clauses.no_dep:
            clauses.no_dep.append(index)
        arguments.append(argument)
    return arguments


def _argument(body: Body, node: ast.expr, type_: Attribute, name: str) -> SSAValue:
    value = body.read(node)
    if is_scalar(type_):
        return as_scalar(body, value, type_, f"the argument of '{name}'", node)
    if isinstance(value, SSAValue):
        return value
    raise Problem(node, f"the argument of '{name}' must be {type_}, not a constant or a tuple")


def _device(body: Body, callee: Function, node: ast.expr) -> SSAValue:
    if not body.root.is_host:
        raise Problem(
            node, "device= is for dispatches in a host body (level HOST, role Orchestrator)"
        )
    if callee.func_type not in (FuncType.ORCHESTRATION, FuncType.GRAPH):
        raise Problem(node, f"device= dispatches an orchestration; '{callee.name}' is none")
    return as_scalar(body, body.read(node), _INDEX, "device", node)


def _submit(
    body: Body,
    node: ast.Call,
    callee: Function,
    nodes: Sequence[ast.expr],
    clauses: _Clauses,
    launch: Launch | None,
) -> Value:
    if callee.is_inline:
        raise Problem(node, f"'{callee.name}' is inline: it cannot be submitted")
    _positional(nodes)
    positions = _submitted_positions(body, node, callee, len(nodes))
    arguments = _arguments(body, callee, nodes, positions, clauses)
    deps: Sequence[SSAValue] = ()
    if clauses.deps is not None:
        deps = read_deps(body, clauses.deps)
    elif launch is not None and launch.deps is not None:
        deps = launch.deps
    body.module.called(callee, body.root, node)
    op = SubmitOp(
        callee.name,
        arguments,
        _result_types(body, callee, arguments, positions, clauses),
        deps=deps,
        core_num=launch.core_num if launch else None,
        sync_start=launch.sync_start if launch else False,
        arg_directions=clauses.attrs.arg_directions,
        no_dep=clauses.no_dep or None,
        attributes=clauses.attributes,
    )
    value = _value(body.emit(op, node).results)
    assert value is not None
    return value


def _result_types(
    body: Body,
    callee: Function,
    arguments: Sequence[SSAValue],
    positions: Sequence[int],
    clauses: _Clauses,
) -> Sequence[Attribute]:
    """The types of a call's results: those that it states, or what follows from its arguments."""
    if clauses.attrs.results is not None:
        return clauses.attrs.results
    passed = {p: argument.type for p, argument in zip(positions, arguments, strict=True)}
    return inferred_results(
        body.module.results(callee), lambda: body.module.returned_parameters(callee), passed
    )


def inferred_results(
    types: Sequence[Attribute],
    returned_parameters: Callable[[], Sequence[int | None]],
    passed: Mapping[int, Attribute],
) -> Sequence[Attribute]:
    """
    The callee's result `types`, with the extents of the argument where a result of dynamic extents
    is one of the parameters; `passed` has the arguments' types by parameter.
    """
    found = list(types)
    dynamic = [
        is_tensor_like(type_) and DYNAMIC_INDEX in tensor_type(type_).get_shape() for type_ in types
    ]
    if not any(dynamic):
        return found
    for index, parameter in enumerate(returned_parameters()):
        argument = None if parameter is None else passed.get(parameter)
        if argument is None or not dynamic[index] or not is_tensor_like(argument):
            continue
        inner, given = tensor_type(found[index]), tensor_type(argument)
        if len(inner.get_shape()) == len(given.get_shape()):
            shaped = TensorType(inner.element_type, given.get_shape(), inner.encoding)
            found[index] = with_tensor(found[index], shaped)
    return found


def _submitted_positions(body: Body, node: ast.Call, callee: Function, count: int) -> Sequence[int]:
    """The parameter of each argument: trailing plain `out` parameters may be left out."""
    signature = body.module.signature(callee)
    omitted = len(signature) - count
    if omitted <= 0:
        if omitted < 0:
            raise Problem(node, f"'{callee.name}' takes {len(signature)} arguments, not {count}")
        return range(count)
    contexts = 0
    for type_, _ in reversed(signature):
        if not isinstance(type_, CommCtxType):
            break
        contexts += 1
    front = max(count - contexts, 0)
    for index in range(front, front + omitted):
        type_, direction = signature[index]
        if direction is not Direction.OUT or not isinstance(type_, TensorType):
            name = callee.parameters[index].arg
            raise Problem(
                node,
                f"'{callee.name}' takes {len(signature)} arguments, not {count}: '{name}' must be "
                "passed, only trailing plain pl.Out parameters may be left out",
            )
    return [i if i < front else i + omitted for i in range(count)]


def _value(results: Sequence[SSAValue]) -> Value | None:
    if len(results) == 1:
        return results[0]
    return Results(tuple(results)) if results else None


def no_result(node: ast.expr) -> Problem:
    """A call without a result in a place that needs a value."""
    return Problem(node, "this call has no result")
