"""
Every emitted C++ source compiles, for both runtimes and both cards; and the orchestrations, called,
ask of the runtime what the program says.
"""

import ctypes
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.templates.runtimes import RUNTIME_PROFILES, TARGETS
from xdsl_pld.tools import build as tool
from xdsl_pld.tools.sim.abi import (
    ALLOCATE,
    FATAL,
    SCOPE,
    SUBMIT,
    PipelineArguments,
    RuntimeTable,
    TensorDescriptor,
    fill_descriptor,
)
from xdsl_pld.tools.sim.compiler import FLAGS, INCLUDE, Compiler, load_library, profile_macros

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
KINDS = [(runtime, target) for runtime in RUNTIME_PROFILES for target in TARGETS]


WITHOUT_TEMPLATE = {"two_domains.mlir": "pld.builtin.allreduce"}
"""Examples whose host rail dispatches what there is no template for."""


def is_buildable(program: Path) -> bool:
    return program.name not in WITHOUT_TEMPLATE


def sources(folder: Path, runtime: str, target: str, programs: Path) -> Iterator[Path]:
    for program in filter(is_buildable, [*sorted(programs.glob("*.mlir")), *EXAMPLES]):
        output = folder / f"{program.parent.name}_{program.stem}"
        options = ["--runtime", runtime, "--target", target, "-q", "-o", str(output)]
        assert tool.main([str(program), *options]) == 0
        yield from sorted(output.rglob("*.cpp"))


@pytest.mark.parametrize(("runtime", "target"), KINDS)
def test_every_source_compiles(
    compiler: Compiler, programs: Path, tmp_path: Path, runtime: str, target: str
):
    texts: dict[str, Path] = {}
    for source in sources(tmp_path, runtime, target, programs):
        texts.setdefault(source.read_text(), source)
    assert len(texts) >= 6
    flags = [*FLAGS, *profile_macros(runtime, target), f"-I{INCLUDE}", "-fsyntax-only"]
    done = subprocess.run(
        [compiler.command, *flags, *texts.values()], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("example", [e for e in EXAMPLES if not is_buildable(e)])
def test_an_example_of_collectives_without_a_template(capsys, example: Path):
    assert tool.main([str(example), "--print"]) == 1
    message = f"'{WITHOUT_TEMPLATE[example.name]}' has no template"
    assert message in capsys.readouterr().err


# Called.


@dataclass
class Submitted:
    """A task, as the runtime got it."""

    kind: int
    func_ids: list[int]
    tensors: list[tuple[int, int]]
    """The address of the data, and the direction."""
    scalars: list[int]
    dependencies: list[int]
    blocks: int
    sync_start: bool


@dataclass
class Runtime:
    """A runtime that runs nothing and keeps what it was asked for."""

    tasks: list[Submitted] = field(default_factory=list)
    fatal: list[str] = field(default_factory=list)
    allocated: list[np.ndarray] = field(default_factory=list)

    def submit(self, pointer) -> int:
        task = pointer.contents
        assert not task.scalar_before_tensor
        tensors = []
        for i in range(task.tensor_count):
            descriptor = TensorDescriptor.from_address(task.tensors[i].tensor)
            place = descriptor.address + 4 * descriptor.start_offset
            tensors.append((place, task.tensors[i].direction))
        self.tasks.append(
            Submitted(
                task.kind,
                list(task.func_ids),
                tensors,
                [task.scalars[i] for i in range(task.scalar_count)],
                [task.dependencies[i] for i in range(task.dependency_count)],
                task.blocks,
                bool(task.sync_start),
            )
        )
        return len(self.tasks) - 1

    def allocate(self, pointer: int) -> None:
        self.allocated.append(np.zeros(1024, np.float32))
        TensorDescriptor.from_address(pointer).address = self.allocated[-1].ctypes.data


def call(library: ctypes.CDLL, arrays: Mapping[str, np.ndarray], scalars: list[int]) -> Runtime:
    runtime = Runtime()
    table = RuntimeTable(
        SUBMIT(runtime.submit),
        FATAL(lambda code, text: runtime.fatal.append(f"{code}: {text.decode()}")),
        SCOPE(lambda enters: None),
        ALLOCATE(runtime.allocate),
    )
    size = ctypes.sizeof(TensorDescriptor)
    memory = ctypes.create_string_buffer(len(arrays) * size + 64)
    start = ctypes.addressof(memory)
    start += -start % 64
    places = [start + i * size for i in range(len(arrays))]
    for place, array in zip(places, arrays.values(), strict=True):
        fill_descriptor(TensorDescriptor.from_address(place), array)
    arguments = PipelineArguments(
        (ctypes.c_void_p * len(places))(*places),
        (ctypes.c_uint64 * len(scalars))(*scalars),
        len(places),
        len(scalars),
    )
    library.aicpu_orchestration_config.restype = ctypes.c_int32
    expected = library.aicpu_orchestration_config(ctypes.byref(arguments))
    assert expected == len(places) + len(scalars)
    library.pld_sim_bind_runtime(ctypes.byref(table))
    library.aicpu_orchestration_entry(ctypes.byref(arguments))
    return runtime


@pytest.fixture
def load(succeed, compiler: Compiler, programs: Path):
    def load(name: str) -> ctypes.CDLL:
        text = succeed(programs / f"{name}.mlir").only("/pipeline.cpp")
        return load_library(compiler.orchestration(text))

    return load


F = np.frombuffer(np.float32(1.5).tobytes(), np.uint32)[0]


def run_control_flow(library: ctypes.CDLL, n: int, flag: bool, number: int = 7):
    arrays = {name: np.zeros((8, 64), np.float32) for name in "xyz"}
    arrays["big"] = np.zeros((4, 8, 64), np.float32)
    arrays["counts"] = np.array([1, 0, 2, 0], np.int32)
    arguments = [ctypes.c_uint64(n).value, int(flag), int(F), ctypes.c_uint64(number).value]
    return arrays, call(library, arrays, arguments)


def test_control_flow(load):
    """Three iterations of ping-pong, three of the while (1 + 0 + 2), a guarded launch."""
    library = load("control_flow")
    arrays, runtime = run_control_flow(library, 3, flag=True)
    at = {name: array.ctypes.data for name, array in arrays.items()}
    plane = 8 * 64 * 4
    inputs, inouts = 0, 2
    tasks = runtime.tasks
    assert [task.kind for task in tasks] == [0, 0, 0, 0, 1, 1, 1, 0]
    assert tasks[0].tensors == [(at["x"], inputs), (at["y"], inouts)]
    assert tasks[0].scalars == [3, F]
    # cur, next start as y, z and change places after each iteration.
    for i, buffer in enumerate("zyz"):
        assert tasks[1 + i].tensors == [(at["big"] + i * plane, inputs), (at[buffer], inouts)]
    assert [task.scalars[0] for task in tasks[1:4]] == [0, 1, 1]
    assert [task.dependencies for task in tasks[1:4]] == [[0], [0, 1], [0, 2]]
    assert arrays["counts"].tolist() == [2, 1, 3, 0]
    for task in tasks[4:7]:
        assert task.tensors == [(at["z"], inputs), (at["y"], inouts)]
        assert (task.blocks, task.sync_start) == (4, False)
    assert [task.dependencies for task in tasks[4:7]] == [[3], [3, 4], [3, 5]]
    assert (tasks[7].blocks, tasks[7].sync_start) == (3, True)
    assert tasks[7].scalars == [0, F]
    # Then a transpose is viewed under another shape, which it does not allow.
    assert runtime.fatal == ["5: pipeline: the source of a view is not contiguous"]


def test_what_did_not_run_is_not_waited_for(load):
    _, runtime = run_control_flow(load("control_flow"), 0, flag=False)
    assert [task.kind for task in runtime.tasks] == [1]
    assert runtime.tasks[0].dependencies == []


@pytest.mark.parametrize("n", [4, 1])
def test_a_width_of_one_has_no_launch_spec(load, n: int):
    _, runtime = run_control_flow(load("control_flow"), n, flag=False)
    assert (runtime.tasks[-1].blocks, runtime.tasks[-1].sync_start) == (n, n > 1)


def test_tasks(load):
    arrays = {
        "a": np.zeros((8, 64), np.float32),
        "d": np.zeros((8, 64), np.float32),
        "out": np.zeros((4, 4), np.int32),
    }
    runtime = call(load("tasks"), arrays, [0xC0])
    at = {name: array.ctypes.data for name, array in arrays.items()}
    (made,) = (array.ctypes.data for array in runtime.allocated)
    assert runtime.fatal == []
    assert [(t.kind, t.func_ids) for t in runtime.tasks] == [
        (0, [0, -1, -1]),
        (2, [1, 2, -1]),
        (3, [-1, -1, -1]),
        (0, [2, -1, -1]),
    ]
    assert [t.tensors for t in runtime.tasks] == [
        [(at["a"], 0), (at["d"], 0), (made, 4)],
        [(made, 0), (at["out"], 2)],
        [],
        [(made, 3), (at["out"], 2)],
    ]
    assert [t.scalars for t in runtime.tasks] == [[0xC0], [], [], []]
    assert [t.dependencies for t in runtime.tasks] == [[], [0], [0, 1], [2, 1]]
    assert [t.blocks for t in runtime.tasks] == [1, 1, 1, 8]
