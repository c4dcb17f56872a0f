"""Two strategies on the same deals: what their difference says of the deals that only one won."""

from __future__ import annotations

import math
from operator import index


def discordant_counts(both: int, only_a: int, only_b: int, neither: int) -> tuple[int, int, int]:
    """The counts that the difference of two win rates on the same deals depends on.

    Args:
        both: deals that both strategies won.
        only_a: deals that only the first won.
        only_b: deals that only the second won.
        neither: deals that neither won.

    Returns:
        `only_a`, `only_b` and the number of all deals, as Python's integers, which don't overflow.

    Raises:
        ValueError: a negative count, or no deals at all.
    """
    both, only_a, only_b, neither = map(index, (both, only_a, only_b, neither))
    if min(both, only_a, only_b, neither) < 0:
        raise ValueError(f"counts of deals are negative: {(both, only_a, only_b, neither)}")
    deals = both + only_a + only_b + neither
    if not deals:
        raise ValueError("a difference needs at least one deal")
    return only_a, only_b, deals


def likeliest_shares(
    only_a: int, only_b: int, deals: int, difference: float
) -> tuple[float, float]:
    """The likeliest shares of deals that only one strategy wins, given the difference of the rates.

    Maximises only_a * log(a) + only_b * log(b) + (deals - only_a - only_b) * log(1 - a - b) where
    a - b = difference. With a = b + difference the derivative is zero at a root of a quadratic.

    Source: T. Tango (1998), "Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design", Statistics in Medicine 17(8), 891-908.

    Args:
        only_a: deals that only the first strategy won.
        only_b: deals that only the second won.
        deals: all deals, at least 1.
        difference: of the win rates, first minus second, -1 to 1.

    Returns:
        The shares a and b.
    """
    if difference < 0:
        share_b, share_a = likeliest_shares(only_b, only_a, deals, -difference)
        return share_a, share_b

    linear = (2 * deals - only_a + only_b) * difference - only_a - only_b
    constant = -only_b * difference * (1 - difference)
    root = math.sqrt(linear * linear - 8 * deals * constant)
    # The root that is not negative, in that one of its two forms that subtracts nothing.
    share_b = (root - linear) / (4 * deals) if linear <= 0 else -2 * constant / (linear + root)
    return share_b + difference, share_b
