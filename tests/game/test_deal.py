"""Deals: the reference's, one by one and in batches, today and for ever."""

import hashlib
import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from judged import BROKEN_INTERVALS, GIANT, LARGEST, NO_STARTERS, REVERSE, SIR_TOMMY, player_of
from scipy.stats import chisquare

from calcsim.engine.games import Deals, trace_game
from calcsim.game.cards import format_cards
from calcsim.game.deal import LARGEST_WORD, deal_cards
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.reference.dealing import deal

WORDS = st.integers(0, LARGEST)
STOCKS = {
    "48 cards": STANDARD,
    "48 cards without Kings": REVERSE,
    "52 cards": NO_STARTERS,
    "96 cards": GIANT,
}
BY_STOCK = pytest.mark.parametrize("variant", STOCKS.values(), ids=STOCKS.keys())


def dealt(variant, seed, index):
    return deal_cards(variant, seed, index, 1)[0].tolist()


@BY_STOCK
@given(seed=WORDS, index=WORDS)
@example(seed=0, index=0)
@example(seed=0, index=LARGEST)
@example(seed=LARGEST, index=0)
@example(seed=LARGEST, index=LARGEST)
def test_deals_are_the_reference_s(variant, seed, index):
    assert dealt(variant, seed, index) == deal(seed, index, variant.cards)


@pytest.mark.parametrize(
    ("variant", "index"),
    [(STANDARD, 15311), (STANDARD, 21551), (NO_STARTERS, 11777), (GIANT, 5104)],
    ids=["48 cards", "48 cards again", "52 cards", "96 cards"],
)
def test_deals_whose_first_attempt_is_rejected_are_the_reference_s(variant, index):
    assert dealt(variant, 1, index) == deal(1, index, variant.cards)


@given(seed=WORDS, first=st.integers(0, LARGEST - 20), count=st.integers(0, 20))
def test_a_deal_alone_is_that_of_a_batch(seed, first, count):
    batch = deal_cards(STANDARD, seed, first, count)
    assert batch.shape == (count, 48)
    assert batch.dtype == np.int8
    assert batch.tolist() == [dealt(STANDARD, seed, first + n) for n in range(count)]


def test_the_last_deals_of_a_seed():
    batch = deal_cards(STANDARD, 1, LARGEST_WORD - 2, 3)
    assert batch.tolist() == [deal(1, LARGEST - n, STANDARD.cards) for n in (2, 1, 0)]


@pytest.mark.parametrize(
    ("variant", "same"),
    [
        (STANDARD.with_counts(wastes=3), STANDARD),
        (STANDARD.with_counts(redeals=2), STANDARD),
        (SIR_TOMMY, NO_STARTERS),
        (BROKEN_INTERVALS, NO_STARTERS),
    ],
)
def test_variants_with_the_same_stock_have_the_same_deals(variant, same):
    assert (deal_cards(variant, 9, 0, 50) == deal_cards(same, 9, 0, 50)).all()


def test_starters_laid_out_are_not_in_the_stock():
    assert sorted(dealt(REVERSE, 5, 5)) == sorted(list(range(1, 13)) * 4)


GOLDEN = {
    ("48 cards", 0): "fa9b20f5185460ab5c928b4009c8711c92b944d92117cb89df726b8d88d5c043",
    ("48 cards", 1): "ec6e11cf252afe226869e00e15216bd2fb1becc854b705084a9bd687321efc29",
    ("48 cards", 7): "ad3fa14c1907b3444768ea1388cfd66f17bf5b03080f8097b8f19430187589c4",
    ("48 cards", LARGEST): "47423267e1e716f8cd5f68d4e15ca76a55f67e3d0b359d8b066baffa44b6b266",
    (
        "48 cards without Kings",
        1,
    ): "eaeea1946ba10f4cdfb7e5d5afa23902a2cc43a7f5732ad950d780e9df794293",
    ("52 cards", 1): "5b1d926f8959c91d7b78013253eebf5f96515475fe1156378d01b323b67f7a6d",
    ("96 cards", 1): "03b7d65b5ae3752609d67b67574e1b4ff9ec4393b0369786a6bcd3af107573bd",
}


@pytest.mark.parametrize(("stock", "seed"), GOLDEN)
def test_the_first_thousand_deals_stay_for_ever(stock, seed):
    cards = deal_cards(STOCKS[stock], seed, 0, 1000)
    assert hashlib.sha256(cards.tobytes()).hexdigest() == GOLDEN[stock, seed]


def digest_of(games):
    """The digest of whatever JSON holds."""
    return hashlib.sha256(json.dumps(games).encode()).hexdigest()


def test_the_first_foundations_left_to_chance_stay_for_ever():
    player = player_of("shortest", BROKEN_INTERVALS)
    drawn = [
        [
            [foundation.start, foundation.step]
            for foundation in trace_game(player, BROKEN_INTERVALS, Deals(1, n, 1)).foundations
        ]
        for n in range(200)
    ]
    assert digest_of(drawn) == "92e825eb3f2f5907e3bd304c8cd646d4845b1dd03c9f04eb4755670c24152b2f"


def test_the_first_redeals_stay_for_ever():
    variant = VARIANTS["redeal-2"]
    player = player_of("shortest", variant)
    stocks = [
        [
            move["stock"]
            for move in trace_game(player, variant, Deals(1, n, 1)).moves
            if move["move"] == "redeal"
        ]
        for n in range(200)
    ]
    assert {len(of_deal) for of_deal in stocks} == {0, 1, 2}
    assert digest_of(stocks) == "ba0ef3bb455253a66d9ffbb4a82e97104c23a6dc1df9901a1936611c721246ed"


def test_the_first_deals_of_seed_1_card_by_card():
    assert [format_cards(cards) for cards in deal_cards(STANDARD, 1, 0, 3)] == [
        "8 5 6 4 Q 10 10 4 J Q 5 A Q 9 9 K Q A 6 6 3 9 4 3 "
        "8 A 10 J 2 3 K 7 7 K 5 J 9 K 10 7 7 8 2 6 2 J 8 5",
        "5 9 K 7 A 2 8 K 7 Q 8 3 6 5 4 6 Q 7 6 A 9 5 10 2 "
        "J 6 4 J J Q A 8 3 Q 4 K 7 K 9 10 8 3 10 9 J 10 2 5",
        "9 2 3 2 10 Q J Q K 4 7 6 4 4 8 3 5 2 10 9 J 7 8 6 "
        "A Q 10 A J 6 Q 8 5 K 5 K 6 8 9 7 7 10 3 9 J A K 5",
    ]


def test_every_rank_comes_everywhere():
    cards = deal_cards(STANDARD, 2024, 0, 200_000)
    of_rank = np.bincount(STANDARD.cards, minlength=14)[1:]
    expected = of_rank / of_rank.sum() * len(cards)
    p_values = [
        chisquare(np.bincount(at_position, minlength=14)[1:], expected).pvalue
        for at_position in cards.T
    ]
    assert min(p_values) * len(p_values) > 1e-6
