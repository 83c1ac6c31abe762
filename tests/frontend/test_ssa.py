"""
SSA construction keeps the meaning of a program.

Random programs with nested loops, branches, rebinding, tuples and arrays are run by a small
interpreter of their syntax tree, where a name is a variable, and by `pld-run`'s machine from what
the frontend makes of them. Numbers follow the DSL reference, section 7: integers wrap, division
truncates, literals take their partner's type, integers meet in the wider type.
"""

import ast
import io
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, f32

from xdsl_pld.tools.frontend.frontend import PyPTOFrontend
from xdsl_pld.tools.interpreter.collectives import ReferenceEngine
from xdsl_pld.tools.interpreter.machine import Machine, Settings
from xdsl_pld.tools.interpreter.program import host_function
from xdsl_pld.tools.interpreter.scalars import scalar
from xdsl_pld.tools.verify import verify_findings

NAMES = {"index": "abcde", "i32": "pq", "f32": "uv", "i1": "kl"}
PARAMETERS = {
    "a": "index",
    "b": "index",
    "m": "index",
    "p": "i32",
    "n": "i32",
    "u": "f32",
    "h": "f32",
}
"""`m`, `n` and `h` are never bound again, so that what they are part of is no constant."""
TYPES = {"index": "pl.INDEX", "i32": "pl.INT32", "f32": "pl.FP32"}
_TYPED = ", ".join(f"{name}: pl.Scalar[{TYPES[kind]}]" for name, kind in PARAMETERS.items())
_RESULTS = "whole: pl.Out[pl.Tensor[[3], pl.INT64]], real: pl.Out[pl.Tensor[[1], pl.FP32]]"
HEAD = f"""\
import pypto.language as pl

@pl.program
class P:
    @pl.function
    def g(self, a: pl.Scalar[pl.INDEX], p: pl.Scalar[pl.INT32]):
        return (a * 3 + 1) % 1009, p - 1

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, {_TYPED}, {_RESULTS}):
        x, y, z, w = self.f(a, b, m, p, n, u, h)
        pl.write(whole, [0], x)
        pl.write(whole, [1], y)
        pl.write(whole, [2], z)
        pl.write(real, [0], w)

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, {_TYPED}, {_RESULTS}):
        self.chip(a, b, m, p, n, u, h, whole, real, device=0)

    @pl.function(type=pl.FunctionType.InCore)
    def f(self, {_TYPED}):
"""

# Random programs

# A constant is folded by Python's rules: none of these makes a negative one, one that does not fit
# its type, or a float that is not exact in 32 bits.
EXPRESSIONS: Mapping[str, Sequence[str]] = {
    "index": (
        *("({a} + {b}) % 1009", "({a} * {b} + 1) % 1009", "{a} + {lit}", "{a} // 2", "{lit}"),
        *("({a} - {b} * m) % 97", "({a} - {b} * m) // 3", "-({a} * m)", "~({a} * m)"),
        *("pl.min({a}, {b})", "pl.max({a}, {lit})", "({a} << 3) % 509", "{a} >> 1"),
        *("pl.cast({p}, pl.INDEX)", "pl.cast({u}, pl.INDEX)", "t[pl.max({a}, 0) % 4]", "{a}"),
    ),
    "i32": (
        *("{p} * n + {q}", "{p} + {lit}", "({p} - {q} * n) % 13", "({p} - {q} * n) // 4", "{p}"),
        *("-({p} + n)", "~({p} + n)", "({p} << 4) + n", "{p} >> 2", "pl.min({p}, {q})"),
        *("pl.max({p}, n)", "pl.cast({a} % 1009, pl.INT32)", "pl.const({lit}, pl.INT32)"),
    ),
    "f32": (
        *("{u} * h + {v}", "{u} - {v} * h", "{u} / ({v} * {v} + h * h + 1.0)", "{u} * 0.5 + h"),
        *("-{u}", "pl.max({u}, {v})", "pl.cast({a} % 1009, pl.FP32)", "pl.cast({p}, pl.FP32)"),
        *("1.5", "0.25", "{u}"),
    ),
    "i1": (
        *("{a} % 3 < {b} % 3", "{a} == {b}", "{p} != {q}", "{u} <= {v}", "{p} >= {a}"),
        *("{a} > {lit}", "not {a} % 3 == 1 or {u} > {v}", "{p} < n and {a} <= {b}"),
    ),
}  # fmt: skip


@dataclass
class Writer:
    """Draws the text of one function; every read is of a name that is bound on every path."""

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list[str])
    whiles: int = 0

    def block(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        """Statements; `bound` grows by what they bind, `frozen` may not be bound again."""
        before = len(self.lines)
        for _ in range(self.draw(st.integers(1, 3))):
            kinds = ["assign", "assign", "assign", "alias", "element", "call"]
            if budget > 0:
                kinds += ["for", "if", "else", "while", "explicit", "while_", "yield"]
            getattr(self, f"_{self.draw(st.sampled_from(kinds))}")(bound, depth, budget, frozen)
        if len(self.lines) == before:
            self.put(depth, "pass")

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self, bound: set[str], kind: str) -> str:
        """A bound name of a type; loop counters and carries (i0, x0, w0) are of type index."""
        names = [n for n in sorted(bound) if n[0] in (*NAMES[kind], *("mixw" * (kind == "index")))]
        return self.draw(st.sampled_from(names or [f"({self.value(bound, kind)})"]))

    def target(self, kind: str, frozen: frozenset[str]) -> str | None:
        names = [n for n in NAMES[kind] if n not in frozen]
        return self.draw(st.sampled_from(names)) if names else None

    def value(self, bound: set[str], kind: str) -> str:
        form = self.draw(st.sampled_from(EXPRESSIONS[kind]))
        drawn = {
            letter: self.name(bound, of)
            for letter, of in zip("abpquv", ["index"] * 2 + ["i32"] * 2 + ["f32"] * 2, strict=True)
            if f"{{{letter}}}" in form
        }
        text = form.format(**drawn, lit=self.draw(st.integers(0, 9)))
        return f"pl.min(pl.max({text}, -1000.0), 1000.0)" if kind == "f32" else text

    def condition(self, bound: set[str]) -> str:
        return self.name(bound, "i1") if self.draw(st.booleans()) else self.value(bound, "i1")

    def _bind(
        self, text: Callable[[str], str], bound: set[str], depth: int, frozen: frozenset[str]
    ):
        kind = self.draw(st.sampled_from(["index", "index", "index", "i32", "f32", "i1"]))
        value = text(kind)
        if (target := self.target(kind, frozen)) is not None:
            self.put(depth, f"{target} = {value}")
            bound.add(target)

    def _assign(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self._bind(lambda kind: self.value(bound, kind), bound, depth, frozen)

    def _alias(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self._bind(lambda kind: self.name(bound, kind), bound, depth, frozen)

    def _element(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        at = f"pl.max({self.name(bound, 'index')}, 0) % 4"
        self.put(depth, f"t[{at}] = {self.value(bound, 'index')}")

    def _call(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        call = f"self.g({self.name(bound, 'index')}, {self.name(bound, 'i32')})"
        index, i32 = self.target("index", frozen), self.target("i32", frozen)
        if index is None or i32 is None:
            return
        if self.draw(st.booleans()):
            self.put(depth, f"{index}, {i32} = {call}")
        else:
            self.put(depth, f"r = {call}")
            self.put(depth, f"{index} = r[0]")
            self.put(depth, f"{i32} = r[1]")
        bound |= {index, i32}

    def _for(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        count = f"{self.name(bound, 'index')} % 4"
        forms = [
            *("range(3)", "range(0)", "range(1, 4)", "range(0, 5, 2)"),
            *("parallel(2)", "pipeline(3)", "unroll(2)"),
            *(f"range({count})", f"range(1, {count})"),
        ]
        form = self.draw(st.sampled_from(forms))
        counter = f"i{depth}"
        self.put(depth, f"for {counter} in pl.{form}:")
        self.block({*bound, counter}, depth + 1, budget - 1, frozen)

    def _explicit(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        one, two = self.target("index", frozen), self.target("index", frozen)
        if one is None or two is None or one == two:
            return
        carries = [f"x{depth}", f"x{depth}_"]
        init = f"({self.name(bound, 'index')}, {self.name(bound, 'index')})"
        self.put(depth, f"for i{depth}, ({', '.join(carries)}) in pl.range(3, init_values={init}):")
        inside = {*bound, *carries, f"i{depth}"}
        # What the body binds is not read behind a `pl.yield_`: PyPTO's form for carries.
        self.block(inside, depth + 1, budget - 1, frozen | {one, two})
        values = f"{self.name(inside, 'index')}, {self.name(inside, 'index')}"
        self.put(depth + 1, f"{one}, {two} = pl.yield_({values})")
        bound |= {one, two}

    def _while_(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        one, two = self.target("index", frozen), self.target("index", frozen)
        if one is None or two is None or one == two:
            return
        left, carry = f"w{depth}", f"x{depth}"
        init = f"({self.draw(st.integers(0, 3))}, {self.name(bound, 'index')})"
        self.put(depth, f"for ({left}, {carry}) in pl.while_(init_values={init}):")
        self.put(depth + 1, f"pl.cond({left} > 0)")
        inside = {*bound, left, carry}
        self.block(inside, depth + 1, budget - 1, frozen | {one, two})
        self.put(depth + 1, f"{one}, {two} = pl.yield_({left} - 1, {self.name(inside, 'index')})")
        bound |= {one, two}

    def _if(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self.put(depth, f"if {self.condition(bound)}:")
        self.block(set(bound), depth + 1, budget - 1, frozen)

    def _else(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        arms = [f"if {self.condition(bound)}:"]
        if self.draw(st.booleans()):
            arms.append(f"elif {self.condition(bound)}:")
        after: list[set[str]] = []
        for head in [*arms, "else:"]:
            self.put(depth, head)
            after.append(set(bound))
            self.block(after[-1], depth + 1, budget - 1, frozen)
        bound |= set.intersection(*after)

    def _yield(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        index, i1 = self.target("index", frozen), self.target("i1", frozen)
        if index is None or i1 is None:
            return
        self.put(depth, f"if {self.condition(bound)}:")
        for between in (None, "else:"):
            if between is not None:
                self.put(depth, between)
            values = f"{self.value(bound, 'index')}, {self.value(bound, 'i1')}"
            self.put(depth + 1, f"{index}, {i1} = pl.yield_({values})")
        bound |= {index, i1}

    def _while(self, bound: set[str], depth: int, budget: int, frozen: frozenset[str]) -> None:
        self.whiles += 1
        counter = f"w_{self.whiles}_"
        self.put(depth, f"{counter} = {self.name(bound, 'index')} % 4")
        also = f" and {self.value(bound, 'i1')}" if self.draw(st.booleans()) else ""
        also = also.replace(" or ", " and ")
        self.put(depth, f"while {counter} > 0{also}:")
        self.put(depth + 1, f"{counter} = {counter} - 1")
        self.block({*bound, counter}, depth + 1, budget - 1, frozen | {counter})

    def results(self, bound: set[str]) -> str:
        # Few results: a name that nobody reads in the end may still matter on the way.
        kinds = ("index", "index", "i32", "f32")
        return f"return {', '.join(self.name(bound & set('abcdepquv'), k) for k in kinds)}"


@st.composite
def programs(draw: st.DrawFn) -> str:
    writer = Writer(draw)
    bound = set(PARAMETERS)
    writer.put(2, "t = pl.array.create(4, pl.INDEX)")
    writer.put(2, "for i0 in pl.range(4):")
    writer.put(3, "t[i0] = i0 + a")
    writer.block(bound, 2, 3, frozenset())
    if draw(st.booleans()):
        writer.put(2, f"if {writer.condition(bound)}:")
        inside = set(bound)
        writer.block(inside, 3, 1, frozenset())
        writer.put(3, writer.results(inside))
        writer.block(bound, 2, 1, frozenset())
    writer.put(2, writer.results(bound))
    return HEAD + "\n".join(writer.lines) + "\n"


# The syntax tree

Number = Any
"""A number of a type (index is int64), or a literal, a Python int or float without one."""
KINDS: Mapping[str, type] = {"INDEX": np.int64, "INT32": np.int32, "FP32": np.float32}


def typed(kind: type, value: float) -> Number:
    """A number of a type; integers wrap."""
    if issubclass(kind, np.integer):
        bits = np.iinfo(kind).bits
        return kind((int(value) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1))
    return kind(value)


def meet(left: Number, right: Number) -> type | None:
    """The type in which two numbers meet: the literal's partner's, the wider; None of literals."""
    kinds = [type(side) for side in (left, right) if isinstance(side, np.generic)]
    return max(kinds, key=lambda kind: kind().itemsize) if kinds else None


def truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


BINARY: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: truncated,
    ast.Mod: lambda a, b: a - b * truncated(a, b),
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPARE: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
CALLS: Mapping[str, Callable[[Any, Any], Any]] = {"min": min, "max": max}


def computed(compute: Callable[[Any, Any], Any], left: Number, right: Number) -> Number:
    kind = meet(left, right)
    if kind is None:
        return compute(left, right)
    if issubclass(kind, np.integer):
        return typed(kind, compute(int(left), int(right)))
    return compute(kind(left), kind(right))


class Returned(Exception):
    """What a `return` gives back."""


class TreeInterpreter:
    """Runs a function's syntax tree; a name is a variable."""

    def __init__(self, functions: Mapping[str, ast.FunctionDef], variables: Mapping[str, Any]):
        self.functions = functions
        self.variables = dict(variables)

    def run(self, name: str) -> tuple[Number, ...]:
        try:
            self.block(self.functions[name].body)
        except Returned as returned:
            return returned.args[0]
        raise AssertionError("no return")

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.bind(target, self.value(value))
            case ast.If(test=test, body=body, orelse=orelse):
                self.block(body if self.value(test) else orelse)
            case ast.While(test=test, body=body):
                while self.value(test):
                    self.block(body)
            case ast.For(
                target=target, iter=ast.Call(keywords=[ast.keyword("init_values")]) as call
            ):
                self.explicit(target, call, node.body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                for number in range(*(int(self.value(bound)) for bound in bounds)):
                    self.variables[name] = np.int64(number)
                    self.block(body)
            case ast.Pass():
                pass
            case ast.Return(value=ast.Tuple(elts=elements)):
                raise Returned(tuple(map(self.value, elements)))
            case _:
                raise AssertionError(ast.dump(node))

    def bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.variables[name] = value
            case ast.Subscript(value=ast.Name(id=name), slice=at):
                self.variables[name][self.value(at)] = value
            case ast.Tuple(elts=elements):
                for element, each in zip(elements, value, strict=True):
                    self.bind(element, each)
            case _:
                raise AssertionError(ast.dump(target))

    def explicit(self, target: ast.expr, call: ast.Call, body: Sequence[ast.stmt]) -> None:
        """
        `for i, (x, y) in pl.range(n, init_values=..)`, `for (x, y) in pl.while_(init_values=..)`:
        the carries are the body's own, what is yielded is theirs in the next iteration.
        """
        assert isinstance(target, ast.Tuple)
        end = body[-1]
        assert isinstance(end, ast.Assign)
        values = self.value(call.keywords[0].value)
        if call.args:
            counter, target = target.elts
            for number in range(*(int(self.value(bound)) for bound in call.args)):
                self.bind(counter, np.int64(number))
                self.bind(target, values)
                self.block(body[:-1])
                values = self.value(end.value)
        else:
            condition, *rest = body[:-1]
            assert isinstance(condition, ast.Expr)
            assert isinstance(condition.value, ast.Call)
            self.bind(target, values)
            while self.value(condition.value.args[0]):
                self.block(rest)
                values = self.value(end.value)
                self.bind(target, values)
        self.bind(end.targets[0], values)

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self.variables[name]
            case ast.Tuple(elts=elements):
                return tuple(map(self.value, elements))
            case ast.Subscript(value=base, slice=at):
                return self.value(base)[self.value(at)]
            case ast.Call(func=ast.Attribute(attr=name), args=arguments):
                return self.call(name, arguments)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.value(operand)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return ~self.value(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.value(operand)
                return -value if isinstance(value, float) else computed(operator.sub, 0, value)
            case ast.BoolOp(op=op, values=values):
                sides = [self.value(value) for value in values]
                return any(sides) if isinstance(op, ast.Or) else all(sides)
            case ast.BinOp(left=left, op=op, right=right):
                return computed(BINARY[type(op)], self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return bool(COMPARE[type(op)](self.value(left), self.value(right)))
            case _:
                raise AssertionError(ast.dump(node))

    def call(self, name: str, arguments: Sequence[ast.expr]) -> Any:
        if name == "create":
            return [np.int64(0)] * 4
        if name in ("cast", "const"):
            value, kind = arguments
            assert isinstance(kind, ast.Attribute)
            return typed(KINDS[kind.attr], self.value(value))
        values = tuple(map(self.value, arguments))
        if name == "yield_":
            return values if len(values) > 1 else values[0]
        if name in CALLS:
            return computed(CALLS[name], *values)
        function = self.functions[name]
        names = [argument.arg for argument in function.args.args[1:]]
        kinds = [np.int64, np.int32]
        given = {n: typed(k, v) for n, k, v in zip(names, kinds, values, strict=True)}
        return TreeInterpreter(self.functions, given).run(name)


def run_tree(text: str, values: Mapping[str, Number]) -> list[Number]:
    """What `f` returns: two indices, an i32, an f32."""
    program = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    functions = {n.name: n for n in program.body if isinstance(n, ast.FunctionDef)}
    with np.errstate(all="ignore"):
        results = TreeInterpreter(functions, values).run("f")
    kinds = (np.int64, np.int64, np.int32, np.float32)
    return [typed(kind, result) for kind, result in zip(kinds, results, strict=True)]


# The IR


def read(text: str) -> ModuleOp:
    return PyPTOFrontend().parse(Context(), io.BytesIO(text.encode()), "p.py")


IR_TYPES = {"index": IndexType(), "i32": IntegerType(32), "f32": f32}


def run_ir(module: ModuleOp, values: Mapping[str, Number]) -> list[Number]:
    """What `pld-run` finds in the host's tensors after a run of the program on one rank."""
    whole, real = np.zeros(3, np.int64), np.zeros(1, np.float32)
    scalars = [scalar(values[name].item(), IR_TYPES[kind]) for name, kind in PARAMETERS.items()]
    machine = Machine(module, Settings(1, ReferenceEngine(), max_steps=50_000))
    machine.run(host_function(module, None), [*scalars, whole, real])
    return [*whole, *real]


def arguments(*values: float) -> dict[str, Number]:
    kinds = {"index": np.int64, "i32": np.int32, "f32": np.float32}
    given = zip(PARAMETERS.items(), values, strict=True)
    return {name: kinds[kind](value) for (name, kind), value in given}


CASES = {
    "read in the next iteration": """
        c = a
        for i in pl.range(4):
            a = a + c
            if i % 2 == 0:
                c = a
        return a, c, p, u
""",
    "read through one arm": """
        c = a
        if b > 3:
            c = 7
        if a > 4:
            c = b
        return c, a, p, u
""",
    "read by the condition only": """
        while b < 5:
            b = 9
            a = a + 1
        return a, m, p, u
""",
    "bound by the loop and not read before it": """
        for i in pl.range(b):
            if i == 2:
                a = i
        return a, b, p, u
""",
    "swapped": """
        for i in pl.range(b):
            c = a
            a = b
            b = c
        return a, b, p, u
""",
    "a literal on one path only": """
        c = 0
        q = p
        for i in pl.range(b):
            c = c + 2
            if a > i:
                q = q * n
        return c, a, q, u
""",
    "a condition that is carried": """
        k = a > 4
        while k and b > 0:
            b = b - 1
            k = b > 2
            u = u * h
        return a, b, p, u
""",
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 4), (5, 3), (7, 9)])
def test_the_ir_computes_what_a_case_computes(case: str, a: int, b: int):
    text = HEAD + CASES[case]
    values = arguments(a, b, 3, -7, 65539, 1.5, 0.75)
    assert run_ir(read(text), values) == run_tree(text, values)


def test_a_carry_shadows_the_name_outside():
    """Python would rebind `a`; in the DSL the outer `a` keeps its value."""
    case = """
        for i, (a,) in pl.range(3, init_values=(b,)):
            c = pl.yield_(a + i)
        return a, c, p, u
"""
    values = arguments(5, 2, 3, -7, 1, 1.5, 0.75)
    assert run_ir(read(HEAD + case), values) == [5, 2 + 0 + 1 + 2, -7, 1.5]


@given(
    programs(),
    st.builds(
        arguments,
        *(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)),
        *(st.integers(-9, 9), st.integers(-(2**31), 2**31 - 1)),
        *(st.floats(-8, 8, width=32), st.floats(-2, 2, width=32)),
    ),
)
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    phases=[Phase.generate],  # shrinking takes minutes, and the programs are short
)
def test_the_ir_computes_what_the_program_computes(text: str, values: Mapping[str, Number]):
    module = read(text)
    assert not verify_findings(module), text
    assert run_ir(module, values) == run_tree(text, values), text


def test_the_interpreters_are_no_constants():
    text = (
        HEAD
        + """\
        for i in pl.range(b):
            a = a * 2 + i
        return a, (a - 20) // 3, p * n, u / h
"""
    )
    values = arguments(1, 3, 1, -7, 2**30, 1.5, 0.75)
    # 2; 2 * 2 + 1; 2 * 5 + 2 = 12; -8 / 3 towards zero; -7 * 2^30 in 32 bits
    expected = [12, -2, 2**30, 2.0]
    assert run_tree(text, values) == expected
    assert run_ir(read(text), values) == expected
