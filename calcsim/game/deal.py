"""Deals: the cards of deal *i* of seed *s*, a pure function of both and of the variant's stock."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calcsim.game.layout import lay_out_variant
from calcsim.game.play import shuffle_deal
from calcsim.game.variant import Variant

LARGEST_WORD = 2**64 - 1
"""The largest seed, and the largest number of a deal."""


def deal_cards(variant: Variant, seed: int, first: int, count: int) -> NDArray[np.int8]:
    """The shuffled cards of consecutive deals, in the order in which they come.

    Args:
        variant: its stock, and nothing else of it, matters.
        seed: 0 to 2**64 - 1.
        first: number of the first deal, 0 to 2**64 - 1.
        count: how many deals.

    Returns:
        Ranks, int8, shape (count, cards). Where a variant draws starters from the deck, they are
        the first of the cards.
    """
    dealers = lay_out_variant(variant).dealers
    cards = np.empty((count, len(variant.cards)), dtype=np.int8)
    with np.errstate(over="ignore"):  # for the interpreted engine: unsigned words wrap
        _deal_each(dealers, cards, np.uint64(seed), np.uint64(first))
    return cards


@njit
def _deal_each(dealers: Any, cards: Any, seed: np.uint64, first: np.uint64) -> None:
    dealer = dealers[0]
    for i in range(len(cards)):
        shuffle_deal(dealer, seed, first + np.uint64(i))
        for j in range(len(dealer.order)):
            cards[i, j] = dealer.order[j]
