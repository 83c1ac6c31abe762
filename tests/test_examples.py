"""The examples, before and after the passes, through xDSL's and MLIR's parsers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_pld.tools import opt

EXAMPLES = sorted(p.name for p in (Path(__file__).parent.parent / "examples").glob("*.mlir"))
BOTH_PASSES = "lower-l2-tensor-collectives,materialize-dist-tensor-ctx"
HEIR_OPT = shutil.which("heir-opt", path=str(Path(sys.executable).parent)) or shutil.which(
    "heir-opt"
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `pld-opt` prints, which must succeed."""
    status = opt.main(arguments)
    captured = capsys.readouterr()
    assert (status, captured.err) == (0, "")
    return captured.out


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("passes", ["", BOTH_PASSES])
def test_printed_forms_parse_again(
    capsys: pytest.CaptureFixture[str], repository: Path, tmp_path: Path, example: str, passes: str
):
    source = str(repository / "examples" / example)
    custom = run(capsys, source, "-p", passes)
    generic = run(capsys, source, "-p", passes, "--print-op-generic")
    for text in (custom, generic):
        copy = tmp_path / "copy.mlir"
        copy.write_text(text)
        assert run(capsys, str(copy)) == custom


@pytest.mark.skipif(HEIR_OPT is None, reason="heir-opt (package heir-py) is not installed")
@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("passes", ["", BOTH_PASSES])
def test_upstream_reads_the_generic_form(
    capsys: pytest.CaptureFixture[str], repository: Path, example: str, passes: str
):
    source = str(repository / "examples" / example)
    generic = run(capsys, source, "-p", passes, "--print-op-generic")
    assert HEIR_OPT is not None
    read = subprocess.run(
        [HEIR_OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic"],
        input=generic,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (read.returncode, read.stderr) == (0, "")
    assert read.stdout.count('"pl.call"') == generic.count('"pl.call"')


@pytest.mark.parametrize("example", ["chip_pipeline.mlir", "chip_pipeline_4.mlir"])
def test_every_call_carries_its_contexts(
    capsys: pytest.CaptureFixture[str], repository: Path, example: str
):
    """As many contexts at each call as distributed tensors, counted in the text."""
    lowered = run(capsys, str(repository / "examples" / example), "-p", BOTH_PASSES)
    calls = [line for line in lowered.splitlines() if "pl.call @" in line]
    assert len(calls) == 4
    for call in calls:
        operands = call.split(" : ", 1)[1].rsplit(" -> ", 1)[0]
        assert operands.count("!pld.comm_ctx") == operands.count("!pld.dist_tensor<")
