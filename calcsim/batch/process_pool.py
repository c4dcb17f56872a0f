"""A pool of worker processes that outlives the death of any of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from calcsim.batch.interrupts import interrupts_blocked
from calcsim.strategy.apart import Apart, EndedError, NeverWorkedError, Overdue

MOST_DEATHS = 3
"""So many workers may die of one task."""

Task = ParamSpec("Task")
Result = TypeVar("Result")


class PoolError(Exception):
    """Worker processes that died, or could not start."""


class ProcessPool(Executor):
    """An executor whose work is done by processes, each looked after by a thread of this one.

    Python's own pool is lost with the first process that is killed, and cannot tell what it was
    doing. Here that task goes to another process, until it has taken `MOST_DEATHS` of them down.
    """

    def __init__(self, count: int, overdue: Overdue) -> None:
        """Start the processes as work comes in.

        Args:
            count: how many there are at the most.
            overdue: says in a process what is wrong with its work if that takes too long, or None.
                It is asked every second, and its answer is what the work raises.
        """
        self._overdue = overdue
        self._threads = ThreadPoolExecutor(count)
        self._lock = threading.Lock()
        self._processes: list[Apart] = []
        self._idle: list[Apart] = []
        self._ending = False

    def submit(
        self, work: Callable[Task, Result], /, *task: Task.args, **named: Task.kwargs
    ) -> Future[Result]:
        """Have a function called that a process can import.

        The future raises what the function raises, or `PoolError` if no process survived it.
        """
        return self._threads.submit(self._call, partial(work, *task, **named))

    def _call(self, work: Callable[[], Result]) -> Result:
        for _ in range(MOST_DEATHS):
            process = self._take()
            try:
                result: Result = process.call(work)
            except NeverWorkedError:
                self._bury(process)
                raise PoolError(
                    "a worker process could not start (a script must be a file, and call "
                    "simulate under `if __name__ == '__main__':`)"
                ) from None
            except EndedError:
                self._bury(process)
            except BaseException:
                self._put_back(process)
                raise
            else:
                self._put_back(process)
                return result
        raise PoolError(
            f"{MOST_DEATHS} worker processes, one after the other, were killed or crashed (too "
            "little memory?)"
        )

    def _take(self) -> Apart:
        """A process that is idle, or a new one."""
        with self._lock:
            if self._ending:
                raise PoolError("no work is taken any more")
            while self._idle:
                process = self._idle.pop()
                if process.is_alive():
                    return process
            process = Apart(overdue=self._overdue)
            with interrupts_blocked():
                process.start()
            self._processes.append(process)
            return process

    def _put_back(self, process: Apart) -> None:
        with self._lock:
            self._idle.append(process)

    def _bury(self, process: Apart) -> None:
        process.end()
        with self._lock:
            self._processes.remove(process)

    def process_ids(self) -> list[int | None]:
        """Of all processes that are there now."""
        with self._lock:
            return [process.pid for process in self._processes]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once, whatever they do."""
        with self._lock:
            self._ending = True
            for process in self._processes:
                process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in self._processes:
            process.end()
