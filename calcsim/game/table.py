"""The table: one structured record, and what can be read off it.

Every function here takes the record itself, whose shape is part of its type and so costs nothing
at run time. They work on what the engine plays on, on the read-only view that a strategy is handed
and on copies that a strategy makes to search in; all check that what they are asked for is there.

Foundations and wastes count from 0, ranks from 1 (ace) to 13 (King).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from calcsim.game.cards import RANKS
from calcsim.game.wide import lowest_bit

NEVER = 99
"""The need distance of a rank that no foundation needs any more."""

COMPLETE = 0x7F
"""Stands for the rank that a complete foundation needs: no card has it, and it is not 0, which
stands for the top of an empty waste."""

EACH_BYTE = 0x0101010101010101
_HIGH_BITS = 0x8080808080808080


def table_dtype(foundations: int, wastes: int, stock_size: int) -> np.dtype[np.void]:
    """The record for a shape of game.

    What a strategy sees of it, int8 unless said otherwise:
        foundations: (foundations,), the number of cards on each.
        needed: (1,) uint64, a byte a foundation from the lowest up: the rank it takes next,
            `COMPLETE` if there is none. Read it with `needs` and `foundation_for`.
        sequences: (foundations, 15), the rank of each foundation's n-th card at n = 1 ... 13.
        positions: (foundations, 14), where in its sequence (1 ... 13) each takes a rank.
        heights: (wastes,), the number of cards on each waste.
        tops: (wastes,), the rank on top of each waste, 0 where it is empty.
        wastes: (wastes, stock_size), each waste from its bottom up; leavings beyond its height.
        unseen: (14,), how many cards of each rank are still in the stock.
        stock_left, redeals_left, direct_plays: (1,), the cards still to be turned, the redeals
            still to come, and the cards that went from the stock straight to a foundation.
    """
    return np.dtype(
        [
            ("foundations", np.int8, (foundations,)),
            ("needed", np.uint64, (1,)),
            ("sequences", np.int8, (foundations, RANKS + 2)),
            ("positions", np.int8, (foundations, RANKS + 1)),
            ("heights", np.int8, (wastes,)),
            ("tops", np.int8, (wastes,)),
            ("unseen", np.int8, (RANKS + 1,)),
            ("stock_left", np.int8, (1,)),
            ("redeals_left", np.int8, (1,)),
            ("direct_plays", np.int8, (1,)),
            ("wastes", np.int8, (wastes, stock_size)),
            ("draw_words", np.uint64, (4,)),
            ("draw_key", np.uint64, (4,)),
            ("draws_used", np.uint64, (1,)),
        ],
        align=True,
    )


PRIVATE_FIELDS = ("draw_words", "draw_key", "draws_used")
"""The state of random draws, which a strategy's view leaves out: its seed would tell the stock."""


def empty_tables(dtype: np.dtype[np.void], count: int) -> Any:
    """Zeroed records of a `table_dtype`: a record array of length `count`."""
    return np.zeros(count, dtype).view(np.recarray)


@njit(forceinline=True, boundscheck=True)
def top(table: Any, waste: int) -> int:
    """The rank on top of a waste, 0 where it is empty."""
    return int(table.tops[waste])


@njit(forceinline=True, boundscheck=True)
def height(table: Any, waste: int) -> int:
    """The number of cards on a waste."""
    return int(table.heights[waste])


@njit(forceinline=True, boundscheck=True)
def waste_card(table: Any, waste: int, index: int) -> int:
    """The rank of a card on a waste, counted from 0 at the bottom."""
    return int(table.wastes[waste, index])


@njit(forceinline=True, boundscheck=True)
def unseen(table: Any, rank: int) -> int:
    """How many cards of a rank are still in the stock."""
    return int(table.unseen[rank])


@njit(forceinline=True, boundscheck=True)
def stock_left(table: Any) -> int:
    """How many cards are still to be turned before the stock is used up."""
    return int(table.stock_left[0])


@njit(forceinline=True, boundscheck=True)
def on_foundation(table: Any, foundation: int) -> int:
    """The number of cards on a foundation."""
    return int(table.foundations[foundation])


@njit(forceinline=True, boundscheck=True)
def top_of_foundation(table: Any, foundation: int) -> int:
    """The rank on top of a foundation, 0 where it is empty."""
    return int(table.sequences[foundation, int(table.foundations[foundation])])


@njit(forceinline=True, boundscheck=True)
def has_taken(table: Any, foundation: int, rank: int) -> bool:
    """Whether a card of a rank lies on a foundation."""
    return int(table.positions[foundation, rank]) <= int(table.foundations[foundation])


@njit(forceinline=True, boundscheck=True)
def needs(table: Any, foundation: int) -> int:
    """The rank that a foundation takes next, 0 once it is complete."""
    rank = int(table.sequences[foundation, int(table.foundations[foundation]) + 1])
    return 0 if rank == COMPLETE else rank


@njit(forceinline=True, boundscheck=True)
def foundation_for(table: Any, rank: int) -> int:
    """The lowest-numbered foundation that takes a rank now, -1 where none does."""
    # Compares all bytes of the word at once: the lowest zero byte of `differ` has the lowest bit
    # set in `equal`. A loop here ends in a branch that cannot be predicted.
    differ = table.needed[0] ^ (np.uint64(rank) * np.uint64(EACH_BYTE))
    equal = (differ - np.uint64(EACH_BYTE)) & ~differ & np.uint64(_HIGH_BITS)
    return lowest_bit(equal) >> 3 if equal else -1


@njit(forceinline=True, boundscheck=True)
def distance_on(table: Any, foundation: int, rank: int) -> int:
    """How many cards a foundation must take before it takes a rank; `NEVER` if it has that rank."""
    distance = int(table.positions[foundation, rank]) - 1 - int(table.foundations[foundation])
    return distance if distance >= 0 else NEVER


@njit(forceinline=True, boundscheck=True)
def need_distance(table: Any, rank: int) -> int:
    """The least number of cards that a foundation must take before it takes a rank.

    0 if it can be played now, `NEVER` if every foundation has it.
    """
    nearest = (
        255  # what is behind us turns into a large unsigned byte: no branch, and it vectorises
    )
    for foundation in range(len(table.foundations)):
        ahead = int(table.positions[foundation, rank]) - 1 - int(table.foundations[foundation])
        nearest = min(nearest, ahead & 255)
    return nearest if nearest < NEVER else NEVER


@njit(forceinline=True, boundscheck=True)
def comes_right_after(table: Any, rank: int, card: int) -> bool:
    """Whether `rank` follows `card` on a foundation that still needs `card`."""
    for foundation in range(len(table.foundations)):
        position = int(table.positions[foundation, card])
        if not has_taken(table, foundation, card) and (
            int(table.sequences[foundation, position + 1]) == rank
        ):
            return True
    return False


@njit(forceinline=True, boundscheck=True)
def shortest_waste(table: Any, first: int = 0) -> int:
    """The waste with the fewest cards from number `first` on; the lowest-numbered of equals."""
    shortest = first
    for waste in range(first + 1, len(table.heights)):
        if height(table, waste) < height(table, shortest):
            shortest = waste
    return shortest
