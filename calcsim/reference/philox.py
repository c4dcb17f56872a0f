"""The source of all random bits."""

from __future__ import annotations

import numpy as np


def philox_block(seed: int, counter: tuple[int, int, int, int]) -> list[int]:
    """Return the four words that Philox4x64 gives for the key (seed, 0) and a counter.

    Numpy counts up before it draws, so it is given the number before the first one, which is
    never 0: blocks count from 1.
    """
    number, *others = counter
    before = np.array([number - 1, *others], dtype=np.uint64)
    key = np.array([seed, 0], dtype=np.uint64)
    return [int(word) for word in np.random.Philox(key=key, counter=before).random_raw(4)]
