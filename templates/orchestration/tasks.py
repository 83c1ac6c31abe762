"""
Tasks: a call or submit as one `CoreTaskArgs` and its submit.

The order in a task is tensors, scalars, dependencies, launch spec, submit.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from xdsl_pld.dialects.core_num import constant_int
from xdsl_pld.dialects.pl.attributes import REQUIRE_CONTIGUOUS
from xdsl_pld.dialects.pl.call import CallLikeOp, SubmitOp, TaskDummyOp
from xdsl_pld.dialects.symbols import lookup_callee
from xdsl_pld.dialects.types import CommCtxType, is_tensor_like
from xdsl_pld.dialects.values import shape_of
from xdsl_pld.templates.abi import MAX_DIMS, MAX_TASK_SCALARS, MAX_TASK_TENSORS
from xdsl_pld.templates.errors import Problem
from xdsl_pld.templates.orchestration.aliases import returned_parameters
from xdsl_pld.templates.orchestration.body import Body, Form, RefusedError
from xdsl_pld.templates.orchestration.launches import Launch, LaunchError, launch_of
from xdsl_pld.templates.orchestration.names import identifier
from xdsl_pld.templates.orchestration.tensors import create_info
from xdsl_pld.templates.runtimes import MAX_LAUNCH_BLOCKS

_ADD = {
    "input": "add_input",
    "inout": "add_inout",
    "output": "add_output",
    "output_existing": "add_output",
    "no_dep": "add_no_dep",
}


def emit_task(body: Body, call: CallLikeOp) -> None:
    callee = lookup_callee(call, call.callee)
    assert callee is not None, "the verifier resolves callees"
    try:
        launch = launch_of(call)
    except LaunchError as error:
        raise RefusedError(error.problem) from error
    directions = _directions(call)
    number = body.task_ids.numbers[call]
    _check_limits(call, callee)
    tensors = [
        (body.name(argument, call), _ADD[direction], parameter)
        for argument, direction, parameter in zip(
            call.arguments, directions, call.parameter_indices(callee), strict=True
        )
        if is_tensor_like(argument.type)
    ]
    if any(REQUIRE_CONTIGUOUS in kernel.attributes for kernel in launch.kernels):
        for name, _, parameter in tensors:
            body.fatal_if(f"!{name}.is_contiguous", _guard_message(callee, parameter))
    width = _width(body, call, launch)
    task = body.names.fresh(f"task_{number}")
    outputs = _allocated(body, call, callee, task)
    scalars = [_scalar(body, call, a) for a in call.arguments if not is_tensor_like(a.type)]
    waits = _waits(body, call, task)
    body.add(f"CoreTaskArgs {task};")
    for name, add, _ in tensors:
        body.add(f"{task}.{add}({name});")
    for _, info in outputs:
        body.add(f"{task}.add_output({info});")
    for scalar in scalars:
        body.add(f"{task}.add_scalar({scalar});")
    _set_dependencies(body, task, waits)
    _set_width(body, task, width, sync_start=launch.sync_start)
    _submit(body, call, launch, task, number, [parameter for parameter, _ in outputs])


def emit_dummy(body: Body, op: TaskDummyOp) -> None:
    name = body.fresh(op.task_id, "dummy")
    task = body.names.fresh(f"{name}_task")
    waits = _Waits([body.name(dep, op) for dep in op.deps])
    body.add(f"CoreTaskArgs {task};")
    if waits.sure:
        _set_dependencies(body, task, waits)
    out = body.names.fresh(f"{name}_out")
    _keep_outputs(body, out, f"rt_submit_dummy_task({task})")
    body.constant("PTO2TaskId", name, f"{out}.task_id()")
    body.define(op.task_id, Form(name))


# Arguments


def _directions(call: CallLikeOp) -> Sequence[str]:
    if call.arg_directions is not None:
        return [entry.data for entry in call.arg_directions]
    if any(is_tensor_like(a.type) for a in call.arguments):
        raise RefusedError(
            Problem(
                call,
                "the call has no arg_directions: the runtime orders tasks by them",
                "run derive-call-directions, or pld-default-pipeline",
            )
        )
    return ["scalar"] * len(call.arguments)


def _check_limits(call: CallLikeOp, callee: FuncOp) -> None:
    omitted = call.omitted_parameters(callee) if isinstance(call, SubmitOp) else ()
    tensors = sum(is_tensor_like(a.type) for a in call.arguments) + len(omitted)
    scalars = sum(not is_tensor_like(a.type) for a in call.arguments)
    for count, limit, what in (
        (tensors, MAX_TASK_TENSORS, "tensors"),
        (scalars, MAX_TASK_SCALARS, "scalars"),
    ):
        if count > limit:
            contexts = sum(isinstance(a.type, CommCtxType) for a in call.arguments)
            among = f", {contexts} of them contexts" if what == "scalars" and contexts else ""
            raise RefusedError(
                Problem(call, f"a task takes at most {limit} {what}; this one has {count}{among}")
            )
    for argument in call.arguments:
        if is_tensor_like(argument.type) and len(shape_of(argument)) > MAX_DIMS:
            raise RefusedError(
                Problem(
                    call,
                    f"a tensor of the runtime has at most {MAX_DIMS} dimensions; "
                    f"{argument.type} has {len(shape_of(argument))}",
                )
            )


def _guard_message(callee: FuncOp, parameter: int) -> str:
    role = None if callee.is_declaration else callee.args[parameter].name_hint
    return f"{callee.sym_name.data}: {role or f'operand {parameter}'} is not contiguous"


def _scalar(body: Body, call: CallLikeOp, argument: SSAValue) -> str:
    """An argument as the 64 bits that the runtime passes on."""
    text = body.name(argument, call)
    if isinstance(argument.type, CommCtxType):
        return text
    type_ = body.variable_type(argument, call)
    if isinstance(argument.type, Float32Type | Float64Type):
        # The bits of the number, in the low half for a float.
        value = body.constant(type_, body.names.fresh("number"), text)
        bits = body.names.fresh(f"{value}_bits")
        body.add(f"uint64_t {bits} = 0;")
        body.add(f"__builtin_memcpy(&{bits}, &{value}, sizeof {value});")
        return bits
    return text if text.isdigit() else f"static_cast<uint64_t>({text})"


def _allocated(
    body: Body, call: CallLikeOp, callee: FuncOp, task: str
) -> Sequence[tuple[int, str]]:
    """The outputs that the runtime allocates: the parameter and its `TensorCreateInfo`."""
    if not isinstance(call, SubmitOp):
        return ()
    returned = list(returned_parameters(callee))
    infos: list[tuple[int, str]] = []
    for number, parameter in enumerate(call.omitted_parameters(callee)):
        type_ = (
            call.callee_results[returned.index(parameter)].type
            if parameter in returned
            else callee.function_type.inputs.data[parameter]
        )
        infos.append((parameter, create_info(body, f"{task}_output_{number}", type_, call)))
    return infos


# Dependencies


class _Waits:
    """What a task waits for: ids that are there, and ids that may be, each with its flag."""

    def __init__(self, sure: Sequence[str], perhaps: Sequence[tuple[str, str]] = ()):
        self.sure = list(dict.fromkeys(sure))
        self.perhaps = list(perhaps)


def _waits(body: Body, call: CallLikeOp, task: str) -> _Waits:
    deps = call.deps if isinstance(call, SubmitOp) else ()
    sure = [body.name(dep, call) for dep in deps]
    perhaps: list[tuple[str, str]] = []
    for wait in body.task_ids.after.get(call, ()):
        if not wait.is_sure:
            perhaps.append(body.kept_ids[wait.number])
        elif wait.number in body.task_names:
            sure.append(body.task_names[wait.number])
        else:  # that task was refused
            raise RefusedError(None)
    return _Waits(sure, perhaps)


def _set_dependencies(body: Body, task: str, waits: _Waits) -> None:
    if not waits.sure and not waits.perhaps:
        return
    ids = body.names.fresh(f"{task}_after")
    if not waits.perhaps:
        body.add(f"const PTO2TaskId {ids}[] = {{{', '.join(waits.sure)}}};")
        body.add(f"{task}.set_dependencies({ids}, {len(waits.sure)});")
        return
    most = len(waits.sure) + len(waits.perhaps)
    count = body.names.fresh(f"{task}_after_count")
    listed = ", ".join(waits.sure)
    body.add(f"PTO2TaskId {ids}[{most}] = {{{listed}}};")
    body.add(f"uint32_t {count} = {len(waits.sure)};")
    for name, flag in waits.perhaps:
        body.add(f"if ({flag}) {ids}[{count}++] = {name};")
    guard = "" if waits.sure else f"if ({count} > 0) "
    body.add(f"{guard}{task}.set_dependencies({ids}, {count});")


# Launch


def _width(body: Body, call: CallLikeOp, launch: Launch) -> int | str:
    """The number of blocks: a constant, or the name of a value that is checked before the task."""
    if launch.core_num is None:
        width = launch.inner_core_num or 1
    elif (constant := constant_int(launch.core_num)) is not None:
        width = constant
    else:
        name = body.name(launch.core_num, call)
        callee = call.callee.root_reference.data
        body.fatal_if(
            f"{name} < 1 || {name} > {MAX_LAUNCH_BLOCKS}",
            f"{callee}: core_num is out of range [1, {MAX_LAUNCH_BLOCKS}]",
        )
        return name
    if width > MAX_LAUNCH_BLOCKS:
        raise RefusedError(
            Problem(
                call,
                f"a launch has at most {MAX_LAUNCH_BLOCKS} blocks, this one {width}: the launch "
                "spec holds 16 bits",
            )
        )
    return width


def _set_width(body: Body, task: str, width: int | str, *, sync_start: bool) -> None:
    if width == 1:
        return
    if isinstance(width, int):
        _launch_spec(body, task, str(width), sync_start=sync_start)
        return
    (inner,) = body.text.nest(f"if ({width} > 1)")
    with body.text.within(inner):
        _launch_spec(body, task, f"static_cast<int16_t>({width})", sync_start=sync_start)


def _launch_spec(body: Body, task: str, blocks: str, *, sync_start: bool) -> None:
    body.add(f"{task}.launch_spec.{body.target.set_blocks}({blocks});")
    if sync_start:
        body.add(f"{task}.launch_spec.set_require_sync_start(true);")


def _submit(
    body: Body,
    call: CallLikeOp,
    launch: Launch,
    task: str,
    number: int,
    allocated: Sequence[int],
) -> None:
    submit = _submit_call(body, launch, task)
    ids = body.task_ids
    task_id = call.task_id if isinstance(call, SubmitOp) else None
    has_users = task_id is not None and task_id.first_use is not None
    if not (number in ids.direct or number in ids.kept or has_users or allocated):
        body.add(f"{submit};")
        _define_results(body, call, allocated, None)
        return
    out = body.names.fresh(f"{task}_out")
    _keep_outputs(body, out, submit)
    body.task_names[number] = f"{out}.task_id()"
    if has_users and task_id is not None:
        body.task_names[number] = _define_id(body, task_id, task, out)

    if number in ids.kept:
        variable, flag = body.kept_ids[number]
        body.add(f"{variable} = {out}.task_id();", variable)
        body.add(f"{flag} = true;", flag)
    _define_results(body, call, allocated, out)


def _keep_outputs(body: Body, name: str, submit: str) -> None:
    body.text.add(f"const TaskOutputTensors {name} = {submit};", name, f"{submit};")


def _define_id(body: Body, task_id: SSAValue, task: str, out: str) -> str:
    name = body.constant("PTO2TaskId", body.fresh(task_id, f"{task}_id"), f"{out}.task_id()")
    body.define(task_id, Form(name))
    return name


def _submit_call(body: Body, launch: Launch, task: str) -> str:
    kernels = [body.kernels.use(kernel) for kernel in launch.kernels]
    if not launch.mixed:
        (kernel,) = kernels
        return f"rt_submit_{kernel.core}_task({kernel.func_id}, {task})"
    mixed = body.names.fresh(f"{task}_kernels")
    body.add(f"MixedKernels {mixed};")
    slots = {
        "aic": iter(("aic_kernel_id",)),
        "aiv": iter(("aiv0_kernel_id", "aiv1_kernel_id")),
    }
    for kernel in kernels:
        body.add(f"{mixed}.{next(slots[kernel.core])} = {kernel.func_id};")
    return f"rt_submit_task({mixed}, {task})"


def _define_results(
    body: Body, call: CallLikeOp, allocated: Sequence[int], out: str | None
) -> None:
    callee = lookup_callee(call, call.callee)
    assert callee is not None
    returned = returned_parameters(callee)
    for position, (result, parameter) in enumerate(zip(call.callee_results, returned, strict=True)):
        if out is not None and parameter is not None and parameter in allocated:
            name = body.fresh(result, f"{identifier(out)}_{position}")
            place = list(allocated).index(parameter)
            body.add(f"const {body.tensor}& {name} = {out}.get_ref({place});", name)
            body.define(result, Form(name, body.scope))
        elif not body.is_alias(result):
            body.explain(
                result,
                f"result {position} of '{callee.sym_name.data}' has no form: the kernel does not "
                "return a parameter there" + (" (a declaration)" if callee.is_declaration else ""),
            )


def keeps_ids(body: Body) -> None:
    """Declares, before all else, the variables of the ids that are kept."""
    for number in sorted(body.task_ids.kept):
        name = body.names.fresh(f"task_{number}_latest")
        flag = body.names.fresh(f"task_{number}_submitted")
        body.kept_ids[number] = (name, flag)
        body.add(f"PTO2TaskId {name}{{}};", name)
        body.add(f"bool {flag} = false;", flag)
