"""How many deals would show a difference, were the observed one the truth."""

from __future__ import annotations

import math

from calcsim.analysis.discordant import discordant_counts
from calcsim.analysis.intervals import two_sided_quantile

POWER = 0.8
"""The probability that they show it."""


def paired_deals_to_go(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = 0.95
) -> int | None:
    """About how many more deals would separate two strategies on the same deals.

    It takes n = (z_alpha * sqrt(d) + z_beta * sqrt(d - delta^2))^2 / delta^2 deals, d being the
    share that only one strategy wins, and delta the difference of the rates.

    Source: R. J. Connor (1987), "Sample size for testing differences in proportions for the
    paired-sample design", Biometrics 43(1), 207-211.

    Args:
        both: deals that both strategies won.
        only_a: deals that only the first won.
        only_b: deals that only the second won.
        neither: deals that neither won.
        confidence: of the interval that is to leave out 0, between 0 and 1, both excluded.

    Returns:
        At least 1, or None if there is no difference.
    """
    only_a, only_b, deals = discordant_counts(both, only_a, only_b, neither)
    if only_a == only_b:
        return None
    delta, share = (only_a - only_b) / deals, (only_a + only_b) / deals
    root = two_sided_quantile(confidence) * math.sqrt(share)
    root += _power_quantile() * math.sqrt(share - delta * delta)
    return max(1, math.ceil((root / delta) ** 2 - deals))


def unpaired_deals_to_go(
    wins_a: int, games_a: int, wins_b: int, games_b: int, confidence: float = 0.95
) -> int | None:
    """About how many more deals of each would separate two strategies on different deals.

    It takes n = (z_alpha * sqrt(2 p q) + z_beta * sqrt(p_a q_a + p_b q_b))^2 / delta^2 deals of
    each, p being the mean of the rates, delta their difference, and q = 1 - p. Unequal numbers of
    deals are worth as much as their harmonic mean: m more of each make that n.

    Source: J. L. Fleiss, B. Levin and M. C. Paik (2003), Statistical Methods for Rates and
    Proportions, 3rd edition, Wiley, section 4.2.

    Args:
        wins_a: games that the first has won, 0 to `games_a`.
        games_a: games that it has played, at least 1.
        wins_b: likewise of the second.
        games_b: likewise.
        confidence: of the interval that is to leave out 0, between 0 and 1, both excluded.

    Returns:
        At least 1, or None if there is no difference.
    """
    if wins_a * games_b == wins_b * games_a:
        return None
    rate_a, rate_b = wins_a / games_a, wins_b / games_b
    mean = (rate_a + rate_b) / 2
    root = two_sided_quantile(confidence) * math.sqrt(2 * mean * (1 - mean))
    root += _power_quantile() * math.sqrt(rate_a * (1 - rate_a) + rate_b * (1 - rate_b))
    needed = (root / (rate_a - rate_b)) ** 2
    # The root m of 2 / (1 / (games_a + m) + 1 / (games_b + m)) = needed.
    more = (needed - games_a - games_b + math.hypot(games_a - games_b, needed)) / 2
    return max(1, math.ceil(more))


def _power_quantile() -> float:
    """How many standard deviations above the mean leave that much of a normal law below them."""
    return two_sided_quantile(2 * POWER - 1)
