"""What can be wrong with a strategy before a game is played, and how it is shown."""

from __future__ import annotations

import traceback


class StrategyError(Exception):
    """A strategy that cannot be used; the text says why in one line, or shows the faulty line."""


class UnknownStrategyError(StrategyError):
    """Words that name no strategy, no parameter or no value that it takes."""


def strategy_traceback(raised: BaseException, path: str) -> str:
    """The traceback of an exception from the first line in the strategy's own file on."""
    trace = traceback.TracebackException.from_exception(raised)
    own = next((i for i, frame in enumerate(trace.stack) if frame.filename == path), None)
    if own is not None:
        trace.stack = traceback.StackSummary.from_list(trace.stack[own:])
    return "".join(trace.format()).rstrip()
