"""
What a name of the file stands for, found on demand and without executing anything.

A scope is the module or a function; names resolve lexically, from a function outwards. A name is a
constant when all its bindings that may take effect evaluate to one value.
Source: the DSL reference, section 9.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute

from xdsl_pld.dialects.types import TaskIdType
from xdsl_pld.tools.frontend.source import Node, Problem
from xdsl_pld.tools.frontend.vocabulary import Vocabulary

# Values


@dataclass(frozen=True)
class DType:
    """An element type: `pl.FP32`."""

    name: str
    type: Attribute
    bits: int

    @property
    def bytes(self) -> int:
        return -(-self.bits // 8)


@dataclass(frozen=True)
class Dynamic:
    """An extent known at run time: `pl.dynamic("NR")`, or, without a name, arithmetic on one."""

    name: str | None


@dataclass(frozen=True)
class Member:
    """Any other name of the DSL: an enum member, a layout."""

    path: str

    @property
    def last(self) -> str:
        return self.path.rsplit(".", 1)[-1]


@dataclass(frozen=True)
class ViewSpec:
    """`pl.TensorView(stride=.., layout=.., valid_shape=..)`."""

    layout: str | None
    stride: tuple[int, ...] | None
    valid_shape: tuple[int, ...] | None


ConstValue = (
    int | float | bool | str | None | DType | Dynamic | Member | ViewSpec | tuple["ConstValue", ...]
)

SCRATCH = Member("pl.tile.create")
"""What `pl.tile.create` gives: room for an op to work in, of which nothing is made."""

DTYPES: Mapping[str, DType] = {
    name: DType(name, type_, bits)
    for name, type_, bits in (
        ("BOOL", IntegerType(1), 1),
        ("INT8", IntegerType(8), 8),
        ("INT16", IntegerType(16), 16),
        ("INT32", IntegerType(32), 32),
        ("INT64", IntegerType(64), 64),
        ("UINT8", IntegerType(8, Signedness.UNSIGNED), 8),
        ("UINT16", IntegerType(16, Signedness.UNSIGNED), 16),
        ("UINT32", IntegerType(32, Signedness.UNSIGNED), 32),
        ("UINT64", IntegerType(64, Signedness.UNSIGNED), 64),
        ("FP16", Float16Type(), 16),
        ("BF16", BFloat16Type(), 16),
        ("FP32", Float32Type(), 32),
        ("INDEX", IndexType(), 64),
        ("TASK_ID", TaskIdType(), 64),
    )
}
LAYOUTS = ("ND", "DN", "NZ")
_UNSUPPORTED_DTYPES = ("INT4", "UINT4", "FP4", "FP64", "HF4", "HF8")


def dtype_named(name: str, node: Node) -> DType | None:
    """The dtype of a name, None for a name that is no dtype's."""
    if name in DTYPES:
        return DTYPES[name]
    if name in _UNSUPPORTED_DTYPES or name.startswith("FP8"):
        raise Problem(node, f"element type '{name}' is not supported: MLIR has no type for it here")
    return None


# Scopes


@dataclass(frozen=True)
class Binding:
    """One place that binds a name; `value` is None for one that is no constant."""

    node: Node
    value: ast.expr | None
    why_not: str = ""
    element: tuple[int, ...] = ()
    """Where in the tuple that `value` is the name's part lies."""
    conditions: tuple[tuple[ast.expr, bool], ...] = ()
    """The `if` tests around it, and the outcome under which it takes effect."""
    certain: bool = True
    """False inside `for`, `while`, `try` and `with`."""


@dataclass
class Scope:
    """The module or a function, and what its statements bind."""

    node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
    parent: "Scope | None" = None
    is_body: bool = False
    """Whether it is a function of the program, whose parameters are no constants."""
    _bindings: dict[str, list[Binding]] | None = field(default=None, repr=False)

    @property
    def bindings(self) -> Mapping[str, Sequence[Binding]]:
        if self._bindings is None:
            self._bindings = {}
            for name, binding in _bindings_in(self.node.body, (), True):
                self._bindings.setdefault(name, []).append(binding)
        return self._bindings

    def parameter(self, name: str) -> ast.arg | None:
        if isinstance(self.node, ast.Module):
            return None
        return next((arg for arg in _parameters(self.node.args) if arg.arg == name), None)

    def default(self, name: str) -> ast.expr | None:
        """The default value of a parameter."""
        if isinstance(self.node, ast.Module):
            return None
        arguments = self.node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = dict(zip(reversed(positional), reversed(arguments.defaults), strict=False))
        defaults.update(
            (arg, default)
            for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is not None
        )
        return next((value for arg, value in defaults.items() if arg.arg == name), None)

    def parameters(self) -> Sequence[str]:
        if isinstance(self.node, ast.Module):
            return ()
        return [arg.arg for arg in _parameters(self.node.args)]


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None)


def _bindings_in(
    statements: Sequence[ast.stmt],
    conditions: tuple[tuple[ast.expr, bool], ...],
    certain: bool,
) -> Iterator[tuple[str, Binding]]:
    """The names that statements bind in their own scope, in the order of the text."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    for name, element in _target_names(target, ()):
                        yield (
                            name,
                            Binding(statement, value, "", element, conditions, certain),
                        )
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, Binding(statement, value, "", (), conditions, certain)
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name, Binding(statement, None, "it is changed in place", (), conditions)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, Binding(statement, None, "it is a function", (), conditions)
            case ast.ClassDef(name=name):
                yield name, Binding(statement, None, "it is a class", (), conditions)
            case ast.If(test=test, body=body, orelse=orelse):
                yield from _bindings_in(body, (*conditions, (test, True)), certain)
                yield from _bindings_in(orelse, (*conditions, (test, False)), certain)
            case ast.For(target=target, body=body, orelse=orelse):
                for name, _ in _target_names(target, ()):
                    yield name, Binding(statement, None, "it is a loop variable", (), conditions)
                yield from _bindings_in([*body, *orelse], conditions, False)
            case ast.While(body=body, orelse=orelse):
                yield from _bindings_in([*body, *orelse], conditions, False)
            case ast.With(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        for name, _ in _target_names(item.optional_vars, ()):
                            yield (
                                name,
                                Binding(statement, None, "a `with` binds it", (), conditions),
                            )
                yield from _bindings_in(body, conditions, False)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                nested = [*body, *orelse, *final]
                for handler in handlers:
                    nested += handler.body
                yield from _bindings_in(nested, conditions, False)
            case _:
                pass


def _target_names(target: ast.expr, path: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    if isinstance(target, ast.Name):
        yield target.id, path
    elif isinstance(target, ast.Tuple | ast.List):
        for index, element in enumerate(target.elts):
            yield from _target_names(element, (*path, index))


# Arithmetic

_MOST_BITS = 64
_BINARY: Mapping[type[ast.operator], Callable[[int | float, int | float], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: operator.mod,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int | float, int | float], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Mapping[str, Callable[[Sequence[int | float]], int | float]] = {
    "min": min,
    "max": max,
    "abs": lambda numbers: abs(numbers[0]),
    "int": lambda numbers: int(numbers[0]),
}


def in_range(value: ConstValue, node: Node) -> ConstValue:
    """`value`, refused when it is an integer of more than 64 bits, or a float beyond 64 bits."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise Problem(node, f"the constant has more than {_MOST_BITS} bits")
    if isinstance(value, float) and not isfinite(value):
        raise Problem(node, "the constant is beyond the floats of 64 bits")
    return value


def fold_binary(op: ast.operator, left: ConstValue, right: ConstValue, node: Node) -> ConstValue:
    """Arithmetic on two constants, by Python's rules."""
    if isinstance(left, Dynamic) or isinstance(right, Dynamic):
        return Dynamic(None)
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise Problem(node, "arithmetic needs numbers")
    if isinstance(op, ast.Pow | ast.LShift | ast.RShift):
        return in_range(_fold_power(op, left, right, node), node)
    function = _BINARY.get(type(op))
    if function is None:
        raise Problem(node, "this operator is not supported on constants")
    try:
        return in_range(function(left, right), node)
    except ZeroDivisionError:
        raise Problem(node, "division by zero") from None
    except OverflowError:
        raise Problem(node, f"the constant has more than {_MOST_BITS} bits") from None


def _fold_power(op: ast.operator, left: float, right: float, node: Node) -> ConstValue:
    if not isinstance(right, int) or not 0 <= right <= _MOST_BITS:
        raise Problem(node, f"the exponent of a constant lies between 0 and {_MOST_BITS}")
    if isinstance(op, ast.Pow):
        try:
            return left**right
        except OverflowError:
            raise Problem(node, f"the constant has more than {_MOST_BITS} bits") from None
    if not isinstance(left, int):
        raise Problem(node, "a shift needs integers")
    return left << right if isinstance(op, ast.LShift) else left >> right


def fold_unary(op: ast.unaryop, value: ConstValue, node: Node) -> ConstValue:
    """A sign, `~` or `not` of a constant."""
    if isinstance(value, Dynamic):
        return Dynamic(None)
    if isinstance(op, ast.Not):
        return not value
    if isinstance(op, ast.Invert) and isinstance(value, int):
        return -int(value) - 1
    if isinstance(value, int | float) and isinstance(op, ast.USub | ast.UAdd):
        return in_range(-value if isinstance(op, ast.USub) else +value, node)
    raise Problem(node, "this operator needs a number")


def fold_comparison(
    op: ast.cmpop, left: ConstValue, right: ConstValue, node: Node
) -> bool | Dynamic:
    """One comparison of two constants."""
    if isinstance(left, Dynamic) or isinstance(right, Dynamic):
        return Dynamic(None)
    function = _COMPARISONS.get(type(op))
    if function is None:
        raise Problem(node, "'is' and 'in' are not supported: use '==' or '!='")
    if isinstance(op, ast.Eq | ast.NotEq):
        return (left == right) == isinstance(op, ast.Eq)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return function(left, right)
    raise Problem(node, "this comparison needs numbers")


CONSTANT_FUNCTIONS = ("len", *_FUNCTIONS)
"""Python's functions that are computed on constants."""


# Evaluation


@dataclass
class Overrides:
    """What the command line says: `-D` for the module's names, `--bind` for a factory's."""

    define: Mapping[str, ConstValue] = field(default_factory=dict[str, ConstValue])
    bind: Mapping[str, ConstValue] = field(default_factory=dict[str, ConstValue])


class Constants:
    """Evaluates expressions of the file; each name once."""

    def __init__(self, vocabulary: Vocabulary, overrides: Overrides):
        self.vocabulary = vocabulary
        self.overrides = overrides
        self._values: dict[tuple[int, str], ConstValue] = {}
        self._open: set[tuple[int, str]] = set()
        self.dynamic_names: set[str] = set()
        self.used_binds: set[str] = set()

    def evaluate(self, node: ast.expr, scope: Scope, line: int) -> ConstValue:
        """The value of an expression as it stands at `line`; a Problem where it has none."""
        match node:
            case ast.Constant(value=value):
                if value is None or isinstance(value, int | float | str):
                    return in_range(value, node)
                raise Problem(node, f"a {type(value).__name__} literal has no place here")
            case ast.Name(id=name):
                return self.name(name, node, scope, line)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return tuple(self.evaluate(element, scope, line) for element in elements)
            case ast.BinOp(left=left, op=op, right=right):
                values = self.evaluate(left, scope, line), self.evaluate(right, scope, line)
                return fold_binary(op, *values, node)
            case ast.UnaryOp(op=op, operand=operand):
                return fold_unary(op, self.evaluate(operand, scope, line), node)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                values = self.evaluate(left, scope, line), self.evaluate(right, scope, line)
                return fold_comparison(op, *values, node)
            case ast.BoolOp(op=op, values=operands):
                return self._bool_op(op, operands, scope, line)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                chosen = body if self.evaluate(test, scope, line) else orelse
                return self.evaluate(chosen, scope, line)
            case ast.Subscript(value=value, slice=index):
                return self._element(node, value, index, scope, line)
            case ast.Call():
                return self._call(node, scope, line)
            case ast.Attribute():
                return self._attribute(node)
            case _:
                raise Problem(node, "this expression cannot be computed without executing the file")

    def name(self, name: str, node: Node, scope: Scope, line: int) -> ConstValue:
        """The value of a name at `line`, seen from `scope`."""
        if name in self.vocabulary.names:
            return self.member(self.vocabulary.names[name], node)
        at: Scope | None = scope
        while at is not None:
            if at.parameter(name) is not None:
                return self._parameter(name, node, at, line)
            if isinstance(at.node, ast.Module) and name in self.overrides.define:
                return self.overrides.define[name]
            if name in at.bindings:
                return self._bound(name, node, at, line)
            at = at.parent
        if name in self.overrides.define:
            return self.overrides.define[name]
        if name in self.vocabulary.foreign:
            raise Problem(
                node,
                f"'{name}' is imported from another file, which is not read: "
                f"pass -D {name}=<value> if it is a number",
                told_once=True,
            )
        raise Problem(node, f"'{name}' has no value here")

    def member(self, path: str, node: Node) -> ConstValue:
        """The value of a DSL name: a dtype, or itself."""
        last = path.rsplit(".", 1)[-1]
        dtype = dtype_named(last, node)
        return Member(path) if dtype is None else dtype

    def _parameter(self, name: str, node: Node, scope: Scope, line: int) -> ConstValue:
        assert not isinstance(scope.node, ast.Module)
        if scope.is_body:
            raise Problem(node, f"'{name}' is no constant: it is a parameter of this function")
        if name in self.overrides.bind:
            self.used_binds.add(name)
            return self.overrides.bind[name]
        default = scope.default(name)
        if default is not None:
            outer = scope.parent or scope
            return self._guarded(name, node, scope, lambda: self.evaluate(default, outer, line))
        raise Problem(
            node,
            f"'{name}' is a parameter of the factory '{scope.node.name}': "
            f"pass --bind {name}=<value>",
            told_once=True,
        )

    def _bound(self, name: str, node: Node, scope: Scope, line: int) -> ConstValue:
        return self._guarded(name, node, scope, lambda: self._one_value(name, node, scope, line))

    def _guarded(
        self, name: str, node: Node, scope: Scope, compute: Callable[[], ConstValue]
    ) -> ConstValue:
        key = (id(scope), name)
        if key in self._values:
            return self._values[key]
        if key in self._open:
            raise Problem(node, f"the value of '{name}' depends on itself")
        self._open.add(key)
        try:
            value = compute()
        finally:
            self._open.discard(key)
        self._values[key] = value
        return value

    def _one_value(self, name: str, node: Node, scope: Scope, line: int) -> ConstValue:
        bindings = scope.bindings[name]
        above = [binding for binding in bindings if binding.node.lineno < line] or bindings
        active = [binding for binding in above if self._may_hold(binding, scope)]
        if not active:
            raise Problem(node, f"'{name}' is bound only where its condition is false")
        values: list[ConstValue] = []
        for binding in active:
            if binding.value is None:
                raise Problem(
                    node,
                    f"'{name}' is no constant: {binding.why_not}",
                    [(binding.node, "it is bound here")],
                )
            values.append(self._binding_value(name, binding, scope))
        if any(type(v) is not type(values[0]) or v != values[0] for v in values[1:]):
            raise Problem(
                node,
                f"'{name}' is no constant: it has several values",
                [(binding.node, "it is bound here") for binding in active],
            )
        if not any(binding.certain for binding in active):
            raise Problem(
                node,
                f"'{name}' is no constant: it is bound inside a loop, `try` or `with`",
                [(binding.node, "it is bound here") for binding in active],
            )
        return values[0]

    def _may_hold(self, binding: Binding, scope: Scope) -> bool:
        """Whether the `if`s around a binding let it take effect, as far as constants tell."""
        for test, outcome in binding.conditions:
            try:
                value = self.evaluate(test, scope, binding.node.lineno)
            except Problem:
                continue
            if not isinstance(value, Dynamic) and bool(value) != outcome:
                return False
        return True

    def _binding_value(self, name: str, binding: Binding, scope: Scope) -> ConstValue:
        assert binding.value is not None
        value = self.evaluate(binding.value, scope, binding.node.lineno)
        for index in binding.element:
            if not isinstance(value, tuple) or index >= len(value):
                raise Problem(binding.node, f"'{name}' cannot be unpacked from this value")
            value = value[index]
        if isinstance(value, Dynamic):
            self.dynamic_names.add(name)
            for key in (name, value.name):
                for table in (self.overrides.define, self.overrides.bind):
                    if key is not None and key in table:
                        self.used_binds.add(key)
                        return table[key]
        return value

    def _bool_op(
        self, op: ast.boolop, operands: Sequence[ast.expr], scope: Scope, line: int
    ) -> ConstValue:
        value: ConstValue = None
        for operand in operands:
            value = self.evaluate(operand, scope, line)
            if bool(value) == isinstance(op, ast.Or):
                break
        return value

    def _element(
        self, node: ast.expr, value: ast.expr, index: ast.expr, scope: Scope, line: int
    ) -> ConstValue:
        container = self.evaluate(value, scope, line)
        position = self.evaluate(index, scope, line)
        return constant_element(container, position, node)

    def _attribute(self, node: ast.Attribute) -> ConstValue:
        path = self.vocabulary.path(node)
        if path is None:
            raise Problem(
                node,
                f"'{ast.unparse(node)}' cannot be computed without executing the file"
                if len(ast.dump(node)) < 500
                else "this attribute cannot be computed without executing the file",
            )
        return self.member(path, node)

    def _call(self, node: ast.Call, scope: Scope, line: int) -> ConstValue:
        path = self.vocabulary.path(node.func)
        if path == "pl.dynamic":
            arguments = [self.evaluate(argument, scope, line) for argument in node.args]
            if len(arguments) == 1 and isinstance(arguments[0], str) and not node.keywords:
                self.dynamic_names.add(arguments[0])
                return Dynamic(arguments[0])
            raise Problem(node, "pl.dynamic takes one name, a string")
        if path is not None and path.endswith(".TensorView"):
            return self._view(node, scope, line)
        match node.func:
            case ast.Attribute(value=owner, attr="get_byte") if not node.args:
                dtype = self.evaluate(owner, scope, line)
                if isinstance(dtype, DType):
                    return dtype.bytes
            case ast.Name(id=name) if name in CONSTANT_FUNCTIONS and not node.keywords:
                values = [self.evaluate(argument, scope, line) for argument in node.args]
                return self.apply(name, values, node)
            case _:
                pass
        raise Problem(node, "this call cannot be computed: the file is parsed, not executed")

    def apply(self, name: str, values: Sequence[ConstValue], node: Node) -> ConstValue:
        """`len`, `min`, `max`, `abs` or `int` of constants."""
        if any(isinstance(value, Dynamic) for value in values):
            return Dynamic(None)
        if name == "len":
            if len(values) == 1 and isinstance(values[0], tuple | str):
                return len(values[0])
            raise Problem(node, "len is for constant tuples")
        if len(values) == 1 and isinstance(values[0], tuple) and name in ("min", "max"):
            values = values[0]
        numbers = [value for value in values if isinstance(value, int | float)]
        if not numbers or len(numbers) != len(values):
            raise Problem(node, f"{name} needs numbers")
        if name in ("abs", "int") and len(numbers) != 1:
            raise Problem(node, f"{name} takes one number")
        try:
            result = _FUNCTIONS[name](numbers)
        except (ValueError, OverflowError):
            raise Problem(node, f"{name} of this value is no number") from None
        return in_range(result, node)

    def _view(self, node: ast.Call, scope: Scope, line: int) -> ViewSpec:
        if node.args:
            raise Problem(node, "pl.TensorView takes keywords: stride, layout, valid_shape")
        layout: str | None = None
        lists: dict[str, tuple[int, ...]] = {}
        for keyword in node.keywords:
            if keyword.arg not in ("stride", "layout", "valid_shape"):
                raise Problem(keyword, f"pl.TensorView: '{keyword.arg}' is not supported")
            value = self.evaluate(keyword.value, scope, line)
            if keyword.arg == "layout":
                layout = layout_name(value, keyword.value)
            elif isinstance(value, tuple) and all(type(entry) is int for entry in value):
                lists[keyword.arg] = tuple(entry for entry in value if isinstance(entry, int))
            else:
                raise Problem(keyword.value, f"{keyword.arg} must be a list of constant integers")
        return ViewSpec(layout, lists.get("stride"), lists.get("valid_shape"))


def layout_name(value: ConstValue, node: Node) -> str:
    """The IR's name of a layout: `pl.NZ` is "nz"."""
    if isinstance(value, Member) and value.last in LAYOUTS:
        return value.last.lower()
    raise Problem(node, f"expected a layout, one of pl.{', pl.'.join(LAYOUTS)}")


def constant_element(container: ConstValue, position: ConstValue, node: Node) -> ConstValue:
    """An element of a constant tuple."""
    if not isinstance(container, tuple) or type(position) is not int:
        raise Problem(node, "this subscript is no constant")
    if not -len(container) <= position < len(container):
        raise Problem(node, f"index {position} is outside of the {len(container)} elements")
    return container[position]


def parse_override(option: str, text: str) -> tuple[str, ConstValue]:
    """`NAME=VALUE` of the command line: an int, a float, true or false, or a dtype's name."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise ValueError(f"{option} takes NAME=VALUE, not '{text}'")
    if value in ("true", "false", "True", "False"):
        return name, value.lower() == "true"
    dtype = DTYPES.get(value.removeprefix("pl."))
    if dtype is not None:
        return name, dtype
    number = _number(value)
    if number is None or not isfinite(number):
        raise ValueError(
            f"{option} {text}: the value must be an int, a float, true, false or a dtype's name"
        )
    if isinstance(number, int) and not -(2**63) <= number < 2**64:
        raise ValueError(f"{option} {text}: more than {_MOST_BITS} bits")
    return name, number


def _number(text: str) -> int | float | None:
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None
