"""
Give every distributed tensor's context an explicit parameter and argument, from host to kernel.

A context is data that flows from the host: it cannot be recovered from a tensor where it is needed.
A wrong one is checked by no type, and the card reads another window; so this pass never guesses.

Reads   the signatures of all functions; `pld.ctx_of` on parameters that are contexts already; the
        lineage of every tensor that is passed to a distributed parameter or queried.
Decides for each such use whose context it is. Everything is decided, and every finding collected,
        before the IR changes.
Changes signatures (one context parameter per distributed one, appended in order, marked with
        `pld.ctx_of`), calls and submits (the matching arguments; `scalar` directions where there
        are directions), and queries outside the host (replaced by the context). In host
        orchestrations a use whose context is no parameter's gets a query right before it.

Needs return lineage to be readable (`normalize-return-order`). Adds nothing where a pair is there
already, so a second run changes nothing.

Source: dist-tensor-ctx.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.pl.attributes import (
    is_host_orchestrator,
    param_attrs,
    set_param_attrs,
)
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.signature import CTX_OF, context_parameters
from xdsl_pld.dialects.pld.system import GetCommCtxOp
from xdsl_pld.dialects.types import CommCtxType, DistributedTensorType
from xdsl_pld.passes.analysis.calls import (
    AnyCallOp,
    append_arguments,
    arguments_by_parameter,
    callee_of,
    functions,
)
from xdsl_pld.passes.analysis.contexts import missing_contexts, wrong_contexts
from xdsl_pld.passes.analysis.lineage import Conflict, FunctionLineage, Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note, Place
from xdsl_pld.passes.properties import Property

# Deciding


@dataclass(frozen=True)
class _Argument:
    """A context that a call must pass: whose, and the parameter that has it, if one does."""

    tensor: SSAValue
    parameter: int | None


@dataclass
class _Plan:
    """What is to be done in one function."""

    function: FuncOp
    missing: Sequence[int]
    """The distributed parameters that get a context parameter."""
    calls: list[tuple[AnyCallOp, Sequence[_Argument]]] = field(
        default_factory=list[tuple[AnyCallOp, Sequence[_Argument]]]
    )
    queries: list[tuple[GetCommCtxOp, int]] = field(default_factory=list[tuple[GetCommCtxOp, int]])
    """Queries to replace, each with the parameter whose context it asks for."""


class _Uses:
    """What in a function body concerns contexts."""

    def __init__(self, function: FuncOp):
        self.queries: list[GetCommCtxOp] = []
        self.calls: list[tuple[AnyCallOp, FuncOp]] = []
        """The calls of functions that have distributed tensor parameters."""
        self.merges = False
        host = is_host_orchestrator(function)
        for op in function.body.walk():
            if isinstance(op, GetCommCtxOp):
                if not host:
                    self.queries.append(op)
            elif isinstance(op, CallOp | SubmitOp | func.CallOp):
                callee = callee_of(op)
                if callee is not None and _takes_distributed(
                    callee
                ):  # equivalent mutant: saves time
                    self.calls.append((op, callee))
            elif op.regions:  # equivalent mutant: saves time
                self.merges = self.merges or _holds_distributed(op)

    def __bool__(self) -> bool:
        return bool(self.queries or self.calls or self.merges)


def _takes_distributed(function: FuncOp) -> bool:
    return any(isinstance(type_, DistributedTensorType) for type_ in function.function_type.inputs)


def _holds_distributed(op: Operation) -> bool:
    """Whether a structured op has a distributed tensor as a result or a block argument."""
    arguments = (a for region in op.regions for block in region.blocks for a in block.args)
    return any(isinstance(v.type, DistributedTensorType) for v in (*op.results, *arguments))


class _Planner:
    """Decides, function by function, and collects what is wrong."""

    def __init__(self, module: ModuleOp):
        self.findings: list[Finding] = []
        self._lineage = Lineage()
        self._missing = {function: missing_contexts(function) for function in functions(module)}

    def plans(self) -> Sequence[_Plan]:
        """The plans of all functions in which there is anything to do."""
        plans = [self._plan(function) for function in self._missing]
        return [plan for plan in plans if plan.missing or plan.calls or plan.queries]

    def _plan(self, function: FuncOp) -> _Plan:
        plan = _Plan(function, self._missing[function])
        uses = _Uses(function)
        if not uses:  # equivalent mutant: saves time
            return plan
        lineage = self._lineage.of(function)
        host = is_host_orchestrator(function)
        unresolved: dict[SSAValue, list[AnyCallOp]] = {}
        unanswered: dict[SSAValue, list[GetCommCtxOp]] = {}
        for query in uses.queries:
            if (parameter := lineage.parameter(query.tensor)) is not None:
                plan.queries.append((query, parameter))
            else:
                unanswered.setdefault(query.tensor, []).append(query)
        for call, callee in uses.calls:
            self.findings += wrong_contexts(call, callee, lineage)
            passed = arguments_by_parameter(call, callee)
            # A distributed parameter is never omitted.
            tensors = [passed[wanted] for wanted in self._missing[callee]]
            arguments = [_Argument(tensor, lineage.parameter(tensor)) for tensor in tensors]
            if arguments:  # equivalent mutant: saves time
                plan.calls.append((call, arguments))
            for argument in arguments:
                if argument.parameter is None and not host:
                    unresolved.setdefault(argument.tensor, []).append(call)
        self._report(lineage, unanswered, unresolved)
        return plan

    def _report(
        self,
        lineage: FunctionLineage,
        unanswered: Mapping[SSAValue, Sequence[GetCommCtxOp]],
        unresolved: Mapping[SSAValue, Sequence[AnyCallOp]],
    ) -> None:
        """Reports the merges of different windows, then what is lost elsewhere."""
        reported: set[SSAValue] = set()
        for conflict in lineage.conflicts:
            if isinstance(conflict.join.value.type, DistributedTensorType):
                reported.add(conflict.join.value)
                self.findings.append(_conflict(conflict))
        for tensor, queries in unanswered.items():
            if lineage.origin(tensor).root not in reported:
                self.findings.append(_unanswered(tensor, queries, lineage))
        for tensor, calls in unresolved.items():
            if lineage.origin(tensor).root not in reported:
                self.findings.append(_unresolved(tensor, calls, lineage))


# Findings


def _conflict(conflict: Conflict) -> Finding:
    value = conflict.join.value
    seed, other = name_of(conflict.seed.root), name_of(conflict.other.root)
    if conflict.join.carried:
        message = (
            f"loop-carried {name_of(value)} changes its context: it starts as {seed} and the body "
            f"yields {other}"
        )
        advice = "carry each distributed tensor in a place of its own"
    else:
        message = (
            f"branches yield distributed tensors of different contexts: {seed} and {other} meet in "
            f"{name_of(value)}"
        )
        advice = "use each tensor inside its branch, or yield the same one from both"
    notes = [Note("it is yielded here", use) for use in _yields(conflict)]
    if (use := _first_use(value)) is not None:
        notes.append(Note(f"{name_of(value)} is used here", use))
    return Finding(_construct(value), message, (*notes, Note(advice)))


def _first_use(value: SSAValue) -> Operation | None:
    """A use that needs the context, else any; the list of uses holds the youngest first."""
    uses = [use.operation for use in value.uses][::-1]
    needing = (op for op in uses if isinstance(op, AnyCallOp | GetCommCtxOp))
    return next(needing, uses[0] if uses else None)


def _yields(conflict: Conflict) -> Sequence[Operation]:
    """The terminators that yield the other value into the join."""
    construct = _construct(conflict.join.value)
    terminators = (b.last_op for region in construct.regions for b in region.blocks)
    others = conflict.join.others
    return [t for t in terminators if t is not None and any(o in others for o in t.operands)]


def _construct(value: SSAValue) -> Operation:
    """The op that a value belongs to: its own, or the one whose block argument it is."""
    op = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
    assert op is not None
    return op


def _place(root: SSAValue) -> Place:
    """Where lineage ends: the op, or the argument of a block in the middle of a function."""
    construct = _construct(root)
    return root if isinstance(construct, FuncOp) else construct


def _unanswered(
    tensor: SSAValue, queries: Sequence[GetCommCtxOp], lineage: FunctionLineage
) -> Finding:
    root = lineage.origin(tensor).root
    return Finding(
        _place(root),
        f"no context reaches this query of {name_of(tensor)} in "
        f"'{lineage.function.sym_name.data}': its lineage is lost at {name_of(root)}",
        (*(Note("the query is here", query) for query in queries), Note(_ADVICE)),
    )


def _unresolved(tensor: SSAValue, calls: Sequence[AnyCallOp], lineage: FunctionLineage) -> Finding:
    root = lineage.origin(tensor).root
    uses = dict.fromkeys(calls)
    return Finding(
        _place(root),
        f"no context is known for {name_of(tensor)} in '{lineage.function.sym_name.data}': its "
        f"lineage is lost at {name_of(root)}",
        (
            *(Note(f"the context is needed by this call of {c.callee}", c) for c in uses),
            Note(_ADVICE),
        ),
    )


_ADVICE = (
    "a context comes from the host: take the tensor as a parameter of the function, and let "
    "callees return their parameters themselves"
)


# Rewriting


def _add_parameters(plan: _Plan) -> None:
    """Appends the missing context parameters to a signature."""
    function = plan.function
    inputs = function.function_type.inputs.data
    attributes = [dict(param_attrs(function, index)) for index in range(len(inputs))]
    for tensor in plan.missing:
        attributes.append({CTX_OF: IntegerAttr.from_index_int_value(tensor)})
        if not function.is_declaration:
            parameter = function.args[tensor]
            context = function.body.blocks[0].insert_arg(CommCtxType(), len(function.args))
            context.name_hint = _context_name(parameter)
            context.location = parameter.location
    if function.arg_attrs is not None:
        # On a declaration these are attributes of others, in the generic form only.
        empty = [DictionaryAttr({})] * len(plan.missing)
        function.arg_attrs = ArrayAttr([*function.arg_attrs, *empty])
    contexts = [CommCtxType()] * len(plan.missing)
    function.function_type = FunctionType.from_lists(
        [*inputs, *contexts], function.function_type.outputs.data
    )
    set_param_attrs(function, attributes)


def _context_name(tensor: SSAValue) -> str:
    return f"{tensor.name_hint or 'arg'}_ctx"


def _rewrite_body(plan: _Plan, rewriter: Rewriter) -> None:
    """Passes contexts at calls and replaces queries; all signatures are complete by now."""
    contexts = context_parameters(plan.function)
    for call, arguments in plan.calls:
        values: list[SSAValue] = []
        for argument in arguments:
            if argument.parameter is not None:
                values.append(plan.function.args[contexts[argument.parameter]])
                continue
            query = GetCommCtxOp(argument.tensor)
            query.location = call.location
            query.context.name_hint = _context_name(argument.tensor)
            rewriter.insert_op(query, InsertPoint.before(call))
            values.append(query.context)
        append_arguments(call, values)
    for query, parameter in plan.queries:
        rewriter.replace_op(query, [], [plan.function.args[contexts[parameter]]])


@dataclass(frozen=True)
class MaterializeDistTensorCtxPass(PldPass):
    """
    Threads the contexts of distributed tensors through signatures and calls.

    Before: func.func @k(%a: D) ...              pl.call @k(%a) : (D) -> ()
    After:  func.func @k(%a: D, %a_ctx: !pld.comm_ctx {pld.ctx_of = 0 : index}) ...
                                                 pl.call @k(%a, %a_ctx) : (D, !pld.comm_ctx) -> ()
    """

    name = "materialize-dist-tensor-ctx"

    requires: ClassVar[tuple[Property, ...]] = (Property.RETURN_PARAMS_EXPLICIT,)
    produces: ClassVar[tuple[Property, ...]] = (Property.DIST_TENSOR_CTX_MATERIALIZED,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        planner = _Planner(module)
        plans = planner.plans()
        if planner.findings:
            raise FindingsError(planner.findings)
        for plan in plans:
            if plan.missing:  # equivalent mutant: saves time
                _add_parameters(plan)
        rewriter = Rewriter()
        for plan in plans:
            _rewrite_body(plan, rewriter)
