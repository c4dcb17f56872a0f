"""Confidence intervals for a win rate."""

from __future__ import annotations

import math
from operator import index


def wilson_interval(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of a win rate, both ends as fractions.

    The ends are the rates p at which the observed number of wins lies exactly z standard
    deviations, z * sqrt(games * p * (1 - p)), away from its mean: the two roots of a quadratic.
    Unlike rate ± z * standard error, it stays sane at no wins and at nothing but wins.

    Source: E. B. Wilson (1927), "Probable Inference, the Law of Succession, and Statistical
    Inference", Journal of the American Statistical Association 22(158), 209-212.

    Args:
        wins: games won, 0 to `games`.
        games: games played, at least 1.
        confidence: nominal coverage, between 0 and 1, both excluded.

    Returns:
        Low and high end, with 0 <= low < high <= 1 and low <= wins / games <= high. Low is exactly
        0.0 at no wins, high exactly 1.0 at no losses.

    Raises:
        ValueError: no games, an impossible number of wins, or an impossible confidence.
    """
    wins, games = index(wins), index(games)  # numpy's integers overflow when squared
    if games < 1:
        raise ValueError("an interval needs at least one game")
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins in {games} games are impossible")

    z = two_sided_quantile(confidence)
    spread = z * math.sqrt(wins * (games - wins) / games + z * z / 4)
    larger_root = wins + z * z / 2 + spread
    high = larger_root / (games + z * z)
    # From the product of the roots: their difference would lose every digit at few wins.
    low = wins * wins / (games * larger_root) if wins else 0.0

    # Where floats are too coarse to tell the ends from the rate, the next float still holds it.
    rate = wins / games
    low = min(low, math.nextafter(rate, 0.0))
    high = min(1.0, max(high, math.nextafter(rate, 1.0)))
    return low, high


def two_sided_quantile(confidence: float) -> float:
    """How many standard deviations to each side of the mean hold that share of a normal law."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"a confidence lies between 0 and 1, {confidence} does not")
    # Imported here as it takes a quarter of a second, and scipy.stats three times as long.
    from scipy.special import ndtri

    # The lower tail: 1 minus it would round to 1 at a confidence close to 1.
    return -float(ndtri((1.0 - confidence) / 2))
