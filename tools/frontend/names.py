"""
What each statement binds, and who reads it later: what SSA construction has to know beforehand.

Two walks over a function, both linear in its size times the nesting of what a statement binds:
bottom-up, the names each statement *binds* and *exposes* (reads before it binds them); then
backwards, which of the bound names are *live after* each loop and branch.
Source: the DSL reference, section 4.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

_NONE: frozenset[str] = frozenset()


@dataclass
class Effects:
    """What a statement or block does to names."""

    binds: dict[str, None] = field(default_factory=dict[str, None])
    """All names that it may bind, in the order of the text."""
    certain: set[str] = field(default_factory=set[str])
    """The names that it binds on every path through it."""
    exposes: set[str] = field(default_factory=set[str])
    """The names that it may read before it binds them."""


class Names:
    """The effects of a function's compound statements, found on construction."""

    def __init__(self, body: Sequence[ast.stmt]):
        self._blocks: dict[int, Effects] = {}
        self._live_after: dict[ast.stmt, frozenset[str]] = {}
        self.all = self._block(body)
        live = _Live()
        self._live_block(body, live)

    def block(self, body: Sequence[ast.stmt]) -> Effects:
        """The effects of the body of a compound statement."""
        return self._blocks[id(body)]

    def live_after(self, statement: ast.stmt) -> frozenset[str]:
        """The names that a compound statement may bind and that are read after it."""
        return self._live_after.get(statement, _NONE)

    # Bottom-up

    def _block(self, body: Sequence[ast.stmt]) -> Effects:
        each = [self._statement(statement) for statement in body]
        total = Effects()
        for effects in each:
            total.binds.update(effects.binds)
        for effects in reversed(each):
            total.exposes -= effects.certain
            total.exposes |= effects.exposes
            total.certain |= effects.certain
        self._blocks[id(body)] = total
        return total

    def _statement(self, statement: ast.stmt) -> Effects:
        match statement:
            case ast.For(body=body):
                inner = self._block(body)
                own = set(loop_names(statement))
                binds = dict.fromkeys(own) | inner.binds
                exposed = (inner.exposes - own) | header_reads(statement)
                return Effects(binds, set(explicit_results(statement)), exposed)
            case ast.While(body=body, test=test):
                inner = self._block(body)
                return Effects(dict(inner.binds), set(), inner.exposes | reads(test))
            case ast.If(body=body, orelse=orelse, test=test):
                then, other = self._block(body), self._block(orelse)
                return Effects(
                    {**then.binds, **other.binds},
                    then.certain & other.certain,
                    then.exposes | other.exposes | reads(test),
                )
            case ast.With(items=items, body=body):
                inner = self._block(body)
                own = dict.fromkeys(n for i in items for n in _written(i.optional_vars))
                exposed = set(inner.exposes)
                for item in items:
                    exposed |= reads(item.context_expr)
                return Effects(own | inner.binds, {*own, *inner.certain}, exposed)
            case _:
                bound = dict.fromkeys(simple_binds(statement))
                return Effects(bound, set(bound), simple_reads(statement))

    # Backwards

    def _live_block(self, body: Sequence[ast.stmt], live: "_Live") -> None:
        for statement in reversed(body):
            self._live_statement(statement, live)

    def _live_statement(self, statement: ast.stmt, live: "_Live") -> None:
        match statement:
            case ast.For(body=body):
                inner = self.block(body)
                own = set(loop_names(statement))
                self._note(statement, [*own, *inner.binds], live)
                live.discard(explicit_results(statement))
                # What the body exposes is live at its end, for the next iteration, and before.
                live.add(inner.exposes - own)
                self._live_aside(body, live)
                live.add(header_reads(statement))
            case ast.While(body=body, test=test):
                inner = self.block(body)
                self._note(statement, inner.binds, live)
                live.add(inner.exposes | reads(test))
                self._live_aside(body, live)
            case ast.If(body=body, orelse=orelse, test=test):
                self._note(statement, [*self.block(body).binds, *self.block(orelse).binds], live)
                after_then = self._live_aside(body, live)
                after_else = self._live_aside(orelse, live)
                for name in after_then.keys() | after_else.keys():
                    base = name in live.names
                    if after_then.get(name, base) or after_else.get(name, base):
                        live.add((name,))
                    else:
                        live.discard((name,))
                live.add(reads(test))
            case ast.With(items=items, body=body):
                self._live_block(body, live)
                for item in items:
                    live.discard(_written(item.optional_vars))
                    live.add(reads(item.context_expr))
            case _:
                live.discard(simple_binds(statement))
                live.add(simple_reads(statement))

    def _note(self, statement: ast.stmt, binds: Iterable[str], live: "_Live") -> None:
        self._live_after[statement] = frozenset(n for n in binds if n in live.names)

    def _live_aside(self, body: Sequence[ast.stmt], live: "_Live") -> dict[str, bool]:
        """Walks a nested block, undoes it, and returns what it changed."""
        mark = live.mark()
        self._live_block(body, live)
        return live.undo(mark)


class _Live:
    """A set of names that can be taken back to an earlier state."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._log: list[tuple[str, bool]] = []

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.names:
                self.names.add(name)
                self._log.append((name, False))

    def discard(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self.names:
                self.names.discard(name)
                self._log.append((name, True))

    def mark(self) -> int:
        return len(self._log)

    def undo(self, mark: int) -> dict[str, bool]:
        """Goes back to `mark`; returns each name that was changed, and whether it was live."""
        changed = {name: name in self.names for name, _ in self._log[mark:]}
        for name, was_live in reversed(self._log[mark:]):
            (self.names.add if was_live else self.names.discard)(name)
        del self._log[mark:]
        return changed


# Simple statements and expressions


def reads(node: ast.expr | None) -> set[str]:
    """The names that an expression reads."""
    if node is None:
        return set()
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def simple_reads(statement: ast.stmt) -> set[str]:
    """The names that a simple statement reads; annotations are none of the body's reads."""
    if isinstance(statement, ast.AnnAssign):
        return reads(statement.value) | reads(statement.target)
    found: set[str] = set()
    for node in ast.iter_child_nodes(statement):
        if isinstance(node, ast.expr):
            found |= reads(node)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        found.add(statement.target.id)
    return found


def simple_binds(statement: ast.stmt) -> Sequence[str]:
    """The names that a simple statement binds; `x[..] = v` binds `x`."""
    match statement:
        case ast.Assign(targets=targets):
            return [name for target in targets for name in _written(target)]
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return list(_written(target))
        case ast.Expr(value=ast.NamedExpr(target=target)):
            return [target.id]
        case _:
            return ()


def _written(target: ast.expr | None) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _written(element)
        case ast.Subscript(value=ast.Name(id=name)):
            yield name
        case ast.Starred(value=value):
            yield from _written(value)
        case _:
            pass


def loop_names(loop: ast.For) -> Sequence[str]:
    """The loop variable and the explicit carries: bound at the start of each iteration."""
    return list(_written(loop.target))


def explicit_results(loop: ast.For) -> Sequence[str]:
    """
    The names that a loop with `init_values` binds whether or not it iterates: those of its
    `pl.yield_`, or without one its carries.
    """
    carries = [e for e in ast.walk(loop.target) if isinstance(e, ast.Tuple | ast.List)]
    if not carries:
        return ()
    match loop.body[-1]:
        case ast.Assign(
            targets=[target],
            value=ast.Call(func=ast.Attribute(attr="yield_") | ast.Name(id="yield_")),
        ):
            return list(_written(target))
        case _:
            return list(_written(carries[-1]))


def header_reads(loop: ast.For) -> set[str]:
    """The names that the head of a loop reads, once."""
    return reads(loop.iter)


# Returns


def fold_returns(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """
    The body with each `return` last: what follows an `if` that returns moves into its arms.

        if c:                       if c:
            return a        ->          return a
        rest                        else:
                                        rest

    Statements behind an arm that falls through to nothing stay as they are; who reads them says
    what is wrong.
    """
    for index, statement in enumerate(body):
        if not isinstance(statement, ast.If) or not _has_return(statement):
            continue
        rest = body[index + 1 :]
        then, other = fold_returns(statement.body), fold_returns(statement.orelse)
        for arm in (then, other):
            if not _returns(arm) and any(map(_has_return, arm)):
                return body  # it returns on some of its paths only
        if rest and not _returns(then) and not _returns(other):
            return body
        rest = fold_returns(rest)
        if not _returns(then):
            then = [*then, *rest]
        if not _returns(other):
            other = [*other, *rest]
        folded = ast.If(test=statement.test, body=list(then), orelse=list(other))
        ast.copy_location(folded, statement)
        return [*body[:index], folded]
    return body


def _has_return(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(statement))


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every path through a folded body ends in a return."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)
