"""Cover what will be needed last: do the least harm now.

The card goes on the waste whose top card has the greatest need distance, the number of cards that
a foundation must take before it takes that card; an empty waste has nothing to cover and counts as
greatest.
"""

from calcsim import height, need_distance, top

NOTHING_TO_COVER = 100


def place(table, card):
    best, farthest = 0, -1
    for waste in range(len(table.heights)):
        distance = NOTHING_TO_COVER
        if height(table, waste) > 0:
            distance = need_distance(table, top(table, waste))
        if distance > farthest:
            best, farthest = waste, distance
    return best
