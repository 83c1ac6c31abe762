"""
Loops and branches of an orchestration.

What a loop carries, and what a branch or loop results in, is a variable declared before it, unless
it can only be one and the same. A tensor variable is a copy of the descriptor, not of memory.
"""

from collections.abc import Callable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.templates.errors import Problem
from xdsl_pld.templates.orchestration.body import Body, Form, RefusedError

Statements = Callable[[Body, Block], None]
"""Emits the operations of a block."""


def emit_for(body: Body, loop: scf.ForOp, statements: Statements) -> None:
    first, end, step = (body.name(v, loop) for v in (loop.lb, loop.ub, loop.step))
    if (stride := constant_int(loop.step)) is not None and stride < 1:
        raise RefusedError(Problem(loop, f"the step of a loop must be positive, not {stride}"))
    block = loop.body.block
    induction, carries = block.args[0], block.args[1:]
    variables = _Variables(body, loop)
    for carry, initial, result in zip(carries, loop.iter_args, loop.res, strict=True):
        if not body.is_alias(carry):
            variables.declare(carry, (carry, result), initial)
    type_ = body.variable_type(induction, loop)
    i = body.fresh(induction, "i")
    body.define(induction, Form(i))
    (inner,) = body.text.nest(f"for ({type_} {i} = {first}; {i} < {end}; {i} += {step})")
    with body.scoped(inner):
        statements(body, block)
        variables.assign(carries, _yielded(block))
    variables.close()


def emit_while(body: Body, loop: scf.WhileOp, statements: Statements) -> None:
    before, after = loop.before_region.block, loop.after_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    variables = _Variables(body, loop)
    for carry, initial in zip(before.args, loop.arguments, strict=True):
        if not body.is_alias(carry):
            variables.declare(carry, (carry,), initial)
    results = [result for result in loop.res if not body.is_alias(result)]
    for result in results:
        variables.declare(result, (result,), None)
    more = body.names.fresh("more")
    body.add(f"bool {more} = true;")
    (inner,) = body.text.nest(f"while ({more})")
    with body.scoped(inner):
        statements(body, before)
        body.add(f"{more} = {body.name(condition.operands[0], condition)};")
        again, leave = body.text.nest(f"if ({more})", "else", condition=more)
        with body.text.within(again):
            statements(body, after)
            variables.assign(before.args, _yielded(after))
        with body.text.within(leave):
            variables.assign(loop.res, condition.operands[1:])
    variables.close()


def emit_if(body: Body, branch: scf.IfOp, statements: Statements) -> None:
    condition = body.name(branch.cond, branch)
    variables = _Variables(body, branch)
    for result in branch.output:
        if not body.is_alias(result):
            variables.declare(result, (result,), None)
    heads = [f"if ({condition})"]
    regions = [branch.true_region]
    if branch.false_region.blocks:
        heads.append("else")
        regions.append(branch.false_region)
    arms = body.text.nest(*heads, condition=condition)
    for arm, region in zip(arms, regions, strict=True):
        with body.scoped(arm):
            statements(body, region.block)
            variables.assign(branch.output, _yielded(region.block))
    variables.close()


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return last.operands if isinstance(last, scf.YieldOp) else ()


class _Variables:
    """The variables of a loop or branch, declared before it and assigned inside."""

    def __init__(self, body: Body, op: Operation):
        self._body = body
        self._op = op
        self._scope = body.scope
        self._names: dict[SSAValue, str] = {}
        self._values: dict[str, Sequence[SSAValue]] = {}
        self._deepest: dict[str, int] = {}

    def declare(self, key: SSAValue, values: Sequence[SSAValue], initial: SSAValue | None) -> None:
        """Declares one variable for all of `values`; `key` stands for it in `assign`."""
        body = self._body
        type_ = body.variable_type(key, self._op)
        form = None if initial is None else body.form(initial, self._op)
        hint = next((v for v in values if v.name_hint is not None), key)
        name = body.fresh(hint, "carry" if initial is not None else "result")
        body.add(f"{type_} {name}{{}};" if form is None else f"{type_} {name} = {form.text};", name)
        self._deepest[name] = 0 if form is None else form.scope
        self._values[name] = values
        self._names[key] = name
        for value in values:
            body.define(value, Form(name, self._scope, packed=False))

    def assign(self, keys: Sequence[SSAValue], sources: Sequence[SSAValue]) -> None:
        """Gives the variables their next values, all at once."""
        body = self._body
        pairs: list[tuple[str, str, SSAValue]] = []
        for key, source in zip(keys, sources, strict=True):
            if (name := self._names.get(key)) is None:
                continue
            form = body.form(source, self._op)
            if is_tensor_like(source.type):
                self._check_memory(source, form)
            self._deepest[name] = max(self._deepest[name], form.scope)
            if form.text != name:
                pairs.append((name, form.text, source))
        assigned = {name for name, _, _ in pairs}
        for position, (name, text, source) in enumerate(pairs):
            if text in assigned and len(pairs) > 1:  # it would be overwritten before it is read
                type_ = body.variable_type(source, self._op)
                text = body.constant(type_, body.names.fresh(f"next_{name}"), text)
                pairs[position] = (name, text, source)
        for name, text, _ in pairs:
            body.add(f"{name} = {text};", name)

    def _check_memory(self, source: SSAValue, form: Form) -> None:
        if form.scope > self._scope:
            raise RefusedError(
                Problem(
                    self._op,
                    "a tensor that is allocated inside this body leaves it: the scope's end frees "
                    "its memory",
                    "create it before the loop or branch",
                )
            )

    def close(self) -> None:
        """After the loop or branch: its results may be used further out than its inside knew."""
        for name, values in self._values.items():
            for value in values:
                self._body.define(value, Form(name, self._deepest[name], packed=False))
