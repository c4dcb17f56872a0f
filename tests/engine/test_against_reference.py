"""The compiled engine plays as the reference does, move for move."""

from collections import Counter
from dataclasses import replace

import pytest
from judged import (
    BROKEN_INTERVALS,
    GIANT,
    HALF_BROKEN,
    LARGEST,
    RANDOM_LEGAL,
    assert_same_games,
    dealt_game,
    pairs_of,
    pairs_on,
    player_of,
)
from reference_strategies import PLACE
from scipy.stats import chisquare

from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Foundation
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy.catalogue import BUILTIN, catalogue

BY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
BY_STRATEGY = pytest.mark.parametrize("strategy", PLACE)


def test_the_reference_knows_every_built_in_strategy():
    assert {name for name, found in catalogue().items() if found.origin == BUILTIN} == set(PLACE)


@BY_VARIANT
@BY_STRATEGY
def test_built_in_strategies(strategy, variant):
    assert_same_games(strategy, variant, 1, range(40))


@pytest.mark.slow
@BY_VARIANT
@BY_STRATEGY
def test_built_in_strategies_in_many_deals(strategy, variant):
    assert_same_games(strategy, variant, 2, range(400))


@pytest.mark.parametrize("release", [2, 5])
def test_kings_of_two_decks(release):
    assert_same_games(f"king-pile:release={release}", GIANT, 5, range(40))


def test_one_waste_for_kings_and_all_else():
    assert_same_games("king-pile", STANDARD.with_counts(wastes=1), 3, range(30))


def test_a_won_game_is_not_dealt_again_for_the_cards_left_over():
    one_foundation = replace(STANDARD, foundations=(Foundation(1, 1),), redeals=20)
    assert_same_games("shortest", one_foundation, 3, range(20))


@pytest.mark.parametrize("strategy", ["random", RANDOM_LEGAL], ids=["random", "random-legal"])
def test_the_extremes_of_seeds_and_deals(strategy):
    for seed in (0, 2**63, LARGEST):
        assert_same_games(strategy, STANDARD, seed, (0, 2**63, LARGEST))


BROKEN = pytest.mark.parametrize("variant", [BROKEN_INTERVALS, HALF_BROKEN], ids=["all", "some"])


@BROKEN
def test_foundations_left_to_chance(variant):
    player = player_of("random", variant)
    for index in (*range(200), LARGEST):
        traced = trace_game(player, variant, Deals(5, index, 1))
        assert pairs_of(traced.foundations) == pairs_on(dealt_game(variant, 5, index))


@pytest.mark.parametrize("strategy", ["random", RANDOM_LEGAL], ids=["random", "random-legal"])
def test_games_on_foundations_some_of_which_are_left_to_chance(strategy):
    assert_same_games(strategy, HALF_BROKEN, 5, range(50))


def test_starters_and_dice_repeat():
    player = player_of("random", BROKEN_INTERVALS)
    drawn = [trace_game(player, BROKEN_INTERVALS, Deals(6, n, 1)).foundations for n in range(300)]
    starts = Counter(len({foundation.start for foundation in deal}) for deal in drawn)
    steps = Counter(foundation.step for deal in drawn for foundation in deal)
    assert {2, 3, 4} <= set(starts)
    assert set(steps) == {1, 2, 3, 4, 5, 6}
    assert chisquare(list(steps.values())).pvalue > 1e-6
