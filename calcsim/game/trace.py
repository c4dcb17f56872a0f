"""A played game as a list of moves, in the terms of a replay."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calcsim.game.moves import (
    DONE,
    FIELD_MASK,
    FOUNDATION_SHIFT,
    PLACE,
    PLAY_CARD,
    PLAY_TOP,
    REDEAL,
    TURN,
    WASTE_SHIFT,
)
from calcsim.game.variant import Variant

Move = dict[str, Any]
"""One move: `{"move": "turn", "card": 9}`, `{"move": "place", "card": 9, "waste": 1}`,
`{"move": "play", "card": 2, "from": "stock" or a waste, "foundation": 0}` or
`{"move": "redeal", "stock": [...]}`. Ranks are 1 to 13; wastes and foundations count from 0."""


def empty_trace(variant: Variant) -> NDArray[np.int64]:
    """Room for every move of the longest game of a variant, and their number in front."""
    cards = len(variant.cards)
    turned_and_placed = 2 * cards * (variant.redeals + 1)
    redealt = (cards + 1) * variant.redeals
    return np.zeros(1 + turned_and_placed + cards + redealt, dtype=np.int64)


def moves_of(trace: NDArray[np.int64]) -> list[Move]:
    """The moves that the playing loop wrote to a trace."""
    entries = iter(trace[1 : 1 + int(trace[0])].tolist())
    moves = []
    for entry in entries:
        move, card = entry & 0xFFFFFFFF, entry >> 32
        if move & FIELD_MASK == REDEAL:
            moves.append({"move": "redeal", "stock": [next(entries) >> 32 for _ in range(card)]})
        else:
            moves.append(describe_move(move, card))
    return moves


def describe_move(move: int, card: int) -> Move:
    """One move, legal or not, of a card that is known."""
    kind = move & FIELD_MASK
    foundation = (move >> FOUNDATION_SHIFT) & FIELD_MASK
    waste = move >> WASTE_SHIFT
    if kind == TURN:
        return {"move": "turn", "card": card}
    if kind == PLACE:
        return {"move": "place", "card": card, "waste": waste}
    if kind in (PLAY_CARD, PLAY_TOP):
        source = "stock" if kind == PLAY_CARD else waste
        return {"move": "play", "card": card, "from": source, "foundation": foundation}
    return {"move": "done"} if move == DONE else {"move": f"number {move}"}
