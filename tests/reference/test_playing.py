"""The reference's whole games."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import BY_NAME, STANDARD, all_cards, position, turn
from reference_strategies import PLACE

from calcsim.reference.dealing import new_game
from calcsim.reference.draws import StrategyDraws
from calcsim.reference.game import Game, Move, place_on, play
from calcsim.reference.playing import play_full, play_simple
from calcsim.reference.rules import Rules


@BY_NAME
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), index=st.integers(0, 2**64 - 1), choices=st.randoms())
def test_random_legal_play_keeps_every_card(
    rules: Rules, seed: int, index: int, choices: random.Random
) -> None:
    """No legal move makes or loses a card, and foundations follow their sequences."""
    game = new_game(rules, seed, index)
    whole = Counter({rank: 4 * rules.decks for rank in range(1, 14)})
    assert all_cards(game) == whole
    while moves := game.legal_moves():
        game.apply(choices.choice(moves))
        assert all_cards(game) == whole
        for f, foundation in enumerate(game.foundations):
            assert foundation == rules.sequence(f)[: len(foundation)]
    placed = sum(game.result()["foundations"])
    assert placed == game.result()["foundation_cards"]
    assert placed + len(game.gathered()) == 52 * rules.decks
    direct = [move for move in game.moves if move.get("from") == "stock"]
    assert len(direct) == game.direct_plays


def test_a_sorted_stock_is_won_without_a_waste() -> None:
    """Every card is a direct play when the stock comes in the foundations' own order."""
    stock = [card for f in range(4) for card in STANDARD.sequence(f)[1:]]
    game = Game(STANDARD, stock)
    won = {"won": True, "foundation_cards": 52, "foundations": [13] * 4, "direct_plays": 48}

    def own_foundation(game: Game, card: int | None) -> Move | None:
        done = sum(len(foundation) == 13 for foundation in game.foundations)
        return None if card is None else play(card, "stock", done)

    assert play_full(game, own_foundation) == won
    assert not any(move["move"] == "place" for move in game.moves)


def test_a_foundation_play_moves_the_tops_on() -> None:
    """Lowest waste and foundation first, and the search begins anew after each play."""
    game = position(wastes=("6 3", "4 9", "5 4", ""), stock="2")
    assert game.plays_from_wastes() == [play(4, 2, 1)]
    play_simple(game, lambda game, card: 0)
    assert game.moves == [
        turn(2),
        play(2, "stock", 0),
        play(3, 0, 0),
        play(6, 0, 2),  # waste 1 again, before the 4 and the 9
        play(9, 1, 2),
        play(4, 1, 0),  # of the two foundations that need a 4 the lower
        play(4, 2, 1),
        play(5, 2, 0),
    ]


def test_no_further_move_is_refused_while_a_card_lies_face_up() -> None:
    """The turned card must leave before the next is turned."""
    with pytest.raises(ValueError, match="must leave"):
        play_full(Game(STANDARD, [9, 5]), lambda game, card: None)


@BY_NAME
@pytest.mark.parametrize("name", PLACE)
def test_simple_play_is_full_play_that_never_waits(rules: Rules, name: str) -> None:
    """The same moves come from the whole-game loop that asks for every one of them."""

    def decide(game: Game, card: int | None) -> Move | None:
        plays = game.plays_from_stock() or game.plays_from_wastes()
        if plays:
            return plays[0]
        return None if card is None else place_on(card, place_full(game, card))

    place_simple, place_full = PLACE[name], PLACE[name]
    if name == "random":
        place_simple = partial(place_simple, draws=StrategyDraws(7, 3, key=5))
        place_full = partial(place_full, draws=StrategyDraws(7, 3, key=5))
    simple, full = new_game(rules, 7, 3), new_game(rules, 7, 3)
    assert play_simple(simple, place_simple) == play_full(full, decide)
    assert simple.moves == full.moves
