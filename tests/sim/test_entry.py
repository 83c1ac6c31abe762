"""The host rail's entry, compiled and called against a runtime table that Python gives."""

import ctypes
import random
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.dialects.builtin_kernels import ALL_TO_ALL_V, TEMPLATE_PREFIX
from xdsl_pld.passes.analysis.launch_width import admitted_blocks
from xdsl_pld.templates.render import Renderer
from xdsl_pld.templates.runtimes import MAX_LAUNCH_BLOCKS, RUNTIME_PROFILES, TARGETS
from xdsl_pld.tools.sim.abi import TensorDescriptor, fill_descriptor
from xdsl_pld.tools.sim.compiler import FLAGS, INCLUDE, load_library, profile_macros

HANDLE = TEMPLATE_PREFIX + "all_to_all_v"
INVALID_ARGS = 5
INPUT, INOUT = 0, 2
CONTEXT = 0x1234_5678_9ABC

# l2-collectives, Launch width: P, L, B.
TABLE = [
    (8, 1, 1),
    (8, 7, 7),
    (8, 8, 8),
    (8, 10, 8),
    (8, 15, 8),
    (8, 16, 16),
    (16, 7, 7),
    (16, 16, 16),
    (4, 16, 16),
]


class Argument(ctypes.Structure):
    _fields_ = (("tensor", ctypes.c_void_p), ("direction", ctypes.c_int32), ("_", ctypes.c_int32))


class Task(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_int32),
        ("func_ids", ctypes.c_int32 * 3),
        ("tensor_count", ctypes.c_uint32),
        ("scalar_count", ctypes.c_uint32),
        ("tensors", ctypes.POINTER(Argument)),
        ("scalars", ctypes.POINTER(ctypes.c_uint64)),
        ("dependencies", ctypes.POINTER(ctypes.c_uint64)),
        ("dependency_count", ctypes.c_uint32),
        ("blocks", ctypes.c_int16),
        ("sync_start", ctypes.c_int16),
        ("scalar_before_tensor", ctypes.c_int32),
    )


class ChipTaskArgs(ctypes.Structure):
    _fields_ = (
        ("tensors", ctypes.POINTER(ctypes.c_void_p)),
        ("scalars", ctypes.POINTER(ctypes.c_uint64)),
        ("tensor_count", ctypes.c_uint64),
        ("scalar_count", ctypes.c_uint64),
    )


SUBMIT = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.POINTER(Task))
FATAL = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_char_p)
SCOPE = ctypes.CFUNCTYPE(None, ctypes.c_int32)
ALLOCATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Table(ctypes.Structure):
    _fields_ = (("submit", SUBMIT), ("fatal", FATAL), ("scope", SCOPE), ("allocate", ALLOCATE))


@dataclass
class Called:
    """What a call of the entry asked of the runtime."""

    tasks: list[dict] = field(default_factory=list)
    fatal: list[tuple[int, str]] = field(default_factory=list)
    scopes: list[int] = field(default_factory=list)


class Entry:
    """A loaded entry and six descriptors that it can be called with."""

    def __init__(self, library: ctypes.CDLL):
        self.library = library
        self.now = Called()
        self.table = Table(
            SUBMIT(self._submit),
            FATAL(lambda code, text: self.now.fatal.append((code, text.decode()))),
            SCOPE(lambda enters: self.now.scopes.append(enters)),
            ALLOCATE(lambda tensor: None),
        )
        size = ctypes.sizeof(TensorDescriptor)
        self.memory = ctypes.create_string_buffer(6 * size + 64)
        start = ctypes.addressof(self.memory)
        start += -start % 64
        self.tensors = [TensorDescriptor.from_address(start + i * size) for i in range(6)]
        for tensor in self.tensors:
            fill_descriptor(tensor, np.zeros((1, 1), np.float32))

    def _submit(self, task) -> int:
        task = task.contents
        self.now.tasks.append(
            {
                "kind": task.kind,
                "func_id": task.func_ids[0],
                "tensors": [
                    (task.tensors[i].tensor, task.tensors[i].direction)
                    for i in range(task.tensor_count)
                ],
                "scalars": [task.scalars[i] for i in range(task.scalar_count)],
                "blocks": task.blocks,
                "sync_start": bool(task.sync_start),
                "scalar_before_tensor": bool(task.scalar_before_tensor),
            }
        )
        return len(self.now.tasks)

    def call(self, ranks: int, columns: int, core_num: int) -> Called:
        self.now = Called()
        self.tensors[2].shapes[0], self.tensors[2].shapes[1] = ranks, columns
        addresses = (ctypes.c_void_p * 6)(*map(ctypes.addressof, self.tensors))
        scalars = (ctypes.c_uint64 * 2)(CONTEXT, ctypes.c_uint64(core_num).value)
        args = ChipTaskArgs(addresses, scalars, 6, 2)
        self.library.pld_sim_bind_runtime(ctypes.byref(self.table))
        self.library.aicpu_orchestration_entry(ctypes.byref(args))
        return self.now


@pytest.fixture(
    scope="module", params=[(r, t) for r in RUNTIME_PROFILES for t in TARGETS], ids="-".join
)
def entry(request: pytest.FixtureRequest, compiler) -> Entry:
    runtime, target = request.param
    renderer = Renderer(runtime=RUNTIME_PROFILES[runtime], target=TARGETS[target])
    text = renderer.host_entry(HANDLE, ALL_TO_ALL_V)
    return Entry(load_library(compiler.orchestration(text, runtime, target)))


def test_the_table(entry: Entry):
    for ranks, core_num, blocks in TABLE:
        called = entry.call(ranks, blocks, core_num)
        (task,) = called.tasks
        assert (task["blocks"], task["sync_start"]) == (blocks, blocks > 1)
        assert called.fatal == []
        assert called.scopes == [1, 0]


def test_it_agrees_with_the_python_function(entry: Entry):
    rng = random.Random(11)
    for _ in range(10_000):
        ranks = rng.choice([1, 2, 3, 8, 64, rng.randint(1, 64), rng.randint(1, 5000)])
        core_num = rng.choice([rng.randint(1, 3 * ranks), rng.randint(1, 2**31 - 1)])
        blocks = admitted_blocks(core_num, ranks)
        columns = rng.choice([blocks, blocks + 1, max(blocks - 1, 0), 2**32 - 1])
        called = entry.call(ranks, columns, core_num)
        if columns < blocks or blocks > MAX_LAUNCH_BLOCKS:
            assert called.tasks == []
            ((code, _),) = called.fatal
            assert code == INVALID_ARGS
        else:
            (task,) = called.tasks
            assert task["blocks"] == blocks, (ranks, core_num)
            assert task["sync_start"] == (blocks > 1)
            assert called.fatal == []


def test_the_task_has_its_tensors_in_order_then_the_context(entry: Entry):
    (task,) = entry.call(4, 8, 8).tasks
    assert task["tensors"] == [
        (ctypes.addressof(tensor), direction)
        for tensor, direction in zip(
            entry.tensors, [INPUT, INOUT, INOUT, INPUT, INOUT], strict=False
        )
    ]
    assert task["scalars"] == [CONTEXT]
    assert not task["scalar_before_tensor"]
    assert (task["kind"], task["func_id"]) == (0, 0)


@pytest.mark.parametrize("core_num", [0, -1, -(2**63), 2**31, 2**32 + 1, 2**63 - 1])
def test_a_core_num_out_of_range_submits_nothing(entry: Entry, core_num: int):
    called = entry.call(4, 2**32 - 1, core_num)
    assert called.tasks == []
    ((code, text),) = called.fatal
    assert code == INVALID_ARGS
    assert f"core_num is out of range [1, 2147483647]: {core_num}" in text


@pytest.mark.parametrize(("ranks", "columns", "core_num", "blocks"), [(8, 7, 10, 8), (4, 0, 1, 1)])
def test_too_narrow_a_signal_submits_nothing(
    entry: Entry, ranks: int, columns: int, core_num: int, blocks: int
):
    called = entry.call(ranks, columns, core_num)
    assert called.tasks == []
    assert called.fatal == [
        (
            INVALID_ARGS,
            f"all_to_all_v: signal has {columns} columns, fewer than the {blocks} admitted blocks "
            f"(core_num {core_num}, {ranks} ranks)",
        )
    ]
    assert entry.call(8, 8, 10).tasks != []


def test_a_signal_without_rows_submits_nothing(entry: Entry):
    called = entry.call(0, 4, 4)
    assert called.tasks == []
    assert [code for code, _ in called.fatal] == [INVALID_ARGS]


def test_a_launch_wider_than_its_field_submits_nothing(entry: Entry):
    assert entry.call(1, 2**32 - 1, MAX_LAUNCH_BLOCKS).tasks[0]["blocks"] == MAX_LAUNCH_BLOCKS
    called = entry.call(1, 2**32 - 1, MAX_LAUNCH_BLOCKS + 1)
    assert called.tasks == []
    assert "a launch of 32768 blocks, at most 32767 are possible" in called.fatal[0][1]


@pytest.mark.parametrize("position", range(5))
def test_an_operand_that_is_not_contiguous_submits_nothing(entry: Entry, position: int):
    entry.tensors[position].is_contiguous = False
    try:
        called = entry.call(2, 2, 2)
    finally:
        entry.tensors[position].is_contiguous = True
    assert called.tasks == []
    role = ALL_TO_ALL_V.operands[position].role
    assert called.fatal == [(INVALID_ARGS, f"all_to_all_v: {role} is not contiguous")]


def test_the_ordering_tensor_is_counted_and_not_read(entry: Entry):
    config = entry.library.aicpu_orchestration_config
    config.restype = ctypes.c_int32
    assert config(None) == 8
    entry.tensors[5].is_contiguous = False
    assert len(entry.call(2, 2, 2).tasks) == 1
    entry.tensors[5].is_contiguous = True


@pytest.mark.parametrize("target", TARGETS)
def test_the_launch_spec_of_the_other_card_does_not_compile(compiler, tmp_path: Path, target: str):
    text = Renderer(target=TARGETS[target]).host_entry(HANDLE, ALL_TO_ALL_V)
    (tmp_path / "entry.cpp").write_text(text)
    for built_for in TARGETS:
        done = subprocess.run(
            [
                compiler.command,
                *FLAGS,
                *profile_macros("2026.09", built_for),
                f"-I{INCLUDE}",
                "-fsyntax-only",
                tmp_path / "entry.cpp",
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode == 0) == (built_for == target), done.stderr


def test_the_entry_includes_one_header_and_guards_before_the_submit():
    text = Renderer().host_entry(HANDLE, ALL_TO_ALL_V)
    assert re.findall(r"#include (.*)", text) == ['"pto_orchestration_api.h"']
    submit = text.index("rt_submit_aiv_task(")
    for operand in ALL_TO_ALL_V.operands:
        assert text.index(f"!{operand.role}.is_contiguous") < submit
    assert text.index("if (blocks > 1)") < text.index("set_block_num(") < submit
