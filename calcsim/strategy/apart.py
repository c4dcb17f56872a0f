"""A process of its own that calls functions: for what may crash, or never come back."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self, TypeVar

Result = TypeVar("Result")
Overdue = Callable[[], Exception | None]

_SPAWN = multiprocessing.get_context("spawn")


class EndedError(Exception):
    """A process ended before it had answered; the text says how."""


class NeverWorkedError(EndedError):
    """A process ended by itself before it could do anything."""


class Apart:
    """A process that starts from nothing (`spawn`) and calls functions for this one.

    It is deaf to Ctrl-C, and gone when this one is. Leaving the `with` block ends it at once,
    whatever it is doing. As nobody else holds the far end of its pipe, its end is noticed at once,
    also in the middle of an answer.
    """

    def __init__(self, own_group: bool = False, overdue: Overdue | None = None) -> None:
        """Say how it is to be; `start` starts it.

        Args:
            own_group: with a group of its own, what it has started ends with it.
            overdue: called there every second; what it returns is raised here in the place of the
                answer, and the process ends.
        """
        self._own_group = own_group
        self._overdue = overdue

    def __enter__(self) -> Self:
        """The process, started."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self.end()

    def start(self) -> None:
        """Start the process; it takes about a second until it works.

        It takes over whether this thread blocks interrupts.
        """
        # Python starts this one with the first process, and lets interrupts through after that.
        before = _blocked()
        resource_tracker.ensure_running()
        _block(before)
        self._connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=_answer_calls, args=(theirs, self._own_group, self._overdue)
        )
        self._process.start()
        theirs.close()  # so that this end sees it when the other one is gone
        self._works = False
        atexit.register(self.end)  # or it would be waited for, should nobody leave the block

    def end(self) -> None:
        """End the process, and its group if it has one."""
        self.kill()
        self._process.join()
        self._connection.close()

    def kill(self) -> None:
        """The same without waiting for it; whoever waits for an answer is told."""
        atexit.unregister(self.end)
        if self._own_group:
            with suppress(OSError):  # it has not come that far, or is gone
                os.killpg(self._process.ident or 0, signal.SIGKILL)
        self._process.kill()

    def is_alive(self) -> bool:
        """Whether it is there."""
        return self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Its number."""
        return self._process.pid

    def call(
        self, function: Callable[..., Result], *arguments: Any, seconds: float | None = None
    ) -> Result:
        """What a function returns there, or raises.

        Args:
            function: one of a module's own, as pickle has it.
            arguments: of the function.
            seconds: how long to wait for the answer; left out, for ever.

        Raises:
            TimeoutError: there was no answer; a fresh process has taken the place of this one.
            EndedError: the process was killed or crashed, or could not start.
        """
        self.ask(function, *arguments)
        answer: Result = self.answer(seconds)
        return answer

    def ask(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Begin a call; `answer` ends it."""
        with suppress(BrokenPipeError):  # the process has ended, as `answer` will find
            self._connection.send((function, arguments))

    def answer(self, seconds: float | None = None) -> Any:
        """What came of the call that `ask` began; see `call`."""
        if not self._works:
            self._receive()
            self._works = True
        if not self._connection.poll(seconds):
            self.end()
            self.start()
            raise TimeoutError
        succeeded, value = self._receive()
        if not succeeded:
            raise value
        return value

    def _receive(self) -> Any:
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            status = self._process.exitcode or 0
            if status > 0 and not self._works:
                raise NeverWorkedError(_how_it_ended(status)) from None
            raise EndedError(_how_it_ended(status)) from None


def _answer_calls(connection: Connection, own_group: bool, overdue: Overdue | None) -> None:
    """What the process does, until nobody is left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if own_group:
        os.setpgid(0, 0)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sending = threading.Lock()
    if overdue is not None:
        watch = (connection, sending, overdue)
        threading.Thread(target=_answer_instead, args=watch, daemon=True).start()
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        connection.send(None)  # it works
        while True:
            function, arguments = connection.recv()
            answer = _attempt(function, arguments)
            with sending:
                connection.send(answer)


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, function(*arguments)
    except Exception as error:
        return False, error


def _answer_instead(connection: Connection, sending: threading.Lock, overdue: Overdue) -> None:
    """Answer for work that takes too long, and end the process."""
    while True:
        time.sleep(1)
        with sending:
            error = overdue()
            if error is not None:
                connection.send((False, error))
                os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _blocked() -> set[int]:
    """The signals that this thread blocks."""
    if hasattr(signal, "pthread_sigmask"):
        return set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    return set()


def _block(signals: set[int]) -> None:
    """Have this thread block these signals and no others."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)


def _how_it_ended(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
