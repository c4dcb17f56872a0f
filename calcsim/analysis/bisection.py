"""The ends of an interval that is known only by asking whether a value belongs to it."""

from __future__ import annotations

from collections.abc import Callable


def interval_end(inside: Callable[[float], bool], start: float, bound: float) -> float:
    """The end of an interval in the direction of a bound, by bisection down to the last float.

    Args:
        inside: whether a value strictly between `start` and `bound` belongs to the interval.
        start: a value that belongs to it.
        bound: the smallest or the greatest value possible.

    Returns:
        The first float that is not inside, so that rounding never makes an interval narrower, or
        the bound if that is met before.
    """
    within, beyond = start, bound
    while (middle := within + (beyond - within) / 2) not in (within, beyond):
        if inside(middle):
            within = middle
        else:
            beyond = middle
    return beyond
