"""One worker process: spawned, deaf to Ctrl-C, and gone when its parent is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from calcsim.batch.interrupts import interrupts_blocked

Overdue = Callable[[], Exception | None]

_SPAWN = multiprocessing.get_context("spawn")


class WorkerDied(Exception):  # noqa: N818 - it tells what became of a process
    """The process has ended before its work did."""


class WorkerProcess:
    """A process that does one thing after another, with a pipe of its own.

    As nobody else holds the far end of that pipe, its end is noticed at once, also in the middle of
    a result.
    """

    def __init__(self, overdue: Overdue) -> None:
        """Start it; it takes about a second until it works.

        Args:
            overdue: called there every second while it works; what it returns is raised here, and
                the process ends.
        """
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work_off, args=(theirs, overdue), daemon=True)
        # Python starts this one with the first process, and lets interrupts through after that.
        resource_tracker.ensure_running()
        with interrupts_blocked():
            self._process.start()
        theirs.close()
        self._ready = False

    def call(self, work: Callable[[], Any]) -> Any:
        """What a function that can be pickled returns or raises there.

        Raises:
            WorkerDied: the process has ended meanwhile.
        """
        if not self._ready:
            self._receive()
            self._ready = True
        try:
            self._pipe.send(work)
        except OSError:
            raise WorkerDied from None
        result, error = self._receive()
        if error is not None:
            raise error
        return result

    def _receive(self) -> Any:
        try:
            return self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied from None

    @property
    def never_worked(self) -> bool:
        """Whether it has ended by itself before it could do anything."""
        return not self._ready and (self._process.exitcode or 0) > 0

    def is_alive(self) -> bool:
        """Whether it is there."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Its number."""
        return self._process.pid

    def kill(self) -> None:
        """End it at once; it holds nothing that is still wanted, and would take its time."""
        self._process.kill()

    def join(self) -> None:
        """Wait until it is gone."""
        self._process.join()
        self._pipe.close()


def _work_off(pipe: Connection, overdue: Overdue) -> None:
    """What the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pipe.send(None)
    sending = threading.Lock()
    threading.Thread(target=_watch, args=(pipe, sending, overdue), daemon=True).start()
    while True:
        answer = _answer(pipe.recv())
        with sending:
            pipe.send(answer)


def _watch(pipe: Connection, sending: threading.Lock, overdue: Overdue) -> None:
    """Answer in the place of work that takes too long, and end the process."""
    while True:
        time.sleep(1)
        with sending:
            error = overdue()
            if error is not None:
                pipe.send((None, error))
                os._exit(1)


def _answer(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What it returns, or what it raises."""
    try:
        return work(), None
    except Exception as error:
        return None, error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
