"""
Random programs compute the same before and after each pass, to the bit.

The programs stage, exchange and read in straight lines, loops and branches, over parameters,
created tensors, views and windows.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from xdsl_pld.tools import run

L2, CTX = "lower-l2-tensor-collectives", "materialize-dist-tensor-ctx"
PIPELINES = (L2, CTX, "canonicalize", f"cse,normalize-return-order,{L2},canonicalize,{CTX},cse")

RANKS = 2
DATA, COUNTS, SIGNAL = "tensor<4x3xf32>", "tensor<2x1xi32>", "tensor<2x3xi32>"
D_DATA, D_COUNTS, D_SIGNAL = (f"!pld.dist_tensor<{t}>" for t in (DATA, COUNTS, SIGNAL))

KERNELS = f"""\
func.func @scale(%x: {DATA}, %y: {DATA} {{pl.dir = "inout"}}) -> {DATA}
    attributes {{pl.func_type = "incore"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %half = arith.constant 0.7 : f32
  scf.for %i = %c0 to %c4 step %c1 {{
    %row = pl.tile.load %x[%i, 0] [1, 3] : {DATA} -> !pl.tile<tensor<1x3xf32>>
    %stored = pl.tile.store %row into %y[%i, 0] : !pl.tile<tensor<1x3xf32>>, {DATA}
    %v = pl.tensor.read %y[%i, 1] : {DATA} -> f32
    %w = arith.mulf %v, %half : f32
    %u = pl.tensor.write %w into %y[%i, 1] : f32, {DATA}
  }}
  func.return %y : {DATA}
}}
func.func @hand_on(%x: {DATA}, %w: {D_DATA} {{pl.dir = "inout"}}) -> {D_DATA}
    attributes {{pl.func_type = "incore"}} {{
  %one = arith.constant 1 : i32
  %ctx = pld.system.get_comm_ctx %w : {D_DATA}
  %me = pld.system.rank %ctx : i32
  %peer = arith.subi %one, %me : i32
  %row = arith.index_cast %me : i32 to index
  pld.tensor.put %x[0, 0] into %w[%row, 0] [1, 3] peer(%peer) : {DATA}, {D_DATA}
  func.return %w : {D_DATA}
}}
"""


class Writer:
    """Writes statements; every statement leaves the tensors of the pipeline in place."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def tensor(self, lines: list[str], pad: str) -> str:
        """A plain packed tensor: a parameter, or a view of one that is packed."""
        base = self.draw(st.sampled_from(["%a", "%b"]))
        if self.draw(st.booleans()):
            return base
        flat, again = self.name(), self.name()
        lines += [
            f"{pad}{flat} = pl.tensor.view {base} : {DATA} -> tensor<12xf32>",
            f"{pad}{again} = pl.tensor.reshape {flat} : tensor<12xf32> -> {DATA}",
        ]
        return again

    def block(self, depth: int, pad: str) -> list[str]:
        lines: list[str] = []
        kinds = ["scale", "hand_on", "exchange", "write", "copy", "keep"]
        if depth < 2:
            kinds += ["for", "if"]
        for _ in range(self.draw(st.integers(1, 3))):
            getattr(self, f"write_{self.draw(st.sampled_from(kinds))}")(lines, depth, pad)
        return lines

    def write_scale(self, lines: list[str], depth: int, pad: str) -> None:
        source, target = self.tensor(lines, pad), self.tensor(lines, pad)
        lines.append(
            f"{pad}{self.name()} = pl.call @scale({source}, {target}) : ({DATA}, {DATA}) -> {DATA}"
        )

    def write_hand_on(self, lines: list[str], depth: int, pad: str) -> None:
        """Puts rows of one's own into the peer's window, between two handshakes."""
        source = self.tensor(lines, pad)
        lines.append(f"{pad}pl.call @wait(%sig2) : ({D_SIGNAL}) -> ()")
        lines.append(
            f"{pad}{self.name()} = pl.call @hand_on({source}, %data) : ({DATA}, {D_DATA}) -> "
            f"{D_DATA}"
        )
        lines.append(f"{pad}pl.call @wait(%sig2) : ({D_SIGNAL}) -> ()")

    def write_exchange(self, lines: list[str], depth: int, pad: str) -> None:
        source, width = self.tensor(lines, pad), self.draw(st.sampled_from(["1", "2", "3"]))
        count = self.name()
        lines += [
            f"{pad}{count} = arith.constant {self.draw(st.integers(-1, 3))} : i32",
            f"{pad}{self.name()} = pl.tensor.write {count} into %counts[0, 0] : i32, {COUNTS}",
            f"{pad}{self.name()} = pld.tensor.all_to_all_v {source}, %data, %signal, %counts, "
            f"%recv core_num(%k{width}) : {DATA}, {D_DATA}, {D_SIGNAL}, {COUNTS}, {D_COUNTS}",
        ]

    def write_write(self, lines: list[str], depth: int, pad: str) -> None:
        row, column = self.draw(st.integers(0, 3)), self.draw(st.integers(0, 2))
        read, total = self.name(), self.name()
        lines += [
            f"{pad}{read} = pl.tensor.read %data[{row}, {column}] : {D_DATA} -> f32",
            f"{pad}{total} = arith.addf {read}, %x : f32",
            f"{pad}{self.name()} = pl.tensor.write {total} into %a[{row}, {column}] : f32, {DATA}",
        ]

    def write_copy(self, lines: list[str], depth: int, pad: str) -> None:
        made, row = self.name(), self.name()
        at = self.draw(st.integers(0, 3))
        lines += [
            f"{pad}{made} = pl.tensor.create : tensor<1x3xf32>",
            f"{pad}{row} = pl.tensor.slice %b[{at}, 0] [1, 3] : {DATA} -> tensor<1x3xf32>",
            f"{pad}{self.name()} = pl.tensor.assemble {row} into {made}[0, 0] : "
            "tensor<1x3xf32>, tensor<1x3xf32>",
            f"{pad}{self.name()} = pl.tensor.assemble {made} into %a[{3 - at}, 0] : "
            f"tensor<1x3xf32>, {DATA}",
        ]

    def write_keep(self, lines: list[str], depth: int, pad: str) -> None:
        lines.append(
            f"{pad}{self.name()} = pl.tensor.assemble %data into %b[0, 0] : {D_DATA}, {DATA}"
        )

    def write_for(self, lines: list[str], depth: int, pad: str) -> None:
        times = self.draw(st.sampled_from(["0", "1", "2"]))
        lines.append(f"{pad}scf.for {self.name()} = %k0 to %k{times} step %k1 {{")
        lines += [*self.block(depth + 1, pad + "  "), f"{pad}}}"]

    def write_if(self, lines: list[str], depth: int, pad: str) -> None:
        condition = self.draw(st.sampled_from(["%yes", "%no"]))
        lines.append(f"{pad}scf.if {condition} {{")
        lines += [*self.block(depth + 1, pad + "  "), f"{pad}}} else {{"]
        lines += [*self.block(depth + 1, pad + "  "), f"{pad}}}"]


WAIT = f"""\
func.func @wait(%s: {D_SIGNAL} {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %ctx = pld.system.get_comm_ctx %s : {D_SIGNAL}
  %me = pld.system.rank %ctx : i32
  %peer = arith.subi %one, %me : i32
  %mine = arith.index_cast %me : i32 to index
  %theirs = arith.index_cast %peer : i32 to index
  pld.system.notify %s[%mine, 0] peer(%peer) value(%one) {{op = "atomic_add"}}
    : {D_SIGNAL}, i32, i32
  pld.system.wait %s[%theirs, 0] expected(%one) {{cmp = "ge"}} : {D_SIGNAL}, i32
  pld.system.notify %s[%theirs, 0] peer(%me) value(%minus) {{op = "atomic_add"}}
    : {D_SIGNAL}, i32, i32
  func.return
}}
"""

PRELUDE = """\
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k3 = arith.addi %k1, %k2 : index
  %x = arith.constant 0.3 : f32
  %yes = arith.cmpi slt, %k0, %k1 : index
  %no = arith.cmpi slt, %k1, %k0 : index
"""


@st.composite
def bodies(draw: st.DrawFn) -> Sequence[str]:
    return Writer(draw).block(0, "  ")


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(body=bodies())
def test_passes_keep_what_a_program_computes(
    program: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str], body: Sequence[str]
):
    tensors = {"a": DATA, "b": DATA, "counts": COUNTS}
    windows = {"data": DATA, "signal": SIGNAL, "sig2": SIGNAL, "recv": COUNTS}
    text = program(RANKS, tensors, windows, PRELUDE + "\n".join(body), KERNELS + WAIT).text()
    file, expected = tmp_path / "program.mlir", str(tmp_path / "expected.npz")
    file.write_text(text)
    options = [str(file), "--ranks", str(RANKS), "-q", "--poison"]
    assert run.main([*options, "--save", expected]) == 0, text
    arrays = dict(np.load(expected))
    # A signal that a pass leaves without a use is no signal any more, so it is poisoned.
    np.savez(expected, **{name: arrays[name] for name in arrays if not name.startswith("window.s")})
    for passes in PIPELINES:
        status = run.main([*options, "-p", passes, "--compare", expected])
        error = capsys.readouterr().err
        assert (status, error) == (0, ""), f"{passes}: {error}{text}"
