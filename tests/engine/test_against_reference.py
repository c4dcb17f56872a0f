"""The compiled engine plays as the reference does, move for move."""

from dataclasses import replace

import pytest
from judged import (
    BROKEN_INTERVALS,
    GIANT,
    HALF_BROKEN,
    LARGEST,
    NO_STARTERS,
    RANDOM_LEGAL,
    REVERSE,
    SIR_TOMMY,
    assert_same_games,
    player_of,
)
from reference import deal, philox_block
from reference_strategies import PLACE

from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Foundation
from calcsim.game.variants import STANDARD
from calcsim.strategy.catalogue import BUILTIN, catalogue

WASTES = (3, 4, 5, 6)
OTHER_RULES = {
    "no-starters": NO_STARTERS,
    "reverse": REVERSE,
    "giant": GIANT,
    "redeal-1": STANDARD.with_counts(redeals=1),
    "redeal-2": STANDARD.with_counts(redeals=2),
    "sir-tommy": SIR_TOMMY,
    "sir-tommy with a redeal": replace(SIR_TOMMY, redeals=1),
}
BY_RULES = pytest.mark.parametrize("variant", OTHER_RULES.values(), ids=OTHER_RULES.keys())


def test_the_reference_knows_every_built_in_strategy():
    assert {name for name, found in catalogue().items() if found.origin == BUILTIN} == set(PLACE)


@pytest.mark.parametrize("wastes", WASTES)
@pytest.mark.parametrize("strategy", PLACE)
def test_built_in_strategies(strategy, wastes):
    assert_same_games(strategy, STANDARD.with_counts(wastes=wastes), 1, range(200))


@pytest.mark.parametrize("wastes", WASTES)
def test_random_legal_play(wastes):
    assert_same_games(RANDOM_LEGAL, STANDARD.with_counts(wastes=wastes), 2, range(300))


@BY_RULES
def test_a_built_in_strategy_under_other_rules(variant):
    assert_same_games("king-pile", variant, 3, range(40))


@BY_RULES
def test_random_legal_play_under_other_rules(variant):
    assert_same_games(RANDOM_LEGAL, variant, 4, range(60))


def test_the_deepest_look_at_other_foundations():
    assert_same_games("need-order-deep", REVERSE, 3, range(40))


def test_one_waste_for_kings_and_all_else():
    assert_same_games("king-pile", STANDARD.with_counts(wastes=1), 3, range(30))


def test_a_won_game_is_not_dealt_again_for_the_cards_left_over():
    one_foundation = replace(STANDARD, foundations=(Foundation(1, 1),), redeals=20)
    assert_same_games("shortest", one_foundation, 3, range(20))


def test_no_starters_and_three_wastes():
    assert_same_games(RANDOM_LEGAL, replace(NO_STARTERS, wastes=3), 3, range(30))


@pytest.mark.parametrize("strategy", ["random", RANDOM_LEGAL], ids=["random", "random-legal"])
def test_the_extremes_of_seeds_and_deals(strategy):
    for seed in (0, 2**63, LARGEST):
        assert_same_games(strategy, STANDARD, seed, (0, 2**63, LARGEST))


def die_throws(seed, index, throws):
    """Unbiased throws of the deal's own die, 1 to 6, from stream 1."""
    halves = (
        half
        for block in range(1, 100)
        for word in philox_block(seed, (block, 1, index, 0))
        for half in (word % 2**32, word >> 32)
    )
    products = (half * 6 for half in halves)
    accepted = (product for product in products if product % 2**32 >= 2**32 % 6)
    return [1 + (next(accepted) >> 32) for _ in range(throws)]


def drawn_foundations(variant, seed, index):
    """What a deal makes of the foundations that are left to chance."""
    starters = iter(deal(seed, index, variant.cards))
    steps = iter(die_throws(seed, index, len(variant.foundations)))
    return tuple(
        Foundation(
            start=next(starters) if foundation.start is None else foundation.start,
            step=next(steps) if foundation.step is None else foundation.step,
        )
        for foundation in variant.foundations
    )


BROKEN = pytest.mark.parametrize("variant", [BROKEN_INTERVALS, HALF_BROKEN], ids=["all", "some"])


@BROKEN
def test_foundations_left_to_chance(variant):
    player = player_of("random", variant)
    for index in (*range(200), LARGEST):
        traced = trace_game(player, variant, Deals(5, index, 1))
        assert traced.foundations == drawn_foundations(variant, 5, index)


@BROKEN
def test_games_on_foundations_left_to_chance(variant):
    assert_same_games("random", variant, 5, range(50))


def test_random_legal_play_on_foundations_left_to_chance():
    assert_same_games(RANDOM_LEGAL, BROKEN_INTERVALS, 5, range(50))


def test_a_redeal_of_foundations_left_to_chance():
    assert_same_games("random", replace(BROKEN_INTERVALS, redeals=2), 6, range(30))
