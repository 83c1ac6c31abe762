"""
System ops: who a rank is, and how it signals others.

Source: design.md, Tensor, tile and distributed ops.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, StringAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xdsl_pld.dialects.constraints import OneOf, dist_tensor, exactly, numbers
from xdsl_pld.dialects.index_lists import IndexLike, Offsets, entries, split, verify_box
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.pld.windows import verify_in_host_body
from xdsl_pld.dialects.types import CommCtxType
from xdsl_pld.dialects.values import shape_of

NOTIFY_OPS = ("atomic_add", "set")
WAIT_COMPARISONS = ("eq", "ge")


@irdl_op_definition
class WorldSizeOp(IRDLOperation):
    """
    How many devices there are; in host bodies.

        %n = pld.system.world_size : index
    """

    name = "pld.system.world_size"

    result = result_def(exactly("result", IndexType()))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self):
        super().__init__(result_types=[IndexType()])

    def verify_(self) -> None:
        verify_in_host_body(self)


@irdl_op_definition
class GetCommCtxOp(IRDLOperation):
    """
    The context of a distributed tensor: rank, rank count and every peer's window base.

        %c = pld.system.get_comm_ctx %w : !pld.dist_tensor<tensor<8x64xf32>>
    """

    name = "pld.system.get_comm_ctx"

    tensor = operand_def(dist_tensor("tensor"))
    context = result_def(exactly("context", CommCtxType()))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue | Operation):
        super().__init__(operands=[tensor], result_types=[CommCtxType()])


@irdl_op_definition
class RankOp(IRDLOperation):
    """
    This rank's id in the domain of a context.

        %r = pld.system.rank %c : i32
    """

    name = "pld.system.rank"

    context = operand_def(exactly("context", CommCtxType()))
    result = result_def(exactly("result", i32))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$context attr-dict `:` type($result)"

    def __init__(self, context: SSAValue | Operation):
        super().__init__(operands=[context], result_types=[i32])


@irdl_op_definition
class NRanksOp(IRDLOperation):
    """
    How many ranks the domain of a context has.

        %n = pld.system.nranks %c : i32
    """

    name = "pld.system.nranks"

    context = operand_def(exactly("context", CommCtxType()))
    result = result_def(exactly("result", i32))

    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$context attr-dict `:` type($result)"

    def __init__(self, context: SSAValue | Operation):
        super().__init__(operands=[context], result_types=[i32])


@irdl_op_definition
class NotifyOp(IRDLOperation):
    """
    Adds to, or sets, a cell of a peer's signal.

        pld.system.notify %sig[%i, 0] peer(%p) value(%one) {op = "set"} : D<2x1xi32>, i32, i32
    """

    name = "pld.system.notify"

    signal = operand_def(dist_tensor("signal", i32))
    offsets = var_operand_def(IndexType)
    peer = operand_def(exactly("peer", i32))
    value = operand_def(exactly("value", i32))
    static_offsets = prop_def(numbers("static_offsets"))
    notify_op = prop_def(OneOf("op", NOTIFY_OPS), prop_name="op")

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryWriteEffect(), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$signal custom<Offsets>($offsets, $static_offsets) `peer` `(` $peer `)` `value` `(` $value"
        " `)` attr-dict `:` type($signal) `,` type($peer) `,` type($value)"
    )

    def __init__(
        self,
        signal: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        peer: SSAValue | Operation,
        value: SSAValue | Operation,
        op: str,
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[signal, dynamic_offsets, peer, value],
            properties={"static_offsets": static_offsets, "op": StringAttr(op)},
        )

    def verify_(self) -> None:
        extents = shape_of(self.signal)
        starts = entries("offsets", self.static_offsets, self.offsets, len(extents))
        verify_box("the signal", extents, starts, ())


@irdl_op_definition
class WaitOp(IRDLOperation):
    """
    Waits until a cell of the own signal equals, or reaches, a value.

        pld.system.wait %sig[%i, 0] expected(%one) {cmp = "ge"} : D<2x1xi32>, i32

    It reads and writes: nothing may move across it.
    """

    name = "pld.system.wait"

    signal = operand_def(dist_tensor("signal", i32))
    offsets = var_operand_def(IndexType)
    expected = operand_def(exactly("expected", i32))
    static_offsets = prop_def(numbers("static_offsets"))
    comparison = prop_def(OneOf("cmp", WAIT_COMPARISONS), prop_name="cmp")

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect(), OwnAttributes())
    custom_directives = (Offsets,)
    assembly_format = (
        "$signal custom<Offsets>($offsets, $static_offsets) `expected` `(` $expected `)` attr-dict"
        " `:` type($signal) `,` type($expected)"
    )

    def __init__(
        self,
        signal: SSAValue | Operation,
        offsets: Sequence[IndexLike],
        expected: SSAValue | Operation,
        cmp: str,
    ):
        static_offsets, dynamic_offsets = split(offsets)
        super().__init__(
            operands=[signal, dynamic_offsets, expected],
            properties={"static_offsets": static_offsets, "cmp": StringAttr(cmp)},
        )

    def verify_(self) -> None:
        extents = shape_of(self.signal)
        starts = entries("offsets", self.static_offsets, self.offsets, len(extents))
        verify_box("the signal", extents, starts, ())
