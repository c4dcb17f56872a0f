"""The game: cards, rules as data, dealing, the table and its moves, the playing loop.

Touches nothing outside memory: no files, processes or clocks, and no randomness but the deal's own
and the draws that belong to a strategy in that deal.
"""
