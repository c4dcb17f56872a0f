"""Any waste, uniformly: what the game gives to a player who does not think.

The baseline of every comparison. Each placement takes one random draw of the strategy's own.
"""

from calcsim import random_below


def place(table, card):
    return random_below(table, len(table.heights))
