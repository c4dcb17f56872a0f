"""The reference's table and its moves, against the letter of the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from positions import (
    BROKEN,
    BY_NAME,
    GIANT,
    NO_STARTERS,
    REDEAL_2,
    REVERSE,
    SIR_TOMMY,
    STANDARD,
    all_cards,
    position,
    ranks,
    turn,
)

from calcsim.reference.game import Game, Move, place_on, play
from calcsim.reference.playing import play_simple
from calcsim.reference.rules import Rules, cards_to_shuffle, in_ranks, rules_from_data

# Foundations


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        (
            STANDARD,
            [
                "A 2 3 4 5 6 7 8 9 10 J Q K",
                "2 4 6 8 10 Q A 3 5 7 9 J K",
                "3 6 9 Q 2 5 8 J A 4 7 10 K",
                "4 8 Q 3 7 J 2 6 10 A 5 9 K",
            ],
        ),
        (
            REVERSE,
            [
                "K Q J 10 9 8 7 6 5 4 3 2 A",
                "K J 9 7 5 3 A Q 10 8 6 4 2",
                "K 10 7 4 A J 8 5 2 Q 9 6 3",
                "K 9 5 A 10 6 2 J 7 3 Q 8 4",
            ],
        ),
    ],
    ids=["standard", "reverse"],
)
def test_sequences_are_those_of_the_rules(rules: Rules, table: list[str]) -> None:
    """The printed tables hold for the counting modulo 13."""
    assert [rules.sequence(f) for f in range(4)] == [ranks(line) for line in table]


@BY_NAME
def test_every_foundation_takes_each_rank_once(rules: Rules) -> None:
    """The last card of a foundation is its start less its step, and no rank comes twice."""
    for f, (start, step) in enumerate(zip(rules.starts, rules.steps, strict=True)):
        sequence = rules.sequence(f)
        assert sorted(sequence) == list(range(1, 14))
        assert sequence[-1] == in_ranks(start - step)


def test_a_foundation_is_followed_card_by_card() -> None:
    """A foundation needs the next card of its sequence, whatever the others need."""
    for count in range(13):
        assert position(counts=(1, count, 1, 1)).needed(1) == STANDARD.sequence(1)[count]


def test_a_full_foundation_takes_nothing() -> None:
    """Complete at 13 cards, though the arithmetic goes on to the Ace."""
    game = position(counts=(13, 13, 13, 13), wastes=("A", "2", "3", "4"), stock="A")
    assert [game.needed(f) for f in range(4)] == [None] * 4
    assert game.legal_moves() == [turn(1)]
    game.apply(turn(1))
    assert game.legal_moves() == [place_on(1, waste) for waste in range(4)]
    with pytest.raises(ValueError, match="illegal"):
        game.apply(play(1, "stock", 0))


# What each deal decides


def test_rules_come_from_data() -> None:
    """As a manifest holds them; "random" is what the deal decides."""
    data = {
        "name": "mine",
        "decks": 2,
        "wastes": 5,
        "redeals": 1,
        "prefilled": True,
        "foundations": [{"start": 12, "step": "random"}, {"start": "random", "step": 11}],
    }
    assert rules_from_data(data) == Rules(
        decks=2, starts=(12, None), steps=(None, 11), prefilled=True, wastes=5, redeals=1
    )


def test_starters_that_are_drawn_are_shuffled_too() -> None:
    """Only the fixed ones have left the deck before."""
    rules = replace(STANDARD, starts=(None, 5, None, 5))
    counts = Counter(cards_to_shuffle(rules))
    assert counts == Counter({rank: 2 if rank == 5 else 4 for rank in range(1, 14)})


@pytest.mark.parametrize("open_field", ["starts", "steps"])
def test_no_game_is_laid_out_before_the_deal_has_decided(open_field: str) -> None:
    """Nobody knows what such a foundation takes."""
    with pytest.raises(ValueError, match="not the same in every deal"):
        Game(replace(STANDARD, **{open_field: (1, None, 3, 4)}), [])


# The deck


@pytest.mark.parametrize(
    ("rules", "cards"),
    [(STANDARD, 48), (NO_STARTERS, 52), (REVERSE, 48), (GIANT, 96), (BROKEN, 48), (SIR_TOMMY, 52)],
)
def test_stock_sizes(rules: Rules, cards: int) -> None:
    """The stock and the starters laid out make up whole decks."""
    stock = cards_to_shuffle(rules)
    assert len(stock) == cards
    assert stock == sorted(stock)
    whole = Counter({rank: 4 * rules.decks for rank in range(1, 14)})
    assert all_cards(Game(rules, stock)) == whole


def test_starters_that_no_deck_holds_are_refused() -> None:
    """Five foundations cannot start with one rank from one deck."""
    with pytest.raises(ValueError, match="not in list"):
        cards_to_shuffle(replace(STANDARD, starts=(7,) * 5, steps=(1,) * 5))


# Moves


def test_the_standard_layout() -> None:
    """A 2 3 4 lie on the foundations, the wastes are empty, only a turn is legal."""
    game = Game(STANDARD, [9, 2])
    assert game.foundations == [[1], [2], [3], [4]]
    assert game.wastes == [[], [], [], []]
    assert game.turned is None
    assert game.legal_moves() == [turn(9)]


def test_the_order_of_the_legal_moves() -> None:
    """Stock plays, waste plays by waste and foundation, placements."""
    game = position(counts=(3, 1, 3, 1), wastes=("", "4 8", "4"), stock="4 5")
    game.apply(turn(4))
    assert game.legal_moves() == [
        play(4, "stock", 0),
        play(4, "stock", 1),
        play(8, 1, 3),
        play(4, 2, 0),
        play(4, 2, 1),
        place_on(4, 0),
        place_on(4, 1),
        place_on(4, 2),
    ]


def test_only_the_top_of_a_waste_can_leave() -> None:
    """The 2 under the 9 waits until the 9 is gone."""
    game = position(counts=(1, 1, 2, 1), wastes=("2 9", "", "", ""))
    assert game.legal_moves() == [play(9, 0, 2)]
    game.apply(play(9, 0, 2))
    assert game.legal_moves() == [play(2, 0, 0)]


def test_waste_tops_may_move_while_a_card_lies_face_up() -> None:
    """The turned 3 fits once the 2 from the waste has gone before it."""
    game = position(wastes=("2", "", "", ""), stock="3")
    game.apply(turn(3))
    game.apply(play(2, 0, 0))
    game.apply(play(3, "stock", 0))
    assert game.foundations[0] == [1, 2, 3]
    assert game.direct_plays == 1
    assert game.moves == [turn(3), play(2, 0, 0), play(3, "stock", 0)]


def test_waste_tops_may_move_after_the_stock_is_used_up() -> None:
    """And a card from a waste is no direct play."""
    game = position(wastes=("2", "", "", ""))
    game.apply(play(2, 0, 0))
    assert game.direct_plays == 0
    assert game.legal_moves() == []


def test_playing_is_a_choice() -> None:
    """A turned card that fits a foundation may go on any waste."""
    game = Game(STANDARD, [2])
    game.apply(turn(2))
    game.apply(place_on(2, 3))
    assert game.wastes == [[], [], [], [2]]


def test_an_empty_foundation_starts_with_its_rank_alone() -> None:
    """Without starters a 2 goes to foundation 1 or starts foundation 2, as the player likes."""
    game = position(counts=(1, 0, 0, 0), stock="2 A", rules=NO_STARTERS)
    game.apply(turn(2))
    assert game.plays_from_stock() == [play(2, "stock", 0), play(2, "stock", 1)]
    game.apply(play(2, "stock", 1))
    game.apply(turn(1))
    assert game.plays_from_stock() == []


def test_sir_tommy_takes_every_ace_anywhere() -> None:
    """All four foundations are empty and start with an Ace."""
    game = Game(SIR_TOMMY, [1, 2])
    game.apply(turn(1))
    assert game.plays_from_stock() == [play(1, "stock", f) for f in range(4)]
    game.apply(play(1, "stock", 2))
    game.apply(turn(2))
    assert game.plays_from_stock() == [play(2, "stock", 2)]


@pytest.mark.parametrize(
    "move",
    [
        turn(9),  # a card lies face up already
        turn(3),
        place_on(9, 0),  # not the turned card
        place_on(5, 4),  # no such waste
        place_on(5, -1),
        play(5, "stock", 0),  # no foundation takes the 5
        play(2, 0, 0),  # the 2 lies under the 9
        play(9, 0, 2),  # foundation 3 needs the 6 first
        play(6, 1, 1),  # foundation 2 needs the 4 first
        play(6, 0, 2),  # the 6 lies elsewhere
        play(6, "stock", 2),
        play(6, 1, 4),  # no such foundation
        play(6, -3, 2),
        play(8, 2, 3),  # an empty waste
        {"move": "redeal", "stock": []},
        {"move": "back", "card": 3, "foundation": 2, "waste": 2},
        {"move": "place", "card": 9, "from": 0, "waste": 2},  # never waste to waste
        {"move": "place", "card": 5},
        {},
    ],
)
def test_illegal_moves_raise_and_change_nothing(move: Move) -> None:
    """Whatever is not among the legal moves is refused."""
    game = position(wastes=("2 9", "6", "", ""), stock="5 9")
    game.apply(turn(5))
    with pytest.raises(ValueError, match="illegal"):
        game.apply(move)
    assert game.wastes == [[2, 9], [6], [], []]
    assert (game.turned, game.stock, game.moves) == (5, [9], [turn(5)])
    game.apply(play(6, 1, 2))


def test_nothing_is_placed_or_turned_out_of_turn() -> None:
    """Nothing face up: no placement; nothing in the stock: no turn; the next card: no other."""
    game = Game(STANDARD, [9])
    for move in (place_on(9, 0), play(9, "stock", 0), turn(5)):
        with pytest.raises(ValueError, match="illegal"):
            game.apply(move)
    game.apply(turn(9))
    game.apply(place_on(9, 0))
    with pytest.raises(ValueError, match="illegal"):
        game.apply(turn(9))


def test_unseen_leaves_out_the_turned_card() -> None:
    """Only face-down cards are unseen."""
    game = Game(STANDARD, [9, 9, 5])
    game.apply(turn(9))
    assert game.unseen() == {rank: {9: 1, 5: 1}.get(rank, 0) for rank in range(1, 14)}


def test_the_result_counts_starters() -> None:
    """Four cards lie on the foundations before the first is turned."""
    assert Game(STANDARD, []).result() == {
        "won": False,
        "foundation_cards": 4,
        "foundations": [1, 1, 1, 1],
        "direct_plays": 0,
    }


# Redeals


def test_a_redeal_gathers_the_wastes_in_order() -> None:
    """Lowest waste first, each bottom to top; the reshuffle knows which redeal it is."""
    asked: list[tuple[int, list[int]]] = []

    def reshuffle(number: int, cards: list[int]) -> list[int]:
        asked.append((number, list(cards)))
        return cards[::-1]

    game = Game(REDEAL_2, [], reshuffle)
    game.wastes = [[9, 13], [], [7], [5, 6]]
    redeal = {"move": "redeal", "stock": [6, 5, 7, 13, 9]}
    assert game.legal_moves() == [play(6, 3, 2), redeal]
    game.apply(redeal)
    assert asked[-1] == (0, [9, 13, 7, 5, 6])
    assert game.stock == [6, 5, 7, 13, 9]
    assert game.wastes == [[], [], [], []]
    assert game.redeals_left == 1
    assert game.moves == [redeal]
    play_simple(game, lambda game, card: 0)
    assert asked[-1][0] == 1
    assert game.redeals_left == 0
    assert game.redeals() == []


def test_no_redeal_before_the_stock_is_used_up() -> None:
    """Neither with cards left to turn nor with the last one face up."""
    game = position(wastes=("9", "", "", ""), stock="5", rules=REDEAL_2)
    assert game.redeals() == []
    game.apply(turn(5))
    assert game.redeals() == []
    game.apply(place_on(5, 1))
    assert game.redeals() == [{"move": "redeal", "stock": [5, 9]}]
    with pytest.raises(ValueError, match="illegal"):
        game.apply({"move": "redeal", "stock": [9, 5]})


def test_no_redeal_without_a_card_or_after_a_win() -> None:
    """There is nothing to gather, or nothing left to do."""
    assert position(rules=REDEAL_2).legal_moves() == []
    won = position(counts=(13, 13, 13, 13), wastes=("5",), rules=REDEAL_2)
    assert won.legal_moves() == []


def test_a_reshuffle_must_exist_and_keep_the_cards() -> None:
    """Rules with redeals need one, and it may only change the order."""
    with pytest.raises(ValueError, match="need a reshuffle"):
        Game(REDEAL_2, [])
    game = Game(REDEAL_2, [], lambda _, cards: cards[1:])
    game.wastes[0] = [9]
    with pytest.raises(ValueError, match="changed the cards"):
        game.redeals()
