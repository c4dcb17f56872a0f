"""What makes a variant: its foundations, the cards that are shuffled, the wastes, the redeals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

RANKS = 13
FULL = 13  # cards on a complete foundation
DRAWN = "random"  # what data say where the deal decides


@dataclass(frozen=True)
class Rules:
    """What a variant changes (the rules, "Variants": each is data, not code).

    Attributes:
        decks: packs of 52 cards.
        starts: rank of each foundation's first card, 1 to 13; None: each deal draws it.
        steps: of each foundation, from card to card; None: each deal throws a die for it.
        prefilled: whether the first cards are laid out before the stock is shuffled.
        wastes: number of wastes.
        redeals: how often the wastes become the stock again.
    """

    decks: int
    starts: tuple[int | None, ...]
    steps: tuple[int | None, ...]
    prefilled: bool
    wastes: int
    redeals: int

    def sequence(self, foundation: int) -> list[int]:
        """Return the 13 ranks of a foundation in order (the rules, "Foundation").

        Raises:
            ValueError: it is the deal that decides on them.
        """
        start, step = self.starts[foundation], self.steps[foundation]
        if start is None or step is None:
            raise ValueError(f"foundation {foundation} is not the same in every deal")
        return [in_ranks(start + (n - 1) * step) for n in range(1, FULL + 1)]


def in_ranks(number: int) -> int:
    """Return the number modulo 13, with 0 read as 13 (the rules, first paragraph)."""
    remainder = number % RANKS
    return RANKS if remainder == 0 else remainder


def rules_from_data(variant: Mapping[str, Any]) -> Rules:
    """Return the rules of a variant's data, as they stand in a run's manifest and in a replay."""

    def unless_drawn(value: Any) -> int | None:
        return None if value == DRAWN else int(value)

    foundations = variant["foundations"]
    return Rules(
        decks=variant["decks"],
        starts=tuple(unless_drawn(foundation["start"]) for foundation in foundations),
        steps=tuple(unless_drawn(foundation["step"]) for foundation in foundations),
        prefilled=variant["prefilled"],
        wastes=variant["wastes"],
        redeals=variant["redeals"],
    )


def cards_to_shuffle(rules: Rules) -> list[int]:
    """Return the ranks that are shuffled, ascending: the decks less the starters laid out.

    Starters that the deal draws are among them (the rules, "Standard game" and "Variants").

    Raises:
        ValueError: the decks do not hold the starters.
    """
    cards = [rank for rank in range(1, RANKS + 1) for _ in range(4 * rules.decks)]
    if rules.prefilled:
        for start in rules.starts:
            if start is not None:
                cards.remove(start)
    return cards
