"""Confidence sequences by their definition, and by coverage when looking after every game."""

from __future__ import annotations

import math
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy
from scipy.stats import binom

from calcsim.analysis.intervals import wilson_interval
from calcsim.analysis.paired import mcnemar_p_value
from calcsim.analysis.sequences import difference_sequence, rate_sequence, sequence_p_value

CONFIDENCES = (0.5, 0.9, 0.95, 0.999999)
RUNS, GAMES = 2_000, 2_000
Counts = tuple[int, int, int, int]
count = st.sampled_from([0, 1, 2, 10**10]) | st.integers(0, 20) | st.integers(0, 10**10)
counts = st.tuples(count, count, count, count).filter(any)


@st.composite
def results(draw: st.DrawFn) -> tuple[int, int]:
    """Wins and games."""
    wins, losses = draw(st.tuples(count, count).filter(any))
    return wins, wins + losses


def log_capital(tallies, shares):
    """Of the outcomes counted along the last axis: log(mixture / likelihood under the shares).

    The mixture as a product over games: after n of them, the next has the outcome k with
    probability (tally of k + 1/2) / (n + number of outcomes / 2).
    """
    tallies, outcomes = np.asarray(tallies), np.shape(tallies)[-1]
    games = tallies.sum(axis=-1)
    log_mixture = (gammaln(tallies + 0.5) - gammaln(0.5)).sum(axis=-1) - (
        gammaln(games + outcomes / 2) - gammaln(outcomes / 2)
    )
    return log_mixture - xlogy(tallies, shares).sum(axis=-1)


def played(shares: tuple[float, ...], runs: int = RUNS) -> np.ndarray:
    """Tallies of the outcomes in each run after each of its games."""
    outcomes = np.random.default_rng(20240607).choice(len(shares), size=(runs, GAMES), p=shares)
    hits = outcomes[..., np.newaxis] == np.arange(len(shares))
    return hits.cumsum(axis=1, dtype=np.int32)


def most_by_chance(alpha: float, runs: int) -> int:
    """So many of the runs may go wrong: more would happen once in 10,000 times at most."""
    return int(binom.isf(1e-4, runs, alpha))


# A win rate.


@pytest.mark.parametrize("rate", [0.5, 0.05, 0.95])
def test_few_runs_ever_exclude_the_true_rate(rate: float) -> None:
    capital = log_capital(played((rate, 1 - rate)), (rate, 1 - rate)).max(axis=1)
    for alpha in (0.05, 0.5):
        excluded = np.count_nonzero(capital >= -math.log(alpha))
        assert excluded <= most_by_chance(alpha, RUNS)
        assert excluded > alpha * RUNS / 5  # or it would be far wider than it need be


@pytest.mark.parametrize("rate", [0.5, 0.05, 0.95])
def test_the_ends_exclude_it_when_the_capital_says_so(rate: float) -> None:
    tallies = played((rate, 1 - rate), runs=300)[:, [0, 1, 9, 99, GAMES - 1]]
    excluded = log_capital(tallies, (rate, 1 - rate)) >= math.log(2)
    for run, look in np.ndindex(excluded.shape):
        wins, losses = tallies[run, look].tolist()
        low, high = rate_sequence(wins, wins + losses, 0.5)
        assert (low < rate < high) != excluded[run, look]
    assert excluded.any()


def test_wilsons_interval_does_not_bear_so_many_looks() -> None:
    interval = cache(wilson_interval)
    runs = 300
    excluding = 0
    for run in played((0.5, 0.5), runs)[..., 0].tolist():
        looks = (interval(wins, games) for games, wins in enumerate(run, start=1))
        excluding += any(not low < 0.5 < high for low, high in looks)
    assert excluding > 5 * most_by_chance(0.05, runs)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("games", [1, 2, 3, 10, 1_000, 10**6])
def test_it_is_the_set_of_rates_that_it_is_defined_as(games: int, confidence: float) -> None:
    rates = np.concatenate([np.geomspace(1e-12, 0.1, 300), np.linspace(0.1, 1 - 1e-9, 1000)])
    for wins in sorted({0, 1, games // 3, games // 2, games - 1, games}):
        low, high = rate_sequence(wins, games, confidence)
        capital = log_capital([wins, games - wins], np.stack([rates, 1 - rates], axis=-1))
        belongs = capital < -math.log(1 - confidence)
        assert ((low < rates) & (rates < high)).tolist() == belongs.tolist()


def test_one_game_by_hand() -> None:
    # A win has the mixture probability 1/2, so a rate of 1/2 * 1/20 is just too low.
    assert rate_sequence(1, 1) == (pytest.approx(1 / 40), 1.0)
    assert rate_sequence(0, 1) == (0.0, pytest.approx(39 / 40))


@pytest.mark.parametrize("games", [10**6, 10**10])
def test_many_games_give_the_normal_approximation(games: int) -> None:
    # With B by Stirling's formula, n d^2 / (2 p q) = log(1 / alpha) + log(pi n / 2) / 2.
    low, high = rate_sequence(games // 5, games)
    half_width = math.sqrt(0.2 * 0.8 / games * (2 * math.log(20) + math.log(math.pi * games / 2)))
    assert (low, high) == pytest.approx((0.2 - half_width, 0.2 + half_width), abs=half_width / 100)


@given(results(), st.sampled_from(CONFIDENCES))
def test_it_holds_the_rate_and_stays_within_0_and_1(
    result: tuple[int, int], confidence: float
) -> None:
    wins, games = result
    low, high = rate_sequence(wins, games, confidence)
    assert 0 <= low <= wins / games <= high <= 1
    assert low < high
    assert (low == 0.0) == (wins == 0)
    assert wins < games or high == 1.0


@given(results(), st.sampled_from(CONFIDENCES))
def test_wins_and_losses_mirror_each_other(result: tuple[int, int], confidence: float) -> None:
    wins, games = result
    low, high = rate_sequence(wins, games, confidence)
    mirrored = rate_sequence(games - wins, games, confidence)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-6 * (high - low) + 1e-15)


@given(results())
def test_it_is_wider_than_an_interval_for_one_look(result: tuple[int, int]) -> None:
    low, high = rate_sequence(*result)
    low_once, high_once = wilson_interval(*result)
    assert low <= low_once
    assert high_once <= high


@given(st.integers(0, 100), st.integers(1, 100), st.integers(2, 10**6))
def test_the_rate_narrows_with_more_games_and_less_confidence(
    wins: int, losses: int, factor: int
) -> None:
    def width(factor: int, confidence: float) -> float:
        low, high = rate_sequence(factor * wins, factor * (wins + losses), confidence)
        return high - low

    assert width(factor, 0.95) < width(1, 0.95) < width(1, 0.99)


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (0, -1), (-1, 5), (6, 5)])
def test_impossible_wins_are_refused(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="game"):
        rate_sequence(wins, games)


# The difference of two win rates on the same deals.

# Shares of deals that only a wins, that only b does, and the rest.
PAIRS = [(0.25, 0.25, 0.5), (0.1, 0.02, 0.88), (0.01, 0.01, 0.98), (0.0, 0.05, 0.95)]


@pytest.mark.parametrize("shares", PAIRS)
def test_few_runs_ever_exclude_the_true_shares(shares: tuple[float, float, float]) -> None:
    # The difference lies within the interval if the shares lie within the set it is the range of.
    capital = log_capital(played(shares), shares).max(axis=1)
    for alpha in (0.05, 0.5):
        excluded = np.count_nonzero(capital >= -math.log(alpha))
        assert excluded <= most_by_chance(alpha, RUNS)


@pytest.mark.parametrize("shares", PAIRS)
def test_ends_hold_the_true_difference_wherever_the_set_holds_the_shares(
    shares: tuple[float, float, float],
) -> None:
    difference = shares[0] - shares[1]
    looks = [0, 1, 9, 99, 499, GAMES - 1]
    tallies = played(shares, runs=200)[:, looks]
    allowed = log_capital(tallies, shares) < math.log(2)
    excluding = set()
    for run, look in np.ndindex(allowed.shape):
        only_a, only_b, same = tallies[run, look].tolist()
        low, high = difference_sequence(same, only_a, only_b, 0, 0.5)
        if not low < difference < high:
            excluding.add(run)
            assert not allowed[run, look]
    assert len(excluding) <= most_by_chance(0.5, 200)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(
    "table", [(0, 1, 0, 0), (1, 0, 0, 0), (2, 3, 1, 4), (5, 0, 9, 5), (100, 50, 70, 300)]
)
def test_it_is_the_range_of_the_set_that_it_is_defined_as(table: Counts, confidence: float) -> None:
    both, only_a, only_b, neither = table
    shares = np.linspace(0, 1, 501)
    a, b = (grid.ravel() for grid in np.meshgrid(shares, shares))
    a, b = a[a + b <= 1], b[a + b <= 1]
    grid = np.stack([a, b, np.maximum(0, 1 - a - b)], axis=-1)
    capital = log_capital([only_a, only_b, both + neither], grid)
    differences = (a - b)[capital < -math.log(1 - confidence)]
    low, high = difference_sequence(*table, confidence)
    assert low <= differences.min() <= low + 0.01
    assert high - 0.01 <= differences.max() <= high


def test_one_deal_by_hand() -> None:
    # It has the mixture probability 1/3, so a share of 1/3 * 1/20 is just too low.
    assert difference_sequence(0, 1, 0, 0) == (pytest.approx(-(1 - 2 / 60)), 1.0)
    assert difference_sequence(0, 0, 0, 1) == pytest.approx((-59 / 60, 59 / 60))


@pytest.mark.parametrize("deals", [1, 100, 10**6, 10**10])
def test_without_discordant_deals_the_ends_are_known(deals: int) -> None:
    # The mixture probability of nothing else is 1 / (2 n + 1), and the likeliest share of b is 0.
    end = -math.expm1(-math.log(20 * (2 * deals + 1)) / deals)
    assert difference_sequence(deals, 0, 0, 0) == pytest.approx((-end, end), rel=1e-9, abs=0)


@given(counts, st.sampled_from(CONFIDENCES))
def test_it_holds_the_difference_and_stays_within_minus_1_and_1(
    table: Counts, confidence: float
) -> None:
    low, high = difference_sequence(*table, confidence)
    _, only_a, only_b, _ = table
    assert -1 <= low <= (only_a - only_b) / sum(table) <= high <= 1
    assert low < high


@given(counts, st.sampled_from(CONFIDENCES))
def test_swapping_the_strategies_swaps_and_negates_the_ends(
    table: Counts, confidence: float
) -> None:
    both, only_a, only_b, neither = table
    low, high = difference_sequence(both, only_a, only_b, neither, confidence)
    assert difference_sequence(both, only_b, only_a, neither, confidence) == (-high, -low)


@given(st.tuples(*[st.integers(0, 100)] * 4).filter(any), st.integers(2, 10**6))
def test_the_difference_narrows_with_more_deals_and_less_confidence(
    table: Counts, factor: int
) -> None:
    def width(factor: int, confidence: float) -> float:
        low, high = difference_sequence(*(factor * deals for deals in table), confidence)
        return high - low

    assert width(factor, 0.95) < width(1, 0.95) < width(1, 0.99)


@pytest.mark.parametrize("table", [(0, 0, 0, 0), (-1, 2, 2, 2), (2, 2, -1, 2)])
def test_impossible_counts_are_refused(table: Counts) -> None:
    with pytest.raises(ValueError, match="deal"):
        difference_sequence(*table)


# Both.


def test_numpy_integers_do_not_overflow() -> None:
    large = 2**31 - 1
    ours = difference_sequence(*[np.int32(large)] * 4)  # type: ignore[arg-type]
    assert ours == difference_sequence(*[large] * 4)
    assert rate_sequence(np.int32(large), np.int32(large)) == rate_sequence(large, large)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, math.nan])
def test_an_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rate_sequence(1, 2, confidence)
    with pytest.raises(ValueError, match="between 0 and 1"):
        difference_sequence(1, 1, 1, 1, confidence)


def test_the_slow_scipy_stats_stays_unloaded() -> None:
    program = (
        "import sys; from calcsim.analysis.sequences import difference_sequence, rate_sequence;"
        "assert 'scipy' not in sys.modules; rate_sequence(1, 2); difference_sequence(1, 2, 3, 4);"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


COUNTS = st.integers(0, 10**6)


@given(COUNTS, COUNTS)
def test_a_sequential_p_value_is_fair_to_both_and_less_sure_than_one_look(only_a, only_b):
    p_value = sequence_p_value(only_a, only_b)
    assert 0 <= p_value <= 1
    assert p_value == sequence_p_value(only_b, only_a)
    assert p_value >= mcnemar_p_value(only_a, only_b) * (1 - 1e-9)


def test_sequential_p_values_of_small_tables():
    # The mixture of p^a (1 - p)^b by the arcsine law, over 2^-(a + b).
    assert sequence_p_value(0, 0) == 1.0
    assert sequence_p_value(1, 0) == pytest.approx(1.0)  # 1/2 over 1/2
    assert sequence_p_value(2, 0) == pytest.approx((1 / 4) / (3 / 8))
    assert sequence_p_value(3, 0) == pytest.approx((1 / 8) / (5 / 16))
    assert sequence_p_value(10**10, 0) == 0.0
    with pytest.raises(ValueError, match="negative"):
        sequence_p_value(-1, 3)


def test_a_sequential_p_value_holds_under_peeking_and_mcnemar_s_does_not():
    rng = np.random.default_rng(8)
    lowest = {sequence_p_value: [], mcnemar_p_value: []}
    for _ in range(300):
        won_by_a = (rng.random(400) < 0.5).cumsum()
        for p_value, lows in lowest.items():
            looks = range(10, 401, 10)
            lows.append(min(p_value(won_by_a[n - 1], n - won_by_a[n - 1]) for n in looks))
    falsely_sure = {p: np.mean(np.array(lows) < 0.05) for p, lows in lowest.items()}
    assert falsely_sure[sequence_p_value] <= 0.05
    assert falsely_sure[mcnemar_p_value] > 0.1
