"""
How long `lower-l2-tensor-collectives` takes per collective, from 100 to 10,000 of them.

    python benchmarks/collectives.py [--largest 10000] [--limit 1.5]

Each program is made of collectives in another way: all in one function, each fed by the one
before; all in loops; one a function; each on a long chain of views; all refused for one slice at
the beginning of a chain. The time of the pass alone counts, the best of three. A ratio is the time
per collective against that of the size before it; where all are flat they stay near 1. Exits with
status 1 where the largest size takes more than `--limit` times the time per collective of the
smallest that takes at least 20 ms.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr, TensorType, f32, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from xdsl_pld.dialects.pl.tensor import SliceOp, ViewOp
from xdsl_pld.dialects.pld.collectives import AllToAllVOp
from xdsl_pld.dialects.types import DistributedTensorType
from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.passes.lower_l2_tensor_collectives import LowerL2TensorCollectivesPass

SIZES = (100, 200, 500, 1000, 2000, 5000, 10000)
PAYLOAD = TensorType(f32, [8, 64])
WINDOW = DistributedTensorType(PAYLOAD)
WIDE = DistributedTensorType(TensorType(f32, [8, 128]))
SIGNAL = DistributedTensorType(TensorType(i32, [2, 4]))
COUNTS = TensorType(i32, [2, 1])
RECEIVED = DistributedTensorType(COUNTS)


def orchestration(name: str) -> FuncOp:
    types = [PAYLOAD, WINDOW, SIGNAL, COUNTS, RECEIVED, IndexType(), WIDE]
    function = FuncOp(name, (types, []))
    function.attributes["pl.func_type"] = StringAttr("orchestration")
    return function


def exchange(
    block: Block, function: FuncOp, target: SSAValue, core_num: SSAValue | None = None
) -> SSAValue:
    source, _, signal, counts, received, *_ = function.args
    op = AllToAllVOp(source, target, signal, counts, received, core_num)
    block.add_op(op)
    return op.result


def chained(number: int) -> ModuleOp:
    """One function; each collective is fed by the one before."""
    function = orchestration("f")
    block = function.body.block
    four = arith.ConstantOp.from_int_and_width(4, IndexType())
    block.add_op(four)
    value: SSAValue = function.args[1]
    for _ in range(number):
        value = exchange(block, function, value, four.result)
    block.add_op(ReturnOp())
    return ModuleOp([function])


def looped(number: int) -> ModuleOp:
    """One function; loops of ten collectives each, the window carried through all of them."""
    function = orchestration("f")
    block = function.body.block
    value: SSAValue = function.args[1]
    bound = function.args[5]
    for _ in range(number // 10):
        body = Block(arg_types=[IndexType(), WINDOW])
        carried: SSAValue = body.args[1]
        for _ in range(10):
            carried = exchange(body, function, carried)
        body.add_op(scf.YieldOp(carried))
        loop = scf.ForOp(bound, bound, bound, [value], Region(body))
        block.add_op(loop)
        value = loop.results[0]
    block.add_op(ReturnOp())
    return ModuleOp([function])


def many_functions(number: int) -> ModuleOp:
    """One collective a function."""
    made: list[FuncOp] = []
    for index in range(number):
        function = orchestration(f"f{index}")
        exchange(function.body.block, function, function.args[1])
        function.body.block.add_op(ReturnOp())
        made.append(function)
    return ModuleOp(made)


def viewed(number: int) -> ModuleOp:
    """One chain of views, a collective at each, and one chain of additions for `core_num`."""
    function = orchestration("f")
    block = function.body.block
    one = arith.ConstantOp.from_int_and_width(1, IndexType())
    zero = arith.ConstantOp.from_int_and_width(0, IndexType())
    block.add_ops([one, zero])
    value: SSAValue = function.args[1]
    width: SSAValue = one.result
    for _ in range(number):
        view, sum_ = ViewOp(value, WINDOW), arith.AddiOp(width, zero.result)
        block.add_ops([view, sum_])
        value, width = view.result, sum_.result
        exchange(block, function, value, width)
    block.add_op(ReturnOp())
    return ModuleOp([function])


def refused(number: int) -> ModuleOp:
    """A chain that begins with an inner slice: every collective is refused, with its chain."""
    function = orchestration("f")
    block = function.body.block
    half = SliceOp(function.args[6], [0, 0], [8, 64], WINDOW)
    block.add_op(half)
    value: SSAValue = half.result
    for _ in range(number):
        value = exchange(block, function, value)
    block.add_op(ReturnOp())
    return ModuleOp([function])


PROGRAMS: dict[str, Callable[[int], ModuleOp]] = {
    "chained": chained,
    "looped": looped,
    "functions": many_functions,
    "viewed": viewed,
    "refused": refused,
}


def seconds(module: ModuleOp) -> float:
    """The time of the pass, the module's building and verification left out."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    try:
        LowerL2TensorCollectivesPass().transform(Context(), module)
    except FindingsError:
        pass
    finally:
        gc.enable()
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="time per collective of the chip rail")
    parser.add_argument("--largest", type=int, default=10000)
    parser.add_argument("--limit", type=float, default=1.5)
    args = parser.parse_args()
    status = 0
    for name, make in PROGRAMS.items():
        first = before = 0.0
        for size in (size for size in SIZES if size <= args.largest):
            total = min(seconds(make(size)) for _ in range(3))
            each = total / size
            ratio = f"{each / before:6.2f}" if before else "      "
            print(f"{name:10}{size:7d}{each * 1e6:9.1f} us each {ratio}", flush=True)
            before = each
            first = first or (each if total >= 0.02 else 0.0)
        if first and before / first > args.limit:
            print(
                f"{name}: {before / first:.2f} times the time per collective (limit {args.limit})"
            )
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
