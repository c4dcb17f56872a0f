"""Independent win rates: their interval by its coverage, their tests against scipy's."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom, chi2_contingency, fisher_exact

from calcsim.analysis.sequences import rate_sequence
from calcsim.analysis.unpaired import (
    unpaired_interval,
    unpaired_p_value,
    unpaired_sequence,
    unpaired_sequence_p_value,
)

CONFIDENCES = (0.5, 0.9, 0.95, 0.999999)
Counts = tuple[int, int, int, int]


@st.composite
def rates(draw: st.DrawFn, most: int = 10**10) -> tuple[int, int]:
    games = draw(st.integers(1, 20) | st.integers(1, most))
    return draw(st.sampled_from([0, games]) | st.integers(0, games)), games


counts = st.tuples(rates(), rates()).map(lambda two: (*two[0], *two[1]))


def coverage(games_a: int, games_b: int, rate_a: float, rate_b: float) -> float:
    """The probability that the interval holds the true difference, by enumeration."""
    covered = 0.0
    for wins_a, wins_b in product(range(games_a + 1), range(games_b + 1)):
        low, high = unpaired_interval(wins_a, games_a, wins_b, games_b)
        if low <= rate_a - rate_b <= high:
            covered += binom.pmf(wins_a, games_a, rate_a) * binom.pmf(wins_b, games_b, rate_b)
    return covered


@pytest.mark.parametrize("games", [(10, 10), (5, 20), (20, 20)])
def test_coverage_is_close_to_nominal(games: tuple[int, int]) -> None:
    steps = np.linspace(0.025, 0.975, 8)
    held = [coverage(*games, a, b) for a, b in product(steps, repeat=2)]
    assert 0.945 < np.mean(held) < 0.975
    assert min(held) > 0.87


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((10, 10, 0, 20), 0.6791, 1.0),
        ((10, 10, 0, 10), 0.6075, 1.0),
    ],
)
def test_the_examples_of_its_source(table: Counts, low: float, high: float) -> None:
    assert unpaired_interval(*table) == pytest.approx((low, high), abs=5e-5)


@given(counts, st.sampled_from(CONFIDENCES))
def test_ends_are_sane(table: Counts, confidence: float) -> None:
    difference = table[0] / table[1] - table[2] / table[3]
    for interval in (unpaired_interval, unpaired_sequence):
        low, high = interval(*table, confidence)
        assert -1 <= low <= difference <= high <= 1
        assert low < high
        reverse_low, reverse_high = interval(*table[2:], *table[:2], confidence)
        assert (-reverse_high, -reverse_low) == pytest.approx((low, high), abs=1e-15)


@given(counts)
def test_p_values_are_sane(table: Counts) -> None:
    for test in (unpaired_p_value, unpaired_sequence_p_value):
        p_value = test(*table)
        assert 0 <= p_value <= 1
        assert test(*table[2:], *table[:2]) == pytest.approx(p_value, rel=1e-4, abs=1e-300)


@given(st.tuples(rates(10**5), rates(10**5)))
def test_p_values_are_those_of_scipy(two: tuple[tuple[int, int], tuple[int, int]]) -> None:
    (wins_a, games_a), (wins_b, games_b) = two
    table = np.array([[wins_a, games_a - wins_a], [wins_b, games_b - wins_b]])
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    ours = unpaired_p_value(wins_a, games_a, wins_b, games_b)
    if expected.min() >= 5:
        theirs = chi2_contingency(table, correction=False).pvalue
    else:
        theirs = fisher_exact(table).pvalue
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-300)


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.5])
def test_equally_good_strategies_seldom_look_different(rate: float) -> None:
    wins = range(31)
    weight = binom.pmf(wins, 30, rate)
    p_values = np.array([[unpaired_p_value(a, 30, b, 30) for b in wins] for a in wins])
    assert (np.outer(weight, weight) * (p_values < 0.05)).sum() < 0.06


@pytest.mark.parametrize("table", [(30, 100, 70, 100), (3, 500, 60, 700), (0, 20, 20, 20)])
def test_the_sequential_p_value_is_where_the_interval_leaves_out_0(table: Counts) -> None:
    p_value = unpaired_sequence_p_value(*table)
    assert p_value < 0.5
    low, high = unpaired_sequence(*table, 1 - p_value * 1.001)
    assert low > 0 or high < 0
    low, high = unpaired_sequence(*table, 1 - p_value * 0.999)
    assert low < 0 < high


def test_the_sequence_is_made_of_two_of_half_the_risk() -> None:
    (low_a, high_a), (low_b, high_b) = (rate_sequence(*r, 0.95) for r in ((7, 90), (20, 80)))
    ours = unpaired_sequence(7, 90, 20, 80, 0.9)
    assert ours == pytest.approx((low_a - high_b, high_a - low_b), abs=1e-12)


@given(counts)
def test_looking_often_costs_width(table: Counts) -> None:
    assume(max(table) < 10**7)
    low, high = unpaired_interval(*table)
    low_always, high_always = unpaired_sequence(*table)
    assert high_always - low_always > high - low


def test_numpy_integers_do_not_overflow() -> None:
    large = 2**31 - 1
    table = [np.int32(large // 2), np.int32(large), np.int32(large // 3), np.int32(large)]
    assert unpaired_interval(*table) == unpaired_interval(*map(int, table))  # type: ignore[arg-type]
    assert unpaired_p_value(*table) == unpaired_p_value(*map(int, table))  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [(0, 0, 1, 1), (1, 1, 0, 0), (-1, 5, 2, 5), (2, 5, 6, 5)])
def test_impossible_counts_are_refused(table: Counts) -> None:
    for call in (
        unpaired_interval,
        unpaired_sequence,
        unpaired_p_value,
        unpaired_sequence_p_value,
    ):
        with pytest.raises(ValueError, match="game"):
            call(*table)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, math.nan])
def test_an_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        unpaired_interval(1, 2, 1, 2, confidence)


@pytest.mark.parametrize("games", [10**6, 10**8, 10**10])
def test_few_wins_in_many_games(games: int) -> None:
    """The wins of the first are then binomial."""
    ours = unpaired_p_value(0, games, 4, games)
    assert ours == pytest.approx(2 / 2**4, rel=1e-4)
    assert unpaired_p_value(1, games, 7, games) == pytest.approx(2 * (1 + 8) / 2**8, rel=1e-4)


def test_the_slow_scipy_stats_stays_unloaded() -> None:
    program = (
        "import sys; from calcsim.analysis.unpaired import unpaired_interval, unpaired_p_value;"
        "assert 'scipy' not in sys.modules; unpaired_interval(1, 2, 1, 2);"
        "unpaired_p_value(1, 2, 1, 2); unpaired_p_value(40, 100, 60, 100);"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
