"""Worker processes that play shards: in order, a few at a time, whatever becomes of any of them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from types import TracebackType
from typing import Any, Self, TypeVar

from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.plan import Plan
from calcsim.batch.process_pool import PoolError, ProcessPool
from calcsim.batch.shard import Shard, ShardResult, play_shard, seconds_a_deal
from calcsim.batch.wanted import Wanted
from calcsim.batch.watch import overdue
from calcsim.game.variant import Variant
from calcsim.strategy.compile_error import compile_strategy
from calcsim.strategy.fingerprint import fingerprint
from calcsim.strategy.strategy import Strategy

_WAITING_A_WORKER = 2

Result = TypeVar("Result")


class WorkerError(Exception):
    """Worker processes that end before their work does."""


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """A number of processes that play shards. Leaving the `with` block ends them at once."""

    def __init__(self, count: int) -> None:
        """Start the processes as work comes in."""
        self.count = count
        self._pool = ProcessPool(count, overdue)

    def __enter__(self) -> Self:
        """The workers themselves."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the processes; they hold nothing that is still wanted, and would take their time."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def compile(self, strategies: Sequence[Strategy], variant: Variant) -> None:
        """Have strategies compiled, each by one process.

        Raises:
            StrategyError: one does not compile.
            WorkerError: processes were killed, or cannot start.
        """
        under_way = [(s, self._submit(compile_strategy, s, variant)) for s in strategies]
        for strategy, compiled in under_way:
            _result(compiled, f"'{strategy.label}' was compiled")

    def measure_pace(self, plan: Plan, wanted: Wanted) -> float:
        """Seconds that all strategies together take for a deal.

        It starts the processes and has them load what they need: a process for each thousand deals,
        the others when there is work for them.

        Raises:
            StrategyFault: a strategy raised or broke a rule in the first deals.
            WorkerError: processes were killed, or cannot start.
        """
        number = min(self.count, 1 + plan.deals // 1000)
        measured = [self._submit(seconds_a_deal, plan, wanted) for _ in range(number)]
        return min(_result(seconds, "the first deals were played") for seconds in measured)

    def take_fingerprints(self, plan: Plan) -> Iterator[str]:
        """The fingerprint of each strategy, taken where its code is loaded anyway.

        They are under way at once, and waited for when they are looked at.

        Raises:
            StrategyError: a strategy does not play a deal the same way each time.
            WorkerError: processes were killed.
        """
        taken = [self._submit(fingerprint, s, plan.variant) for s in plan.strategies]
        return (
            _result(of_one, f"the fingerprint of '{strategy.label}' was taken")
            for strategy, of_one in zip(plan.strategies, taken, strict=True)
        )

    def play_in_order(self, shards: Iterable[Shard]) -> Iterator[ShardResult]:
        """Play shards and give their results in the order of the shards.

        Only a few are under way or waiting at any time, so that memory stays flat. If a process is
        killed, its shard is played by another.

        Raises:
            StrategyFault: a strategy raised or broke a rule.
            WorkerError: a shard has taken several processes down.
        """
        remaining = iter(shards)
        window = islice(remaining, self.count * _WAITING_A_WORKER)
        under_way = deque((shard, self._submit(play_shard, shard)) for shard in window)
        return self._results(under_way, remaining)

    def _results(
        self, under_way: deque[tuple[Shard, Future[ShardResult]]], remaining: Iterator[Shard]
    ) -> Iterator[ShardResult]:
        while under_way:
            shard, future = under_way.popleft()
            result = _result(future, f"{shard} were played")
            for following in islice(remaining, 1):
                under_way.append((following, self._submit(play_shard, following)))
            yield result

    def _submit(self, work: Callable[..., Result], *task: Any) -> Future[Result]:
        with interrupts_held():  # here, threads are started
            return self._pool.submit(work, *task)


def _result(future: Future[Result], what: str) -> Result:
    try:
        return future.result()
    except PoolError as error:
        raise WorkerError(f"{error}, when {what}; what was finished before is kept") from None
