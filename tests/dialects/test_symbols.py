"""Symbol look-ups: right whatever the module went through, and one scan for a module of calls."""

import gc
import weakref

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects import symbols
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.symbols import (
    enclosing_function,
    lookup_callee,
    lookup_in,
    only_reading,
    symbol_scope,
)


def function(name):
    return FuncOp.external(name, [], [])


def module(*names):
    return ModuleOp([function(name) for name in names])


@pytest.fixture
def scans(monkeypatch):
    """The scopes that were scanned, in order."""
    seen = []
    scope_ops = symbols._scope_ops

    def recording(scope):
        seen.append(scope)
        return scope_ops(scope)

    monkeypatch.setattr(symbols, "_scope_ops", recording)
    return seen


def test_a_name_is_found_and_a_missing_one_is_not():
    scope = module("a", "b")
    assert lookup_in(scope, "b") is scope.body.block.last_op
    assert lookup_in(scope, "c") is None


def test_a_renamed_function_is_found_under_its_new_name_only():
    scope = module("a")
    found = lookup_in(scope, "a")
    found.properties["sym_name"] = StringAttr("b")
    assert lookup_in(scope, "a") is None
    assert lookup_in(scope, "b") is found


def test_an_erased_function_is_gone():
    scope = module("a", "b")
    Rewriter.erase_op(lookup_in(scope, "a"))
    assert lookup_in(scope, "a") is None
    assert lookup_in(scope, "b") is not None


def test_a_moved_function_is_found_where_it_went():
    scope, other = module("a"), module()
    moved = lookup_in(scope, "a")
    moved.detach()
    other.body.block.add_op(moved)
    assert lookup_in(scope, "a") is None
    assert lookup_in(other, "a") is moved


def test_a_function_added_after_a_miss_is_found():
    scope = module("a")
    assert lookup_in(scope, "b") is None
    scope.body.block.add_op(function("b"))
    assert lookup_in(scope, "b") is scope.body.block.last_op


def test_one_of_two_functions_of_a_name_is_still_found_without_the_other():
    scope = module("a", "a")
    first, second = scope.body.block.ops
    assert lookup_in(scope, "a") is first
    Rewriter.erase_op(first)
    assert lookup_in(scope, "a") is second


def test_a_symbol_that_is_no_function_is_no_callee():
    scope = ModuleOp([inner := ModuleOp([]), call := CallOp("inner", [], [])])
    inner.properties["sym_name"] = StringAttr("inner")
    assert lookup_in(scope, "inner") is inner
    assert lookup_callee(call, SymbolRefAttr("inner")) is None


def test_a_nested_reference_and_a_detached_call_have_no_callee():
    ModuleOp([function("a"), call := CallOp("a", [], [])])
    assert lookup_callee(call, SymbolRefAttr("a")) is not None
    assert lookup_callee(call, SymbolRefAttr("a", ["b"])) is None
    assert lookup_callee(CallOp("a", [], []), SymbolRefAttr("a")) is None
    assert symbol_scope(CallOp("a", [], [])) is None


def test_a_call_outside_a_module_is_refused_not_a_crash():
    with pytest.raises(VerifyException, match="@a is no function of this module"):
        CallOp("a", [], []).verify()


def test_the_enclosing_function():
    body = FuncOp("f", ([], []))
    body.body.block.add_op(call := CallOp("f", [], []))
    assert enclosing_function(call) is body
    assert enclosing_function(body) is None


def test_calls_of_many_functions_scan_the_module_once(scans):
    names = [f"f{i}" for i in range(300)]
    scope = ModuleOp([*map(function, names), *(CallOp(name, [], []) for name in names)])
    scope.verify()
    assert scans == [scope]


def test_many_missing_callees_scan_once_while_the_ir_is_only_read(scans):
    calls = [CallOp(f"missing{i}", [], []) for i in range(300)]
    scope = ModuleOp([function("f"), *calls])
    with only_reading():
        for call in calls:
            assert lookup_callee(call, call.callee) is None
        assert lookup_in(scope, "f") is not None
    assert scans == [scope]
    lookup_in(scope, "missing0")
    assert scans == [scope, scope], "outside, a miss may be news"


def test_only_reading_does_not_trust_a_table_from_before():
    scope = module("a")
    assert lookup_in(scope, "a") is not None
    scope.body.block.add_op(function("b"))
    with only_reading():
        assert lookup_in(scope, "b") is not None


def test_a_table_keeps_no_module_alive():
    scope = module("a")
    lookup_in(scope, "a")
    gone = weakref.ref(scope)
    del scope
    gc.collect()
    assert gone() is None
