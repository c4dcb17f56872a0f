"""How many more deals it takes: the power that they have, by enumeration and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from calcsim.analysis.paired import paired_interval
from calcsim.analysis.power import paired_deals_to_go, unpaired_deals_to_go
from calcsim.analysis.unpaired import unpaired_interval


def test_so_many_unpaired_deals_show_the_difference_four_times_in_five() -> None:
    games = 10 + unpaired_deals_to_go(3, 10, 5, 10)  # type: ignore[operator]
    assert games == 93  # as tables of sample sizes have it
    wins = range(games + 1)
    weight = np.outer(binom.pmf(wins, games, 0.3), binom.pmf(wins, games, 0.5))
    shown = [[unpaired_interval(a, games, b, games)[1] < 0 for b in wins] for a in wins]
    assert (weight * shown).sum() == pytest.approx(0.8, abs=0.03)


def test_so_many_paired_deals_show_the_difference_four_times_in_five() -> None:
    deals = 40 + paired_deals_to_go(10, 12, 6, 12)  # type: ignore[operator]
    draws = np.random.default_rng(1).multinomial(deals, [0.25, 0.3, 0.15, 0.3], size=4000)
    shown = np.mean([paired_interval(*map(int, draw))[0] > 0 for draw in draws])
    assert shown == pytest.approx(0.8, abs=0.03)


def test_unequal_numbers_are_worth_their_harmonic_mean() -> None:
    more = unpaired_deals_to_go(30, 100, 5000, 10_000)
    assert more == 1  # enough are played
    more = unpaired_deals_to_go(49, 100, 5000, 10_000)
    assert more is not None
    equal = unpaired_deals_to_go(4900, 10_000, 5000, 10_000)
    assert equal is not None
    mean = 2 / (1 / (100 + more) + 1 / (10_000 + more))
    assert mean == pytest.approx(10_000 + equal, abs=1)


def test_where_none_is_seen_no_number_is_told() -> None:
    assert paired_deals_to_go(3, 5, 5, 2) is None
    assert unpaired_deals_to_go(1, 3, 2, 6) is None


def test_more_confidence_takes_more_deals() -> None:
    few, many = (paired_deals_to_go(90, 4, 3, 3, confidence) for confidence in (0.9, 0.99))
    assert few < many  # type: ignore[operator]
    few, many = (unpaired_deals_to_go(9, 99, 8, 99, confidence) for confidence in (0.9, 0.99))
    assert few < many  # type: ignore[operator]
