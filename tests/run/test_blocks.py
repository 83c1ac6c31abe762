"""
Launches of several blocks: each runs the body with an index of its own, all at once or in turn.
"""

from collections.abc import Callable

import pytest

OUT = "tensor<8x2xindex>"
CELLS = "tensor<2x4xi32>"
D_CELLS = f"!pld.dist_tensor<{CELLS}>"
CONSTANTS = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %many = arith.constant 5000 : index
"""
NOTES = f"""\
func.func @note(%out: {OUT} {{pl.dir = "inout"}}) -> {OUT}
    attributes {{pl.func_type = "incore"}} {{
  %b = pl.tile.block_idx : index
  %n = pl.tile.block_num : index
  %u = pl.tensor.write %b into %out[%b, 0] : index, {OUT}
  %v = pl.tensor.write %n into %out[%b, 1] : index, {OUT}
  func.return %v : {OUT}
}}
func.func @wrapper(%out: {OUT} {{pl.dir = "inout"}}) -> {OUT}
    attributes {{pl.func_type = "spmd"}} {{
  %r = pl.call @note(%out) : ({OUT}) -> {OUT}
  func.return %r : {OUT}
}}
"""
LAUNCHES = {
    "one": (f"pl.call @note(%out) : ({OUT}) -> {OUT}", 1),
    "a call": (f"pl.call @note(%out) core_num(%four) : ({OUT}) -> {OUT}", 4),
    "at once": (f"pl.call @note(%out) core_num(%four) sync_start : ({OUT}) -> {OUT}", 4),
    "a wrapper": (f"pl.call @wrapper(%out) core_num(%four) sync_start : ({OUT}) -> {OUT}", 4),
}


@pytest.mark.parametrize("name", LAUNCHES)
def test_each_block_has_its_index(succeed: Callable, program: Callable, name: str):
    launch, blocks = LAUNCHES[name]
    text = program(2, {"out": OUT}, {}, f"{CONSTANTS}  %r = {launch}", NOTES).text()
    outcome = succeed(text, "--ranks", "2")
    for rank in range(2):
        got = outcome.arrays["outs"][rank][:blocks].tolist()
        assert got == [[block, blocks] for block in range(blocks)]
    assert outcome.column("tasks") == [1, 1]


@pytest.mark.parametrize("options", ["core_num(%two)", "core_num(%two) sync_start"])
def test_a_submit_launches_blocks_too(succeed: Callable, program: Callable, options: str):
    body = (
        f"{CONSTANTS}  %r, %t = pl.submit @note(%out) {options} : ({OUT}) -> ({OUT}, !pl.task_id)\n"
        f"  %s, %u = pl.submit @note(%r) deps(%t) : ({OUT}) -> ({OUT}, !pl.task_id)"
    )
    outcome = succeed(program(1, {"out": OUT}, {}, body, NOTES).text(), "--ranks", "1")
    # The second launch has one block, which overwrites what block 0 of the first wrote.
    assert outcome.arrays["outs"][0][:2].tolist() == [[0, 1], [1, 2]]


def chain(options: str) -> tuple[str, str]:
    """A kernel whose block b waits for block b + 1 of the next rank, and then notifies b - 1."""
    kernel = f"""\
func.func @chain(%signal: {D_CELLS} {{pl.dir = "inout"}}, %out: {OUT} {{pl.dir = "inout"}})
    attributes {{pl.func_type = "incore"}} {{
{CONSTANTS}
  %unit = arith.constant 1 : i32
  %b = pl.tile.block_idx : index
  %n = pl.tile.block_num : index
  %ctx = pld.system.get_comm_ctx %signal : {D_CELLS}
  %me = pld.system.rank %ctx : i32
  %peer = arith.subi %unit, %me : i32
  %next = arith.addi %b, %one : index
  %first = arith.cmpi sgt, %b, %zero : index
  %last = arith.cmpi eq, %next, %n : index
  scf.if %last {{
  }} else {{
    pld.system.wait %signal[0, %b] expected(%unit) {{cmp = "ge"}} : {D_CELLS}, i32
  }}
  scf.if %first {{
    %before = arith.subi %b, %one : index
    pld.system.notify %signal[0, %before] peer(%peer) value(%unit) {{op = "atomic_add"}}
      : {D_CELLS}, i32, i32
  }}
  %w = pl.tensor.write %next into %out[%b, 0] : index, {OUT}
  func.return
}}
"""
    return kernel, (
        f"{CONSTANTS}  pl.call @chain(%signal, %out) core_num(%four) {options} "
        f": ({D_CELLS}, {OUT}) -> ()"
    )


def test_blocks_at_once_may_wait_for_each_other(succeed: Callable, program: Callable):
    kernel, body = chain("sync_start")
    text = program(2, {"out": OUT}, {"signal": CELLS}, body, kernel).text()
    outcome = succeed(text, "--ranks", "2")
    assert outcome.arrays["outs"][:, :4, 0].tolist() == [[1, 2, 3, 4]] * 2
    assert outcome.column("signals") == [3, 3]


def test_without_sync_start_a_later_block_is_not_there(run_text: Callable, program: Callable):
    kernel, body = chain("")
    text = program(2, {"out": OUT}, {"signal": CELLS}, body, kernel).text()
    outcome = run_text(text, "--ranks", "2")
    assert outcome.status == 1
    assert "error: deadlock: every rank waits or has finished" in outcome.err
    assert "rank 0, block 0 of 4 (no sync_start) waits for cell [0, 0]" in outcome.err


WRONG = {
    "a fault in a block": (
        "  %u = pl.tensor.write %b into %out[%b, %b] : index, " + OUT,
        "offset 2 and size 1 leave the destination in dimension 1, whose extent is 2",
        "rank 0, block 2 of 4 comes here by this call",
    ),
    "a launch in a launch": (
        f"  %u = pl.call @note(%out) core_num(%one) : ({OUT}) -> {OUT}",
        "each of the 4 blocks of this launch comes to a launch of @note with a core_num of its own",
        "launch the kernel that holds it with one block",
    ),
    "a collective": (
        f"  %u = pld.tensor.barrier %signal : {D_CELLS}",
        "each of the 4 blocks of this launch comes to the barrier",
        "launch the kernel that holds it with one block",
    ),
    "results": (
        f"  %u = pl.tensor.slice %out[%b, 0] [1, 2] : {OUT} -> tensor<1x2xindex>",
        "result 0 of @kernel differs between block 0 and block 1",
        "a launch of several blocks returns what they share",
    ),
}


@pytest.mark.parametrize("sync_start", ["", "sync_start"])
@pytest.mark.parametrize("name", WRONG)
def test_what_blocks_must_not_do(run_text: Callable, program: Callable, name: str, sync_start: str):
    line, message, more = WRONG[name]
    results, given = ("tensor<1x2xindex>", "%u") if name == "results" else (OUT, "%out")
    kernel = f"""\
func.func @kernel(%signal: {D_CELLS} {{pl.dir = "inout"}}, %out: {OUT} {{pl.dir = "inout"}})
    -> {results} attributes {{pl.func_type = "incore"}} {{
{CONSTANTS}  %b = pl.tile.block_idx : index
{line}
  func.return {given} : {results}
}}
"""
    body = (
        f"{CONSTANTS}  %r = pl.call @kernel(%signal, %out) core_num(%four) {sync_start} "
        f": ({D_CELLS}, {OUT}) -> {results}"
    )
    text = program(2, {"out": OUT}, {"signal": CELLS}, body, NOTES + kernel).text()
    outcome = run_text(text, "--ranks", "2")
    assert outcome.status == 1
    assert message in outcome.err
    assert more in outcome.err
    assert "Traceback" not in outcome.err


def test_more_blocks_at_once_than_any_chip_has(run_text: Callable, program: Callable):
    body = f"{CONSTANTS}  %r = pl.call @note(%out) core_num(%many) sync_start : ({OUT}) -> {OUT}"
    outcome = run_text(program(1, {"out": OUT}, {}, body, NOTES).text(), "--ranks", "1")
    assert outcome.status == 1
    assert "sync_start admits all 5000 blocks at once, pld-run at most 1024" in outcome.err


def test_no_block_runs_in_a_pipeline(run_text: Callable, program: Callable):
    body = "  %b = pl.tile.block_idx : index"
    outcome = run_text(program(1, {"out": OUT}, {}, body).text(), "--ranks", "1")
    assert outcome.status == 1
    assert "no block runs here" in outcome.err


@pytest.mark.parametrize("sync_start", ["", "sync_start"])
def test_the_operations_of_all_blocks_count(run_text: Callable, program: Callable, sync_start: str):
    """--max-steps is a limit for the rank, whatever the number of its blocks."""
    launch = f"  %r = pl.call @note(%out) core_num(%four) {sync_start} : ({OUT}) -> {OUT}\n"
    loop = f"  scf.for %i = %zero to %four step %one {{\n{launch}  }}"
    text = program(1, {"out": OUT}, {}, CONSTANTS + loop, NOTES).text()
    # 4 launches of 4 blocks of 5 operations
    assert run_text(text, "--ranks", "1", "--max-steps", "80").status == 1
    assert run_text(text, "--ranks", "1", "--max-steps", "130").status == 0
