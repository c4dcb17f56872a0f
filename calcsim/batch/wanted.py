"""What is to be done with the games of a run besides counting them."""

from __future__ import annotations

from dataclasses import dataclass

from calcsim.strategy.catalogue import BUILTIN
from calcsim.strategy.strategy import Strategy

DEFAULT_AUDIT = 1e-6
DEFAULT_GAME_SECONDS = 60.0


@dataclass(frozen=True)
class Wanted:
    """See the attributes; none of them changes a game.

    Attributes:
        rows: whether a row per deal is kept.
        keep_going: whether a game that a strategy cannot finish is counted as failed, and the run
            goes on; None: unless the strategy is a built-in one.
        audit: the share of the deals that are played again in the reference engine, 0 to 1.
        audited_anyway: the number of a deal that is, whatever that share.
        game_seconds: of computing that a game may take; one that takes more ends the run.
    """

    rows: bool = True
    keep_going: bool | None = None
    audit: float = DEFAULT_AUDIT
    audited_anyway: int | None = None
    game_seconds: float = DEFAULT_GAME_SECONDS

    def goes_on(self, strategy: Strategy) -> bool:
        """Whether the run goes on after a game that this strategy could not finish."""
        return strategy.origin != BUILTIN if self.keep_going is None else self.keep_going
