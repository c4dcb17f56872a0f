"""What a strategy is checked on, and how it is told that it fails."""

from __future__ import annotations

from dataclasses import dataclass

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy

SEED = 0
"""The deals of a trial are of this seed, from number 0 on."""

DEALS = 10_000
"""How many are played of each variant, unless said otherwise."""

SECONDS_A_GAME = 10
"""How long a game may take, unless said otherwise."""

_MOST_COMPARED = 1_000


@dataclass(frozen=True)
class Trial:
    """What a strategy is checked on.

    Attributes:
        strategy: the strategy.
        variants: it must play them all; the first is the one for checks that take one.
        deals: how many of each are played.
        seconds: how long a game may take, once the strategy is compiled and loaded.
        processes: how many may compile at a time.
    """

    strategy: Strategy
    variants: tuple[Variant, ...]
    deals: int = DEALS
    seconds: float = SECONDS_A_GAME
    processes: int = 1

    @property
    def variant(self) -> Variant:
        """The one for checks that take one."""
        return self.variants[0]

    @property
    def compared(self) -> Deals:
        """The deals whose results are compared, played in one way and another."""
        return Deals(SEED, 0, min(self.deals, _MOST_COMPARED))


class CheckFailed(Exception):  # noqa: N818 - it tells what became of a check
    """A strategy that breaks the contract.

    Attributes:
        what: how, in one line, or more if it does not compile.
        variant: in which variant.
        deal: in which deal, or None if it is not about one.
        fault: what the strategy did in it, if that ended the game before its time.
    """

    def __init__(
        self, what: str, variant: Variant, deal: int | None = None, fault: Fault | None = None
    ) -> None:
        """See the attributes."""
        super().__init__(what, variant, deal, fault)
        self.what = what
        self.variant = variant
        self.deal = deal
        self.fault = fault

    def __str__(self) -> str:
        """`three-wastes, deal 17: place card=9 waste=3 is illegal`."""
        where = self.variant.name if self.deal is None else f"{self.variant.name}, deal {self.deal}"
        return f"{where}: {self.what}"
