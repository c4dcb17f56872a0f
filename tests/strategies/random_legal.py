"""Any legal move, uniformly; where no card lies face up, also none."""

import numpy as np

from calcsim import DONE, needs, place_on, play_card, play_top, random_below, top


def move(table, card):
    wastes, foundations = len(table.heights), len(table.foundations)
    moves = np.empty(foundations + wastes * foundations + wastes + 1, dtype=np.int64)
    return moves[random_below(table, list_moves(table, card, moves))]


def list_moves(table, card, moves):
    count = 0
    for foundation in range(len(table.foundations)):
        if card and needs(table, foundation) == card:
            moves[count] = play_card(foundation)
            count += 1
    for waste in range(len(table.heights)):
        for foundation in range(len(table.foundations)):
            if top(table, waste) and needs(table, foundation) == top(table, waste):
                moves[count] = play_top(waste, foundation)
                count += 1
    if card == 0:
        moves[count] = DONE
        return count + 1
    for waste in range(len(table.heights)):
        moves[count] = place_on(waste)
        count += 1
    return count
