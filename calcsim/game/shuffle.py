"""The unbiased shuffle: deal format 1.

Fisher-Yates from the last position down, its draws taken in batches from 64-bit words as in
N. Brackett-Rozinsky and D. Lemire, "Batched Ranged Random Integer Generation" (2024): the high
halves of successive multiplications are the draws, and one test a word keeps them exactly uniform.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calcsim.game.philox import philox_block
from calcsim.game.wide import multiply_wide

DEAL_FORMAT = 1
"""Raised whenever the same seed and deal number would give other cards than before."""

_BATCH_LIMIT = 2**53
"""Batches stay below this product of bounds, so that a word is refused once in thousands."""

DEAL_STREAM = 0
RULES_STREAM = 1
FIRST_REDEAL_STREAM = 2


def draw_batches(cards: int) -> NDArray[np.uint64]:
    """The batches of the draws for a shuffle of so many cards, one 64-bit word each.

    The bounds 2, 3, ... are gathered from the low end while their product stays below 2**53; the
    shuffle uses the batches from the highest down.

    Returns:
        Shape (batches, 3), uint64: the first (highest) and last (lowest) bound of each batch, and
        2**64 modulo the product of its bounds, below which what is left of a word refuses it.
    """
    batches: list[tuple[int, int, int]] = []
    low = 2
    while low <= cards:
        high, product = low, low
        while high < cards and product * (high + 1) < _BATCH_LIMIT:
            high += 1
            product *= high
        batches.append((high, low, 2**64 % product))
        low = high + 1
    return np.array(batches[::-1], dtype=np.uint64).reshape(-1, 3)


@njit
def shuffle(cards, order, size, batches, seed, deal, stream):
    """Write the first `size` of `cards`, shuffled, to `order` (both int8), in constant time.

    `batches` are the `draw_batches` of that size, rows of zeros behind them allowed. `stream`
    tells the shuffles of one deal apart: `DEAL_STREAM`, or `FIRST_REDEAL_STREAM` plus the number of
    redeals before. An attempt that a batch refuses starts again from fresh blocks.
    """
    block = np.uint64(0)
    while True:
        for i in range(size):
            order[i] = cards[i]
        accepted = True
        word_0 = word_1 = word_2 = word_3 = np.uint64(0)
        for batch in range(len(batches)):
            if batches[batch, 0] == 0:
                break
            if batch & 3 == 0:
                block += np.uint64(1)
                word_0, word_1, word_2, word_3 = philox_block(
                    seed, block, stream, deal, np.uint64(0)
                )
            word, word_0, word_1, word_2 = word_0, word_1, word_2, word_3
            for bound in range(np.int64(batches[batch, 0]), np.int64(batches[batch, 1]) - 1, -1):
                drawn, word = multiply_wide(word, np.uint64(bound))
                chosen = np.int64(drawn)
                card = order[chosen]
                order[chosen] = order[bound - 1]
                order[bound - 1] = card
            accepted &= word >= batches[batch, 2]
        if accepted:
            return
