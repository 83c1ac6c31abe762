"""
`check-collective-convergence`: programs whose ranks all come to the same collectives, and such
where some may not.
"""

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_pld.passes.analysis.convergence import Convergence
from xdsl_pld.passes.check_collective_convergence import CheckCollectiveConvergencePass
from xdsl_pld.passes.diagnostics import Finding, FindingsError
from xdsl_pld.universe import UNIVERSE

T, C, B = "tensor<4x8xf32>", "tensor<2x1xi32>", "tensor<8x8xf32>"
D, S, W = (f"!pld.dist_tensor<{t}>" for t in (T, C, B))
CHIP = 'attributes {pl.func_type = "orchestration"}'
KERNEL = 'attributes {pl.func_type = "incore"}'
HOST = 'attributes {pl.level = "host", pl.role = "orchestrator"}'
PARAMETERS = f"%in: {T}, %d: {D}, %s: {S}, %c: {C}, %r: {S}, %w: {W}, %p: {S}, %n: index, %q: i1"
TYPES = f"{T}, {D}, {S}, {C}, {S}, {W}, {S}, index, i1"

PRELUDE = f"""\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %ctx = pld.system.get_comm_ctx %s : {S}
"""
RANK = """\
  %me = pld.system.rank %ctx : i32
  %mine = arith.index_cast %me : i32 to index
  %first = arith.cmpi eq, %me, %z : i32
"""
BARRIER = f"%g = pld.tensor.barrier %s : {S}"
OTHER = f"%g = pld.tensor.barrier %p : {S}"


def exchange(d: str = "%d", s: str = "%s", r: str = "%r", i: str = "%in", c: str = "%c") -> str:
    types = f"{T}, {D}, {S}, {C}, {S}"
    return f"%h = pld.tensor.all_to_all_v {i}, {d}, {s}, {c}, {r} : {types}"


def chip(body: str, name: str = "chip", kind: str = CHIP) -> str:
    return f"func.func @{name}({PARAMETERS}) {kind} {{\n{PRELUDE}{body}\n  func.return\n}}\n"


def branch(condition: str, then: str, otherwise: str | None = None) -> str:
    text = f"  scf.if {condition} {{\n    {then}\n  }}"
    return text if otherwise is None else f"{text} else {{\n    {otherwise}\n  }}"


def loop(bound: str, body: str, low: str = "%c0") -> str:
    return f"  scf.for %i = {low} to {bound} step %c1 {{\n    {body}\n  }}"


def read(name: str, source: str, type_: str) -> str:
    """An element as %name, an index, and whether it is zero, as %name_zero."""
    return f"""\
  %{name}x = pl.tensor.read {source}[0, 0] : {type_} -> i32
  %{name} = arith.index_cast %{name}x : i32 to index
  %{name}zero = arith.cmpi eq, %{name}x, %z : i32
"""


def read_float(name: str, source: str, type_: str = D) -> str:
    return f"""\
  %zf = arith.constant 0.0 : f32
  %{name}x = pl.tensor.read {source}[0, 0] : {type_} -> f32
  %{name} = arith.cmpf ogt, %{name}x, %zf : f32
"""


COUNTED = read("k", "%c", C) + loop("%k", BARRIER)
CALL = f"pl.call @inner(%in, %d, %s, %c, %r, %w, %p, ARG) : ({TYPES}) -> ()"
INNER_LOOP = chip(loop("%n", BARRIER), "inner")
INNER_IF = chip(branch("%q", BARRIER), "inner")
INNER = chip(f"  {BARRIER}", "inner")


def inner(index: str = "%n", condition: str = "%q") -> str:
    return CALL.replace("ARG", f"{index}, {condition}")


STORE = f"""\
func.func @note(%from: {S}, %to: {C} {{pl.dir = "out"}}) {KERNEL} {{
  %x = pl.tensor.read %from[0, 0] : {S} -> i32
  %y = pl.tensor.write %x into %to[0, 0] : i32, {C}
  func.return
}}
func.func @set(%to: {C} {{pl.dir = "out"}}) {KERNEL} {{
  %x = arith.constant 3 : i32
  %y = pl.tensor.write %x into %to[0, 0] : i32, {C}
  func.return
}}
"""
REDUCE = f"""\
func.func @reduce(%d: {D} {{pl.dir = "inout"}}, %s: {S} {{pl.dir = "inout"}}) {KERNEL} {{
  %h = pld.tensor.allreduce %d, %s {{op = "sum"}} : {D}, {S}
  func.return
}}
func.func @spoil(%d: {D} {{pl.dir = "inout"}}) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %x = pl.tensor.read %d[1, 1] : {D} -> f32
  %y = pl.tensor.write %x into %d[0, 0] : f32, {D}
  func.return
}}
"""
ALLREDUCE = f'%h = pld.tensor.allreduce %d, %s {{op = "sum"}} : {D}, {S}'
LARGE = "tensor<8x8xf32>"


def host(body: str) -> str:
    windows = "".join(
        f'  %{n}b = pld.tensor.alloc_window_buffer %c256 {{name = "{n}"}} : !pld.window_buffer\n'
        f"  %{n} = pld.tensor.window %{n}b : !pld.window_buffer -> {t}\n"
        for n, t in (("d", D), ("s", S), ("r", S), ("w", W), ("p", S))
    )
    return f"""\
func.func @host(%in: {T}, %c: {C}, %all_c: tensor<2x2x1xi32>, %n: index, %q: i1) {HOST} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
{windows}  %devices = pld.system.world_size : index
  scf.for %r_ = %c0 to %devices step %c1 {{
{body}
  }}
  func.return
}}
"""


def dispatch(index: str = "%n", condition: str = "%q", counts: str = "%c", name: str = "chip"):
    return (
        f"    pl.call @{name}(%in, %d, %s, {counts}, %r, %w, %p, {index}, {condition}) "
        f"device(%r_) : ({TYPES}) -> ()"
    )


FIRST = "    %first = arith.cmpi eq, %r_, %c0 : index\n"
OWN_COUNTS = f"    %own = pl.tensor.slice %all_c[%r_, 0, 0] [1, 2, 1] : tensor<2x2x1xi32> -> {C}\n"
READS_COUNTS = chip(read("k", "%c", C) + loop("%k", BARRIER))

WHILE = f"""\
  %end = scf.while (%i = %c0) : (index) -> index {{
    %more = arith.cmpi slt, %i, BOUND : index
    scf.condition(%more) %i : index
  }} do {{
  ^body(%i: index):
    {BARRIER}
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }}"""

UNTIL_SMALL = f"""\
  scf.while () : () -> () {{
    {ALLREDUCE}
{read_float("more", "%h")}
    scf.condition(%more)
  }} do {{
    {exchange(d="%d").replace("%h", "%h2")}
    scf.yield
  }}"""

EXIT = f"""\
func.func @chip({PARAMETERS}) {CHIP} {{
{PRELUDE}CONDITION  cf.cond_br %leave, ^end, ^on
^on:
  {BARRIER}
  cf.br ^end
^end:
  func.return
}}
"""
DIAMOND = f"""\
func.func @chip({PARAMETERS}) {CHIP} {{
{PRELUDE}{RANK}  cf.cond_br %first, ^left, ^right
^left:
  cf.br ^end
^right:
  cf.br ^end
^end:
  {BARRIER}
  func.return
}}
"""

BUILTIN = """\
func.func @__builtin_all_to_all_v__fp32(%input: tensor<?x?xf32>,
    %target: !pld.dist_tensor<tensor<?x?xf32>> {pl.dir = "inout"},
    %signal: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"}, %send_counts: tensor<?x?xi32>,
    %recv_counts: !pld.dist_tensor<tensor<?x?xi32>> {pl.dir = "inout"})
    -> !pld.dist_tensor<tensor<?x?xf32>> attributes {pl.func_type = "aiv",
    pl.builtin_template_dir = ":pypto.runtime.builtins.collectives.all_to_all_v",
    pl.builtin_template_vars = "dtype_cpp=float", pl.require_contiguous_operands} {
  func.return %target : !pld.dist_tensor<tensor<?x?xf32>>
}
"""
LOWERED = exchange().replace("pld.tensor.all_to_all_v ", "pl.call @__builtin_all_to_all_v__fp32(")
LOWERED = LOWERED.replace(" : ", ") : (") + f") -> {D}"


def view(name: str, source: str, type_: str, large: str, at: str) -> str:
    shape = "4, 8" if type_ in (T, D) else "2, 1"
    return f"  %{name} = pl.tensor.slice {source}[{at}, 0] [{shape}] : {large} -> {type_}\n"


ACCEPTED = {
    "straight on": chip(f"  {exchange()}\n  {BARRIER}"),
    "under a parameter": chip(branch("%q", BARRIER)),
    "a loop over a parameter": chip(loop("%n", exchange())),
    "a loop over the number of ranks": chip(
        "  %p_ = pld.system.nranks %ctx : i32\n  %many = arith.index_cast %p_ : i32 to index\n"
        + loop("%many", BARRIER)
    ),
    "a branch on the rank without a collective": chip(
        RANK + branch("%first", f"%x = pl.tensor.read %c[0, 0] : {C} -> i32") + f"\n  {BARRIER}"
    ),
    "the same barrier on both sides": chip(RANK + branch("%first", BARRIER, BARRIER)),
    "the same two collectives in the same order": chip(
        RANK
        + branch("%first", f"{exchange()}\n    {BARRIER}", f"{exchange(i='%in')}\n    {BARRIER}")
    ),
    "the same, with other inputs": chip(
        RANK
        + f"  %in2 = pl.tensor.create : {T}\n  %cc = pl.tensor.create : {C}\n"
        + branch("%first", exchange(), exchange(i="%in2", c="%cc"))
    ),
    "the same, one in a function": INNER + chip(RANK + branch("%first", BARRIER, inner())),
    "the same, in loops over equal constants": INNER_LOOP
    + chip(
        RANK + branch("%first", inner("%c4"), f"%f = arith.constant 4 : index\n    {inner('%f')}")
    ),
    "the same, on equal views": chip(
        RANK
        + branch(
            "%first",
            f"{view('v', '%w', D, W, '4')}    {exchange(d='%v')}",
            f"{view('u', '%w', D, W, '4')}    {exchange(d='%u')}",
        )
    ),
    "the same, under equal branches": chip(
        RANK + branch("%first", branch("%q", BARRIER), branch("%q", BARRIER))
    ),
    "the same, nested": chip(
        RANK
        + "  %second = arith.cmpi ne, %me, %z : i32\n"
        + branch("%first", branch("%second", BARRIER, BARRIER), BARRIER)
    ),
    "what an allreduce left": chip(
        f"  {ALLREDUCE}\n" + read_float("k", "%h") + branch("%k", BARRIER)
    ),
    "what an allreduce left, read from the window": chip(
        f"  {ALLREDUCE}\n" + read_float("k", "%d") + branch("%k", BARRIER)
    ),
    "what an allreduce in a kernel left": REDUCE
    + chip(
        f"  pl.call @reduce(%d, %s) : ({D}, {S}) -> ()\n"
        + read_float("k", "%d")
        + branch("%k", BARRIER)
    ),
    "what an allreduce left, read in a function that is called": chip(
        read_float("k", "%d") + branch("%k", BARRIER), "inner"
    )
    + chip(f"  {ALLREDUCE}\n  {inner()}"),
    "until an allreduced error is small": chip(UNTIL_SMALL),
    "a plain tensor that a kernel set": STORE
    + chip(f"  pl.call @set(%c) : ({C}) -> ()\n" + read("k", "%c", C) + loop("%k", BARRIER)),
    "an input at a place of the own rank": chip(
        RANK + view("v", "%big", T, LARGE, "%mine") + f"  {exchange(i='%v')}"
    ).replace("%q: i1", f"%q: i1, %big: {LARGE}"),
    "send counts at a place of the own rank": chip(
        RANK + view("v", "%big", C, "tensor<4x1xi32>", "%mine") + f"  {exchange(c='%v')}"
    ).replace("%q: i1", "%q: i1, %big: tensor<4x1xi32>"),
    "a while loop over a constant": chip(WHILE.replace("BOUND", "%c4")),
    "an exit that is the same on every rank": EXIT.replace(
        "CONDITION", "  %leave = arith.cmpi eq, %n, %c0 : index\n"
    ),
    "behind two ways that meet": DIAMOND,
    "a uniform argument": INNER_LOOP + chip(f"  {inner()}"),
    "a host that dispatches to all": INNER + chip(f"  {inner()}") + host(dispatch()),
    "a host that dispatches one of two equal pipelines": chip(f"  {BARRIER}")
    + chip(f"  {BARRIER}", "chip2")
    + host(FIRST + branch("%first", dispatch(), dispatch(name="chip2"))),
    "a host that names each device": chip(loop("%n", BARRIER))
    + host(dispatch("%c1").replace("device(%r_)", "device(%c1)")),
    "a host that reads its own tensor": READS_COUNTS + host(dispatch()),
    "lowered": BUILTIN + chip(f"  {LOWERED}"),
}

CONTROL = "some ranks may skip this {}, or come to it in another order: it stands {} on the rank"
BRANCH = CONTROL.format("barrier", "under a branch that depends")
BOUNDS = CONTROL.format("barrier", "in a loop whose bounds depend")
WHILE_ = CONTROL.format("barrier", "in a loop whose condition depends")
EXIT_ = CONTROL.format("barrier", "behind an exit that depends")
V_BRANCH = CONTROL.format("all_to_all_v", "under a branch that depends")


def address(role: str, name: str) -> str:
    return (
        f"the local address of {role} '{name}' depends on the rank: peers compute theirs from "
        "their own"
    )


REFUSED: dict[str, tuple[str, str]] = {
    "under the rank": (chip(RANK + branch("%first", BARRIER)), BRANCH),
    "else under the rank": (
        chip(RANK + branch("%first", f"%x = pl.tensor.read %c[0, 0] : {C} -> i32", BARRIER)),
        BRANCH,
    ),
    "in a kernel": (chip(RANK + branch("%first", BARRIER), kind=KERNEL), BRANCH),
    "two orders": (
        chip(
            RANK + branch("%first", f"{exchange()}\n    {BARRIER}", f"{BARRIER}\n    {exchange()}")
        ),
        V_BRANCH,
    ),
    "one more on one side": (
        chip(RANK + branch("%first", f"{BARRIER}\n    {exchange()}", BARRIER)),
        V_BRANCH,
    ),
    "two signals": (chip(RANK + branch("%first", BARRIER, OTHER)), BRANCH),
    "two roots": (
        chip(
            RANK
            + branch(
                "%first",
                f"%h = pld.tensor.broadcast %d, %s {{root = 0 : i64}} : {D}, {S}",
                f"%h = pld.tensor.broadcast %d, %s {{root = 1 : i64}} : {D}, {S}",
            )
        ),
        CONTROL.format("broadcast", "under a branch that depends"),
    ),
    "two widths": (
        chip(
            RANK
            + branch(
                "%first",
                exchange().replace(" :", " core_num(%c1) :", 1),
                exchange().replace(" :", " core_num(%c4) :", 1),
            )
        ),
        V_BRANCH,
    ),
    "two places": (
        chip(
            RANK
            + branch(
                "%first",
                f"{view('v', '%w', D, W, '4')}    {exchange(d='%v')}",
                f"{view('v', '%w', D, W, '0')}    {exchange(d='%v')}",
            )
        ),
        V_BRANCH,
    ),
    "loops over other constants": (
        INNER_LOOP + chip(RANK + branch("%first", inner("%c4"), inner("%c1"))),
        BRANCH,
    ),
    "branches on other conditions": (
        chip(
            RANK
            + "  %other = arith.cmpi eq, %n, %c1 : index\n"
            + branch("%first", branch("%q", BARRIER), branch("%other", BARRIER))
        ),
        BRANCH,
    ),
    "a loop over the rank": (chip(RANK + loop("%mine", BARRIER)), BOUNDS),
    "a loop from the rank": (chip(RANK + loop("%c4", BARRIER, "%mine")), BOUNDS),
    "a loop over received counts": (chip(read("k", "%r", S) + loop("%k", BARRIER)), BOUNDS),
    "a branch on received data": (chip(read("k", "%r", S) + branch("%kzero", BARRIER)), BRANCH),
    "a while loop over the rank": (chip(RANK + WHILE.replace("BOUND", "%mine")), WHILE_),
    "an exit on the rank": (
        EXIT.replace("CONDITION", RANK + "  %leave = arith.cmpi eq, %me, %z : i32\n"),
        EXIT_,
    ),
    "computed in a loop": (
        chip(
            RANK + "  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {\n"
            "    %b = arith.addi %a, %mine : index\n    scf.yield %b : index\n  }\n"
            + loop("%sum", BARRIER)
        ),
        BOUNDS,
    ),
    "how often a loop turned": (
        chip(
            RANK + "  %sum = scf.for %i = %c0 to %mine step %c1 iter_args(%a = %c0) -> (index) {\n"
            "    %b = arith.addi %a, %c1 : index\n    scf.yield %b : index\n  }\n"
            + loop("%sum", BARRIER)
        ),
        BOUNDS,
    ),
    "chosen by the rank": (
        chip(
            RANK + "  %k = scf.if %first -> (index) {\n    scf.yield %c1 : index\n  } else {\n"
            "    scf.yield %c4 : index\n  }\n" + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "through a function": (INNER_LOOP + chip(RANK + f"  {inner('%mine')}"), BOUNDS),
    "a condition through a function": (
        INNER_IF + chip(RANK + f"  {inner('%n', '%first')}"),
        BRANCH,
    ),
    "a call under the rank": (INNER + chip(RANK + branch("%first", inner())), BRANCH),
    "through memory": (
        STORE
        + chip(
            f"  pl.call @note(%r, %c) : ({S}, {C}) -> ()\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "what is written under the rank": (
        chip(
            RANK
            + branch("%first", f"%y = pl.tensor.write %z into %c[0, 0] : i32, {C}")
            + "\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "through a tile": (
        chip(
            f"  %t = pld.tile.remote_load %r[0, 0] [2, 1] peer(%z) : {S} -> !pl.tile<{C}>\n"
            f"  %y = pl.tile.store %t into %c[0, 0] : !pl.tile<{C}>, {C}\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "through a get": (
        chip(
            f"  pld.tensor.get %r[0, 0] into %c[0, 0] [2, 1] peer(%z) : {S}, {C}\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "through an assemble": (
        chip(
            f"  %y = pl.tensor.assemble %r into %c[0, 0] : {S}, {C}\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "read at a place of the own rank": (
        chip(
            RANK + f"  %x = pl.tensor.read %c[%mine, 0] : {C} -> i32\n"
            "  %k = arith.index_cast %x : i32 to index\n" + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
    "what an exchange left": (
        chip(f"  {exchange()}\n" + read_float("k", "%h") + branch("%k", BARRIER)),
        BRANCH,
    ),
    "an allreduced window that is written again": (
        REDUCE
        + chip(
            f"  {ALLREDUCE}\n  pl.call @spoil(%d) : ({D}) -> ()\n"
            + read_float("k", "%d")
            + branch("%k", BARRIER)
        ),
        BRANCH,
    ),
    "an allreduce on one side": (
        chip(branch("%q", ALLREDUCE) + "\n" + read_float("k", "%d") + branch("%k", BARRIER)),
        BRANCH,
    ),
    "an allreduce that may not run": (
        chip(loop("%n", ALLREDUCE) + "\n" + read_float("k", "%d") + branch("%k", BARRIER)),
        BRANCH,
    ),
    "a window that a later turn spoils": (
        chip(
            f"  {ALLREDUCE}\n"
            + loop(
                "%n",
                read_float("k", "%d")
                + branch("%k", BARRIER)
                + f"\n    %y = pl.tensor.write %kx into %d[0, 0] : f32, {D}",
            )
        ),
        BRANCH,
    ),
    "a target at a place of the own rank": (
        chip(RANK + view("v", "%w", D, W, "%mine") + f"  {exchange(d='%v')}"),
        address("target", "v"),
    ),
    "a signal at a place of the own rank": (
        chip(
            RANK
            + view("v", "%big", S, "!pld.dist_tensor<tensor<4x1xi32>>", "%mine")
            + f"  {exchange(s='%v')}"
        ).replace("%q: i1", "%q: i1, %big: !pld.dist_tensor<tensor<4x1xi32>>"),
        address("signal", "v"),
    ),
    "receive counts at a place of the own rank": (
        chip(
            RANK
            + view("v", "%big", S, "!pld.dist_tensor<tensor<4x1xi32>>", "%mine")
            + f"  {exchange(r='%v')}"
        ).replace("%q: i1", "%q: i1, %big: !pld.dist_tensor<tensor<4x1xi32>>"),
        address("recv_counts", "v"),
    ),
    "a target that is chosen by the rank": (
        chip(
            RANK
            + f"  %v = scf.if %first -> ({D}) {{\n"
            + view("a", "%w", D, W, "0")
            + f"  scf.yield %a : {D}\n  }} else {{\n  scf.yield %d : {D}\n  }}\n"
            + f"  {exchange(d='%v')}"
        ),
        address("target", "v"),
    ),
    "a width of the own rank": (
        chip(RANK + f"  {exchange().replace(' :', ' core_num(%mine) :', 1)}"),
        "core_num of all_to_all_v depends on the rank: all ranks launch alike",
    ),
    "lowered, under the rank": (
        BUILTIN + chip(RANK + branch("%first", LOWERED)),
        V_BRANCH,
    ),
    "a host that leaves a device out": (
        chip(f"  {BARRIER}") + host(FIRST + branch("%first", dispatch())),
        BRANCH,
    ),
    "a host that passes the device": (
        chip(loop("%n", BARRIER)) + host(dispatch("%r_")),
        BOUNDS,
    ),
    "a host that passes each device its own": (
        READS_COUNTS + host(OWN_COUNTS + dispatch(counts="%own")),
        BOUNDS,
    ),
    "a declared kernel that may have stored what it received": (
        f'func.func private @opaque({S}, {C}) attributes {{pl.func_type = "incore", '
        'pl.arg_attrs = [{}, {pl.dir = "out"}]}\n'
        + chip(
            f"  pl.call @opaque(%r, %c) : ({S}, {C}) -> ()\n"
            + read("k", "%c", C)
            + loop("%k", BARRIER)
        ),
        BOUNDS,
    ),
}


def parse(text: str) -> ModuleOp:
    ctx = Context()
    for name, load in {**get_all_dialects(), **UNIVERSE.all_dialects}.items():
        ctx.register_dialect(name, load)
    module = Parser(ctx, text, "in.mlir").parse_module()
    module.verify()
    return module


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str):
    module = parse(ACCEPTED[name])
    before = str(module)
    CheckCollectiveConvergencePass().apply(Context(), module)
    assert str(module) == before


def findings(text: str) -> tuple[Finding, ...]:
    module = parse(text)
    before = str(module)
    with pytest.raises(FindingsError) as raised:
        CheckCollectiveConvergencePass().apply(Context(), module)
    assert str(module) == before
    return raised.value.findings


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    text, message = REFUSED[name]
    (found,) = findings(text)
    assert found.message == message


SAME = [name for name in ACCEPTED if name.startswith("the same")]


@pytest.mark.parametrize("name", SAME)
def test_accepted_with_the_reason(name: str):
    accepted = Convergence(parse(ACCEPTED[name])).accepted
    assert accepted
    for op, reason in accepted:
        assert op.name == "scf.if"
        assert reason.startswith(
            "both sides hold the same collectives, on the same windows, in the same order: "
        )
    if name == "the same two collectives in the same order":
        assert accepted[0].reason.endswith(": all_to_all_v, barrier")


def notes(text: str) -> list[str]:
    (found,) = findings(text)
    return [note.message for note in found.notes]


def test_the_path_of_the_dependence_is_shown():
    assert notes(REFUSED["computed in a loop"][0]) == [
        "in this scf.for",
        "through 'b'",
        "through 'mine'",
        "the rank is asked for here",
    ]
    assert notes(REFUSED["a loop over received counts"][0]) == [
        "in this scf.for",
        "through 'k'",
        "read from 'r' here",
        "'r' is a window, which peers write into",
    ]


def test_the_path_goes_through_calls():
    assert notes(REFUSED["through a function"][0]) == [
        "in this scf.for",
        "called here, in 'chip'",
        "'mine' is passed to @inner here",
        "through 'mine'",
        "the rank is asked for here",
    ]


def test_a_long_chain_is_cut_short():
    steps = "".join(f"  %k{i} = arith.addi %k{i - 1}, %c1 : index\n" for i in range(1, 40))
    shown = notes(
        chip(RANK + "  %k0 = arith.addi %mine, %c1 : index\n" + steps + loop("%k39", BARRIER))
    )
    assert len(shown) == 18
    assert shown[-2:] == ["through 26 more values", "the rank is asked for here"]
