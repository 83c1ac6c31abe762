"""
How the passes of the host and InCore rails, and the checks, grow with the module.

    python benchmarks/rails.py [--size 40] [--limit 1.6]

Each program is made in two sizes, one twice the other; the time of a pass must not grow by more
than `limit` times 2. Exits with status 1 where it does.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_pld.passes.analysis.wellformed import vouch_for
from xdsl_pld.universe import UNIVERSE

T = "tensor<4x8xf32>"
D, S = f"!pld.dist_tensor<{T}>", "!pld.dist_tensor<tensor<2x1xi32>>"
PARAMETERS, TYPES = f"%d: {D}, %e: {D}, %s: {S}", f"{D}, {D}, {S}"
CHIP = 'attributes {pl.func_type = "orchestration"}'
KERNEL = 'attributes {pl.func_type = "incore"}'
HOST = 'attributes {pl.level = "host", pl.role = "orchestrator"}'
EXCHANGE = f"  %hN = pld.tensor.all_to_all %d, %e, %s : {D}, {D}, {S}\n"
SUM = f'  %hN = pld.tensor.allreduce %OLD, %s {{op = "sum"}} : {D}, {S}\n'


def host(n: int, body: str) -> str:
    windows = "".join(
        f'  %{w}b = pld.tensor.alloc_window_buffer %c128 {{name = "{w}{n}"}} : !pld.window_buffer\n'
        f"  %{w} = pld.tensor.window %{w}b : !pld.window_buffer -> {t}\n"
        for w, t in (("d", D), ("e", D), ("s", S))
    )
    return (
        f"func.func @host{n}() {HOST} {{\n  %c0 = arith.constant 0 : index\n"
        f"  %c1 = arith.constant 1 : index\n  %c128 = arith.constant 128 : index\n{windows}"
        f"  %all = pld.system.world_size : index\n{body}  func.return\n}}\n"
    )


def dispatch(callee: str) -> str:
    call = f"    pl.call @{callee}(%d, %e, %s) device(%r) : ({TYPES}) -> ()\n"
    return f"  scf.for %r = %c0 to %all step %c1 {{\n{call}  }}\n"


def programs(n: int) -> str:
    """n programs of a kernel, a pipeline and a host, each with collectives."""
    kernel = EXCHANGE.replace("%hN", "%h") + SUM.replace("%hN", "%g").replace("OLD", "d")
    text = ""
    for i in range(n):
        text += f"func.func @kernel{i}({PARAMETERS}) {KERNEL} {{\n{kernel}  func.return\n}}\n"
        call = f"  pl.call @kernel{i}(%d, %e, %s) : ({TYPES}) -> ()\n"
        text += f"func.func @chip{i}({PARAMETERS}) {CHIP} {{\n{call}  func.return\n}}\n"
        unsigned = f'  %u = pld.tensor.allreduce %d {{op = "sum"}} : {D}\n'
        text += host(i, dispatch(f"chip{i}") + EXCHANGE.replace("%hN", "%h") + unsigned)
    return text


def chain(n: int) -> str:
    """One kernel and one host of n collectives, each on what the last one returned."""
    steps = "".join(
        SUM.replace("%hN", f"%h{i}").replace("%OLD", f"%h{i - 1}" if i else "%d")
        for i in range(8 * n)
    )
    kernel = f"func.func @kernel({PARAMETERS}) {KERNEL} {{\n{steps}  func.return\n}}\n"
    call = f"  pl.call @kernel(%d, %e, %s) : ({TYPES}) -> ()\n"
    chip = f"func.func @chip({PARAMETERS}) {CHIP} {{\n{call}  func.return\n}}\n"
    return kernel + chip + host(0, dispatch("chip") + steps)


def dispatches(n: int) -> str:
    """One pipeline of n collectives, dispatched n times."""
    steps = "".join(EXCHANGE.replace("%hN", f"%h{i}") for i in range(4 * n))
    kernel = f"func.func @kernel({PARAMETERS}) {KERNEL} {{\n{steps}  func.return\n}}\n"
    call = f"  pl.call @kernel(%d, %e, %s) : ({TYPES}) -> ()\n"
    chip = f"func.func @chip({PARAMETERS}) {CHIP} {{\n{call}  func.return\n}}\n"
    return kernel + chip + host(0, dispatch("chip") * (4 * n))


def levels(n: int) -> str:
    """A collective 8 n calls deep."""
    step = EXCHANGE.replace("%hN", "%h")
    text = f"func.func @f0({PARAMETERS}) {KERNEL} {{\n{step}  func.return\n}}\n"
    for i in range(1, 8 * n):
        call = f"  pl.call @f{i - 1}(%d, %e, %s) : ({TYPES}) -> ()\n"
        text += f"func.func @f{i}({PARAMETERS}) {CHIP} {{\n{call}  func.return\n}}\n"
    return text + host(0, dispatch(f"f{8 * n - 1}"))


PROGRAMS: Mapping[str, Callable[[int], str]] = {
    "programs": programs,
    "chain": chain,
    "dispatches": dispatches,
    "levels": levels,
}
PASSES = (
    "check-collective-operands",
    "check-collective-convergence",
    "lower-composite-ops",
    "synthesize-allreduce-signals",
    "materialize-comm-domain-scopes",
    "lower-host-tensor-collectives",
)


def parse(text: str) -> ModuleOp:
    ctx = Context()
    for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, load)
    return Parser(ctx, text).parse_module()


def seconds(text: str, rounds: int) -> dict[str, float]:
    """The processor time of each pass, the best of some rounds."""
    best = dict.fromkeys(PASSES, float("inf"))
    for _ in range(rounds):
        module = parse(text)
        vouch_for(module)
        for name in PASSES:
            each = UNIVERSE.all_passes[name]()()
            start = time.process_time()
            each.apply(Context(), module)
            best[name] = min(best[name], time.process_time() - start)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description="growth of the rails' passes with the module")
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.6)
    options = parser.parse_args()
    failed = False
    for kind, make in PROGRAMS.items():
        small = seconds(make(options.size), options.rounds)
        large = seconds(make(2 * options.size), options.rounds)
        for name in PASSES:
            growth = large[name] / small[name] / 2
            slow = growth > options.limit and large[name] > 0.05
            failed |= slow
            mark = "  SUPERLINEAR" if slow else ""
            print(f"{kind:11}{name:32}{large[name] * 1000:8.1f} ms  x{growth:.2f}{mark}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
