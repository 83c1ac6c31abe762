"""
Calls and submits: how one function launches another.

A `pl.call` is a task launch or, with `device`, a host dispatch; it is never inlined. A `pl.submit`
launches a kernel and also returns the task's id. Source: design.md, Calls.
"""

from collections.abc import Iterator, Mapping, Sequence
from struct import Struct
from typing import TypeAlias

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import numbers, strings
from xdsl_pld.dialects.core_num import constant_int, verify_core_num
from xdsl_pld.dialects.pl.attribute_rules import LaunchesTask, OwnAttributes, verify_views
from xdsl_pld.dialects.pl.attributes import (
    LAUNCHABLE,
    Direction,
    direction,
    func_type,
    is_builtin_kernel,
    is_chip_orchestration,
    is_host_orchestrator,
    is_launchable,
)
from xdsl_pld.dialects.symbols import enclosing_function, lookup_callee
from xdsl_pld.dialects.types import (
    CommCtxType,
    DistributedTensorType,
    TaskIdType,
    is_tensor_like,
    shapes_agree,
    tensor_of,
)

ARG_DIRECTIONS = ("input", "output", "inout", "output_existing", "no_dep", "scalar")
"""What an argument's task does with it; `scalar` for all that is no tensor."""


class ResolvesCallee(SymbolUserOpInterface):
    """The callee exists and the arguments, results and launch clauses fit it."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, CallOp | SubmitOp)
        callee = lookup_callee(op, op.callee)
        if callee is None:
            raise VerifyException(f"{op.callee} is no function of this module")
        op.verify_callee(callee)


@irdl_op_definition
class CallOp(IRDLOperation):
    """
    Launches a kernel as a task, calls a function, or (`device`) dispatches a chip pipeline.

        %r = pl.call @kernel(%a, %b) core_num(%n) sync_start : (T, D) -> D
        pl.call @chip_pipeline(%a, %b) device(%r) : (T, D) -> ()

    Results are the callee's, one for one. Memory effects are unknown: a launch is never lost,
    merged or moved.
    """

    name = "pl.call"

    arguments = var_operand_def()
    device = opt_operand_def(IndexType)
    core_num = opt_operand_def(IndexType)
    callee = prop_def(FlatSymbolRefAttrConstr)
    sync_start = opt_prop_def(UnitAttr)
    arg_directions = opt_prop_def(strings("arg_directions"))
    no_dep = opt_prop_def(numbers("no_dep"))
    results_ = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(ResolvesCallee(), LaunchesTask(), OwnAttributes())
    assembly_format = (
        "$callee `(` $arguments `)` (`device` `(` $device^ `)`)? (`core_num` `(` $core_num^ `)`)?"
        " (`sync_start` $sync_start^)? attr-dict `:` functional-type($arguments, $results_)"
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        arguments: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
        *,
        device: SSAValue | Operation | None = None,
        core_num: SSAValue | Operation | None = None,
        sync_start: bool = False,
        arg_directions: Sequence[str] | None = None,
        no_dep: Sequence[int] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        super().__init__(
            operands=[arguments, device, core_num],
            result_types=[result_types],
            properties=_properties(callee, sync_start, arg_directions, no_dep),
            attributes=attributes or {},
        )

    @property
    def callee_results(self) -> Sequence[SSAValue]:
        """The results that the callee returns, at its positions."""
        return self.results

    def parameter_indices(self, callee: FuncOp) -> Sequence[int]:
        """The parameter that each argument is passed to: they match one for one."""
        return range(_first_segment(self))

    def verify_(self) -> None:
        _verify_clauses(self)

    def verify_callee(self, callee: FuncOp) -> None:
        """Raises VerifyException where arguments, results or clauses do not fit `callee`."""
        parameters = len(callee.function_type.inputs)
        if (arguments := _first_segment(self)) != parameters:
            raise VerifyException(f"{self.callee} takes {parameters} arguments, not {arguments}")
        _, devices, widths = _segments(self)
        if widths and not is_launchable(callee):
            raise VerifyException(
                f"core_num is for launches of {_launchable()} functions; {self.callee} is "
                f"{func_type(callee)}"
            )
        if devices:
            caller = enclosing_function(self)
            if caller is None or not is_host_orchestrator(caller):
                raise VerifyException(
                    "device is for dispatches in a host body (pl.level host, pl.role orchestrator)"
                )
            if not is_chip_orchestration(callee):
                raise VerifyException(
                    f"device dispatches a chip pipeline; {self.callee} is {func_type(callee)}, "
                    "not an orchestration"
                )
        _verify_types(self, callee)
        _verify_builtin_launch(self, callee)


@irdl_op_definition
class SubmitOp(IRDLOperation):
    """
    Submits a kernel as a task; the last result is the task's id.

        %r, %tid = pl.submit @kernel(%a) deps(%t0) core_num(%n) sync_start : (T) -> (T, !pl.task_id)

    Trailing plain `out` parameters may be omitted (the runtime allocates them): with k context
    parameters at the callee's tail, the last k arguments are the contexts, the others fill the
    parameters from the front. Memory effects are unknown.
    """

    name = "pl.submit"

    arguments = var_operand_def()
    deps = var_operand_def(TaskIdType)
    core_num = opt_operand_def(IndexType)
    callee = prop_def(FlatSymbolRefAttrConstr)
    sync_start = opt_prop_def(UnitAttr)
    arg_directions = opt_prop_def(strings("arg_directions"))
    no_dep = opt_prop_def(numbers("no_dep"))
    results_ = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(ResolvesCallee(), LaunchesTask(), OwnAttributes())
    assembly_format = (
        "$callee `(` $arguments `)` (`deps` `(` $deps^ `)`)? (`core_num` `(` $core_num^ `)`)?"
        " (`sync_start` $sync_start^)? attr-dict `:` functional-type($arguments, $results_)"
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        arguments: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
        *,
        deps: Sequence[SSAValue | Operation] = (),
        core_num: SSAValue | Operation | None = None,
        sync_start: bool = False,
        arg_directions: Sequence[str] | None = None,
        no_dep: Sequence[int] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        """`result_types` are the callee's; the task id is added."""
        super().__init__(
            operands=[arguments, deps, core_num],
            result_types=[[*result_types, TaskIdType()]],
            properties=_properties(callee, sync_start, arg_directions, no_dep),
            attributes=attributes or {},
        )

    @property
    def task_id(self) -> SSAValue:
        """The id of the submitted task."""
        return self.results[-1]

    @property
    def callee_results(self) -> Sequence[SSAValue]:
        """The results that the callee returns, at its positions."""
        return self.results[:-1]

    def parameter_indices(self, callee: FuncOp) -> Sequence[int]:
        """The parameter that each argument is passed to, omitted outputs left out."""
        parameters = len(callee.function_type.inputs)
        omitted = parameters - len(self.arguments)
        if omitted <= 0:
            return range(len(self.arguments))
        front = len(self.arguments) - trailing_contexts(callee)
        return [i if i < front else i + omitted for i in range(len(self.arguments))]

    def omitted_parameters(self, callee: FuncOp) -> Sequence[int]:
        """The `out` parameters that the runtime allocates."""
        contexts = trailing_contexts(callee)
        return range(len(self.arguments) - contexts, len(callee.function_type.inputs) - contexts)

    def verify_(self) -> None:
        _verify_clauses(self)
        if not self.results or not isinstance(self.results[-1].type, TaskIdType):
            raise VerifyException("the last result of a submit must be a !pl.task_id")

    def verify_callee(self, callee: FuncOp) -> None:
        """Raises VerifyException where arguments, results or clauses do not fit `callee`."""
        if not is_launchable(callee):
            raise VerifyException(
                f"a submit launches {_launchable()} functions; {self.callee} is {func_type(callee)}"
            )
        parameters = callee.function_type.inputs.data
        contexts = trailing_contexts(callee)
        if not contexts <= len(self.arguments) <= len(parameters):
            raise VerifyException(
                f"{self.callee} takes {len(parameters)} arguments, the last {contexts} of them "
                f"contexts, not {len(self.arguments)}"
            )
        for index in self.omitted_parameters(callee):
            plain = isinstance(parameters[index], TensorType)
            if not plain or direction(callee, index) is not Direction.OUT:
                raise VerifyException(
                    f"only trailing plain out parameters may be omitted; parameter {index} of "
                    f"{self.callee}, {parameters[index]} with direction "
                    f"{direction(callee, index)}, must be passed"
                )
        _verify_types(self, callee)
        _verify_builtin_launch(self, callee)


CallLikeOp: TypeAlias = CallOp | SubmitOp
"""What launches or dispatches a function of the module."""


def call_like_ops(root: Operation) -> Iterator[CallLikeOp]:
    """All calls and submits below `root`, in text order."""
    for op in root.walk():
        if isinstance(op, CallOp | SubmitOp):
            yield op


def trailing_contexts(function: FuncOp) -> int:
    """How many context parameters stand at the end of the parameter list."""
    count = 0
    for parameter in reversed(function.function_type.inputs.data):
        if not isinstance(parameter, CommCtxType):
            break
        count += 1
    return count


@irdl_op_definition
class TaskDummyOp(IRDLOperation):
    """
    A task that does nothing and is done when its dependencies are.

        %t2 = pl.task_dummy deps(%t0, %t1)
    """

    name = "pl.task_dummy"

    deps = var_operand_def(TaskIdType)
    task_id = result_def(TaskIdType())

    traits = traits_def(OwnAttributes())
    assembly_format = "(`deps` `(` $deps^ `)`)? attr-dict"

    def __init__(self, deps: Sequence[SSAValue | Operation] = ()):
        super().__init__(operands=[deps], result_types=[TaskIdType()])


_SEGMENTS = Struct("<3i")


def _segments(op: Operation) -> tuple[int, int, int]:
    """
    The numbers of arguments, of devices or deps, and of core_num.

    Each access to an operand by name would unpack them anew and make a sequence; verification of
    a program with many calls does little else.
    """
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    return _SEGMENTS.unpack(sizes.data.data)


def _first_segment(op: Operation) -> int:
    """The number of arguments."""
    return _segments(op)[0]


# Verification


def _properties(
    callee: str | SymbolRefAttr,
    sync_start: bool,
    arg_directions: Sequence[str] | None,
    no_dep: Sequence[int] | None,
) -> dict[str, Attribute | None]:
    return {
        "callee": SymbolRefAttr(callee) if isinstance(callee, str) else callee,
        "sync_start": UnitAttr() if sync_start else None,
        "no_dep": None if no_dep is None else DenseArrayBase.from_list(i64, no_dep),
        "arg_directions": None
        if arg_directions is None
        else ArrayAttr([StringAttr(entry) for entry in arg_directions]),
    }


def _launchable() -> str:
    return ", ".join(sorted(LAUNCHABLE))


def _verify_clauses(op: CallLikeOp) -> None:
    arguments, _, widths = _segments(op)
    if op.sync_start is not None and not widths:
        raise VerifyException("sync_start needs core_num: it admits that many blocks at once")
    if widths:
        verify_core_num(op.operands[-1])
    verify_arg_directions(op.arg_directions, arguments)
    _verify_no_dep(op, op.no_dep)


def verify_arg_directions(arg_directions: ArrayAttr[StringAttr] | None, arguments: int) -> None:
    """Raises VerifyException for a vector of another length, or an unknown entry."""
    if arg_directions is None:
        return
    if len(arg_directions) != arguments:
        raise VerifyException(
            f"arg_directions has {len(arg_directions)} entries for {arguments} arguments"
        )
    for index, entry in enumerate(arg_directions):
        if entry.data not in ARG_DIRECTIONS:
            raise VerifyException(
                f"arg_directions entry {index} must be one of {', '.join(ARG_DIRECTIONS)}, "
                f"not {entry}"
            )


def _verify_no_dep(op: CallLikeOp, no_dep: DenseArrayBase[I64] | None) -> None:
    if no_dep is None:
        return
    positions = no_dep.get_values()
    for position in positions:
        if not 0 <= position < len(op.arguments):
            raise VerifyException(
                f"no_dep names position {position} of {len(op.arguments)} arguments"
            )
        if not is_tensor_like(op.arguments[position].type):
            raise VerifyException(
                f"no_dep names argument {position} of type {op.arguments[position].type}: only "
                "tensors carry dependencies"
            )
    if len(set(positions)) != len(positions):
        raise VerifyException(f"no_dep names a position twice: {list(positions)}")


def _verify_types(op: CallLikeOp, callee: FuncOp) -> None:
    arguments = [argument.type for argument in op.operands[: _first_segment(op)]]
    verify_views("argument", arguments)
    verify_views("result", op.result_types)
    signature: FunctionType = callee.function_type
    with_shapes = not is_builtin_kernel(callee)
    for index, parameter in enumerate(op.parameter_indices(callee)):
        argument = arguments[index]
        expected = signature.inputs.data[parameter]
        if (misfit := _misfit(argument, expected, with_shapes)) is not None:
            raise VerifyException(
                f"argument {index} of type {argument} does not fit parameter {parameter} of "
                f"{op.callee}, {expected}: {misfit}"
            )
    results = op.callee_results
    if len(results) != len(signature.outputs):
        raise VerifyException(
            f"{op.callee} has {len(signature.outputs)} results, not {len(results)}"
        )
    for index, (result, expected) in enumerate(zip(results, signature.outputs.data, strict=True)):
        misfit = _misfit(result.type, expected, with_shapes)
        if misfit is None and isinstance(result.type, DistributedTensorType) != isinstance(
            expected, DistributedTensorType
        ):
            misfit = "a result has the callee's kind"
        if misfit is not None:
            raise VerifyException(
                f"result {index} of type {result.type} does not fit result {index} of "
                f"{op.callee}, {expected}: {misfit}"
            )


def _misfit(given: Attribute, expected: Attribute, with_shapes: bool) -> str | None:
    """Why a value of type `given` cannot stand for `expected`, None if it can."""
    if given is expected or given == expected:
        return None
    wanted = tensor_of(expected)
    tensor = tensor_of(given)
    if wanted is None or tensor is None:
        return None if given == expected else "the types differ"
    if isinstance(expected, DistributedTensorType) and not isinstance(given, DistributedTensorType):
        return "a plain tensor is no window, which a peer could address"
    if tensor.element_type != wanted.element_type:
        return f"element type {tensor.element_type} is not {wanted.element_type}"
    if with_shapes and tensor.get_num_dims() != wanted.get_num_dims():
        return f"rank {tensor.get_num_dims()} is not {wanted.get_num_dims()}"
    if with_shapes and not shapes_agree(tensor.get_shape(), wanted.get_shape()):
        return "the extents differ"
    return None


def _verify_builtin_launch(op: CallLikeOp, callee: FuncOp) -> None:
    """The blocks of a builtin kernel meet in a barrier, so all must be resident at once."""
    if not is_builtin_kernel(callee) or not _segments(op)[2] or op.sync_start is not None:
        return
    width = constant_int(op.operands[-1])
    if width is None or width > 1:
        asked = "core_num above 1" if width else "a core_num that may be above 1"
        raise VerifyException(
            f"a launch of the builtin kernel {op.callee} with {asked} needs sync_start: "
            "early blocks would wait in its barrier for blocks not yet launched"
        )
