"""Two strategies on deals that have nothing to do with each other: whether one is better."""

from __future__ import annotations

import math
from operator import index

import numpy as np
from numpy.typing import NDArray

from calcsim.analysis.bisection import interval_end
from calcsim.analysis.intervals import wilson_interval
from calcsim.analysis.sequences import rate_sequence

LEAST_EXPECTED = 5
"""Counts that must be expected in each cell of a table of wins and losses for the score test."""

_ROUNDING = 1e-7
"""By which two numbers of wins that are equally probable may seem to differ, relatively."""


def unpaired_interval(
    wins_a: int, games_a: int, wins_b: int, games_b: int, confidence: float = 0.95
) -> tuple[float, float]:
    """The hybrid score interval of the difference of two independent win rates.

    Each end lies as far from the observed difference as the two ends of the rates' own score
    intervals that it comes from, added as independent errors are: the root of the sum of squares.

    Source: R. G. Newcombe (1998), "Interval estimation for the difference between independent
    proportions: comparison of eleven methods", Statistics in Medicine 17(8), 873-890: method 10.

    Args:
        wins_a: games that the first has won, 0 to `games_a`.
        games_a: games that it has played, at least 1.
        wins_b: likewise of the second.
        games_b: likewise.
        confidence: nominal coverage, between 0 and 1, both excluded.

    Returns:
        Low and high end for the first rate minus the second, with -1 <= low < high <= 1. The
        observed difference lies between them. Swapping the strategies swaps and negates the ends.

    Raises:
        ValueError: no games, an impossible number of wins, or an impossible confidence.
    """
    low_a, high_a = wilson_interval(wins_a, games_a, confidence)
    low_b, high_b = wilson_interval(wins_b, games_b, confidence)
    rate_a, rate_b = wins_a / games_a, wins_b / games_b
    low = rate_a - rate_b - math.hypot(rate_a - low_a, high_b - rate_b)
    high = rate_a - rate_b + math.hypot(high_a - rate_a, rate_b - low_b)
    return _around(rate_a - rate_b, low, high)


def unpaired_p_value(wins_a: int, games_a: int, wins_b: int, games_b: int) -> float:
    """The two-sided p-value that two independent strategies win equally often.

    The score test (Pearson's chi-square test of the table of wins and losses, without correction)
    where at least 5 games are expected in each of the table's four cells, Fisher's exact test
    where fewer are.

    Sources:
        W. G. Cochran (1954), "Some methods for strengthening the common chi-square tests",
        Biometrics 10(4), 417-451: the rule that chooses.
        R. A. Fisher (1935), "The logic of inductive inference", Journal of the Royal Statistical
        Society 98(1), 39-82.

    Args:
        wins_a: games that the first has won, 0 to `games_a`.
        games_a: games that it has played, at least 1.
        wins_b: likewise of the second.
        games_b: likewise.

    Raises:
        ValueError: no games, or an impossible number of wins.
    """
    wins_a, games_a = _checked(wins_a, games_a)
    wins_b, games_b = _checked(wins_b, games_b)
    wins, games = wins_a + wins_b, games_a + games_b
    least_expected = min(wins, games - wins) * min(games_a, games_b) / games
    if least_expected < LEAST_EXPECTED:
        return _fisher_p_value(wins_a, games_a, wins_b, games_b)
    variance = (wins / games) * (1 - wins / games) * (1 / games_a + 1 / games_b)
    return math.erfc(abs(wins_a / games_a - wins_b / games_b) / math.sqrt(2 * variance))


def unpaired_sequence(
    wins_a: int, games_a: int, wins_b: int, games_b: int, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for the difference of two win rates that may be looked at after every game.

    From the rates' own such intervals, each of which fails half as often: so that neither fails
    (Bonferroni), whether or not the games have to do with each other.

    Args:
        wins_a: games that the first has won, 0 to `games_a`.
        games_a: games that it has played, at least 1.
        wins_b: likewise of the second.
        games_b: likewise.
        confidence: that the interval holds at all times at once, between 0 and 1, both excluded.

    Returns:
        Low and high end, as those of `unpaired_interval`.

    Raises:
        ValueError: no games, an impossible number of wins, or an impossible confidence.
    """
    of_each = 1 - (1 - confidence) / 2
    low_a, high_a = rate_sequence(wins_a, games_a, of_each)
    low_b, high_b = rate_sequence(wins_b, games_b, of_each)
    difference = wins_a / games_a - wins_b / games_b
    return _around(difference, low_a - high_b, high_a - low_b)


def unpaired_sequence_p_value(wins_a: int, games_a: int, wins_b: int, games_b: int) -> float:
    """A p-value that two strategies win equally often, which may be looked at after every game.

    The smallest alpha at which `unpaired_sequence` leaves out 0, at most 1. The rates' intervals
    are those at which the capital of the method of mixtures (see `analysis.sequences`) is below
    2 / alpha; they part where no rate leaves both capitals below it. The rate at which the greater
    of the two is least lies between the observed ones, where one capital rises and one falls.

    Args:
        wins_a: games that the first has won, 0 to `games_a`.
        games_a: games that it has played, at least 1.
        wins_b: likewise of the second.
        games_b: likewise.

    Raises:
        ValueError: no games, or an impossible number of wins.
    """
    wins_a, games_a = _checked(wins_a, games_a)
    wins_b, games_b = _checked(wins_b, games_b)

    def capitals(rate: float) -> tuple[float, float]:
        return _log_capital(wins_a, games_a, rate), _log_capital(wins_b, games_b, rate)

    def nearer_to_a(rate: float) -> bool:
        of_a, of_b = capitals(rate)
        return of_a < of_b

    meeting = interval_end(nearer_to_a, wins_a / games_a, wins_b / games_b)
    return min(1.0, 2 * math.exp(-max(0.0, *capitals(meeting))))


def _fisher_p_value(wins_a: int, games_a: int, wins_b: int, games_b: int) -> float:
    """The share of all ways to hand out the wins that are as improbable as this one, or more.

    The wins of the first follow a hypergeometric law, computed here since scipy's takes a minute
    for billions of games. Where few counts are expected, few numbers of wins are possible.
    """
    wins = wins_a + wins_b
    possible = np.arange(max(0, wins - games_b), min(wins, games_a) + 1)
    weights = _log_choose(games_a, possible) + _log_choose(games_b, wins - possible)
    chances = np.exp(weights - weights.max())
    observed = chances[wins_a - possible[0]]
    return float(chances[chances <= observed * (1 + _ROUNDING)].sum() / chances.sum())


def _log_choose(games: int, wins: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithm of the number of ways in which so many of the games can be the won ones."""
    from scipy.special import betaln

    ways: NDArray[np.float64] = -betaln(games - wins + 1.0, wins + 1.0) - math.log(games + 1)
    return ways


def _log_capital(wins: int, games: int, rate: float) -> float:
    """Of the method of mixtures, its weight the beta law with both parameters 1/2."""
    from scipy.special import betaln, xlog1py, xlogy

    losses = games - wins
    log_mixture = betaln(wins + 0.5, losses + 0.5) - betaln(0.5, 0.5)
    return float(log_mixture - xlogy(wins, rate) - xlog1py(losses, -rate))


def _checked(wins: int, games: int) -> tuple[int, int]:
    wins, games = index(wins), index(games)  # numpy's integers overflow
    if games < 1:
        raise ValueError("a win rate needs at least one game")
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins in {games} games are impossible")
    return wins, games


def _around(difference: float, low: float, high: float) -> tuple[float, float]:
    """The ends within -1 and 1, and where floats are too coarse, the next float further out."""
    low = max(-1.0, min(low, math.nextafter(difference, -2.0)))
    return low, min(1.0, max(high, math.nextafter(difference, 2.0)))
