"""
The managed collectives: operations that all ranks of a domain take part in.

An author writes them in a chip orchestration, a host body or a kernel; each place has its rail
(`lower-l2-tensor-collectives`, `lower-host-tensor-collectives`, `lower-composite-ops`). What is
checked here holds on every rail; what only one rail asks is that rail's pass.

NR is the number of ranks, stated by the signal's dimension 0. Memory effects are unknown: a
collective is never lost, merged or moved. Source: l2-collectives, The operator; design.md, the
table of ops.
"""

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    IndexType,
    IntegerAttr,
    StringAttr,
    f16,
    f32,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import OneOf, any_tensor, dist_tensor, number
from xdsl_pld.dialects.core_num import verify_core_num
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.pl.attributes import is_host_orchestrator
from xdsl_pld.dialects.symbols import enclosing_function
from xdsl_pld.dialects.traits import WritesBack
from xdsl_pld.dialects.types import DistributedTensorType, tensor_of
from xdsl_pld.dialects.values import shape_of, verify_same_element
from xdsl_pld.dialects.views import Packed, TensorView

REDUCE_OPS = ("sum", "max", "min", "prod")
ALLREDUCE_MODES = ("mesh", "ring")


@dataclass(frozen=True)
class ManagedCollective(OpTrait):
    """
    The op is a managed collective; `roles` name its tensor operands, in order.

    `rule` checks these operands, beyond what each may be on its own; the dispatches of the host
    rail (`pld.builtin.*`) are held to it too. The other fields say what passes ask about them.
    """

    roles: tuple[str, ...]
    rule: Callable[[Mapping[str, SSAValue]], None] | None = None
    local: tuple[str, ...] = ("input",)
    """The roles that only the own rank addresses; peers reach the others by the local address."""
    replicates: bool = False
    """Whether the target holds the same bits on every rank afterwards."""

    read_only: ClassVar[tuple[str, ...]] = ("input", "send_counts", "index")
    """The roles, of any collective, that are not written."""
    protocol: ClassVar[tuple[str, ...]] = ("signal", "recv_counts")
    """The roles, of any collective, that are there for its protocol; the others are its data."""

    @property
    def addressed(self) -> tuple[str, ...]:
        """The roles whose place in the window must be the same on every rank."""
        return tuple(role for role in self.roles if role not in self.local)

    @property
    def directions(self) -> tuple[str, ...]:
        """What a task that executes the collective does with each operand, by role."""
        return tuple("input" if role in self.read_only else "inout" for role in self.roles)

    def operands(self, op: Operation) -> Mapping[str, SSAValue]:
        """The tensor operands by role, absent ones left out."""
        values = {role: getattr(op, role) for role in self.roles}
        return {role: value for role, value in values.items() if value is not None}

    def verify(self, op: Operation) -> None:
        self.verify_operands(self.operands(op))
        verify_core_num(getattr(op, "core_num", None))

    def verify_operands(self, operands: Mapping[str, SSAValue]) -> None:
        """Raises VerifyException where operands given by role do not fit each other."""
        _verify_distinct(operands)
        if self.rule is not None:
            self.rule(operands)


# Rules


def _verify_packed(operands: Mapping[str, SSAValue]) -> None:
    for role, value in operands.items():
        tensor = tensor_of(value.type)
        assert tensor is not None
        packed, reason = TensorView.of(tensor).packed()
        if packed is Packed.NO:
            raise VerifyException(
                f"{role} must be packed and row-major, since it is addressed flat: {reason}"
            )


def _verify_distinct(operands: Mapping[str, SSAValue]) -> None:
    seen: dict[SSAValue, str] = {}
    for role, value in operands.items():
        if value in seen:
            raise VerifyException(f"{seen[value]} and {role} must not be the same value")
        seen[value] = role


def _verify_rank(role: str, value: SSAValue, shape: str) -> Sequence[int]:
    extents = shape_of(value)
    if len(extents) != 2:
        raise VerifyException(f"{role} must be of rank 2, {shape}, not {value.type}")
    return extents


def _verify_signal(signal: SSAValue) -> int:
    """The number of ranks that the signal states."""
    extents = _verify_rank("signal", signal, "[NR, S]")
    if DYNAMIC_INDEX in extents or min(extents) < 1:
        raise VerifyException(
            f"signal must have static positive extents [NR, S], not {signal.type}"
        )
    return extents[0]


def _verify_counts(role: str, value: SSAValue, ranks: int, rank_1: bool) -> None:
    extents = shape_of(value)
    fits = extents == (ranks, 1) or (rank_1 and extents == (ranks,))
    if not fits:
        shape = f"[{ranks}] or [{ranks}, 1]" if rank_1 else f"[{ranks}, 1]"
        raise VerifyException(
            f"{role} must be {shape}, one count for each of the {ranks} ranks that signal states, "
            f"not {value.type}"
        )


def _verify_target(target: SSAValue, ranks: int) -> int:
    """The rows that one rank can receive from another, MAX_RECV."""
    rows, width = _verify_rank("target", target, "[NR*MAX_RECV, SIZE]")
    if rows == DYNAMIC_INDEX:
        raise VerifyException(f"target must have a static dimension 0, not {target.type}")
    if rows < 1 or rows % ranks != 0:
        raise VerifyException(
            f"dimension 0 of target must be a positive multiple of the {ranks} ranks that signal "
            f"states, not {rows}"
        )
    if width == 0:
        raise VerifyException(f"target must have rows of at least one element, not {target.type}")
    return rows // ranks


def _verify_payload(source: SSAValue, target: SSAValue, same_rows: bool) -> None:
    """Element type, row width and, for `same_rows`, the row count of input and target."""
    verify_same_element(source, "input", target, "target")
    rows, width = _verify_rank("input", source, "[NR*MAX_RECV, SIZE]")
    target_rows, target_width = shape_of(target)
    if 0 in (rows, width):
        raise VerifyException(f"input must have positive extents, not {source.type}")
    if width != target_width:
        raise VerifyException(
            f"input and target must have one row width (dimension 1), not {source.type} and "
            f"{target.type}"
        )
    if same_rows and DYNAMIC_INDEX not in (rows, target_rows) and rows != target_rows:
        raise VerifyException(
            f"input and target must have one dimension 0, not {source.type} and {target.type}"
        )


def _same_element(operands: Mapping[str, SSAValue]) -> None:
    verify_same_element(operands["input"], "input", operands["target"], "target")


def _all_to_all_v(operands: Mapping[str, SSAValue]) -> None:
    ranks = _verify_signal(operands["signal"])
    _verify_target(operands["target"], ranks)
    _verify_payload(operands["input"], operands["target"], same_rows=True)
    _verify_counts("send_counts", operands["send_counts"], ranks, rank_1=True)
    _verify_counts("recv_counts", operands["recv_counts"], ranks, rank_1=False)
    _verify_packed(operands)


def _indexed_all_to_all_v(operands: Mapping[str, SSAValue]) -> None:
    ranks = _verify_signal(operands["signal"])
    rows = _verify_target(operands["target"], ranks)
    _verify_payload(operands["input"], operands["target"], same_rows=False)
    send_counts, index = operands["send_counts"], operands["index"]
    if not isinstance(send_counts.type, DistributedTensorType):
        raise VerifyException(
            f"send_counts must be a window, not {send_counts.type}: peers read it"
        )
    _verify_counts("send_counts", send_counts, ranks, rank_1=True)
    _verify_counts("recv_counts", operands["recv_counts"], ranks, rank_1=False)
    if shape_of(index) not in ((ranks * rows,), (ranks, rows)):
        raise VerifyException(
            f"index must be [{ranks * rows}] or [{ranks}, {rows}], a row for each that target can "
            f"receive, not {index.type}"
        )
    _verify_packed(operands)


def ranks_of_signal(shape: Sequence[int], *, ring: bool) -> int | None:
    """
    The number of ranks that a signal states, None where it states none: a signal has a row a rank,
    that of a ring a row a step and a column a rank.
    """
    stated = shape[1:2] if ring else shape[:1]
    return stated[0] if stated and stated[0] != DYNAMIC_INDEX else None


def verify_root(root: IntegerAttr[I64] | None) -> None:
    """Raises VerifyException for a negative root of a broadcast."""
    if root is not None and root.value.data < 0:
        raise VerifyException(f"root must not be negative: {root.value.data}")


# Ops

_ALL_TO_ALL_V_ROLES = ("input", "target", "signal", "send_counts", "recv_counts")


@irdl_op_definition
class AllToAllVOp(IRDLOperation):
    """
    Sends each rank its block of rows, as many as `send_counts` says.

        %d = pld.tensor.all_to_all_v %input, %target, %signal, %send_counts, %recv_counts
            core_num(%c4) : tensor<8x64xf32>, D<8x64xf32>, D<2x4xi32>, tensor<2x1xi32>, D<2x1xi32>

    Rank r's rows for d are `[d*MAX_RECV, (d+1)*MAX_RECV)` of its input; they land at rows
    `[r*MAX_RECV, ...)` of d's target. Counts are clamped to [0, MAX_RECV]; `recv_counts[s]` is the
    clamped count of sender s. `core_num` (1 when absent) limits the blocks that share the work.
    The result is the target.
    """

    name = "pld.tensor.all_to_all_v"

    T: ClassVar = VarConstraint("T", dist_tensor("target"))

    input = operand_def(any_tensor("input"))
    target = operand_def(T)
    signal = operand_def(dist_tensor("signal", i32))
    send_counts = operand_def(any_tensor("send_counts", i32))
    recv_counts = operand_def(dist_tensor("recv_counts", i32))
    core_num = opt_operand_def(IndexType)
    result = result_def(T)

    traits = traits_def(
        ManagedCollective(_ALL_TO_ALL_V_ROLES, _all_to_all_v, local=("input", "send_counts")),
        WritesBack("target"),
        OwnAttributes(),
    )
    assembly_format = (
        "$input `,` $target `,` $signal `,` $send_counts `,` $recv_counts"
        " (`core_num` `(` $core_num^ `)`)? attr-dict `:` type($input) `,` type($target) `,`"
        " type($signal) `,` type($send_counts) `,` type($recv_counts)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        target: SSAValue | Operation,
        signal: SSAValue | Operation,
        send_counts: SSAValue | Operation,
        recv_counts: SSAValue | Operation,
        core_num: SSAValue | Operation | None = None,
    ):
        super().__init__(
            operands=[input, target, signal, send_counts, recv_counts, core_num],
            result_types=[SSAValue.get(target).type],
        )


_INDEXED_ROLES = (*_ALL_TO_ALL_V_ROLES, "index")


@irdl_op_definition
class IndexedAllToAllVOp(IRDLOperation):
    """
    `all_to_all_v` whose rows are picked by an index: row k of destination d is
    `input[index[d*MAX_RECV + k]]`.

        %d = pld.tensor.indexed_all_to_all_v %input, %target, %signal, %send_counts, %recv_counts,
               %index core_num(%c4) : ...

    `input` may have any number of rows; `index` is i32, `[NR*MAX_RECV]` or `[NR, MAX_RECV]`;
    `core_num` is required, the exact number of blocks.
    """

    name = "pld.tensor.indexed_all_to_all_v"

    T: ClassVar = VarConstraint("T", dist_tensor("target"))

    input = operand_def(any_tensor("input"))
    target = operand_def(T)
    signal = operand_def(dist_tensor("signal", i32))
    send_counts = operand_def(any_tensor("send_counts", i32))
    recv_counts = operand_def(any_tensor("recv_counts", i32))
    index = operand_def(any_tensor("index", i32))
    core_num = operand_def(IndexType)
    result = result_def(T)

    traits = traits_def(
        ManagedCollective(
            _INDEXED_ROLES, _indexed_all_to_all_v, local=("input", "recv_counts", "index")
        ),
        WritesBack("target"),
        OwnAttributes(),
    )
    assembly_format = (
        "$input `,` $target `,` $signal `,` $send_counts `,` $recv_counts `,` $index"
        " `core_num` `(` $core_num `)` attr-dict `:` type($input) `,` type($target) `,`"
        " type($signal) `,` type($send_counts) `,` type($recv_counts) `,` type($index)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        target: SSAValue | Operation,
        signal: SSAValue | Operation,
        send_counts: SSAValue | Operation,
        recv_counts: SSAValue | Operation,
        index: SSAValue | Operation,
        core_num: SSAValue | Operation,
    ):
        super().__init__(
            operands=[input, target, signal, send_counts, recv_counts, index, core_num],
            result_types=[SSAValue.get(target).type],
        )


class _Exchange(IRDLOperation, ABC):
    """Moves rows of `input` into the targets of the ranks."""

    T: ClassVar = VarConstraint("T", dist_tensor("target"))

    input = operand_def(any_tensor("input"))
    target = operand_def(T)
    signal = operand_def(dist_tensor("signal", i32))
    result = result_def(T)

    traits = traits_def(
        ManagedCollective(("input", "target", "signal"), _same_element),
        WritesBack("target"),
        OwnAttributes(),
    )
    assembly_format = (
        "$input `,` $target `,` $signal attr-dict `:` type($input) `,` type($target) `,`"
        " type($signal)"
    )

    def __init__(
        self,
        input: SSAValue | Operation,
        target: SSAValue | Operation,
        signal: SSAValue | Operation,
    ):
        super().__init__(operands=[input, target, signal], result_types=[SSAValue.get(target).type])


@irdl_op_definition
class AllToAllOp(_Exchange):
    """
    Sends each rank its equal block of the input.

        %d = pld.tensor.all_to_all %input, %target, %signal : T, D, D<2x1xi32>
    """

    name = "pld.tensor.all_to_all"


@irdl_op_definition
class AllGatherOp(_Exchange):
    """
    Gathers every rank's input into the target of each.

        %d = pld.tensor.allgather %input, %target, %signal : T, D, D<2x1xi32>
    """

    name = "pld.tensor.allgather"

    traits = traits_def(
        ManagedCollective(("input", "target", "signal"), _same_element, replicates=True),
        WritesBack("target"),
        OwnAttributes(),
    )


@irdl_op_definition
class AllReduceOp(IRDLOperation):
    """
    Combines the targets of all ranks, element by element, into the target of each.

        %h = pld.tensor.allreduce %d, %sig {op = "sum"} : D<8x64xf32>, D<2x1xi32>

    In a host body the signal may be absent (`synthesize-allreduce-signals` makes one).
    """

    name = "pld.tensor.allreduce"

    T: ClassVar = VarConstraint("T", dist_tensor("target", f16, f32))

    target = operand_def(T)
    signal = opt_operand_def(dist_tensor("signal", i32))
    core_num = opt_operand_def(IndexType)
    reduce_op = prop_def(OneOf("op", REDUCE_OPS), prop_name="op")
    mode = prop_def(OneOf("mode", ALLREDUCE_MODES), default_value=StringAttr("mesh"))
    result = result_def(T)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(
        ManagedCollective(("target", "signal"), replicates=True),
        WritesBack("target"),
        OwnAttributes(),
    )
    assembly_format = (
        "$target (`,` $signal^)? (`core_num` `(` $core_num^ `)`)? attr-dict `:` type($target)"
        " (`,` type($signal)^)?"
    )

    def __init__(
        self,
        target: SSAValue | Operation,
        signal: SSAValue | Operation | None,
        op: str,
        *,
        mode: str = "mesh",
        core_num: SSAValue | Operation | None = None,
    ):
        super().__init__(
            operands=[target, signal, core_num],
            result_types=[SSAValue.get(target).type],
            properties={"op": StringAttr(op), "mode": StringAttr(mode)},
        )

    def verify_(self) -> None:
        if self.signal is None:
            function = enclosing_function(self)
            if function is not None and not is_host_orchestrator(function):
                raise VerifyException(
                    "signal may be absent only in a host body (pl.level host, pl.role "
                    f"orchestrator); '{function.sym_name.data}' is none"
                )


class _OnTarget(IRDLOperation, ABC):
    """Works on the targets of all ranks in place."""

    T: ClassVar = VarConstraint("T", dist_tensor("target"))

    target = operand_def(T)
    signal = operand_def(dist_tensor("signal", i32))
    result = result_def(T)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(
        ManagedCollective(("target", "signal")), WritesBack("target"), OwnAttributes()
    )
    assembly_format = "$target `,` $signal attr-dict `:` type($target) `,` type($signal)"


@irdl_op_definition
class ReduceScatterOp(_OnTarget):
    """
    Combines the targets of all ranks and leaves each rank its share.

        %h = pld.tensor.reduce_scatter %d, %sig {op = "sum"} : D<8x64xf32>, D<2x1xi32>
    """

    name = "pld.tensor.reduce_scatter"

    reduce_op = prop_def(OneOf("op", REDUCE_OPS), prop_name="op")

    def __init__(self, target: SSAValue | Operation, signal: SSAValue | Operation, op: str):
        super().__init__(
            operands=[target, signal],
            result_types=[SSAValue.get(target).type],
            properties={"op": StringAttr(op)},
        )


@irdl_op_definition
class BroadcastOp(_OnTarget):
    """
    Copies the target of rank `root` (0 when absent) into the target of each.

        %h = pld.tensor.broadcast %d, %sig {root = 0 : i64} : D<8x64xf32>, D<2x1xi32>
    """

    name = "pld.tensor.broadcast"

    traits = traits_def(
        ManagedCollective(("target", "signal"), replicates=True),
        WritesBack("target"),
        OwnAttributes(),
    )

    root = opt_prop_def(number("root"))

    def __init__(self, target: SSAValue | Operation, signal: SSAValue | Operation, root: int = 0):
        super().__init__(
            operands=[target, signal],
            result_types=[SSAValue.get(target).type],
            properties={"root": IntegerAttr(root, i64)},
        )

    @property
    def root_rank(self) -> int:
        """The rank whose target is copied."""
        return 0 if self.root is None else self.root.value.data

    def verify_(self) -> None:
        verify_root(self.root)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """
    Waits until every rank is here; the result is the signal.

        %g = pld.tensor.barrier %sig : D<2x1xi32>
    """

    name = "pld.tensor.barrier"

    T: ClassVar = VarConstraint("T", dist_tensor("signal", i32))

    signal = operand_def(T)
    result = result_def(T)

    traits = traits_def(ManagedCollective(("signal",)), WritesBack("signal"), OwnAttributes())
    assembly_format = "$signal attr-dict `:` type($signal)"

    def __init__(self, signal: SSAValue | Operation):
        super().__init__(operands=[signal], result_types=[SSAValue.get(signal).type])


MANAGED_COLLECTIVES = (
    AllToAllVOp,
    IndexedAllToAllVOp,
    AllToAllOp,
    AllGatherOp,
    AllReduceOp,
    ReduceScatterOp,
    BroadcastOp,
    BarrierOp,
)
