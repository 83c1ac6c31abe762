"""
How the passes of the chip pipeline grow: with call sites in one function, and with functions.

    python benchmarks/tasks.py [program ...] [--sites 10000] [--functions 1000] [--limit 2.2]

Every program is built at three sizes, each twice the one before. Counted is the processor time of
each pass, the best of some rounds. Exits with status 1 where a pass takes more than `--limit` times
as long for twice the program; times below 20 ms are noise, and not compared.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_pld.passes.analysis.wellformed import vouch_for
from xdsl_pld.universe import UNIVERSE

PASSES = (
    "fuse-create-assemble-to-slice",
    "legalize-spmd-launches",
    "derive-call-directions",
    "auto-derive-task-dependencies",
)
NOISE = 0.02

KERNELS = """\
func.func @write{0}(%x: tensor<8x64xf32> {{pl.dir = "out"}}) -> tensor<8x64xf32>
    attributes {{pl.func_type = "incore"}} {{
  func.return %x : tensor<8x64xf32>
}}
func.func private @read{0}(tensor<8x64xf32>) attributes {{pl.func_type = "incore"}}
func.func @update{0}(%x: tensor<8x64xf32> {{pl.dir = "inout"}}) -> tensor<8x64xf32>
    attributes {{pl.func_type = "incore"}} {{
  func.return %x : tensor<8x64xf32>
}}
"""
READ = "pl.call @read{0}(%{1}) : (tensor<8x64xf32>) -> ()"
WRITE = "%w{2} = pl.call @write{0}(%{1}) : (tensor<8x64xf32>) -> tensor<8x64xf32>"
UPDATE = "%u{2} = pl.call @update{0}(%{1}) core_num(%n) : (tensor<8x64xf32>) -> tensor<8x64xf32>"


def orchestration(lines: Sequence[str], name: str = "f") -> str:
    body = "\n  ".join(lines)
    return f"""\
func.func @{name}(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>, %t: tensor<1048576x64xf32>,
    %n: index, %c: i1) attributes {{pl.func_type = "orchestration"}} {{
  {body}
  func.return
}}
"""


def box(index: int) -> str:
    rows = "tensor<1048576x64xf32> -> tensor<8x64xf32>"
    return f"%s{index} = pl.tensor.slice %t[{8 * index}, 0] [8, 64] : {rows}"


def one_buffer(sites: int) -> str:
    """All tasks on one buffer, by the results of those before."""
    lines: list[str] = []
    value = "a"
    for i in range(0, sites, 2):
        lines += [WRITE.format("", value, i), READ.format("", f"w{i}")]
        value = f"w{i}"
    return KERNELS.format("") + orchestration(lines)


def many_readers(sites: int) -> str:
    """Long runs of readers between writers."""
    lines = [
        WRITE.format("", "a", i) if i % 1000 == 0 else READ.format("", "a") for i in range(sites)
    ]
    return KERNELS.format("") + orchestration(lines)


def boxes(sites: int) -> str:
    """Each task on a box of its own, written and then read."""
    lines: list[str] = []
    for i in range(sites // 2):
        lines += [box(i), WRITE.format("", f"s{i}", i), READ.format("", f"s{i}")]
    return KERNELS.format("") + orchestration(lines)


def staged(sites: int) -> str:
    """Staging tensors, filled and assembled."""
    lines: list[str] = []
    whole = "t"
    for i in range(sites):
        lines += [
            f"%e{i} = pl.tensor.create : tensor<8x64xf32>",
            WRITE.format("", f"e{i}", i),
            f"%d{i} = pl.tensor.assemble %w{i} into %{whole}[{8 * i}, 0] : tensor<8x64xf32>,"
            " tensor<1048576x64xf32>",
        ]
        whole = f"d{i}"
    return KERNELS.format("") + orchestration(lines)


def guarded(sites: int) -> str:
    """Launches of unknown width, each to be guarded; the edges lead through branches."""
    lines: list[str] = []
    value = "a"
    for i in range(sites):
        lines.append(UPDATE.format("", value, i))
        value = f"u{i}"
    return KERNELS.format("") + orchestration(lines)


def loops(sites: int) -> str:
    """Loops of ten tasks, behind each other."""
    lines: list[str] = []
    for start in range(0, sites, 10):
        lines.append(f"scf.for %i{start} = %n to %n step %n {{")
        for i in range(start, start + 10, 2):
            lines += [WRITE.format("", "ab"[i // 2 % 2], i), READ.format("", "ab"[i % 4 // 2])]
        lines.append("}")
    return KERNELS.format("") + orchestration(lines)


def long_loop(sites: int) -> str:
    """All tasks in the body of one loop that carries its buffer."""
    carry = "iter_args(%x = %a) -> (tensor<8x64xf32>)"
    lines = [f"%r = scf.for %i = %n to %n step %n {carry} {{"]
    value = "x"
    for i in range(0, sites, 2):
        lines += [WRITE.format("", value, i), READ.format("", f"w{i}")]
        value = f"w{i}"
    lines += [f"scf.yield %{value} : tensor<8x64xf32>", "}"]
    return KERNELS.format("") + orchestration(lines)


def functions(count: int) -> str:
    """As many orchestrations as sets of kernels, each orchestration with calls of its own set."""
    text: list[str] = []
    for i in range(count):
        lines = [WRITE.format(i, "a", 0), READ.format(i, "w0"), UPDATE.format(i, "w0", 1)]
        text += [KERNELS.format(i), orchestration(lines, f"f{i}")]
    return "".join(text)


def wrappers(count: int) -> str:
    """A chain of wrappers, each calling the next: directions rise through all of it."""
    text = [KERNELS.format("")]
    for i in range(count):
        callee = f"g{i + 1}" if i + 1 < count else "update"
        result = "()" if i + 1 < count else "tensor<8x64xf32>"
        bound = "" if i + 1 < count else "%r = "
        text.append(
            f'func.func @g{i}(%x: tensor<8x64xf32>) attributes {{pl.func_type = "group"}} {{\n'
            f"  {bound}pl.call @{callee}(%x) : (tensor<8x64xf32>) -> {result}\n  func.return\n}}\n"
        )
    return "".join(text)


def parse(text: str) -> ModuleOp:
    ctx = Context()
    for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, load)
    return Parser(ctx, text).parse_module()


def measure(text: str) -> Mapping[str, float]:
    """The processor time of each pass on a program, and, by the way, that all of them accept it."""
    module = parse(text)
    vouch_for(module)
    times: dict[str, float] = {}
    for name in PASSES:
        gc.collect()
        gc.disable()
        start = time.process_time()
        UNIVERSE.all_passes[name]()().apply(Context(), module)
        times[name] = time.process_time() - start
        gc.enable()
    return times


def grows(
    name: str, program: Callable[[int], str], largest: int, rounds: int, limit: float
) -> bool:
    """Prints a table for one program; tells whether a pass grows faster than allowed."""
    sizes = (largest // 4, largest // 2, largest)
    best = [
        {each: min(found[each] for found in measured) for each in PASSES}
        for measured in ([measure(program(size)) for _ in range(rounds)] for size in sizes)
    ]
    too_fast = False
    for each in PASSES:
        seconds = [times[each] for times in best]
        ratios = [b / max(a, NOISE) for a, b in pairwise(seconds)]
        over = max(ratios) > limit
        too_fast |= over
        shown = "".join(f"{1000 * s:9.1f} ms" for s in seconds)
        growth = f"x{ratios[0]:.2f} x{ratios[1]:.2f}{' <--' * over}"
        print(f"{name:13}{each:32}{shown}   {growth}", flush=True)
    return too_fast


def main() -> int:
    parser = argparse.ArgumentParser(description="growth of the chip pipeline's passes")
    parser.add_argument("programs", nargs="*", metavar="program", help="default: all")
    parser.add_argument("--sites", type=int, default=10000)
    parser.add_argument("--functions", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=2.2)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    in_one_function = (one_buffer, many_readers, boxes, staged, guarded, loops, long_loop)
    sizes = dict.fromkeys(in_one_function, args.sites)
    sizes |= dict.fromkeys((functions, wrappers), args.functions)
    over = [
        grows(program.__name__, program, size, args.rounds, args.limit)
        for program, size in sizes.items()
        if not args.programs or program.__name__ in args.programs
    ]
    return int(any(over))


if __name__ == "__main__":
    sys.exit(main())
