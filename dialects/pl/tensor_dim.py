"""
The extent of a tensor at run time.

Upstream's `tensor.dim` takes plain tensors; a distributed tensor needs an op of ours.
Source: pypto-dsl, section 3.
"""

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_pld.dialects.constraints import any_tensor
from xdsl_pld.dialects.pl.attribute_rules import OwnAttributes
from xdsl_pld.dialects.values import shape_of


@irdl_op_definition
class DimOp(IRDLOperation):
    """
    The extent of one dimension.

        %n = pl.tensor.dim %d {axis = 0 : i64} : !pld.dist_tensor<tensor<?x64xf32>>
    """

    name = "pl.tensor.dim"

    source = operand_def(any_tensor("source"))
    axis = prop_def(IntegerAttr.constr(i64))
    result = result_def(IndexType())

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure(), OwnAttributes())
    assembly_format = "$source attr-dict `:` type($source)"

    def __init__(self, source: SSAValue | Operation, axis: int):
        super().__init__(
            operands=[source],
            result_types=[IndexType()],
            properties={"axis": IntegerAttr(axis, i64)},
        )

    def verify_(self) -> None:
        rank = len(shape_of(self.source))
        if not 0 <= self.axis.value.data < rank:
            raise VerifyException(
                f"axis {self.axis.value.data} is none of the {rank} axes of {self.source.type}"
            )
