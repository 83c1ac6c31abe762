"""
Modules of any size, in the form in which programs come: the text of pipelines that stage,
exchange and consume in chained rounds, each dispatched by a host of its own.
"""

from collections.abc import Iterator

PLAIN, COUNTS = "tensor<8x64xf32>", "tensor<2x1xi32>"
DATA, SIGNAL, RECV = (
    f"!pld.dist_tensor<{tensor}>" for tensor in (PLAIN, "tensor<2x4xi32>", COUNTS)
)
ROUNDS = 8
"""Exchanges in one pipeline, each of 3 operations."""
KERNELS = """\
func.func @stage_{n}(%inp: {PLAIN}, %stage: {PLAIN} {{pl.dir = "out"}},
    %counts: {COUNTS} {{pl.dir = "out"}})
    -> ({PLAIN}, {COUNTS}) attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ranks = arith.constant 2 : index
  %rows = arith.constant 8 : index
  scf.for %i = %c0 to %rows step %c1 {{
    %row = pl.tile.load %inp[%i, 0] [1, 64] : {PLAIN} -> !pl.tile<tensor<1x64xf32>>
    %staged = pl.tile.store %row into %stage[%i, 0] : !pl.tile<tensor<1x64xf32>>, {PLAIN}
  }}
  scf.for %d = %c0 to %ranks step %c1 {{
    %next = arith.addi %d, %c1 : index
    %count = arith.index_cast %next : index to i32
    %counted = pl.tensor.write %count into %counts[%d, 0] : i32, {COUNTS}
  }}
  func.return %stage, %counts : {PLAIN}, {COUNTS}
}}
func.func @consume_{n}(%data: {DATA}, %recv: {RECV}, %out: {PLAIN} {{pl.dir = "out"}})
    -> {PLAIN} attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ranks = arith.constant 2 : index
  %capacity = arith.constant 4 : index
  scf.for %s = %c0 to %ranks step %c1 {{
    %arrived = pl.tensor.read %recv[%s, 0] : {RECV} -> i32
    %count = arith.index_cast %arrived : i32 to index
    %first = arith.muli %s, %capacity : index
    scf.for %k = %c0 to %count step %c1 {{
      %i = arith.addi %first, %k : index
      %row = pl.tile.load %data[%i, 0] [1, 64] : {DATA} -> !pl.tile<tensor<1x64xf32>>
      %consumed = pl.tile.store %row into %out[%i, 0] : !pl.tile<tensor<1x64xf32>>, {PLAIN}
    }}
  }}
  func.return %out : {PLAIN}
}}
"""
HOST = """\
func.func @host_{n}(%inputs: tensor<2x8x64xf32>, %stages: tensor<2x8x64xf32> {{pl.dir = "inout"}},
    %counts: tensor<2x2x1xi32> {{pl.dir = "inout"}}, %outputs: tensor<2x8x64xf32> {{pl.dir = "out"}})
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %data_bytes = arith.constant 2048 : index
  %signal_bytes = arith.constant 32 : index
  %recv_bytes = arith.constant 8 : index
  %data_buf = pld.tensor.alloc_window_buffer %data_bytes {{name = "data_{n}"}} : !pld.window_buffer
  %signal_buf = pld.tensor.alloc_window_buffer %signal_bytes {{name = "signal_{n}"}} : !pld.window_buffer
  %recv_buf = pld.tensor.alloc_window_buffer %recv_bytes {{name = "recv_{n}"}} : !pld.window_buffer
  %devices = pld.system.world_size : index
  scf.for %r = %c0 to %devices step %c1 {{
    %data = pld.tensor.window %data_buf : !pld.window_buffer -> {DATA}
    %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> {SIGNAL}
    %recv = pld.tensor.window %recv_buf : !pld.window_buffer -> {RECV}
    %inp_box = pl.tensor.slice %inputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %inp = pl.tensor.view %inp_box : tensor<1x8x64xf32> -> {PLAIN}
    %stage_box = pl.tensor.slice %stages[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %stage = pl.tensor.view %stage_box : tensor<1x8x64xf32> -> {PLAIN}
    %counts_box = pl.tensor.slice %counts[%r, 0, 0] [1, 2, 1] : tensor<2x2x1xi32> -> tensor<1x2x1xi32>
    %count = pl.tensor.view %counts_box : tensor<1x2x1xi32> -> {COUNTS}
    %out_box = pl.tensor.slice %outputs[%r, 0, 0] [1, 8, 64] : tensor<2x8x64xf32> -> tensor<1x8x64xf32>
    %out = pl.tensor.view %out_box : tensor<1x8x64xf32> -> {PLAIN}
    %result = pl.call @chip_{n}(%inp, %out, %stage, %data, %signal, %count, %recv) device(%r)
      : ({PLAIN}, {PLAIN}, {PLAIN}, {DATA}, {SIGNAL}, {COUNTS}, {RECV}) -> {PLAIN}
  }}
  func.return
}}
"""  # noqa: E501
TYPES = {"PLAIN": PLAIN, "COUNTS": COUNTS, "DATA": DATA, "SIGNAL": SIGNAL, "RECV": RECV}


def pipelines(ops: int) -> str:
    """At least `ops` operations in pipelines of kernels, a chip orchestration and a host."""
    each = _count(_pipeline(0, ROUNDS))
    return "".join(_pipeline(n, ROUNDS) for n in range(max(1, round(ops / each))))


def call_sites(calls: int) -> str:
    """`calls` launches and exchanges, chained in one orchestration."""
    return _pipeline(0, calls // 3)


def _pipeline(n: int, rounds: int) -> str:
    kernels = KERNELS.format(n=n, **TYPES)
    return kernels + "\n".join(_orchestration(n, rounds)) + "\n" + HOST.format(n=n, **TYPES)


def _orchestration(n: int, rounds: int) -> Iterator[str]:
    yield (
        f'func.func @chip_{n}(%inp: {PLAIN}, %out: {PLAIN} {{pl.dir = "inout"}}, '
        f'%stage: {PLAIN} {{pl.dir = "inout"}}, %data: {DATA} {{pl.dir = "inout"}}, '
        f'%signal: {SIGNAL} {{pl.dir = "inout"}}, %counts: {COUNTS} {{pl.dir = "inout"}}, '
        f'%recv: {RECV} {{pl.dir = "inout"}})'
    )
    yield f'    -> {PLAIN} attributes {{pl.func_type = "orchestration"}} {{'
    yield "  %blocks = arith.constant 4 : index"
    inp, data = "%inp", "%data"
    for step in range(rounds):
        yield (
            f"  %s{step}, %c{step} = pl.call @stage_{n}({inp}, %stage, %counts) : "
            f"({PLAIN}, {PLAIN}, {COUNTS}) -> ({PLAIN}, {COUNTS})"
        )
        yield (
            f"  %d{step} = pld.tensor.all_to_all_v %s{step}, {data}, %signal, %c{step}, %recv "
            f"core_num(%blocks) : {PLAIN}, {DATA}, {SIGNAL}, {COUNTS}, {RECV}"
        )
        yield (
            f"  %o{step} = pl.call @consume_{n}(%d{step}, %recv, %out) : "
            f"({DATA}, {RECV}, {PLAIN}) -> {PLAIN}"
        )
        inp, data = f"%o{step}", f"%d{step}"
    yield f"  func.return {inp} : {PLAIN}"
    yield "}"


def _count(text: str) -> int:
    """The operations in a text; a loop also has the terminator that is not written."""
    lines = [line.strip() for line in text.splitlines()]
    ops = sum(line.startswith(("%", "scf.", "func.")) for line in lines)
    return ops + sum(line.startswith("scf.for") for line in lines)
