"""A process of its own that calls functions: for what may crash, or never come back."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self, TypeVar

Result = TypeVar("Result")


class EndedError(Exception):
    """A process ended before it had answered; the text says how."""


class Apart:
    """A process that starts from nothing (`spawn`) and calls functions for this one.

    It is deaf to Ctrl-C. Leaving the `with` block ends it at once, whatever it is doing.
    """

    def __init__(self, own_group: bool = False) -> None:
        """With a group of its own, what it has started ends with it."""
        self._own_group = own_group

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
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_answer_calls, args=(theirs, self._own_group))
        self._process.start()
        theirs.close()  # so that this end sees it when the other one is gone
        atexit.register(self.end)  # or it would be waited for, should nobody leave the block

    def end(self) -> None:
        """End the process, and its group if it has one."""
        atexit.unregister(self.end)
        if self._own_group:
            with suppress(OSError):  # it has not come that far, or is gone
                os.killpg(self._process.ident or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._connection.close()

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
        if not self._connection.poll(seconds):
            self.end()
            self.start()
            raise TimeoutError
        try:
            succeeded, value = self._connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            raise EndedError(_how_it_ended(self._process.exitcode or 0)) from None
        if not succeeded:
            raise value
        return value


def _answer_calls(connection: Connection, own_group: bool) -> None:
    """What the process does, until nobody is left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if own_group:
        os.setpgid(0, 0)
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        while True:
            function, arguments = connection.recv()
            connection.send(_attempt(function, arguments))


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, function(*arguments)
    except Exception as error:
        return False, error


def _how_it_ended(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
