"""
The accesses to buffers that a later task may still have to wait for.

A read waits for the writes to the elements that it reads; a write also for the reads of what it
overwrites, and thereby settles them: who comes later waits for the write. So the accesses alive are
few, and an index by elements finds the ones that matter without a look at the others.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from xdsl.ir import Operation, SSAValue

from xdsl_pld.passes.analysis.regions import Region, overlap, without


@dataclass(frozen=True, eq=False)
class Access:
    """One access of one node (a task, or an op in between) to one buffer."""

    node: int
    root: SSAValue | None
    """The buffer, None for any."""
    region: Region | None
    """Its elements, None for all."""
    writes: bool
    reads: bool
    carried: Operation | None = None
    """The loop of which an earlier iteration made it."""
    loose: Operation | None = None
    """The region op inside which it was made any number of times, in no order."""


class _Index:
    """Accesses to one buffer of one kind, by the elements that they touch."""

    def __init__(self):
        self._unplaced: dict[Access, None] = {}
        """Those whose first and last element are not known."""
        self._classes: dict[int, list[tuple[int, int, int]]] = {}
        """By the length's magnitude: (first, past the last, number), sorted."""
        self._placed: dict[int, Access] = {}
        self._numbers: dict[Access, int] = {}
        self._next = 0

    def add(self, access: Access) -> None:
        bounds = _bounds(access)
        if bounds is None:
            self._unplaced[access] = None
            return
        number = self._next
        self._next += 1
        self._placed[number] = access
        self._numbers[access] = number
        insort(self._classes.setdefault(_magnitude(bounds), []), (*bounds, number))

    def remove(self, access: Access) -> None:
        bounds = _bounds(access)
        if bounds is None:
            del self._unplaced[access]
            return
        number = self._numbers.pop(access)
        del self._placed[number]
        entries = self._classes[_magnitude(bounds)]
        del entries[bisect_left(entries, (*bounds, number))]

    def __iter__(self) -> Iterator[Access]:
        yield from self._unplaced
        yield from self._placed.values()

    def meeting(self, region: Region | None) -> Iterator[Access]:
        """The accesses that may have an element in common with `region`."""
        bounds = None if region is None else region.bounds()
        if bounds is None:
            candidates: Iterable[Access] = self
        else:
            candidates = (*self._unplaced, *self._between(*bounds))
        for access in candidates:
            if region is None or access.region is None or overlap(region, access.region):
                yield access

    def _between(self, first: int, end: int) -> Iterator[Access]:
        for magnitude, entries in self._classes.items():
            # None is longer than 2**magnitude, so those before this start end too early.
            at = bisect_left(entries, (first - 2**magnitude, 0, 0))
            while at < len(entries) and entries[at][0] < end:
                yield self._placed[entries[at][2]]
                at += 1


def _bounds(access: Access) -> tuple[int, int] | None:
    return None if access.region is None else access.region.bounds()


def _magnitude(bounds: tuple[int, int]) -> int:
    return max(bounds[1] - bounds[0], 1).bit_length()


class LiveAccesses:
    """A set of accesses that can be changed and brought back to what it was."""

    def __init__(self):
        self._reads: dict[SSAValue | None, _Index] = {}
        self._writes: dict[SSAValue | None, _Index] = {}
        self._log: list[tuple[bool, Access]] = []
        """What was done since the beginning: (whether added, access)."""
        self._alive: dict[Access, None] = {}

    def __iter__(self) -> Iterator[Access]:
        return iter(self._alive)

    def add(self, access: Access) -> None:
        self._add(access)
        self._log.append((True, access))

    def remove(self, access: Access) -> None:
        """Takes away an access, if it is there."""
        if access in self._alive:
            self._remove(access)
            self._log.append((False, access))

    def _add(self, access: Access) -> None:
        self._alive[access] = None
        self._index(access).add(access)

    def _remove(self, access: Access) -> None:
        del self._alive[access]
        self._index(access).remove(access)

    def _index(self, access: Access) -> _Index:
        return (self._writes if access.writes else self._reads).setdefault(access.root, _Index())

    def conflicting(self, access: Access) -> list[Access]:
        """The accesses that may touch what `access` touches, one of both being a write."""
        found: list[Access] = []
        for indices in (self._writes, self._reads) if access.writes else (self._writes,):
            if access.root is None:
                for index in indices.values():
                    found += index
            else:
                for root in (access.root, None):
                    if root in indices:
                        found += indices[root].meeting(access.region if root else None)
        return found

    def settle(self, write: Access, conflicting: Iterable[Access]) -> None:
        """Takes away what who comes later need not wait for, once it waits for `write`."""
        for access in conflicting:
            if write.root is None or (access.root is write.root and write.region is None):
                left: list[Region] | None = []
            elif access.root is not write.root or access.region is None or write.region is None:
                continue
            else:
                left = without(access.region, write.region)
            if left is not None and access in self._alive:
                self.remove(access)
                for region in left:
                    self.add(replace(access, region=region))

    # Bringing back

    def mark(self) -> int:
        """A state to come back to."""
        return len(self._log)

    def undo(self, mark: int) -> tuple[list[Access], list[Access]]:
        """Brings back the state at `mark`; returns what had come and what had gone since."""
        came: dict[Access, None] = {}
        gone: dict[Access, None] = {}
        for added, access in self._log[mark:]:
            mine, other = (came, gone) if added else (gone, came)
            if access in other:
                del other[access]
            else:
                mine[access] = None
        while len(self._log) > mark:
            added, access = self._log.pop()
            (self._remove if added else self._add)(access)
        return list(came), list(gone)
