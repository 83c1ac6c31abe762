"""
All ops of the DSL by their paths, and the names that are refused, with the reason.

Source: the DSL reference, sections 6 and 8.
"""

import ast
from collections.abc import Mapping
from difflib import get_close_matches

from xdsl_pld.tools.frontend import ops_arith, ops_distributed, ops_tensor, ops_tile
from xdsl_pld.tools.frontend.arguments import DslOp, OpCall
from xdsl_pld.tools.frontend.body import Body, Value
from xdsl_pld.tools.frontend.source import Problem

OPS: Mapping[str, DslOp] = {
    **ops_tensor.TABLE,
    **ops_tile.TABLE,
    **ops_distributed.TABLE,
    **ops_arith.TABLE,
}

_OUTSIDE = "it is outside of the communication subset"
_REGION = "write a kernel (@pl.function(type=pl.FunctionType.InCore)) and call it"

REFUSED: Mapping[str, str] = {
    **{
        f"pl.{prefix}{name}": _OUTSIDE
        for prefix in ("", "tile.", "tensor.")
        for name in (
            "matmul",
            "matmul_acc",
            "batch_matmul",
            "move",
            "exp",
            "log",
            "sqrt",
            "rsqrt",
            "recip",
            "neg",
            "abs",
            "row_max",
            "row_min",
            "row_expand",
            "col_sum",
            "fillpad",
            "quantize",
            "dequantize",
            "gather",
            "scatter",
            "sort",
            "concat",
        )
    },
    "pl.system.syncall": _OUTSIDE,
    "pl.system.fence": _OUTSIDE,
    "pl.system.available_aiv_count": _OUTSIDE,
    "pl.available_aiv_count": _OUTSIDE,
    "pld.system.defer_wait": "deferred waits are not supported: use pld.system.wait",
    "pld.tensor.remote_store": "use pld.tensor.put, or pld.tile.remote_store with a tile",
    "pl.at": f"its region is not outlined: {_REGION}",
    "pl.spmd": f"its region is not outlined: {_REGION} with core_num",
    "pl.cluster": f"its region is not outlined: {_REGION}",
    "pl.split_aiv": f"its region is not outlined: {_REGION}",
    "pl.scope": "only pl.scope(mode=pl.ScopeMode.MANUAL), in a `with`, is supported",
}
_REFUSED_PREFIXES = ("pl.prefetch.",)

IGNORED = ("pl.static_print", "pl.dump_tag")
"""Calls that are statements of no effect here; the second is a hint that is dropped."""

SPECIAL = (
    "pl.range",
    "pl.parallel",
    "pl.unroll",
    "pl.pipeline",
    "pl.while_",
    "pl.cond",
    "pl.yield_",
    "pl.submit",
    "pl.spmd_submit",
    "pl.system.task_dummy",
    "pl.no_dep",
    "pl.static_assert",
    "pl.func_attr",
    "pl.manual_scope",
    "pl.dynamic",
    "pld.comm_domain",
    "pld.yield_",
    *IGNORED,
)
"""Names that are read by the modules about loops, calls and statements."""


def refusal(path: str, node: ast.expr) -> Problem:
    """Why a DSL name is none that is read here."""
    reason = REFUSED.get(path)
    if reason is None and path.startswith(_REFUSED_PREFIXES):
        reason = _OUTSIDE
    if reason is not None:
        return Problem(node, f"{path} is not supported: {reason}")
    if path in SPECIAL:
        return Problem(node, f"{path} has no place here")
    nearest = get_close_matches(path, [*OPS, *SPECIAL], n=1)
    hint = f", did you mean {nearest[0]}?" if nearest else ""
    return Problem(node, f"{path} is not known{hint}")


def read_op(body: Body, path: str, node: ast.Call) -> Value | None:
    """Reads a call of a DSL op; None for one without a result."""
    op = OPS.get(path)
    if op is None:
        raise refusal(path, node)
    return op.build(OpCall(op, body, node))
