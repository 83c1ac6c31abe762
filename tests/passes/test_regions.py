"""Regions against sets of elements."""

from math import prod

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from xdsl_pld.passes.analysis.regions import UNBOUNDED, Frame, Region, overlap, whole, without

SIZE = 24


def elements(region: Region) -> set[int]:
    frame = region.frame
    numbers = frame.start + np.arange(prod(frame.shape)).reshape(frame.shape)
    return {int(n) for n in numbers[tuple(slice(a, b) for a, b in region.box)].flat}


@st.composite
def any_region(draw: st.DrawFn) -> Region:
    start = draw(st.sampled_from((0, 0, 4, 6)))
    shape = draw(st.sampled_from(((4, 6), (6, 4), (2, 3, 4), (24,), (3, 1, 8), (1, 6), (5,), ())))
    assume(start + prod(shape) <= SIZE)
    box = [sorted(draw(st.tuples(st.integers(0, e), st.integers(0, e)))) for e in shape]
    return Region(Frame(start, shape), tuple((a, b) for a, b in box))


@settings(max_examples=400, deadline=None)
@given(any_region(), any_region())
def test_overlap_and_without(left: Region, right: Region):
    mine, other = elements(left), elements(right)
    assert left.empty == (not mine)
    if mine:
        assert left.bounds() == (min(mine), max(mine) + 1)
        assert (left.run() is not None) == (max(mine) - min(mine) + 1 == len(mine))
    exact = left.frame == right.frame or (mine and other and (left.run() or right.run()))
    if mine & other:
        assert overlap(left, right)
    elif exact:
        assert not overlap(left, right)
    if mine & other and (rest := without(left, right)) is not None:
        assert set[int]().union(*(elements(_in_line(each)) for each in rest)) == mine - other


def _in_line(region: Region) -> Region:
    """A region of the unbounded line, in one that can be counted."""
    return region if region.frame.shape != (UNBOUNDED,) else Region(Frame(0, (SIZE,)), region.box)


@example(whole((UNBOUNDED, 4)), whole((UNBOUNDED, 4)))
@given(st.just(whole((UNBOUNDED, 4))), st.just(whole((4, UNBOUNDED))))
def test_extents_that_are_not_known(left: Region, right: Region):
    assert left.bounds() is None
    assert right.bounds() is None
    assert left.run() is None
    assert overlap(left, right)
    rows = left.narrowed((2, 0), (2, 4))
    assert overlap(rows, left)
    assert not overlap(rows, left.narrowed((4, 0), (None, 4)))
    assert overlap(rows, left.narrowed((0, 0), (None, 4)))
    assert overlap(rows, left.narrowed((None, 0), (1, 4)))
    assert without(rows, left) == []


def test_dropped_dimensions_stay_where_they_are():
    row = whole((4, 2, 3)).narrowed((1, 0, 0), (1, 2, 3))
    assert elements(row.narrowed((1, 0), (1, 3))) == {9, 10, 11}
