"""The likeliest shares against a search for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy

from calcsim.analysis.discordant import discordant_counts, likeliest_shares


@st.composite
def counts(draw: st.DrawFn, most: int) -> tuple[int, int, int]:
    """Deals that only a wins, that only b wins, and all deals."""
    only_a, only_b, same = (draw(st.integers(0, most)) for _ in range(3))
    return only_a, only_b, max(1, only_a + only_b + same)


@given(counts(10**4), st.floats(-0.999, 0.999))
def test_no_other_shares_with_that_difference_are_likelier(
    counted: tuple[int, int, int], difference: float
) -> None:
    only_a, only_b, deals = counted

    def log_likelihood(a, b):
        same = np.maximum(0, 1 - a - b)
        return xlogy(only_a, a) + xlogy(only_b, b) + xlogy(deals - only_a - only_b, same)

    others_b = np.linspace(max(0, -difference), (1 - difference) / 2, 1001)
    others = log_likelihood(np.maximum(0, others_b + difference), others_b)
    best = log_likelihood(*likeliest_shares(only_a, only_b, deals, difference))
    assert best >= others.max() - 1e-9 * deals


@given(counts(10**10), st.floats(-1, 1))
def test_they_are_shares_with_that_difference(
    counted: tuple[int, int, int], difference: float
) -> None:
    a, b = likeliest_shares(*counted, difference)
    assert a - b == pytest.approx(difference, abs=1e-15)
    assert a >= 0
    assert b >= 0
    assert a + b <= 1 + 1e-15


@given(counts(10**10))
def test_with_the_observed_difference_they_are_the_observed_shares(
    counted: tuple[int, int, int],
) -> None:
    only_a, only_b, deals = counted
    shares = likeliest_shares(only_a, only_b, deals, (only_a - only_b) / deals)
    assert shares == pytest.approx((only_a / deals, only_b / deals), rel=1e-6, abs=1e-15)


def test_without_a_difference_the_discordant_deals_are_halved() -> None:
    assert likeliest_shares(3, 5, 16, 0.0) == (0.25, 0.25)


def test_a_small_share_keeps_its_digits() -> None:
    # Its square is negligible, and what is left of the equation is 2 n d b = d (1 - d).
    _, share_b = likeliest_shares(0, 1, 10**10, 0.3)
    assert share_b == pytest.approx(0.7 / (2 * 10**10), rel=1e-9, abs=0)


def test_all_deals_are_counted() -> None:
    assert discordant_counts(1, 2, 3, 4) == (2, 3, 10)


def test_numpy_integers_do_not_overflow() -> None:
    large = np.int32(2**31 - 1)
    ours = discordant_counts(large, large, large, large)  # type: ignore[arg-type]
    assert ours == (2**31 - 1, 2**31 - 1, 4 * (2**31 - 1))


@pytest.mark.parametrize("place", range(4))
def test_negative_counts_are_refused(place: int) -> None:
    counted = [5, 5, 5, 5]
    counted[place] = -1
    with pytest.raises(ValueError, match="negative"):
        discordant_counts(*counted)


def test_no_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one deal"):
        discordant_counts(0, 0, 0, 0)
