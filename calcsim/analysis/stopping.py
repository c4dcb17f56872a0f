"""When a run may stop: its intervals are narrow enough, or the best strategy is found.

Both look at the data many times, and so by confidence sequences, which hold at all looks together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calcsim.analysis.sequences import difference_sequence, rate_sequence
from calcsim.analysis.tally import Tally
from calcsim.analysis.totals import Totals
from calcsim.batch.duels import Duels


@dataclass(frozen=True)
class Stopping:
    """What a run is to find out.

    Attributes:
        precision: half the width that every strategy's interval must come down to, a fraction; or
            None.
        race: whether strategies that are surely not the best drop out.
    """

    precision: float | None = None
    race: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no precision, or no reason to stop."""
        if self.precision is None and not self.race:
            raise ValueError("a run stops for a precision or for a race, and neither is given")
        if self.precision is not None and not 0 < self.precision < 1:
            raise ValueError(f"a precision lies between 0 and 1, not at {self.precision}")

    def who_goes_on(
        self,
        playing: Sequence[str],
        totals: Totals,
        confidence: float,
    ) -> list[str]:
        """Those that still play after a look at the data; nobody if all is found out.

        Args:
            playing: labels of those that have played up to now, which all have met on every deal.
            totals: of all strategies.
            confidence: of each interval; and that the race never drops the best.
        """
        remaining = list(playing)
        if self.race:
            places = {label: place for place, label in enumerate(totals.tallies)}
            remaining = [
                label
                for label in playing
                if not any(
                    _surely_better(totals.duels, places[other], places[label], confidence)
                    for other in playing
                    if other != label
                )
            ]
            if len(remaining) == 1 and self.precision is None:
                return []
        if self.precision is not None and all(
            _is_precise(totals.tallies[label], confidence, self.precision) for label in remaining
        ):
            return remaining if self.race and len(remaining) > 1 else []
        return remaining


def _is_precise(tally: Tally, confidence: float, precision: float) -> bool:
    low, _ = rate_sequence(tally.wins, tally.deals, confidence)
    _, high = rate_sequence(tally.wins + tally.failed, tally.deals, confidence)
    return (high - low) / 2 <= precision


def _surely_better(duels: Duels, a: int, b: int, confidence: float) -> bool:
    """Whether a is better, so surely that the best of all is never taken for a worse one.

    It could be taken for worse than any of the others: Bonferroni over these.
    """
    rivals = len(duels.deals) - 1
    sure = 1 - (1 - confidence) / rivals
    low, _ = difference_sequence(*duels.outcomes_at_worst(a, b), sure)
    return low > 0
