"""Progress, drawn on a terminal by the process that steers the run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from tqdm import tqdm


class Progress:
    """A bar: deals a second, time left, the win rates so far."""

    def __init__(self, deals: int | None, shown: bool) -> None:
        """Begin; nothing is drawn unless `shown` and standard error is a terminal.

        Args:
            deals: how many there are to play, or None if that is not known.
            shown: whether it is wanted.
        """
        self._bar = tqdm(
            total=deals,
            unit=" deals",
            unit_scale=True,
            dynamic_ncols=True,
            leave=False,
            disable=not (shown and sys.stderr.isatty()),
        )

    def __enter__(self) -> Self:
        """The bar itself."""
        self._bar.refresh()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar off the screen."""
        self._bar.close()

    def add(self, deals: int, win_rates: Iterable[tuple[str, float]]) -> None:
        """Count deals that every strategy has played, and show the win rates so far."""
        rates = ", ".join(f"{label} {rate:.2%}" for label, rate in win_rates)
        self._bar.set_postfix_str(rates, refresh=False)
        self._bar.update(deals)
