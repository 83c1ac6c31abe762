"""
What goes wrong in a program: an error in compiler form with its place, and never a traceback.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.tools import run

DATA, SIGNAL = "tensor<2x4xi32>", "tensor<2x1xi32>"
D_DATA, D_SIGNAL = f"!pld.dist_tensor<{DATA}>", f"!pld.dist_tensor<{SIGNAL}>"
PLACE = re.compile(r"^program\.mlir:\d+:\d+: error: ", re.MULTILINE)

CONSTANTS = """\
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %minus = arith.constant -1 : index
  %far = arith.constant 5 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i40 = arith.constant 40 : i32
  %x = arith.constant 3.5 : f32
"""

# What stands in the pipeline, and what is said of it. The first line is the one at fault.
CHIP_ERRORS = {
    "slice": (
        f"%s = pl.tensor.slice %inp[%far, 0] [1, 4] : {DATA} -> tensor<1x4xi32>",
        "offset 5 and size 1 leave the source in dimension 0, whose extent is 2",
    ),
    "negative offset": (
        f"%s = pl.tensor.read %inp[%minus, 0] : {DATA} -> i32",
        "offset -1 and size 1 leave the source in dimension 0, whose extent is 2",
    ),
    "write": (
        f"%s = pl.tensor.write %i1 into %inp[0, %far] : i32, {DATA}",
        "offset 5 and size 1 leave the destination in dimension 1, whose extent is 4",
    ),
    "size": (
        f"%s = pl.tensor.slice %inp[0, 0] [%minus, 4] : {DATA} -> tensor<?x4xi32>",
        "offset 0 and size -1 leave the source in dimension 0, whose extent is 2",
    ),
    "load": (
        f"%s = pl.tile.load %inp[%far, 0] [1, 4] : {DATA} -> !pl.tile<tensor<1x4xi32>>",
        "offset 5 and size 1 leave the source",
    ),
    "assemble": (
        f"%s = pl.tensor.assemble %inp into %inp[%one, 0] : {DATA}, {DATA}",
        "offset 1 and size 2 leave the destination in dimension 0",
    ),
    "step 0": ("scf.for %i = %zero to %far step %zero {\n  }", "must be positive, not 0"),
    "step -1": ("scf.for %i = %far to %zero step %minus {\n  }", "must be positive, not -1"),
    "divsi": ("%s = arith.divsi %i1, %i0 : i32", "division of 1 by zero"),
    "remsi": ("%s = arith.remsi %i1, %i0 : i32", "division of 1 by zero"),
    "divui": ("%s = arith.divui %far, %zero : index", "division of 5 by zero"),
    "shift": ("%s = arith.shli %i1, %i40 : i32", "shift of 32 bits by 40"),
    "fptosi": (
        "%big = arith.constant 1.0e20 : f32\n  %s = arith.fptosi %big : f32 to i32",
        "is no number of type i32",
    ),
    "peer": (
        f"pld.tensor.put %inp[0, 0] into %data[0, 0] [2, 4] peer(%i2) : {DATA}, {D_DATA}",
        "peer 2 is out of range: domain 'world' has 2 ranks",
    ),
    "negative peer": (
        f"pld.tensor.get %data[0, 0] into %inp[0, 0] [2, 4] peer(%im) : {D_DATA}, {DATA}",
        "peer -1 is out of range: domain 'world' has 2 ranks",
    ),
    "remote box": (
        f"%s = pld.tile.remote_load %data[%far, 0] [1, 4] peer(%i1) : {D_DATA} -> "
        "!pl.tile<tensor<1x4xi32>>",
        "offset 5 and size 1 leave the source",
    ),
    "remote store": (
        f"%t = pl.tile.load %inp[0, 0] [1, 4] : {DATA} -> !pl.tile<tensor<1x4xi32>>\n"
        f"  pld.tile.remote_store %t into %data[%far, 0] peer(%i1) : !pl.tile<tensor<1x4xi32>>, "
        f"{D_DATA}",
        "offset 5 and size 1 leave the destination",
    ),
    "cell": (
        f'pld.system.notify %signal[%far, 0] peer(%i1) value(%i1) {{op = "set"}} : {D_SIGNAL}, '
        "i32, i32",
        "offset 5 and size 1 leave the signal",
    ),
    "declared": (
        f"pl.call @declared(%inp) : ({DATA}) -> ()",
        "@declared is declared only: pld-run needs its body to run it",
    ),
    "recursion": (
        f"pl.call @again(%inp) : ({DATA}) -> ()",
        "calls nest deeper than 50: @again is called once more",
    ),
    "blocks": (
        f"pl.call @nothing(%inp) core_num(%less) : ({DATA}) -> ()",
        "core_num is out of range [1, 2147483647]: -4",
    ),
    "reshape": (
        f"%s = pl.tensor.transpose %inp {{axes = array<i64: 1, 0>}} : {DATA} -> tensor<4x2xi32>\n"
        "  %r = pl.tensor.reshape %s : tensor<4x2xi32> -> tensor<8xi32>",
        "is not contiguous: [8] would be a copy, not a view",
    ),
    "extent": (
        f"%s = pl.tensor.slice %inp[0, 0] [%one, 4] : {DATA} -> tensor<?x4xi32>\n"
        "  pl.call @nothing(%s) : (tensor<?x4xi32>) -> ()",
        "argument 0 of @nothing is [1, 4], its type says tensor<2x4xi32>",
    ),
    "unknown op": ("%s = math.fma %x, %x, %x : f32", "does not know what 'math.fma' does"),
    "element type": ("%s = pl.tensor.create : tensor<4xbf16>", "pld-run has no arrays of bf16"),
    "huge": (
        "%s = pl.tensor.create : tensor<4294967296x4xf32>",
        "are more than pld-run allocates",
    ),
    "loop": (
        "%t = arith.constant true\n"
        "  %s = scf.while (%c = %i0) : (i32) -> i32 {\n    scf.condition(%t) %c : i32\n  } do {\n"
        "  ^bb0(%a: i32):\n    scf.yield %a : i32\n  }",
        "gave up after 3000 operations of rank 0 (--max-steps)",
    ),
    "contiguity": (
        "%n = pl.tensor.create : tensor<4x2xi32>\n"
        "  %s = pl.tensor.transpose %n {axes = array<i64: 1, 0>} : tensor<4x2xi32> -> "
        f"{DATA}\n"
        f"  %d = pld.tensor.all_to_all %s, %data, %signal : {DATA}, {D_DATA}, {D_SIGNAL}",
        "input is not contiguous",
    ),
    "used signal": (
        f'pld.system.notify %signal[1, 0] peer(%i1) value(%i1) {{op = "set"}} : {D_SIGNAL}, i32, '
        f"i32\n  %g = pld.tensor.barrier %signal : {D_SIGNAL}",
        "signal cell [1, 0] of rank 1 is 1 before the barrier",
    ),
    "root": (
        f"%d = pld.tensor.broadcast %data, %signal {{root = 2 : i64}} : {D_DATA}, {D_SIGNAL}",
        "root 2 is out of range: there are 2 ranks",
    ),
    "blocks of a rank": (
        f"%d = pld.tensor.allgather %inp, %data, %signal : {DATA}, {D_DATA}, {D_SIGNAL}",
        "target [2, 4] has 8 elements, 16 are needed",
    ),
}

FUNCTIONS = f"""\
func.func private @declared({DATA}) attributes {{pl.func_type = "incore"}}
func.func @nothing(%inp: {DATA}) attributes {{pl.func_type = "incore"}} {{
  func.return
}}
func.func @again(%inp: {DATA}) attributes {{pl.func_type = "incore"}} {{
  pl.call @again(%inp) : ({DATA}) -> ()
  func.return
}}
"""


@pytest.mark.parametrize("name", CHIP_ERRORS)
def test_errors_in_a_pipeline(run_text: Callable, program: Callable, name: str):
    fault, message = CHIP_ERRORS[name]
    body = (
        CONSTANTS
        + "  %im = arith.constant -1 : i32\n  %four = arith.constant 4 : index\n"
        + "  %less = arith.subi %zero, %four : index\n  "
        + fault
    )
    text = program(2, {"inp": DATA}, {"data": DATA, "signal": SIGNAL}, body, FUNCTIONS).text()
    outcome = run_text(text, "--ranks", "2", "--max-steps", "3000")
    assert outcome.status == 1
    assert message in outcome.err
    assert PLACE.match(outcome.err)
    assert "Traceback" not in outcome.err
    assert not outcome.arrays
    if name not in ("recursion", "loop"):
        line = outcome.err.splitlines()[1].strip()
        assert line in fault, "the line at fault is shown"
    assert "comes here by this call" in outcome.err


HOST_ERRORS = {
    "a device too many": (
        "%three = arith.constant 3 : index\n"
        f"  pl.call @chip(%data) device(%three) : ({D_DATA}) -> ()",
        "device 3 is out of range: there are 2 (--ranks)",
    ),
    "no device": (f"pl.call @chip(%data) : ({D_DATA}) -> ()", "write the call with device(...)"),
    "window memory": (
        f"%v = pl.tensor.read %data[0, 0] : {D_DATA} -> i32",
        "window 'data' has memory on the devices",
    ),
    "rank of the host": (
        f"%c = pld.system.get_comm_ctx %data : {D_DATA}\n  %r = pld.system.rank %c : i32",
        "a context has a rank on a device, not in the host body",
    ),
    "small buffer": (
        "%w = pld.tensor.window %data_buffer : !pld.window_buffer -> "
        "!pld.dist_tensor<tensor<3x4xi32>>",
        "a window of 48 bytes does not fit its buffer of 32",
    ),
    "no bytes": (
        "%none = arith.subi %c0, %c1 : index\n  %b = pld.tensor.alloc_window_buffer %none "
        '{name = "none"} : !pld.window_buffer',
        "a window buffer has a positive size, not -1 bytes",
    ),
    "domain": (
        'pld.comm_domain attributes {name = "d", devices = array<i64: 0, 7>, slots = []} {\n'
        "    %unused = arith.constant 0 : index\n  }",
        "domain 'd' has device 7, but there are 2 (--ranks)",
    ),
    "no window": (
        "%plain = pl.tensor.create : tensor<2x4xi32>\n"
        f"  %d = pld.tensor.all_to_all %plain, %data, %signal : {DATA}, {D_DATA}, {D_SIGNAL}",
        "input must be a window on the host rail",
    ),
    "result": (
        f"%made = pl.call @maker() device(%c0) : () -> {DATA}\n"
        f"  %v = pl.tensor.read %made[0, 0] : {DATA} -> i32",
        "result 0 of this dispatch is used, but @maker does not return one of its parameters",
    ),
}

HOST_FUNCTIONS = f"""\
func.func @chip(%data: {D_DATA}) attributes {{pl.func_type = "orchestration"}} {{
  func.return
}}
func.func @maker() -> {DATA} attributes {{pl.func_type = "orchestration"}} {{
  %made = pl.tensor.create : {DATA}
  func.return %made : {DATA}
}}
"""


@pytest.mark.parametrize("name", HOST_ERRORS)
def test_errors_in_a_host_body(run_text: Callable, program: Callable, name: str):
    fault, message = HOST_ERRORS[name]
    windows = {"data": DATA, "signal": SIGNAL}
    text = program(2, {}, windows, "", HOST_FUNCTIONS, host_steps=f"  {fault}").text()
    outcome = run_text(text, "--ranks", "2")
    assert outcome.status == 1
    assert message in outcome.err
    assert PLACE.match(outcome.err)
    assert outcome.err.splitlines()[1].strip() in fault


# Ranks that do not meet.


def branch(on_first: str, otherwise: str) -> str:
    return f"""\
{CONSTANTS}
  %c = pld.system.get_comm_ctx %signal : {D_SIGNAL}
  %me = pld.system.rank %c : i32
  %first = arith.cmpi eq, %me, %i0 : i32
  scf.if %first {{
    {on_first}
  }} else {{
    {otherwise}
  }}"""


BARRIER = f"%g = pld.tensor.barrier %signal : {D_SIGNAL}"
WAIT = f'pld.system.wait %signal[1, 0] expected(%i1) {{cmp = "ge"}} : {D_SIGNAL}, i32'


def test_a_rank_that_does_not_come(run_text: Callable, program: Callable):
    text = program(2, {}, {"signal": SIGNAL}, branch(BARRIER, "")).text()
    outcome = run_text(text)
    line = text.splitlines().index(f"    {BARRIER}") + 1
    assert outcome.status == 1
    assert outcome.err.startswith(f"program.mlir:{line}:5: error: deadlock: ")
    assert (
        f"program.mlir:{line}:5: note: rank 0 waits for rank 1 of 'world' to come to barrier on "
        "window 'signal'"
    ) in outcome.err
    assert "note: rank 1 waits for a further dispatch" in outcome.err


def test_a_wait_that_never_ends(run_text: Callable, program: Callable):
    text = program(2, {}, {"signal": SIGNAL}, branch(WAIT, BARRIER)).text()
    outcome = run_text(text)
    assert outcome.status == 1
    assert (
        "note: rank 0 waits for cell [1, 0] of its window 'signal' to be >= 1; it is 0, and its "
        "row is rank 1's to notify" in outcome.err
    )
    assert "note: rank 1 waits for rank 0 of 'world' to come to barrier" in outcome.err


def test_a_wait_of_all_ranks(run_text: Callable, program: Callable):
    text = program(2, {}, {"signal": SIGNAL}, f"{CONSTANTS}  {WAIT}").text()
    outcome = run_text(text, "--ranks", "2")
    for rank in range(2):
        assert f"note: rank {rank} waits for cell [1, 0]" in outcome.err


def test_ranks_that_meet_in_different_collectives(run_text: Callable, program: Callable):
    windows = {"data": DATA, "signal": SIGNAL}
    broadcast = f"%d = pld.tensor.broadcast %data, %signal : {D_DATA}, {D_SIGNAL}"
    text = program(2, {}, windows, branch(BARRIER, broadcast)).text()
    outcome = run_text(text)
    assert outcome.status == 1
    assert "rank 0 and rank 1 meet on one signal with barrier and broadcast" in outcome.err
    assert "note: rank 0 is here" in outcome.err


def test_dispatches_that_write_one_host_tensor_do_not_meet(run_text: Callable, program: Callable):
    """The task graph orders them, so a collective inside never completes."""
    functions = f"""\
func.func @pipe(%shared: {DATA} {{pl.dir = "inout"}}, %signal: {D_SIGNAL})
    attributes {{pl.func_type = "orchestration"}} {{
  {BARRIER}
  func.return
}}
"""
    steps = f"""\
  %shared = pl.tensor.create : {DATA}
  scf.for %r = %c0 to %all step %c1 {{
    pl.call @pipe(%shared, %signal) device(%r) : ({DATA}, {D_SIGNAL}) -> ()
  }}"""
    text = program(2, {}, {"signal": SIGNAL}, "", functions, host_steps=steps).text()
    outcome = run_text(text)
    assert outcome.status == 1
    assert "rank 1 waits for an earlier dispatch to another device, of pipe" in outcome.err


def test_a_kernel_template_without_meaning(run_text: Callable, program: Callable):
    functions = f"""\
func.func @other(%x: {DATA})
    attributes {{pl.func_type = "aiv", pl.builtin_template_dir = ":my.kernels.other"}} {{
  func.return
}}
"""
    body = f"  pl.call @other(%inp) : ({DATA}) -> ()"
    outcome = run_text(program(2, {"inp": DATA}, {}, body, functions).text(), "--ranks", "2")
    assert "is the kernel ':my.kernels.other', which pld-run does not know" in outcome.err


# The program as a whole, and the command line.


def test_the_number_of_ranks(run_text: Callable, program: Callable):
    text = program(2, {}, {"signal": SIGNAL}, f"  {BARRIER}").text()
    line = text.splitlines().index(f"  {BARRIER}") + 1
    outcome = run_text(text, "--ranks", "3")
    assert outcome.status == 1
    assert outcome.err.startswith(
        f"program.mlir:{line}:3: error: --ranks is 3, but signal [2, 1] states 2 ranks\n"
    )
    assert run_text(text).status == 0
    silent = run_text(program(2, {}, {}, "").text())
    assert "no signal states how many ranks there are: say so with --ranks" in silent.err


def test_signals_that_state_different_numbers(run_text: Callable, program: Callable):
    windows = {"signal": SIGNAL, "other": "tensor<3x1xi32>"}
    body = f"  {BARRIER}\n  %h = pld.tensor.barrier %other : !pld.dist_tensor<tensor<3x1xi32>>"
    outcome = run_text(program(2, {}, windows, body).text())
    assert "signal [3, 1] states 3 ranks, an earlier one [2, 1] states 2" in outcome.err
    assert "note: the earlier one" in outcome.err


HOSTS = "".join(
    f'func.func @{name}() attributes {{pl.level = "host", pl.role = "orchestrator"}} {{\n'
    "  func.return\n}\n"
    for name in ("one", "two")
)


def test_which_host(run_text: Callable):
    assert "several host functions, one, two: choose one with --host" in run_text(HOSTS).err
    assert run_text(HOSTS, "--host", "two", "--ranks", "1").status == 0
    wrong = run_text(HOSTS, "--host", "three", "--ranks", "1")
    assert "no host function 'three'; the host functions are one, two" in wrong.err
    none = run_text("func.func @f() {\n  func.return\n}\n", "--ranks", "1")
    assert (none.status, none.err.split("\n")[0]) == (
        1,
        "program.mlir:1:1: error: the program has no host function to run",
    )


def test_inputs_that_do_not_fit(run_text: Callable, program: Callable):
    text = program(2, {"inp": DATA}, {}, "").text()
    for inputs, message in (
        ({"wrong": np.zeros(1)}, "'wrong' is no parameter of the host function"),
        ({"inps": np.zeros((2, 4))}, "'inps' is [2, 4] of float64, the parameter is [2, 2, 4]"),
        ({"inps": np.zeros((2, 2, 4), np.int64)}, "of int64, the parameter is [2, 2, 4] of int32"),
    ):
        outcome = run_text(text, "--ranks", "2", inputs=inputs)
        assert outcome.status == 1
        assert message in outcome.err
        assert PLACE.match(outcome.err)


def test_parameters_that_need_a_value(run_text: Callable):
    text = """\
func.func @host(%n: index, %x: tensor<?xf32>)
    attributes {pl.level = "host", pl.role = "orchestrator"} {
  func.return
}
"""
    outcome = run_text(text, "--ranks", "1")
    assert "parameter 'n' of type index needs a value: give one in --inputs" in outcome.err
    assert "parameter 'x' of type tensor<?xf32> has no shape" in outcome.err
    given = {"n": np.array(3), "x": np.ones(5, np.float32)}
    assert run_text(text, "--ranks", "1", inputs=given).arrays["x"].tolist() == [1.0] * 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ranks", "0"], "argument --ranks: 0 is out of range [1, 64]"),
        (["--ranks", "many"], "argument --ranks: 'many' is no number"),
        (["--engine", "card"], "argument --engine: invalid choice: 'card'"),
        (["-p", "no-such-pass"], "argument -p/--passes: unknown pass 'no-such-pass'"),
        (["--max-steps", "0"], "argument --max-steps: 0 is out of range"),
        (["-f", "cobol"], "argument -f/--frontend: "),
        (["--what"], "unrecognized arguments: --what"),
    ],
)
def test_a_wrong_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], message: str
):
    program = tmp_path / "program.mlir"
    program.write_text(HOSTS)
    assert run.main([str(program), *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("usage: pld-run ")
    assert f"pld-run: error: {message}" in error


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--inputs", "nowhere.npz"], "cannot read 'nowhere.npz': No such file or directory"),
        (["--save", "no/such/folder.npz"], "cannot write 'no/such/folder.npz'"),
        (["--trace", "no/such/folder.json"], "cannot write 'no/such/folder.json'"),
        (["--compare", "nowhere.npz"], "cannot read 'nowhere.npz'"),
        (["--inputs", __file__], "cannot read"),
    ],
)
def test_files_that_are_not_there(run_text: Callable, options: list[str], message: str):
    outcome = run_text(HOSTS, "--ranks", "1", "--host", "one", *options)
    assert outcome.status == 1
    assert outcome.err.startswith(f"error: {message}")


def test_a_text_that_does_not_parse_or_verify(run_text: Callable):
    assert run_text("func.func @").err.startswith("program.mlir:1:")
    wrong = HOSTS.replace('"host"', '"hosst"')
    outcome = run_text(wrong, "--ranks", "1")
    assert outcome.status == 1
    assert "program.mlir:1:1: error: pl.level must be one of" in outcome.err


def test_a_collective_of_the_host_body_is_the_place(run_text: Callable):
    text = """\
func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
  %bytes = arith.constant 8 : index
  %data_buf = pld.tensor.alloc_window_buffer %bytes {name = "data"} : !pld.window_buffer
  %signal_buf = pld.tensor.alloc_window_buffer %bytes {name = "signal"} : !pld.window_buffer
  %data = pld.tensor.window %data_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %signal = pld.tensor.window %signal_buf : !pld.window_buffer -> !pld.dist_tensor<tensor<2x1xi32>>
  %d = pld.tensor.broadcast %data, %signal {root = 5 : i64}
         : !pld.dist_tensor<tensor<2x1xi32>>, !pld.dist_tensor<tensor<2x1xi32>>
  func.return
}
"""
    outcome = run_text(text)
    assert outcome.status == 1
    assert outcome.err.startswith(
        "program.mlir:7:3: error: root 5 is out of range: there are 2 ranks\n"
    )
    assert "comes here by this call" not in outcome.err
