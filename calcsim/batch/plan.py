"""The plan: everything that the results of a run depend on, and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from calcsim.batch.deck_file import Deck
from calcsim.batch.rules import load_variant
from calcsim.engine.games import Deals
from calcsim.game.deal import LARGEST_WORD
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy, load_strategy

DEFAULT_DEALS = 1_000_000


class PlanError(ValueError):
    """A plan that cannot be carried out."""


@dataclass(frozen=True)
class Plan:
    """Strategies, and the deals that each of them plays.

    Attributes:
        strategies: with labels of their own each.
        variant: the rules.
        seed: 0 to 2**64 - 1, of the deals and of the strategies' random draws.
        first_deal: number of the first deal.
        deals: how many deals, at least 1.
        deck: the deals themselves where they come from a file; numbers then count its deals from 0.
    """

    strategies: tuple[Strategy, ...]
    variant: Variant
    seed: int
    first_deal: int
    deals: int
    deck: Deck | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be carried out."""
        if not self.strategies:
            raise PlanError("there is no strategy to play")
        labels = [strategy.label for strategy in self.strategies]
        for label in labels:
            if labels.count(label) > 1:
                words = [s.words for s in self.strategies if s.label == label]
                raise PlanError(
                    f"two strategies are called '{label}' ({' and '.join(words)}): leave one out, "
                    "or rename a file"
                )
        for name in ("seed", "first_deal", "deals"):
            if type(getattr(self, name)) is not int:
                raise PlanError(f"{name} is a whole number, not {getattr(self, name)!r}")
        if not 0 <= self.seed <= LARGEST_WORD:
            raise PlanError(f"a seed is 0 to {LARGEST_WORD} (2**64 - 1), not {self.seed}")
        if self.deals < 1:
            raise PlanError(f"at least 1 deal must be played, not {self.deals}")
        last = self.first_deal + self.deals - 1
        available = len(self.deck.cards) if self.deck else LARGEST_WORD + 1
        if self.first_deal < 0 or last >= available:
            raise PlanError(
                f"deals {self.first_deal} to {last} do not exist: they are numbered 0 to "
                f"{available - 1}"
            )

    def deals_from(self, first: int, count: int) -> Deals:
        """Some of the deals, for the engine."""
        cards = self.deck.cards[first : first + count] if self.deck else None
        return Deals(self.seed, first, count, cards)


def make_plan(
    strategies: Sequence[str | Strategy],
    *,
    deals: int | None = None,
    variant: Variant | str = "standard",
    seed: int | None = None,
    first_deal: int = 0,
    deck: Deck | None = None,
) -> Plan:
    """A plan from what users say.

    Args:
        strategies: words such as `greedy`, `king-pile:release=2` or `path/to/mine.py`, or loaded
            strategies.
        deals: how many; left out, a million, or all of a deck.
        variant: the rules, or words for them such as `three-wastes`, `standard:wastes=5` or
            `path/to/mine.toml`.
        seed: left out, one is drawn (32 bits, easy to copy by hand); for a deck, 0.
        first_deal: number of the first deal.
        deck: deals from a file, instead of the seed's.

    Raises:
        StrategyError: a strategy is unknown or cannot be used.
        VariantError: a variant is unknown or its file cannot be used.
        PlanError: the numbers are out of range.
    """
    if isinstance(strategies, str):
        raise PlanError(f"strategies are a list: ['{strategies}']")
    if not isinstance(variant, (str, Variant)):
        raise PlanError(f"a variant is a name, a path or a Variant, not {variant!r}")
    rules = load_variant(variant) if isinstance(variant, str) else variant
    loaded = tuple(load_strategy(s) if isinstance(s, str) else s for s in strategies)
    if seed is None:
        seed = 0 if deck else secrets.randbits(32)
    if deck and first_deal >= len(deck.cards):
        raise PlanError(f"there is no deal {first_deal}: the deck's are 0 to {len(deck.cards) - 1}")
    if deals is None:
        deals = len(deck.cards) - first_deal if deck else DEFAULT_DEALS
    return Plan(loaded, rules, seed, first_deal, deals, deck)
