"""
Loops: what a body binds again is carried from one iteration to the next.

Source: the DSL reference, section 4, points 2, 3, 5, 6 and 7; section 5.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, StringAttr, i1
from xdsl.ir import Attribute, Block, BlockArgument, OpResult, Region, SSAValue

from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl.attributes import LOOP_KIND
from xdsl_pld.dialects.traits import alias_of
from xdsl_pld.tools.frontend.body import (
    Array,
    Body,
    Const,
    Poisoned,
    Results,
    Unbound,
    Value,
    set_hint,
)
from xdsl_pld.tools.frontend.branches import ReadBlock, yield_call
from xdsl_pld.tools.frontend.scalars import (
    as_scalar,
    as_ssa,
    condition,
    constant,
    default_type,
    is_scalar,
)
from xdsl_pld.tools.frontend.source import Node, Problem, SilentProblem, assigned

_INDEX = IndexType()
_MOST_UNROLLED = 4096
_MOST_TRIALS = 64


class _OtherTypes(Exception):
    """The body yields literals' names in types that were not foreseen: read it again."""


@dataclass
class _Carry:
    """One value that goes around a loop."""

    name: str
    """The name inside the body."""
    initial: Value
    place: Node
    explicit: bool = False


@dataclass
class _Carries:
    """The values that go around a loop, and how it ends."""

    body: Body
    loop: ast.For | ast.While
    carries: list[_Carry]
    yielded: tuple[Sequence[str], ast.Call] | None = None

    def initial_values(self) -> list[SSAValue]:
        values: list[SSAValue] = []
        for carry in self.carries:
            wanted = self.body.trial_types.get((self.loop, carry.name))
            if isinstance(carry.initial, Const) and carry.initial.type is not None:
                wanted = None
            values.append(as_ssa(self.body, carry.initial, carry.place, wanted))
        return values

    def bind(self, arguments: Sequence[SSAValue]) -> None:
        for carry, argument in zip(self.carries, arguments, strict=True):
            self.body.env[carry.name] = argument

    def final_values(self, types: Sequence[Attribute]) -> list[SSAValue] | None:
        """What the end of the body passes on; None where a name is poisoned."""
        body = self.body
        explicit: list[Value] = []
        if self.yielded is not None:
            explicit = [body.read(argument) for argument in self.yielded[1].args]
        values: list[SSAValue] = []
        poisoned = False
        for index, (carry, type_) in enumerate(zip(self.carries, types, strict=True)):
            place: Node = body.bound_at.get(carry.name, self.loop)
            if carry.explicit and self.yielded is not None:
                value, place = explicit[index], self.yielded[1].args[index]
            else:
                value = body.env.get(carry.name)
            if value is None or isinstance(value, Poisoned):
                poisoned = True
            elif isinstance(value, Unbound):
                raise Problem(place, value.message, value.notes)
            else:
                values.append(self._final(carry, value, type_, place))
        return None if poisoned else values

    def _final(self, carry: _Carry, value: Value, type_: Attribute, place: Node) -> SSAValue:
        if isinstance(value, Results | Array):
            raise Problem(place, f"'{carry.name}' cannot be carried by a loop: it is no value")
        at = assigned(place)
        if isinstance(value, Const) and value.type is None and is_scalar(type_):
            if isinstance(value.value, float) and type_ == _INDEX:
                self._try_type(carry, default_type(value.value))
            return as_scalar(self.body, value, type_, f"'{carry.name}'", at)
        ssa = as_ssa(self.body, value, at)
        if ssa.type != type_:
            self._try_type(carry, ssa.type)
            raise Problem(
                place,
                f"'{carry.name}' enters the loop as {type_} and goes on as {ssa.type}",
                [(self.loop, "the loop")],
            )
        return ssa

    def _try_type(self, carry: _Carry, type_: Attribute | None) -> None:
        """Asks for another reading, in which the literal that enters has the type `type_`."""
        key = (self.loop, carry.name)
        literal = isinstance(carry.initial, Const) and carry.initial.type is None
        if literal and type_ is not None and is_scalar(type_) and type_ != i1:
            if self.body.trial_types.get(key) in (None, _INDEX):
                self.body.trial_types[key] = type_
                raise _OtherTypes

    def bind_results(self, results: Sequence[SSAValue] | None) -> None:
        """The names after the loop; poisoned ones without results."""
        body = self.body
        names = [carry.name for carry in self.carries]
        if self.yielded is not None:
            names[: len(self.yielded[0])] = self.yielded[0]
        for index, name in enumerate(names):
            body.env[name] = Poisoned() if results is None else results[index]
            body.bound_at[name] = self.loop
            if results is not None:
                set_hint(results[index], name)


@dataclass
class _Head:
    """The head of a `for`: `for <variable>, (<carries>) in <path>(<arguments>)`."""

    path: str
    call: ast.Call
    variable: ast.Name | None
    names: Sequence[ast.expr]
    """The names of explicit carries."""
    keywords: Mapping[str, ast.expr]


# Heads


def read_for(body: Body, node: ast.stmt, read_block: ReadBlock) -> None:
    """A `for`, of any of the DSL's iterators."""
    assert isinstance(node, ast.For)
    if node.orelse:
        raise Problem(node.orelse[0], "'else' of a loop is not supported")
    head = _head(body, node)
    if head.path == "pl.unroll":
        _unroll(body, node, head, read_block)
    elif head.path == "pl.while_":
        _read_while_(body, node, head, read_block)
    else:
        _read_range(body, node, head, read_block)


_KEYWORDS: Mapping[str, Sequence[str]] = {
    "pl.range": ("init_values",),
    "pl.parallel": ("init_values",),
    "pl.unroll": (),
    "pl.pipeline": ("init_values", "stage"),
    "pl.while_": ("init_values",),
}


def _head(body: Body, node: ast.For) -> _Head:
    path = None
    if isinstance(node.iter, ast.Call):
        path = body.module.constants.vocabulary.path(node.iter.func)
    if path in ("pl.spmd", "pl.split_aiv"):
        from xdsl_pld.tools.frontend.ops import refusal

        raise refusal(path, node.iter)
    if path is None or path not in _KEYWORDS:
        raise Problem(
            node.iter, "a `for` runs over pl.range(...), pl.parallel, pl.unroll or pl.pipeline"
        )
    call = node.iter
    assert isinstance(call, ast.Call)
    keywords: dict[str, ast.expr] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg not in _KEYWORDS[path]:
            hint = ": names that the body binds again are carried by themselves" * (
                keyword.arg == "init_values"
            )
            raise Problem(keyword, f"{path} takes no keyword '{keyword.arg}'{hint}")
        keywords[keyword.arg] = keyword.value
    if "stage" in keywords:
        body.report.warn(keywords["stage"], "'stage' of pl.pipeline is dropped")
    variable, names = _targets(node, path, "init_values" in keywords)
    if "init_values" not in keywords and names is not None:
        raise Problem(node.target, f"{path} has no init_values to bind to these names")
    return _Head(path, call, variable, names or (), keywords)


def _targets(
    node: ast.For, path: str, carries: bool
) -> tuple[ast.Name | None, Sequence[ast.expr] | None]:
    """The loop variable and the names of explicit carries."""
    target = node.target
    if path == "pl.while_":
        if isinstance(target, ast.Tuple) and carries:
            return None, target.elts
        raise Problem(target, "write for (x, ...) in pl.while_(init_values=(x0, ...))")
    if isinstance(target, ast.Name):
        if carries:
            raise Problem(target, "with init_values write: for i, (x, ...) in ...")
        return target, None
    if isinstance(target, ast.Tuple) and len(target.elts) == 2:
        variable, names = target.elts
        if isinstance(variable, ast.Name) and isinstance(names, ast.Tuple | ast.List):
            return variable, names.elts
    raise Problem(target, "the target of a loop is a name, or i, (x, ...) with init_values")


def _explicit(body: Body, head: _Head) -> list[_Carry]:
    """The carries that the author names; their values are read after the bounds."""
    values, names = head.keywords.get("init_values"), head.names
    if values is None:
        return []
    if not isinstance(values, ast.Tuple | ast.List):
        raise Problem(values, "init_values must be a tuple, written out")
    if len(values.elts) != len(names):
        raise Problem(values, f"{len(values.elts)} init_values for {len(names)} carried names")
    carries: list[_Carry] = []
    for name, value in zip(names, values.elts, strict=True):
        if not isinstance(name, ast.Name):
            raise Problem(name, "a carried value has a plain name")
        carries.append(_Carry(name.id, body.read(value), value, explicit=True))
    return carries


def _implicit(
    body: Body,
    node: ast.For | ast.While,
    bound: Sequence[str],
    exposed: set[str],
    skip: set[str],
) -> list[_Carry]:
    """The names that the body binds again and that somebody reads afterwards."""
    live = body.names.live_after(node)
    carries: list[_Carry] = []
    for name in bound:
        value = body.env.get(name)
        if name in skip or (name not in exposed and name not in live):
            continue
        if value is None or isinstance(value, Unbound | Poisoned | Array):
            continue
        if isinstance(value, Results) or (
            isinstance(value, Const) and default_type(value.value) is None
        ):
            raise Problem(node, f"'{name}' cannot be carried by the loop: it is no value")
        carries.append(_Carry(name, value, body.bound_at.get(name, node)))
    return carries


def _in_trials(body: Body, read: Callable[[], None]) -> None:
    """Reads a loop, again with other types for literals where the first guess was wrong."""
    for _ in range(_MOST_TRIALS):
        mark, last, block = body.report.mark(), body.block.last_op, body.block
        saved, places = dict(body.env), dict(body.bound_at)
        try:
            read()
            return
        except _OtherTypes:
            body.report.forget(mark)
            body.block = block
            body.env, body.bound_at = saved, places
            while (op := block.last_op) is not None and op is not last:
                block.erase_op(op, safe_erase=False)
    raise AssertionError("literals change their types without end")


# Counted loops


def _read_range(body: Body, node: ast.For, head: _Head, read_block: ReadBlock) -> None:
    bounds = _bounds(body, head)
    explicit = _explicit(body, head)

    def read() -> None:
        _read_range_once(body, node, head, bounds, explicit, read_block)

    carries = (*explicit, *_guess(body, node, head))
    if any(isinstance(carry.initial, Const) for carry in carries):
        _in_trials(body, read)
    else:
        read()


def _guess(body: Body, node: ast.For, head: _Head) -> Sequence[_Carry]:
    inner = body.names.block(node.body)
    return _implicit(body, node, list(inner.binds), inner.exposes, _own_names(body, node, head))


def _own_names(body: Body, node: ast.For, head: _Head) -> set[str]:
    """The names that the loop itself binds: its variable, its carries, what it yields to."""
    own = {name.id for name in head.names if isinstance(name, ast.Name)}
    if head.variable is not None:
        own.add(head.variable.id)
    found = yield_call(body, node.body[-1])
    if found is not None:
        own.update(found[0])
    return own


def _bounds(body: Body, head: _Head) -> tuple[SSAValue, SSAValue, SSAValue]:
    arguments = head.call.args
    if not 1 <= len(arguments) <= 3:
        raise Problem(head.call, f"{head.path} takes 1 to 3 bounds, not {len(arguments)}")
    if any(isinstance(argument, ast.Starred) for argument in arguments):
        raise Problem(head.call, "'*' in a call is not supported: list the arguments")
    start, stop = (None, arguments[0]) if len(arguments) == 1 else arguments[:2]
    step: ast.expr | None = arguments[2] if len(arguments) == 3 else None
    lower, upper = _bound(body, start, 0, head.call), _bound(body, stop, 0, head.call)
    by = _bound(body, step, 1, head.call)
    number = constant_int(by)
    if number is None or number < 1:
        raise Problem(step or head.call, "the step of a loop must be a positive constant")
    return lower, upper, by


def _bound(body: Body, node: ast.expr | None, default: int, call: ast.Call) -> SSAValue:
    if node is None:
        return constant(body, default, _INDEX, call)
    return as_scalar(body, body.read(node), _INDEX, "a bound of the loop", node)


def _read_range_once(
    body: Body,
    node: ast.For,
    head: _Head,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    explicit: list[_Carry],
    read_block: ReadBlock,
) -> None:
    assert head.variable is not None
    inner = body.names.block(node.body)
    own = _own_names(body, node, head)
    carries = _Carries(body, node, [*explicit, *_guess(body, node, head)])
    carries.yielded = _yield_of(body, node, head)
    initial = carries.initial_values()
    names = [carry.name for carry in carries.carries]
    outer = body.block
    bound = [*own, *inner.binds]
    before = body.save(bound)
    types = [value.type for value in initial]
    block = body.new_block([_INDEX, *types], [head.variable.id, *names], node)
    block.args[0].location = body.location(head.variable)
    body.block = block
    body.env[head.variable.id] = block.args[0]
    carries.bind(block.args[1:])
    statements = node.body if carries.yielded is None else node.body[:-1]
    read_block(body, statements)
    final = carries.final_values(types)
    promoted = [] if final is None else _promote(body, node, bound, before, own, block)
    after = body.save(bound)
    body.block = outer
    body.restore(before)
    _unbind(body, node, bound, before, after, own)
    if final is None:
        carries.bind_results(None)
        return
    for name, destination in promoted:
        carries.carries.append(_Carry(name, destination, node))
        initial.append(destination)
        argument = block.insert_arg(destination.type, len(block.args))
        argument.location = body.location(node)
        set_hint(argument, name)
        _replace_inside(destination, argument, block)
        value = after[name]
        assert isinstance(value, SSAValue)
        final.append(argument if value is destination else value)
    body.block = block
    body.emit(scf.YieldOp(*final), node)
    body.block = outer
    loop = scf.ForOp(*bounds, initial, Region(block))
    if head.path == "pl.parallel":
        loop.attributes[LOOP_KIND] = StringAttr("parallel")
    body.emit(loop, node)
    carries.bind_results(loop.results)


def _yield_of(body: Body, node: ast.For, head: _Head) -> tuple[Sequence[str], ast.Call] | None:
    """The `pl.yield_` that ends the body of a loop with init_values."""
    found = yield_call(body, node.body[-1])
    if found is None:
        return None
    if "init_values" not in head.keywords:
        raise Problem(found[1], "pl.yield_ needs a loop with init_values")
    if len(found[0]) != len(head.names):
        raise Problem(
            found[1], f"{len(found[0])} values are yielded, init_values has {len(head.names)}"
        )
    return found


def _unbind(
    body: Body,
    node: ast.For | ast.While,
    bound: Sequence[str],
    before: Mapping[str, object],
    after: Mapping[str, object],
    own: set[str],
) -> None:
    """
    Names that the loop bound first have no value after it, but for those that it gives back. The
    loop variable never has one: in Python it would be the last number, not what the name was.
    """
    variable = _variable(node)
    for name in bound:
        if name in own:
            if name == variable or before.get(name) is None:
                body.env[name] = Unbound(
                    f"'{name}' belongs to the loop at line {node.lineno}: it has no value after it",
                    ((node, "the loop"),),
                )
        elif isinstance(after.get(name), Poisoned):
            body.env[name] = Poisoned()
        elif before.get(name) is None or isinstance(before.get(name), Unbound):
            body.env[name] = Unbound(
                f"'{name}' may be unbound after the loop",
                ((body.bound_at.get(name, node), "it is bound here"),),
            )


def _variable(node: ast.For | ast.While) -> str | None:
    """The name that counts the iterations."""
    if isinstance(node, ast.While):
        return None
    target = node.target
    if isinstance(target, ast.Tuple) and target.elts:
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else None


# Promotion


def _promote(
    body: Body,
    node: ast.For,
    bound: Sequence[str],
    before: Mapping[str, object],
    own: set[str],
    block: Block,
) -> list[tuple[str, SSAValue]]:
    """
    Names first bound in the loop and read after it, with the tensor that they are: the destination
    of a write that exists before the loop.
    """
    live = body.names.live_after(node)
    found: list[tuple[str, SSAValue]] = []
    taken: set[SSAValue] = set()
    for name in bound:
        fresh = before.get(name) is None or isinstance(before.get(name), Unbound)
        value = body.env.get(name)
        if name in own or name not in live or not fresh or not isinstance(value, SSAValue):
            continue
        destination = _written_into(value, block)
        if destination is None or destination.type != value.type or destination in taken:
            continue
        taken.add(destination)
        found.append((name, destination))
    return found


def _written_into(value: SSAValue, block: Block) -> SSAValue | None:
    """The value from outside of `block` that write-backs inside it return."""
    while _is_inside(value, block):
        before = _written_back(value)
        if before is None:
            return None
        value = before
    return value


def _written_back(value: SSAValue) -> SSAValue | None:
    """The value that `value` is again, written: an op's destination, what enters a loop."""
    if not isinstance(value, OpResult):
        return None
    alias = alias_of(value)
    if alias is not None and alias.trait.keeps_value:
        return alias.source
    if isinstance(value.op, scf.ForOp) and _goes_through(value.op, value.index):
        return value.op.iter_args[value.index]
    return None


def _goes_through(loop: scf.ForOp, index: int) -> bool:
    """Whether each iteration hands on the value that it was given, written or not."""
    end = loop.body.block.last_op
    assert end is not None
    value: SSAValue | None = end.operands[index]
    carried = loop.body.block.args[index + 1]
    while value is not None and value is not carried:
        value = _written_back(value)
    return value is not None


def returned_parameter(value: SSAValue, block: Block) -> int | None:
    """The parameter of a function with the body `block` that write-backs make of a result."""
    while (before := _written_back(value)) is not None:
        value = before
    return value.index if isinstance(value, BlockArgument) and value.block is block else None


def _is_inside(value: SSAValue, block: Block) -> bool:
    at = value.block if isinstance(value, BlockArgument) else value.owner
    where: Block | None = at if isinstance(at, Block) else at.parent
    return _block_inside(where, block)


def _block_inside(where: Block | None, block: Block) -> bool:
    while where is not None:
        if where is block:
            return True
        where = where.parent_block()
    return False


def _replace_inside(value: SSAValue, argument: SSAValue, block: Block) -> None:
    for use in tuple(value.uses):
        if _block_inside(use.operation.parent, block):
            use.operation.operands[use.index] = argument


# Unrolled loops


def _unroll(body: Body, node: ast.For, head: _Head, read_block: ReadBlock) -> None:
    assert head.variable is not None
    values: list[int] = []
    for argument in head.call.args:
        value = body.read(argument)
        if not isinstance(value, Const) or type(value.value) is not int:
            raise Problem(argument, "the bounds of pl.unroll must be constants")
        values.append(value.value)
    if not 1 <= len(values) <= 3:
        raise Problem(head.call, f"pl.unroll takes 1 to 3 bounds, not {len(values)}")
    if len(values) == 3 and values[2] < 1:
        raise Problem(head.call.args[2], "the step of a loop must be a positive constant")
    iterations = range(*values)
    if len(iterations) > _MOST_UNROLLED:
        raise Problem(
            head.call, f"{len(iterations)} iterations are unrolled, at most {_MOST_UNROLLED} can be"
        )
    body.module.expanded(len(iterations), head.call)
    inner = body.names.block(node.body)
    fresh = [name for name in inner.binds if body.env.get(name) is None]
    for number in iterations:
        body.env[head.variable.id] = Const(number)
        failed = body.report.failed
        read_block(body, node.body)
        if body.report.failed and not failed:
            break  # the other iterations would say the same
    if not iterations:
        for name in fresh:
            body.env[name] = Unbound(f"'{name}' is unbound: the loop has no iterations")
    body.env[head.variable.id] = Unbound(
        f"'{head.variable.id}' belongs to the loop at line {node.lineno}: it has no value after it"
    )


# While


def read_while(body: Body, node: ast.stmt, read_block: ReadBlock) -> None:
    """`while c:`"""
    assert isinstance(node, ast.While)
    if node.orelse:
        raise Problem(node.orelse[0], "'else' of a loop is not supported")
    _in_trials(
        body, lambda: _read_while_once(body, node, node.test, node.body, [], None, read_block)
    )


def _read_while_(body: Body, node: ast.For, head: _Head, read_block: ReadBlock) -> None:
    """`for (x,) in pl.while_(init_values=(x0,)):` with `pl.cond(c)` first."""
    if head.call.args:
        raise Problem(head.call.args[0], "pl.while_ takes init_values only")
    first = node.body[0]
    match first:
        case ast.Expr(value=ast.Call(func=callee, args=[test], keywords=[])):
            if body.module.constants.vocabulary.path(callee) != "pl.cond":
                raise Problem(first, "a pl.while_ loop starts with pl.cond(...)")
        case _:
            raise Problem(first, "a pl.while_ loop starts with pl.cond(...)")
    explicit = _explicit(body, head)
    yielded = _yield_of(body, node, head)
    statements = node.body[1:] if yielded is None else node.body[1:-1]
    _in_trials(
        body,
        lambda: _read_while_once(body, node, test, statements, explicit, yielded, read_block),
    )


def _read_while_once(
    body: Body,
    node: ast.For | ast.While,
    test: ast.expr,
    statements: Sequence[ast.stmt],
    explicit: list[_Carry],
    yielded: tuple[Sequence[str], ast.Call] | None,
    read_block: ReadBlock,
) -> None:
    from xdsl_pld.tools.frontend.names import reads

    inner = body.names.block(node.body)
    own = {carry.name for carry in explicit} | set(yielded[0] if yielded else ())
    exposed = inner.exposes | reads(test)
    carries = _Carries(
        body, node, [*explicit, *_implicit(body, node, list(inner.binds), exposed, own)]
    )
    carries.yielded = yielded
    initial = carries.initial_values()
    types = [value.type for value in initial]
    names = [carry.name for carry in carries.carries]
    bound = [*own, *inner.binds]
    before = body.save(bound)
    outer = body.block
    before_block = body.new_block(types, names, node)
    after_block = body.new_block(types, names, node)
    final: list[SSAValue] | None = None
    try:
        body.block = before_block
        carries.bind(before_block.args)
        chosen = condition(body, body.read(test), test)
        holds = constant(body, chosen, i1, test) if isinstance(chosen, bool) else chosen
        body.emit(scf.ConditionOp(holds, *before_block.args), test)
        body.block = after_block
        carries.bind(after_block.args)
        read_block(body, statements)
        final = carries.final_values(types)
        if final is not None:
            body.emit(scf.YieldOp(*final), node)
    except (Problem, SilentProblem):
        body.block = outer
        body.restore(before)
        raise
    after = body.save(bound)
    body.block = outer
    body.restore(before)
    _unbind(body, node, bound, before, after, own)
    if final is None:
        carries.bind_results(None)
        return
    op = scf.WhileOp(initial, types, Region(before_block), Region(after_block))
    body.emit(op, node)
    carries.bind_results(op.results)
