"""
Which elements of a buffer: boxes, whether two of them meet, and what one leaves of another.

Arithmetic without IR. The elements of a root are numbered row-major; a *frame* is a packed tensor
laid over them, a *region* a box of one. Slices of slices stay in the frame of their root; a reshape
of a box without gaps is a frame of its own, so that boxes of both can still be told apart.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

UNBOUNDED = 2**62
"""The extent of a dimension that is not known: no known one reaches it."""


class Frame(NamedTuple):
    """A packed tensor of `shape` whose first element is element `start` of the root."""

    start: int
    shape: tuple[int, ...]

    def strides(self) -> list[int] | None:
        """How far apart neighbours are, None where an extent that matters is not known."""
        strides = [1] if self.shape else []
        for extent in self.shape[:0:-1]:
            if extent >= UNBOUNDED:
                return None
            strides.append(strides[-1] * extent)
        return strides[::-1]


class Region(NamedTuple):
    """The box `[start, stop)` in each dimension of a frame."""

    frame: Frame
    box: tuple[tuple[int, int], ...]

    @property
    def empty(self) -> bool:
        return any(start >= stop for start, stop in self.box)

    def bounds(self) -> tuple[int, int] | None:
        """The first element and the one past the last, None where they are not known."""
        strides = self.frame.strides()
        if strides is None or any(stop >= UNBOUNDED for _, stop in self.box):
            return None
        first = last = self.frame.start
        for (start, stop), stride in zip(self.box, strides, strict=False):
            first += start * stride
            last += (stop - 1) * stride
        return first, last + 1

    def run(self) -> tuple[int, int] | None:
        """The bounds of a region without gaps, None where it has some or they are not known."""
        bounds = self.bounds()
        if bounds is None or bounds[1] - bounds[0] != prod(b - a for a, b in self.box):
            return None
        return bounds

    def narrowed(self, offsets: Sequence[int | None], sizes: Sequence[int | None]) -> "Region":
        """
        The box at `offsets` of this region; None stands for what is not known. The leading
        dimensions that have no entry are those of extent 1 which a slice has dropped.
        """
        kept = len(self.box) - len(offsets)
        box = list(self.box[:kept])
        for (start, stop), offset, size in zip(self.box[kept:], offsets, sizes, strict=True):
            if offset is None:
                box.append((start, stop))
            elif size is None:
                box.append((start + offset, stop))
            else:
                box.append((start + offset, start + offset + size))
        return Region(self.frame, tuple(box))


def whole(shape: Sequence[int], start: int = 0) -> Region:
    """All of a packed tensor that starts at an element of its root."""
    return Region(Frame(start, tuple(shape)), tuple((0, extent) for extent in shape))


def overlap(left: Region, right: Region) -> bool:
    """Whether two regions of one root may have an element in common."""
    if left.empty or right.empty:
        return False
    if left.frame == right.frame:
        return all(a < d and c < b for (a, b), (c, d) in zip(left.box, right.box, strict=True))
    mine, other = left.bounds(), right.bounds()
    if mine is None or other is None:
        return True
    if mine[0] >= other[1] or other[0] >= mine[1]:
        return False
    if (run := left.run()) is not None:
        return _meets(right, run)
    if (run := right.run()) is not None:
        return _meets(left, run)
    return True


def _meets(region: Region, run: tuple[int, int]) -> bool:
    """Whether an element of the region lies in a run of elements."""
    strides = region.frame.strides()
    assert strides is not None
    rest = max(run[0] - region.frame.start, 0)
    # The first element of the box at or after `rest`: digit by digit, like a number.
    digits: list[int] = []
    for index, ((start, stop), stride) in enumerate(zip(region.box, strides, strict=True)):
        digit, rest = divmod(rest, stride)
        if digit < start:
            digits += [first for first, _ in region.box[index:]]
            break
        if digit >= stop:
            if (raised := _next(region.box, digits)) is None:
                return False
            digits = raised
            break
        digits.append(digit)
    found = sum(d * s for d, s in zip(digits, strides, strict=True))
    return region.frame.start + found < run[1]


def _next(box: Sequence[tuple[int, int]], digits: Sequence[int]) -> list[int] | None:
    """The first index of the box behind all that start with `digits`."""
    for place in range(len(digits) - 1, -1, -1):
        if digits[place] + 1 < box[place][1]:
            tail = [start for start, _ in box[place + 1 :]]
            return [*digits[:place], digits[place] + 1, *tail]
    return None


def without(region: Region, cover: Region) -> list[Region] | None:
    """
    What `cover` leaves of `region`: nothing, one box or two; None where it leaves another shape,
    and the region has to be taken as it is.
    """
    if region.frame != cover.frame:
        mine, other = region.run(), cover.run()
        if other is None:
            return None
        if mine is None:
            bounds = region.bounds()
            inside = bounds is not None and other[0] <= bounds[0] and bounds[1] <= other[1]
            return [] if inside else None
        region, cover = _flat(mine), _flat(other)
    left: list[Region] = []
    for dim, ((a, b), (c, d)) in enumerate(zip(region.box, cover.box, strict=True)):
        if c <= a and b <= d:
            continue
        if left:
            return None
        for start, stop in ((a, min(b, c)), (max(a, d), b)):
            if start < stop:
                left.append(
                    Region(
                        region.frame,
                        (*region.box[:dim], (start, stop), *region.box[dim + 1 :]),
                    )
                )
    return left


def _flat(run: tuple[int, int]) -> Region:
    return Region(_LINE, (run,))


_LINE = Frame(0, (UNBOUNDED,))
