"""
How `normalize-return-order` and `materialize-dist-tensor-ctx` grow with a module, and with them the
verifiers of their properties.

    python benchmarks/contexts.py [--largest 100000] [--limit 1.6]

Three kinds of module, in process, each in sizes by a factor of ten (functions up to a tenth): the
calls of one kernel in a chip pipeline, each on the last one's result; the dispatches of one
pipeline in a host body; and pipelines of ten calls, each with a kernel of its own. A line is a
size, with the microseconds per call (or function) of each step, and against the line before it by
how much these grow per doubling: 1 where they stay the same. Exits with status 1 where one is above
the limit.
"""

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Mapping

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pl.call import CallOp
from xdsl_pld.dialects.pld import PLD
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.materialize_dist_tensor_ctx import MaterializeDistTensorCtxPass
from xdsl_pld.passes.normalize_return_order import NormalizeReturnOrderPass
from xdsl_pld.passes.properties import Property, violations

D = "!pld.dist_tensor<tensor<4xf32>>"

KERNEL = f"""
func.func @kernel(%a: {D} {{pl.dir = "inout"}}, %b: {D} {{pl.dir = "inout"}}) -> ({D}, {D})
    attributes {{pl.func_type = "incore"}} {{
  %stored = pl.tensor.assemble %a into %b[0] : {D}, {D}
  func.return %stored, %a : {D}, {D}
}}
"""

CHIP = f"""
func.func @chip(%a: {D}, %b: {D}) attributes {{pl.func_type = "orchestration"}} {{
  func.return
}}
"""

HOST = f"""
func.func @host(%bytes: index, %d: index)
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  %buffer = pld.tensor.alloc_window_buffer %bytes {{name = "w"}} : !pld.window_buffer
  %a = pld.tensor.window %buffer : !pld.window_buffer -> {D}
  func.return
}}
"""


def parsed(text: str) -> ModuleOp:
    ctx = Context()
    for dialect in (Builtin, arith.Arith, func.Func, PL, PLD):
        ctx.load_dialect(dialect)
    return Parser(ctx, text).parse_module()


def chip_calls(size: int) -> ModuleOp:
    """One pipeline of `size` calls in a chain."""
    module = parsed(KERNEL + CHIP)
    chain(module, "chip", "kernel", size)
    return module


def chain(module: ModuleOp, pipeline: str, kernel: str, size: int) -> None:
    body = function(module, pipeline).body.block
    a, b = body.args
    calls: list[CallOp] = []
    for _ in range(size):
        calls.append(CallOp(kernel, [a, b], [a.type, b.type]))
        b, a = calls[-1].results
    assert body.last_op is not None
    body.insert_ops_before(calls, body.last_op)


def host_dispatches(size: int) -> ModuleOp:
    """One host body of `size` dispatches of one window."""
    module = parsed(CHIP + HOST)
    body = function(module, "host").body.block
    (window,) = (
        op.results[0]
        for op in body.ops
        if op.results and isinstance(op.results[0].type, DistributedTensorType)
    )
    calls = [CallOp("chip", [window, window], [], device=body.args[1]) for _ in range(size)]
    assert body.last_op is not None
    body.insert_ops_before(calls, body.last_op)
    return module


def many_functions(size: int) -> ModuleOp:
    """Half as many pipelines of ten calls, and a kernel for each."""
    module = parsed(KERNEL + CHIP)
    kernel, chip = function(module, "kernel"), function(module, "chip")
    for index in range(max(1, size // 2)):
        for template in (kernel, chip):
            copy = template.clone()
            copy.properties["sym_name"] = type(copy.sym_name)(f"{copy.sym_name.data}{index}")
            module.body.block.add_op(copy)
    functions = {f.sym_name.data: f for f in module.body.ops if isinstance(f, func.FuncOp)}
    for index in range(max(1, size // 2)):
        block = functions[f"chip{index}"].body.block
        a, b = block.args
        for _ in range(10):
            call = CallOp(f"kernel{index}", [a, b], [a.type, b.type])
            assert block.last_op is not None
            block.insert_op_before(call, block.last_op)
            b, a = call.results
    return module


def function(module: ModuleOp, name: str) -> func.FuncOp:
    return next(
        op for op in module.body.ops if isinstance(op, func.FuncOp) and op.sym_name.data == name
    )


def steps(module: ModuleOp) -> Mapping[str, Callable[[], object]]:
    ctx = Context()
    return {
        "normalize": lambda: NormalizeReturnOrderPass().apply(ctx, module),
        "verify returns": lambda: violations(Property.RETURN_PARAMS_EXPLICIT, module),
        "materialize": lambda: MaterializeDistTensorCtxPass().apply(ctx, module),
        "verify contexts": lambda: violations(Property.DIST_TENSOR_CTX_MATERIALIZED, module),
        "second run": lambda: MaterializeDistTensorCtxPass().apply(ctx, module),
    }


def measured(make: Callable[[int], ModuleOp], size: int) -> dict[str, float]:
    """Seconds a step, the best of some rounds where it is short."""
    best: dict[str, float] = {}
    for _ in range(3 if size <= 1000 else 1):
        module = make(size)
        for name, step in steps(module).items():
            gc.collect()
            start = time.process_time()
            step()
            best[name] = min(best.get(name, math.inf), time.process_time() - start)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description="growth of the context passes")
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--limit", type=float, default=1.6)
    args = parser.parse_args()
    kinds = {
        "calls in a chip pipeline": (chip_calls, 100, args.largest),
        "dispatches in a host body": (host_dispatches, 100, args.largest),
        "functions": (many_functions, 10, args.largest // 10),
    }
    worst = 0.0
    for title, (make, size, largest) in kinds.items():
        print(f"{title}: microseconds each, growth per doubling")
        before: dict[str, float] | None = None
        while size <= largest:
            seconds = measured(make, size)
            cells: list[str] = []
            for name, taken in seconds.items():
                cell = f"{name} {taken / size * 1e6:7.1f}"
                if before is not None:
                    growth = (taken / before[name] / 10) ** (1 / math.log2(10))
                    cell += f" ({growth:4.2f})"
                    if size > 1000:
                        worst = max(worst, growth)
                cells.append(cell)
            print(f"{size:8} " + "  ".join(cells), flush=True)
            before, size = seconds, size * 10
    print(f"largest growth per doubling above 1000: {worst:.2f} (limit {args.limit})")
    return int(worst > args.limit)


if __name__ == "__main__":
    sys.exit(main())
