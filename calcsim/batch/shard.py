"""Shards: consecutive deals of a plan, played by every strategy in turn.

How a plan is cut decides nothing but who plays what when: the results are the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from calcsim.batch.duels import Duels, count_duels
from calcsim.batch.plan import Plan
from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, Games, play
from calcsim.game.layout import Layout, lay_out_variant
from calcsim.game.variant import Variant
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import Strategy, ready_player

MOST_SHARD_DEALS = 2**18
"""Keeps a shard's rows small in memory, and makes good row groups."""

_SHARD_SECONDS = 2.0
_LEAST_SHARD = 1 / 16
_PILOT_SECONDS = 0.02
_MOST_SHARDS = 4096
_SHARDS_A_WORKER = 2


@dataclass(frozen=True)
class Shard:
    """Deals to be played: a small description that can be sent anywhere.

    Attributes:
        strategies: each plays every deal.
        variant: the rules.
        deals: which deals.
        arrays: digests of each strategy's own arrays, as `StrategyPlayer.arrays_sha256` has them.
    """

    strategies: tuple[Strategy, ...]
    variant: Variant
    deals: Deals
    arrays: tuple[dict[str, str], ...]


@dataclass(frozen=True)
class ShardResult:
    """What became of a shard.

    Attributes:
        deals: those of the shard.
        labels: of the strategies.
        games: their results.
        duels: of all pairs of strategies.
        seconds: that each strategy took.
    """

    deals: Deals
    labels: tuple[str, ...]
    games: tuple[Games, ...]
    duels: Duels
    seconds: tuple[float, ...]


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


def play_shard(shard: Shard) -> ShardResult:
    """Play a shard: a pure function, wherever and whenever it is called.

    Raises:
        StrategyFault: a strategy raised or broke a rule.
        StrategyError: a strategy's arrays are not what they are where the plan was made.
    """
    layout = _layout(shard.variant)
    games, seconds = [], []
    for strategy, arrays in zip(shard.strategies, shard.arrays, strict=True):
        player = ready_player(strategy, shard.variant)
        if player.arrays_sha256 != arrays:
            raise StrategyError(
                f"arrays() of '{strategy.label}' returns other numbers each time: "
                "it must be a function of the variant and its parameters alone"
            )
        start = time.perf_counter()
        try:
            games.append(play(player, layout, shard.deals))
        except Fault as fault:
            raise StrategyFault(strategy, fault) from None
        seconds.append(time.perf_counter() - start)
    labels = tuple(strategy.label for strategy in shard.strategies)
    return ShardResult(shard.deals, labels, tuple(games), count_duels(games), tuple(seconds))


def seconds_a_deal(plan: Plan) -> float:
    """How long all strategies together take for a deal, by playing the first few.

    Raises:
        StrategyFault: a strategy raised or broke a rule.
    """
    deals = 1
    while True:
        shard = next(make_shards(plan, min(deals, plan.deals)))
        start = time.perf_counter()
        play_shard(shard)
        seconds = time.perf_counter() - start
        if deals > 1 and (seconds > _PILOT_SECONDS or deals >= plan.deals):
            return seconds / shard.deals.count
        deals *= 4


@lru_cache(maxsize=8)
def _layout(variant: Variant) -> Layout:
    return lay_out_variant(variant)


def make_shards(plan: Plan, size: int, workers: int | None = None) -> Iterator[Shard]:
    """Cut a plan into shards of `size` deals.

    Args:
        plan: the plan.
        size: deals in a shard, fewer in the last one.
        workers: how many are to be done at about the same time: the last shards become smaller and
            smaller. Left out, only the very last one does.
    """
    arrays = tuple(ready_player(s, plan.variant).arrays_sha256 for s in plan.strategies)
    first, end = plan.first_deal, plan.first_deal + plan.deals
    while first < end:
        count = min(size, end - first)
        if workers:
            fair = -(-(end - first) // (_SHARDS_A_WORKER * workers))
            count = min(count, max(fair, int(size * _LEAST_SHARD), 1))
        yield Shard(plan.strategies, plan.variant, plan.deals_from(first, count), arrays)
        first += count


def shard_size(plan: Plan, pace: float) -> int:
    """How many deals make a shard of about two seconds.

    Args:
        plan: the plan.
        pace: seconds that all strategies together take for a deal.
    """
    by_time = int(_SHARD_SECONDS / pace)
    least = -(-plan.deals // _MOST_SHARDS)
    return max(1, min(MOST_SHARD_DEALS, max(least, by_time)))
