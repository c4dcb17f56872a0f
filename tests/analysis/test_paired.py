"""McNemar's test against scipy's and by enumeration; the paired interval by its coverage."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, multinomial, norm

from calcsim.analysis.discordant import likeliest_shares
from calcsim.analysis.intervals import wilson_interval
from calcsim.analysis.paired import mcnemar_p_value, paired_interval

CONFIDENCES = (0.5, 0.9, 0.95, 0.999999)
Counts = tuple[int, int, int, int]
count = st.sampled_from([0, 1, 2, 10**10]) | st.integers(0, 20) | st.integers(0, 10**10)
counts = st.tuples(count, count, count, count).filter(any)


@pytest.mark.parametrize("discordant", range(12))
def test_p_values_by_enumeration(discordant: int) -> None:
    """The share of all ways to hand out the deals that are at least as lopsided."""
    leads = [abs(sum(ways)) for ways in product((-1, 1), repeat=discordant)]
    for only_a in range(discordant + 1):
        lead = abs(2 * only_a - discordant)
        expected = Fraction(sum(other >= lead for other in leads), len(leads))
        assert mcnemar_p_value(only_a, discordant - only_a) == pytest.approx(float(expected))


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_p_values_are_those_of_scipys_binomial_test(only_a: int, only_b: int) -> None:
    theirs = binomtest(only_a, max(1, only_a + only_b)).pvalue if only_a + only_b else 1.0
    assert mcnemar_p_value(only_a, only_b) == pytest.approx(theirs, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("lead", [0, 1, 10_000, 60_000, 200_000, 10**9])
def test_p_values_of_many_deals(lead: int) -> None:
    fewer = 10**9 - lead
    theirs = min(1.0, 2 * binom.cdf(fewer, fewer + 10**9, 0.5))
    assert mcnemar_p_value(fewer, 10**9) == pytest.approx(theirs, rel=1e-9)
    assert mcnemar_p_value(10**9, fewer) == mcnemar_p_value(fewer, 10**9)
    continuity_corrected = max(0, lead - 1) / math.sqrt(fewer + 10**9)
    assert mcnemar_p_value(fewer, 10**9) == pytest.approx(
        2 * norm.sf(continuity_corrected), rel=1e-4
    )


def test_a_p_value_takes_numpys_integers() -> None:
    large = np.int32(2**31 - 1)
    assert mcnemar_p_value(large, large) == 1.0  # type: ignore[arg-type]
    assert mcnemar_p_value(np.int32(0), np.int32(3)) == 0.25  # type: ignore[arg-type]


@pytest.mark.parametrize(("only_a", "only_b"), [(-1, 5), (5, -1), (-1, -1)])
def test_negative_counts_have_no_p_value(only_a: int, only_b: int) -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar_p_value(only_a, only_b)


def newcombe_interval(both: int, only_a: int, only_b: int, neither: int) -> tuple[float, float]:
    """R. G. Newcombe (1998), Statistics in Medicine 17(22), 2635-2650: his method 10, the rival."""
    deals = both + only_a + only_b + neither
    wins_a, wins_b = both + only_a, both + only_b
    (low_a, high_a), (low_b, high_b) = (wilson_interval(wins, deals) for wins in (wins_a, wins_b))
    rate_a, rate_b = wins_a / deals, wins_b / deals
    product_of_margins = wins_a * (deals - wins_a) * wins_b * (deals - wins_b)
    excess = both * neither - only_a * only_b
    excess = max(0, excess - deals / 2) if excess > 0 else excess
    correlation = excess / math.sqrt(product_of_margins) if product_of_margins else 0.0

    def distance(from_a: float, from_b: float) -> float:
        return math.sqrt(from_a**2 - 2 * correlation * from_a * from_b + from_b**2)

    return (
        rate_a - rate_b - distance(rate_a - low_a, high_b - rate_b),
        rate_a - rate_b + distance(high_a - rate_a, rate_b - low_b),
    )


def coverages(interval: Callable[..., tuple[float, float]], deals: int) -> np.ndarray:
    """The probability that it holds, for shares of a and b in steps of 1/20; the rest in halves."""
    tables = [
        (both, only_a, only_b, deals - both - only_a - only_b)
        for both in range(deals + 1)
        for only_a in range(deals + 1 - both)
        for only_b in range(deals + 1 - both - only_a)
    ]
    low, high = np.array([interval(*table) for table in tables]).T
    covered = []
    for a, b in product(range(21), repeat=2):
        if a + b <= 20:
            rest = (20 - a - b) / 40
            probabilities = multinomial.pmf(tables, deals, [rest, a / 20, b / 20, rest])
            difference = (a - b) / 20
            holds = (low <= difference + 1e-12) & (difference - 1e-12 <= high)
            covered.append(probabilities[holds].sum())
    return np.array(covered)


@pytest.mark.parametrize("deals", [5, 10, 20])
def test_coverage_is_close_to_nominal_and_better_than_the_rivals(deals: int) -> None:
    ours, newcombes = coverages(paired_interval, deals), coverages(newcombe_interval, deals)
    assert ours.min() > 0.91
    assert 0.95 < ours.mean() < 0.972
    assert newcombes.min() < ours.min()
    assert newcombes.mean() < 0.95


def test_without_discordant_deals_the_ends_are_known() -> None:
    # At d the likeliest share of a is d, so (n d)^2 = z^2 n d (1 - d).
    z_squared = 1.959963984540054**2
    end = z_squared / (30 + z_squared)
    assert paired_interval(10, 0, 0, 20) == pytest.approx((-end, end), rel=1e-12)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("table", [(3, 4, 2, 5), (0, 1, 0, 0), (700, 90, 60, 150), (0, 9, 1, 0)])
def test_at_its_ends_the_lead_is_z_standard_deviations_off(
    table: Counts, confidence: float
) -> None:
    _, only_a, only_b, _ = table
    deals, z = sum(table), norm.ppf((1 + confidence) / 2)
    for end in paired_interval(*table, confidence):
        a, b = likeliest_shares(only_a, only_b, deals, end)
        off = abs(only_a - only_b - deals * end)
        assert off == pytest.approx(z * math.sqrt(deals * (a + b - end**2)), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("deals", [1, 2, 3, 7, 20])
def test_what_lies_between_its_ends_is_the_whole_of_what_the_test_accepts(deals: int) -> None:
    for only_a, only_b in product(range(deals + 1), repeat=2):
        if only_a + only_b > deals:
            continue
        low, high = paired_interval(deals - only_a - only_b, only_a, only_b, 0)
        for difference in np.linspace(-0.999, 0.999, 334).tolist():  # 0 is not among them
            a, b = likeliest_shares(only_a, only_b, deals, difference)
            z = (only_a - only_b - deals * difference) / math.sqrt(deals * (a + b - difference**2))
            assert (low < difference < high) == (abs(z) < 1.959963984540054)


@given(counts, st.sampled_from(CONFIDENCES))
def test_it_holds_the_difference_and_stays_within_minus_1_and_1(
    table: Counts, confidence: float
) -> None:
    low, high = paired_interval(*table, confidence)
    _, only_a, only_b, _ = table
    assert -1 <= low <= (only_a - only_b) / sum(table) <= high <= 1
    assert low < high


@given(counts, st.sampled_from(CONFIDENCES))
def test_swapping_the_strategies_swaps_and_negates_the_ends(
    table: Counts, confidence: float
) -> None:
    both, only_a, only_b, neither = table
    low, high = paired_interval(both, only_a, only_b, neither, confidence)
    assert paired_interval(both, only_b, only_a, neither, confidence) == (-high, -low)


@given(st.tuples(*[st.integers(0, 10**6)] * 4).filter(any))
def test_more_confidence_is_wider_and_more_deals_are_narrower(table: Counts) -> None:
    def width(factor: int, confidence: float) -> float:
        low, high = paired_interval(*(factor * deals for deals in table), confidence)
        return high - low

    assert width(1, 0.9) < width(1, 0.99)
    assert width(4, 0.9) < width(1, 0.9)


def test_many_deals_give_the_normal_approximation() -> None:
    low, high = paired_interval(4 * 10**9, 2 * 10**9, 10**9, 3 * 10**9)
    half_width = 1.959963984540054 * math.sqrt((0.3 - 0.1**2) / 10**10)
    assert (low, high) == pytest.approx((0.1 - half_width, 0.1 + half_width), abs=1e-3 * half_width)


def test_numpy_integers_do_not_overflow() -> None:
    large = 2**31 - 1
    ours = paired_interval(*[np.int32(large)] * 4)  # type: ignore[arg-type]
    assert ours == paired_interval(*[large] * 4)


@pytest.mark.parametrize("table", [(0, 0, 0, 0), (-1, 2, 2, 2), (2, 2, -1, 2)])
def test_impossible_counts_are_refused(table: Counts) -> None:
    with pytest.raises(ValueError, match="deal"):
        paired_interval(*table)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, math.nan])
def test_an_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        paired_interval(1, 1, 1, 1, confidence)


def test_the_slow_scipy_stats_stays_unloaded() -> None:
    program = (
        "import sys; from calcsim.analysis.paired import mcnemar_p_value, paired_interval;"
        "assert 'scipy' not in sys.modules; mcnemar_p_value(1, 2); paired_interval(1, 2, 3, 4);"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
