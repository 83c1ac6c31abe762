"""
`check-collective-operands`: programs whose windows fit their collectives, and such whose do not.

Each is a host body over pipelines of two or three levels. What is refused is refused with the path.
"""

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from xdsl_pld.passes.check_collective_operands import CheckCollectiveOperandsPass
from xdsl_pld.passes.diagnostics import FindingsError
from xdsl_pld.universe import UNIVERSE

T, C = "tensor<4x8xf32>", "tensor<2x1xi32>"
D, S = f"!pld.dist_tensor<{T}>", f"!pld.dist_tensor<{C}>"
CHIP = 'attributes {pl.func_type = "orchestration"}'
KERNEL = 'attributes {pl.func_type = "incore"}'
HOST = 'attributes {pl.level = "host", pl.role = "orchestrator"}'
PARAMETERS = f"%in: {T}, %d: {D}, %s: {S}, %c: {C}, %r: {S}"
TYPES = f"{T}, {D}, {S}, {C}, {S}"
COLLECTIVE = f"%h = pld.tensor.all_to_all_v %in, %d, %s, %c, %r : {TYPES}"
DIRECT = f"func.func @chip({PARAMETERS}) {CHIP} {{\n  {COLLECTIVE}\n  func.return\n}}\n"

LEVELS = f"""\
func.func @innermost({PARAMETERS}) {KERNEL} {{
  {COLLECTIVE}
  func.return
}}
func.func @inner(%x: {S}, {PARAMETERS}) {CHIP} {{
  pl.call @innermost(%in, %d, %s, %c, %x) : ({TYPES}) -> ()
  func.return
}}
func.func @chip({PARAMETERS}) {CHIP} {{
  pl.call @inner(%r, %in, %d, %s, %c, %s) : ({S}, {TYPES}) -> ()
  func.return
}}
"""
"""host -> chip -> inner -> innermost -> collective; two parameters are mixed on the way."""


def window(name: str, type_: str) -> str:
    return f"""\
  %{name}_buf = pld.tensor.alloc_window_buffer %c128 {{name = "{name}"}} : !pld.window_buffer
  %{name} = pld.tensor.window %{name}_buf : !pld.window_buffer -> {type_}
"""


WINDOWS = window("d", D) + window("s", S) + window("r", S)


def call(
    device: str = "%i", d: str = "%d", s: str = "%s", r: str = "%r", callee: str = "@chip"
) -> str:
    return f"pl.call {callee}(%in, {d}, {s}, %c, {r}) device({device}) : ({TYPES}) -> ()"


def loop(body: str, low: str = "%c0", high: str = "%c2") -> str:
    return f"  scf.for %i = {low} to {high} step %c1 {{\n    {body}\n  }}\n"


def host(body: str, parameters: str = "") -> str:
    more = f", {parameters}" if parameters else ""
    return f"""\
func.func @host(%in: {T}, %c: {C}, %yes: i1{more}) {HOST} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %all = pld.system.world_size : index
{body}  func.return
}}
"""


TOUCH = f"func.func private @touch({D}) {CHIP}\nfunc.func private @count({S}) {CHIP}\n"


def touch(name: str, device: str) -> str:
    return f"  pl.call @touch({name}) device({device}) : ({D}) -> ()\n"


def count(name: str, device: str) -> str:
    return f"  pl.call @count({name}) device({device}) : ({S}) -> ()\n"


def chosen(name: str, one: str, other: str, type_: str) -> str:
    return f"""\
  %{name} = scf.if %yes -> ({type_}) {{
    scf.yield {one} : {type_}
  }} else {{
    scf.yield {other} : {type_}
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
LOWERED = f"""\
{BUILTIN}func.func @chip({PARAMETERS}) {CHIP} {{
  %h = pl.call @__builtin_all_to_all_v__fp32(%in, %d, %s, %c, %r) : ({TYPES}) -> {D}
  func.return
}}
"""
OTHER = DIRECT.replace("@chip", "@chip2")
BARRIER = f"""\
func.func @wait(%s: {S}) {CHIP} {{
  %g = pld.tensor.barrier %s : {S}
  func.return
}}
"""
RING = "!pld.dist_tensor<tensor<3x2xi32>>"
RINGS = f"""\
func.func @ring(%d: {D}, %s: {RING}) {CHIP} {{
  %h = pld.tensor.allreduce %d, %s {{op = "sum", mode = "ring"}} : {D}, {RING}
  func.return
}}
"""
SELF = f"""\
func.func @chip({PARAMETERS}) {CHIP} {{
  {COLLECTIVE}
  pl.call @chip(%in, %d, %s, %c, %r) : ({TYPES}) -> ()
  func.return
}}
"""
SCOPED = f"""\
  pld.comm_domain attributes {{name = "x", slots = ["d", "s", "r"]}} {{
{WINDOWS}  {call("%c0")}
  {call("%c1")}
  }}
"""


def ring(device: str, high: str) -> str:
    return loop(f"pl.call @ring(%d, %w) device({device}) : ({D}, {RING}) -> ()", high=high)


ACCEPTED = {
    "three windows, listed devices": DIRECT + host(WINDOWS + loop(call())),
    "three windows, all devices": DIRECT + host(WINDOWS + loop(call(), high="%all")),
    "through three levels": LEVELS.replace("%c, %s) :", "%c, %r) :") + host(WINDOWS + loop(call())),
    "no host": LEVELS,
    "no host, one parameter for both": f"func.func @chip(%in: {T}, %d: {D}, %s: {S}, %c: {C}) "
    f"{CHIP} {{\n  pl.call @inner(%in, %d, %s, %c, %s) : ({TYPES}) -> ()\n  func.return\n}}\n"
    + DIRECT.replace("@chip", "@inner"),
    "windows from elsewhere": DIRECT + host(loop(call()), f"%d: {D}, %s: {S}, %r: {S}"),
    "two windows that swap in a branch": DIRECT
    + host(
        WINDOWS
        + chosen("p", "%s", "%r", S)
        + chosen("q", "%r", "%s", S)
        + loop(call(s="%p", r="%q"))
    ),
    "plain operands of one host tensor": DIRECT.replace(f"%c: {C}", f"%c: {C}")
    + host(WINDOWS + loop(call())),
    "one by one": DIRECT + host(WINDOWS + f"  {call('%c0')}\n  {call('%c1')}\n"),
    "a pipeline for each device": DIRECT
    + OTHER
    + host(WINDOWS + f"  {call('%c0')}\n  {call('%c1', callee='@chip2')}\n"),
    "lowered": LOWERED + host(WINDOWS + loop(call())),
    "a ring states its ranks by columns": RINGS
    + host(window("d", D) + window("w", RING) + ring("%i", "%c2")),
    "a barrier on a signal of its own": BARRIER
    + host(window("s", S) + loop(f"pl.call @wait(%s) device(%i) : ({S}) -> ()")),
    "a device that is not known": DIRECT + host(WINDOWS + f"  {call('%n')}\n", "%n: index"),
    "a device that is known and one that is not": DIRECT
    + host(WINDOWS + f"  {call('%c0')}\n  {call('%n')}\n", "%n: index"),
    "a call that is no dispatch": DIRECT
    + f"func.func private @note({D}) {HOST}\n"
    + host(WINDOWS + f"  pl.call @note(%d) : ({D}) -> ()\n" + loop(call())),
    "a domain of all devices, dispatched one by one": DIRECT + host(SCOPED),
    "a recursion": SELF + host(WINDOWS + loop(call())),
    "no collective at all": TOUCH + host(window("d", D) + touch("%d", "%c0")),
}

REFUSED: dict[str, tuple[str, str]] = {
    "two windows over one buffer": (
        DIRECT
        + host(
            WINDOWS
            + f"  %again = pld.tensor.window %s_buf : !pld.window_buffer -> {S}\n"
            + loop(call(r="%again"))
        ),
        'signal and recv_counts share one window buffer, "s" (by host -> chip -> all_to_all_v)',
    ),
    "one window twice": (
        DIRECT + host(WINDOWS + loop(call(r="%s"))),
        'signal and recv_counts share one window buffer, "s" (by host -> chip -> all_to_all_v)',
    ),
    "two windows over one buffer, through three levels": (
        LEVELS.replace("%c, %s) :", "%c, %r) :")
        + host(
            WINDOWS
            + f"  %again = pld.tensor.window %s_buf : !pld.window_buffer -> {S}\n"
            + loop(call(r="%again"))
        ),
        'signal and recv_counts share one window buffer, "s" '
        "(by host -> chip -> inner -> innermost -> all_to_all_v)",
    ),
    "mixed up on the way": (
        f"func.func @chip({PARAMETERS}) {CHIP} {{\n"
        f"  pl.call @inner(%in, %d, %s, %c, %s) : ({TYPES}) -> ()\n  func.return\n}}\n"
        + DIRECT.replace("@chip", "@inner")
        + host(WINDOWS + loop(call())),
        'signal and recv_counts share one window buffer, "s" '
        "(by host -> chip -> inner -> all_to_all_v)",
    ),
    "views of one window": (
        DIRECT + host(WINDOWS + f"  %v = pl.tensor.reshape %s : {S} -> {S}\n" + loop(call(r="%v"))),
        'signal and recv_counts share one window buffer, "s" (by host -> chip -> all_to_all_v)',
    ),
    "one of two, and one of them": (
        DIRECT + host(WINDOWS + chosen("p", "%s", "%r", S) + loop(call(s="%p"))),
        'signal and recv_counts share one window buffer, "r" (by host -> chip -> all_to_all_v)',
    ),
    "lowered, one window twice": (
        LOWERED + host(WINDOWS + loop(call(r="%s"))),
        'signal and recv_counts share one window buffer, "s" (by host -> chip -> all_to_all_v)',
    ),
    "data on a third device": (
        TOUCH + DIRECT + host(WINDOWS + loop(call()) + touch("%d", "%c2")),
        "target and signal belong to different communication domains: "
        '"d" is on devices 0, 1, 2, "s" on devices 0, 1 (by host -> chip -> all_to_all_v)',
    ),
    "receive counts on all devices": (
        TOUCH + DIRECT + host(WINDOWS + loop(call()) + loop(count("%r", "%i"), high="%all")),
        "target and recv_counts belong to different communication domains: "
        '"d" is on devices 0, 1, "r" on all devices (by host -> chip -> all_to_all_v)',
    ),
    "domains that are there already": (
        DIRECT
        + host(
            f'  pld.comm_domain attributes {{name = "x", slots = ["d"]}} {{\n'
            f'  pld.comm_domain attributes {{name = "y", slots = ["s", "r"]}} {{\n'
            f"{WINDOWS}{loop(call(), high='%all')}  }}\n  }}\n"
        ),
        "target and signal belong to different communication domains: "
        '"d" is on all devices, "s" on all devices (by host -> chip -> all_to_all_v)',
    ),
    "three devices, a signal for two": (
        DIRECT + host(WINDOWS + loop(call(), high="%c3")),
        "the collective is of 2 ranks, as its signal states, but its domain has devices 0, 1, 2 "
        "(by host -> chip -> all_to_all_v)",
    ),
    "one device, a signal for two": (
        DIRECT + host(WINDOWS + loop(call(), high="%c1")),
        "the collective is of 2 ranks, as its signal states, but its domain has device 0 "
        "(by host -> chip -> all_to_all_v)",
    ),
    "a ring of three devices": (
        RINGS + host(window("d", D) + window("w", RING) + ring("%i", "%c3")),
        "the collective is of 2 ranks, as its signal states, but its domain has devices 0, 1, 2 "
        "(by host -> ring -> allreduce)",
    ),
    "a device that never comes": (
        TOUCH
        + DIRECT
        + host(
            WINDOWS
            + f"  {call('%c0')}\n"
            + touch("%d", "%c1")
            + count("%s", "%c1")
            + count("%r", "%c1")
        ),
        'only device 0 come to the collective on signal "s", but its domain has devices 0, 1: they '
        "would wait for the others for ever (by host -> chip -> all_to_all_v)",
    ),
    "fewer dispatches than ranks, in a domain of all": (
        DIRECT
        + host(
            f'  pld.comm_domain attributes {{name = "x", slots = ["d", "s", "r"]}} {{\n'
            f"{WINDOWS}  {call('%c0')}\n  }}\n"
        ),
        'only device 0 come to the collective on signal "s", but its domain has all devices: they '
        "would wait for the others for ever (by host -> chip -> all_to_all_v)",
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
    CheckCollectiveOperandsPass().apply(Context(), module)
    assert str(module) == before


def findings(text: str):
    module = parse(text)
    before = str(module)
    with pytest.raises(FindingsError) as raised:
        CheckCollectiveOperandsPass().apply(Context(), module)
    assert str(module) == before
    return raised.value.findings


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    text, message = REFUSED[name]
    (found,) = findings(text)
    assert found.message == message


def test_the_path_is_shown_call_by_call():
    text, _ = REFUSED["two windows over one buffer, through three levels"]
    (found,) = findings(text)
    notes = [note.message for note in found.notes]
    assert notes == [
        "the buffer",
        "allocate a window buffer for each operand of a collective",
        "dispatched here, in 'host'",
        "called here, in 'chip'",
        "called here, in 'inner'",
    ]
    places = [note.place.name for note in found.notes if note.place is not None]
    assert places == ["pld.tensor.alloc_window_buffer", "pl.call", "pl.call", "pl.call"]


def test_each_collective_is_reported_once():
    """Two dispatches, and two collectives of other operands."""
    twice = host(WINDOWS + loop(call(r="%s")) + loop(call(r="%s")))
    assert len(findings(DIRECT + twice)) == 1
    two = DIRECT + OTHER + host(WINDOWS + loop(call(r="%s")) + loop(call(r="%s", callee="@chip2")))
    assert len(findings(two)) == 2


def test_two_hosts_are_two_programs():
    """Each host has windows of its own; a finding in one names it."""
    good = host(WINDOWS + loop(call()))
    bad = (
        host(WINDOWS + loop(call(r="%s"))).replace("@host", "@bad").replace('name = "', 'name = "b')
    )
    (found,) = findings(DIRECT + good + bad)
    assert "(by bad -> chip -> all_to_all_v)" in found.message
