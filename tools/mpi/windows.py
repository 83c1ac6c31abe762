"""
Window buffers in MPI windows, and how the interpreter reaches a peer's memory.

Reads   which ranks of a domain share memory with this one (`MPI_Comm_split_type`).
Decides how a buffer is made: all ranks share memory: `MPI_Win_allocate_shared`; none does:
        `MPI_Win_allocate`; some do: `MPI_Win_create` on memory that those share.
Changes nothing of the program's: every rank's array has an address in this process. Where the
        memory is elsewhere the address is only reserved, so that views, which are addresses, can be
        computed; touching it would end the process, and nobody does: transfers go through MPI.

Epochs are passive and last as long as the window. The transport (pld_sim/mpi_transport.cpp) does
the same for kernels; signal cells are changed by its functions only, in one way per window.
"""

import ctypes
import mmap
from bisect import bisect, insort
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI
from xdsl.utils.exceptions import InterpretationError

from xdsl_pld.tools.interpreter.memory import Array, Domain, address, check_bytes
from xdsl_pld.tools.mpi.world import World, limited
from xdsl_pld.tools.sim.compiler import Compiler, find_mpi_compiler, load_library

_AT_ONCE = 1 << 30
"""MPI counts in int."""
_SUMMED = {
    np.dtype(name): type_
    for name, type_ in (
        ("int32", MPI.INT32_T),
        ("int64", MPI.INT64_T),
        ("uint32", MPI.UINT32_T),
        ("uint64", MPI.UINT64_T),
        ("float32", MPI.FLOAT),
        ("float64", MPI.DOUBLE),
    )
}
"""
The element types that MPI adds. Not smaller integers: Open MPI's sums of these stop at the largest.
"""
_SWAPPED = {1: MPI.UINT8_T, 2: MPI.UINT16_T}
"""The others are added by a computed value that is swapped in, by size."""


class Transport:
    """The C++ side: what carries a kernel's copies and signals."""

    def __init__(self, control: int, stop_tag: int):
        """Raises CompilerError."""
        compiler = Compiler(command=find_mpi_compiler())
        self._library = load_library(compiler.mpi_transport(MPI.Get_library_version()))
        pointer, i32, u64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint64
        library = self._library
        library.pld_mpi_open.argtypes = [ctypes.c_int, ctypes.c_int]
        library.pld_mpi_open.restype = pointer
        library.pld_mpi_close.argtypes = [pointer]
        library.pld_mpi_close.restype = None
        library.pld_mpi_add_window.argtypes = [
            *(pointer, ctypes.c_int, i32, i32),
            *(ctypes.POINTER(u64), ctypes.POINTER(i32), u64),
        ]
        library.pld_mpi_add_window.restype = None
        library.pld_mpi_add.argtypes = [pointer, i32, pointer, ctypes.POINTER(i32), u64]
        library.pld_mpi_add.restype = None
        library.pld_mpi_set.argtypes = [pointer, i32, pointer, i32]
        library.pld_mpi_set.restype = None
        library.pld_mpi_abandoned.argtypes = [pointer]
        library.pld_mpi_abandoned.restype = i32
        self.handle: int = library.pld_mpi_open(control, stop_tag)

    def add_window(self, window: "MpiMemory", devices: int) -> None:
        """Makes a window known, one of so many devices."""
        assert window.handle is not None
        assert window.me is not None
        bases, ranks = [0] * devices, [-1] * devices
        for rank, device in enumerate(window.domain.devices):
            ranks[device] = rank
            bases[device] = address(window[rank]) if window.mapped[rank] else 0
        self._library.pld_mpi_add_window(
            self.handle,
            window.handle.py2f(),
            devices,
            window.domain.devices[window.me],
            (ctypes.c_uint64 * devices)(*bases),
            (ctypes.c_int32 * devices)(*ranks),
            window[0].nbytes,
        )

    def add(self, device: int, own: int, values: Array) -> None:
        """Adds to a device's i32 cells; `own` is the address of these cells in our window."""
        given = values.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        self._library.pld_mpi_add(self.handle, device, own, given, values.size)

    def set(self, device: int, own: int, value: int) -> None:
        self._library.pld_mpi_set(self.handle, device, own, value)

    def abandoned(self) -> bool:
        """Whether a launch ended because the job ends; asked once."""
        return bool(self._library.pld_mpi_abandoned(self.handle))

    def close(self) -> None:
        self._library.pld_mpi_close(self.handle)


class MpiMemory(list[Array]):
    """
    A window buffer's memory by rank. On a rank outside of its domain it has addresses only.
    """

    def __init__(
        self, number: int, domain: Domain, me: int | None, size: int, transport: Transport
    ):
        super().__init__(_reserved(size) for _ in domain.devices)
        self.number = number
        """The same on all ranks of the world."""
        self.domain = domain
        self.me = me
        """Our rank in the domain."""
        self.mapped = [False] * len(self)
        """By rank: whether its array can be touched here."""
        self.handle: MPI.Win | None = None
        self.shared: MPI.Win | None = None
        """The window that the memory belongs to, where that is another one."""
        self._transport = transport

    @property
    def all_mapped(self) -> bool:
        return all(self.mapped)

    def read(self, rank: int, place: Array) -> Array:
        if self.mapped[rank]:
            return place.copy()
        copy: Array = np.empty(place.shape, place.dtype)
        for run in _runs(place, copy):
            for at, piece in self._pieces(rank, run):
                self._window.Get([piece, MPI.BYTE], rank, (at, piece.nbytes, MPI.BYTE))
        self._window.Flush(rank)
        return copy

    def write(self, rank: int, place: Array, payload: Array) -> None:
        if self.mapped[rank]:
            place[...] = payload
            return
        for run in _runs(place, _fitting(payload, place)):
            for at, piece in self._pieces(rank, run):
                self._window.Put([piece, MPI.BYTE], rank, (at, piece.nbytes, MPI.BYTE))
        self._window.Flush(rank)

    def add(self, rank: int, place: Array, payload: Array) -> None:
        values = _fitting(payload, place)
        for run in _runs(place, values):
            if place.dtype == np.int32 and self.all_mapped:
                device = self.domain.devices[rank]
                self._transport.add(device, self._own(rank, run.there), run.here)
            elif (type_ := _SUMMED.get(place.dtype)) is not None:
                self._accumulate(rank, run, type_)
            else:
                self._swap_in(rank, run)

    def notify(self, rank: int, cell: Array, value: int, *, add: bool) -> None:
        """Changes a signal cell in one indivisible step."""
        own, device = self._own(rank, cell), self.domain.devices[rank]
        value = int(np.int64(value).astype(np.int32))
        if add:
            self._transport.add(device, own, np.array([value], np.int32))
        else:
            self._transport.set(device, own, value)

    @property
    def _window(self) -> MPI.Win:
        assert self.handle is not None
        return self.handle

    def _own(self, rank: int, place: Array) -> int:
        """The address in our window that corresponds to a place in another rank's."""
        assert self.me is not None
        return address(place) - address(self[rank]) + address(self[self.me])

    def _pieces(self, rank: int, run: "_Run") -> Iterator[tuple[int, Array]]:
        """A run in pieces that MPI can count: displacement, and our bytes."""
        at = address(run.there) - address(self[rank])
        here = run.here.reshape(-1).view(np.uint8)
        for start in range(0, here.nbytes, _AT_ONCE):
            yield at + start, here[start : start + _AT_ONCE]

    def _accumulate(self, rank: int, run: "_Run", type_: MPI.Datatype) -> None:
        at = address(run.there) - address(self[rank])
        values = run.here.reshape(-1)
        step = _AT_ONCE // values.itemsize
        for start in range(0, values.size, step):
            piece = values[start : start + step]
            target = (at + start * values.itemsize, piece.size, type_)
            self._window.Accumulate([piece, type_], rank, target, MPI.SUM)
        self._window.Flush(rank)

    def _swap_in(self, rank: int, run: "_Run") -> None:
        """Adds what MPI cannot add: half floats, and integers of one or two bytes."""
        window, type_ = self._window, _SWAPPED[run.here.itemsize]
        at = address(run.there) - address(self[rank])
        bits = np.dtype(f"u{run.here.itemsize}")
        for index, value in enumerate(run.here.reshape(-1)):
            place = at + index * run.here.itemsize
            known, found = np.empty(1, bits), np.empty(1, bits)
            window.Fetch_and_op([known, type_], [found, type_], rank, place, MPI.NO_OP)
            window.Flush(rank)
            while True:
                known[...] = found
                wanted = (known.view(run.here.dtype) + value).astype(run.here.dtype).view(bits)
                window.Compare_and_swap(
                    [wanted, type_], [known, type_], [found, type_], rank, place
                )
                window.Flush(rank)
                if found[0] == known[0]:
                    break

    def sync(self) -> None:
        """Makes what peers have put visible to loads."""
        if self.handle is not None and not self.all_mapped:
            self.handle.Sync()

    def free(self) -> None:
        """All ranks of the domain together."""
        if self.handle is not None:
            self.handle.Unlock_all()
            self.clear()
            self.handle.Free()
        if self.shared is not None:
            self.shared.Free()


@dataclass(frozen=True)
class _Run:
    """A stretch of a peer's memory without gaps, and what of ours belongs to it."""

    there: Array
    here: Array


def _runs(place: Array, values: Array) -> Iterator[_Run]:
    """Cuts a view into stretches without gaps; `values`, of its shape, is contiguous."""
    inner = place.ndim
    expected = place.itemsize
    while inner and (place.strides[inner - 1] == expected or place.shape[inner - 1] == 1):
        inner -= 1
        expected *= place.shape[inner]
    for index in np.ndindex(place.shape[:inner]):
        if values[index].size:
            # An index that takes a single element gives a number, not a view: hence the ellipsis.
            yield _Run(place[(*index, ...)], values[(*index, ...)])


def _fitting(payload: Array, place: Array) -> Array:
    """The payload as contiguous elements of the place's type and shape."""
    return np.ascontiguousarray(np.broadcast_to(payload, place.shape), place.dtype)


class Windows:
    """The windows of a run, and the communicators of its domains."""

    def __init__(self, world: World, transport: Transport):
        self._world = world
        self._transport = transport
        self._comms: dict[tuple[int, ...], tuple[MPI.Intracomm, MPI.Comm, bool]] = {}
        self.made: list[MpiMemory] = []
        self._places: list[tuple[int, int, MpiMemory]] = []
        """Where the memory of a rank begins, in order."""

    def reserve(self, domain: Domain, size: int) -> MpiMemory:
        """A window's addresses on a rank that is not in its domain."""
        check_bytes(size)
        here = self._world.rank
        me = domain.rank_of(here) if here in domain.devices else None
        memory = MpiMemory(len(self.made), domain, me, size, self._transport)
        self.made.append(memory)
        if me is None:
            self._know(memory)
        return memory

    def allocate(self, name: str, domain: Domain, size: int, fill: int) -> MpiMemory:
        """
        A window's memory; all ranks of the domain call this at the same time.

        Raises InterpretationError when MPI has no such window.
        """
        memory = self.reserve(domain, size)
        me = memory.me
        assert me is not None
        try:
            with limited(self._world.wait_limit):
                comm, near, any_share = self._communicators(domain)
                if near.size == comm.size:
                    self._share(memory, comm, range(comm.size), size)
                    memory.handle, memory.shared = memory.shared, None
                elif not any_share:
                    memory.handle = MPI.Win.Allocate(size, 1, comm=comm)
                    memory[me] = _array(memory.handle.tomemory(), size)
                    memory.mapped[me] = True
                else:
                    ranks = MPI.Group.Translate_ranks(near.group, range(near.size), comm.group)
                    self._share(memory, near, ranks, size)
                    memory.handle = MPI.Win.Create(memory[me], 1, comm=comm)
                assert memory.handle is not None
                memory.handle.Lock_all()
        except MPI.Exception as error:
            raise InterpretationError(
                f"MPI has no window of {size} bytes for '{name}': {error.Get_error_string()}"
            ) from error
        if memory.handle.model != MPI.WIN_UNIFIED and not memory.all_mapped:
            raise InterpretationError(
                "this MPI keeps two copies of windows (MPI_WIN_SEPARATE): what peers put could not "
                "be waited for; use one whose windows are unified"
            )
        memory[me][...] = fill
        memory.handle.Sync()
        self._know(memory)
        self._transport.add_window(memory, self._world.size)
        return memory

    def _know(self, memory: MpiMemory) -> None:
        for rank, array in enumerate(memory):
            insort(self._places, (address(array), rank, memory), key=lambda place: place[0])

    def of(self, part: Array) -> tuple[MpiMemory, int]:
        """The window and the rank that a part of a window belongs to."""
        at = bisect(self._places, address(part), key=lambda place: place[0]) - 1
        _, rank, memory = self._places[at]
        return memory, rank

    def _share(
        self, memory: MpiMemory, near: MPI.Comm, ranks: "range | list[int]", size: int
    ) -> None:
        """Memory that the ranks of `near` have in common; `ranks` are theirs in the domain."""
        info = MPI.Info.Create({"alloc_shared_noncontig": "true"})
        assert isinstance(near, MPI.Intracomm)
        memory.shared = MPI.Win.Allocate_shared(size, 1, info=info, comm=near)
        info.Free()
        for number, rank in enumerate(ranks):
            buffer, _ = memory.shared.Shared_query(number)
            memory[rank] = _array(buffer, size)
            memory.mapped[rank] = True

    def _communicators(self, domain: Domain) -> tuple[MPI.Intracomm, MPI.Comm, bool]:
        """
        That of a domain, and of those of it that share memory with this rank; and whether any of
        its ranks share: one that is alone on its host makes windows as those do that are not.
        """
        known = self._comms.get(domain.devices)
        if known is None:
            group = self._world.comm.group.Incl(domain.devices)
            comm = self._world.comm.Create_group(group)
            near: MPI.Comm = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.rank)
            if (most := self._world.neighbours) is not None:
                near = near.Split(near.rank // most, near.rank)
            any_share = comm.allreduce(near.size, MPI.MAX) > 1
            known = self._comms[domain.devices] = comm, near, any_share
        return known

    def sync(self) -> None:
        for memory in self.made:
            memory.sync()

    def free(self) -> None:
        """All ranks of the world together; the arrays are gone after it."""
        for memory in self.made:
            memory.free()
        for comm, near, _ in self._comms.values():
            near.Free()
            comm.Free()


def _array(buffer: Any, size: int) -> Array:
    return np.frombuffer(buffer, np.uint8)[:size]


def _reserved(size: int) -> Array:
    """An address range that cannot be touched; it costs no memory."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    return np.frombuffer(mmap.mmap(-1, size, flags=flags, prot=0), np.uint8)
