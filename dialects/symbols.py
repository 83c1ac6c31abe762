"""
Symbol look-ups in constant time.

xDSL's `SymbolTable.lookup_symbol` scans the table, once per call op and per verification: quadratic
in a module of calls. Here a table is built once per scope op and kept while the scope lives; a hit
counts only if the op found still stands there under that name, anything else rebuilds the table.
Source: xdsl-notes, section 8.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from weakref import WeakKeyDictionary, WeakValueDictionary

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

_TABLES: WeakKeyDictionary[Operation, WeakValueDictionary[str, Operation]] = WeakKeyDictionary()
"""Weak on both sides: an op in the table holds its scope alive through its parents."""

_FRESH: ContextVar[set[Operation] | None] = ContextVar("_FRESH", default=None)
"""While the IR is only read: the scopes whose table was built since, and so is complete."""


@contextmanager
def only_reading() -> Generator[None]:
    """
    Inside, the caller changes no IR, so that a name that is missing needs one scan of its scope,
    not one a look-up: a module full of undefined callees is then also verified in linear time.
    """
    token = _FRESH.set(set())
    try:
        yield
    finally:
        _FRESH.reset(token)


def _symbol_name(op: Operation) -> str | None:
    name = op.get_attr_or_prop("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _scope_ops(scope: Operation) -> Iterable[Operation]:
    for region in scope.regions:
        for block in region.blocks:
            yield from block.ops


def lookup_in(scope: Operation, name: str) -> Operation | None:
    """The op of that symbol name directly in the symbol table op `scope`."""
    table = _TABLES.get(scope)
    found = None if table is None else table.get(name)
    if found is not None and found.parent_op() is scope and _symbol_name(found) == name:
        return found
    fresh = _FRESH.get()
    if fresh is not None and scope in fresh:
        return None
    table = WeakValueDictionary[str, Operation]()
    for op in _scope_ops(scope):
        if (symbol := _symbol_name(op)) is not None:
            table.setdefault(symbol, op)
    _TABLES[scope] = table
    if fresh is not None:
        fresh.add(scope)
    return table.get(name)


def symbol_scope(op: Operation) -> Operation | None:
    """The nearest op around `op` that holds a symbol table."""
    scope = op.parent_op()
    while scope is not None and not _is_symbol_table(type(scope)):
        scope = scope.parent_op()
    return scope


@cache
def _is_symbol_table(operation: type[Operation]) -> bool:
    """Traits are the class's; going through them at each call op would be felt."""
    return operation.has_trait(SymbolTable, value_if_unregistered=False)


def lookup_callee(op: Operation, callee: SymbolRefAttr) -> FuncOp | None:
    """The function that `callee` names, seen from `op`; None if there is none of that name."""
    scope = symbol_scope(op)
    if scope is None or len(callee.nested_references) > 0:
        return None
    found = lookup_in(scope, callee.root_reference.data)
    return found if isinstance(found, FuncOp) else None


def enclosing_function(op: Operation) -> FuncOp | None:
    """The function around `op`, None where there is none."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent
