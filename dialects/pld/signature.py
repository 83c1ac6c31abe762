"""
Context parameters: `pld.ctx_of = k` on a parameter says that it is the context of parameter k.

`materialize-dist-tensor-ctx` writes it; every later reader, and a second run, finds the pairs so.
Source: design.md, the form after materialize-dist-tensor-ctx.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr, IndexType, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xdsl_pld.dialects.pl.attributes import param_attrs, written_param_attrs
from xdsl_pld.dialects.types import CommCtxType, DistributedTensorType

CTX_OF = "pld.ctx_of"


def context_parameters(function: FuncOp) -> Mapping[int, int]:
    """For each tensor parameter that has one, the index of its context parameter."""
    pairs: dict[int, int] = {}
    parameters = len(function.function_type.inputs)
    for index, entry in enumerate(written_param_attrs(function)[:parameters]):
        tensor = entry.data.get(CTX_OF) if isinstance(entry, DictionaryAttr) else None
        if isinstance(tensor, IntegerAttr):
            pairs[tensor.value.data] = index
    return pairs


@dataclass(frozen=True)
class ContextParameters(OpTrait):
    """The `pld.` attributes of a function and of its parameters."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, FuncOp)
        for name in op.attributes:
            if name.startswith("pld."):
                raise VerifyException(f"'{name}' has no place on a function")
        for entry in op.res_attrs or ():
            for name in entry.data:
                if name.startswith("pld."):
                    raise VerifyException(f"'{name}' has no place on a result")
        parameters = op.function_type.inputs.data
        seen: dict[int, int] = {}
        for index, parameter in enumerate(parameters):
            for name, value in param_attrs(op, index).items():
                if not name.startswith("pld."):
                    continue
                if name != CTX_OF:
                    raise VerifyException(f"'{name}' has no place on parameter {index}")
                if not isa(value, IntegerAttr[IndexType]):
                    raise VerifyException(f"{CTX_OF} must be an index attribute, not {value}")
                if not isinstance(parameter, CommCtxType):
                    raise VerifyException(
                        f"{CTX_OF} stands on parameter {index} of type {parameter}: only a "
                        "!pld.comm_ctx is a context"
                    )
                tensor = value.value.data
                if not 0 <= tensor < len(parameters) or not isinstance(
                    parameters[tensor], DistributedTensorType
                ):
                    raise VerifyException(
                        f"{CTX_OF} = {tensor} on parameter {index} names no !pld.dist_tensor "
                        "parameter"
                    )
                if tensor in seen:
                    raise VerifyException(
                        f"parameters {seen[tensor]} and {index} are both the context of "
                        f"parameter {tensor}"
                    )
                seen[tensor] = index


def install() -> None:
    """Adds the check to `func.func`; runs when the dialect is loaded."""
    FuncOp.traits.add_trait(ContextParameters())
