"""Many tests at once: Holm's correction, so that one among many doesn't look good by chance."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts p-values so that all those below alpha may be called significant at once.

    The smallest of m is multiplied by m, the next by m - 1, and so on to the greatest by 1; none
    becomes smaller than the adjusted one before it, nor greater than 1. The probability that any
    true hypothesis is rejected is then alpha at most, however the tests depend on each other.

    Source: S. Holm (1979), "A simple sequentially rejective multiple test procedure",
    Scandinavian Journal of Statistics 6(2), 65-70.

    Args:
        p_values: of the tests, in any order.

    Returns:
        The adjusted p-values, in the order of `p_values`.

    Raises:
        ValueError: a p-value that is not between 0 and 1.
    """
    for p_value in p_values:
        if not 0.0 <= p_value <= 1.0:
            raise ValueError(f"a p-value lies between 0 and 1, {p_value} does not")

    tests = len(p_values)
    adjusted = [0.0] * tests
    smallest_allowed = 0.0
    for rejected, test in enumerate(sorted(range(tests), key=p_values.__getitem__)):
        smallest_allowed = max(smallest_allowed, min(1.0, (tests - rejected) * p_values[test]))
        adjusted[test] = smallest_allowed
    return adjusted
