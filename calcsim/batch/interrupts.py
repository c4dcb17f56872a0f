"""Ctrl-C, held back while something must not be left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let an interrupt come only after the block; processes started inside it get none at all.

    Blocking the signal is not enough, since it may reach another thread of this process, and Python
    then interrupts the main thread all the same. But processes take over that it is blocked.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        with interrupts_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(signal.SIGINT, None)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Let no interrupt come to this thread, nor ever to processes that are started in the block."""
    before = _block()
    try:
        yield
    finally:
        _restore(before)


def _block() -> set[int]:
    if hasattr(signal, "pthread_sigmask"):
        return set(signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}))
    return set()


def _restore(mask: set[int]) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
