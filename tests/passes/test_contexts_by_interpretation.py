"""
Random programs, run before and after the passes: what is asked and passed must be the same.

The oracle knows nothing of lineage. It *runs* a program on labelled tensors: each parameter and
window is a buffer with a label, views and writes keep it, calls run their callee, branches and trip
counts come from a seeded coin. After the pass a context carries a label too, and wherever a
function is entered the context beside a tensor must carry that tensor's label. A merge that has
seen two labels over many runs is one that the pass must refuse; all else it must accept.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects import arith, cf, func, scf, test
from xdsl.dialects.builtin import Builtin, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pl.attributes import is_host_orchestrator, param_attrs
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.pld.system import GetCommCtxOp, RankOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.passes.materialize_dist_tensor_ctx import MaterializeDistTensorCtxPass
from xdsl_pld.passes.normalize_return_order import NormalizeReturnOrderPass
from xdsl_pld.passes.properties import Property, violations

D, T = "!pld.dist_tensor<tensor<4xf32>>", "tensor<4xf32>"


# Running


class OutOfFuel(Exception):
    """A run that recurses or loops for too long; it proves nothing."""


@dataclass
class Run:
    """One run of a function as the entry. A value is a label; a context is a label in a tuple."""

    module: ModuleOp
    coin: Random
    merged: dict[SSAValue, set[object]]
    """What each distributed carry and branch result of the entry has been, over all runs."""
    events: list[object] = field(default_factory=list[object])
    depth: int = 0
    fuel: int = 400
    fresh: int = 0

    def __post_init__(self) -> None:
        self.functions = {
            op.sym_name.data: op for op in self.module.body.ops if isinstance(op, func.FuncOp)
        }

    def enter(self, name: str) -> Sequence[object]:
        """Runs a function on buffers of its own."""
        function = self.functions[name]
        labels: list[object] = [f"p{i}" for i in range(len(function.args))]
        for index in range(len(function.args)):
            tensor = param_attrs(function, index).get("pld.ctx_of")
            if isinstance(tensor, IntegerAttr):
                labels[index] = (labels[tensor.value.data],)
        return self.call(function, labels)

    def call(self, function: func.FuncOp, arguments: Sequence[object]) -> Sequence[object]:
        if not function.body.blocks:
            return arguments[: len(function.function_type.outputs)]
        pairs = [param_attrs(function, index).get("pld.ctx_of") for index in range(len(arguments))]
        for index, tensor in enumerate(pairs):
            if isinstance(tensor, IntegerAttr):
                assert arguments[index] == (arguments[tensor.value.data],), "a wrong context"
        self.depth += 1
        values: dict[SSAValue, object] = dict(zip(function.args, arguments, strict=True))
        returned = self.block(function.body.block, values)
        self.depth -= 1
        return returned

    def block(self, block: Block, values: dict[SSAValue, object]) -> Sequence[object]:
        """Runs a block; what its terminator passes on."""
        for op in block.ops:
            self.fuel -= not isinstance(op, GetCommCtxOp)  # a pass may add and remove them
            if self.fuel < 0 or self.depth > 8:
                raise OutOfFuel
            operands = [values[operand] for operand in op.operands]
            if isinstance(op, func.ReturnOp | scf.YieldOp):
                return operands
            if isinstance(op, scf.ConditionOp):
                return operands[1:]
            results = self.results(op, operands, values)
            values.update(zip(op.results, results, strict=True))
        return ()

    def results(
        self, op: Operation, operands: Sequence[object], values: dict[SSAValue, object]
    ) -> Sequence[object]:
        match op:
            case CallOp() | SubmitOp() | func.CallOp():
                callee = self.functions[op.callee.root_reference.data]
                arguments = [values[argument] for argument in op.arguments]
                tensors = [
                    label
                    for label, argument in zip(arguments, op.arguments, strict=True)
                    if isinstance(argument.type, DistributedTensorType)
                ]
                self.events.append((callee.sym_name.data, *tensors))
                task = ["task"] if isinstance(op, SubmitOp) else []
                return [*self.call(callee, arguments), *task]
            case GetCommCtxOp():
                return [(operands[0],)]
            case RankOp():
                self.events.append(("rank", operands[0]))
                return ["rank"]
            case test.TestOp():
                self.events.append(("use", *operands))
                return []
            case scf.IfOp():
                region = op.true_region if self.coin.random() < 0.5 else op.false_region
                results = self.block(region.block, values) if region.blocks else ()
                self.note(op.results, results)
                return results
            case scf.ForOp():
                carried = operands[3:]
                self.note(op.body.block.args[1:], carried)
                for _ in range(self.coin.randrange(3)):
                    values.update(zip(op.body.block.args, ["i", *carried], strict=True))
                    carried = self.block(op.body.block, values)
                    self.note(op.body.block.args[1:], carried)
                return carried
            case scf.WhileOp():
                before, after = op.before_region.block, op.after_region.block
                carried = operands
                for trip in range(self.coin.randrange(3), -1, -1):
                    self.note(before.args, carried)
                    values.update(zip(before.args, carried, strict=True))
                    passed = self.block(before, values)
                    if trip == 0:
                        return passed
                    values.update(zip(after.args, passed, strict=True))
                    carried = self.block(after, values)
                    self.note(before.args, carried)
                raise AssertionError
            case _:
                return self.leaf(op, operands)

    def leaf(self, op: Operation, operands: Sequence[object]) -> Sequence[object]:
        match op.name:
            case "pl.tensor.view":
                return [operands[0]]
            case "pl.tensor.assemble":
                return [operands[1]]
            case "pl.tensor.create" | "pld.tensor.window":
                self.fresh += 1
                return [f"{op.name}{self.fresh}"]
            case _:
                return [op.name for _ in op.results]

    def note(self, joins: Sequence[SSAValue], labels: Sequence[object]) -> None:
        if self.depth == 1:
            for join, label in zip(joins, labels, strict=True):
                if isinstance(join.type, DistributedTensorType):
                    self.merged[join].add(label)


def events(module: ModuleOp, name: str, seed: int) -> Sequence[object] | None:
    """What a run of a function does and returns, None where it took too long."""
    run = Run(module, Random(seed), defaultdict(set))
    try:
        returned = run.enter(name)
    except OutOfFuel:
        return None
    return [*run.events, *([] if name.startswith("kernel") else returned)]


def has_conflict(module: ModuleOp, runs: int) -> bool:
    """Whether some merge of distributed tensors has seen two of them."""
    for function in module.body.ops:
        assert isinstance(function, func.FuncOp)
        merged: dict[SSAValue, set[object]] = defaultdict(set)
        for seed in range(runs):
            try:
                Run(module, Random(seed), merged).enter(function.sym_name.data)
            except OutOfFuel:
                continue
            if any(len(labels) > 1 for labels in merged.values()):
                return True
    return False


# Making programs


@dataclass
class Value:
    """A tensor of a program in the making, and, where it is kept track of, its buffer."""

    name: str
    kind: str
    label: object


@dataclass
class Function:
    name: str
    kind: str
    parameters: Sequence[str]
    returns: Sequence[tuple[str, object]]
    """The type of each result and the parameter that it is, if one."""


class Maker:
    """Writes one program. `consistent` merges only what is one buffer."""

    def __init__(self, below: Callable[[int], int], consistent: bool):
        """`below` chooses a number below its argument."""
        self.below = below
        self._consistent = consistent
        self._functions: list[Function] = []
        self._texts: list[str] = []
        self._count = 0

    def program(self) -> str:
        kinds = ["incore", "aiv", "group", "orchestration", "opaque", "host"]
        for index in range(2 + self.below(2)):
            self.function(f"f{index}", kinds[self.below(len(kinds))])
        texts = list(self._texts)
        for index in range(len(texts)):  # in any order of the text
            texts.insert(self.below(len(texts)), texts.pop(index))
        return "\n".join(texts)

    def fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def function(self, name: str, kind: str) -> None:
        parameters = [(D, D, T)[self.below(3)] for _ in range(2 + self.below(3))]
        if kind == "host":
            parameters = [T for _ in parameters]
        name = f"kernel_{name}" if kind in ("incore", "aiv") else name
        scope = [Value(f"%a{i}", p, i) for i, p in enumerate(parameters)]
        signature = ", ".join(f"{value.name}: {value.kind}{self.direction()}" for value in scope)
        lines: list[str] = []
        if kind == "host":
            for index in range(2):
                lines += [
                    f'%b{index} = pld.tensor.alloc_window_buffer %n {{name = "{name}_{index}"}} '
                    ": !pld.window_buffer",
                    f"%w{index} = pld.tensor.window %b{index} : !pld.window_buffer -> {D}",
                ]
                scope.append(Value(f"%w{index}", D, f"w{index}"))
        lines += self.statements(scope, 0, kind)
        returned = [self.pick(scope) for _ in range(self.below(4))]
        types = ", ".join(value.kind for value in returned)
        names = ", ".join(value.name for value in returned)
        lines.append(f"func.return {names} : {types}" if returned else "func.return")
        attributes = {
            "host": ' attributes {pl.level = "host", pl.role = "orchestrator"}',
            "opaque": "",
        }.get(kind, f' attributes {{pl.func_type = "{kind}"}}')
        body = "\n".join(f"  {line}" for line in lines)
        extra = "%n: index, %c: i1, "
        self._texts.append(
            f"func.func @{name}({extra}{signature}) -> ({types}){attributes} {{\n{body}\n}}"
        )
        labels = [(v.kind, v.label if isinstance(v.label, int) else None) for v in returned]
        self._functions.append(Function(name, kind, parameters, labels))

    def direction(self) -> str:
        return ("", ' {pl.dir = "inout"}', ' {pl.dir = "out"}')[self.below(3)]

    def pick(self, scope: Sequence[Value], kind: str | None = None) -> Value:
        fitting = [value for value in scope if kind in (None, value.kind)]
        # Young values are the interesting ones.
        return fitting[-1 - min(self.below(len(fitting)), self.below(len(fitting)))]

    def another(self, scope: Sequence[Value], like: Value) -> Value:
        """A value to merge with `like`."""
        fitting = [
            value
            for value in scope
            if value.kind == like.kind and (not self._consistent or value.label == like.label)
        ]
        return fitting[self.below(len(fitting))]

    def statements(self, scope: list[Value], depth: int, kind: str) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.below(3)):
            lines += self.statement(scope, depth, kind)
        return lines

    def statement(self, scope: list[Value], depth: int, kind: str) -> list[str]:
        choices = [self.view, self.assemble, self.call, self.call, self.use]
        if kind != "host":
            choices.append(self.query)
        if depth < 2:
            nested = [self.branch, self.loop, self.while_loop]
            return [
                *choices,
                *(lambda s, build=build: build(s, depth, kind) for build in nested),
            ][self.below(len(choices) + 3)](scope)
        return choices[self.below(len(choices))](scope)

    def view(self, scope: list[Value]) -> list[str]:
        source, name = self.pick(scope), self.fresh()
        scope.append(Value(name, source.kind, source.label))
        return [f"{name} = pl.tensor.view {source.name} : {source.kind} -> {source.kind}"]

    def assemble(self, scope: list[Value]) -> list[str]:
        source, target, name = self.pick(scope), self.pick(scope), self.fresh()
        scope.append(Value(name, target.kind, target.label))
        return [
            f"{name} = pl.tensor.assemble {source.name} into {target.name}[0] : {source.kind}, "
            f"{target.kind}"
        ]

    def use(self, scope: list[Value]) -> list[str]:
        value = self.pick(scope)
        return [f'"test.op"({value.name}) : ({value.kind}) -> ()']

    def query(self, scope: list[Value]) -> list[str]:
        if all(value.kind == T for value in scope):
            return []
        value, context, rank = self.pick(scope, D), self.fresh(), self.fresh()
        return [
            f"{context} = pld.system.get_comm_ctx {value.name} : {D}",
            f"{rank} = pld.system.rank {context} : i32",
        ]

    def call(self, scope: list[Value]) -> list[str]:
        callees = [f for f in self._functions if f.kind != "host"]
        if not callees:
            return []
        callee = callees[self.below(len(callees))]
        distributed = [value for value in scope if value.kind == D]
        if D in callee.parameters and not distributed:
            return []
        arguments = [
            self.pick(scope, D) if parameter == D else self.pick(scope)
            for parameter in callee.parameters
        ]
        results = [
            Value(
                self.fresh(),
                kind,
                (callee.name, self._count) if index is None else arguments[index].label,
            )
            for kind, index in callee.returns
        ]
        scope += results
        names = [result.name for result in results]
        types = [result.kind for result in results]
        ops = ["pl.call"]
        if [argument.kind for argument in arguments] == callee.parameters:
            ops.append("func.call")
        if callee.kind not in ("opaque", "orchestration"):
            ops.append("pl.submit")
        op = ops[self.below(len(ops))]
        if op == "pl.submit":
            names.append(self.fresh())
            types.append("!pl.task_id")
        head = f"{', '.join(names)} = " if names else ""
        passed = ", ".join(["%n", "%c", *(argument.name for argument in arguments)])
        given = ", ".join(["index", "i1", *(argument.kind for argument in arguments)])
        return [f"{head}{op} @{callee.name}({passed}) : ({given}) -> ({', '.join(types)})"]

    def branch(self, scope: list[Value], depth: int, kind: str) -> list[str]:
        sides = [list(scope), list(scope)]
        bodies = [self.statements(side, depth + 1, kind) for side in sides]
        merged: list[tuple[Value, Value]] = []
        for _ in range(self.below(3)):
            left = self.pick(sides[0])
            fitting = [v for v in sides[1] if v.kind == left.kind]
            if self._consistent:
                fitting = [v for v in fitting if v.label == left.label]
            if fitting:
                merged.append((left, fitting[self.below(len(fitting))]))
        results = [Value(self.fresh(), left.kind, left.label) for left, _ in merged]
        types = ", ".join(left.kind for left, _ in merged)
        lines = [
            f"{', '.join(r.name for r in results)} = scf.if %c -> ({types}) {{"
            if merged
            else "scf.if %c {"
        ]
        for position, body in enumerate(bodies):
            names = ", ".join(pair[position].name for pair in merged)
            lines += [f"  {line}" for line in body]
            lines.append(f"  scf.yield {names} : {types}" if merged else "  scf.yield")
            lines.append("} else {" if position == 0 else "}")
        scope += results
        return lines

    def carries(self, scope: Sequence[Value]) -> Sequence[tuple[Value, Value]]:
        """Initial values, each with the carry that it becomes."""
        initial = [self.pick(scope) for _ in range(self.below(4))]
        return [(value, Value(self.fresh(), value.kind, value.label)) for value in initial]

    def loop(self, scope: list[Value], depth: int, kind: str) -> list[str]:
        carries = self.carries(scope)
        inner = [*scope, *(carry for _, carry in carries)]
        body = self.statements(inner, depth + 1, kind)
        yielded = [self.another(inner, carry) for _, carry in carries]
        results = [Value(self.fresh(), carry.kind, carry.label) for _, carry in carries]
        types = ", ".join(carry.kind for _, carry in carries)
        names = ", ".join(value.name for value in yielded)
        head = f"{', '.join(r.name for r in results)} = " if carries else ""
        pairs = ", ".join(f"{carry.name} = {value.name}" for value, carry in carries)
        given = f" iter_args({pairs}) -> ({types})" if carries else ""
        scope += results
        return [
            f"{head}scf.for {self.fresh()} = %n to %n step %n{given} {{",
            *(f"  {line}" for line in body),
            f"  scf.yield {names} : {types}" if carries else "  scf.yield",
            "}",
        ]

    def while_loop(self, scope: list[Value], depth: int, kind: str) -> list[str]:
        carries = self.carries(scope)
        before = [*scope, *(carry for _, carry in carries)]
        first = self.statements(before, depth + 1, kind)
        passed = [self.pick(before) for _ in range(self.below(3))]
        handed = [Value(self.fresh(), value.kind, value.label) for value in passed]
        after = [*scope, *handed]
        second = self.statements(after, depth + 1, kind)
        if any(
            all(
                v.kind != carry.kind or (self._consistent and v.label != carry.label) for v in after
            )
            for _, carry in carries
        ):
            return []
        yielded = [self.another(after, carry) for _, carry in carries]
        results = [Value(self.fresh(), value.kind, value.label) for value in passed]
        given = ", ".join(carry.kind for _, carry in carries)
        types = ", ".join(value.kind for value in passed)
        head = f"{', '.join(r.name for r in results)} = " if passed else ""
        pairs = ", ".join(f"{carry.name} = {value.name}" for value, carry in carries)
        arguments = ", ".join(f"{value.name}: {value.kind}" for value in handed)
        onward = f" {', '.join(v.name for v in passed)} : {types}" if passed else ""
        back = f" {', '.join(v.name for v in yielded)} : {given}" if carries else ""
        scope += results
        return [
            f"{head}scf.while ({pairs}) : ({given}) -> ({types}) {{",
            *(f"  {line}" for line in first),
            f"  scf.condition(%c){onward}",
            "} do {",
            *([f"^{self.fresh()[1:]}({arguments}):"] if handed else []),
            *(f"  {line}" for line in second),
            f"  scf.yield{back}",
            "}",
        ]


@st.composite
def programs(draw: Callable[[st.SearchStrategy[int]], int], consistent: bool) -> str:
    return Maker(lambda limit: draw(st.integers(0, limit - 1)), consistent).program()


# The properties


def parsed(text: str) -> ModuleOp:
    ctx = Context()
    for dialect in (Builtin, arith.Arith, cf.Cf, func.Func, scf.Scf, test.Test, PL, PLD):
        ctx.load_dialect(dialect)
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module


def after(module: ModuleOp, *passes: ModulePass) -> ModuleOp:
    result = module.clone()
    for each in passes:
        each.apply(Context(), result)
        result.verify()
    return result


def compare(before: ModuleOp, lowered: ModuleOp) -> None:
    """The same events in every run; each `call` checks the contexts that it is given."""
    for function in before.body.ops:
        assert isinstance(function, func.FuncOp)
        name = function.sym_name.data
        for seed in range(4):
            assert events(lowered, name, seed) == events(before, name, seed), name


def check_queries(lowered: ModuleOp) -> None:
    """In the host a query stands right before its call and asks for the very argument."""
    for op in lowered.walk():
        if not isinstance(op, GetCommCtxOp):
            continue
        function = op.parent_op()
        while not isinstance(function, func.FuncOp):
            assert function is not None
            function = function.parent_op()
        assert is_host_orchestrator(function)
        (use,) = op.context.uses
        call = op.next_op
        while isinstance(call, GetCommCtxOp):
            call = call.next_op
        assert use.operation is call
        assert op.tensor in call.operands


def examples(count: int) -> settings:
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@examples(25)
@given(programs(consistent=True))
def test_every_use_gets_the_context_of_its_window(text: str):
    before = parsed(text)
    lowered = after(before, MaterializeDistTensorCtxPass())
    compare(before, lowered)
    check_queries(lowered)
    assert violations(Property.DIST_TENSOR_CTX_MATERIALIZED, lowered) == []
    assert str(after(lowered, MaterializeDistTensorCtxPass())) == str(lowered)


@examples(25)
@given(programs(consistent=False))
def test_a_merge_of_two_windows_is_refused_and_nothing_else(text: str):
    before = parsed(text)
    try:
        lowered = after(before, MaterializeDistTensorCtxPass())
    except FindingsError:
        assert has_conflict(before, 1000)
        return
    assert not has_conflict(before, 20)
    compare(before, lowered)


@examples(25)
@given(programs(consistent=False))
def test_results_follow_their_kernel(text: str):
    before = parsed(text)
    normalized = after(before, NormalizeReturnOrderPass())
    compare(before, normalized)
    assert violations(Property.RETURN_PARAMS_EXPLICIT, normalized) == []
    assert str(after(normalized, NormalizeReturnOrderPass())) == str(normalized)


@examples(15)
@given(programs(consistent=True), st.randoms(use_true_random=False))
def test_a_wrong_context_is_found(text: str, random: Random):
    lowered = after(parsed(text), MaterializeDistTensorCtxPass())
    swaps = [
        (op, index, other)
        for op in lowered.walk()
        if isinstance(op, CallOp | SubmitOp | func.CallOp)
        for index, operand in enumerate(op.operands)
        for other in {*op.operands} - {operand}
        if str(operand.type) == str(other.type) == "!pld.comm_ctx"
        and not isinstance(operand.owner, Operation)
    ]
    if not swaps:
        return
    op, index, other = random.choice(sorted(swaps, key=lambda s: (str(s[0]), s[1], str(s[2]))))
    op.operands[index] = other
    found = violations(Property.DIST_TENSOR_CTX_MATERIALIZED, lowered)
    assert [finding.place for finding in found] == [op]
    with pytest.raises(FindingsError):
        after(lowered, MaterializeDistTensorCtxPass())
