"""Wilson's interval against scipy's, by coverage, and at its edges."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

from calcsim.analysis.intervals import wilson_interval

CONFIDENCES = (0.5, 0.9, 0.95, 0.999, 0.999999)


@st.composite
def results(draw: st.DrawFn, most_games: int = 2**64) -> tuple[int, int]:
    """Wins and games."""
    games = draw(st.integers(1, most_games))
    return draw(st.integers(0, games)), games


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("games", [1, 2, 3, 10, 1_000, 10**7, 2**40])
def test_it_is_scipys_interval(games: int, confidence: float) -> None:
    for wins in sorted({0, 1, games // 3, games // 2, games - 1, games}):
        theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
        ours = wilson_interval(wins, games, confidence)
        assert ours == pytest.approx((theirs.low, theirs.high), rel=1e-9, abs=1e-13)


def test_a_value_from_the_formula_by_hand() -> None:
    # 8 of 10 with z = 1.959964: centre 0.716740, half-width 0.226578.
    assert wilson_interval(8, 10) == pytest.approx((0.490162, 0.943318), abs=1e-6)


@pytest.mark.parametrize("games", [10, 40])
def test_mean_coverage_is_close_to_nominal(games: int) -> None:
    rates = np.linspace(0.0005, 0.9995, 1000)
    coverage = np.zeros_like(rates)
    for wins in range(games + 1):
        low, high = wilson_interval(wins, games, 0.95)
        coverage += np.where((low <= rates) & (rates <= high), binom.pmf(wins, games, rates), 0)
    assert coverage.mean() == pytest.approx(0.95, abs=0.006)
    assert coverage.min() > 0.8


@given(results(), st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_it_holds_the_rate_and_stays_within_0_and_1(
    result: tuple[int, int], confidence: float
) -> None:
    wins, games = result
    low, high = wilson_interval(wins, games, confidence)
    assert 0 <= low <= wins / games <= high <= 1
    assert low < high


@given(st.integers(1, 2**64), st.sampled_from(CONFIDENCES))
def test_the_ends_are_exact_at_no_wins_and_at_no_losses(games: int, confidence: float) -> None:
    assert wilson_interval(0, games, confidence)[0] == 0.0
    assert wilson_interval(games, games, confidence)[1] == 1.0


@given(results(10**9), st.sampled_from(CONFIDENCES))
def test_wins_and_losses_mirror_each_other(result: tuple[int, int], confidence: float) -> None:
    wins, games = result
    low, high = wilson_interval(wins, games, confidence)
    mirrored = wilson_interval(games - wins, games, confidence)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-14)


@given(results(10**6))
def test_more_confidence_is_wider_and_more_games_are_narrower(result: tuple[int, int]) -> None:
    wins, games = result

    def width(factor: int, confidence: float) -> float:
        low, high = wilson_interval(factor * wins, factor * games, confidence)
        return high - low

    assert width(1, 0.9) < width(1, 0.99)
    assert width(4, 0.9) < width(1, 0.9)


def test_a_confidence_next_to_1_keeps_its_digits() -> None:
    # At no wins the far end is z^2 / (games + z^2).
    confidence, z_squared = 1 - 1e-12, norm.isf((1 - (1 - 1e-12)) / 2) ** 2
    assert wilson_interval(0, 10, confidence)[1] == pytest.approx(
        z_squared / (10 + z_squared), rel=1e-12
    )
    assert wilson_interval(1, 2, math.nextafter(1.0, 0.0))[0] > 0


def test_few_wins_in_many_games_keep_their_digits() -> None:
    # The low end of a Poisson count of 1 by the same score method, solved for games -> infinity.
    z_squared = 1.959963984540054**2
    low, _ = wilson_interval(1, 2**62)
    assert low * 2**62 == pytest.approx(
        1 / (1 + z_squared / 2 + math.sqrt(z_squared + z_squared**2 / 4)), rel=1e-12
    )


def test_numpy_integers_do_not_overflow() -> None:
    games = 2**63
    ours = wilson_interval(np.uint64(games // 2), np.uint64(games))  # type: ignore[arg-type]
    assert ours == wilson_interval(games // 2, games)


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (0, -1), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="game"):
        wilson_interval(wins, games)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.5, 95.0, math.nan, math.inf])
def test_an_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson_interval(1, 2, confidence)


def test_the_slow_scipy_stats_stays_unloaded() -> None:
    program = (
        "import sys; from calcsim.analysis.intervals import wilson_interval;"
        "assert 'scipy' not in sys.modules; wilson_interval(1, 2);"
        "assert 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
