"""Games in a process of its own, which is ended when one of them takes too long.

Compiled code that does not come to an end cannot be interrupted from within.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.variant import Variant
from calcsim.strategy.apart import Apart, EndedError
from calcsim.strategy.strategy import Strategy, ready_player
from calcsim.strategy.trial import SEED, CheckFailed, Trial

_BLOCK = 100
_NO_DEALS = Deals(SEED, 0, 0)


@lru_cache(maxsize=1)
def first_faults(trial: Trial) -> tuple[Fault | None, ...]:
    """Play all of a trial: the first fault in each variant, or None.

    Raises:
        CheckFailed: a game takes too long, or ends the process.
    """
    with Apart() as process:
        return tuple(_Watched(process, trial, v).first_fault() for v in trial.variants)


@dataclass(frozen=True)
class _Watched:
    """The deals of one variant, played by a process that is watched."""

    process: Apart
    trial: Trial
    variant: Variant

    def first_fault(self) -> Fault | None:
        """The first fault in all deals, or None."""
        self._load()
        blocks = range(0, self.trial.deals, _BLOCK)
        deals = (Deals(SEED, first, min(_BLOCK, self.trial.deals - first)) for first in blocks)
        return _first(map(self._play_block, deals))

    def _play_block(self, deals: Deals) -> Fault | None:
        """Many deals at a time, and one by one if they take long: the process says which it is."""
        try:
            return self._play(deals)
        except TimeoutError:
            self._load()
            return _first(map(self._play_one, range(deals.first, deals.first + deals.count)))

    def _play_one(self, deal: int) -> Fault | None:
        try:
            return self._play(Deals(SEED, deal, 1))
        except TimeoutError:
            what = f"the game was not over after {self.trial.seconds:g} s"
            raise CheckFailed(what, self.variant, deal) from None

    def _load(self) -> None:
        """Have the code compiled and loaded, which takes its time but is no game's."""
        self.process.call(_fault_in, self.trial.strategy, self.variant, _NO_DEALS)

    def _play(self, deals: Deals) -> Fault | None:
        arguments = self.trial.strategy, self.variant, deals
        try:
            return self.process.call(_fault_in, *arguments, seconds=self.trial.seconds)
        except EndedError as ended:
            last = deals.first + deals.count - 1
            what = f"the process that played deals {deals.first} to {last} {ended}"
            raise CheckFailed(what, self.variant) from None


def _fault_in(strategy: Strategy, variant: Variant, deals: Deals) -> Fault | None:
    """What the process is asked for."""
    try:
        play(ready_player(strategy, variant), lay_out_variant(variant), deals)
    except Fault as fault:
        return fault
    return None


def _first(faults: Iterator[Fault | None]) -> Fault | None:
    return next(filter(None, faults), None)
