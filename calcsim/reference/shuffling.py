"""An unbiased shuffle out of few random words, each of which gives the draws of many bounds."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

WORD = 64  # bits of a word of the bit source
GROUP_LIMIT = 2**53


def bound_groups(cards: int) -> list[list[int]]:
    """Return the bounds of a shuffle in the order of their use, grouped by word.

    The groups are cut from the low end: each takes bounds upward from where the last one
    ended, as long as their product stays below 2**53. They are used from the highest to the
    lowest, and so are the bounds in each.
    """
    groups: list[list[int]] = []
    for bound in range(2, cards + 1):
        if groups and prod(groups[-1]) * bound < GROUP_LIMIT:
            groups[-1].append(bound)
        else:
            groups.append([bound])
    return [sorted(group, reverse=True) for group in reversed(groups)]


def group_draws(word: int, bounds: Sequence[int], bits: int = WORD) -> list[int] | None:
    """Return one unbiased draw below each bound from a single word; None if it is rejected.

    Fewer bits than 64 serve to go through all words there are.
    """
    draws: list[int] = []
    for bound in bounds:
        product = word * bound
        draws.append(product >> bits)
        word = product % 2**bits
    if word < 2**bits % prod(bounds):
        return None
    return draws


def attempt_draws(words: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the draws of all groups, a word each; None if any group is rejected."""
    draws: list[int] = []
    for word, bounds in zip(words, groups, strict=False):  # a block may leave words unused
        of_group = group_draws(word, bounds)
        if of_group is None:
            return None
        draws += of_group
    return draws


def swap_by_draws(cards: Sequence[int], draws: Sequence[int]) -> list[int]:
    """Return the cards with, for each bound from n down to 2, its draw and its end swapped."""
    shuffled = list(cards)
    for bound, draw in zip(range(len(shuffled), 1, -1), draws, strict=True):
        shuffled[draw], shuffled[bound - 1] = shuffled[bound - 1], shuffled[draw]
    return shuffled
