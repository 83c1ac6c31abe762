"""
What the chip rail asks of a collective, and of what is written in a chip orchestration.

Each rule raises `Refusal` with its text and notes. The order in which a collective meets them, that
of the reference's table of diagnostics, is the pass's business.
Source: l2-collectives, Launch width, Contiguity and Diagnostics.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from xdsl_pld.dialects.builtin_kernels import (
    ALL_TO_ALL_V,
    ELEMENT_VARIANTS,
    INDEXED_ALL_TO_ALL_V,
    BuiltinKernel,
)
from xdsl_pld.dialects.core_num import out_of_range
from xdsl_pld.dialects.pl.attributes import Direction, direction
from xdsl_pld.dialects.pl.call import CallOp, SubmitOp
from xdsl_pld.dialects.pld.collectives import (
    AllToAllVOp,
    IndexedAllToAllVOp,
    ManagedCollective,
)
from xdsl_pld.dialects.traits import WritesBack
from xdsl_pld.dialects.values import element_of, shape_of
from xdsl_pld.passes.analysis.calls import callee_of, parameter_indices
from xdsl_pld.passes.analysis.chains import Violation
from xdsl_pld.passes.analysis.constants import Constants
from xdsl_pld.passes.analysis.contiguity import Contiguity
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.passes.analysis.names import name_of
from xdsl_pld.passes.analysis.writability import Writability
from xdsl_pld.passes.diagnostics import Note

ChipCollectiveOp: TypeAlias = AllToAllVOp | IndexedAllToAllVOp
"""The collectives that have a chip-rail lowering."""


class Refusal(Exception):
    """The first rule that an operation breaks."""

    def __init__(self, message: str, *notes: Note):
        self.message = message
        self.notes = notes


def kernel_of(op: ChipCollectiveOp) -> BuiltinKernel:
    """The kernel that a collective becomes a call of."""
    return ALL_TO_ALL_V if isinstance(op, AllToAllVOp) else INDEXED_ALL_TO_ALL_V


def tensor_operands(op: ChipCollectiveOp) -> Mapping[str, SSAValue]:
    """The tensor operands by role, in the kernel's order."""
    trait = op.get_trait(ManagedCollective)
    assert trait is not None
    return trait.operands(op)


def launch_width(op: ChipCollectiveOp, constants: Constants) -> int:
    """The blocks B that the launch admits."""
    ranks, columns = shape_of(op.signal)
    limit = 1
    if op.core_num is not None:
        folded = constants.integer(op.core_num)
        if folded is None:
            raise Refusal(
                "core_num must be a compile-time constant on the chip rail",
                Note("core_num comes from here", op.core_num),
                Note(
                    "write an arith.constant, or arith on constants that folds; only the host rail "
                    "takes a run-time core_num"
                ),
            )
        limit = folded
    if (message := out_of_range(limit)) is not None:
        raise Refusal(message)
    # The indexed exchange takes its width as it is; the plain one folds it.
    blocks = limit if isinstance(op, IndexedAllToAllVOp) else admitted_blocks(limit, ranks)
    if columns < blocks:
        raise Refusal(
            f"signal has {columns} columns, fewer than the {blocks} admitted blocks (core_num "
            f"{limit}, {ranks} ranks)",
            Note("each block has a signal column of its own: widen the window", op.signal),
        )
    return blocks


def check_element_type(op: ChipCollectiveOp) -> None:
    """A kernel exists for the payload's element type."""
    element = element_of(op.target)
    if element not in ELEMENT_VARIANTS:
        raise Refusal(f"element type must be f32 or i8, not {element}")


def check_contiguous(op: ChipCollectiveOp, contiguity: Contiguity) -> None:
    """Every tensor operand is provably packed and row-major."""
    for operand, value in tensor_operands(op).items():
        if (violation := contiguity.violation(value)) is not None:
            raise Refusal(
                f"{operand} {name_of(value)} is not provably contiguous: {violation.reason}",
                *_chain(violation, "breaks it"),
                Note(
                    "the kernel addresses its operands flat; pass a packed row-major tensor: a "
                    "parameter, a window, a pl.tensor.create, or a slice that narrows only "
                    "dimension 0"
                ),
            )


def check_written(op: Operation, writability: Writability) -> None:
    """What the op writes is memory: no result of an upstream `tensor` op reaches it."""
    for value, what in _written(op):
        if (violation := writability.violation(value)) is not None:
            raise Refusal(
                f"{name_of(value)} is written as {what}, but {violation.reason}: upstream tensor "
                "ops are values",
                *_chain(violation, "is that value"),
                Note(
                    "cse makes two tensor.empty one, and then two tasks write one memory; write "
                    "pl.tensor.create, and pl.tensor.slice for a box of a tensor"
                ),
            )


def _written(op: Operation) -> Iterator[tuple[SSAValue, str]]:
    """The tensors that an op writes, each with what it is to the op."""
    if isinstance(op, ChipCollectiveOp):
        for operand, value in zip(
            kernel_of(op).operands, tensor_operands(op).values(), strict=True
        ):
            if operand.direction is not Direction.IN:
                yield value, f"{operand.role} of {op.name}"
    elif isinstance(op, CallOp | SubmitOp | func.CallOp):
        callee = callee_of(op)
        if callee is None:  # equivalent mutant: the verifier has refused such a call
            return
        for value, index in zip(op.arguments, parameter_indices(op, callee), strict=True):
            if (declared := direction(callee, index)) is not Direction.IN:
                yield value, f"parameter {index} ({declared}) of {op.callee}"
    elif (trait := op.get_trait(WritesBack)) is not None:
        yield trait.source(op), f"{trait.operand} of {op.name}"


def _chain(violation: Violation, verdict: str) -> Iterator[Note]:
    """The values from the one that was asked for, which the error names, to the last."""
    for value in violation.through:
        yield Note(f"through {name_of(value)} of type {value.type}", value)
    if violation.more:
        yield Note(f"through {violation.more} more values")
    last = violation.last
    yield Note(f"{name_of(last)} of type {last.type} {verdict}: {violation.reason}", last)
