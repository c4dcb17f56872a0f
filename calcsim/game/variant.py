"""The rules of one game as data."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calcsim.game.cards import RANKS, SUITS

MOST_DECKS = 2
MOST_FOUNDATIONS = 8
MOST_WASTES = 52
MOST_REDEALS = 100
DIE_SIDES = 6

DRAWN = "random"
"""Stands in data for a start or a step that each deal decides anew."""


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
        if len(self.foundations) > self.decks * SUITS:  # so the starters are always there
            raise VariantError(
                f"{len(self.foundations)} foundations take {self.winning_cards} cards, "
                f"more than the {RANKS * SUITS * self.decks} there are"
            )
        for number, foundation in enumerate(self.foundations, start=1):
            if foundation.start is not None:
                _check_range(f"the start of foundation {number}", foundation.start, 1, RANKS)
            elif not self.prefilled:
                raise VariantError("a start drawn in each deal must be laid out (prefilled)")
            if foundation.step is not None:
                _check_step(number, foundation.step)

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
        """The fewest foundation cards that make a lost game a near miss: 45/52 of a win's."""
        return -(-45 * self.winning_cards // 52)

    def with_counts(self, wastes: int | None = None, redeals: int | None = None) -> Variant:
        """The same rules with other numbers of wastes or redeals; the name tells which."""
        changes = {
            field: value
            for field, value in (("wastes", wastes), ("redeals", redeals))
            if value is not None and value != getattr(self, field)
        }
        if not changes:
            return self
        name, _, settings = self.name.partition(":")
        told = dict(setting.split("=") for setting in settings.split(",") if setting) | changes
        suffix = ",".join(
            f"{field}={told[field]}" for field in ("wastes", "redeals") if field in told
        )
        summary = f"{name} with {' and '.join(_counted(n, told[n]) for n in told)}"
        return dataclasses.replace(
            self,
            name=f"{name}:{suffix}",
            summary=summary,
            wastes=changes.get("wastes", self.wastes),
            redeals=changes.get("redeals", self.redeals),
        )

    def as_data(self) -> dict[str, Any]:
        """The rules as JSON and TOML hold them; `variant_from_data` reads them back."""
        return {
            "name": self.name,
            "decks": self.decks,
            "wastes": self.wastes,
            "redeals": self.redeals,
            "prefilled": self.prefilled,
            "foundations": [
                {"start": f.start or DRAWN, "step": f.step or DRAWN} for f in self.foundations
            ],
        }

    def same_rules(self, other: Variant) -> bool:
        """Whether the two are one game, whatever they are called."""
        return dataclasses.replace(self, name="", summary="") == dataclasses.replace(
            other, name="", summary=""
        )


def _counted(field: str, number: int | str) -> str:
    """`5 wastes`, `1 redeal`."""
    return f"{number} {field[:-1] if int(number) == 1 else field}"


def _check_range(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise VariantError(f"{what} must be {low} to {high}, not {value}")


def _check_step(number: int, step: int) -> None:
    if step % RANKS == 0:
        raise VariantError(
            f"a step of {step} would leave foundation {number} with one rank: it must be 1 to 12"
        )
    if not 1 <= step < RANKS:
        raise VariantError(
            f"the step of foundation {number} must be 1 to 12, not {step}; "
            f"{step % RANKS} leads to the same ranks"
        )
