"""The reference's deals, redeals, dice and strategies' draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise, permutations, product
from math import prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import GIANT, STANDARD, all_cards

from calcsim.reference.dealing import deal, new_game, reshuffle_of
from calcsim.reference.draws import StrategyDraws, die_throws
from calcsim.reference.philox import philox_block
from calcsim.reference.rules import Rules, cards_to_shuffle
from calcsim.reference.shuffling import bound_groups, group_draws

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
    cards = cards_to_shuffle(rules)
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
    cards = cards_to_shuffle(STANDARD)
    top = 2**64 - 1
    places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2), (0, 0, 3), (top, top, 0)]
    shuffles = [tuple(deal(seed, index, cards, stream)) for seed, index, stream in places]
    assert len(set(shuffles)) == len(places)
    assert all(sorted(shuffle) == cards for shuffle in shuffles)
    assert cards == cards_to_shuffle(STANDARD)
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


HALF_BROKEN = replace(STANDARD, starts=(None, 5, 2, None), steps=(3, None, 2, None))


def test_dice_are_thrown_in_a_stream_of_their_own() -> None:
    """Each half word gives a throw, but for the four lowest products of all: 2**32 = 4 mod 6."""
    words = [word for n in (1, 2, 3) for word in philox_block(5, (n, 1, 6, 0))]
    halves = [half for word in words for half in (word % 2**32, word >> 32)]
    kept = [half for half in halves if half * 6 % 2**32 >= 4]
    assert [*islice(die_throws(5, 6), len(kept))] == [1 + half * 6 // 2**32 for half in kept]


def test_a_die_falls_on_every_side_alike() -> None:
    """Six sides, each as often as any other."""
    counts = Counter(throw for index in range(100) for throw in islice(die_throws(8, index), 30))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert evenly_spread(list(counts.values()))


def test_what_is_left_to_chance_is_drawn_in_order() -> None:
    """Starters are the first of the shuffled cards and leave them; only open steps take a throw."""
    cards = deal(5, 6, cards_to_shuffle(HALF_BROKEN))
    assert len(cards) == 50
    throws = [*islice(die_throws(5, 6), 2)]
    game = new_game(HALF_BROKEN, 5, 6)
    assert game.rules == replace(
        HALF_BROKEN, starts=(cards[0], 5, 2, cards[1]), steps=(3, throws[0], 2, throws[1])
    )
    assert game.foundations == [[cards[0]], [5], [2], [cards[1]]]
    assert game.stock == cards[2:]
    assert all_cards(game) == Counter({rank: 4 for rank in range(1, 14)})


def test_nothing_is_drawn_where_nothing_is_left_to_chance() -> None:
    """The rules of a deal are then those of every deal."""
    game = new_game(STANDARD, 5, 6)
    assert game.rules == STANDARD
    assert game.stock == deal(5, 6, cards_to_shuffle(STANDARD))


def test_given_cards_stand_in_for_the_fresh_deal_alone() -> None:
    """Their first are the starters; dice and redeals are the seed's."""
    rules = replace(HALF_BROKEN, redeals=1)
    cards = cards_to_shuffle(rules)[::-1]
    given_game, fresh = new_game(rules, 5, 6, cards), new_game(rules, 5, 6)
    assert given_game.rules == replace(fresh.rules, starts=(13, 5, 2, 13))
    assert given_game.stock == cards[2:]
    given_game.stock, given_game.wastes = [], [[9, 5, 7], [2], [], [1, 1]]
    assert given_game.redeals()[0]["stock"] == deal(5, 6, [9, 5, 7, 2, 1, 1], stream=2)


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
