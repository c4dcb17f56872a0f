"""Any legal move; now and then a note of everything that can be read off the table before it."""

import numpy as np
from random_legal import list_moves

from calcsim import (
    comes_right_after,
    distance_on,
    foundation_for,
    has_taken,
    height,
    need_distance,
    needs,
    on_foundation,
    random_below,
    shortest_waste,
    stock_left,
    top,
    unseen,
    waste_card,
)

RANKS = 13
INTERVAL = 7


def arrays(variant):
    return {"notes": np.zeros(1, dtype=np.int64)}


def move(table, card, notes):
    if stock_left(table) % INTERVAL == 0:
        note_table(table, card, notes)
    moves = np.empty(1000, dtype=np.int64)
    return moves[random_below(table, list_moves(table, card, moves))]


def note_table(table, card, notes):
    note(notes, card)
    note(notes, stock_left(table))
    note(notes, table.redeals_left[0])
    note(notes, table.direct_plays[0])
    for first in range(len(table.heights)):
        note(notes, shortest_waste(table, first))
    for waste in range(len(table.heights)):
        note(notes, height(table, waste))
        note(notes, top(table, waste))
        for index in range(height(table, waste)):
            note(notes, waste_card(table, waste, index))
    for foundation in range(len(table.foundations)):
        note(notes, on_foundation(table, foundation))
        note(notes, needs(table, foundation))
    for rank in range(1, RANKS + 1):
        note_rank(table, rank, notes)


def note_rank(table, rank, notes):
    note(notes, unseen(table, rank))
    note(notes, foundation_for(table, rank))
    note(notes, need_distance(table, rank))
    for foundation in range(len(table.foundations)):
        note(notes, distance_on(table, foundation, rank))
        note(notes, has_taken(table, foundation, rank))
        note(notes, table.sequences[foundation, rank])
        note(notes, table.positions[foundation, rank])
    for other in range(1, RANKS + 1):
        note(notes, comes_right_after(table, rank, other))


def note(notes, value):
    notes[0] += 1
    notes[notes[0]] = value
