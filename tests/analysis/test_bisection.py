"""The end of an interval, by bisection."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.bisection import interval_end

floats = st.floats(-1, 1)


@given(floats, floats, floats)
def test_it_is_the_first_float_outside(start: float, bound: float, end: float) -> None:
    start, end, bound = sorted((start, end, bound))
    expected = max(end, math.nextafter(start, bound))  # the start belongs to it unasked
    assert interval_end(lambda x: x < end, start, bound) == expected


@given(floats, floats, floats)
def test_downward_it_is_the_mirror_image(start: float, bound: float, end: float) -> None:
    start, end, bound = sorted((start, end, bound))
    upward = interval_end(lambda x: x < end, start, bound)
    assert interval_end(lambda x: -x < end, -start, -bound) == -upward


def test_the_bound_is_the_end_of_what_is_inside_everywhere() -> None:
    assert interval_end(lambda _: True, 0.25, 1.0) == 1.0
    assert interval_end(lambda _: False, 1.0, 1.0) == 1.0


def test_nothing_but_the_start_is_inside() -> None:
    assert interval_end(lambda _: False, 0.25, 1.0) == math.nextafter(0.25, 1.0)
