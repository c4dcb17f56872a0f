"""Build wastes downwards in steps that fit a foundation: 9 7 5 runs off on to foundation 2.

The card goes on the first waste whose top comes right after it on a foundation that still needs
the card; where there is none, on the shortest waste.
"""

from calcsim import comes_right_after, height, shortest_waste, top


def place(table, card):
    for waste in range(len(table.heights)):
        if height(table, waste) > 0 and comes_right_after(table, top(table, waste), card):
            return waste
    return shortest_waste(table)
