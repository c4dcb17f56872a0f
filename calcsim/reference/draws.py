"""Numbers drawn one by one: a deal's dice, and a strategy's own draws."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from calcsim.reference.philox import philox_block

DIE_SIDES = 6
DIE_STREAM = 1
STRATEGY_STREAM = 0


def half_words(seed: int, stream: int, index: int, key: int) -> Iterator[int]:
    """Yield 32-bit numbers without end: of each word the low half, then the high half."""
    for number in count(1):
        for word in philox_block(seed, (number, stream, index, key)):
            yield word % 2**32
            yield word >> 32


def draw_below(n: int, halves: Iterator[int]) -> int:
    """Return a number from 0 to n - 1, all equally likely; 1 too takes a number."""
    while True:
        product = next(halves) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def die_throws(seed: int, index: int) -> Iterator[int]:
    """Yield the throws of the die that belongs to deal `index` of the seed, 1 to 6, without end."""
    halves = half_words(seed, DIE_STREAM, index, key=0)
    while True:
        yield 1 + draw_below(DIE_SIDES, halves)


class StrategyDraws:
    """A strategy's own random numbers in one game, apart from the deal's by a nonzero key."""

    def __init__(self, seed: int, index: int, key: int) -> None:
        """Start at block 1 of the key's own counters."""
        if not 0 < key < 2**64:
            raise ValueError("the key must be a nonzero 64-bit number")
        self._halves = half_words(seed, STRATEGY_STREAM, index, key)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, all equally likely; 1 too takes a number."""
        if not 0 < n < 2**32:
            raise ValueError("n must be from 1 to 2**32 - 1")
        return draw_below(n, self._halves)
