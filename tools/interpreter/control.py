"""
Control flow: xDSL's own `scf` and `cf`, with what they lack.
"""

from itertools import product

from xdsl.dialects import cf, scf
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    ReturnedValues,
    Successor,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.cf import CfFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.tools.interpreter.operands import split_operands
from xdsl_pld.tools.interpreter.scalars import int_of, scalar


@register_impls
class StructuredFunctions(ScfFunctions):
    """`scf`; a loop's step must be positive."""

    @impl(scf.ForOp)
    def run_for(self, interpreter: Interpreter, op: scf.ForOp, args: PythonValues) -> PythonValues:
        carried = tuple(args[3:])
        for index in _steps(*(int_of(value) for value in args[:3])):
            counter = scalar(index, op.lb.type)
            carried = interpreter.run_ssacfg_region(op.body, (counter, *carried), "for_loop")
        return carried

    @impl(scf.ExecuteRegionOp)
    def run_execute_region(
        self, interpreter: Interpreter, op: scf.ExecuteRegionOp, args: PythonValues
    ):
        return interpreter.run_ssacfg_region(op.region, (), "execute_region")

    @impl(scf.ParallelOp)
    def run_parallel(self, interpreter: Interpreter, op: scf.ParallelOp, args: PythonValues):
        """One iteration after the other, which is a legal order; reductions in that order."""
        lower, upper, step, carried = split_operands(op, args)
        ranges = [_steps(*map(int_of, bounds)) for bounds in zip(lower, upper, step, strict=True)]
        values = tuple(carried)
        reduce = op.body.block.last_op
        assert isinstance(reduce, scf.ReduceOp)
        for indices in product(*ranges):
            counters = tuple(
                scalar(index, bound.type)
                for index, bound in zip(indices, op.lowerBound, strict=True)
            )
            given = interpreter.run_ssacfg_region(op.body, counters, "parallel")
            values = tuple(
                interpreter.run_ssacfg_region(region, (value, one), "reduce")[0]
                for region, value, one in zip(reduce.reductions, values, given, strict=True)
            )
        return values

    @impl_terminator(scf.ReduceOp)
    def run_reduce(
        self, interpreter: Interpreter, op: scf.ReduceOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args), ()

    @impl_terminator(scf.ReduceReturnOp)
    def run_reduce_return(
        self, interpreter: Interpreter, op: scf.ReduceReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args), ()


@register_impls
class BranchFunctions(CfFunctions):
    """`cf`."""

    @impl(cf.AssertOp)
    def run_assert(self, interpreter: Interpreter, op: cf.AssertOp, args: PythonValues):
        if not args[0]:
            raise InterpretationError(f"assertion failed: {op.msg.data}")
        return ()

    @impl_terminator(cf.SwitchOp)
    def run_switch(
        self, interpreter: Interpreter, op: cf.SwitchOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        flag = int_of(args[0])
        if op.case_values is not None:
            cases = zip(op.case_values.get_values(), op.case_blocks, op.case_operand, strict=True)
            for value, block, operands in cases:
                if value == flag:
                    return Successor(block, interpreter.get_values(operands)), ()
        return Successor(op.default_block, interpreter.get_values(op.default_operands)), ()


def _steps(lower: int, upper: int, step: int) -> range:
    if step <= 0:
        raise InterpretationError(f"the step of a loop must be positive, not {step}")
    return range(lower, upper, step)
