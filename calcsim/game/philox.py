"""Philox4x64-10, the counter-based bit source (Salmon, Moraes, Dror and Shaw, SC 2011).

Bit for bit numpy's `Philox`: block *n* here is what numpy hands out for a counter that starts at
*n* - 1, since numpy counts up before it draws.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from calcsim.game.wide import multiply_wide

_MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
_MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
_WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
_WEYL_1 = np.uint64(0xBB67AE8584CAA73B)
_ROUNDS = 10


@njit(forceinline=True)
def philox_block(
    seed: np.uint64, number: np.uint64, stream: np.uint64, deal: np.uint64, strategy: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Four random uint64 words: key (seed, 0), counter (number, stream, deal, strategy)."""
    key_0, key_1 = np.uint64(seed), np.uint64(0)
    word_0, word_1 = np.uint64(number), np.uint64(stream)
    word_2, word_3 = np.uint64(deal), np.uint64(strategy)
    for _ in range(_ROUNDS):
        high_0, low_0 = multiply_wide(_MULTIPLIER_0, word_0)
        high_1, low_1 = multiply_wide(_MULTIPLIER_1, word_2)
        word_0, word_1, word_2, word_3 = (
            high_1 ^ word_1 ^ key_0,
            low_1,
            high_0 ^ word_3 ^ key_1,
            low_0,
        )
        key_0 += _WEYL_0
        key_1 += _WEYL_1
    return word_0, word_1, word_2, word_3
