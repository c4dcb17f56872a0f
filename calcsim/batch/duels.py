"""Who came farther on the same deal, counted for every pair of strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # comparisons count without an engine
    from calcsim.engine.games import Games

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CommonDeals:
    """What came of the deals that each two strategies have both played.

    All are int64, of shape (strategies, strategies).

    Attributes:
        deals: how many these are.
        won: that the first has won.
        both_won: that both have won.
    """

    deals: Counts
    won: Counts
    both_won: Counts

    def outcomes(self, a: int, b: int) -> tuple[int, int, int, int]:
        """How many deals both have won, only a, only b, and neither."""
        both = int(self.both_won[a, b])
        only_a, only_b = int(self.won[a, b]) - both, int(self.won[b, a]) - both
        return both, only_a, only_b, int(self.deals[a, b]) - both - only_a - only_b


@dataclass(frozen=True, eq=False)
class Duels(CommonDeals):
    """The competitive game between all pairs; those of different deals add up.

    Their size depends on the number of strategies alone.

    Attributes:
        ahead: in which the first is ahead of the second, int64, of the same shape. A win is ahead
            of a loss, and of two losses the one with more cards on the foundations.
    """

    ahead: Counts

    @classmethod
    def none(cls, strategies: int) -> Duels:
        """The duels of no deals."""
        return cls(*np.zeros((4, strategies, strategies), dtype=np.int64))

    def __add__(self, other: Duels) -> Duels:
        """The duels of both sets of deals."""
        return Duels(
            self.deals + other.deals,
            self.won + other.won,
            self.both_won + other.both_won,
            self.ahead + other.ahead,
        )

    def among(self, strategies: int, places: Sequence[int]) -> Duels:
        """The same duels in the midst of more strategies, which did not play.

        Args:
            strategies: how many there are in all.
            places: where among them those of these duels are.
        """
        wider = Duels.none(strategies)
        block = np.ix_(places, places)
        for name in ("deals", "won", "both_won", "ahead"):
            getattr(wider, name)[block] = getattr(self, name)
        return wider


def count_duels(games: Sequence[Games]) -> Duels:
    """The duels of strategies that have played the same deals, one `Games` each."""
    duels = Duels.none(len(games))
    # A win has more cards than any loss: comparing cards is comparing outcomes.
    cards = [of_one.foundations.sum(axis=0, dtype=np.uint8) for of_one in games]
    won = [of_one == len(g.tally) - 1 for of_one, g in zip(cards, games, strict=True)]
    for a, of_a in enumerate(won):
        duels.deals[a] = len(of_a)
        duels.won[a] = duels.both_won[a, a] = np.count_nonzero(of_a)
    for a, b in combinations(range(len(games)), 2):
        duels.both_won[a, b] = duels.both_won[b, a] = np.count_nonzero(won[a] & won[b])
        duels.ahead[a, b] = np.count_nonzero(cards[a] > cards[b])
        duels.ahead[b, a] = np.count_nonzero(cards[b] > cards[a])
    return duels
