"""
The ops of `pl` on functions and tensors, and `func`; tiles are in `tile_functions`.

A view is a numpy view, a write is in place. A call of a builtin kernel brings its
operands to the collective that the kernel stands for; its body is never run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import (
    Interpreter,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreter import InterpreterFunctions as Functions
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.dialects.builtin_kernels import BUILTIN_KERNELS, BuiltinKernel
from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.pl import call, tensor, tensor_dim
from xdsl_pld.dialects.pl.attributes import (
    TEMPLATE_DIR,
    FuncType,
    func_type,
    is_builtin_kernel,
    is_chip_orchestration,
    is_launchable,
)
from xdsl_pld.dialects.types import tensor_of
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.passes.analysis.calls import AnyCallOp, callee_of
from xdsl_pld.tools.interpreter.blocks import launch, require_one_block
from xdsl_pld.tools.interpreter.exchange import Call, Operands, blocks_of
from xdsl_pld.tools.interpreter.memory import (
    DistTensor,
    TensorValue,
    allocate,
    array_of,
    box,
    layout_of,
    reshaped,
    seen_as,
)
from xdsl_pld.tools.interpreter.operands import (
    element,
    indices,
    number,
    sliced,
    split_operands,
)
from xdsl_pld.tools.interpreter.scalars import int_of, scalar

if TYPE_CHECKING:
    from xdsl_pld.tools.interpreter.machine import Agent

_KERNELS = {kernel.handle: kernel for kernel in BUILTIN_KERNELS.values()}


@register_impls
class PlFunctions(Functions):
    """The ops of `pl` and `func` for one agent."""

    def __init__(self, agent: "Agent"):
        self.agent = agent

    # Calls

    @impl_terminator(func.ReturnOp)
    def run_return(
        self, interpreter: Interpreter, op: func.ReturnOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args), ()

    @impl(func.CallOp)
    def run_func_call(self, interpreter: Interpreter, op: func.CallOp, args: PythonValues):
        return self._call(op, self._callee(op), args)

    @impl(call.CallOp)
    def run_call(self, interpreter: Interpreter, op: call.CallOp, args: PythonValues):
        callee = self._callee(op)
        arguments, device, core_num = split_operands(op, args)
        if device:
            return self._dispatch(op, callee, arguments, int_of(device[0]))
        return self._launch(op, callee, arguments, core_num)

    @impl(call.SubmitOp)
    def run_submit(self, interpreter: Interpreter, op: call.SubmitOp, args: PythonValues):
        callee = self._callee(op)
        arguments, _, core_num = split_operands(op, args)
        values: list[Any] = [None] * len(callee.function_type.inputs)
        for index, value in zip(op.parameter_indices(callee), arguments, strict=True):
            values[index] = value
        for index in op.omitted_parameters(callee):
            type_ = tensor_of(callee.function_type.inputs.data[index])
            assert type_ is not None
            values[index] = allocate(type_, self.agent.machine.settings.poison)
        return (*self._launch(op, callee, values, core_num), op)

    @impl(call.TaskDummyOp)
    def run_task_dummy(self, interpreter: Interpreter, op: call.TaskDummyOp, args: PythonValues):
        return (op,)

    def _callee(self, op: AnyCallOp) -> FuncOp:
        callee = callee_of(op)
        if callee is None:
            raise InterpretationError(f"{op.callee} is no function of this module")
        return callee

    def _call(self, op: AnyCallOp, callee: FuncOp, values: Sequence[Any]) -> PythonValues:
        if self.agent.device is None and is_chip_orchestration(callee):
            raise InterpretationError(
                f"a host body dispatches a chip pipeline, @{callee.sym_name.data}, to a device: "
                "write the call with device(...)"
            )
        self.agent.settle()
        return self.agent.call(op, callee, values)

    def _launch(
        self,
        op: call.CallOp | call.SubmitOp,
        callee: FuncOp,
        values: Sequence[Any],
        core_num: Sequence[Any],
    ) -> PythonValues:
        """A task: a kernel's body, once a block, or the collective of a builtin kernel."""
        if not is_launchable(callee):
            return self._call(op, callee, values)
        name = callee.sym_name.data
        if core_num:
            require_one_block(self.agent, f"a launch of @{name} with a core_num of its own")
        blocks = _blocks(core_num)
        sync_start = op.sync_start is not None
        if not is_builtin_kernel(callee) and func_type(callee) != FuncType.AIC:
            self.agent.machine.settings.engine.admit(
                f"@{name}",
                blocks,
                sync_start=sync_start,
                waits=callee in self.agent.machine.waits,
            )
        with self.agent.as_task(name, op):
            if is_builtin_kernel(callee):
                require_one_block(self.agent, f"the collective of @{name}")
                return self._builtin_kernel(op, callee, values, blocks)
            self.agent.settle()
            return launch(self.agent, op, callee, values, blocks, sync_start=sync_start)

    def _builtin_kernel(
        self, op: AnyCallOp, callee: FuncOp, arguments: Sequence[Any], blocks: int
    ) -> PythonValues:
        from xdsl_pld.tools.interpreter.machine import bound

        kernel = _kernel(callee, arguments)
        values = bound(callee, arguments, with_shapes=False)
        roles = {operand.role: values[i] for i, operand in enumerate(kernel.operands)}
        for operand in kernel.operands:
            if operand.distributed and not isinstance(roles[operand.role], DistTensor):
                raise InterpretationError(f"{operand.role} of @{callee.sym_name.data} is no window")
        override = self.agent.machine.settings.core_num
        if override is not None:
            ranks = roles["target"].window.domain.size
            blocks = blocks_of(kernel.operator, override, ranks)
        self.agent.machine.meetings.meet(
            self.agent, Call(kernel.operator, blocks, kernel=callee), operands_of(roles), op
        )
        returned = [roles["target"]] * len(callee.function_type.outputs)
        return tuple(returned)

    def _dispatch(
        self, op: call.CallOp, callee: FuncOp, arguments: Sequence[Any], device: int
    ) -> PythonValues:
        from xdsl_pld.tools.interpreter.machine import Agent, Job, on_device, touched

        self.agent.machine.require_device(device)
        values = [on_device(value, device) for value in arguments]
        results = self._returned(op, callee, arguments)

        def run(agent: Agent) -> None:
            agent.call(op, callee, values)

        reads, writes = touched(callee, arguments)
        job = Job(callee.sym_name.data, op, run, reads, writes)
        self.agent.machine.dispatch(device, job)
        return results

    def _returned(
        self, op: call.CallOp, callee: FuncOp, arguments: Sequence[Any]
    ) -> tuple[Any, ...]:
        """
        What a dispatch returns to the host body, which does not wait for it: the arguments that
        the pipeline returns.
        """
        results: list[Any] = []
        for index, returned in enumerate(self.agent.machine.lineage.returned(callee)):
            if returned.parameter is not None and returned.whole:
                results.append(arguments[returned.parameter])
            elif op.results[index].first_use is None:
                results.append(None)
            else:
                raise InterpretationError(
                    f"result {index} of this dispatch is used, but @{callee.sym_name.data} does "
                    "not return one of its parameters there: a host body gets results through "
                    "the tensors that it passes"
                )
        return tuple(results)

    # Tensors

    @impl(tensor_dim.DimOp)
    def run_dim(self, interpreter: Interpreter, op: tensor_dim.DimOp, args: PythonValues):
        return (scalar(layout_of(args[0]).shape[op.axis.value.data], op.result.type),)

    @impl(tensor.CreateOp)
    def run_create(self, interpreter: Interpreter, op: tensor.CreateOp, args: PythonValues):
        type_ = tensor_of(op.result.type)
        assert type_ is not None
        return (allocate(type_, self.agent.machine.settings.poison),)

    @impl(tensor.SliceOp)
    def run_slice(self, interpreter: Interpreter, op: tensor.SliceOp, args: PythonValues):
        source, offsets, sizes = sliced(op, args)
        array = box(layout_of(source), "the source", offsets, sizes)
        dropped = array.ndim - len(shape_of(op.result))
        return (seen_as(source, array[(0,) * dropped]),)

    @impl(tensor.AssembleOp)
    def run_assemble(self, interpreter: Interpreter, op: tensor.AssembleOp, args: PythonValues):
        self.agent.settle()
        source, destination = args[0], args[1]
        array = array_of(source)
        offsets = indices(op.static_offsets, args[2:])
        part = box(array_of(destination), "the destination", offsets, array.shape)
        part[...] = array
        self.agent.touched(source, array)
        self.agent.touched(destination, part, write=True)
        return (destination,)

    @impl(tensor.ViewOp)
    def run_view(self, interpreter: Interpreter, op: tensor.ViewOp, args: PythonValues):
        return (_reshaped(args[0], op.result),)

    @impl(tensor.ReshapeOp)
    def run_reshape(self, interpreter: Interpreter, op: tensor.ReshapeOp, args: PythonValues):
        return (_reshaped(args[0], op.result),)

    @impl(tensor.SetValidShapeOp)
    def run_set_validshape(
        self, interpreter: Interpreter, op: tensor.SetValidShapeOp, args: PythonValues
    ):
        return args

    @impl(tensor.TransposeOp)
    def run_transpose(self, interpreter: Interpreter, op: tensor.TransposeOp, args: PythonValues):
        axes = [int(axis) for axis in op.axes.get_values()]
        return (seen_as(args[0], layout_of(args[0]).transpose(axes)),)

    @impl(tensor.ReadOp)
    def run_read(self, interpreter: Interpreter, op: tensor.ReadOp, args: PythonValues):
        self.agent.settle()
        cell = box(array_of(args[0]), "the source", indices(op.static_offsets, args[1:]))
        value = element(cell, op.result.type)
        self.agent.touched(args[0], cell)
        return (value,)

    @impl(tensor.WriteOp)
    def run_write(self, interpreter: Interpreter, op: tensor.WriteOp, args: PythonValues):
        self.agent.settle()
        value, destination = args[0], args[1]
        offsets = indices(op.static_offsets, args[2:])
        cell = box(array_of(destination), "the destination", offsets)
        written = number(value, element_of(op.destination))
        machine = self.agent.machine
        if isinstance(destination, DistTensor) and destination.window.name in (
            machine.settings.signals
        ):
            machine.settings.engine.notify(
                self.agent.require_device(), cell, int(written), add=False
            )
        else:
            cell[...] = written
            self.agent.touched(destination, cell, write=True)
        return (destination,)


def operands_of(values: dict[str, TensorValue]) -> Operands:
    """What a rank brings to a collective."""
    arrays = {role: array_of(value) for role, value in values.items()}
    distributed = {role: value for role, value in values.items() if isinstance(value, DistTensor)}
    windows = {role: value.window for role, value in distributed.items()}
    contexts = {role: value.context for role, value in distributed.items()}
    return Operands(arrays, windows, contexts)


def _blocks(core_num: Sequence[Any]) -> int:
    blocks = int_of(core_num[0]) if core_num else 1
    if (message := out_of_range(blocks)) is not None:
        raise InterpretationError(message)
    return blocks


def _kernel(callee: FuncOp, arguments: Sequence[Any]) -> BuiltinKernel:
    template = callee.attributes[TEMPLATE_DIR]
    assert isinstance(template, StringAttr)
    kernel = _KERNELS.get(template.data)
    name = callee.sym_name.data
    if kernel is None:
        known = ", ".join(_KERNELS)
        raise InterpretationError(
            f"@{name} is the kernel '{template.data}', which pld-run does not know (known: {known})"
        )
    if len(arguments) < len(kernel.operands) or not all(
        tensor_of(type_) for type_ in callee.function_type.inputs.data[: len(kernel.operands)]
    ):
        roles = ", ".join(operand.role for operand in kernel.operands)
        raise InterpretationError(f"@{name} must take the tensors {roles}")
    return kernel


def _reshaped(source: TensorValue, result: SSAValue) -> TensorValue:
    return seen_as(source, reshaped(layout_of(source), shape_of(result)))
