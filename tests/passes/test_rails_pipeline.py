"""The whole pipeline: the examples, the host rail against the chip rail, random programs."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from xdsl_pld.tools import opt, run

PIPELINE = "pld-default-pipeline"
EXAMPLES = {
    "chip_pipeline": 2,
    "host_rail": 2,
    "incore_rail": 2,
    "two_domains": 3,
    "exchange_loop": 2,
    "submit_chain": 2,
}
"""With the number of ranks."""


def ranks_and_dispatches(report: str) -> list[list[str]]:
    return [line.split() for line in report.splitlines() if line.strip()[:1].isdigit()]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_goes_to_the_end_and_runs(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], example: str
):
    """Verified after every pass; the second run changes nothing; the bits stay."""
    source = str(repository / "examples" / f"{example}.mlir")
    once, twice = tmp_path / "once.mlir", tmp_path / "twice.mlir"
    assert opt.main([source, "-p", PIPELINE, "-o", str(once)]) == 0
    assert opt.main([str(once), "-p", PIPELINE, "-o", str(twice)]) == 0
    assert once.read_text() == twice.read_text()
    # Domains are known from the dispatches; to run a program in several, they are made first.
    before = "synthesize-allreduce-signals,materialize-comm-domain-scopes"
    ranks = ("--ranks", str(EXAMPLES[example]))
    expected, got = tmp_path / "expected.npz", tmp_path / "got.npz"
    assert run.main([source, *ranks, "-p", before, "--save", str(expected)]) == 0
    assert run.main([str(once), *ranks, "--save", str(got)]) == 0
    assert capsys.readouterr().err == ""
    with np.load(expected) as left, np.load(got) as right:
        assert set(left) == set(right)
        for name in left:
            if "signal" not in name:
                assert np.array_equal(left[name].view("u1"), right[name].view("u1")), name


def test_the_domains_compute_what_they_should(repository: Path, tmp_path: Path):
    """Devices 0 and 1 sum `left`; devices 1 and 2 take the maximum of `right`."""
    source, saved = repository / "examples" / "two_domains.mlir", tmp_path / "out.npz"
    assert run.main([str(source), "--ranks", "3", "-q", "-p", PIPELINE, "--save", str(saved)]) == 0
    with np.load(saved) as arrays:
        lefts, rights, sums = (arrays[name] for name in ("lefts", "rights", "sums"))
    total, largest = lefts[0] + lefts[1], np.maximum(rights[1], rights[2])
    assert np.array_equal(sums, np.stack([total, total, largest]))


@pytest.mark.parametrize("passes", ["", PIPELINE])
def test_the_rails_agree(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], passes: str
):
    """Stage, exchange, consume: the same bits on all rails, by 3, 1 and 1 dispatches a device."""
    rng = np.random.default_rng(1)
    inputs = {
        "inputs": rng.normal(size=(2, 8, 64)).astype(np.float32),
        "outputs": np.zeros((2, 8, 64), np.float32),
    }
    given_ = tmp_path / "in.npz"
    np.savez(given_, **inputs)
    outputs: list[np.ndarray] = []
    for example, dispatches in (("host_rail", 3), ("chip_pipeline", 1), ("incore_rail", 1)):
        source, saved = repository / "examples" / f"{example}.mlir", tmp_path / f"{example}.npz"
        options = ["--ranks", "2", "-p", passes, "--inputs", str(given_), "--save", str(saved)]
        assert run.main([str(source), *options]) == 0
        report = capsys.readouterr().out
        assert [row[1] for row in ranks_and_dispatches(report)] == [str(dispatches)] * 2
        with np.load(saved) as arrays:
            outputs.append(arrays["outputs"])
    assert outputs[0].any()
    assert np.array_equal(outputs[0], outputs[1])
    assert np.array_equal(outputs[0], outputs[2])


# Random programs

T, C = "tensor<4x3xf32>", "tensor<2x1xi32>"
D, S = f"!pld.dist_tensor<{T}>", "!pld.dist_tensor<tensor<2x1xi32>>"
HALF = "!pld.dist_tensor<tensor<2x3xf32>>"
WINDOWS = {"a": D, "b": D, "h": HALF, "s": S, "q": S, "sc": S, "rc": S}
PARAMETERS = ", ".join(f'%{n}: {t} {{pl.dir = "inout"}}' for n, t in WINDOWS.items())
TYPES = ", ".join(WINDOWS.values())
NAMES = ", ".join(f"%{n}" for n in WINDOWS)
REDUCTIONS = ("sum", "max", "min", "prod")


def collective(draw: st.DrawFn, rail: str) -> str:
    x, y = draw(st.permutations(["%a", "%b"]))
    sig = draw(st.sampled_from(["%s", "%q"]))
    op = draw(st.sampled_from(REDUCTIONS))
    forms = {
        "exchange": f"all_to_all_v {x}, {y}, {sig}, %sc, %rc : {D}, {D}, {S}, {S}, {S}",
        "all_to_all": f"all_to_all {x}, {y}, {sig} : {D}, {D}, {S}",
        "allgather": f"allgather %h, {y}, {sig} : {HALF}, {D}, {S}",
        "allreduce": f'allreduce {x}, {sig} {{op = "{op}"}} : {D}, {S}',
        "reduce_scatter": f'reduce_scatter {x}, {sig} {{op = "{op}"}} : {D}, {S}',
        "broadcast": f"broadcast {x}, {sig} {{root = 1 : i64}} : {D}, {S}",
        "barrier": f"barrier {sig} : {S}",
    }
    if rail == "host":
        forms["unsigned"] = f'allreduce {x} {{op = "{op}"}} : {D}'
    known = ["exchange"] if rail == "chip" else list(forms)
    return "pld.tensor." + forms[draw(st.sampled_from(known))]


def statements(draw: st.DrawFn, rail: str, pad: str, depth: int = 0) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kinds = ["collective"]
        if depth < 2:
            kinds += ["for", "if"]
        if rail == "chip":
            kinds += ["kernel", "scale"]
        if rail == "host" and depth == 0:
            kinds.append("dispatch")
        kind = draw(st.sampled_from(kinds))
        if kind == "collective":
            text = collective(draw, rail)
            if rail == "host" and depth > 0 and S not in text:
                continue  # in a loop it needs a signal
            lines.append(f"{pad}{text}")
        elif kind == "kernel":
            lines.append(f"{pad}pl.call @kernel({NAMES}) : ({TYPES}) -> ()")
        elif kind == "scale":
            lines.append(f"{pad}pl.call @scale(%a) : ({D}) -> ()")
        elif kind == "dispatch":
            lines += [
                f"{pad}scf.for %r = %c0 to %all step %c1 {{",
                f"{pad}  pl.call @chip({NAMES}) device(%r) : ({TYPES}) -> ()",
                f"{pad}}}",
            ]
        elif kind == "for":
            inner = statements(draw, rail, pad + "  ", depth + 1)
            turns = draw(st.sampled_from(["%c0", "%c1", "%c2"]))
            lines += [f"{pad}scf.for %i{depth}_ = %c0 to {turns} step %c1 {{", *inner, f"{pad}}}"]
        else:
            inner = statements(draw, rail, pad + "  ", depth + 1)
            lines += [f"{pad}scf.if %yes {{", *inner, f"{pad}}}"]
    return lines


CONSTANTS = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %yes = arith.cmpi slt, %c0, %c1 : index
"""


@st.composite
def programs(draw: st.DrawFn) -> str:
    kernel, chip, host = (
        "\n".join(statements(draw, rail, "  ")) for rail in ("kernel", "chip", "host")
    )
    sizes = {D: 48, HALF: 24, S: 8}
    windows = "".join(
        f"  %{n}_bytes = arith.constant {sizes[t]} : index\n"
        f"  %{n}_buf = pld.tensor.alloc_window_buffer %{n}_bytes "
        f'{{name = "{n}{"_signal" if n in "sq" else ""}"}} : !pld.window_buffer\n'
        f"  %{n} = pld.tensor.window %{n}_buf : !pld.window_buffer -> {t}\n"
        for n, t in WINDOWS.items()
    )
    return f"""\
func.func @scale(%a: {D} {{pl.dir = "inout"}}) attributes {{pl.func_type = "incore"}} {{
  %half = arith.constant 0.5 : f32
  %t = pl.tile.load %a[0, 0] [4, 3] : {D} -> !pl.tile<{T}>
  %u = pl.tile.mul %t, %half : !pl.tile<{T}>, f32
  %v = pl.tile.store %u into %a[0, 0] : !pl.tile<{T}>, {D}
  func.return
}}
func.func @kernel({PARAMETERS}) attributes {{pl.func_type = "incore"}} {{
{CONSTANTS}{kernel}
  func.return
}}
func.func @chip({PARAMETERS}) attributes {{pl.func_type = "orchestration"}} {{
{CONSTANTS}{chip}
  func.return
}}
func.func @fill(%x: {T}, {PARAMETERS}) attributes {{pl.func_type = "orchestration"}} {{
  %n = arith.constant 1 : i32
  %m = pl.tensor.write %n into %sc[0, 0] : i32, {S}
  %f = pl.tensor.assemble %x into %a[0, 0] : {T}, {D}
  %e = pl.tensor.assemble %x into %b[0, 0] : {T}, {D}
  func.return
}}
func.func @host(%xs: tensor<2x4x3xf32>)
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
{CONSTANTS}{windows}  %all = pld.system.world_size : index
  scf.for %r = %c0 to %all step %c1 {{
    %x = pl.tensor.slice %xs[%r, 0, 0] [1, 4, 3] : tensor<2x4x3xf32> -> {T}
    pl.call @fill(%x, {NAMES}) device(%r) : ({T}, {TYPES}) -> ()
  }}
  pld_body
  func.return
}}
""".replace("  pld_body", host)


@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=programs())
def test_random_programs_stay_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
):
    source, once, twice = (tmp_path / f"{n}.mlir" for n in ("in", "once", "twice"))
    source.write_text(text)
    # What canonicalize removes at the end would change the numbers of tasks in a second run.
    cleaned = f"canonicalize,{PIPELINE}"
    assert opt.main([str(source), "-p", cleaned, "-o", str(once)]) == 0, capsys.readouterr().err
    assert opt.main([str(once), "-p", PIPELINE, "-o", str(twice)]) == 0, capsys.readouterr().err
    assert once.read_text() == twice.read_text()
    assert not any(
        "pld.tensor." in line
        and not line.lstrip().startswith(("pld.tensor.put", "pld.tensor.get"))
        and "alloc_window_buffer" not in line
        and "pld.tensor.window" not in line
        for line in once.read_text().splitlines()
    )
    arrays: list[dict[str, np.ndarray]] = []
    for file in (source, once):
        saved = tmp_path / "out.npz"
        options = [str(file), "--ranks", "2", "--poison", "-q", "--save", str(saved)]
        assert run.main(options) == 0, capsys.readouterr().err
        with np.load(saved) as loaded:
            arrays.append({n: loaded[n] for n in loaded if "signal" not in n})
    assert set(arrays[0]) == set(arrays[1])
    for name, array in arrays[0].items():
        assert np.array_equal(array.view("u1"), arrays[1][name].view("u1")), name
