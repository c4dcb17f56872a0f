"""Keep one waste for Kings, since a King on a low card blocks it until a foundation is finished.

Players' most common advice. Kings go on waste 1, other cards on the shortest of the other wastes.
Once `release` Kings are out, on a waste or a foundation, other cards may use all wastes;
`release=5` keeps waste 1 for Kings for ever.
"""

from typing import Annotated

from calcsim import Between, height, on_foundation, shortest_waste, waste_card

KING = 13
KING_WASTE = 0
FOR_EVER = 5


def place(table, card, release: Annotated[int, Between(0, FOR_EVER)] = 3):
    if card == KING:
        return KING_WASTE
    if len(table.heights) == 1 or (release < FOR_EVER and kings_out(table) >= release):
        return shortest_waste(table)
    return shortest_waste(table, KING_WASTE + 1)


def kings_out(table):
    kings = 0
    for foundation in range(len(table.foundations)):
        for n in range(1, on_foundation(table, foundation) + 1):
            kings += table.sequences[foundation, n] == KING
    for waste in range(len(table.heights)):
        for index in range(height(table, waste)):
            kings += waste_card(table, waste, index) == KING
    return kings
