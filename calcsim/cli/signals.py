"""Signals that end a command."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_ENDING = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Inside the block, being told to end (by `timeout`, a closed terminal) is like Ctrl-C."""
    with _handled({name: _pass_on for name in _ENDING}):
        yield


@contextmanager
def ctrl_c_ends_at_once() -> Iterator[None]:
    """Inside the block, Ctrl-C ends the process even if compiled code never returns to Python."""
    with _handled({"SIGINT": signal.SIG_DFL}):
        yield


def _pass_on(number: int, frame: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def _handled(handlers: dict[str, object]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = {getattr(signal, name): handler for name, handler in handlers.items()}
    # What is ignored (by `nohup`, say) stays ignored.
    before = {n: signal.getsignal(n) for n in wanted if signal.getsignal(n) != signal.SIG_IGN}
    for number in before:
        signal.signal(number, wanted[number])  # type: ignore[arg-type]
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
