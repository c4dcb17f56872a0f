"""The rules of one game as data."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calcsim.game.cards import RANKS, SUITS, rank_name

MOST_DECKS = 2
MOST_FOUNDATIONS = 8
MOST_WASTES = 52
MOST_REDEALS = 100
DIE_SIDES = 6


class VariantError(ValueError):
    """Rules that no deck can deal or no table can hold."""


@dataclass(frozen=True)
class Foundation:
    """A foundation: its n-th card has rank start + (n - 1) * step, counted modulo 13.

    Attributes:
        start: rank of its first card, or None: drawn from the deck in each deal.
        step: from card to card, 1 to 12, or None: thrown with a six-sided die in each deal.
    """

    start: int | None
    step: int | None

    def sequence(self) -> list[int]:
        """The ranks it takes, first to last, of a foundation that leaves nothing to chance."""
        if self.start is None or self.step is None:
            raise VariantError("this foundation's sequence is drawn anew in each deal")
        return sequence(self.start, self.step)


def sequence(start: int, step: int) -> list[int]:
    """The 13 ranks of a foundation, first to last."""
    return [(start - 1 + n * step) % RANKS + 1 for n in range(RANKS)]


@dataclass(frozen=True)
class Variant:
    """The rules of one game.

    Attributes:
        name: what users call it.
        summary: what is different about it, in a line.
        decks: packs of 52 cards.
        foundations: in the order in which they are numbered.
        prefilled: whether each foundation's first card is laid out before the stock is shuffled.
        wastes: number of wastes.
        redeals: how often the wastes are gathered and become the stock again.
    """

    name: str
    summary: str
    foundations: tuple[Foundation, ...]
    decks: int = 1
    prefilled: bool = True
    wastes: int = 4
    redeals: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _check_range("decks", self.decks, 1, MOST_DECKS)
        _check_range("foundations", len(self.foundations), 1, MOST_FOUNDATIONS)
        _check_range("wastes", self.wastes, 1, MOST_WASTES)
        _check_range("redeals", self.redeals, 0, MOST_REDEALS)
        if len(self.foundations) > self.decks * SUITS:
            raise VariantError(
                f"{self.decks} deck(s) hold too few cards for {len(self.foundations)} foundations"
            )
        for foundation in self.foundations:
            self._check_foundation(foundation)
        _ = self.cards

    def _check_foundation(self, foundation: Foundation) -> None:
        if foundation.start is None:
            if not self.prefilled:
                raise VariantError("a start drawn in each deal must be laid out (prefilled)")
        else:
            _check_range("a foundation's start", foundation.start, 1, RANKS)
        if foundation.step is not None:
            _check_range("a foundation's step", foundation.step, 1, RANKS - 1)

    @cached_property
    def starters(self) -> tuple[int, ...]:
        """Ranks laid out on the foundations in every deal alike."""
        if not self.prefilled:
            return ()
        return tuple(f.start for f in self.foundations if f.start is not None)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Ranks of the cards that are shuffled, ascending: the deck less the fixed starters."""
        cards = sorted(list(range(1, RANKS + 1)) * (SUITS * self.decks))
        for starter in self.starters:
            if starter not in cards:
                raise VariantError(f"the deck has too few {rank_name(starter)}s for the starters")
            cards.remove(starter)
        return tuple(cards)

    @property
    def drawn_starters(self) -> int:
        """How many of the shuffled cards are laid out as starters before the stock begins."""
        return sum(foundation.start is None for foundation in self.foundations)

    @property
    def stock_size(self) -> int:
        """Cards in the stock before the first is turned."""
        return len(self.cards) - self.drawn_starters

    @property
    def winning_cards(self) -> int:
        """Foundation cards of a won game."""
        return RANKS * len(self.foundations)

    @property
    def near_miss_cards(self) -> int:
        """The fewest foundation cards that make a lost game a near miss: 45/52 of all cards."""
        return 45 * self.decks

    def with_counts(self, wastes: int | None = None, redeals: int | None = None) -> Variant:
        """The same rules with other numbers of wastes or redeals; the name tells which."""
        changes = {
            field: value
            for field, value in (("wastes", wastes), ("redeals", redeals))
            if value is not None and value != getattr(self, field)
        }
        if not changes:
            return self
        suffix = ",".join(f"{field}={value}" for field, value in changes.items())
        return dataclasses.replace(self, name=f"{self.name}:{suffix}", **changes)  # type: ignore[arg-type]

    def as_data(self) -> dict[str, Any]:
        """The rules as JSON holds them."""
        return {
            "name": self.name,
            "decks": self.decks,
            "wastes": self.wastes,
            "redeals": self.redeals,
            "prefilled": self.prefilled,
            "foundations": [dataclasses.asdict(f) for f in self.foundations],
        }


def _check_range(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise VariantError(f"{what} must be {low} to {high}, not {value}")
