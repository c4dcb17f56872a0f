"""The first waste; but where it is asked for, something else at some times."""

from calcsim import on_foundation, random_below, stock_left

ILLEGAL, RAISES, ENDLESS, SLOW = 1, 2, 3, 4

DRAWS = 8_000_000


def why_not(variant):
    return None if variant.wastes == 4 else "it needs four wastes"


def place(table, card, way=0, at=10):
    if way == SLOW and stock_left(table) == 20:
        for _ in range(DRAWS):
            random_below(table, 4)
    if stock_left(table) == 20 and on_foundation(table, 0) == at:
        if way == ILLEGAL:
            return len(table.heights)
        if way == RAISES:
            raise ValueError("nothing left to do")
        while way == ENDLESS:
            card = card % 13 + 1
    return 0
