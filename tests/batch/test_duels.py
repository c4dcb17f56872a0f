"""Duels: counted deal by deal in plain Python, and added up in any way."""

import itertools
import pickle
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calcsim.batch.duels import Duels, count_duels
from calcsim.engine.games import Games

WIN = 26  # two foundations
NAMES = ("deals", "won", "both_won", "ahead", "failed", "won_where_failed")


@st.composite
def games_of(draw, strategies=3):
    """Games of some strategies on the same deals, wins, failed and level games among them."""
    deals = draw(st.integers(0, 12))
    return [draw(games_of_one(deals)) for _ in range(strategies)]


@st.composite
def games_of_one(draw, deals):
    piles = st.lists(st.sampled_from([0, 5, 12, 13]), min_size=deals, max_size=deals)
    foundations = np.array([draw(piles), draw(piles)], dtype=np.uint8).reshape(2, deals)
    lost = np.flatnonzero(foundations.sum(axis=0, dtype=int) < WIN).tolist()
    failed = draw(st.sets(st.sampled_from(lost))) if lost else set()
    return Games(
        foundations,
        np.zeros(deals, dtype=np.uint8),
        np.zeros(WIN + 1, dtype=np.int64),
        np.array(sorted(failed), dtype=np.int64),
    )


def cards_of(games):
    return games.foundations.sum(axis=0, dtype=int).tolist()


@given(games_of())
def test_duels_are_what_one_counts_deal_by_deal(games):
    duels = count_duels(games)
    for a, of_a in enumerate(map(cards_of, games)):
        for b, of_b in enumerate(map(cards_of, games)):
            pairs = list(zip(of_a, of_b, strict=True))
            assert duels.deals[a, b] == len(pairs)
            assert duels.won[a, b] == sum(x == WIN for x, _ in pairs)
            assert duels.both_won[a, b] == sum(x == y == WIN for x, y in pairs)
            assert duels.ahead[a, b] == sum(x > y for x, y in pairs)
            assert duels.failed[a, b] == games[a].failed.size
            failed = games[b].failed.tolist()
            assert duels.won_where_failed[a, b] == sum(of_a[n] == WIN for n in failed)


@given(games_of())
def test_the_worst_outcomes_are_those_with_every_failed_game_of_the_second_won(games):
    duels = count_duels(games)
    for a, b in itertools.permutations(range(3), 2):
        won_a = [cards == WIN for cards in cards_of(games[a])]
        won_b = [cards == WIN for cards in cards_of(games[b])]
        for n in games[b].failed.tolist():
            won_b[n] = True
        pairs = Counter(zip(won_a, won_b, strict=True))
        outcomes = [pairs[x] for x in ((True, True), (True, False), (False, True), (False, False))]
        assert list(duels.outcomes_at_worst(a, b)) == outcomes


@given(games_of(), games_of())
def test_duels_of_different_deals_add_up(first, second):
    joined = [
        Games(
            np.hstack([a.foundations, b.foundations]),
            a.direct_plays,
            a.tally,
            np.concatenate([a.failed, b.failed + a.foundations.shape[1]]),
        )
        for a, b in zip(first, second, strict=True)
    ]
    assert_same(count_duels(first) + count_duels(second), count_duels(joined))


@given(games_of())
def test_no_deals_change_nothing(games):
    assert_same(count_duels(games) + Duels.none(3), count_duels(games))


@given(games_of(), st.permutations(range(5)))
def test_strategies_that_did_not_play_have_no_duels(games, order):
    places = order[:3]
    wider = count_duels(games).among(5, places)
    played = np.ix_(places, places)
    assert_same(Duels(*(getattr(wider, name)[played] for name in NAMES)), count_duels(games))
    for name in NAMES:
        counts = getattr(wider, name)
        assert counts.sum() == counts[played].sum()


def assert_same(one, other):
    for name in NAMES:
        assert (getattr(one, name) == getattr(other, name)).all()


def test_those_of_fifty_strategies_are_small():
    assert len(pickle.dumps(Duels.none(50))) < 125_000
