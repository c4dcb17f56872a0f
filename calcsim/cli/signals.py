"""Signals that end a command."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], object] | signal.Handlers

_ENDING = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Inside the block, being told to end (by `timeout`, a closed terminal) is like Ctrl-C.

    Also where Ctrl-C itself is ignored, as it is in what a script has started in the background.
    """
    told: list[int] = []

    def pass_on(number: int, frame: FrameType | None) -> None:
        told.append(number)
        os.kill(os.getpid(), signal.SIGINT)

    def end_if_told(number: int, frame: FrameType | None) -> None:
        if told:
            signal.default_int_handler(number, frame)

    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    interrupts: dict[str, Handler] = {"SIGINT": end_if_told} if ignored else {}
    with _handled({name: pass_on for name in _ENDING}), _handled(interrupts, ignored=True):
        yield


@contextmanager
def ctrl_c_ends_at_once() -> Iterator[None]:
    """Inside the block, Ctrl-C ends the process even if compiled code never returns to Python."""
    with _handled({"SIGINT": signal.SIG_DFL}):
        yield


@contextmanager
def _handled(handlers: Mapping[str, Handler], ignored: bool = False) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = {getattr(signal, name): handler for name, handler in handlers.items()}
    # Unless told otherwise, what is ignored (by `nohup`, say) stays ignored.
    before = {n: signal.getsignal(n) for n in wanted}
    before = {n: handler for n, handler in before.items() if ignored or handler != signal.SIG_IGN}
    for number in before:
        signal.signal(number, wanted[number])
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
