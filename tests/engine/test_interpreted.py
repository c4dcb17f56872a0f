"""The engine plays the same without a compiler, for a debugger to step through."""

import json
from pathlib import Path

import pytest
from judged import BROKEN_INTERVALS, RANDOM_LEGAL, player_of, run_without_a_compiler

from calcsim.engine.games import Deals, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.variants import STANDARD

DEALS = 20
VARIANTS = {"standard": STANDARD, "broken-intervals": BROKEN_INTERVALS}
PLAYED = [
    ("random", "standard"),
    ("need-order-deep", "standard"),
    (RANDOM_LEGAL, "standard"),
    ("random", "broken-intervals"),
]


def games_of(words, name):
    """The games as JSON holds them."""
    variant = VARIANTS[name]
    player = player_of(words, variant)
    games = []
    for index in range(DEALS):
        game = trace_game(player, variant, Deals(2**63, index, 1))
        foundations = [[foundation.start, foundation.step] for foundation in game.foundations]
        games.append([foundations, game.moves, game.final, game.direct_plays])
    return games


def dealt():
    return deal_cards(STANDARD, 2**63, 0, DEALS).tolist()


@pytest.fixture(scope="module")
def interpreted():
    return json.loads(run_without_a_compiler(__file__))


@pytest.mark.parametrize("number", range(len(PLAYED)), ids=[Path(w).stem for w, _ in PLAYED])
def test_the_same_games_are_played(interpreted, number):
    assert interpreted["games"][number] == games_of(*PLAYED[number])


def test_the_same_cards_are_dealt(interpreted):
    assert interpreted["dealt"] == dealt()


if __name__ == "__main__":
    print(json.dumps({"games": [games_of(*played) for played in PLAYED], "dealt": dealt()}))
