"""The driver of a host body, called with a runtime that keeps what it is asked for."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
import pytest


@dataclass
class Member:
    """A rank of a domain."""

    domain: str
    rank: int

    def window(self, slot: str, shape: tuple[int, ...], dtype: str) -> str:
        return f"{self.domain}[{self.rank}].{slot} {shape} {dtype}"

    @property
    def device_ctx(self) -> str:
        return f"{self.domain}[{self.rank}]"


@dataclass
class Domain:
    name: str

    def __getitem__(self, rank: int) -> Member:
        return Member(self.name, rank)

    @property
    def ordering(self) -> str:
        return f"__{self.name}_ord"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


@dataclass
class Runtime:
    world_size: int
    domains: list[tuple] = field(default_factory=list)
    submitted: list[tuple] = field(default_factory=list)

    def domain(self, name: str, devices, slots) -> Domain:
        self.domains.append((name, list(devices), slots))
        return Domain(name)

    def submit(self, folder: Path, device: int, tensors, scalars) -> None:
        self.submitted.append((folder.name, device, tensors, scalars))


def load(text: str, name: str = "host"):
    module = {"__file__": "/x/host.py"}
    exec(compile(text, "host.py", "exec"), module)
    return module[name]


def test_dispatches(succeed, programs: Path):
    runtime = Runtime(2)
    inputs = np.arange(2 * 8 * 64, dtype=np.float32).reshape(2, 8, 64)
    load(succeed(programs / "host_rail.mlir").only("host.py"))(runtime, inputs, None)
    slots = {"send": 2048, "data": 2048, "signal": 64, "sent": 64, "recv": 64}
    assert runtime.domains == [("comm_d0", [0, 1], slots), ("comm_d1", [0, 2], {"other": 2048})]
    folders = [submitted[:2] for submitted in runtime.submitted]
    builtin = "builtin.tensor.all_to_all_v__fp32"
    assert folders == [("chip", 0), ("chip", 1), ("chip", 0), (builtin, 0), (builtin, 1)]
    for rank in range(2):
        _, _, tensors, scalars = runtime.submitted[rank]
        (array, how), *others = tensors
        assert how == "IN"
        assert np.shares_memory(array, inputs)
        assert array.tolist() == inputs[rank].tolist()
        data = (f"comm_d0[{rank}].data (8, 64) float32", "INOUT")
        assert others == [data, ("__comm_d0_ord", "INOUT")]
        assert scalars == [2 * rank, f"comm_d0[{rank}]"]
    _, _, tensors, scalars = runtime.submitted[2]
    assert tensors[1:] == [
        ("comm_d1[0].other (8, 64) float32", "INOUT"),
        ("__comm_d1_ord", "INOUT"),
    ]
    assert scalars == [10, "comm_d1[0]"]
    _, _, tensors, scalars = runtime.submitted[4]
    assert tensors == [
        ("comm_d0[1].send (8, 64) float32", "IN"),
        ("comm_d0[1].data (8, 64) float32", "INOUT"),
        ("comm_d0[1].signal (2, 8) int32", "INOUT"),
        ("comm_d0[1].sent (2, 1) int32", "IN"),
        ("comm_d0[1].recv (2, 1) int32", "INOUT"),
        ("__comm_d0_ord", "INOUT"),
    ]
    assert scalars == ["comm_d0[1]", 10]


def test_a_rank_counts_the_devices_of_its_domain(succeed, programs: Path):
    text = (programs / "host_rail.mlir").read_text()
    text = text.replace("device(%c0)", "device(%two)").replace(
        "%c10 = arith", "%two = arith.constant 2 : index\n  %c10 = arith"
    )
    runtime = Runtime(3)
    inputs = np.zeros((3, 8, 64), np.float32)
    load(succeed(text).only("host.py"))(runtime, inputs, None)
    folder, device, _, scalars = runtime.submitted[3]
    assert (folder, device, scalars) == ("chip", 2, [10, "comm_d1[1]"])


@pytest.mark.parametrize("name", ["data\\22 + evil() + \\22", "caf\u00e9", "a\\0Ab"])
def test_names_of_windows_are_only_text(succeed, programs: Path, name: str):
    text = (programs / "host_rail.mlir").read_text().replace('"other"', f'"{name}"')
    runtime = Runtime(2)
    load(succeed(text).only("host.py"))(runtime, np.zeros((2, 8, 64), np.float32), None)
    (slot,) = runtime.domains[1][2]
    assert slot == name.replace("\\22", '"').replace("\\0A", "\n")


def test_a_host_without_domains_gets_no_driver_and_a_note(build, programs: Path):
    built = build(programs / "exchange.mlir", "-p", "")
    assert (built.status, built.err) == (0, "")
    assert "host.py" not in built.files
    assert "note: no driver for host body 'host': its windows are in no communication" in built.out


def test_windows_are_put_into_domains_first(succeed, programs: Path):
    runtime = Runtime(2)
    arrays = [np.zeros((2, 8, 64), np.float32)] * 2
    arrays += [np.zeros((2, 2, 1), np.int32), np.zeros((2, 8, 64), np.float32)]
    load(succeed(programs / "exchange.mlir").only("host.py"))(runtime, *arrays)
    assert [name for name, _, _ in runtime.domains] == ["comm_d0"]
    assert [submitted[:2] for submitted in runtime.submitted] == [
        ("chip_pipeline", 0),
        ("chip_pipeline", 1),
    ]


def test_what_has_no_form_on_the_host(build, programs: Path):
    text = (programs / "host_rail.mlir").read_text()
    text = text.replace(
        "  %devices = pld", "  %e = pl.tensor.create : tensor<4xf32>\n  %devices = pld"
    )
    built = build(text)
    assert built.status == 1
    assert "error: 'pl.tensor.create' has no form in a host driver" in built.err
