"""What can be wrong with a strategy before a game is played, and how it is shown."""

from __future__ import annotations

import traceback
from pathlib import Path

_MACHINERY = ("<frozen importlib", f"{Path(__file__).parent}/")
"""Where the files are that import a strategy's: their lines tell its author nothing."""


class StrategyError(Exception):
    """A strategy that cannot be used; the text says why in one line, or shows the faulty line."""


class DoesNotPlayError(StrategyError):
    """A variant that a strategy says it does not play; the text gives its reason."""


class UnknownStrategyError(StrategyError):
    """Words that name no strategy, no parameter or no value that it takes."""


def strategy_traceback(raised: BaseException, path: str) -> str:
    """The traceback of an exception from the first line in the strategy's own file on.

    Without a line in that file, just the exception.
    """
    trace = traceback.TracebackException.from_exception(raised)
    own = next((i for i, frame in enumerate(trace.stack) if frame.filename == path), None)
    if own is None:
        return "".join(trace.format_exception_only()).rstrip()
    frames = [frame for frame in trace.stack[own:] if not frame.filename.startswith(_MACHINERY)]
    trace.stack = traceback.StackSummary.from_list(frames)
    return "".join(trace.format()).rstrip()
