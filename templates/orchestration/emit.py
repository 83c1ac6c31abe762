"""
One chip pipeline as the C++ source of its orchestration.

What has no form is collected and raised once, each at its place in the IR.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from xdsl.dialects import arith, scf
from xdsl.dialects import tensor as upstream
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_pld.dialects.pl.attributes import Direction, direction
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp, TaskDummyOp
from xdsl_pld.dialects.pl.tensor import (
    CreateOp,
    ReadOp,
    ReshapeOp,
    SetValidShapeOp,
    SliceOp,
    TransposeOp,
    ViewOp,
    WriteOp,
)
from xdsl_pld.dialects.pl.tensor_dim import DimOp
from xdsl_pld.dialects.types import CommCtxType, is_tensor_like
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.templates.abi import (
    MAX_DIMS,
    MAX_PIPELINE_SCALARS,
    MAX_PIPELINE_TENSORS,
    ArgumentLayout,
)
from xdsl_pld.templates.errors import EmissionError, Problem
from xdsl_pld.templates.orchestration import control_flow, tasks, tensors
from xdsl_pld.templates.orchestration.body import Body, Form, RefusedError
from xdsl_pld.templates.orchestration.expressions import NoFormError, expression
from xdsl_pld.templates.orchestration.launches import Kernel, Kernels
from xdsl_pld.templates.orchestration.names import identifier
from xdsl_pld.templates.runtimes import RuntimeProfile, Target

_ADVICE: Mapping[str, str] = {
    "pld.system.rank": "pass the rank as a scalar from the host, where each dispatch knows its "
    "device",
    "pld.system.nranks": "pass the number of ranks as a scalar from the host",
    "pld.system.get_comm_ctx": "run materialize-dist-tensor-ctx: contexts are parameters here",
    "pl.tensor.assemble": "a copy is a kernel's work; fuse-create-assemble-to-slice removes those "
    "of created tensors",
}


@dataclass(frozen=True)
class Orchestration:
    """What is emitted for a pipeline."""

    function: FuncOp
    body: str
    kernels: Sequence[Kernel]

    @property
    def name(self) -> str:
        return self.function.sym_name.data

    @property
    def layout(self) -> ArgumentLayout:
        return ArgumentLayout.of(self.function.function_type.inputs.data)

    def variables(self, runtime: RuntimeProfile, target: Target) -> Mapping[str, object]:
        """What the template of the source takes."""
        layout = self.layout
        arguments = [_listed(self.function, "tensor", i, p) for i, p in enumerate(layout.tensors)]
        arguments += [_listed(self.function, "scalar", i, p) for i, p in enumerate(layout.scalars)]
        return {
            "pipeline": self.name,
            "runtime": runtime.name,
            "target": target.name,
            "arguments": arguments or ["It takes no arguments."],
            "argument_count": f"{len(layout.tensors)} + {len(layout.scalars)}",
            "reads_arguments": "orch_args" in self.body,
            "body": self.body,
        }


@dataclass(frozen=True)
class SignatureEntry:
    """A tensor parameter, as kernel_config.py lists it."""

    name: str
    direction: Direction


def signature(function: FuncOp) -> Sequence[SignatureEntry]:
    """The tensor parameters of a pipeline or kernel, in order."""
    layout = ArgumentLayout.of(function.function_type.inputs.data)
    return [
        SignatureEntry(_parameter_name(function, index), direction(function, index))
        for index in layout.tensors
    ]


def emit_orchestration(function: FuncOp, runtime: RuntimeProfile, target: Target) -> Orchestration:
    """The orchestration of a pipeline; raises EmissionError for what has no form."""
    kernels = Kernels()
    body = Body(function, runtime, target, kernels)
    _check_parameters(body)
    _unpack(body)
    if len(function.body.blocks) != 1:
        body.problems.append(
            Problem(function, "branches between blocks have no form: write scf.if, for and while")
        )
    else:
        (scope,) = body.text.nest("PTO2_SCOPE()")
        with body.text.within(scope):
            tasks.keeps_ids(body)
            _statements(body, function.body.block)
    if body.problems:
        raise EmissionError(body.problems)
    return Orchestration(function, body.text.render(1), list(kernels.used.values()))


# Arguments


def _parameter_name(function: FuncOp, index: int) -> str:
    hint = None if function.is_declaration else function.args[index].name_hint
    return identifier(hint or f"argument_{index}")


def _listed(function: FuncOp, kind: str, number: int, index: int) -> str:
    name = _parameter_name(function, index)
    if kind == "tensor":
        return f"tensor({number}) {name}, {direction(function, index)}"
    return f"scalar({number}) {name}"


def _check_parameters(body: Body) -> None:
    function = body.function
    layout = ArgumentLayout.of(function.function_type.inputs.data)
    for count, limit, what in (
        (len(layout.tensors), MAX_PIPELINE_TENSORS, "tensors"),
        (len(layout.scalars), MAX_PIPELINE_SCALARS, "scalars"),
    ):
        if count > limit:
            body.problems.append(
                Problem(function, f"a pipeline takes at most {limit} {what}, not {count}")
            )
    for index in layout.tensors:
        rank = len(shape_of(function.args[index]))
        if rank > MAX_DIMS:
            body.problems.append(
                Problem(
                    function.args[index],
                    f"a tensor of the runtime has at most {MAX_DIMS} dimensions, not {rank}",
                )
            )


def _unpack(body: Body) -> None:
    function = body.function
    layout = ArgumentLayout.of(function.function_type.inputs.data)
    for number, index in enumerate(layout.tensors):
        argument = function.args[index]
        name = body.fresh(argument, f"argument_{index}")
        body.add(f"const {body.tensor}& {name} = orch_args.tensor({number}).ref();", name)
        body.define(argument, tensors.parameter_form(argument, name))
    for number, index in enumerate(layout.scalars):
        argument = function.args[index]
        name = body.fresh(argument, f"argument_{index}")
        try:
            _unpack_scalar(body, argument, name, f"orch_args.scalar({number})")
        except RefusedError as error:
            body.lose([argument])
            if error.problem is not None:
                body.problems.append(error.problem)


def _unpack_scalar(body: Body, argument: SSAValue, name: str, source: str) -> None:
    if isinstance(argument.type, CommCtxType):
        body.constant("uint64_t", name, source)
    else:
        type_ = body.variable_type(argument, body.function)
        if type_ in ("float", "double"):
            bits = body.constant("uint64_t", body.names.fresh(f"{name}_bits"), source)
            body.add(f"{type_} {name} = 0;", name)
            body.add(f"__builtin_memcpy(&{name}, &{bits}, sizeof {name});", name)
        elif type_ == "bool":
            body.constant(type_, name, f"{source} != 0")
        elif type_ == "PTO2TaskId":
            raise RefusedError(
                Problem(body.function, "a task id cannot be a parameter of a pipeline")
            )
        else:
            body.constant(type_, name, f"static_cast<{type_}>({source})")
    body.define(argument, Form(name))


# Statements


def _statements(body: Body, block: Block) -> None:
    for op in block.ops:
        if op is block.last_op and isinstance(op, scf.YieldOp | scf.ConditionOp):
            continue
        try:
            _statement(body, op)
        except RefusedError as error:
            body.lose(op.results)
            if error.problem is not None:
                body.problems.append(error.problem)


def _statement(body: Body, op: Operation) -> None:
    if op.results and ConstantLike.get_constant_value(op.results[0]) is not None:
        return  # a literal where it is used
    emit = _EMIT.get(type(op))
    if emit is not None:
        emit(body, op)
    elif op.dialect_name() == arith.Arith.name:
        _emit_arith(body, op)
    else:
        name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
        raise RefusedError(
            Problem(op, f"'{name}' has no form in a chip orchestration", _ADVICE.get(name))
        )


def _emit_arith(body: Body, op: Operation) -> None:
    (result,) = op.results if len(op.results) == 1 else (None,)
    if result is None:
        raise RefusedError(Problem(op, f"'{op.name}' has no form in a chip orchestration"))
    if isinstance(op, arith.SelectOp) and is_tensor_like(result.type):
        _emit_tensor_select(body, op)
        return
    operands = [body.name(operand, op) for operand in op.operands]
    try:
        text = expression(op, operands)
    except NoFormError as error:
        raise RefusedError(Problem(op, str(error))) from error
    name = body.fresh(result, op.name.removeprefix("arith."))
    body.constant(body.variable_type(result, op), name, text)
    body.define(result, Form(name))


def _emit_tensor_select(body: Body, op: arith.SelectOp) -> None:
    condition = body.name(op.cond, op)
    forms = [body.form(value, op) for value in (op.lhs, op.rhs)]
    name = body.fresh(op.result, "selected")
    chosen = f"{condition} ? {forms[0].text} : {forms[1].text}"
    body.add(f"const {body.tensor} {name} = {chosen};", name)
    scope = max(form.scope for form in forms)
    body.define(op.result, Form(name, scope, all(form.packed for form in forms)))


def _emit_return(body: Body, op: ReturnOp) -> None:
    """Results are handed back through parameters: there is nothing to write, only to check."""
    for position, value in enumerate(op.arguments):
        form = body.form(value, op)
        if not is_tensor_like(value.type) or form.scope > 0:
            what = "a tensor of its own" if is_tensor_like(value.type) else f"a {value.type}"
            raise RefusedError(
                Problem(
                    op,
                    f"result {position} of the pipeline is {what}: a pipeline hands results back "
                    "through its parameters only",
                    "write it into a parameter that is out or inout",
                )
            )


def _nothing(body: Body, op: Operation) -> None:
    """An operation whose result is its operand's variable."""


_OpT = TypeVar("_OpT", bound=Operation)
_Emit = Callable[[Body, Operation], None]


def _for(type_: type[_OpT], emit: Callable[[Body, _OpT], None]) -> tuple[type[Operation], _Emit]:
    return type_, cast(_Emit, emit)


_EMIT: Mapping[type[Operation], _Emit] = dict(
    (
        _for(CallOp, tasks.emit_task),
        _for(SubmitOp, tasks.emit_task),
        _for(TaskDummyOp, tasks.emit_dummy),
        _for(CreateOp, tensors.emit_create),
        _for(SliceOp, tensors.emit_slice),
        _for(ViewOp, tensors.emit_renumbered),
        _for(ReshapeOp, tensors.emit_renumbered),
        _for(TransposeOp, tensors.emit_transpose),
        _for(ReadOp, tensors.emit_read),
        _for(WriteOp, tensors.emit_write),
        _for(SetValidShapeOp, _nothing),
        _for(upstream.CastOp, _nothing),
        _for(DimOp, tensors.emit_dim),
        _for(upstream.DimOp, tensors.emit_upstream_dim),
        _for(scf.ForOp, lambda body, op: control_flow.emit_for(body, op, _statements)),
        _for(scf.WhileOp, lambda body, op: control_flow.emit_while(body, op, _statements)),
        _for(scf.IfOp, lambda body, op: control_flow.emit_if(body, op, _statements)),
        _for(ReturnOp, _emit_return),
    )
)
