"""Windows on some of the ranks: the same before and after the domains are written down."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

DOMAINS = "synthesize-allreduce-signals,materialize-comm-domain-scopes"
STAGES = ("", DOMAINS, f"{DOMAINS},lower-host-tensor-collectives", "pld-default-pipeline")


@pytest.mark.parametrize("ranks", [(), ("--ranks", "3"), ("--ranks", "4")])
@pytest.mark.parametrize("passes", STAGES)
def test_two_domains_that_overlap(succeed: Callable, repository: Path, passes: str, ranks: tuple):
    text = (repository / "examples" / "two_domains.mlir").read_text()
    arrays = succeed(text, "-p", passes, *ranks).arrays
    lefts, rights = arrays["lefts"], arrays["rights"]
    left, right = lefts[0] + lefts[1], np.maximum(rights[1], rights[2])
    np.testing.assert_array_equal(arrays["sums"], [left, left, right])
    assert len(arrays["window.left_buf"]) == len(arrays["window.right_buf"]) == 2


def test_a_device_of_a_domain_that_is_not_there(run_text: Callable, repository: Path):
    text = (repository / "examples" / "two_domains.mlir").read_text()
    assert "device 2 is out of range: there are 2 (--ranks)" in run_text(text, "--ranks", "2").err


@pytest.mark.parametrize("passes", ["", "materialize-comm-domain-scopes"])
@pytest.mark.parametrize("wrong", ["3", "5"])
def test_a_domain_of_all_devices_by_number_states_the_ranks(
    succeed: Callable, run_text: Callable, repository: Path, wrong: str, passes: str
):
    text = (repository / "examples" / "chip_pipeline_4.mlir").read_text()
    numbered = text.replace("= pld.system.world_size", "= arith.constant 4")
    assert numbered != text
    assert succeed(numbered, "-p", passes).arrays["inputs"].shape[0] == 4
    message = run_text(numbered, "-p", passes, "--ranks", wrong).err
    assert f"--ranks is {wrong}, but signal [4, 4] states 4 ranks" in message


@pytest.mark.parametrize("ranks", [(), ("--ranks", "2")])
def test_lowered_programs_run_on_the_ranks_that_are_stated_before(
    succeed: Callable, repository: Path, ranks: tuple
):
    text = (repository / "examples" / "incore_rail.mlir").read_text()
    assert len(succeed(text, "-p", "lower-composite-ops", *ranks).column("rank")) == 2


def test_other_ranks_than_those_stated_before_passes(run_text: Callable, repository: Path):
    text = (repository / "examples" / "incore_rail.mlir").read_text()
    outcome = run_text(text, "-p", "lower-composite-ops", "--ranks", "3")
    assert outcome.status == 1
    assert "--ranks is 3, but signal [2, 1] states 2 ranks" in outcome.err
