"""
`pld.builtin.*`: what the host rail emits, one dispatch of a builtin pipeline per device.

    pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) core_num(%n)
      {arg_directions = [...]} : (the five types)

One op per collective of the host rail, no result; the arguments are the collective's tensor
operands, in its order and under its rules. They get no context argument: emission adds it.
Source: design.md; neighbours, lower-host-tensor-collectives.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VerificationContext,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import OneOf, any_tensor, number, strings
from xdsl_pld.dialects.core_num import verify_core_num
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.pl.call import verify_arg_directions
from xdsl_pld.dialects.pld.collectives import (
    ALLREDUCE_MODES,
    REDUCE_OPS,
    AllGatherOp,
    AllReduceOp,
    AllToAllOp,
    AllToAllVOp,
    BarrierOp,
    BroadcastOp,
    ManagedCollective,
    ReduceScatterOp,
    verify_root,
)


class BuiltinDispatchOp(IRDLOperation, ABC):
    """A dispatch of one collective's builtin pipeline to one device."""

    COLLECTIVE: ClassVar[type[IRDLOperation]]

    arguments = var_operand_def(any_tensor("an argument"))
    device = operand_def(IndexType)
    core_num = opt_operand_def(IndexType)
    arg_directions = opt_prop_def(strings("arg_directions"))

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(OwnAttributes())
    assembly_format = (
        "$arguments `device` `(` $device `)` (`core_num` `(` $core_num^ `)`)? attr-dict"
        " `:` `(` type($arguments) `)`"
    )

    def __init__(
        self,
        arguments: Sequence[SSAValue | Operation],
        device: SSAValue | Operation,
        core_num: SSAValue | Operation | None = None,
        *,
        arg_directions: Sequence[str] | None = None,
        properties: dict[str, Attribute | None] | None = None,
    ):
        directions = None if arg_directions is None else [StringAttr(d) for d in arg_directions]
        super().__init__(
            operands=[arguments, device, core_num],
            properties={
                "arg_directions": None if directions is None else ArrayAttr(directions),
                **(properties or {}),
            },
        )

    def verify_(self) -> None:
        trait = self.COLLECTIVE.get_trait(ManagedCollective)
        assert trait is not None
        if len(self.arguments) != len(trait.roles):
            raise VerifyException(
                f"{self.name} takes the arguments ({', '.join(trait.roles)}), not "
                f"{len(self.arguments)} of them"
            )
        types = VerificationContext()
        for (_, operand), value in zip(
            self.COLLECTIVE.get_irdl_definition().operands, self.arguments, strict=False
        ):
            operand.constr.verify((value.type,), types)
        trait.verify_operands(dict(zip(trait.roles, self.arguments, strict=True)))
        verify_core_num(self.core_num)
        verify_arg_directions(self.arg_directions, len(self.arguments))


@irdl_op_definition
class AllToAllVDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.all_to_all_v`.

        pld.builtin.all_to_all_v %in, %tgt, %sig, %sc, %rc device(%r) core_num(%n)
          : (T, D, D<2x4xi32>, T, D)
    """

    name = "pld.builtin.all_to_all_v"
    COLLECTIVE: ClassVar = AllToAllVOp


@irdl_op_definition
class AllToAllDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.all_to_all`.

        pld.builtin.all_to_all %in, %tgt, %sig device(%r) : (T, D, D<2x1xi32>)
    """

    name = "pld.builtin.all_to_all"
    COLLECTIVE: ClassVar = AllToAllOp


@irdl_op_definition
class AllGatherDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.allgather`.

        pld.builtin.allgather %in, %tgt, %sig device(%r) : (T, D, D<2x1xi32>)
    """

    name = "pld.builtin.allgather"
    COLLECTIVE: ClassVar = AllGatherOp


@irdl_op_definition
class AllReduceDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.allreduce`.

        pld.builtin.allreduce %tgt, %sig device(%r) {op = "sum"} : (D, D<2x1xi32>)
    """

    name = "pld.builtin.allreduce"
    COLLECTIVE: ClassVar = AllReduceOp

    reduce_op = prop_def(OneOf("op", REDUCE_OPS), prop_name="op")
    mode = prop_def(OneOf("mode", ALLREDUCE_MODES), default_value=StringAttr("mesh"))


@irdl_op_definition
class ReduceScatterDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.reduce_scatter`.

        pld.builtin.reduce_scatter %tgt, %sig device(%r) {op = "sum"} : (D, D<2x1xi32>)
    """

    name = "pld.builtin.reduce_scatter"
    COLLECTIVE: ClassVar = ReduceScatterOp

    reduce_op = prop_def(OneOf("op", REDUCE_OPS), prop_name="op")


@irdl_op_definition
class BroadcastDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.broadcast`.

        pld.builtin.broadcast %tgt, %sig device(%r) {root = 1 : i64} : (D, D<2x1xi32>)
    """

    name = "pld.builtin.broadcast"
    COLLECTIVE: ClassVar = BroadcastOp

    root = opt_prop_def(number("root"))

    def verify_(self) -> None:
        super().verify_()
        verify_root(self.root)


@irdl_op_definition
class BarrierDispatchOp(BuiltinDispatchOp):
    """
    Dispatches `pld.tensor.barrier`.

        pld.builtin.barrier %sig device(%r) : (D<2x1xi32>)
    """

    name = "pld.builtin.barrier"
    COLLECTIVE: ClassVar = BarrierOp


BUILTIN_DISPATCHES = (
    AllToAllVDispatchOp,
    AllToAllDispatchOp,
    AllGatherDispatchOp,
    AllReduceDispatchOp,
    ReduceScatterDispatchOp,
    BroadcastDispatchOp,
    BarrierDispatchOp,
)
