"""A strategy's own random draws, keyed by seed, deal and strategy, and by nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from calcsim.game.philox import philox_block
from calcsim.game.view import engine_table

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF_BITS = np.uint64(32)


@njit(forceinline=True)
def start_draws(
    table: Any, seed: np.uint64, deal: np.uint64, strategy: np.uint64, stream: np.uint64
) -> None:
    """Begin the draws of one game.

    Args:
        table: where their state is kept.
        seed: of the deal.
        deal: its number.
        strategy: the strategy's key, not 0; or 0, which stands for the deal itself.
        stream: tells the uses of the deal's own randomness apart.
    """
    table.draw_key[0] = seed
    table.draw_key[1] = stream
    table.draw_key[2] = deal
    table.draw_key[3] = strategy
    table.draws_used[0] = np.uint64(0)


@njit(forceinline=True)
def next_half_word(table: Any) -> Any:
    """The next 32 random bits (uint64), the low half of each Philox word before its high half."""
    used = table.draws_used[0]
    if used & np.uint64(7) == 0:
        word_0, word_1, word_2, word_3 = philox_block(
            table.draw_key[0],
            (used >> np.uint64(3)) + np.uint64(1),
            table.draw_key[1],
            table.draw_key[2],
            table.draw_key[3],
        )
        table.draw_words[0] = word_0
        table.draw_words[1] = word_1
        table.draw_words[2] = word_2
        table.draw_words[3] = word_3
    table.draws_used[0] = used + np.uint64(1)
    word = table.draw_words[(used >> np.uint64(1)) & np.uint64(3)]
    return word >> _HALF_BITS if used & np.uint64(1) else word & _LOW_HALF


@njit(forceinline=True)
def random_below(table: Any, bound: int) -> int:
    """A uniform draw from 0, 1, ..., `bound` - 1, for bounds up to 2**32.

    The same draws come in the same game whatever else is played. D. Lemire, "Fast Random Integer
    Generation in an Interval" (2019).

    Raises:
        ValueError: the bound is below 1.
    """
    if bound < 1:
        raise ValueError("random_below needs a bound of at least 1")
    own = engine_table(table)
    limit = np.uint64(bound)
    product = next_half_word(own) * limit
    if product & _LOW_HALF < limit:
        refused = np.uint64(2**32) % limit
        while product & _LOW_HALF < refused:
            product = next_half_word(own) * limit
    return int(np.int64(product >> _HALF_BITS))  # signed, like the numbers that it meets
