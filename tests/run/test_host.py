"""
What the host body and its dispatches may rely on: order on a device, order through host tensors,
and a host that waits before it looks at memory.
"""

from collections.abc import Callable

import numpy as np
import pytest

ROW = "tensor<4xi32>"
PIPELINES = f"""\
func.func @fill(%x: {ROW} {{pl.dir = "out"}}, %v: i32)
    attributes {{pl.func_type = "orchestration"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {{
    %w = pl.tensor.write %v into %x[%i] : i32, {ROW}
  }}
  func.return
}}
func.func @double(%x: {ROW}, %y: {ROW} {{pl.dir = "inout"}}) -> {ROW}
    attributes {{pl.func_type = "orchestration"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {{
    %v = pl.tensor.read %x[%i] : {ROW} -> i32
    %s = arith.addi %v, %v : i32
    %w = pl.tensor.write %s into %y[%i] : i32, {ROW}
  }}
  func.return %y : {ROW}
}}
"""


def host(steps: str) -> str:
    return f"""\
{PIPELINES}
func.func @host(%x: {ROW}, %y: {ROW}, %z: {ROW})
    attributes {{pl.level = "host", pl.role = "orchestrator"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
{steps}
  func.return
}}
"""


def fill(tensor: str, value: str, device: str) -> str:
    return f"  pl.call @fill({tensor}, {value}) device({device}) : ({ROW}, i32) -> ()\n"


def double(name: str, source: str, target: str, device: str) -> str:
    return (
        f"  {name} = pl.call @double({source}, {target}) device({device}) : ({ROW}, {ROW}) -> "
        f"{ROW}\n"
    )


def test_jobs_of_a_device_run_in_order(succeed: Callable):
    steps = (
        fill("%x", "%three", "%c1") + fill("%x", "%five", "%c1") + double("%r", "%x", "%y", "%c1")
    )
    outcome = succeed(host(steps), "--ranks", "2")
    assert outcome.arrays["y"].tolist() == [10] * 4
    assert outcome.column("dispatches L3->L2") == [0, 3]


@pytest.mark.parametrize("devices", [("%c0", "%c1", "%c2"), ("%c2", "%c1", "%c0")])
def test_a_host_tensor_orders_the_jobs_of_several_devices(succeed: Callable, devices: tuple):
    """Producer and consumers on three devices; the result is the argument that is returned."""
    first, second, third = devices
    steps = (
        fill("%x", "%three", first)
        + double("%a", "%x", "%y", second)
        + double("%b", "%a", "%z", third)
        + fill("%x", "%five", second)
    )
    outcome = succeed(host(steps), "--ranks", "3")
    assert outcome.arrays["x"].tolist() == [5] * 4
    assert outcome.arrays["y"].tolist() == [6] * 4
    assert outcome.arrays["z"].tolist() == [12] * 4


def test_the_host_waits_before_it_reads(succeed: Callable):
    """A branch on what a device computed, and a write that the next dispatch sees."""
    steps = (
        fill("%x", "%three", "%c1")
        + f"""\
  %v = pl.tensor.read %x[0] : {ROW} -> i32
  %is_three = arith.cmpi eq, %v, %three : i32
  scf.if %is_three {{
    %w = pl.tensor.write %five into %x[2] : i32, {ROW}
  }}
"""
        + double("%r", "%x", "%y", "%c0")
    )
    outcome = succeed(host(steps), "--ranks", "2")
    assert outcome.arrays["y"].tolist() == [6, 6, 10, 6]


@pytest.mark.parametrize("core_num", [1, 2, 3, 7])
@pytest.mark.parametrize("passes", ["", "lower-l2-tensor-collectives"])
def test_core_num_changes_nothing(
    succeed: Callable, run_text: Callable, exchange_text: Callable, core_num: int, passes: str
):
    text = exchange_text(2, 3, 5, 2, core_num=7)
    plain = succeed(text, "-p", passes)
    outcome = succeed(text, "-p", passes, "--core-num", str(core_num))
    for name, array in plain.arrays.items():
        assert np.array_equal(outcome.arrays[name], array)
    wide = run_text(text, "-p", passes, "--core-num", "9")
    assert wide.status == 1
    assert "signal has 7 columns, fewer than the 8 admitted blocks" in wide.err
