"""
Guard launches that may have no blocks.

The runtime refuses a launch of fewer than one block, while PyPTO's programs compute widths; a
launch over nothing is a launch that does not happen.

Reads   the `core_num` of calls and submits, the ranges of integers around them, and what the
        launched functions return.
Decides for each whether its width is provably 1 or more (it stays), provably less (it goes), or
        neither (it is guarded).
Changes such a launch into an `scf.if`, whose else branch yields what an empty launch leaves: the
        caller's own tensors for the parameters that the callee returns, and for a submit a dummy
        task that carries the deps.

Needs `return-params-explicit`, to know which parameter a result is. The results of the `scf.if` are
the same tensors in both branches, so later passes resolve them. A guarded launch is provably at
least 1 wide, so that a second run changes nothing.

Source: neighbours, legalize-spmd-launches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_pld.dialects.pl.call import CallLikeOp, SubmitOp, TaskDummyOp, call_like_ops
from xdsl_pld.passes.analysis.calls import callee_of, functions
from xdsl_pld.passes.analysis.lineage import Lineage
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.ranges import Ranges
from xdsl_pld.passes.base import PldPass
from xdsl_pld.passes.diagnostics import Finding, FindingsError, Note
from xdsl_pld.passes.properties import Property


class _Legalization(NamedTuple):
    """What becomes of a launch."""

    launch: CallLikeOp
    never: bool
    """Whether it provably has no blocks."""
    kept: Sequence[int]
    """The arguments that stand for the callee's results where nothing is launched."""


class _Planner:
    """Decides, launch by launch, and collects what is wrong."""

    def __init__(self):
        self.findings: list[Finding] = []
        self._ranges = Ranges()
        self._lineage = Lineage()

    def plan(self, launch: CallLikeOp, callee: FuncOp, width: SSAValue) -> _Legalization | None:
        blocks = self._ranges.at(width, launch)
        if blocks.low >= 1:
            return None
        return _Legalization(launch, blocks.high < 1, self._kept_arguments(launch, callee, width))

    def _kept_arguments(self, launch: CallLikeOp, callee: FuncOp, width: SSAValue) -> Sequence[int]:
        kept: list[int] = []
        arguments = {p: index for index, p in enumerate(launch.parameter_indices(callee))}
        for position, returned in enumerate(self._lineage.returned(callee)):
            result = launch.callee_results[position]
            argument = None
            what = f"result {position} of {launch.callee}"
            if returned.parameter is not None and returned.whole:
                argument = arguments.get(returned.parameter)
                what = f"{name_of(callee.args[returned.parameter])}, {what},"
            if argument is None:
                self._refuse(launch, width, f"{what} has no tensor of the caller's")
            elif (given := launch.arguments[argument].type) != result.type:
                reason = f"{what} has type {result.type} and the caller's tensor {given}"
                self._refuse(launch, width, reason)
            else:
                kept.append(argument)
        return kept

    def _refuse(self, launch: CallLikeOp, width: SSAValue, reason: str) -> None:
        self.findings.append(
            Finding(
                launch,
                f"{reason}, which an empty launch would leave: core_num {name_of(width)} is not "
                "provably at least 1",
                (
                    Note("the width is defined here", width),
                    Note(
                        "pass a tensor of that type for every output, or make the width provably "
                        "positive (a constant, a loop from 1, arith.maxsi with 1)"
                    ),
                ),
            )
        )


def _else_values(plan: _Legalization, rewriter: Rewriter, at: InsertPoint) -> list[SSAValue]:
    """What stands for the launch's results where there is none."""
    values = [plan.launch.arguments[index] for index in plan.kept]
    if isinstance(plan.launch, SubmitOp):
        dummy = TaskDummyOp(plan.launch.deps)
        dummy.location = plan.launch.location
        rewriter.insert_op(dummy, at)
        values.append(dummy.task_id)
    return values


class _Guards:
    """The comparisons that guard launches: one per width and block, at its first use there."""

    def __init__(self):
        self._known: dict[tuple[Block, SSAValue], SSAValue] = {}

    def condition(self, launch: CallLikeOp, width: SSAValue, rewriter: Rewriter) -> SSAValue:
        block = launch.parent
        assert block is not None
        if (block, width) not in self._known:
            zero = arith.ConstantOp(IntegerAttr.from_index_int_value(0))
            positive = arith.CmpiOp(width, zero, "sgt")
            zero.result.name_hint, positive.result.name_hint = "c0", "launched"
            zero.location = positive.location = launch.location
            rewriter.insert_op([zero, positive], InsertPoint.before(launch))
            self._known[block, width] = positive.result
        return self._known[block, width]


def _guard(plan: _Legalization, guards: _Guards, rewriter: Rewriter) -> None:
    launch, width = plan.launch, plan.launch.core_num
    assert width is not None
    positive = guards.condition(launch, width, rewriter)
    guard = scf.IfOp(positive, launch.result_types, Region(Block()), Region(Block()))
    guard.location = launch.location
    rewriter.insert_op(guard, InsertPoint.before(launch))
    for old, new in zip(launch.results, guard.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    then, otherwise = guard.true_region.block, guard.false_region.block
    launch.detach()
    rewriter.insert_op([launch, scf.YieldOp(*launch.results)], InsertPoint.at_end(then))
    values = _else_values(plan, rewriter, InsertPoint.at_end(otherwise))
    rewriter.insert_op(scf.YieldOp(*values), InsertPoint.at_end(otherwise))


@dataclass(frozen=True)
class LegalizeSpmdLaunchesPass(PldPass):
    """
    Guards the launches whose width is not provably at least 1.

    Before: %r = pl.call @k(%a) core_num(%n) : (T) -> T
    After:  %p = arith.cmpi sgt, %n, %c0 : index
            %r = scf.if %p -> (T) {
              %x = pl.call @k(%a) core_num(%n) : (T) -> T
              scf.yield %x : T
            } else {
              scf.yield %a : T
            }
    """

    name = "legalize-spmd-launches"

    requires: ClassVar[tuple[Property, ...]] = (Property.RETURN_PARAMS_EXPLICIT,)

    def transform(self, ctx: Context, module: ModuleOp) -> None:
        planner = _Planner()
        plans = [
            plan
            for function in functions(module)
            for launch in call_like_ops(function)
            if launch.core_num is not None and (callee := callee_of(launch)) is not None
            if (plan := planner.plan(launch, callee, launch.core_num)) is not None
        ]
        if planner.findings:
            raise FindingsError(planner.findings)
        rewriter = Rewriter()
        guards = _Guards()
        for plan in plans:
            if plan.never:
                values = _else_values(plan, rewriter, InsertPoint.before(plan.launch))
                rewriter.replace_op(plan.launch, [], values)
            else:
                _guard(plan, guards, rewriter)
