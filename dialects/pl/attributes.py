"""
The `pl.` attributes: what a function, a parameter, a loop or a launch may carry, and its meaning.

    func.func:  pl.func_type, pl.level, pl.role            what the function is and who runs it
                pl.builtin_template_dir, _vars             a kernel that comes from a template
                pl.require_contiguous_operands             operands are also checked at run time
                pl.arg_attrs                               parameter attributes of a declaration
    parameter:  pl.dir                                     in (default), out, inout
    scf.for:    pl.kind = "parallel"
    launches:   pl.task, pl.after                          from auto-derive-task-dependencies

Unknown values and misplaced attributes are errors on functions, on our own ops and on `scf` loops;
on other ops `pl.` attributes are let be. xDSL has no dialect attribute verifier: the checks are
traits, those of `func` and `scf` ops being added by `install`. Source: design.md, Attributes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_pld.dialects.types import is_tensor_like

FUNC_TYPE = "pl.func_type"
LEVEL = "pl.level"
ROLE = "pl.role"
ARG_ATTRS = "pl.arg_attrs"
TEMPLATE_DIR = "pl.builtin_template_dir"
TEMPLATE_VARS = "pl.builtin_template_vars"
REQUIRE_CONTIGUOUS = "pl.require_contiguous_operands"
DIRECTION = "pl.dir"
LOOP_KIND = "pl.kind"
TASK = "pl.task"
AFTER = "pl.after"


class FuncType(StrEnum):
    """What a function is."""

    OPAQUE = "opaque"
    ORCHESTRATION = "orchestration"
    INCORE = "incore"
    AIC = "aic"
    AIV = "aiv"
    GROUP = "group"
    SPMD = "spmd"
    INLINE = "inline"
    GRAPH = "graph"


class Level(StrEnum):
    """Where a function runs."""

    AIV = "aiv"
    AIC = "aic"
    CORE_GROUP = "core_group"
    CHIP_DIE = "chip_die"
    CHIP = "chip"
    HOST = "host"
    CLUSTER_0 = "cluster_0"
    CLUSTER_1 = "cluster_1"
    CLUSTER_2 = "cluster_2"
    GLOBAL = "global"


class Role(StrEnum):
    """Whether a function submits work or does it."""

    ORCHESTRATOR = "orchestrator"
    SUB_WORKER = "sub_worker"


class Direction(StrEnum):
    """What a function does with a tensor parameter."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


DERIVED: Mapping[FuncType, tuple[Level, Role]] = {
    FuncType.ORCHESTRATION: (Level.CHIP, Role.ORCHESTRATOR),
    FuncType.GRAPH: (Level.CHIP, Role.ORCHESTRATOR),
    FuncType.INCORE: (Level.CHIP_DIE, Role.SUB_WORKER),
    FuncType.AIC: (Level.AIC, Role.SUB_WORKER),
    FuncType.AIV: (Level.AIV, Role.SUB_WORKER),
    FuncType.GROUP: (Level.CORE_GROUP, Role.SUB_WORKER),
}
"""Level and role that follow from the function type."""

LAUNCHABLE = frozenset((FuncType.INCORE, FuncType.AIC, FuncType.AIV, FuncType.GROUP, FuncType.SPMD))
"""What a task can run: kernels and their wrappers."""

_EnumT = TypeVar("_EnumT", bound=StrEnum)


def _read(op: Operation, key: str, enum: type[_EnumT]) -> _EnumT | None:
    """The value under `key`, None where it is absent (the verifier has refused unknown ones)."""
    value = op.attributes.get(key)
    return enum(value.data) if isinstance(value, StringAttr) else None


def func_type(function: FuncOp) -> FuncType:
    """The function type, `opaque` where none is written."""
    return _read(function, FUNC_TYPE, FuncType) or FuncType.OPAQUE


def level(function: FuncOp) -> Level | None:
    """The level, derived from the function type or written."""
    derived = DERIVED.get(func_type(function))
    return _read(function, LEVEL, Level) if derived is None else derived[0]


def role(function: FuncOp) -> Role | None:
    """The role, derived from the function type or written."""
    derived = DERIVED.get(func_type(function))
    return _read(function, ROLE, Role) if derived is None else derived[1]


def is_host_orchestrator(function: FuncOp) -> bool:
    """Whether the function is a host body: level host, role orchestrator."""
    return level(function) is Level.HOST and role(function) is Role.ORCHESTRATOR


def is_chip_orchestration(function: FuncOp) -> bool:
    """Whether the function is a chip pipeline: an `orchestration` or a `graph`."""
    return func_type(function) in (FuncType.ORCHESTRATION, FuncType.GRAPH)


def is_launchable(function: FuncOp) -> bool:
    """Whether a task can run the function."""
    return func_type(function) in LAUNCHABLE


def is_builtin_kernel(function: FuncOp) -> bool:
    """Whether the function stands for a kernel template."""
    return TEMPLATE_DIR in function.attributes


def param_attrs(function: FuncOp, index: int) -> Mapping[str, Attribute]:
    """
    The attributes of parameter `index`: `arg_attrs` of a definition, `pl.arg_attrs` of a
    declaration (xDSL's custom form of a declaration keeps no argument attributes).
    """
    attrs = function.attributes.get(ARG_ATTRS) if function.is_declaration else function.arg_attrs
    if attrs is None or not isa(attrs, ArrayAttr[DictionaryAttr]) or index >= len(attrs.data):
        return {}
    return attrs.data[index].data


def set_param_attrs(function: FuncOp, attrs: Iterable[Mapping[str, Attribute]]) -> None:
    """Writes the attributes of all parameters where `param_attrs` reads them."""
    array = ArrayAttr([DictionaryAttr(dict(entry)) for entry in attrs])
    if not any(entry.data for entry in array):
        function.attributes.pop(ARG_ATTRS, None)
        function.properties.pop("arg_attrs", None)
    elif function.is_declaration:
        function.attributes[ARG_ATTRS] = array
    else:
        function.properties["arg_attrs"] = array


def direction(function: FuncOp, index: int) -> Direction:
    """The direction of parameter `index`, `in` where none is written."""
    value = param_attrs(function, index).get(DIRECTION)
    return Direction(value.data) if isinstance(value, StringAttr) else Direction.IN


def is_parallel(loop: scf.ForOp) -> bool:
    """Whether the loop's iterations are independent, as its author states."""
    kind = loop.attributes.get(LOOP_KIND)
    return isinstance(kind, StringAttr) and kind.data == "parallel"


# Verification


@dataclass(frozen=True)
class LaunchesTask(OpTrait):
    """The op may carry `pl.task` and `pl.after`."""


@dataclass(frozen=True)
class OwnAttributes(OpTrait):
    """
    On every op of ours: no misplaced `pl.` attribute, and none that hides a property of the same
    name (xDSL's printer cannot print both).
    """

    def verify(self, op: Operation) -> None:
        if not op.attributes:
            return
        assert isinstance(op, IRDLOperation)
        for name in op.attributes:
            if name in op.get_irdl_definition().properties:
                raise VerifyException(f"'{name}' is given twice, as an attribute and a property")
        allowed = (TASK, AFTER) if op.has_trait(LaunchesTask) else ()
        _refuse_misplaced(op.attributes, allowed, op.name)
        _verify_task_attributes(op)


@dataclass(frozen=True)
class FunctionAttributes(OpTrait):
    """The `pl.` attributes of a function and of its parameters and results."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, FuncOp)
        if op.attributes:
            _refuse_misplaced(op.attributes, _FUNCTION_KEYS, "a function")
            _verify_kind(op)
            _verify_template(op)
        _verify_arg_attrs(op)
        for entry in op.res_attrs or ():
            _refuse_misplaced(entry.data, (), "a result")


@dataclass(frozen=True)
class LoopAttributes(OpTrait):
    """The `pl.` attributes of a loop."""

    def verify(self, op: Operation) -> None:
        if not op.attributes:
            return
        _refuse_misplaced(op.attributes, (LOOP_KIND,) if isinstance(op, scf.ForOp) else (), op.name)
        kind = op.attributes.get(LOOP_KIND)
        if kind is not None and kind != StringAttr("parallel"):
            raise VerifyException(f'{LOOP_KIND} must be "parallel", not {kind}')


def install() -> None:
    """
    Adds the checks of `pl.` attributes to the upstream ops that may carry them.

    Runs when the dialect is loaded, so that both drivers check once a module uses it.
    """
    FuncOp.traits.add_trait(FunctionAttributes())
    scf.ForOp.traits.add_trait(LoopAttributes())
    scf.WhileOp.traits.add_trait(LoopAttributes())


_FUNCTION_KEYS = (
    FUNC_TYPE,
    LEVEL,
    ROLE,
    ARG_ATTRS,
    TEMPLATE_DIR,
    TEMPLATE_VARS,
    REQUIRE_CONTIGUOUS,
)


def _refuse_misplaced(
    attributes: Mapping[str, Attribute], allowed: Iterable[str], where: str
) -> None:
    for name in attributes:
        if name.startswith("pl.") and name not in allowed:
            known = ", ".join(allowed)
            hint = f": the pl. attributes here are {known}" if known else ""
            raise VerifyException(f"'{name}' has no place on {where}{hint}")


def _verify_choice(attributes: Mapping[str, Attribute], key: str, enum: type[StrEnum]) -> None:
    value = attributes.get(key)
    if value is None:
        return
    if not isinstance(value, StringAttr) or value.data not in list(enum):
        raise VerifyException(f"{key} must be one of {', '.join(enum)}, not {value}")


def _verify_kind(function: FuncOp) -> None:
    _verify_choice(function.attributes, FUNC_TYPE, FuncType)
    _verify_choice(function.attributes, LEVEL, Level)
    _verify_choice(function.attributes, ROLE, Role)
    kind = func_type(function)
    derived = DERIVED.get(kind)
    for key, enum, index in ((LEVEL, Level, 0), (ROLE, Role, 1)):
        written = _read(function, key, enum)
        if written is None or derived is None:
            continue
        if written != derived[index]:
            raise VerifyException(
                f'{key} = "{written}" contradicts {FUNC_TYPE} = "{kind}", whose '
                f"{key.removeprefix('pl.')} is {derived[index]}"
            )
    if kind is not FuncType.OPAQUE and is_host_orchestrator(function):
        raise VerifyException(
            f'a host orchestrator has no {FUNC_TYPE}; this one is "{kind}": drop the attribute'
        )


def _verify_template(function: FuncOp) -> None:
    for key in (TEMPLATE_DIR, TEMPLATE_VARS):
        value = function.attributes.get(key)
        if value is not None and not isinstance(value, StringAttr):
            raise VerifyException(f"{key} must be a string, not {value}")
    contiguous = function.attributes.get(REQUIRE_CONTIGUOUS)
    if contiguous is not None and not isinstance(contiguous, UnitAttr):
        raise VerifyException(f"{REQUIRE_CONTIGUOUS} must be a unit attribute, not {contiguous}")
    for key in (TEMPLATE_DIR, TEMPLATE_VARS, REQUIRE_CONTIGUOUS):
        if key in function.attributes and not is_launchable(function):
            raise VerifyException(
                f"'{key}' is for kernels ({', '.join(sorted(LAUNCHABLE))}), not for a function of "
                f"type {func_type(function)}"
            )
    if (TEMPLATE_VARS in function.attributes) and not is_builtin_kernel(function):
        raise VerifyException(f"{TEMPLATE_VARS} needs {TEMPLATE_DIR}")


def _verify_arg_attrs(function: FuncOp) -> None:
    parameters = function.function_type.inputs.data
    on_function = function.attributes.get(ARG_ATTRS)
    if on_function is not None:
        if not function.is_declaration:
            raise VerifyException(
                f"{ARG_ATTRS} is for declarations; a definition has its attributes on its arguments"
            )
        if not isa(on_function, ArrayAttr[DictionaryAttr]):
            raise VerifyException(f"{ARG_ATTRS} must be an array of dictionaries")
        if len(on_function) != len(parameters):
            raise VerifyException(
                f"{ARG_ATTRS} has {len(on_function)} entries for {len(parameters)} parameters"
            )
    on_arguments = function.arg_attrs
    if on_arguments is not None:
        if len(on_arguments) != len(parameters):
            raise VerifyException(
                f"arg_attrs has {len(on_arguments)} entries for {len(parameters)} parameters"
            )
        if function.is_declaration and any(
            name.startswith(("pl.", "pld.")) for entry in on_arguments for name in entry.data
        ):
            raise VerifyException(
                "a declaration's argument attributes are lost when xDSL prints it: write them in "
                f"{ARG_ATTRS}, one dictionary a parameter"
            )
    if on_function is None and on_arguments is None:
        return
    for index, parameter in enumerate(parameters):
        attributes = param_attrs(function, index)
        _refuse_misplaced(attributes, (DIRECTION,), f"parameter {index}")
        _verify_choice(attributes, DIRECTION, Direction)
        if direction(function, index) is not Direction.IN and not is_tensor_like(parameter):
            raise VerifyException(
                f"parameter {index} of type {parameter} cannot be {direction(function, index)}: "
                "only tensors are written in place"
            )


def _verify_task_attributes(op: Operation) -> None:
    task = op.attributes.get(TASK)
    if task is not None and not (isa(task, IntegerAttr[IndexType]) and task.value.data >= 0):
        raise VerifyException(f"{TASK} must be an index attribute, not {task}")
    after = op.attributes.get(AFTER)
    if after is not None and not isa(after, DenseArrayBase[I64]):
        raise VerifyException(f"{AFTER} must be an array<i64>, not {after}")
