"""
Memory effects: what upstream's clean-up passes may do to our ops.

`normalize-return-order` leaves results of writing ops unused, so only effects keep the ops. Each op
stands twice, with equal operands and unused results, in a loop; then upstream's passes run.
"""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.transforms.loop_invariant_code_motion import LoopInvariantCodeMotionPass

from xdsl_pld.dialects.pl import PL
from xdsl_pld.dialects.pld import PLD

T, D, S = (
    "tensor<8x64xf32>",
    "!pld.dist_tensor<tensor<8x64xf32>>",
    "!pld.dist_tensor<tensor<2x4xi32>>",
)
C, K = "!pld.dist_tensor<tensor<2x1xi32>>", "!pl.tile<tensor<1x64xf32>>"

KEPT = [
    f"pl.call @kernel(%t) : ({T}) -> ()",
    "%x = pl.submit @spmd() : () -> !pl.task_id",
    "%x = pl.task_dummy",
    f"%x = pl.tensor.assemble %t into %u[0, 0] : {T}, {T}",
    f"%x = pl.tensor.write %v into %t[0, 0] : f32, {T}",
    f"%x = pl.tile.store %k into %t[0, 0] : {K}, {T}",
    f"%x = pld.tensor.all_to_all_v %t, %d, %s, %c, %r : {T}, {D}, {S}, {C}, {C}",
    "%x = pld.tensor.indexed_all_to_all_v %t, %d, %s, %c, %r, %x8 core_num(%n)"
    f" : {T}, {D}, {S}, {C}, {C}, tensor<8xi32>",
    f"%x = pld.tensor.all_to_all %t, %d, %s : {T}, {D}, {S}",
    f"%x = pld.tensor.allgather %t, %d, %s : {T}, {D}, {S}",
    f'%x = pld.tensor.allreduce %d, %s {{op = "sum"}} : {D}, {S}',
    f'%x = pld.tensor.reduce_scatter %d, %s {{op = "sum"}} : {D}, {S}',
    f"%x = pld.tensor.broadcast %d, %s : {D}, {S}",
    f"%x = pld.tensor.barrier %s : {S}",
    f"pld.tensor.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : {T}, {D}",
    f"pld.tile.put %t[0, 0] into %d[0, 0] [4, 64] peer(%p) : {T}, {D}",
    f"pld.tensor.get %d[0, 0] into %t[0, 0] [4, 64] peer(%p) : {D}, {T}",
    f"pld.tile.get %d[0, 0] into %t[0, 0] [4, 64] peer(%p) : {D}, {T}",
    f"pld.tile.remote_store %k into %d[0, 0] peer(%p) : {K}, {D}",
    f'pld.system.notify %s[0, 0] peer(%p) value(%p) {{op = "set"}} : {S}, i32, i32',
    f'pld.system.wait %s[0, 0] expected(%p) {{cmp = "ge"}} : {S}, i32',
    f"pld.builtin.all_to_all_v %t, %d, %s, %c, %r device(%n) : ({T}, {D}, {S}, {C}, {C})",
    f"pld.builtin.all_to_all %t, %d, %s device(%n) : ({T}, {D}, {S})",
    f"pld.builtin.allgather %t, %d, %s device(%n) : ({T}, {D}, {S})",
    f'pld.builtin.allreduce %d, %s device(%n) {{op = "sum"}} : ({D}, {S})',
    f'pld.builtin.reduce_scatter %d, %s device(%n) {{op = "sum"}} : ({D}, {S})',
    f"pld.builtin.broadcast %d, %s device(%n) : ({D}, {S})",
    f"pld.builtin.barrier %s device(%n) : ({S})",
    '%x = pld.tensor.alloc_window_buffer %n {name = "NAME"} : !pld.window_buffer',
    'pld.comm_domain attributes {name = "d", slots = []} {\n pld.yield\n }',
]
"""Never lost, merged or moved."""

READS = [
    f"%x = pl.tensor.read %t[0, 0] : {T} -> f32",
    f"%x = pl.tile.load %t[0, 0] [1, 64] : {T} -> {K}",
    f"%x = pld.tile.remote_load %d[0, 0] [1, 64] peer(%p) : {D} -> {K}",
]
ALLOCATES = [f"%x = pl.tensor.create : {T}"]
PURE = [
    f"%x = pl.tensor.slice %t[0, 0] [4, 64] : {T} -> tensor<4x64xf32>",
    f"%x = pl.tensor.view %t : {T} -> tensor<512xf32>",
    f"%x = pl.tensor.reshape %t : {T} -> tensor<512xf32>",
    f"%x = pl.tensor.set_validshape %t : {T} -> {T}",
    f"%x = pl.tensor.transpose %t {{axes = array<i64: 1, 0>}} : {T} -> tensor<64x8xf32>",
    f"%x = pl.tile.slice %k[0, 0] [1, 32] : {K} -> !pl.tile<tensor<1x32xf32>>",
    f"%x = pl.tensor.dim %d {{axis = 0 : i64}} : {D}",
    *(f"%x = pl.tile.{op} %k, %k : {K}, {K}" for op in ("add", "sub", "mul", "div", "max", "min")),
    f"%x = pl.tile.cast %k : {K} -> !pl.tile<tensor<1x64xf16>>",
    f"%x = pl.tile.full %v : f32 -> {K}",
    f"%x = pl.tile.row_sum %k : {K} -> !pl.tile<tensor<1x1xf32>>",
    f"%x = pl.tile.reshape %k : {K} -> !pl.tile<tensor<8x8xf32>>",
    "%x = pl.tile.block_idx : index",
    "%x = pl.tile.block_num : index",
    f"%x = pld.tensor.window %b : !pld.window_buffer -> {D}",
    f"%x = pld.system.get_comm_ctx %d : {D}",
    "%x = pld.system.rank %ctx : i32",
    "%x = pld.system.nranks %ctx : i32",
    "%x = pld.system.world_size : index",
]
NOT_ALONE = {"pld.yield"}


def name_of(line: str) -> str:
    found = re.match(r"(?:%x = )?([\w.]+)", line)
    assert found is not None
    return found.group(1)


def result_type(line: str) -> str:
    if "get_comm_ctx" in line:
        return "!pld.comm_ctx"
    if "pl.tensor.dim" in line:
        return "index"
    if any(f"pl.tile.{op} " in line for op in ("add", "sub", "mul", "div", "max", "min")):
        return K
    return line.rsplit("-> ")[-1].rsplit(" : ")[-1]


def program(lines: list[str], *, used: bool = False) -> str:
    """Each line twice in a loop; `used` keeps both results."""
    body: list[str] = []
    for number, line in enumerate([line for line in lines for _ in range(2)]):
        text = line.replace("%x =", f"%x{number}_r =").replace("NAME", f"buffer{number}")
        body.append(text)
        if used:
            body.append(f'"test.op"(%x{number}_r) : ({result_type(line)}) -> ()')
    return f"""
func.func private @kernel({T}) -> () attributes {{pl.func_type = "incore"}}
func.func private @spmd() -> () attributes {{pl.func_type = "spmd"}}
func.func @host(%t: {T}, %u: {T}, %d: {D}, %s: {S}, %c: {C}, %r: {C}, %x8: tensor<8xi32>,
    %k: {K}, %b: !pld.window_buffer, %ctx: !pld.comm_ctx, %n: index, %hi: index, %p: i32, %v: f32)
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  scf.for %i = %n to %hi step %n {{
    {chr(10).join(body)}
  }}
  func.return
}}"""


def clean_up(module, context) -> None:
    for pass_ in (
        CanonicalizePass(),
        CommonSubexpressionElimination(),
        LoopInvariantCodeMotionPass(),
        DeadCodeElimination(),
        CanonicalizePass(),
    ):
        pass_.apply(context, module)
    module.verify()


def in_loop(module) -> list[str]:
    """The names of our ops inside the loop, in order."""
    return [
        op.name
        for op in module.walk()
        if op.name.startswith(("pl.", "pld.")) and op.parent_op().name == "scf.for"
    ]


def everywhere(module) -> Counter[str]:
    return Counter(op.name for op in module.walk() if op.name.startswith(("pl.", "pld.")))


def heir_opt(text: str, *passes: str) -> str:
    """Upstream's passes, as LLVM runs them, on the generic form."""
    tool = shutil.which("heir-opt", path=str(Path(sys.executable).parent)) or shutil.which(
        "heir-opt"
    )
    if tool is None:
        pytest.skip("heir-opt is not installed (test extra heir-py)")
    done = subprocess.run(
        [tool, "--allow-unregistered-dialect", "--mlir-print-op-generic", *passes],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_op_is_in_one_of_the_lists():
    listed = [name_of(line) for line in KEPT + READS + ALLOCATES + PURE]
    assert len(listed) == len(set(listed))
    assert set(listed) | NOT_ALONE == {op.name for op in (*PL.operations, *PLD.operations)}


@pytest.mark.parametrize("line", KEPT, ids=name_of)
def test_effects_keep_both_copies_in_place(line, parse, context):
    module = parse(program([line]))
    clean_up(module, context)
    assert in_loop(module) == [name_of(line)] * 2


def test_all_of_them_keep_their_order(parse, context):
    module = parse(program(KEPT))
    before = in_loop(module)
    clean_up(module, context)
    assert in_loop(module) == before


@pytest.mark.parametrize("line", READS + ALLOCATES + PURE, ids=name_of)
def test_what_has_no_effect_goes_when_unused(line, parse, context):
    module = parse(program([line]))
    clean_up(module, context)
    assert everywhere(module)[name_of(line)] == 0


@pytest.mark.parametrize("line", PURE[:-1], ids=name_of)
def test_equal_pure_ops_become_one_before_the_loop(line, parse, context):
    module = parse(program([line], used=True))
    clean_up(module, context)
    assert everywhere(module)[name_of(line)] == 1
    assert in_loop(module) == []


def test_two_tensors_are_never_one(parse, context):
    module = parse(program(ALLOCATES, used=True))
    clean_up(module, context)
    assert in_loop(module) == ["pl.tensor.create"] * 2


def test_reads_stay_on_their_side_of_a_wait(parse, context):
    wait = next(line for line in KEPT if "system.wait" in line)
    for read in READS:
        module = parse(program([read, wait, read], used=False))
        text = program([read], used=True)
        first, second = [line for line in text.splitlines() if name_of(read) in line]
        uses = [line for line in text.splitlines() if "test.op" in line]
        ordered = text.replace(
            "\n".join([first, uses[0], second, uses[1]]),
            "\n".join([first, uses[0], wait, second, uses[1]]),
        )
        module = parse(ordered)
        clean_up(module, context)
        assert in_loop(module) == [name_of(read), "pld.system.wait", name_of(read)]


LLVM_PASSES = ("-canonicalize", "-cse", "-loop-invariant-code-motion")
DOMAIN = KEPT[-1]


@pytest.mark.parametrize("symbol_dce", [False, True])
def test_llvm_keeps_all_of_them_too(symbol_dce, parse, show):
    """To LLVM our ops are unregistered: nothing may go, be merged or move, pure ones included."""
    lines = KEPT + READS + ALLOCATES + PURE
    passes = LLVM_PASSES
    if symbol_dce:
        # It refuses a module with a region op that it does not know, and sees a callee only in an
        # attribute, not in a property of an op that it does not know.
        lines = [line for line in lines if line is not DOMAIN]
        passes = (*passes, "-symbol-dce")
    module = parse(program(lines))
    # Verified: the functions that are called are still there, declared as they were.
    text = show(module, generic=True, properties_as_attributes=symbol_dce)
    after = parse(heir_opt(text, *passes))
    assert everywhere(after) == everywhere(module)
    assert in_loop(after) == in_loop(module)
