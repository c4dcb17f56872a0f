"""The shuffle: its batches of draws, and its results against the reference's."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judged import LARGEST

from calcsim.game.shuffle import DEAL_FORMAT, draw_batches, shuffle
from calcsim.reference.dealing import deal
from calcsim.reference.philox import philox_block
from calcsim.reference.shuffling import attempt_draws, bound_groups, group_draws

LARGEST_STOCK = 104
WORDS = st.integers(0, LARGEST)


def shuffled(cards, seed, index, stream=0, spare_batches=0):
    """The engine's shuffle; it finds batches for larger stocks behind those it needs."""
    batches = draw_batches(len(cards))
    spare = np.zeros((spare_batches, 3), dtype=np.uint64)
    order = np.zeros(LARGEST_STOCK, dtype=np.int8)
    shuffle(
        np.array(cards, dtype=np.int8),
        order,
        len(cards),
        np.concatenate([batches, spare]),
        np.uint64(seed),
        np.uint64(index),
        np.uint64(stream),
    )
    return order[: len(cards)].tolist()


def first_attempt(cards, seed, index):
    """The draws of the first attempt, None if it is rejected; and which batches reject it."""
    groups = bound_groups(cards)
    blocks = -(-len(groups) // 4)
    words = [
        word
        for number in range(1, blocks + 1)
        for word in philox_block(seed, (number, 0, index, 0))
    ]
    rejecting = [n for n, group in enumerate(groups) if group_draws(words[n], group) is None]
    return attempt_draws(words, groups), rejecting


def test_the_batches_of_48_cards():
    bounds = [(48, 40), (39, 30), (29, 19), (18, 2)]
    assert draw_batches(48).tolist() == [
        [high, low, 2**64 % prod(range(low, high + 1))] for high, low in bounds
    ]


@pytest.mark.parametrize("cards", range(LARGEST_STOCK + 1))
def test_batches_hold_every_bound_once(cards):
    batches = [(int(high), int(low)) for high, low, _ in draw_batches(cards)]
    bounds = [bound for high, low in batches for bound in range(high, low - 1, -1)]
    assert bounds == list(range(cards, 1, -1))
    assert batches == [(group[0], group[-1]) for group in bound_groups(cards)]


@pytest.mark.parametrize("cards", [52, 96, 104])
def test_batches_are_as_large_as_may_be(cards):
    for upper, (high, low, _) in pairwise(draw_batches(cards).tolist()):
        product = prod(range(low, high + 1))
        assert product < 2**53 <= product * upper[1]


@given(
    cards=st.lists(st.integers(1, 13), max_size=LARGEST_STOCK),
    seed=WORDS,
    index=WORDS,
    stream=st.sampled_from([0, 2, 3, 101]),
    spare_batches=st.integers(0, 12),
)
@settings(max_examples=300)
def test_shuffles_of_any_cards_are_the_reference_s(cards, seed, index, stream, spare_batches):
    expected = deal(seed, index, cards, stream)
    assert shuffled(cards, seed, index, stream, spare_batches) == expected


@pytest.mark.parametrize("cards", [0, 1, 2, 3, 18, 19, 48, 52, 96, 104])
def test_shuffles_at_the_extremes_are_the_reference_s(cards):
    stock = [1 + n % 13 for n in range(cards)]
    for seed in (0, 2**63, LARGEST):
        for index in (0, 2**63, LARGEST):
            assert shuffled(stock, seed, index) == deal(seed, index, stock)


@pytest.mark.parametrize(
    ("cards", "index", "batch"),
    [
        (48, 44482, 0),
        (48, 15311, 2),
        (48, 21551, 3),
        (52, 13831, 3),
        (52, 11777, 4),
        (96, 5104, 1),
        (96, 10305, 5),
    ],
)
def test_a_rejected_batch_has_all_cards_drawn_again(cards, index, batch):
    stock = [1 + n % 13 for n in range(cards)]
    assert first_attempt(cards, 1, index) == (None, [batch])
    assert shuffled(stock, 1, index) == deal(1, index, stock)


@given(index=WORDS)
@example(index=0)
def test_streams_of_a_deal_are_apart(index):
    stock = list(range(1, 14)) * 4
    orders = {tuple(shuffled(stock, 3, index, stream)) for stream in (0, 2, 3)}
    assert len(orders) == 3


def test_the_deal_format_is_the_first():
    assert DEAL_FORMAT == 1
