"""Cover cards needed soon only with cards needed even sooner: wastes in reverse order of need.

Each waste has a cost for the card and the least cost wins. An empty waste costs 30. A top card that
is needed no sooner than the card costs the difference of their need distances; one that is needed
sooner costs 100 and four times the difference.
"""

from calcsim import height, need_distance, top

EMPTY_WASTE = 30
BLOCKED = 100
BLOCKED_EACH = 4
HUGE = 1_000_000


def place(table, card):
    own = need_distance(table, card)
    best, least = 0, HUGE
    for waste in range(len(table.heights)):
        cost = EMPTY_WASTE
        if height(table, waste) > 0:
            covered = need_distance(table, top(table, waste))
            cost = covered - own if covered >= own else BLOCKED + BLOCKED_EACH * (own - covered)
        if cost < least:
            best, least = waste, cost
    return best
