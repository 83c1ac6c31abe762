"""
SSA construction keeps the meaning of a program.

Random programs with nested loops, branches and rebinding are run by a small interpreter of their
syntax tree, where a name is a variable, and by xDSL's interpreter of what the frontend makes of
them.
"""

import ast
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.func import FuncFunctions
from xdsl.interpreters.scf import ScfFunctions

from xdsl_pld.tools.frontend.frontend import PyPTOFrontend
from xdsl_pld.tools.verify import verify_findings

NAMES = ("a", "b", "c", "d", "e")
HEAD = """\
import pypto.language as pl

@pl.program
class P:
    @pl.function
    def f(self, a: pl.INDEX, b: pl.INDEX):
"""

# Random programs


@dataclass
class Writer:
    """Draws the text of one function; every read is of a name that is bound on every path."""

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list[str])
    whiles: int = 0

    def block(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        """Statements; `bound` grows by what they bind, `frozen` are loop counters."""
        for _ in range(self.draw(st.integers(1, 3))):
            kinds = ["assign", "assign", "alias", "literal"]
            if budget > 0:
                kinds += ["for", "if", "else", "while", "explicit", "yield"]
            getattr(self, f"_{self.draw(st.sampled_from(kinds))}")(bound, depth, budget, frozen)

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self, bound: set[str]) -> str:
        return self.draw(st.sampled_from(sorted(bound)))

    def target(self, frozen: frozenset[str]) -> str:
        return self.draw(st.sampled_from([n for n in NAMES if n not in frozen]))

    def value(self, bound: set[str]) -> str:
        x, y = self.name(bound), self.name(bound)
        form = self.draw(
            st.sampled_from(["{x} + {y}", "{x} * {y} + 1", "{x} + {n}", "7 * {x}", "{y} // 2"])
        )
        return f"({form.format(x=x, y=y, n=self.draw(st.integers(0, 9)))}) % 1009"

    def condition(self, bound: set[str]) -> str:
        x, y = self.name(bound), self.name(bound)
        sign = self.draw(st.sampled_from(["<", "==", "!=", ">="]))
        text = f"{x} % 3 {sign} {y} % 3"
        if self.draw(st.booleans()):
            text = f"not {text} or {y} > 500"
        return text

    def _assign(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        value = self.value(bound)
        target = self.target(frozen)
        self.put(depth, f"{target} = {value}")
        bound.add(target)

    def _alias(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        source, target = self.name(bound), self.target(frozen)
        self.put(depth, f"{target} = {source}")
        bound.add(target)

    def _literal(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        target = self.target(frozen)
        self.put(depth, f"{target} = {self.draw(st.integers(0, 9))}")
        bound.add(target)

    def _for(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        bounds = self.draw(
            st.sampled_from(["3", "0", "1, 4", "0, 5, 2", f"{self.name(bound)} % 4"])
        )
        counter = f"i{depth}"
        self.put(depth, f"for {counter} in pl.range({bounds}):")
        self.block({*bound, counter}, depth + 1, budget - 1, frozen)

    def _explicit(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        carry, result = f"x{depth}", self.target(frozen)
        self.put(
            depth, f"for i{depth}, ({carry},) in pl.range(3, init_values=({self.name(bound)},)):"
        )
        inside = {*bound, carry, f"i{depth}"}
        # What the body binds is not read behind a `pl.yield_`: PyPTO's form for carries.
        self.block(inside, depth + 1, budget - 1, frozen | {result})
        self.put(depth + 1, f"{result} = pl.yield_({self.name(inside)})")
        bound.add(result)

    def _if(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self.put(depth, f"if {self.condition(bound)}:")
        self.block(set(bound), depth + 1, budget - 1, frozen)

    def _else(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self.put(depth, f"if {self.condition(bound)}:")
        then, other = set(bound), set(bound)
        self.block(then, depth + 1, budget - 1, frozen)
        self.put(depth, "else:")
        self.block(other, depth + 1, budget - 1, frozen)
        bound |= then & other

    def _yield(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        result = self.target(frozen)
        self.put(depth, f"if {self.condition(bound)}:")
        self.put(depth + 1, f"{result} = pl.yield_({self.value(bound)})")
        self.put(depth, "else:")
        self.put(depth + 1, f"{result} = pl.yield_({self.draw(st.integers(0, 9))})")
        bound.add(result)

    def _while(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self.whiles += 1
        counter = f"w{self.whiles}"
        self.put(depth, f"{counter} = {self.name(bound)} % 4")
        also = f" and {self.name(bound)} % 5 != 4" if self.draw(st.booleans()) else ""
        self.put(depth, f"while {counter} > 0{also}:")
        self.put(depth + 1, f"{counter} = {counter} - 1")
        self.block({*bound, counter}, depth + 1, budget - 1, frozen | {counter})


@st.composite
def programs(draw: st.DrawFn) -> str:
    writer = Writer(draw)
    bound = {"a", "b"}
    writer.block(bound, 2, 3, frozenset())
    if draw(st.booleans()):
        writer.put(2, f"if {writer.condition(bound)}:")
        inside = set(bound)
        writer.block(inside, 3, 1, frozenset())
        writer.put(3, f"return {writer.name(inside)}, {writer.name(bound)}")
        writer.block(bound, 2, 1, frozenset())
        writer.put(2, f"return {writer.name(bound)}, {writer.name(bound)}")
    else:
        # Few results: a name that nobody reads in the end may still matter on the way.
        writer.put(2, f"return {writer.name(bound & set(NAMES))}, {writer.name(bound)}")
    return HEAD + "\n".join(writer.lines) + "\n"


# The syntax tree


class Returned(Exception):
    """What a `return` gives back."""


class TreeInterpreter:
    """Runs a function's syntax tree; a name is a variable."""

    def __init__(self, **variables: int):
        self.variables = dict(variables)

    def run(self, text: str) -> tuple[int, ...]:
        tree = ast.parse(text)
        (program,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        (function,) = [node for node in program.body if isinstance(node, ast.FunctionDef)]
        try:
            self.block(function.body)
        except Returned as returned:
            return returned.args[0]
        return ()

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.variables[name] = self.value(value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.block(body if self.value(test) else orelse)
            case ast.While(test=test, body=body):
                while self.value(test):
                    self.block(body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                for number in range(*map(self.value, bounds)):
                    self.variables[name] = number
                    self.block(body)
            case ast.For(target=target, iter=ast.Call() as call, body=body):
                self.explicit(target, call, body)
            case ast.Return(value=ast.Tuple(elts=elements)):
                raise Returned(tuple(map(self.value, elements)))
            case ast.Return(value=ast.expr() as value):
                raise Returned((self.value(value),))
            case _:
                raise AssertionError(ast.dump(node))

    def explicit(self, target: ast.expr, call: ast.Call, body: Sequence[ast.stmt]) -> None:
        """`for i, (x,) in pl.range(n, init_values=(v,))`: x is the body's own."""
        assert isinstance(target, ast.Tuple)
        counter, carries = target.elts
        assert isinstance(counter, ast.Name)
        assert isinstance(carries, ast.Tuple)
        (carry,) = carries.elts
        assert isinstance(carry, ast.Name)
        (initial,) = call.keywords[0].value.elts
        value = self.value(initial)
        end = body[-1]
        assert isinstance(end, ast.Assign)
        assert isinstance(end.targets[0], ast.Name)
        for number in range(*map(self.value, call.args)):
            self.variables[counter.id] = number
            self.variables[carry.id] = value
            self.block(body[:-1])
            value = self.value(end.value)
        self.variables[end.targets[0].id] = value

    def value(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                return self.variables[name]
            case ast.Call(args=[value]):  # pl.yield_
                return self.value(value)
            case ast.UnaryOp(operand=operand):
                return not self.value(operand)
            case ast.BoolOp(op=op, values=values):
                sides = [self.value(value) for value in values]
                return any(sides) if isinstance(op, ast.Or) else all(sides)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.value(left), self.value(right)
                return {
                    ast.Add: lambda: a + b,
                    ast.Sub: lambda: a - b,
                    ast.Mult: lambda: a * b,
                    ast.Mod: lambda: a % b,
                    ast.FloorDiv: lambda: a // b,
                }[type(op)]()
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, b = self.value(left), self.value(right)
                return {
                    ast.Lt: a < b,
                    ast.Gt: a > b,
                    ast.GtE: a >= b,
                    ast.Eq: a == b,
                    ast.NotEq: a != b,
                }[type(op)]
            case _:
                raise AssertionError(ast.dump(node))


# The IR


def read(text: str) -> ModuleOp:
    return PyPTOFrontend().parse(Context(), io.BytesIO(text.encode()), "p.py")


def run_ir(module: ModuleOp, *arguments: int) -> tuple[int, ...]:
    interpreter = Interpreter(module)
    for functions in (ArithFunctions(), ScfFunctions(), FuncFunctions()):
        interpreter.register_implementations(functions)
    values = interpreter.call_op("f", tuple(IntegerAttr(a, IndexType()) for a in arguments))
    return tuple(value.value.data for value in values)


CASES = {
    "read in the next iteration": """
        c = a
        for i in pl.range(4):
            a = a + c
            if i % 2 == 0:
                c = a
        return a
""",
    "read through one arm": """
        c = a
        if b > 3:
            c = 7
        if a > 4:
            c = b
        return c
""",
    "read by the condition only": """
        while b < 5:
            b = 9
            a = a + 1
        return a
""",
    "bound by the loop and not read before it": """
        for i in pl.range(b):
            if i == 2:
                a = i
        return a
""",
    "shadowed": """
        for i, (a,) in pl.range(3, init_values=(b,)):
            c = pl.yield_(a + i)
        return a + c
""",
    "swapped": """
        for i in pl.range(b):
            c = a
            a = b
            b = c
        return a * 10 + b
""",
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 4), (5, 3), (7, 9)])
def test_the_ir_computes_what_a_case_computes(case: str, a: int, b: int):
    text = HEAD + CASES[case]
    computed = run_ir(read(text), a, b)
    if case == "shadowed":  # Python would rebind `a`; in the DSL the outer `a` keeps its value
        assert computed == (a + b + 3,)
    else:
        assert computed == TreeInterpreter(a=a, b=b).run(text)


@given(programs(), st.integers(0, 9), st.integers(0, 9))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
def test_the_ir_computes_what_the_program_computes(text: str, a: int, b: int):
    module = read(text)
    assert not verify_findings(module), text
    assert run_ir(module, a, b) == TreeInterpreter(a=a, b=b).run(text), text


def test_the_interpreters_are_no_constants():
    text = HEAD + "        for i in pl.range(b):\n            a = a * 2 + i\n        return a\n"
    assert TreeInterpreter(a=1, b=3).run(text) == (12,)
    assert run_ir(read(text), 1, 3) == (12,)
    (function,) = [op for op in read(text).walk() if isinstance(op, FuncOp)]
    assert function.sym_name.data == "f"
