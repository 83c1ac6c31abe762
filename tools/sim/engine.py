"""
Runs rendered kernels: P ranks with a window each, B blocks a launch, every block a thread.

A session owns the windows. Its user stages data, launches kernels for a rank and reads results,
each rank from a thread of its own (`Session.run_ranks`), as its pipeline would. What hardware would
punish is a finding of the report: an address outside the windows, an access that nothing orders, a
wait that never ends.
"""

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import DTypeLike

from xdsl_pld.tools.sim import abi
from xdsl_pld.tools.sim.abi import Array, FindingKind
from xdsl_pld.tools.sim.compiler import Compiler, CompilerError, load_library

_ALIGNMENT = 512
_MOST_FINDINGS = 64
_HOOK_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32)
_KERNEL_SYMBOL = "kernel_entry"

Hook = Callable[[int, int], None]
"""Called with rank and block before each operation and at every look at a cell."""


@dataclass(frozen=True)
class Finding:
    """One thing that went wrong, and the block that noticed (None: a rank's host side)."""

    kind: FindingKind
    rank: int
    block: int | None
    message: str


@dataclass(frozen=True)
class Waiter:
    """A block that waited when a deadlock was found."""

    rank: int
    block: int
    peer: int | None
    cell: str
    expected: int
    at_least: bool
    actual: int

    def __str__(self) -> str:
        whose = "" if self.peer is None else f", a credit of rank {self.peer}"
        relation = "at least " if self.at_least else ""
        return (
            f"rank {self.rank} block {self.block} waits for {self.cell}{whose}: "
            f"expected {relation}{self.expected}, is {self.actual}"
        )


@dataclass(frozen=True)
class Counters:
    """What one rank did."""

    wire_bytes: int
    local_bytes: int
    transfers: int
    notifications: int
    waits: int
    barriers: int
    wait_ns: int
    launches: int


@dataclass(frozen=True)
class Report:
    """What a session found and counted."""

    findings: Sequence[Finding]
    waiters: Sequence[Waiter]
    counters: Sequence[Counters]

    @property
    def clean(self) -> bool:
        return not self.findings

    def __str__(self) -> str:
        lines = [f"{each.kind.name.lower()}: {each.message}" for each in self.findings]
        return "\n".join([*lines, *(f"  {waiter}" for waiter in self.waiters)]) or "no findings"


class Engine:
    """The compiled engine and the kernels that were loaded into this process."""

    def __init__(self, compiler: Compiler | None = None):
        self.compiler = compiler or Compiler()
        self.library = load_library(self.compiler.engine())
        self._kernels: dict[Path, ctypes.CDLL] = {}
        self._declare()

    def _declare(self) -> None:
        library, pointer, i32 = self.library, ctypes.c_void_p, ctypes.c_int32
        u64 = ctypes.c_uint64
        library.pld_sim_open.argtypes = [ctypes.POINTER(abi.Config)]
        library.pld_sim_open.restype = pointer
        library.pld_sim_close.argtypes = [pointer]
        library.pld_sim_close.restype = None
        library.pld_sim_use_transport.argtypes = [pointer, pointer]
        library.pld_sim_use_transport.restype = None
        library.pld_sim_set_window.argtypes = [pointer, i32, pointer, u64]
        library.pld_sim_set_window.restype = None
        library.pld_sim_add_buffer.argtypes = [pointer, ctypes.POINTER(abi.Buffer)]
        library.pld_sim_add_buffer.restype = None
        library.pld_sim_set_present.argtypes = [pointer, i32, i32]
        library.pld_sim_set_present.restype = None
        library.pld_sim_remove_buffer.argtypes = [pointer, pointer]
        library.pld_sim_remove_buffer.restype = None
        library.pld_sim_context.argtypes = [pointer, i32]
        library.pld_sim_context.restype = pointer
        library.pld_sim_launch.argtypes = [pointer, i32, pointer, pointer, i32, i32]
        library.pld_sim_launch.restype = i32
        for function in (library.pld_sim_host_read, library.pld_sim_host_write):
            function.argtypes = [pointer, i32, pointer, u64]
            function.restype = None
        for function in (library.pld_sim_findings, library.pld_sim_waiters):
            function.argtypes = [pointer, pointer, u64]
            function.restype = u64
        library.pld_sim_count.argtypes = [pointer, i32, ctypes.POINTER(abi.RawCounters)]
        library.pld_sim_count.restype = None

    def load_kernel(self, text: str, runtime: str = "2026.09", target: str = "910b") -> int:
        """The address of a rendered kernel's entry; compiled and loaded at its first use."""
        path = self.compiler.kernel(text, runtime, target)
        if path not in self._kernels:
            self._kernels[path] = load_library(path)
        try:
            entry = ctypes.cast(self._kernels[path][_KERNEL_SYMBOL], ctypes.c_void_p).value
        except AttributeError as error:
            raise CompilerError(f"the kernel has no function {_KERNEL_SYMBOL}") from error
        assert entry is not None
        return entry


class Session:
    """Windows of one communication domain, and the launches on them."""

    def __init__(
        self,
        engine: Engine,
        ranks: int,
        *,
        window_bytes: int,
        max_blocks: int = 1,
        wait_limit: float = 20.0,
        check_order: bool = True,
        hook: Hook | None = None,
        transport: int | None = None,
    ):
        """`transport` is the address of another `pld_sim::Transport` than threads."""
        if not 1 <= ranks <= abi.MAX_RANKS:
            raise ValueError(f"a domain has 1 to {abi.MAX_RANKS} ranks, not {ranks}")
        self.ranks = ranks
        self._library = engine.library
        self._hook = None if hook is None else _HOOK_TYPE(hook)
        hook_address = ctypes.cast(self._hook, ctypes.c_void_p) if self._hook else None
        config = abi.Config(
            ranks, max_blocks, int(check_order), 0, round(wait_limit * 1e9), hook_address
        )
        self._handle: int | None = self._library.pld_sim_open(ctypes.byref(config))
        if self._handle is None:
            raise ValueError(f"no session of {ranks} ranks and {max_blocks} blocks")
        if transport is not None:
            self._library.pld_sim_use_transport(self._handle, transport)
        self._window_bytes = window_bytes
        self._used = 0
        self._windows = [_aligned(window_bytes) for _ in range(ranks)]
        for rank, window in enumerate(self._windows):
            self._library.pld_sim_set_window(self._handle, rank, window.ctypes.data, window_bytes)
        self._kept: list[Array] = []
        self._credits: list[tuple[str, Mapping[int, Array]]] = []
        self._findings: list[Finding] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._handle is not None:
            self._library.pld_sim_close(self._handle)
            self._handle = None

    # Memory.

    def window(
        self, name: str, shape: Sequence[int], dtype: DTypeLike, *, credits: bool = False
    ) -> list[Array]:
        """
        A zeroed buffer at the same place of every rank's window; one array a rank.

        `credits` marks a signal [ranks, columns] whose row r holds what rank r adds; it must be
        zero when the session is done.
        """
        size = np.dtype(dtype).itemsize * int(np.prod(shape))
        start, self._used = self._used, _rounded(self._used + size)
        if start + size > self._window_bytes:
            raise ValueError(
                f"window buffer '{name}' needs {size} bytes; {self._window_bytes - start} of "
                f"{self._window_bytes} are left"
            )
        arrays: list[Array] = []
        for rank, window in enumerate(self._windows):
            array = window[start : start + size].view(dtype).reshape(shape)
            self._add_buffer(name, rank, array, in_window=True, credits=credits)
            arrays.append(array)
        if credits:
            self._credits.append((name, dict(enumerate(arrays))))
        return arrays

    def adopt(
        self, name: str, rank: int, array: Array, *, address: int | None = None, credits: bool
    ) -> None:
        """
        Takes memory that is not the session's as a rank's window buffer. Where it is a peer's,
        in another process, `address` is what kernels know it by, and `array` tells its shape.
        """
        self._add_buffer(name, rank, array, in_window=True, credits=credits, address=address)
        if credits and address is None:
            self._credits.append((name, {rank: array}))

    def local(self, rank: int, name: str, array: Array) -> Array:
        """A rank's own tensor, outside its window, as a contiguous and aligned copy of `array`."""
        copy = _aligned(max(array.nbytes, 1))[: array.nbytes].view(array.dtype)
        copy = copy.reshape(array.shape)
        copy[...] = array
        self._kept.append(copy)
        self._add_buffer(name, rank, copy, in_window=False, credits=False)
        return copy

    def _add_buffer(
        self,
        name: str,
        rank: int,
        array: Array,
        *,
        in_window: bool,
        credits: bool,
        address: int | None = None,
    ) -> None:
        columns = array.shape[-1] if array.ndim == 2 and array.itemsize == 4 else 0
        buffer = abi.Buffer(
            array.ctypes.data if address is None else address,
            array.nbytes,
            rank,
            int(in_window),
            columns,
            int(credits),
            name.encode(errors="replace")[:63],
        )
        self._library.pld_sim_add_buffer(self._handle, ctypes.byref(buffer))

    def context(self, rank: int) -> int:
        """The address of the rank's CommContext."""
        address: int = self._library.pld_sim_context(self._handle, rank)
        return address

    def host_wrote(self, rank: int, *arrays: Array) -> None:
        """The rank's pipeline writes all of these arrays, between launches."""
        for array in arrays:
            self._library.pld_sim_host_write(self._handle, rank, array.ctypes.data, array.nbytes)

    def host_reads(self, rank: int, *arrays: Array) -> None:
        """The rank's pipeline reads all of these arrays, between launches."""
        for array in arrays:
            self._library.pld_sim_host_read(self._handle, rank, array.ctypes.data, array.nbytes)

    # Running.

    def launch(
        self,
        rank: int,
        kernel: int,
        tensors: Sequence[Array],
        scalars: Sequence[int],
        *,
        blocks: int = 1,
        sync_start: bool = True,
    ) -> bool:
        """
        Runs a kernel's blocks and returns when all have ended; False once the session stopped.

        More than one block needs `sync_start`: a barrier among blocks hangs where only some of
        them are admitted.
        """
        if blocks > 1 and not sync_start:
            self._find(FindingKind.BAD_LAUNCH, rank, f"{blocks} blocks without a sync start")
            return False
        if len(tensors) + len(scalars) > abi.MAX_KERNEL_ARGS:
            raise ValueError(f"a kernel takes at most {abi.MAX_KERNEL_ARGS} arguments")
        size = ctypes.sizeof(abi.TensorDescriptor)
        memory = _aligned(size * max(len(tensors), 1))
        args = (ctypes.c_int64 * abi.MAX_KERNEL_ARGS)()
        for i, array in enumerate(tensors):
            address = memory.ctypes.data + i * size
            abi.fill_descriptor(abi.TensorDescriptor.from_address(address), array)
            args[i] = address
        for i, scalar in enumerate(scalars, start=len(tensors)):
            args[i] = ctypes.c_int64(scalar).value
        count = len(tensors) + len(scalars)
        return not self._library.pld_sim_launch(self._handle, rank, kernel, args, count, blocks)

    def run_ranks(self, body: Callable[[int], None]) -> None:
        """Calls `body(rank)` for all ranks at the same time; raises the first error."""
        errors: list[BaseException] = []

        def guarded(rank: int) -> None:
            try:
                body(rank)
            except BaseException as error:
                errors.append(error)
            finally:
                self._library.pld_sim_set_present(self._handle, rank, 0)

        for rank in range(self.ranks):
            self._library.pld_sim_set_present(self._handle, rank, 1)
        threads = [threading.Thread(target=guarded, args=(rank,)) for rank in range(self.ranks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    # What came of it.

    def _find(self, kind: FindingKind, rank: int, message: str) -> None:
        self._findings.append(Finding(kind, rank, None, message))

    def report(self) -> Report:
        """Findings and counters so far. Call it when no launch is running."""
        findings = [*self._engine_findings(), *self._findings]
        if not any(each.kind is FindingKind.DEADLOCK for each in findings):
            findings += self._credits_left()
        return Report(findings, self._waiters(), [self._count(r) for r in range(self.ranks)])

    def _engine_findings(self) -> list[Finding]:
        raw = (abi.RawFinding * _MOST_FINDINGS)()
        total: int = self._library.pld_sim_findings(self._handle, raw, _MOST_FINDINGS)
        return [
            Finding(
                FindingKind(each.kind),
                each.rank,
                None if each.block < 0 else each.block,
                each.text.decode(errors="replace"),
            )
            for each in raw[: min(total, _MOST_FINDINGS)]
        ]

    def _credits_left(self) -> list[Finding]:
        findings: list[Finding] = []
        for name, arrays in self._credits:
            for rank, array in arrays.items():
                for row, column in np.argwhere(array):
                    cell = f"{name}[{row}, {column}] of rank {rank}"
                    message = f"{cell} is {array[row, column]} at the end, not 0"
                    findings.append(Finding(FindingKind.CREDITS_LEFT, rank, None, message))
        return findings

    def _waiters(self) -> list[Waiter]:
        room = self.ranks * 1024
        raw = (abi.RawWaiter * room)()
        total: int = self._library.pld_sim_waiters(self._handle, raw, room)
        return [
            Waiter(
                each.rank,
                each.block,
                None if each.peer < 0 else each.peer,
                f"{each.buffer.decode(errors='replace')}[{each.row}, {each.column}]",
                each.expected,
                bool(each.at_least),
                each.actual,
            )
            for each in raw[: min(total, room)]
        ]

    def _count(self, rank: int) -> Counters:
        raw = abi.RawCounters()
        self._library.pld_sim_count(self._handle, rank, ctypes.byref(raw))
        return Counters(*(getattr(raw, field[0]) for field in abi.RawCounters._fields_))


def _rounded(size: int) -> int:
    """The next start of a buffer; a gap behind each keeps an overrun from its neighbour."""
    return (size + 2 * _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT


def _aligned(size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Zeroed bytes at an aligned address."""
    memory = np.zeros(size + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    return memory[start : start + size]
