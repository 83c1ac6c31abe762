"""`mlir-opt[...]` in pipelines of pld-opt, with the heir-opt that the tests install."""

import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from xdsl_pld.tools.mlir.mlir_opt import find_executable
from xdsl_pld.tools.opt import main

LOWER = "lower-l2-tensor-collectives"
MATERIALIZE = "materialize-dist-tensor-ctx"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def no_other_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what stands beside Python is found."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("XDSL_MLIR_OPT", raising=False)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs pld-opt on a text called in.mlir; gives status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, pipeline: str, *flags: str) -> tuple[int, str, str]:
        Path("in.mlir").write_text(text, encoding="utf-8")
        status = main(["in.mlir", "-p", pipeline, *flags])
        return status, *capsys.readouterr()

    return run


def test_upstream_passes_stand_between_ours(repository: Path, run: Run):
    text = (repository / "examples" / "chip_pipeline.mlir").read_text(encoding="utf-8")
    status, out, err = run(text, f"{LOWER},mlir-opt[cse,canonicalize],{MATERIALIZE}")
    assert (status, err) == (0, "")
    assert "pl.call @__builtin_all_to_all_v__fp32(%stage2, %data, %signal, %counts2, %recv, " in out


def test_names_and_locations_are_kept(run: Run):
    text = """func.func @f(%argument: i32) -> i32 {
      %sum = arith.addi %argument, %argument : i32
      func.return %sum : i32
    }
    """
    status, out, err = run(text, "mlir-opt[canonicalize]", "--print-debuginfo")
    assert (status, err) == (0, "")
    assert '%argument: i32 loc("in.mlir":1:14)' in out
    assert '%sum = arith.addi %argument, %argument : i32 loc("in.mlir":2:7)' in out


def test_an_error_of_ours_after_upstream_passes_has_its_line(run: Run):
    text = """func.func @chip(%s: !pld.dist_tensor<tensor<2x1xi32>>)
      attributes {pl.func_type = "orchestration"} {
      %g = pld.tensor.barrier %s : !pld.dist_tensor<tensor<2x1xi32>>
      func.return
    }
    """
    status, out, err = run(text, f"mlir-opt[cse],{LOWER}")
    assert (status, out) == (1, "")
    assert err.startswith("in.mlir:3:7: error: pld.tensor.barrier has no chip-rail lowering")


def test_an_error_of_mlir_opt_has_our_line(run: Run):
    text = 'func.func @f(%a: i32) {\n  "test.op"() : () -> ()\n  "arith.addi"(%a) : (i32) -> i32\n'
    text += "  func.return\n}\n"
    flags = ("--allow-unregistered-dialect", "--disable-verify")
    status, _, err = run(text.replace('"arith', '%b = "arith'), "mlir-opt[cse]", *flags)
    assert status == 1
    assert err.splitlines()[:2] == [
        "in.mlir:3:3: error: mlir-opt: 'arith.addi' op expected 2 operands, but found 1",
        '  %b = "arith.addi"(%a) : (i32) -> i32',
    ]


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("mlir-opt[canonicalise]", "'canonicalise' does not refer to a registered pass"),
        ('mlir-opt{arguments="--no-such-flag"}', "Unknown command line argument '--no-such-flag'"),
    ],
)
def test_a_wrong_use_of_mlir_opt_is_shown(run: Run, pipeline: str, message: str):
    status, _, err = run("func.func private @f()\n", pipeline)
    assert status == 1
    assert err.startswith("in.mlir:1:1: error: mlir-opt")
    assert message in err


def test_a_missing_driver_is_explained(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    status, _, err = run("func.func private @f()\n", "mlir-opt[cse]")
    assert status == 1
    assert "error: pass 'mlir-opt' finds no mlir-opt or heir-opt, neither on PATH nor" in err
    assert "note: `pip install heir-py` brings heir-opt" in err
    assert "internal error" not in err


def test_the_environment_names_a_driver(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDSL_MLIR_OPT", "no-such-mlir-opt")
    status, _, err = run("func.func private @f()\n", "mlir-opt[cse]")
    assert status == 1
    assert "finds no no-such-mlir-opt" in err


def test_mlir_opt_on_the_path_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    beside = find_executable()
    assert beside is not None
    assert Path(beside).name == "heir-opt"
    on_path = tmp_path / "mlir-opt"
    on_path.write_text("#!/bin/sh\n", encoding="utf-8")
    on_path.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_executable() == str(on_path)
    assert find_executable("heir-opt") == beside


def script(folder: Path, text: str) -> str:
    shell = shutil.which("sh", path="/bin:/usr/bin")
    file = folder / "driver"
    file.write_text(f"#!{shell}\n{text}\n", encoding="utf-8")
    file.chmod(stat.S_IRWXU)
    return str(file)


@pytest.mark.parametrize(
    ("driver", "message"),
    [
        ("exit 3", "mlir-opt ended with status 3: no message"),
        ("echo 'not mlir'", "cannot read back what mlir-opt wrote"),
        ("true", "cannot read back what mlir-opt wrote"),
    ],
)
def test_a_broken_driver_is_an_error_in_the_input_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str, message: str
):
    monkeypatch.setenv("XDSL_MLIR_OPT", script(tmp_path, driver))
    status, _, err = run("func.func private @f()\n", "mlir-opt[cse]")
    assert status == 1
    assert err.startswith(f"in.mlir:1:1: error: {message}")


def test_a_region_that_upstream_does_not_know_is_named(run: Run):
    text = """func.func @host() attributes {pl.level = "host", pl.role = "orchestrator"} {
      %bytes = arith.constant 2048 : index
      pld.comm_domain attributes {name = "d", slots = ["b"]} {
        %b = pld.tensor.alloc_window_buffer %bytes {name = "b"} : !pld.window_buffer
      }
      func.return
    }
    """
    status, out, _ = run(text, "mlir-opt[canonicalize,cse]")
    assert (status, "pld.comm_domain attributes" in out) == (0, True)
    status, _, err = run(text, "mlir-opt[symbol-dce]")
    assert status == 1
    assert "in.mlir:3:7: note: upstream's inline and symbol-dce cannot see into a 'pld." in err
