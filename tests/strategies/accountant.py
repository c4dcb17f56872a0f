"""Plays at random and counts all cards before each decision; raises where one is missing or new."""

import numpy as np

from calcsim import (
    DONE,
    height,
    needs,
    on_foundation,
    place_on,
    play_card,
    play_top,
    random_below,
    top,
    unseen,
    waste_card,
)

RANKS = 13


def arrays(variant):
    cards = np.zeros(RANKS + 1, dtype=np.int64)
    for rank in (*variant.cards, *variant.starters):
        cards[rank] += 1
    return {"cards": cards}


def move(table, card, cards):
    for rank in range(1, RANKS + 1):
        if count(table, card, rank) != cards[rank]:
            raise ValueError("a card is missing, or there is one too many")
    for foundation in range(len(table.foundations)):
        if on_foundation(table, foundation) == RANKS and needs(table, foundation) != 0:
            raise ValueError("a full foundation still needs a card")
    foundation = random_below(table, len(table.foundations))
    if card and needs(table, foundation) == card:
        return play_card(foundation)
    for waste in range(len(table.heights)):
        if height(table, waste) > 0 and needs(table, foundation) == top(table, waste):
            return play_top(waste, foundation)
    if card:
        return place_on(random_below(table, len(table.heights)))
    return DONE


def count(table, card, rank):
    seen = unseen(table, rank) + (card == rank)
    for foundation in range(len(table.foundations)):
        for n in range(1, on_foundation(table, foundation) + 1):
            seen += table.sequences[foundation, n] == rank
    for waste in range(len(table.heights)):
        for index in range(height(table, waste)):
            seen += waste_card(table, waste, index) == rank
    return seen
