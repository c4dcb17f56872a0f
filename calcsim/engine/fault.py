"""What goes wrong in a game by a strategy's doing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calcsim.game.trace import Move


class Fault(Exception):  # noqa: N818 - "fault" is what players read
    """A game that a strategy could not finish: it broke a rule, or it raised.

    Attributes:
        deal: number of the deal.
        card: the turned card, 0 where none lay face up or it is not known.
        move: the illegal move; None if the strategy raised.
        raised: what it raised, as `Type: text`; empty if it broke a rule.
    """

    def __init__(self, deal: int, card: int, move: Move | None, raised: str = "") -> None:
        """See the attributes."""
        super().__init__(deal, card, move, raised)
        self.deal = deal
        self.card = card
        self.move = move
        self.raised = raised

    def as_data(self) -> dict[str, Any]:
        """The fault as JSON holds it."""
        return {"deal": self.deal, "card": self.card, "move": self.move, "raised": self.raised}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Fault:
        """The opposite of `as_data`."""
        return cls(data["deal"], data["card"], data["move"], data["raised"])
