"""Games that a strategy cannot finish are passed over, and all others are as if alone."""

from dataclasses import replace

import numpy as np
import pytest
from judged import player_of

from calcsim.engine import games as module
from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, play, play_on, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.layout import lay_out_variant
from calcsim.game.variant import Foundation
from calcsim.game.variants import STANDARD

LAYOUT = lay_out_variant(STANDARD)
AT_TIMES = """
from calcsim import on_foundation, stock_left

def place(table, card, every=1):
    if on_foundation(table, 0) % 4 == 1 and stock_left(table) == 20 and every > 0:
        if stock_left(table) % 2:
            raise ValueError("odd")
        return len(table.heights)
    return 0
"""
ALWAYS = """
def place(table, card):
    if card > 0:
        raise ValueError("never")
    return 0
"""


@pytest.fixture(scope="module")
def players(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    (folder / "at_times.py").write_text(AT_TIMES)
    (folder / "always.py").write_text(ALWAYS)
    return {
        name: player_of(str(folder / f"{name}.py"), STANDARD) for name in ("at_times", "always")
    }


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("parts", [1, 2, 1000])
def test_each_game_is_what_it_is_alone(players, monkeypatch, given, parts):
    monkeypatch.setattr(module, "_MOST_PARTS", max(parts, 2))
    player, count = players["at_times"], 120
    cards = deal_cards(STANDARD, 4, 50, count) if given else None
    games = play_on(player, LAYOUT, Deals(4, 50, count, cards))
    failed = []
    for place in range(count):
        alone = trace_game(player, STANDARD, Deals(4, 50 + place, 1))
        assert games.foundations[:, place].tolist() == alone.final
        assert games.direct_plays[place] == alone.direct_plays
        if alone.fault is not None:
            failed.append(place)
    assert games.failed.tolist() == failed
    assert 5 < len(failed) < count
    assert [fault.deal for fault in games.faults] == [50 + place for place in failed[:3]]
    sums = games.foundations.sum(axis=0, dtype=int)
    assert games.tally.tolist() == np.bincount(sums, minlength=53).tolist()


def test_without_faults_it_is_plain_play():
    player = player_of("greedy", STANDARD)
    one, other = (how(player, LAYOUT, Deals(4, 0, 300)) for how in (play, play_on))
    assert np.array_equal(one.foundations, other.foundations)
    assert np.array_equal(one.tally, other.tally)
    assert other.failed.size == 0
    assert other.faults == ()


def test_a_strategy_that_never_finishes_a_game(players):
    games = play_on(players["always"], LAYOUT, Deals(4, 0, 3000))
    assert games.failed.tolist() == list(range(3000))
    assert [fault.raised for fault in games.faults] == ["ValueError: never"] * 3
    assert games.tally.sum() == 3000
    with pytest.raises(Fault, match="never"):
        play(players["always"], LAYOUT, Deals(4, 0, 3000))


def test_no_deals_are_no_games(players):
    assert play_on(players["always"], LAYOUT, Deals(4, 0, 0)).direct_plays.size == 0


def test_a_game_that_is_won_by_then_is_won(tmp_path):
    """One foundation is complete long before the stock is used up."""

    variant = replace(STANDARD, foundations=(Foundation(1, 1),))
    file = tmp_path / "lazy.py"
    file.write_text(
        "from calcsim import on_foundation\n\n"
        "def place(table, card):\n    return -1 if on_foundation(table, 0) == 13 else card % 4\n"
    )
    games = play_on(player_of(str(file), variant), lay_out_variant(variant), Deals(4, 0, 200))
    won = games.foundations[0] == 13
    assert won.sum() > 0
    assert games.failed.size == 0
    assert games.tally[13] == won.sum()
