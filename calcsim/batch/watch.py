"""A watch over the game under way, since compiled code that never ends cannot be interrupted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from calcsim.engine.fault import Fault
from calcsim.engine.games import deal_under_way
from calcsim.strategy.strategy import Strategy


class StrategyFault(Exception):  # noqa: N818 - see `Fault`
    """A game that a strategy could not finish.

    Attributes:
        strategy: the strategy.
        fault: in which deal, and what it did.
    """

    def __init__(self, strategy: Strategy, fault: Fault) -> None:
        """See the attributes."""
        super().__init__(strategy, fault)
        self.strategy = strategy
        self.fault = fault


@dataclass
class _Watch:
    """Who plays, and since when the game under way is."""

    strategy: Strategy | None = None
    seconds: float = 0
    deal: int | None = None
    since: float = 0


_WATCH = _Watch()


@contextmanager
def watched(strategy: Strategy, seconds: float) -> Iterator[None]:
    """Inside the block, a strategy plays, and no game may take more seconds of computing."""
    _WATCH.seconds, _WATCH.deal, _WATCH.strategy = seconds, None, strategy
    try:
        yield
    finally:
        _WATCH.strategy = None


def overdue() -> StrategyFault | None:
    """What is wrong with the game under way if it takes too long; to be asked now and then.

    The time is that of the processor, so that neither other programs nor a process that was stopped
    for a while make a game look long.
    """
    strategy, deal, now = _WATCH.strategy, deal_under_way(), time.process_time()
    if strategy is None or deal is None or deal != _WATCH.deal:
        _WATCH.deal, _WATCH.since = deal, now
        return None
    if now - _WATCH.since <= _WATCH.seconds:
        return None
    text = f"TimeoutError: the game was not over after {_WATCH.seconds:g} s"
    return StrategyFault(strategy, Fault(deal, 0, None, text))
