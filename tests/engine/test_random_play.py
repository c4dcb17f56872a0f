"""Any legal play at all: the compiled engine's games are the reference's, and no card is lost."""

import pytest
from judged import (
    ACCOUNTANT,
    BROKEN_INTERVALS,
    GIANT,
    RANDOM_LEGAL,
    SIR_TOMMY,
    assert_same_games,
    player_of,
)

from calcsim.engine.games import Deals, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.variants import VARIANTS

BY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
OTHER_COUNTS = {
    "giant with a redeal and five wastes": GIANT.with_counts(wastes=5, redeals=1),
    "sir-tommy with a redeal": SIR_TOMMY.with_counts(redeals=1),
    "broken-intervals with two redeals": BROKEN_INTERVALS.with_counts(redeals=2),
}


@BY_VARIANT
def test_random_legal_play(variant):
    assert_same_games(RANDOM_LEGAL, variant, 2, range(100))


@pytest.mark.parametrize("variant", OTHER_COUNTS.values(), ids=OTHER_COUNTS.keys())
def test_other_counts(variant):
    assert_same_games(RANDOM_LEGAL, variant, 4, range(30))


@pytest.mark.parametrize("name", ["no-starters", "giant", "broken-intervals", "redeal-2"])
def test_every_card_is_somewhere_after_every_move(name):
    variant = VARIANTS[name]
    player, layout = player_of(ACCOUNTANT, variant), lay_out_variant(variant)
    games = play(player, layout, Deals(3, 0, 2000))
    assert games.tally.sum() == 2000
    assert games.foundations.max() == 13
