"""Intervals that hold at every look at the data, for a run that stops when it is precise enough.

The two of them share one idea, Robbins' method of mixtures. The likelihood of the data, averaged
over all parameters by some weight, divided by the likelihood under the true parameter, is a fair
game's capital: from 1, it ever reaches 1 / alpha with a probability of alpha at most (Ville 1939).
So the parameters under which it has not done so include the true one, with a probability of at
least 1 - alpha, at all times at once.

The weight is the beta or the Dirichlet law with all parameters 1/2. Compared with 1 in place of
1/2 that gives shorter intervals where something is rare: wins, or deals that only one strategy
wins; where nothing is rare they are longer by a few per cent, or less.

Sources:
    H. Robbins (1970), "Statistical methods related to the law of the iterated logarithm", Annals
    of Mathematical Statistics 41(5), 1397-1409.
    S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon (2021), "Time-uniform, nonparametric,
    nonasymptotic confidence sequences", Annals of Statistics 49(2), 1055-1080.
"""

from __future__ import annotations

import math
from operator import index

from calcsim.analysis.bisection import interval_end
from calcsim.analysis.discordant import discordant_counts, likeliest_shares


def rate_sequence(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for a win rate that may be looked at after every game.

    The rates p with log(B(wins + 1/2, losses + 1/2) / B(1/2, 1/2)) - wins * log(p)
    - losses * log(1 - p) < log(1 / alpha), B being the beta function and alpha 1 - confidence.

    Source: the method of mixtures, see above.

    Args:
        wins: games won, 0 to `games`.
        games: games played, at least 1.
        confidence: that the interval holds at all times at once, between 0 and 1, both excluded.

    Returns:
        Low and high end, with 0 <= low < high <= 1 and low <= wins / games <= high. Low is exactly
        0.0 at no wins, high exactly 1.0 at no losses.

    Raises:
        ValueError: no games, an impossible number of wins, or an impossible confidence.
    """
    from scipy.special import betaln  # imported here as it takes a quarter of a second

    wins, games = index(wins), index(games)
    if games < 1:
        raise ValueError("an interval needs at least one game")
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins in {games} games are impossible")
    limit = _log_capital_limit(confidence)
    losses = games - wins
    log_mixture = float(betaln(wins + 0.5, losses + 0.5) - betaln(0.5, 0.5))

    def inside(rate: float) -> bool:
        log_likelihood = wins * math.log(rate) + losses * math.log1p(-rate)
        return log_mixture - log_likelihood < limit

    rate = wins / games
    return interval_end(inside, rate, 0.0), interval_end(inside, rate, 1.0)


def difference_sequence(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for the difference of two win rates that may be looked at after every deal.

    On a deal, one of three things happens: only a wins, only b does, or they do the same. The
    method of mixtures (see above) gives a set of pairs of shares (only a, only b), and the interval
    is the range of a - b over that set: it holds wherever the set does, and so a little more often.
    A difference belongs to it if the likeliest shares with that difference belong to the set.

    Source: the method of mixtures, see above.

    Args:
        both: deals that both strategies won.
        only_a: deals that only the first won.
        only_b: deals that only the second won.
        neither: deals that neither won.
        confidence: that the interval holds at all times at once, between 0 and 1, both excluded.

    Returns:
        Low and high end for the first rate minus the second, with -1 <= low < high <= 1. The
        observed difference lies between them. Swapping the strategies swaps and negates the ends.

    Raises:
        ValueError: a negative count, no deals at all, or an impossible confidence.
    """
    only_a, only_b, deals = discordant_counts(both, only_a, only_b, neither)
    limit = _log_capital_limit(confidence)
    low = -_greatest_difference(only_b, only_a, deals, limit)
    return low, _greatest_difference(only_a, only_b, deals, limit)


def sequence_p_value(only_a: int, only_b: int) -> float:
    """A p-value that two strategies win equally often, which may be looked at after every deal.

    If they do, each deal that only one has won is won by either with probability 1/2. The p-value
    is 1 over the capital that the method of mixtures (see above) makes from these deals, at most
    1: the probability that it ever falls to alpha is alpha at most.

    Args:
        only_a: deals that only the first won.
        only_b: deals that only the second won.

    Raises:
        ValueError: a negative count.
    """
    from scipy.special import betaln

    only_a, only_b = index(only_a), index(only_b)
    if min(only_a, only_b) < 0:
        raise ValueError("a number of deals is not negative")
    log_mixture = float(betaln(only_a + 0.5, only_b + 0.5) - betaln(0.5, 0.5))
    return min(1.0, math.exp(min(0.0, -log_mixture - (only_a + only_b) * math.log(2))))


def _greatest_difference(only_a: int, only_b: int, deals: int, limit: float) -> float:
    """The high end of the interval for the difference of two win rates."""
    from scipy.special import xlog1py, xlogy

    same = deals - only_a - only_b
    log_mixture = _log_beta(only_a + 0.5, only_b + 0.5, same + 0.5) - _log_beta(0.5, 0.5, 0.5)

    def inside(difference: float) -> bool:
        share_a, share_b = likeliest_shares(only_a, only_b, deals, difference)
        discordant = min(1.0, share_a + share_b)  # rounding can take it above
        log_likelihood = (
            xlogy(only_a, share_a) + xlogy(only_b, share_b) + xlog1py(same, -discordant)
        )
        return bool(log_mixture - log_likelihood < limit)

    return interval_end(inside, (only_a - only_b) / deals, 1.0)


def _log_beta(a: float, b: float, c: float) -> float:
    """The logarithm of the beta function of three arguments, which scales the Dirichlet law."""
    from scipy.special import betaln

    return float(betaln(a, b) + betaln(a + b, c))


def _log_capital_limit(confidence: float) -> float:
    """The logarithm of 1 / alpha, which the capital must not reach."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"a confidence lies between 0 and 1, {confidence} does not")
    return -math.log1p(-confidence)
