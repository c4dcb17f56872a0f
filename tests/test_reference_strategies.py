"""The plain strategies of the reference, by hand from their definitions."""

from __future__ import annotations

import pytest
from positions import REVERSE, position
from reference_strategies import PLACE, comes_right_after, kings_out, need_distance

from calcsim.reference.draws import StrategyDraws
from calcsim.reference.game import Game


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
