"""Worker processes: spawned, deaf to Ctrl-C, and gone when their parent is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Self, TypeVar

from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.plan import Plan
from calcsim.batch.shard import Shard, ShardResult, play_shard, seconds_a_deal
from calcsim.strategy.fingerprint import fingerprint

_WAITING_A_WORKER = 2

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerError(Exception):
    """A worker process ended before its work did."""


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
        self._executor = ProcessPoolExecutor(
            count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_work
        )

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
        _kill(self._executor)
        self._executor.shutdown(wait=True, cancel_futures=True)

    def measure_pace(self, plan: Plan) -> float:
        """Seconds that all strategies together take for a deal.

        It starts the processes and has them load what they need: a process for each thousand deals,
        the others when there is work for them.

        Raises:
            StrategyFault: a strategy raised or broke a rule in the first deals.
            WorkerError: a worker process was killed.
        """
        number = min(self.count, 1 + plan.deals // 1000)
        measured = [self._submit(seconds_a_deal, plan) for _ in range(number)]
        return min(map(_result, measured))

    def take_fingerprints(self, plan: Plan) -> Iterator[str]:
        """The fingerprint of each strategy, taken where its code is loaded anyway.

        They are under way at once, and waited for when they are looked at.

        Raises:
            StrategyError: a strategy does not play a deal the same way each time.
            WorkerError: a worker process was killed.
        """
        tasks = [partial(fingerprint, strategy) for strategy in plan.strategies]
        return map(_result, [self._submit(task, plan.variant) for task in tasks])

    def play_in_order(self, shards: Iterable[Shard]) -> Iterator[ShardResult]:
        """Play shards and give their results in the order of the shards.

        Only a few are under way or waiting at any time, so that memory stays flat.

        Raises:
            WorkerError: a worker process was killed.
        """
        remaining = iter(shards)
        window = islice(remaining, self.count * _WAITING_A_WORKER)
        under_way = deque(self._submit(play_shard, shard) for shard in window)
        return self._results(under_way, remaining)

    def _results(
        self, under_way: deque[Future[ShardResult]], remaining: Iterator[Shard]
    ) -> Iterator[ShardResult]:
        while under_way:
            result = _result(under_way.popleft())
            for shard in islice(remaining, 1):
                under_way.append(self._submit(play_shard, shard))
            yield result

    def _submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        try:
            with interrupts_held():  # here, processes are started
                return self._executor.submit(work, task)
        except BrokenProcessPool:
            raise _killed() from None


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool:
        raise _killed() from None


def _killed() -> WorkerError:
    return WorkerError(
        "a worker process was killed or crashed (too little memory?), or could not start (a script "
        "must be a file, and call simulate under `if __name__ == '__main__':`); what was finished "
        "is kept"
    )


def _begin_work() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _kill(executor: Executor) -> None:
    processes = list((getattr(executor, "_processes", None) or {}).values())
    for process in processes:
        process.kill()
    for process in processes:
        process.join()
    # Who is killed while sending a result leaves half of it in the pipe. With its last writer gone
    # the executor's thread sees the end of it, instead of waiting for the other half for ever.
    results = getattr(executor, "_result_queue", None)
    if results is not None:
        results._writer.close()
