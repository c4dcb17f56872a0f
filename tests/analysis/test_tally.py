"""Tallies against plain lists of games."""

from __future__ import annotations

import dataclasses
import pickle
import random
import statistics
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.tally import Tally

WINNING_CARDS = 52
games_played = st.lists(st.tuples(st.integers(0, WINNING_CARDS), st.integers(0, 48)))


def tally_of(games: list[tuple[int, int]]) -> Tally:
    """The tally of games given as foundation cards and direct plays."""
    cards = np.array([cards for cards, _ in games], dtype=np.int64)
    counts = np.bincount(cards, minlength=WINNING_CARDS + 1)
    return Tally(counts.astype(np.int64), sum(direct for _, direct in games))


@given(games_played.filter(bool), st.integers(0, WINNING_CARDS))
def test_it_says_what_the_list_of_games_says(games: list[tuple[int, int]], near: int) -> None:
    tally = tally_of(games)
    cards = [cards for cards, _ in games]
    assert tally.winning_cards == WINNING_CARDS
    assert tally.deals == len(games)
    assert tally.wins == cards.count(WINNING_CARDS)
    assert tally.near_misses(near) == sum(near <= card < WINNING_CARDS for card in cards)
    assert tally.mean_foundation_cards == statistics.fmean(cards)
    assert tally.mean_direct_plays == statistics.fmean([direct for _, direct in games])
    if len(games) > 1:
        assert tally.sd_foundation_cards == pytest.approx(statistics.stdev(cards), rel=1e-14)


@given(games_played.filter(bool), st.data())
def test_no_order_or_splitting_changes_a_bit(
    games: list[tuple[int, int]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(games))
    cut = data.draw(st.integers(0, len(games)))
    whole, parts = tally_of(games), tally_of(shuffled[cut:]) + tally_of(shuffled[:cut])
    assert parts == whole
    assert parts.sd_foundation_cards == whole.sd_foundation_cards
    assert parts + Tally.empty(WINNING_CARDS) == whole


def test_a_single_game_does_not_spread() -> None:
    assert tally_of([(31, 12)]).sd_foundation_cards == 0.0


def test_games_that_all_end_alike_do_not_spread() -> None:
    assert tally_of([(31, 12)] * 1000).sd_foundation_cards == 0.0


def test_sums_beyond_64_bits_are_exact() -> None:
    games = 2**62
    counts = np.zeros(WINNING_CARDS + 1, dtype=np.int64)
    counts[50] = counts[52] = games
    tally = Tally(counts, direct_plays=2**68)
    assert tally.deals == 2**63
    assert tally.mean_foundation_cards == 51.0
    assert tally.sd_foundation_cards == 1.0
    assert tally.mean_direct_plays == 32.0


def test_a_near_miss_is_never_a_win() -> None:
    tally = tally_of([(44, 0), (45, 0), (51, 0), (52, 0)])
    assert tally.near_misses(45) == 2
    assert tally.near_misses(52) == 0
    assert tally.near_misses(-3) == 3


@pytest.mark.parametrize(
    "average", ["mean_foundation_cards", "sd_foundation_cards", "mean_direct_plays"]
)
def test_no_games_have_no_averages(average: str) -> None:
    with pytest.raises(ValueError, match="no games"):
        getattr(Tally.empty(WINNING_CARDS), average)


def test_nothing_changes_a_tally_from_outside() -> None:
    counts = np.ones(5, dtype=np.int64)
    tally = Tally(counts, 3)
    counts[0] = 100
    assert tally.deals == 5
    with pytest.raises(ValueError, match="read-only"):
        tally.foundation_cards[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        tally.direct_plays = 4  # type: ignore[misc]


def test_it_differs_in_every_count() -> None:
    tally = tally_of([(10, 3), (20, 4)])
    assert tally != tally_of([(10, 3), (21, 4)])
    assert tally != tally_of([(10, 3), (20, 5)])
    assert tally != "a tally"


def test_it_travels_between_processes() -> None:
    tally = tally_of([(random.Random(game).randint(4, 52), 12) for game in range(50)])
    assert pickle.loads(pickle.dumps(tally)) == tally


def test_games_of_different_sizes_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="do not add up"):
        Tally.empty(52) + Tally.empty(104)
    with pytest.raises(TypeError):
        Tally.empty(52) + 1  # type: ignore[operator]


@pytest.mark.parametrize("counts", [[], [[1, 2]], [1, -1]])
def test_what_is_no_row_of_counts_is_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="one row of counts"):
        Tally(np.array(counts, dtype=np.int64), 0)


def test_workers_load_nothing_heavy_with_it() -> None:
    program = (
        "import sys, calcsim.analysis.tally;"
        "assert not {'polars', 'scipy', 'tabulate'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
