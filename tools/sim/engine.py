"""
Runs rendered kernels: P ranks with a window each, B blocks a launch, every block a thread.

A session owns the windows. Its user stages data, launches kernels for a rank and reads results,
each rank from a thread of its own (`Session.run_ranks`), as its pipeline would. What hardware would
punish is a finding of the report: an address outside the windows, an access that nothing orders, a
wait that never ends.
"""

import ctypes
import mmap
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
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
_CACHE_LINE = 64
_MOST_FINDINGS = 64
_NORESERVE = 0x4000 if sys.platform == "linux" else 0
"""What mmap.MAP_NORESERVE is where Python does not tell."""
PROGRAM = -1
"""The host body, where a rank is asked for."""
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

    def __str__(self) -> str:
        return f"{self.kind.name.lower()}: {self.message}"


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
class Span:
    """What a block did when: all of its run, or a wait; seconds of the monotonic clock."""

    block: int
    waits: bool
    peer: int | None
    start: float
    end: float


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
        lines = [str(each) for each in self.findings]
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
        library.pld_sim_remove_buffer.argtypes = [pointer, i32, pointer, u64]
        library.pld_sim_remove_buffer.restype = None
        library.pld_sim_context.argtypes = [pointer, i32]
        library.pld_sim_context.restype = pointer
        library.pld_sim_start.argtypes = [pointer, i32, pointer, pointer, i32, i32]
        for function in (library.pld_sim_over, library.pld_sim_wait_for):
            function.argtypes = [pointer, i32]
        library.pld_sim_idle.argtypes = [pointer, u64]
        library.pld_sim_stop.argtypes = [pointer]
        library.pld_sim_host_notify.argtypes = [pointer, i32, pointer, i32, i32]
        library.pld_sim_host_waited.argtypes = [pointer, i32, pointer]
        library.pld_sim_order.argtypes = [pointer, i32, i32]
        for function in (
            library.pld_sim_idle,
            library.pld_sim_stop,
            library.pld_sim_host_notify,
            library.pld_sim_host_waited,
            library.pld_sim_order,
        ):
            function.restype = None
        library.pld_sim_spans.argtypes = [pointer, i32, pointer, u64]
        library.pld_sim_spans.restype = u64
        for function in (
            library.pld_sim_host_read,
            library.pld_sim_host_write,
            library.pld_sim_host_sees,
        ):
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
    """The windows of P ranks, and the launches on them."""

    def __init__(
        self,
        engine: Engine,
        ranks: int,
        *,
        window_bytes: int,
        max_blocks: int = 1,
        wait_limit: float = 20.0,
        check_order: bool = True,
        keep_spans: bool = False,
        hook: Hook | None = None,
        transport: int | None = None,
    ):
        """
        `window_bytes` are set aside for each rank, and taken from the machine only as they are
        used. `wait_limit` is how many seconds a block may wait in which no block does anything,
        `transport` the address of another `pld_sim::Transport` than threads. Raises ValueError for
        more than there is, and for too many ranks.
        """
        if not 1 <= ranks <= abi.MAX_RANKS:
            raise ValueError(f"a domain has 1 to {abi.MAX_RANKS} ranks, not {ranks}")
        self.ranks = ranks
        self._library = engine.library
        self._hook = None if hook is None else _HOOK_TYPE(hook)
        hook_address = ctypes.cast(self._hook, ctypes.c_void_p) if self._hook else None
        self._window_bytes = window_bytes
        self._used = 0
        self._windows = _reserved(ranks, window_bytes)
        config = abi.Config(
            ranks,
            max_blocks,
            int(check_order),
            int(keep_spans),
            round(wait_limit * 1e9),
            hook_address,
        )
        self._handle: int | None = self._library.pld_sim_open(ctypes.byref(config))
        if self._handle is None:
            raise ValueError(f"no session of {ranks} ranks and {max_blocks} blocks")
        if transport is not None:
            self._library.pld_sim_use_transport(self._handle, transport)
        for rank, window in enumerate(self._windows):
            self._library.pld_sim_set_window(self._handle, rank, window.ctypes.data, window_bytes)
        self._kept: list[Array] = []
        self._arguments: dict[int, object] = {}
        """What the launch of a rank reads, by rank."""
        self._contexts: dict[tuple[int, ...], list[abi.CommContext]] = {}
        self._credits: dict[int, tuple[str, Sequence[Array], Sequence[int]]] = {}
        """Signals and their ranks, by the address on the first of them."""
        self._buffers: dict[int, int] = {}
        """The bytes of each buffer in a window, by its address."""
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
        """Ends all waits, and returns when all blocks have ended."""
        if self._handle is not None:
            self._library.pld_sim_close(self._handle)
            self._handle = None

    # Memory.

    def allocate(self, name: str, size: int, ranks: Sequence[int] | None = None) -> list[Array]:
        """
        A zeroed buffer of `size` bytes at the same place of the windows of these ranks (all when
        None). Raises ValueError for more than is left.
        """
        start, self._used = self._used, _rounded(self._used + size)
        if start + size > self._window_bytes:
            raise ValueError(
                f"window buffer '{name}' needs {size} bytes; {self._window_bytes - start} of "
                f"{self._window_bytes} are left"
            )
        arrays: list[Array] = []
        for rank in range(self.ranks) if ranks is None else ranks:
            array = self._windows[rank][start : start + size]
            self._add_buffer(name, rank, array, size, in_window=True)
            self._buffers[array.ctypes.data] = size
            arrays.append(array)
        return arrays

    def window(
        self, name: str, shape: Sequence[int], dtype: DTypeLike, *, credits: bool = False
    ) -> list[Array]:
        """
        A zeroed buffer at the same place of every rank's window; one array a rank.

        `credits` marks a signal [ranks, columns] whose row r holds what rank r adds; it must be
        zero when the session is done.
        """
        size = np.dtype(dtype).itemsize * int(np.prod(shape))
        raw = self.allocate(name, size)
        arrays: list[Array] = [each.view(dtype).reshape(shape) for each in raw]
        for rank, array in enumerate(arrays):
            self._add_buffer(name, rank, array, size, in_window=True)
        if credits:
            self.mark_credits(name, arrays)
        return arrays

    def add_memory(
        self, name: str, rank: int, memory: Array, address: int, *, credits: bool = False
    ) -> None:
        """
        Takes memory that is not the session's for a buffer in a rank's window; `address` is where
        kernels think that it is.
        """
        self._add_buffer(
            name, rank, memory, memory.nbytes, in_window=True, credits=credits, address=address
        )

    def mark_credits(
        self, name: str, arrays: Sequence[Array], ranks: Sequence[int] | None = None
    ) -> None:
        """These arrays, one a rank, are a signal: row r holds what rank r of them adds."""
        members = range(self.ranks) if ranks is None else ranks
        self.watch_credits(arrays[0].ctypes.data, name, arrays, members)
        for rank, array in zip(members, arrays, strict=True):
            if array.ctypes.data in self._buffers:
                size = self._buffers[array.ctypes.data]
                self._add_buffer(name, rank, array, size, in_window=True, credits=True)

    def place_window(self, rank: int, address: int, size: int) -> None:
        """Where kernels think that a rank's window is, if its memory is not the session's."""
        self._library.pld_sim_set_window(self._handle, rank, address, size)

    def watch_credits(
        self, signal: int, name: str, arrays: Sequence[Array], ranks: Sequence[int]
    ) -> None:
        """What `credits_left` looks at for the signal at an address on the first of its ranks."""
        self._credits[signal] = (name, arrays, ranks)

    def local(self, rank: int, name: str, array: Array) -> Array:
        """A rank's own tensor, outside its window, as a contiguous and aligned copy of `array`."""
        copy = _aligned(max(array.nbytes, 1))[: array.nbytes].view(array.dtype)
        copy = copy.reshape(array.shape)
        copy[...] = array
        self._kept.append(copy)
        self._add_buffer(name, rank, copy, copy.nbytes)
        return copy

    def lend(self, rank: int, name: str, array: Array) -> abi.Tensor:
        """
        A copy of a rank's own tensor for one launch, as the view that it is: the strides, and the
        distance from the start of its buffer, whose memory around the tensor is out of bounds.
        """
        root = _root(array)
        offset = array.ctypes.data - root.ctypes.data
        span = _span(array)
        memory = _aligned(span + _CACHE_LINE)[offset % _CACHE_LINE :]
        ctypes.memmove(memory.ctypes.data, array.ctypes.data, span)
        copy: Array = np.ndarray(array.shape, array.dtype, memory.data, 0, array.strides)
        self._add_buffer(name, rank, copy, span)
        return abi.Tensor(copy, copy.ctypes.data - offset, root.nbytes)

    def take_back(self, rank: int, tensor: abi.Tensor) -> None:
        """The end of a loan."""
        array = tensor.array
        self._library.pld_sim_remove_buffer(self._handle, rank, array.ctypes.data, _span(array))

    def _add_buffer(
        self,
        name: str,
        rank: int,
        array: Array,
        size: int,
        *,
        in_window: bool = False,
        credits: bool = False,
        address: int | None = None,
    ) -> None:
        columns = array.shape[-1] if array.ndim == 2 and array.itemsize == 4 else 0
        buffer = abi.Buffer(
            array.ctypes.data if address is None else address,
            size,
            rank,
            int(in_window),
            columns,
            int(credits),
            name.encode(errors="replace")[:63],
        )
        self._library.pld_sim_add_buffer(self._handle, ctypes.byref(buffer))

    def context(self, rank: int, ranks: Sequence[int] | None = None) -> int:
        """
        The address of a rank's CommContext in the domain of all ranks, or in one of these ranks.
        """
        if ranks is None:
            address: int = self._library.pld_sim_context(self._handle, rank)
            return address
        domain = tuple(ranks)
        if domain not in self._contexts:
            self._contexts[domain] = [self._new_context(domain, i) for i in range(len(domain))]
        return ctypes.addressof(self._contexts[domain][domain.index(rank)])

    def _new_context(self, domain: tuple[int, ...], rank: int) -> abi.CommContext:
        context = abi.CommContext(rank=rank, ranks=len(domain), window_bytes=self._window_bytes)
        for i, member in enumerate(domain):
            context.windows_in[i] = context.windows_out[i] = self._windows[member].ctypes.data
        return context

    # What a rank's pipeline, or the host body above all (PROGRAM), does by itself.

    def host_wrote(self, rank: int, *arrays: Array) -> None:
        """The rank's pipeline writes all of these arrays, between launches."""
        for address, size in _runs(arrays):
            self._library.pld_sim_host_write(self._handle, rank, address, size)

    def host_reads(self, rank: int, *arrays: Array) -> None:
        """The rank's pipeline reads all of these arrays, between launches."""
        for address, size in _runs(arrays):
            self._library.pld_sim_host_read(self._handle, rank, address, size)

    def host_sees(self, rank: int, *arrays: Array) -> None:
        """The rank's pipeline may read all of these arrays from now on; it does not yet."""
        for address, size in _runs(arrays):
            self._library.pld_sim_host_sees(self._handle, rank, address, size)

    def host_notifies(self, rank: int, cell: Array, value: int, *, add: bool) -> None:
        """The rank's pipeline adds to a cell of a signal, or sets it."""
        self._library.pld_sim_host_notify(self._handle, rank, cell.ctypes.data, value, int(add))

    def host_waited(self, rank: int, cell: Array) -> None:
        """The rank's pipeline has seen the value that it waited for."""
        self._library.pld_sim_host_waited(self._handle, rank, cell.ctypes.data)

    def order(self, before: int, after: int) -> None:
        """All that one pipeline did comes before what another will do."""
        self._library.pld_sim_order(self._handle, before, after)

    # Running.

    def start(
        self,
        rank: int,
        kernel: int,
        tensors: Sequence[Array | abi.Tensor],
        scalars: Sequence[int],
        *,
        blocks: int = 1,
        sync_start: bool = True,
    ) -> bool:
        """
        Starts a kernel's blocks; False once the session stopped. A rank has one launch at a time.

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
        first = memory.ctypes.data
        args = (ctypes.c_int64 * abi.MAX_KERNEL_ARGS)()
        for i, tensor in enumerate(tensors):
            address = first + i * size
            abi.fill_descriptor(abi.TensorDescriptor.from_address(address), tensor)
            args[i] = address
        for i, scalar in enumerate(scalars, start=len(tensors)):
            args[i] = ctypes.c_int64(scalar).value
        self._arguments[rank] = (memory, args, tensors)
        count = len(tensors) + len(scalars)
        return not self._library.pld_sim_start(self._handle, rank, kernel, args, count, blocks)

    def over(self, rank: int) -> bool:
        """Whether the rank has no launch under way."""
        return bool(self._library.pld_sim_over(self._handle, rank))

    def wait_for(self, rank: int) -> bool:
        """Returns when the rank's launch is over; False once the session stopped."""
        return not self._library.pld_sim_wait_for(self._handle, rank)

    def idle(self, seconds: float) -> None:
        """
        Returns when a launch ends, or after a while. Until then no pipeline does anything: blocks
        that wait for one wait in vain.
        """
        self._library.pld_sim_idle(self._handle, round(seconds * 1e9))

    def launch(
        self,
        rank: int,
        kernel: int,
        tensors: Sequence[Array | abi.Tensor],
        scalars: Sequence[int],
        *,
        blocks: int = 1,
        sync_start: bool = True,
    ) -> bool:
        """As `start`, but returns when all blocks have ended."""
        started = self.start(rank, kernel, tensors, scalars, blocks=blocks, sync_start=sync_start)
        return started and self.wait_for(rank)

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
        findings = self.findings()
        if not any(each.kind is FindingKind.DEADLOCK for each in findings):
            findings += [each for signal in self._credits for each in self.credits_left(signal)]
        return Report(findings, self.waiters(), [self.count(r) for r in range(self.ranks)])

    def findings(self) -> list[Finding]:
        """What was found so far, signals that are not zero left out."""
        return [*self._engine_findings(), *self._findings]

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

    def found(self) -> int:
        """How many findings there are so far."""
        total: int = self._library.pld_sim_findings(self._handle, None, 0)
        return total + len(self._findings)

    def spans(self, rank: int) -> list[Span]:
        """What the blocks of the rank's last launch did, where that is kept."""
        total: int = self._library.pld_sim_spans(self._handle, rank, None, 0)
        raw = (abi.RawSpan * max(total, 1))()
        self._library.pld_sim_spans(self._handle, rank, raw, total)
        return [
            Span(
                each.block,
                bool(each.waits),
                None if each.peer < 0 else each.peer,
                each.start_ns * 1e-9,
                each.end_ns * 1e-9,
            )
            for each in raw[:total]
        ]

    def count(self, rank: int) -> Counters:
        """What a rank's launches did so far."""
        raw = abi.RawCounters()
        self._library.pld_sim_count(self._handle, rank, ctypes.byref(raw))
        return Counters(*(getattr(raw, field[0]) for field in abi.RawCounters._fields_))

    def credits_left(self, signal: int) -> list[Finding]:
        """The cells that are not zero of the signal at an address on the first of its ranks."""
        name, arrays, ranks = self._credits[signal]
        findings: list[Finding] = []
        for rank, array in zip(ranks, arrays, strict=True):
            for index in np.argwhere(array):
                cell = f"{name}{index.tolist()} of rank {rank}"
                message = f"{cell} is {array[tuple(index)]} at the end, not 0"
                findings.append(Finding(FindingKind.CREDITS_LEFT, rank, None, message))
        return findings

    def waiters(self) -> list[Waiter]:
        """The blocks that wait, by rank and block."""
        room = self.ranks * 1024
        raw = (abi.RawWaiter * room)()
        total: int = self._library.pld_sim_waiters(self._handle, raw, room)
        waiters = [
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
        return sorted(waiters, key=lambda waiter: (waiter.rank, waiter.block))


def _rounded(size: int) -> int:
    """The next start of a buffer; a gap behind each keeps an overrun from its neighbour."""
    return (size + 2 * _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT


def _aligned(size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Zeroed bytes at an aligned address."""
    memory = np.zeros(size + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    return memory[start : start + size]


def _reserved(ranks: int, size: int) -> list[Array]:
    """Zeroed bytes for each rank at aligned addresses, of which the machine gives what is used."""
    each = (max(size, 1) + mmap.PAGESIZE - 1) // mmap.PAGESIZE * mmap.PAGESIZE
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", _NORESERVE)
    try:
        memory = np.frombuffer(mmap.mmap(-1, ranks * each, flags=flags), np.uint8)
    except (OSError, OverflowError) as error:
        raise ValueError(f"{ranks} windows of {size} bytes are more than there is") from error
    return [memory[rank * each : rank * each + size] for rank in range(ranks)]


def _root(array: Array) -> Array:
    """The array that all of an array's memory belongs to."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _span(array: Array) -> int:
    """The bytes from an array's first element to its last."""
    if not array.size:
        return 0
    steps = zip(array.shape, array.strides, strict=True)
    return array.itemsize + sum((extent - 1) * stride for extent, stride in steps)


def _runs(arrays: Iterable[Array]) -> Iterator[tuple[int, int]]:
    """The contiguous parts of arrays: address and bytes."""
    for array in arrays:
        if array.flags.c_contiguous:
            yield array.ctypes.data, array.nbytes
        else:
            yield from _runs(array)
