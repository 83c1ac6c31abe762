"""
What MLIR's verifier checks and xDSL's does not: dominance, the types that flow through `scf`
regions, entry blocks without predecessors, and unique symbols with both places named.

Analyses rely on all of it, and no other file checks it. `pld-opt` does between passes and vouches
for the module; where nobody has, `PldPass` refuses malformed IR before the pass starts. Every check
stands on raw regions and blocks, never on accessors that assume a verified operation, and is linear
in the module (times the nesting depth for dominance).
"""

from collections.abc import Callable, Iterator, Sequence
from weakref import WeakSet

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnregisteredOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.traits import SymbolTable

from xdsl_pld.passes.analysis.blocks import postorder, successors
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note, Place

_GRAPH_REGION_OPS = frozenset({"hw.module", "equivalence.graph"})
"""Upstream operations with a graph region; xDSL has no trait that says so."""


_VOUCHED_FOR: WeakSet[Operation] = WeakSet()


def vouch_for(module: Operation) -> None:
    """States that the caller runs `check_wellformed` before each pass, so that none need do so."""
    _VOUCHED_FOR.add(module)


def refuse_malformed(module: Operation) -> None:
    """Raises FindingsError unless the module is well-formed, or its driver vouches for it."""
    if module not in _VOUCHED_FOR and (findings := check_wellformed(module)):
        raise FindingsError(findings)


def check_wellformed(module: Operation) -> list[Finding]:
    """All findings of this file on an operation and what is nested in it, in textual order."""
    dominance = Dominance(module)
    return [
        finding
        for op in module.walk()
        for finding in (*structure_findings(op), *dominance.findings(op))
    ]


def structure_findings(op: Operation) -> list[Finding]:
    """Regions of `op` entered again, symbols in it defined twice, values that do not fit them."""
    if not op.regions:
        return []
    findings = list(_entry_findings(op))
    check = _SCF_CHECKS.get(op.name)
    if check is not None:
        findings += check(op)
    elif op.has_trait(SymbolTable):
        findings += _symbol_findings(op)
    return findings


class Dominance:
    """
    Says which operands of an operation are not defined before it on every path.

    In a graph region operations may use each other in any order. As in MLIR these are the
    bodies of modules, and whatever an unregistered operation holds.

    xDSL's DominanceInfo is not used: it is quadratic in the blocks, and an unreachable
    predecessor makes it deny what holds.
    """

    def __init__(self, root: Operation):
        self._order = {op: number for number, op in enumerate(root.walk())}
        self._dominators: dict[Region, _Dominators] = {}

    def findings(self, op: Operation) -> Iterator[Finding]:
        for index, operand in enumerate(op.operands):
            if not self._reaches(operand, op):
                name = "" if operand.name_hint is None else f" ('%{operand.name_hint}')"
                notes = (
                    (Note("it is defined here", operand),)
                    if isinstance(operand, OpResult | BlockArgument)
                    else ()
                )
                yield Finding(op, f"operand #{index}{name} does not dominate this use", notes)

    def _reaches(self, value: SSAValue, user: Operation) -> bool:
        # First what holds of nearly every operand: defined before, in the same block.
        if isinstance(value, OpResult):
            definition = value.op
            if (
                definition.parent is user.parent is not None
                and self._order.get(definition, -1) < self._order[user]
            ):
                return True
        if isinstance(value, BlockArgument):
            block = value.block
        elif isinstance(value, OpResult) and value.op.parent is not None:
            block = value.op.parent
        else:
            return False
        ancestor = _ancestor_in(block.parent, user)
        if ancestor is None or (use_block := ancestor.parent) is None:
            return False
        if _is_graph_region(block):
            return True
        if use_block is not block:
            return self._dominators_of(block.parent).dominates(block, use_block)
        if isinstance(value, BlockArgument):
            return True
        return self._order.get(value.owner, -1) < self._order[ancestor]

    def _dominators_of(self, region: Region | None) -> "_Dominators":
        assert region is not None
        if region not in self._dominators:
            self._dominators[region] = _Dominators(region)
        return self._dominators[region]


def _ancestor_in(region: Region | None, op: Operation) -> Operation | None:
    """`op`, or the operation around it, that stands directly in `region`."""
    at: Operation | None = op
    while at is not None and at.parent_region() is not region:
        at = at.parent_op()
    return at


def _is_graph_region(block: Block) -> bool:
    parent = block.parent_op()
    return isinstance(parent, ModuleOp | UnregisteredOp) or (
        parent is not None and parent.name in _GRAPH_REGION_OPS
    )


class _Dominators:
    """The dominator tree of one region (Cooper, Harvey and Kennedy's algorithm)."""

    def __init__(self, region: Region):
        entry = region.blocks[0]
        order = postorder(entry)
        self._number = {block: number for number, block in enumerate(reversed(order))}
        self._parent = {entry: entry}
        predecessors: dict[Block, list[Block]] = {block: [] for block in order}
        for block in order:
            for successor in successors(block):
                predecessors[successor].append(block)
        changed = True
        while changed:
            changed = False
            for block in order[-2::-1]:
                known = [p for p in predecessors[block] if p in self._parent]
                parent = known[0]
                for other in known[1:]:
                    parent = self._common(parent, other)
                if self._parent.get(block) is not parent:
                    self._parent[block] = parent
                    changed = True

    def dominates(self, block: Block, use: Block) -> bool:
        """Whether every path to `use` passes `block`; true where no path leads to `use`."""
        if use not in self._number:
            return True
        if block not in self._number:
            return False
        while self._number[use] > self._number[block]:
            use = self._parent[use]
        return use is block

    def _common(self, a: Block, b: Block) -> Block:
        while a is not b:
            if self._number[a] > self._number[b]:
                a = self._parent[a]
            else:
                b = self._parent[b]
        return a


def _entry_findings(op: Operation) -> Iterator[Finding]:
    """Branches to an entry block, which would give other values to a function's parameters."""
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None and region.blocks[0] in successors(block):
                note = Note(f"the entry block of this {op.name}", op)
                yield Finding(block.last_op, "branches to the entry block of its region", (note,))


def _symbol_findings(op: Operation) -> Iterator[Finding]:
    first: dict[str, Operation] = {}
    for block in op.regions[0].blocks:
        for symbol in block.ops:
            name = symbol.get_attr_or_prop("sym_name")
            if not isinstance(name, StringAttr):
                continue
            if name.data in first:
                note = Note("the first definition is here", first[name.data])
                yield Finding(symbol, f'Redefinition of symbol "{name.data}"', (note,))
            else:
                first[name.data] = symbol


def _fit(
    place: Place,
    given: tuple[str, str, Sequence[Attribute]],
    wanted: tuple[str, str, Sequence[Attribute]],
    note: Note | None = None,
) -> Iterator[Finding]:
    """Compares two lists of types, each with its owner and the noun for its elements."""
    owner, noun, types = given
    other, other_noun, other_types = wanted
    notes = () if note is None else (note,)
    if len(types) != len(other_types):
        message = f"{owner} has {_count(types, noun)}, but {other} has"
        yield Finding(place, f"{message} {_count(other_types, other_noun)}", notes)
        return
    for index, (have, want) in enumerate(zip(types, other_types, strict=True)):
        if have != want:
            message = f"{noun} #{index} of {owner} has type {have}, but {other_noun} #{index}"
            yield Finding(place, f"{message} of {other} has type {want}", notes)


def _count(items: Sequence[object], noun: str) -> str:
    return f"{len(items)} {noun}" if len(items) == 1 else f"{len(items)} {noun}s"


def _types(values: Sequence[SSAValue]) -> list[Attribute]:
    return [value.type for value in values]


def _single_block(op: Operation, index: int) -> Block | None:
    """The only block of a region; None where there is none or more: the op's verifier says so."""
    blocks = op.regions[index].blocks if index < len(op.regions) else ()
    return blocks[0] if len(blocks) == 1 else None


def _yield_findings(
    op: Operation, block: Block, wanted: tuple[str, str, Sequence[Attribute]]
) -> Iterator[Finding]:
    last = block.last_op
    here = Note(f"in this {op.name}", op)
    if last is None or last.name != "scf.yield":
        if wanted[2]:
            yield Finding(last or op, f"a region of {op.name} must end with scf.yield", (here,))
        return
    yield from _fit(last, ("scf.yield", "operand", _types(last.operands)), wanted, here)


def _check_if(op: Operation) -> Iterator[Finding]:
    if op.results and len(op.regions) == 2 and not op.regions[1].blocks:
        yield Finding(op, f"scf.if with {_count(op.results, 'result')} needs an else region")
    for index in range(len(op.regions)):
        if (block := _single_block(op, index)) is not None:
            yield from _yield_findings(op, block, ("scf.if", "result", op.result_types))


def _check_for(op: Operation) -> Iterator[Finding]:
    block = _single_block(op, 0)
    if block is None or len(op.operands) < 3 or not block.args:
        return
    initial = ("scf.for", "initial value", _types(op.operands[3:]))
    carried = ("the body", "loop-carried argument", _types(block.args[1:]))
    results = ("scf.for", "result", op.result_types)
    yield from _fit(op, initial, carried)
    yield from _fit(op, initial, results)
    yield from _yield_findings(op, block, results)


def _check_while(op: Operation) -> Iterator[Finding]:
    before, after = _single_block(op, 0), _single_block(op, 1)
    if before is None or after is None:
        return
    carried = ("the before region", "argument", _types(before.args))
    passed_on = ("the after region", "argument", _types(after.args))
    results = ("scf.while", "result", op.result_types)
    yield from _fit(op, ("scf.while", "operand", _types(op.operands)), carried)
    yield from _fit(op, results, passed_on)

    here = Note("in this scf.while", op)
    condition = before.last_op
    if condition is None or condition.name != "scf.condition":
        yield Finding(condition or op, "the before region must end with scf.condition", (here,))
    else:
        given = ("scf.condition", "argument", _types(condition.operands[1:]))
        yield from _fit(condition, given, results, here)
    last = after.last_op
    if last is None or last.name != "scf.yield":
        yield Finding(last or op, "the after region must end with scf.yield", (here,))
    else:
        yield from _yield_findings(op, after, carried)


_SCF_CHECKS: dict[str, Callable[[Operation], Iterator[Finding]]] = {
    "scf.if": _check_if,
    "scf.for": _check_for,
    "scf.while": _check_while,
}
