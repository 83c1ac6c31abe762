"""The engine by itself: compiler and cache, layouts, sessions, and each finding with its words."""

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from xdsl_pld.templates.runtimes import RUNTIME_PROFILES, TARGETS
from xdsl_pld.tools.sim import abi
from xdsl_pld.tools.sim.abi import FindingKind
from xdsl_pld.tools.sim.compiler import (
    FLAGS,
    INCLUDE,
    Compiler,
    CompilerError,
    find_compiler,
)
from xdsl_pld.tools.sim.engine import Session

PRELUDE = """\
#include <cstdint>
#include <pto/pto-inst.hpp>
#include "platform_comm/comm_context.h"
#include "pto/comm/comm_types.hpp"
#include "pto/comm/pto_comm_inst.hpp"
#include "tensor.h"
#include "intrinsic.h"
using namespace pto::comm;
extern "C" void kernel_entry(int64_t* args) {
  Tensor* cells = reinterpret_cast<Tensor*>(args[0]);
  CommContext* context = reinterpret_cast<CommContext*>(args[1]);
  int32_t* own = reinterpret_cast<int32_t*>(cells->buffer.addr);
  const uint32_t me = context->rankId;
  int32_t* peer = reinterpret_cast<int32_t*>(
      context->windowsIn[1 - me] + (cells->buffer.addr - context->windowsIn[me]));
  Signal here(own), there(peer);
  const int32_t block = get_block_idx(args);
  (void)here; (void)there; (void)block;
"""


@pytest.fixture
def cells(engine):
    """Runs a body on two ranks that each have four cells in a window; gives report and cells."""

    def run(body: str, *, ranks=(0, 1), blocks=1, wait_limit=0.5, check_order=True, repeat=1):
        entry = engine.load_kernel(PRELUDE + body + "\n}\n")
        with Session(
            engine,
            2,
            window_bytes=8192,
            max_blocks=4,
            wait_limit=wait_limit,
            check_order=check_order,
        ) as session:
            arrays = session.window("cells", (4, 1), np.int32)

            def pipeline(rank: int) -> None:
                for _ in range(repeat if rank in ranks else 0):
                    session.host_wrote(rank, arrays[rank][3:])
                    session.launch(
                        rank, entry, [arrays[rank]], [session.context(rank)], blocks=blocks
                    )
                    session.host_reads(rank, arrays[rank][1:2])

            session.run_ranks(pipeline)
            return session.report(), [array[:, 0].copy() for array in arrays]

    return run


def kinds(report) -> set[FindingKind]:
    return {finding.kind for finding in report.findings}


# The headers.


@pytest.mark.parametrize(
    "header",
    sorted(
        path.relative_to(INCLUDE).as_posix()
        for pattern in ("*.h", "*.hpp")
        for path in INCLUDE.rglob(pattern)
    ),
)
def test_each_header_compiles_by_itself(compiler, tmp_path: Path, header: str):
    source = tmp_path / "one.cpp"
    source.write_text(f'#include "{header}"\n#include "{header}"\n')
    done = subprocess.run(
        [compiler.command, *FLAGS, f"-I{INCLUDE}", "-fsyntax-only", source],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("runtime", RUNTIME_PROFILES)
@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.parametrize("operator", ["all_to_all_v", "indexed_all_to_all_v"])
def test_each_kernel_compiles_without_a_warning(
    compiler, render_kernel, operator: str, dtype: str, runtime: str
):
    assert compiler.kernel(render_kernel(operator, dtype, runtime), runtime).is_file()
    other = {"2026.08": "2026.09", "2026.09": "2026.08"}[runtime]
    with pytest.raises(CompilerError, match="Tensor"):
        compiler.kernel(render_kernel(operator, dtype, runtime), other)


def test_the_layouts_are_the_runtimes():
    assert ctypes.sizeof(abi.TensorDescriptor) == 128
    offsets = {
        name: getattr(abi.TensorDescriptor, name).offset
        for name in (
            "address",
            "size",
            "start_offset",
            "ndims",
            "dtype",
            "is_contiguous",
            "shapes",
            "strides",
        )
    }
    assert offsets == {
        "address": 0,
        "size": 8,
        "start_offset": 24,
        "ndims": 36,
        "dtype": 40,
        "is_contiguous": 42,
        "shapes": 44,
        "strides": 72,
    }


EVERY_CALL = """\
#include "pto_orchestration_api.h"
extern "C" __attribute__((visibility("default"))) PTO2OrchestrationConfig
aicpu_orchestration_config(const ChipTaskArgs&) {
  return PTO2OrchestrationConfig{.expected_arg_count = 3};
}
extern "C" __attribute__((visibility("default"))) void aicpu_orchestration_entry(
    const ChipTaskArgs& orch_args) {
  const TENSOR& x = orch_args.tensor(0).ref();
  const uint64_t n = orch_args.scalar(0);
  if (!x.is_contiguous) rt_report_fatal(INVALID, "%s is not contiguous", "x");
  PTO2_SCOPE() {
    uint32_t shapes[2] = {2, 4}, offsets[2] = {1, 0};
    TENSOR view = x.view(shapes, offsets);
    TENSOR flat = view.reshape(shapes, 2);
    TENSOR turned = flat.transpose(0, 1);
    TensorCreateInfo info(shapes, 2, DataType::FLOAT32);
    TaskOutputTensors made = alloc_tensors(info, info);
    const TENSOR& fresh = made.get_ref(1);
    CoreTaskArgs first;
    first.add_input(view);
    first.add_output(fresh);
    first.add_output(info);
    first.add_inout(flat);
    first.add_no_dep(turned);
    first.add_scalar(n);
    first.launch_spec.SET_BLOCKS(static_cast<int16_t>(4));
    first.launch_spec.set_require_sync_start(true);
    TaskOutputTensors outputs = rt_submit_aiv_task(0, first);
    PTO2TaskId ids[] = {outputs.task_id(), made.task_id()};
    CoreTaskArgs second;
    second.add_input(outputs.get_ref(0));
    second.set_dependencies(ids, 2);
    rt_submit_aic_task(1, second);
    MixedKernels group{.aic_kernel_id = 2, .aiv0_kernel_id = 3, .aiv1_kernel_id = 4};
    rt_submit_task(group, second);
    rt_submit_dummy_task(second);
    uint32_t at[2] = {0, 1};
    set_tensor_data<float>(x, 2, at, get_tensor_data<float>(x, 2, at) + 1.0F);
  }
}
"""
NAMES = {"2026.08": ("ChipTensor", "PTO2"), "2026.09": ("Tensor", "SIMPLER")}


@pytest.mark.parametrize("runtime", RUNTIME_PROFILES)
@pytest.mark.parametrize("target", TARGETS)
def test_every_call_of_an_orchestration_compiles(compiler, runtime: str, target: str):
    tensor, prefix = NAMES[runtime]
    text = EVERY_CALL.replace("TENSOR", tensor).replace("INVALID", f"{prefix}_ERROR_INVALID_ARGS")
    text = text.replace("SET_BLOCKS", TARGETS[target].set_blocks)
    assert compiler.orchestration(text, runtime, target).is_file()


@pytest.mark.parametrize(
    "temporary",
    [
        "first.add_input(x.reshape(shapes, 2));",
        "const TENSOR& fresh2 = alloc_tensors(info).get_ref(0);",
    ],
)
def test_a_temporary_does_not_compile_where_a_pointer_is_kept(compiler, temporary: str):
    place = "    first.add_scalar(n);\n"
    text = EVERY_CALL.replace(place, f"    {temporary}\n{place}").replace("TENSOR", "Tensor")
    text = text.replace("INVALID", "SIMPLER_ERROR_INVALID_ARGS")
    with pytest.raises(CompilerError, match="use of deleted function"):
        compiler.orchestration(text.replace("SET_BLOCKS", "set_block_num"))


# The compiler.


def test_what_was_compiled_is_not_compiled_again(tmp_path: Path):
    cache = tmp_path / "cache"
    first = Compiler(cache=cache).orchestration("int one;\n")
    made = first.stat().st_mtime_ns
    assert Compiler(cache=cache).orchestration("int one;\n") == first
    assert first.stat().st_mtime_ns == made
    assert Compiler(cache=cache).orchestration("int two;\n") != first
    assert sorted(cache.iterdir()) == sorted(
        {first, Compiler(cache=cache).orchestration("int two;\n")}
    )
    assert Compiler(cache=cache).orchestration("int one;\n", target="950") != first


def test_a_source_that_does_not_compile(compiler):
    with pytest.raises(CompilerError, match="failed with status") as caught:
        compiler.kernel("int broken(\n")
    assert "error:" in str(caught.value)


def test_a_kernel_without_an_entry(engine):
    with pytest.raises(CompilerError, match="the kernel has no function kernel_entry"):
        engine.load_kernel("int x;\n")


def test_a_warning_is_an_error(compiler):
    with pytest.raises(CompilerError, match="unused variable"):
        compiler.kernel("void f() { int unused; }\n")


def test_no_compiler(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(CompilerError, match=r"looked for no-such-compiler.*install g\+\+"):
        find_compiler()
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CompilerError, match="looked for c\\+\\+, g\\+\\+, clang"):
        find_compiler()


def test_a_cache_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CompilerError, match="set XDSL_PLD_CACHE"):
        Compiler(cache=tmp_path / "file" / "cache").engine()


def test_a_compiler_that_takes_too_long(tmp_path: Path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    with pytest.raises(CompilerError, match="took longer than"):
        Compiler(command=str(slow), cache=tmp_path, time_limit=0.2).engine()


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XDSL_PLD_CACHE": "here"}, "here"),
        ({"XDG_CACHE_HOME": "caches"}, os.path.join("caches", "xdsl-pld")),
    ],
)
def test_where_the_cache_is(monkeypatch, variables: dict[str, str], expected: str):
    for name in ("XDSL_PLD_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(Compiler(command="c++").cache) == expected


# What a session finds.


def test_a_notification_after_drain_and_fence_orders(cells):
    send = """
  if (me == 0) {
    Signal data(peer + 1);
    TNOTIFY(data, 7, NotifyOp::Set);
    pipe_barrier(PIPE_ALL);
    dsb(DSB_DDR);
    TNOTIFY(there, 1, NotifyOp::AtomicAdd);
  } else {
    TWAIT(here, 1, WaitCmp::GE);
  }"""
    report, values = cells(send)
    assert report.clean, str(report)
    assert values[1][:2].tolist() == [1, 7]


@pytest.mark.parametrize(
    "order",
    [
        "pipe_barrier(PIPE_ALL);",
        "dsb(DSB_DDR);",
        "dsb(DSB_DDR); pipe_barrier(PIPE_ALL);",
        "pipe_barrier(PIPE_MTE3); dsb(DSB_DDR);",
        "pipe_barrier(PIPE_ALL); dsb(DSB_UB);",
    ],
)
def test_half_a_publication_does_not(cells, order: str):
    report, _ = cells(
        f"""
  if (me == 0) {{
    Signal data(peer + 1);
    TNOTIFY(data, 7, NotifyOp::Set);
    {order}
    TNOTIFY(there, 1, NotifyOp::AtomicAdd);
  }} else {{
    TWAIT(here, 1, WaitCmp::GE);
  }}"""
    )
    (finding,) = report.findings
    assert finding.kind is FindingKind.UNORDERED
    assert "cells of rank 1 + 4 (16 bytes)" in finding.message


def test_an_address_outside_the_buffers(cells):
    report, _ = cells("Signal far(peer + 4); TNOTIFY(far, 1, NotifyOp::AtomicAdd);", ranks=(0,))
    (finding,) = report.findings
    assert finding.kind is FindingKind.OUT_OF_BOUNDS
    assert finding.message == (
        "rank 0 block 0 adds to 4 bytes at the window of rank 1 + 16, outside its buffers"
    )


def test_an_address_outside_every_window(cells):
    report, _ = cells("int32_t local = 0; Signal s(&local); TWAIT(s, 1, WaitCmp::GE);", ranks=(0,))
    (finding,) = report.findings
    assert finding.message == "rank 0 block 0 waits for 4 bytes at an address outside every window"


def test_a_peers_memory_that_is_in_no_window(engine):
    entry = engine.load_kernel(
        PRELUDE.replace("args[1]", "args[2]")
        + """
  int32_t* hidden = reinterpret_cast<int32_t*>(reinterpret_cast<Tensor*>(args[1])->buffer.addr);
  Signal s(hidden);
  TNOTIFY(s, 1, NotifyOp::AtomicAdd);
}
"""
    )
    with Session(engine, 2, window_bytes=4096) as session:
        arrays = session.window("cells", (1, 1), np.int32)
        hidden = session.local(1, "hidden", np.zeros((1, 1), np.int32))
        session.launch(0, entry, [arrays[0], hidden], [session.context(0)])
        (finding,) = session.report().findings
        assert finding.kind is FindingKind.OUT_OF_BOUNDS
        assert "adds to 4 bytes at hidden of rank 1 + 0" in finding.message
        assert hidden[0, 0] == 0


def test_a_deadlock_stops_all_and_says_who_waits(cells):
    report, _ = cells(
        "Signal s(own + me); TWAIT(s, 3, me == 0 ? WaitCmp::GE : WaitCmp::EQ);", wait_limit=60
    )
    (finding,) = report.findings
    assert finding.kind is FindingKind.DEADLOCK
    assert finding.message == "no block can go on and no host is at work; 2 blocks wait"
    assert [str(waiter) for waiter in report.waiters] == [
        "rank 0 block 0 waits for cells[0, 0]: expected at least 3, is 0",
        "rank 1 block 0 waits for cells[1, 0]: expected 3, is 0",
    ]


def test_a_peer_that_has_ended_leaves_a_deadlock(cells):
    report, _ = cells("if (me == 0) TWAIT(here, 1, WaitCmp::GE);", wait_limit=60)
    (finding,) = report.findings
    assert finding.message == "no block can go on and no host is at work; 1 blocks wait"


def test_a_wait_beyond_the_limit(engine):
    """The peer is at work, so nobody can tell that it will never come."""
    entry = engine.load_kernel(PRELUDE + "TWAIT(here, 1, WaitCmp::GE);\n}\n")
    with Session(engine, 2, window_bytes=4096, wait_limit=0.2) as session:
        arrays = session.window("cells", (1, 1), np.int32)
        assert not session.launch(0, entry, [arrays[0]], [session.context(0)])
        assert not session.launch(1, entry, [arrays[1]], [session.context(1)])
        (finding,) = session.report().findings
        assert finding.message == "rank 0 block 0 waited for more than 0.2 s; 1 blocks wait"


def test_two_blocks_in_one_line(cells):
    body = """
  pto::Shape<-1, -1, -1, -1, -1> shape(1, 1, 1, 1, 1);
  pto::Stride<-1, -1, -1, -1, -1> stride(1, 1, 1, 1, 1);
  using Flat = pto::GlobalTensor<int32_t, decltype(shape), decltype(stride)>;
  Flat to(peer + block, shape, stride), from(own + 3, shape, stride);
  pto::Tile<pto::TileType::Vec, int32_t, 1, 256, pto::BLayout::RowMajor, -1, -1> tile(1, 1);
  TASSIGN(tile, 0x0);
  TPUT(to, from, tile);
  pipe_barrier(PIPE_ALL);"""
    report, _ = cells(body, ranks=(0,), blocks=2)
    assert FindingKind.SHARED_LINE in kinds(report)
    assert not cells(body, ranks=(0,), blocks=1)[0].findings


def test_without_order_checks_only_bounds_are_checked(cells):
    body = "Signal data(peer + 1); TNOTIFY(data, 7, NotifyOp::Set);"
    assert kinds(cells(body)[0]) == {FindingKind.UNORDERED}
    assert cells(body, check_order=False)[0].clean


def test_a_launch_that_is_too_wide(engine, cells):
    report, _ = cells("", blocks=5)
    assert kinds(report) == {FindingKind.BAD_LAUNCH}


def test_blocks_without_a_sync_start(engine):
    entry = engine.load_kernel(PRELUDE + "}\n")
    with Session(engine, 1, window_bytes=4096, max_blocks=2) as session:
        arrays = session.window("cells", (1, 1), np.int32)
        context = session.context(0)
        assert session.launch(0, entry, arrays, [context], blocks=1, sync_start=False)
        assert not session.launch(0, entry, arrays, [context], blocks=2, sync_start=False)
        assert kinds(session.report()) == {FindingKind.BAD_LAUNCH}


def test_misuse_from_python(engine):
    with pytest.raises(ValueError, match="1 to 64 ranks, not 65"):
        Session(engine, 65, window_bytes=64)
    with (
        Session(engine, 1, window_bytes=64) as session,
        pytest.raises(ValueError, match="window buffer 'big' needs 256 bytes; 64 of 64 are left"),
    ):
        session.window("big", (64,), np.float32)


def test_an_error_in_a_ranks_thread_is_raised(engine):
    with Session(engine, 3, window_bytes=64) as session, pytest.raises(ZeroDivisionError):
        session.run_ranks(lambda rank: print(1 // (rank - 1)))
