"""The counts that a strategy's games come down to.

Worker processes load this file: it imports numpy and nothing heavier.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """How one strategy's games ended; two tallies of different games add up to one of both.

    Everything is counted and summed in exact integers and divided once, at the end: whatever is
    derived from a tally is the same to the last bit for every order and splitting of the games.

    Attributes:
        foundation_cards: int64, shape (winning_cards + 1,), read-only: entry c is the number of
            games that ended with c cards on the foundations. The last entry counts the wins.
        direct_plays: stock cards that went straight to a foundation, in all games together.
        failed: games that the strategy could not finish. They count as they lay: as lost.
    """

    foundation_cards: NDArray[np.int64]
    direct_plays: int
    failed: int = 0

    def __post_init__(self) -> None:
        """Takes a copy of the counts that nobody can change.

        Raises:
            ValueError: the counts are not one row of numbers, none of them negative.
        """
        counts = np.array(self.foundation_cards, dtype=np.int64)
        if counts.ndim != 1 or counts.size == 0 or counts.min() < 0:
            raise ValueError("a tally is one row of counts, none of them negative")
        counts.setflags(write=False)
        object.__setattr__(self, "foundation_cards", counts)
        object.__setattr__(self, "direct_plays", int(self.direct_plays))

    @classmethod
    def empty(cls, winning_cards: int) -> Tally:
        """The tally of no games, of a variant that is won with that many foundation cards."""
        return cls(np.zeros(winning_cards + 1, dtype=np.int64), 0)

    def __add__(self, other: Tally) -> Tally:
        """The tally of both sets of games.

        Raises:
            ValueError: the games were not of the same size, so not of the same variant.
        """
        if not isinstance(other, Tally):
            return NotImplemented
        if self.winning_cards != other.winning_cards:
            raise ValueError(
                f"games of {self.winning_cards} and of {other.winning_cards} cards do not add up"
            )
        return Tally(
            self.foundation_cards + other.foundation_cards,
            self.direct_plays + other.direct_plays,
            self.failed + other.failed,
        )

    def __eq__(self, other: object) -> bool:
        """Whether every count is the same."""
        if not isinstance(other, Tally):
            return NotImplemented
        return (self.direct_plays, self.failed) == (
            other.direct_plays,
            other.failed,
        ) and np.array_equal(self.foundation_cards, other.foundation_cards)

    @property
    def winning_cards(self) -> int:
        """Cards on the foundations of a game that is won."""
        return len(self.foundation_cards) - 1

    @property
    def deals(self) -> int:
        """Games played."""
        return sum(games for _, games in self._endings())

    @property
    def wins(self) -> int:
        """Games that ended with every card on the foundations."""
        return int(self.foundation_cards[-1])

    def near_misses(self, near_miss_cards: int) -> int:
        """Games that ended with at least `near_miss_cards` on the foundations, but not won."""
        return sum(
            games
            for cards, games in self._endings()
            if near_miss_cards <= cards < self.winning_cards
        )

    @property
    def mean_foundation_cards(self) -> float:
        """Cards on the foundations at the end, on average.

        Raises:
            ValueError: no games.
        """
        return self._sum_of_powers(1) / self._some_deals()

    @property
    def sd_foundation_cards(self) -> float:
        """Sample standard deviation (n - 1) of the foundation cards; 0.0 for a single game.

        Raises:
            ValueError: no games.
        """
        deals = self._some_deals()
        if deals == 1:
            return 0.0
        squared_deviations_times_deals = (
            deals * self._sum_of_powers(2) - self._sum_of_powers(1) ** 2
        )
        return math.sqrt(squared_deviations_times_deals / (deals * (deals - 1)))

    @property
    def mean_direct_plays(self) -> float:
        """Stock cards that went straight to a foundation, on average.

        Raises:
            ValueError: no games.
        """
        return self.direct_plays / self._some_deals()

    def _endings(self) -> Iterator[tuple[int, int]]:
        """Every number of foundation cards with its games, in Python's unbounded integers."""
        return enumerate(self.foundation_cards.tolist())

    def _sum_of_powers(self, power: int) -> int:
        """Sum over all games of the foundation cards to that power."""
        return sum(games * cards**power for cards, games in self._endings())

    def _some_deals(self) -> int:
        """The number of games where a division needs some."""
        deals = self.deals
        if deals == 0:
            raise ValueError("a tally of no games has no averages")
        return deals
