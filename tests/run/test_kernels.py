"""
Kernels that signal and move data themselves: notify, wait, put, get, remote load and store; and the
contexts through which they reach their peers.
"""

from collections.abc import Callable

import numpy as np
import pytest

L2_CTX = "lower-l2-tensor-collectives,materialize-dist-tensor-ctx"
DATA, SIGNAL = "tensor<2x4xi32>", "tensor<4x1xi32>"
D_DATA, D_SIGNAL = f"!pld.dist_tensor<{DATA}>", f"!pld.dist_tensor<{SIGNAL}>"
TILE, ROW = "!pl.tile<tensor<2x4xi32>>", "!pl.tile<tensor<1x4xi32>>"


def ring(move: str) -> str:
    """A kernel in which each rank hands its rows to the next rank, by `move`, and says so."""
    return f"""\
func.func @ring(%inp: {DATA}, %data: {D_DATA} {{pl.dir = "inout"}},
    %signal: {D_SIGNAL} {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %ctx = pld.system.get_comm_ctx %data : {D_DATA}
  %me = pld.system.rank %ctx : i32
  %n = pld.system.nranks %ctx : i32
  %next0 = arith.addi %me, %one : i32
  %next = arith.remsi %next0, %n : i32
  %before0 = arith.subi %next0, %one : i32
  %before1 = arith.addi %before0, %n : i32
  %before2 = arith.subi %before1, %one : i32
  %before = arith.remsi %before2, %n : i32
  %me_index = arith.index_cast %me : i32 to index
  %before_index = arith.index_cast %before : i32 to index
{move}
  func.return
}}
"""


PUT = f"""\
  pld.tile.put %inp[0, 0] into %data[0, 0] [2, 4] peer(%next) : {DATA}, {D_DATA}
  pld.system.notify %signal[%me_index, 0] peer(%next) value(%one) {{op = "atomic_add"}}
    : {D_SIGNAL}, i32, i32
  pld.system.wait %signal[%before_index, 0] expected(%one) {{cmp = "ge"}} : {D_SIGNAL}, i32"""
STORE = f"""\
  scf.for %i = %c0 to %c2 step %c1 {{
    %row = pl.tile.load %inp[%i, 0] [1, 4] : {DATA} -> {ROW}
    pld.tile.remote_store %row into %data[%i, 0] peer(%next) : {ROW}, {D_DATA}
  }}
  pld.system.notify %signal[%me_index, 0] peer(%next) value(%one) {{op = "set"}}
    : {D_SIGNAL}, i32, i32
  pld.system.wait %signal[%before_index, 0] expected(%one) {{cmp = "eq"}} : {D_SIGNAL}, i32"""
GET = f"""\
  %own = pl.tensor.assemble %inp into %data[0, 0] : {DATA}, {D_DATA}
  pld.system.notify %signal[%me_index, 0] peer(%next) value(%one) {{op = "atomic_add"}}
    : {D_SIGNAL}, i32, i32
  pld.system.wait %signal[%before_index, 0] expected(%one) {{cmp = "ge"}} : {D_SIGNAL}, i32
  pld.tile.get %data[0, 0] into %inp[0, 0] [2, 4] peer(%before) : {D_DATA}, {DATA}"""
LOAD = f"""\
  %own = pl.tensor.assemble %inp into %data[0, 0] : {DATA}, {D_DATA}
  pld.system.notify %signal[%me_index, 0] peer(%next) value(%one) {{op = "atomic_add"}}
    : {D_SIGNAL}, i32, i32
  pld.system.wait %signal[%before_index, 0] expected(%one) {{cmp = "ge"}} : {D_SIGNAL}, i32
  %block = pld.tile.remote_load %data[0, 0] [2, 4] peer(%before) : {D_DATA} -> {TILE}
  %left = pl.tile.slice %block[0, 0] [2, 2] : {TILE} -> !pl.tile<tensor<2x2xi32>>
  %right = pl.tile.slice %block[0, 2] [2, 2] : {TILE} -> !pl.tile<tensor<2x2xi32>>
  %l = pl.tile.store %left into %inp[0, 0] : !pl.tile<tensor<2x2xi32>>, {DATA}
  %r = pl.tile.store %right into %inp[0, 2] : !pl.tile<tensor<2x2xi32>>, {DATA}"""

CALL = f"  pl.call @ring(%inp, %data, %signal) : ({DATA}, {D_DATA}, {D_SIGNAL}) -> ()"


@pytest.mark.parametrize("move", [PUT, STORE, GET, LOAD], ids=["put", "store", "get", "load"])
@pytest.mark.parametrize("passes", ["", L2_CTX])
def test_a_ring_of_kernels(succeed: Callable, program: Callable, move: str, passes: str):
    inputs = np.arange(32, dtype=np.int32).reshape(4, 2, 4)
    text = program(
        4, {"inp": DATA}, {"data": DATA, "signal": SIGNAL}, CALL, functions=ring(move)
    ).text()
    outcome = succeed(text, "--ranks", "4", "-p", passes, inputs={"inps": inputs})
    moved = outcome.arrays["window.data" if move in (PUT, STORE) else "inps"]
    assert np.array_equal(moved, np.roll(inputs, 1, axis=0))
    assert outcome.column("bytes on the wire") == [32] * 4
    assert outcome.column("signals") == [1] * 4
    assert outcome.column("tasks") == [1] * 4


def test_atomic_puts_add_up(succeed: Callable, program: Callable):
    body = f"""\
  %c0 = arith.constant 0 : i32
  pld.tensor.put %inp[0, 0] into %data[0, 0] [2, 4] peer(%c0) {{atomic = "add"}}
    : {DATA}, {D_DATA}"""
    text = program(4, {"inp": DATA}, {"data": DATA}, body).text()
    inputs = np.full((4, 2, 4), 2**30, np.int32)
    outcome = succeed(text, "--ranks", "4", inputs={"inps": inputs})
    assert not outcome.arrays["window.data"].any()  # 4 * 2**30 wraps to 0
    assert outcome.column("bytes on the wire") == [0, 32, 32, 32]


TWO = f"""\
func.func @kernel(%inp: {DATA}, %data: {D_DATA} {{pl.dir = "inout"}},
    %other: {D_DATA} {{pl.dir = "inout"}}, %data_ctx: !pld.comm_ctx {{pld.ctx_of = 1 : index}},
    %other_ctx: !pld.comm_ctx {{pld.ctx_of = 2 : index}})
    attributes {{pl.func_type = "incore"}} {{
  %peer = arith.constant 0 : i32
  pld.tile.put %inp[0, 0] into %data[0, 0] [2, 4] peer(%peer) : {DATA}, {D_DATA}
  func.return
}}
"""


def test_a_wrong_context_is_caught(run_text: Callable, program: Callable):
    """Swapped contexts are not forgiven: the peer would be addressed in the other window."""
    contexts = (
        f"  %a = pld.system.get_comm_ctx %data : {D_DATA}\n"
        f"  %b = pld.system.get_comm_ctx %other : {D_DATA}\n"
    )
    call = (
        f"  pl.call @kernel(%inp, %data, %other, {{}}) : ({DATA}, {D_DATA}, {D_DATA}, "
        "!pld.comm_ctx, !pld.comm_ctx) -> ()"
    )
    windows = {"data": DATA, "other": DATA}
    for passed, status in (("%a, %b", 0), ("%b, %a", 1), ("%a, %a", 1)):
        body = contexts + call.format(passed)
        text = program(2, {"inp": DATA}, windows, body, functions=TWO).text()
        outcome = run_text(text, "--ranks", "2")
        assert outcome.status == status, outcome.err
        if status:
            assert "is passed for a tensor in window" in outcome.err
            assert "pl.call @kernel(%inp, %data, %other, " in outcome.err


def test_a_view_reaches_the_same_place_of_the_peer(succeed: Callable, program: Callable):
    row, turned = "!pld.dist_tensor<tensor<4xi32>>", "!pld.dist_tensor<tensor<4x2xi32>>"
    body = f"""\
  %me0 = pld.system.get_comm_ctx %data : {D_DATA}
  %me = pld.system.rank %me0 : i32
  %one = arith.constant 1 : i32
  %peer = arith.subi %one, %me : i32
  %row = pl.tensor.slice %data[1, 0] [1, 4] : {D_DATA} -> {row}
  %turned = pl.tensor.transpose %data {{axes = array<i64: 1, 0>}} : {D_DATA} -> {turned}
  %flat = pl.tensor.view %inp : {DATA} -> tensor<8xi32>
  pld.tensor.put %flat[0] into %row[0] [4] peer(%peer) : tensor<8xi32>, {row}
  %column = pl.tensor.reshape %inp : {DATA} -> tensor<4x2xi32>
  pld.tensor.put %column[0, 0] into %turned[2, 0] [1, 1] peer(%peer)
    : tensor<4x2xi32>, {turned}"""
    text = program(2, {"inp": DATA}, {"data": DATA}, body).text()
    inputs = np.arange(1, 17, dtype=np.int32).reshape(2, 2, 4)
    outcome = succeed(text, "--ranks", "2", inputs={"inps": inputs})
    expected = np.zeros((2, 2, 4), np.int32)
    for rank in range(2):
        expected[1 - rank, 1] = inputs[rank].reshape(-1)[:4]
        expected[1 - rank, 0, 2] = inputs[rank, 0, 0]
    assert np.array_equal(outcome.arrays["window.data"], expected)


def test_submit_allocates_omitted_outputs(succeed: Callable, program: Callable):
    functions = f"""\
func.func @stage(%inp: {DATA}, %out: {DATA} {{pl.dir = "out"}}) -> {DATA}
    attributes {{pl.func_type = "incore"}} {{
  %t = pl.tile.load %inp[0, 0] [2, 4] : {DATA} -> {TILE}
  %s = pl.tile.store %t into %out[0, 0] : {TILE}, {DATA}
  func.return %out : {DATA}
}}
"""
    body = f"""\
  %fresh, %t0 = pl.submit @stage(%inp) : ({DATA}) -> ({DATA}, !pl.task_id)
  %t1 = pl.task_dummy deps(%t0)
  %again, %t2 = pl.submit @stage(%fresh, %out) deps(%t1)
    : ({DATA}, {DATA}) -> ({DATA}, !pl.task_id)"""
    text = program(2, {"inp": DATA, "out": DATA}, {}, body, functions=functions).text()
    outcome = succeed(text, "--ranks", "2")
    assert np.array_equal(outcome.arrays["outs"], outcome.arrays["inps"])
    assert outcome.column("tasks") == [2, 2]


def test_domains_of_some_devices(succeed: Callable):
    """Ranks are counted within the domain; two domains run their collectives independently."""
    text = """\
func.func @chip(%data: D2 {pl.dir = "inout"}, %signal: D21 {pl.dir = "inout"},
    %all: D41 {pl.dir = "inout"}) attributes {pl.func_type = "orchestration"} {
  %c = pld.system.get_comm_ctx %data : D2
  %r = pld.system.rank %c : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %x = arith.addi %r, %one : i32
  %w = pl.tensor.write %x into %data[%c0] : i32, D2
  %b = pld.tensor.broadcast %data, %signal {root = 1 : i64} : D2, D21
  %g = pld.tensor.barrier %all : D41
  func.return
}
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %bytes = arith.constant 16 : index
  pld.comm_domain attributes {name = "whole", slots = ["all"]} {
    %all_buf = pld.tensor.alloc_window_buffer %bytes {name = "all"} : !pld.window_buffer
    %all = pld.tensor.window %all_buf : !pld.window_buffer -> D41
"""
    for name, first, second in (("even", 2, 0), ("odd", 1, 3)):
        text += f"""\
    pld.comm_domain attributes {{name = "{name}", devices = array<i64: {first}, {second}>,
        slots = ["d_{name}", "s_{name}"]}} {{
      %db = pld.tensor.alloc_window_buffer %bytes {{name = "d_{name}"}} : !pld.window_buffer
      %sb = pld.tensor.alloc_window_buffer %bytes {{name = "s_{name}"}} : !pld.window_buffer
      %d = pld.tensor.window %db : !pld.window_buffer -> D2
      %s = pld.tensor.window %sb : !pld.window_buffer -> D21
      %a = arith.constant {first} : index
      %b = arith.constant {second} : index
      pl.call @chip(%d, %s, %all) device(%a) : (D2, D21, D41) -> ()
      pl.call @chip(%d, %s, %all) device(%b) : (D2, D21, D41) -> ()
    }}
"""
    for short, shape in (("D21", "2x1x"), ("D41", "4x1x"), ("D2", "2x")):
        text = text.replace(short, f"!pld.dist_tensor<tensor<{shape}i32>>")
    outcome = succeed(text + "  }\n  func.return\n}\n", "--ranks", "4")
    for name in ("even", "odd"):
        assert outcome.arrays[f"window.d_{name}"].tolist() == [[2, 0], [2, 0]]


def test_polling_a_cell_makes_progress(succeed: Callable, program: Callable):
    """A loop that reads a cell until a peer has written it lets the peer run."""
    functions = f"""\
func.func @poll(%signal: {D_SIGNAL} {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ctx = pld.system.get_comm_ctx %signal : {D_SIGNAL}
  %me = pld.system.rank %ctx : i32
  %first = arith.cmpi eq, %me, %zero : i32
  scf.if %first {{
    %k = scf.while (%carried = %zero) : (i32) -> i32 {{
      %x = pl.tensor.read %signal[%c0, 0] : {D_SIGNAL} -> i32
      %more = arith.cmpi eq, %x, %zero : i32
      scf.condition(%more) %carried : i32
    }} do {{
    ^bb0(%same: i32):
      scf.yield %same : i32
    }}
  }} else {{
    pld.system.notify %signal[0, 0] peer(%zero) value(%one) {{op = "set"}}
      : {D_SIGNAL}, i32, i32
  }}
  func.return
}}
"""
    body = f"  pl.call @poll(%signal) : ({D_SIGNAL}) -> ()"
    text = program(2, {}, {"signal": SIGNAL}, body, functions=functions).text()
    succeed(text, "--ranks", "2", "--max-steps", "100000")
