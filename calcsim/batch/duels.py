"""Who came farther on the same deal, counted for every pair of strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
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
        failed: that the first could not finish.
        won_where_failed: that the first has won and the second could not finish.
    """

    ahead: Counts
    failed: Counts
    won_where_failed: Counts

    def outcomes_at_worst(self, a: int, b: int) -> tuple[int, int, int, int]:
        """The same outcomes if b had won all games that it could not finish, and a none of its."""
        both, only_a, only_b, neither = self.outcomes(a, b)
        where_a_won = int(self.won_where_failed[a, b])
        lost_to_b = int(self.failed[b, a]) - where_a_won
        return both + where_a_won, only_a - where_a_won, only_b + lost_to_b, neither - lost_to_b

    @classmethod
    def none(cls, strategies: int) -> Duels:
        """The duels of no deals."""
        return cls(*np.zeros((6, strategies, strategies), dtype=np.int64))

    @classmethod
    def of_shard(
        cls,
        deals: int,
        failed: Sequence[int],
        both_won: Counts,
        ahead: Counts,
        won_where_failed: Counts,
    ) -> Duels:
        """The duels of strategies that all have played the same number of deals.

        Args:
            deals: how many.
            failed: those that each strategy could not finish.
            both_won: see the attributes; on the diagonal those that a strategy has won.
            ahead: see the attributes.
            won_where_failed: see the attributes.
        """
        return cls(
            np.full_like(both_won, deals),
            _against_all(np.diagonal(both_won)),
            both_won,
            ahead,
            _against_all(np.array(failed, dtype=np.int64)),
            won_where_failed,
        )

    def __add__(self, other: Duels) -> Duels:
        """The duels of both sets of deals."""
        return Duels(
            self.deals + other.deals,
            self.won + other.won,
            self.both_won + other.both_won,
            self.ahead + other.ahead,
            self.failed + other.failed,
            self.won_where_failed + other.won_where_failed,
        )

    def among(self, strategies: int, places: Sequence[int]) -> Duels:
        """The same duels in the midst of more strategies, which did not play.

        Args:
            strategies: how many there are in all.
            places: where among them those of these duels are.
        """
        wider = Duels.none(strategies)
        block = np.ix_(places, places)
        for field in fields(self):
            getattr(wider, field.name)[block] = getattr(self, field.name)
        return wider


def count_duels(games: Sequence[Games]) -> Duels:
    """The duels of strategies that have played the same deals, one `Games` each."""
    # A win has more cards than any loss: comparing cards is comparing outcomes.
    cards = [of_one.foundations.sum(axis=0, dtype=np.uint8) for of_one in games]
    won = [of_one == len(g.tally) - 1 for of_one, g in zip(cards, games, strict=True)]
    both_won, ahead, won_where_failed = np.zeros((3, len(games), len(games)), dtype=np.int64)
    for a, of_a in enumerate(won):
        both_won[a, a] = np.count_nonzero(of_a)
    for a, b in combinations(range(len(games)), 2):
        both_won[a, b] = both_won[b, a] = np.count_nonzero(won[a] & won[b])
        ahead[a, b] = np.count_nonzero(cards[a] > cards[b])
        ahead[b, a] = np.count_nonzero(cards[b] > cards[a])
        won_where_failed[a, b] = np.count_nonzero(won[a][games[b].failed])
        won_where_failed[b, a] = np.count_nonzero(won[b][games[a].failed])
    failed = [of_one.failed.size for of_one in games]
    return Duels.of_shard(cards[0].size, failed, both_won, ahead, won_where_failed)


def _against_all(counts: Counts) -> Counts:
    """Counts of each strategy, which are the same whoever it meets."""
    return np.repeat(counts[:, np.newaxis], len(counts), axis=1)
