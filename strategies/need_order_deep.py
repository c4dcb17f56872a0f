"""Reverse order of need, looking through each waste to its bottom.

Two pieces of advice in one: cover cards needed soon only with cards needed even sooner, and build
wastes in steps that run off on to a foundation. Each waste has a cost for the card and the least
cost wins: an empty one costs 6; in another, every card needed sooner than this one costs 10 and
twice the difference of their need distances. Where the top is needed no sooner, the difference is
added; where it is needed right after the card, or comes right after it on a foundation that still
needs the card, 3 is taken off.
"""

from calcsim import comes_right_after, height, need_distance, top, waste_card

EMPTY_WASTE = 6
BLOCKED = 10
BLOCKED_EACH = 2
RUNS_OFF = 3
HUGE = 1_000_000


def place(table, card):
    best, least = 0, HUGE
    for waste in range(len(table.heights)):
        cost = EMPTY_WASTE
        if height(table, waste) > 0:
            cost = cost_of(table, waste, card)
        if cost < least:
            best, least = waste, cost
    return best


def cost_of(table, waste, card):
    own = need_distance(table, card)
    cost = 0
    for index in range(height(table, waste)):
        covered = need_distance(table, waste_card(table, waste, index))
        if covered < own:
            cost += BLOCKED + BLOCKED_EACH * (own - covered)
    covered = need_distance(table, top(table, waste))
    if covered >= own:
        cost += covered - own
    if covered == own + 1 or comes_right_after(table, top(table, waste), card):
        cost -= RUNS_OFF
    return cost
