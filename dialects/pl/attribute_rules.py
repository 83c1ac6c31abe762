"""
The rules of `pl.` attributes, as traits.

Unknown values and misplaced attributes are errors on functions, on our own ops and on `scf` loops;
on other ops `pl.` attributes are let be. xDSL has no dialect attribute verifier: `install` adds
the checks to the ops of `func` and `scf`. Source: design.md, Attributes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    AnyTensorType,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_pld.dialects.pl.attributes import (
    AFTER,
    ARG_ATTRS,
    DERIVED,
    DIRECTION,
    FUNC_TYPE,
    LAUNCHABLE,
    LEVEL,
    LOOP_KIND,
    REQUIRE_CONTIGUOUS,
    ROLE,
    TASK,
    TEMPLATE_DIR,
    TEMPLATE_VARS,
    Direction,
    FuncType,
    Level,
    Role,
    direction,
    func_type,
    is_builtin_kernel,
    is_host_orchestrator,
    is_launchable,
    param_attrs,
    read,
)
from xdsl_pld.dialects.types import is_tensor_like
from xdsl_pld.dialects.views import VIEW_KEYS, TensorView

LOST_ON_DECLARATION = (
    "a declaration's argument attributes are lost when xDSL reads or prints its custom form: write "
    f"them in {ARG_ATTRS}, one dictionary a parameter"
)


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
        verify_views("parameter", op.function_type.inputs)
        verify_views("result", op.function_type.outputs)


@dataclass(frozen=True)
class LoopAttributes(OpTrait):
    """The `pl.` attributes of a loop."""

    def verify(self, op: Operation) -> None:
        verify_views("result", op.result_types)
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
    for loop in (scf.ForOp, scf.WhileOp, scf.ParallelOp):
        loop.traits.add_trait(LoopAttributes())


def verify_views(what: str, types: Iterable[Attribute]) -> None:
    """Raises VerifyException for a tensor type whose encoding is meant as a view, and is none."""
    for index, type_ in enumerate(types):
        if not isinstance(type_, TensorType):
            continue
        tensor = cast(AnyTensorType, type_)
        if _meant_as_view(tensor.encoding):
            try:
                TensorView.of(tensor)
            except VerifyException as error:
                raise VerifyException(f"{what} {index}: {error}") from error


def _meant_as_view(encoding: Attribute) -> bool:
    return isinstance(encoding, DictionaryAttr) and not encoding.data.keys().isdisjoint(VIEW_KEYS)


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


@cache
def _values_of(enum: type[StrEnum]) -> frozenset[str]:
    return frozenset(enum)


def _verify_choice(attributes: Mapping[str, Attribute], key: str, enum: type[StrEnum]) -> None:
    value = attributes.get(key)
    if value is None:
        return
    if not isinstance(value, StringAttr) or value.data not in _values_of(enum):
        raise VerifyException(f"{key} must be one of {', '.join(enum)}, not {value}")


def _verify_kind(function: FuncOp) -> None:
    _verify_choice(function.attributes, FUNC_TYPE, FuncType)
    _verify_choice(function.attributes, LEVEL, Level)
    _verify_choice(function.attributes, ROLE, Role)
    kind = func_type(function)
    derived = DERIVED.get(kind)
    for key, enum, index in ((LEVEL, Level, 0), (ROLE, Role, 1)):
        written = read(function, key, enum)
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
            raise VerifyException(LOST_ON_DECLARATION)
    if on_function is None and on_arguments is None:
        return
    for index, parameter in enumerate(parameters):
        if not (attributes := param_attrs(function, index)):
            continue
        _refuse_misplaced(attributes, (DIRECTION,), f"parameter {index}")
        _verify_choice(attributes, DIRECTION, Direction)
        if direction(function, index) is not Direction.IN and not is_tensor_like(parameter):
            raise VerifyException(
                f"parameter {index} of type {parameter} cannot be {direction(function, index)}: "
                "only tensors are written in place"
            )


def _verify_task_attributes(op: Operation) -> None:
    # Not by `isa`: with a generic it makes a constraint at each call, and each launch comes here.
    task = op.attributes.get(TASK)
    if task is not None and not _is_number(task):
        raise VerifyException(f"{TASK} must be an index attribute, not {task}")
    after = op.attributes.get(AFTER)
    if after is not None and not _is_list(after):
        raise VerifyException(f"{AFTER} must be an array<i64>, not {after}")


def _is_list(attribute: Attribute) -> bool:
    if not isinstance(attribute, DenseArrayBase):
        return False
    return cast(DenseArrayBase[IntegerType], attribute).elt_type == i64


def _is_number(attribute: Attribute) -> bool:
    if not isinstance(attribute, IntegerAttr):
        return False
    integer = cast(IntegerAttr[IntegerType | IndexType], attribute)
    return isinstance(integer.type, IndexType) and integer.value.data >= 0
