"""
The `pl.` attributes: what a function, a parameter, a loop or a launch may carry, and its meaning.

    func.func:  pl.func_type, pl.level, pl.role            what the function is and who runs it
                pl.builtin_template_dir, _vars             a kernel that comes from a template
                pl.require_contiguous_operands             operands are also checked at run time
                pl.arg_attrs                               parameter attributes of a declaration
    parameter:  pl.dir                                     in (default), out, inout
    scf.for:    pl.kind = "parallel"
    launches:   pl.task, pl.after                          from auto-derive-task-dependencies

Names, values and accessors; the rules are in `attribute_rules`. Source: design.md, Attributes.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar, cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

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


def read(op: Operation, key: str, enum: type[_EnumT]) -> _EnumT | None:
    """The value under `key`, None where it is absent (the verifier has refused unknown ones)."""
    value = op.attributes.get(key)
    return enum(value.data) if isinstance(value, StringAttr) else None


def func_type(function: FuncOp) -> FuncType:
    """The function type, `opaque` where none is written."""
    return read(function, FUNC_TYPE, FuncType) or FuncType.OPAQUE


def level(function: FuncOp) -> Level | None:
    """The level, derived from the function type or written."""
    derived = DERIVED.get(func_type(function))
    return read(function, LEVEL, Level) if derived is None else derived[0]


def role(function: FuncOp) -> Role | None:
    """The role, derived from the function type or written."""
    derived = DERIVED.get(func_type(function))
    return read(function, ROLE, Role) if derived is None else derived[1]


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
    entries = written_param_attrs(function)
    entry = entries[index] if index < len(entries) else None
    return entry.data if isinstance(entry, DictionaryAttr) else {}


def written_param_attrs(function: FuncOp) -> Sequence[Attribute]:
    """One dictionary a parameter, from the first; empty where none is written."""
    attrs = function.attributes.get(ARG_ATTRS) if function.is_declaration else function.arg_attrs
    # `isa` looks at every entry, which a reader of all parameters would pay for each of them.
    return cast(Sequence[Attribute], attrs.data) if isinstance(attrs, ArrayAttr) else ()


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
