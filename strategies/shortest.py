"""The waste with the fewest cards, the lowest-numbered of equals.

Follows the advice that a long waste is nearly useless, and nothing else.
"""

from calcsim import shortest_waste


def place(table, card):
    return shortest_waste(table)
