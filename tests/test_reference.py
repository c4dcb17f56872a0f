"""The reference's own tests, against the letter of the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations, product
from math import prod, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import (
    STANDARD,
    Game,
    Move,
    Rules,
    StrategyDraws,
    all_cards,
    bound_groups,
    deal,
    group_draws,
    in_ranks,
    new_game,
    philox_block,
    place_on,
    play,
    play_full,
    play_simple,
    reshuffle_of,
    stock_of,
)
from reference_strategies import PLACE, comes_right_after, kings_out, need_distance

REVERSE = replace(STANDARD, starts=(13, 13, 13, 13), steps=(-1, -2, -3, -4))
NO_STARTERS = replace(STANDARD, prefilled=False)
GIANT = replace(STANDARD, decks=2, starts=tuple(range(1, 9)), steps=tuple(range(1, 9)))
BROKEN = replace(STANDARD, starts=(5, 5, 9, 2), steps=(6, 1, 1, 3))
SIR_TOMMY = Rules(
    decks=1, starts=(1, 1, 1, 1), steps=(1, 1, 1, 1), prefilled=False, wastes=4, redeals=0
)
REDEAL_2 = replace(STANDARD, redeals=2)
VARIANTS = {
    "standard": STANDARD,
    "three-wastes": replace(STANDARD, wastes=3),
    "easy-6": replace(STANDARD, wastes=6),
    "no-starters": NO_STARTERS,
    "reverse": REVERSE,
    "giant": GIANT,
    "broken-intervals": BROKEN,
    "redeal-2": REDEAL_2,
    "sir-tommy": SIR_TOMMY,
}
BY_NAME = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS.keys())
LETTERS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def ranks(text: str) -> list[int]:
    """Return the ranks of cards written as players write them."""
    return [LETTERS[word] if word in LETTERS else int(word) for word in text.split()]


def turn(card: int) -> Move:
    """Return the move that turns a card."""
    return {"move": "turn", "card": card}


def position(
    counts: tuple[int, ...] = (1, 1, 1, 1),
    wastes: tuple[str, ...] = ("", "", "", ""),
    stock: str = "",
    rules: Rules = STANDARD,
) -> Game:
    """Return a position made by hand: cards on each foundation, wastes bottom to top."""
    game = Game(replace(rules, wastes=len(wastes)), ranks(stock), lambda _, cards: cards[::-1])
    game.foundations = [rules.sequence(f)[:count] for f, count in enumerate(counts)]
    game.wastes = [ranks(waste) for waste in wastes]
    return game


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


# The deck


@pytest.mark.parametrize(
    ("rules", "cards"),
    [(STANDARD, 48), (NO_STARTERS, 52), (REVERSE, 48), (GIANT, 96), (BROKEN, 48), (SIR_TOMMY, 52)],
)
def test_stock_sizes(rules: Rules, cards: int) -> None:
    """The stock and the starters laid out make up whole decks."""
    stock = stock_of(rules)
    assert len(stock) == cards
    assert stock == sorted(stock)
    whole = Counter({rank: 4 * rules.decks for rank in range(1, 14)})
    assert all_cards(Game(rules, stock)) == whole


def test_starters_that_no_deck_holds_are_refused() -> None:
    """Five foundations cannot start with one rank from one deck."""
    with pytest.raises(ValueError, match="not in list"):
        stock_of(replace(STANDARD, starts=(7,) * 5, steps=(1,) * 5))


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


# Whole games


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


# Strategies


def test_need_distances_of_the_standard_layout() -> None:
    """By hand from the printed table: the nearest foundation counts."""
    expected = {1: 5, 2: 0, 3: 1, 4: 0, 5: 3, 6: 0, 7: 3, 8: 0, 9: 1, 10: 3, 11: 4, 12: 1, 13: 11}
    game = position()
    assert {rank: need_distance(game, rank) for rank in range(1, 14)} == expected


def test_need_distance_passes_over_foundations_that_have_the_rank() -> None:
    """Foundation 1 has its 3; the nearest is then the fourth."""
    assert need_distance(position(counts=(3, 1, 1, 1)), 3) == 2
    assert need_distance(position(counts=(13, 13, 13, 13)), 3) == 99


def test_right_after_needs_a_foundation_that_still_needs_the_card() -> None:
    """On foundation 2 a 9 follows a 7, until the 7 is taken; nothing follows a King."""
    assert comes_right_after(position(), top=9, card=7)
    assert comes_right_after(position(counts=(1, 9, 1, 1)), top=9, card=7)
    assert not comes_right_after(position(counts=(1, 10, 1, 1)), top=9, card=7)
    assert not comes_right_after(position(), top=7, card=9)
    assert not any(comes_right_after(position(), top, 13) for top in range(1, 14))


@pytest.mark.parametrize(
    ("name", "wastes", "card", "waste"),
    [
        ("shortest", ("9 9", "9", "9", "9 9"), 5, 1),
        ("greedy", ("3", "J", "K", "K"), 5, 2),  # 1, 4, 11, 11
        ("greedy", ("K", "", "", "K"), 5, 1),
        ("king-pile", ("K", "9", "9", "9"), 13, 0),
        ("king-pile", ("", "9 9", "9", "9"), 5, 2),
        ("king-pile", ("K", "K 9", "9 9", "9 9"), 5, 1),  # two Kings out
        ("king-pile", ("K", "K 9", "9 9", "K 9"), 5, 0),  # three
        ("king-pile", ("9",), 5, 0),
        ("descending-step", ("3", "9", "9", ""), 7, 1),  # 9 follows 7 on foundation 2
        ("descending-step", ("3", "3", "", "3"), 13, 2),
        ("need-order", ("3", "K", "7", "J"), 5, 2),  # 108, 8, 0, 1
        ("need-order", ("3", "", "9", "9"), 13, 1),  # 140, 30, 140, 140
        ("need-order", ("K", "", "A", "A"), 13, 0),
        ("need-order", ("", "K"), 5, 1),  # 30, 8
        ("need-order", ("9", ""), 5, 1),  # 108, 30
        ("need-order-deep", ("", "K"), 10, 1),  # 6, 8 - 3
        ("need-order-deep", ("10", "J"), 5, 1),  # 0, 1 - 3 by d = e + 1 alone
        ("need-order-deep", ("K", "", "J", "7"), 5, 3),  # 8, 6, 1 - 3, 0 - 3 by 7 after 5
        ("need-order-deep", ("J", "10", "", ""), 7, 1),  # 1 - 3 though both hold, 0 - 3
    ],
)
def test_placements_by_hand(name: str, wastes: tuple[str, ...], card: int, waste: int) -> None:
    """Costs worked out by hand from the definitions, for the standard layout."""
    assert PLACE[name](position(wastes=wastes), card) == waste


def test_need_order_deep_weighs_every_card() -> None:
    """The card is a 10, e = 3; d of 9, 3, J, Q, K is 1, 1, 4, 1, 11; J, Q, K can follow it."""
    place = PLACE["need-order-deep"]
    assert place(position(wastes=("9 K", "K", "")), 10) == 1  # 14 + 8 - 3, 8 - 3, 6
    assert place(position(wastes=("9 K", "9 3", "")), 10) == 2  # 19, 14 + 14, 6
    assert place(position(wastes=("9 K", "9 J", "9 9 K")), 10) == 1  # 19, 14 + 1 - 3, 33
    assert place(position(wastes=("9 K", "9 Q", "9 Q")), 10) == 0  # 19, 14 + 14 - 3


def test_kings_laid_out_as_starters_are_out() -> None:
    """In reverse all four Kings lie on the foundations from the beginning."""
    game = Game(REVERSE, [])
    assert kings_out(game) == 4
    assert PLACE["king-pile"](game, 5) == 0
    assert PLACE["king-pile"](game, 5, release=5) == 1


def test_random_takes_one_draw_for_a_placement() -> None:
    """Each placement is the next draw below the number of wastes."""
    game, draws = position(), StrategyDraws(1, 2, key=3)
    expected = StrategyDraws(1, 2, key=3)
    chosen = [PLACE["random"](game, 9, draws) for _ in range(50)]
    assert chosen == [expected.below(4) for _ in range(50)]


# The deal

LOW_64 = 2**64 - 1


def evenly_spread(counts: Sequence[int]) -> bool:
    """Return whether the chi-squared statistic lies within four deviations of its mean."""
    expected, freedom = sum(counts) / len(counts), len(counts) - 1
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return abs(statistic - freedom) < 4 * sqrt(2 * freedom)


def philox_by_hand(counter: tuple[int, ...], key: tuple[int, int]) -> list[int]:
    """Return the block of Philox4x64 in ten rounds, as its authors publish it."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        left, right = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (right >> 64) ^ c1 ^ k0, right & LOW_64, (left >> 64) ^ c3 ^ k1, left
        c3 &= LOW_64
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & LOW_64, (k1 + 0xBB67AE8584CAA73B) & LOW_64
    return [c0, c1, c2, c3]


def test_philox_by_hand_gives_the_published_block() -> None:
    """The authors' known answer for key and counter zero."""
    assert philox_by_hand((0, 0, 0, 0), (0, 0)) == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


@given(st.integers(0, LOW_64), st.integers(1, LOW_64), *[st.integers(0, LOW_64)] * 3)
def test_blocks_have_their_own_counter(
    seed: int, n: int, stream: int, index: int, key: int
) -> None:
    """Numpy, told the number before, gives the block of the number meant."""
    counter = (n, stream, index, key)
    assert philox_block(seed, counter) == philox_by_hand(counter, (seed, 0))


def test_the_groups_of_48_cards() -> None:
    """Cut from the low end, used from the high end."""
    ends = [(48, 40), (39, 30), (29, 19), (18, 2)]
    assert bound_groups(48) == [list(range(high, low - 1, -1)) for high, low in ends]
    assert bound_groups(0) == bound_groups(1) == []
    assert bound_groups(2) == [[2]]


@pytest.mark.parametrize("cards", [1, 2, 18, 19, 48, 52, 96, 104])
def test_groups_hold_every_bound_and_are_as_large_as_may_be(cards: int) -> None:
    """The bounds run from n down to 2; one more bound would take a group to 2**53."""
    groups = bound_groups(cards)
    assert [bound for group in groups for bound in group] == list(range(cards, 1, -1))
    assert all(prod(group) < 2**53 for group in groups)
    assert all(prod(lower) * higher[-1] >= 2**53 for higher, lower in pairwise(groups))


@pytest.mark.parametrize("bounds", [(3,), (5, 4), (6, 5, 4), (13, 7), (4, 3, 2)])
def test_group_draws_are_unbiased(bounds: tuple[int, ...]) -> None:
    """Of all the words of ten bits, each outcome gets exactly as many."""
    draws = [group_draws(word, bounds, bits=10) for word in range(2**10)]
    counts = Counter(tuple(outcome) for outcome in draws if outcome is not None)
    assert set(counts) == set(product(*map(range, bounds)))
    assert set(counts.values()) == {2**10 // prod(bounds)}


@pytest.mark.parametrize(("rules", "blocks"), [(STANDARD, 1), (GIANT, 3)])
def test_a_rejected_deal_is_drawn_again(rules: Rules, blocks: int) -> None:
    """The next attempt starts at the next unused block, from the cards as they were."""
    cards = stock_of(rules)
    groups = bound_groups(len(cards))

    def draws_from(first: int, index: int) -> list[list[int] | None]:
        numbers = range(first, first + blocks)
        words = [word for n in numbers for word in philox_block(11, (n, 0, index, 0))]
        assert len(words) - 4 < len(groups) <= len(words)
        return [group_draws(*pair) for pair in zip(words, groups, strict=False)]

    index = next(index for index in range(100_000) if None in draws_from(1, index))
    draws = [draw for group in draws_from(1 + blocks, index) for draw in group or []]
    expected = list(cards)
    for last, draw in zip(range(len(cards) - 1, 0, -1), draws, strict=True):
        expected[last], expected[draw] = expected[draw], expected[last]
    assert deal(11, index, cards) == expected


def test_deals_are_shuffles_of_their_own() -> None:
    """Seed, deal and stream each change the order, never the cards."""
    cards = stock_of(STANDARD)
    top = 2**64 - 1
    places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2), (0, 0, 3), (top, top, 0)]
    shuffles = [tuple(deal(seed, index, cards, stream)) for seed, index, stream in places]
    assert len(set(shuffles)) == len(places)
    assert all(sorted(shuffle) == cards for shuffle in shuffles)
    assert cards == stock_of(STANDARD)
    assert reshuffle_of(0, 0)(1, cards) == list(shuffles[4])


def test_one_card_and_none_need_no_draw() -> None:
    """There is only one order."""
    assert deal(1, 1, []) == []
    assert deal(1, 1, [7]) == [7]


def test_every_order_is_equally_likely() -> None:
    """All 120 orders of five cards."""
    counts = Counter(tuple(deal(2024, index, [1, 2, 3, 4, 5])) for index in range(6000))
    orders = list(permutations([1, 2, 3, 4, 5]))
    assert set(counts) <= set(orders)
    assert evenly_spread([counts[order] for order in orders])


def test_every_card_comes_everywhere() -> None:
    """The place of each of 48 cards."""
    deals = [deal(2025, index, range(48)) for index in range(1500)]
    for card in (0, 1, 17, 18, 28, 29, 38, 39, 46, 47):  # the ends of the groups among them
        places = Counter(order.index(card) for order in deals)
        assert evenly_spread([places[place] for place in range(48)])


def test_strategy_draws_take_the_low_half_first() -> None:
    """Each word gives two numbers, and below(4) is the two highest bits of each."""
    draws = StrategyDraws(5, 6, key=7)
    words = philox_block(5, (1, 0, 6, 7)) + philox_block(5, (2, 0, 6, 7))
    halves = [half for word in words for half in (word % 2**32, word >> 32)]
    assert [draws.below(4) for _ in range(16)] == [half >> 30 for half in halves]


def test_strategy_draws_are_drawn_again_where_biased() -> None:
    """Three times 2**30 rejects about a quarter: n = 3 * 2**30 leaves 2**30 over."""
    n = 3 * 2**30
    draws = StrategyDraws(5, 6, key=7)
    words = philox_block(5, (1, 0, 6, 7))
    halves = [half for word in words for half in (word % 2**32, word >> 32)]
    kept = [half * n >> 32 for half in halves if half * n % 2**32 >= 2**30]
    assert 0 < len(kept) < len(halves)
    assert [draws.below(n) for _ in kept] == kept


def test_strategy_draws_are_uniform_and_checked() -> None:
    """Three wastes are drawn alike; key 0 belongs to the deals."""
    draws = StrategyDraws(1, 2, key=2**64 - 1)
    counts = Counter(draws.below(3) for _ in range(3000))
    assert evenly_spread([counts[n] for n in range(3)])
    for key in (0, 2**64):
        with pytest.raises(ValueError, match="nonzero"):
            StrategyDraws(1, 2, key=key)
    with pytest.raises(ValueError, match="n must be"):
        draws.below(0)
