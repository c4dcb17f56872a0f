"""Shards: consecutive deals of a plan, played by every strategy in turn.

How a plan is cut decides nothing but who plays what when: the results are the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calcsim.batch.auditing import audit_some
from calcsim.batch.duels import count_duels
from calcsim.batch.plan import Plan
from calcsim.batch.rows import deal_rows, row_digest
from calcsim.batch.shard_record import ShardRecord
from calcsim.batch.wanted import Wanted
from calcsim.batch.watch import StrategyFault, watched
from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, Games, play, play_on
from calcsim.game.layout import Layout, lay_out_variant
from calcsim.game.variant import Variant
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import Strategy, new_player, ready_player

MOST_SHARD_DEALS = 2**18
"""Keeps a shard's rows small in memory, and makes good row groups."""

_SHARD_SECONDS = 2.0
_LEAST_SHARD = 1 / 16
_PILOT_SECONDS = 0.02
_MOST_SHARDS = 4096
_SHARDS_A_WORKER = 2
_ROWS_ALONE = Wanted(audit=0)


@dataclass(frozen=True)
class Shard:
    """Deals to be played: a small description that can be sent anywhere.

    Attributes:
        strategies: each plays every deal.
        variant: the rules.
        deals: which deals.
        arrays: digests of each strategy's own arrays, as `StrategyPlayer.arrays_sha256` has them.
        wanted: what else is to be done with the games.
    """

    strategies: tuple[Strategy, ...]
    variant: Variant
    deals: Deals
    arrays: tuple[dict[str, str], ...]
    wanted: Wanted

    def __str__(self) -> str:
        """`deals 0 to 999 of greedy, random`."""
        last = self.deals.first + self.deals.count - 1
        labels = ", ".join(strategy.label for strategy in self.strategies)
        return f"deals {self.deals.first} to {last} of {labels}"


@dataclass(frozen=True)
class ShardResult:
    """What became of a shard.

    Attributes:
        deals: those of the shard.
        record: all counts.
        games: the results of each strategy, for its rows; none if no rows were wanted.
    """

    deals: Deals
    record: ShardRecord
    games: tuple[Games, ...]


def play_shard(shard: Shard) -> ShardResult:
    """Play a shard: a pure function, wherever and whenever it is called.

    Raises:
        StrategyFault: a strategy raised or broke a rule, and is not to go on after that.
        StrategyError: a strategy's arrays are not what they are where the plan was made, or keep
            something from one deal to the next.
        AuditError: the engine has broken a rule itself.
    """
    games, seconds, audited = [], [], []
    for strategy, arrays in zip(shard.strategies, shard.arrays, strict=True):
        player = ready_player(strategy, shard.variant)
        if player.arrays_sha256 != arrays:
            raise StrategyError(
                f"arrays() of '{strategy.label}' returns other numbers each time: "
                "it must be a function of the variant and its parameters alone"
            )
        start = time.perf_counter()
        games.append(_play(strategy, shard))
        seconds.append(time.perf_counter() - start)
        if arrays:
            _refuse_state(strategy, shard, games[-1])
        audited.append(audit_some(strategy, shard.variant, shard.deals, games[-1], shard.wanted))
    record = _record(shard, games, seconds, audited)
    return ShardResult(shard.deals, record, tuple(games) if shard.wanted.rows else ())


def _refuse_state(strategy: Strategy, shard: Shard, games: Games) -> None:
    """Play the last deal once more with arrays as they are at first: it must come out the same."""
    deals = shard.deals
    last = deals.count - 1
    cards = None if deals.cards is None else deals.cards[last:]
    alone = Deals(deals.seed, deals.first + last, 1, cards)
    fresh = play_on(new_player(strategy, shard.variant), _layout(shard.variant), alone)
    same = np.array_equal(fresh.foundations[:, 0], games.foundations[:, last])
    if not same or fresh.direct_plays[0] != games.direct_plays[last]:
        raise StrategyError(
            f"'{strategy.label}' plays deal {alone.first} in another way after other deals: keep "
            "nothing in arrays from one deal to the next"
        )


def _play(strategy: Strategy, shard: Shard) -> Games:
    player, layout = ready_player(strategy, shard.variant), _layout(shard.variant)
    with watched(strategy, shard.wanted.game_seconds):
        if shard.wanted.goes_on(strategy):
            return play_on(player, layout, shard.deals)
        try:
            return play(player, layout, shard.deals)
        except Fault as fault:
            raise StrategyFault(strategy, fault) from None


def _record(
    shard: Shard, games: Sequence[Games], seconds: Sequence[float], audited: Sequence[int]
) -> ShardRecord:
    return ShardRecord(
        first=shard.deals.first,
        count=shard.deals.count,
        labels=tuple(strategy.label for strategy in shard.strategies),
        tallies=tuple(of_one.tally for of_one in games),
        direct_plays=tuple(int(of_one.direct_plays.sum(dtype=int)) for of_one in games),
        failed=tuple(of_one.failed.size for of_one in games),
        faults=tuple(of_one.faults for of_one in games),
        duels=count_duels(games),
        seconds=tuple(seconds),
        audited=tuple(audited),
        rows=tuple(row_digest(deal_rows(shard.deals, of_one)) for of_one in games),
    )


def seconds_a_deal(plan: Plan, wanted: Wanted) -> float:
    """How long all strategies together take for a deal, by playing the first few.

    Raises:
        StrategyFault: a strategy raised or broke a rule.
    """
    deals = 1
    while True:
        shard = next(make_shards(plan, min(deals, plan.deals), wanted=wanted))
        start = time.perf_counter()
        play_shard(shard)
        seconds = time.perf_counter() - start
        if deals > 1 and (seconds > _PILOT_SECONDS or deals >= plan.deals):
            return seconds / shard.deals.count
        deals *= 4


@lru_cache(maxsize=8)
def _layout(variant: Variant) -> Layout:
    return lay_out_variant(variant)


def make_shards(
    plan: Plan, size: int, workers: int | None = None, wanted: Wanted = _ROWS_ALONE
) -> Iterator[Shard]:
    """Cut a plan into shards of `size` deals.

    Args:
        plan: the plan.
        size: deals in a shard, fewer in the last one.
        workers: how many are to be done at about the same time: the last shards become smaller and
            smaller. Left out, only the very last one does.
        wanted: what else is to be done with the games.
    """
    arrays = tuple(ready_player(s, plan.variant).arrays_sha256 for s in plan.strategies)
    first, end = plan.first_deal, plan.first_deal + plan.deals
    while first < end:
        count = min(size, end - first)
        if workers:
            fair = -(-(end - first) // (_SHARDS_A_WORKER * workers))
            count = min(count, max(fair, int(size * _LEAST_SHARD), 1))
        yield Shard(plan.strategies, plan.variant, plan.deals_from(first, count), arrays, wanted)
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
