"""Ranks in hand-worked standings, and in random ones."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.ranks import ranks

Pairs = set[tuple[str, str]]


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[dict[str, int], Pairs]:
    """Wins, and some of the pairs in which one has more wins than the other."""
    wins = draw(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 5)))
    candidates = [pair for pair in permutations(wins, 2) if wins[pair[0]] > wins[pair[1]]]
    return wins, draw(st.sets(st.sampled_from(candidates))) if candidates else set()


@pytest.mark.parametrize(
    ("wins", "surely_better", "expected"),
    [
        ({}, set(), {}),
        ({"a": 7}, set(), {"a": 1}),
        # All separated: 1, 2, 3.
        ({"a": 9, "b": 5, "c": 1}, {("a", "b"), ("a", "c"), ("b", "c")}, {"a": 1, "b": 2, "c": 3}),
        # Neighbours alike, the ends separated: no chain that puts all on one rank.
        ({"a": 9, "b": 8, "c": 7}, {("a", "c")}, {"a": 1, "b": 1, "c": 2}),
        # The first is clear of all others, and those are alike.
        ({"a": 9, "b": 3, "c": 2}, {("a", "b"), ("a", "c")}, {"a": 1, "b": 2, "c": 2}),
        # The last is clear of all others, and those are alike: two are better, so its rank is 3.
        ({"a": 9, "b": 8, "c": 2}, {("a", "c"), ("b", "c")}, {"a": 1, "b": 1, "c": 3}),
        # A longer chain, in which each is separated from all but its neighbours.
        (
            {"a": 9, "b": 8, "c": 7, "d": 6},
            {("a", "c"), ("a", "d"), ("b", "d")},
            {"a": 1, "b": 1, "c": 2, "d": 3},
        ),
        # b nearly always wins where a wins, and so is surely worse; c has a style of its own.
        ({"a": 9, "b": 8, "c": 7}, {("a", "b")}, {"a": 1, "b": 2, "c": 1}),
    ],
)
def test_by_hand(wins: dict[str, int], surely_better: Pairs, expected: dict[str, int]) -> None:
    assert ranks(wins, surely_better) == expected


def test_equal_wins_share_a_rank_and_stand_in_the_order_of_their_names() -> None:
    ranked = ranks({"twin": 5, "best": 9, "same": 5}, {("best", "twin"), ("best", "same")})
    assert list(ranked.items()) == [("best", 1), ("same", 2), ("twin", 2)]


def test_a_pair_named_twice_counts_once() -> None:
    assert ranks({"a": 2, "b": 1}, [("a", "b"), ("a", "b")]) == {"a": 1, "b": 2}


@given(tournaments(), st.randoms(use_true_random=False))
def test_the_order_in_which_strategies_are_named_makes_no_difference(
    tournament: tuple[dict[str, int], Pairs], random
) -> None:
    wins, surely_better = tournament
    named = list(wins)
    random.shuffle(named)
    shuffled = ranks({strategy: wins[strategy] for strategy in named}, surely_better)
    assert list(shuffled.items()) == list(ranks(wins, surely_better).items())


@given(tournaments())
def test_rank_r_says_that_r_minus_1_are_surely_better(
    tournament: tuple[dict[str, int], Pairs],
) -> None:
    wins, surely_better = tournament
    ranked = ranks(wins, surely_better)
    assert list(ranked) == sorted(sorted(wins), key=lambda strategy: -wins[strategy])
    for strategy, rank in ranked.items():
        assert rank - 1 == sum((other, strategy) in surely_better for other in wins)


@pytest.mark.parametrize("pair", [("b", "a"), ("b", "c"), ("a", "a")])
def test_no_one_is_surely_better_without_more_wins(pair: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="no more wins"):
        ranks({"a": 2, "b": 1, "c": 1}, {pair})


def test_unknown_strategies_are_refused() -> None:
    with pytest.raises(KeyError):
        ranks({"a": 1}, {("a", "b")})
