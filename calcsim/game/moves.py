"""Moves as whole numbers, and the rules that say which of them are legal.

A move is one int that tells its kind, its foundation and its waste. Only `make_move` changes a
table during play, and it checks first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from calcsim.game.table import needs, top

DONE = 0
"""No further move now: turn the next card or, once the stock is used up, end the pass."""

PLACE = 1
PLAY_CARD = 2
PLAY_TOP = 3
TURN = 4
REDEAL = 5

FOUNDATION_SHIFT = 8
WASTE_SHIFT = 16
FIELD_MASK = 0xFF


@njit(forceinline=True)
def place_on(waste: int) -> int:
    """The move that puts the turned card on a waste."""
    return PLACE + (waste << WASTE_SHIFT)


@njit(forceinline=True)
def play_card(foundation: int) -> int:
    """The move that plays the turned card to a foundation."""
    return PLAY_CARD + (foundation << FOUNDATION_SHIFT)


@njit(forceinline=True)
def play_top(waste: int, foundation: int) -> int:
    """The move that plays the top of a waste to a foundation."""
    return PLAY_TOP + (foundation << FOUNDATION_SHIFT) + (waste << WASTE_SHIFT)


@njit(forceinline=True)
def move_kind(move: int) -> int:
    """What a move does: a strategy's are `DONE`, `PLACE`, `PLAY_CARD` and `PLAY_TOP`."""
    return move & FIELD_MASK


@njit(forceinline=True)
def move_foundation(move: int) -> int:
    """The foundation that a move names."""
    return (move >> FOUNDATION_SHIFT) & FIELD_MASK


@njit(forceinline=True)
def move_waste(move: int) -> int:
    """The waste that a move names, which may be none of the table's if the move is illegal."""
    return move >> WASTE_SHIFT


@njit(forceinline=True)
def set_needed(table: Any, foundation: int, rank: int) -> None:
    """Note the rank that a foundation takes next (`COMPLETE` for none)."""
    shift = np.uint64(8 * foundation)
    others = table.needed[0] & ~(np.uint64(0xFF) << shift)
    table.needed[0] = others | (np.uint64(rank) << shift)


@njit(forceinline=True)
def put_on_foundation(table: Any, foundation: int) -> None:
    """Put the card that a foundation needs on it."""
    cards = int(table.foundations[foundation]) + 1
    table.foundations[foundation] = cards
    set_needed(table, foundation, int(table.sequences[foundation, cards + 1]))


@njit(forceinline=True)
def play_card_to(table: Any, foundation: int) -> None:
    """Play the turned card to a foundation that needs it."""
    put_on_foundation(table, foundation)
    table.direct_plays[0] += 1


@njit(forceinline=True)
def play_top_to(table: Any, waste: int, foundation: int) -> None:
    """Play the top of a waste to a foundation that needs it."""
    put_on_foundation(table, foundation)
    left = int(table.heights[waste]) - 1
    table.heights[waste] = left
    table.tops[waste] = table.wastes[waste, left - 1] if left > 0 else 0


@njit(forceinline=True)
def put_on_waste(table: Any, waste: int, card: int) -> None:
    """Put the turned card on a waste."""
    cards = int(table.heights[waste])
    table.wastes[waste, cards] = card
    table.heights[waste] = cards + 1
    table.tops[waste] = card


@njit(forceinline=True)
def make_move(table: Any, card: int, move: int) -> bool:
    """Make a move if it is legal, and say whether it was; an illegal one changes nothing.

    Args:
        table: what the move is made on.
        card: the turned card, 0 when none lies face up.
        move: anything but `DONE`, which changes nothing on the table.
    """
    kind, foundation, waste = move_kind(move), move_foundation(move), move_waste(move)
    if kind == PLACE:
        if card == 0 or foundation != 0 or not 0 <= waste < len(table.heights):
            return False
        put_on_waste(table, waste, card)
        return True
    if foundation >= len(table.foundations):
        return False
    needed = needs(table, foundation)
    if kind == PLAY_CARD:
        if card == 0 or waste != 0 or card != needed:
            return False
        play_card_to(table, foundation)
        return True
    if kind == PLAY_TOP:
        if not 0 <= waste < len(table.heights) or needed == 0 or top(table, waste) != needed:
            return False
        play_top_to(table, waste, foundation)
        return True
    return False
