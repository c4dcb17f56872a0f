"""Tables as plain text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from tabulate import SEPARATING_LINE, DataRow, Line, TableFormat, tabulate
from wcwidth import wcswidth

if TYPE_CHECKING:
    import polars as pl

Heading: TypeAlias = tuple[str, str]
"""The two lines above a column."""

_STRATEGY: Heading = ("", "strategy")
_DEALS: Heading = ("", "deals")
_WON: Heading = ("", "won %")
_NEAR_MISSES: Heading = ("near", "misses %")
_MEAN_CARDS: Heading = ("mean", "cards")
_DIRECT_PLAYS: Heading = ("direct", "plays")

_FIRST_TO_GO = (_DIRECT_PLAYS, _NEAR_MISSES, _MEAN_CARDS, _DEALS)
_LEAST_NAME = 8

_GAP = 2
_LAYOUT = TableFormat(
    lineabove=None,
    linebelowheader=Line("", "-", " " * _GAP, ""),
    linebetweenrows=None,
    linebelow=None,
    headerrow=DataRow("", " " * _GAP, ""),
    datarow=DataRow("", " " * _GAP, ""),
    padding=0,
    with_header_hide=None,
)


def win_rate_table(frame: pl.DataFrame, width: int) -> str:
    """The win rates as a table for people, a line per row of the frame, in its order.

    Where the width does not suffice, the mean of direct plays is left out first, then the near
    misses, the mean of foundation cards and the number of deals; then names are cut, and if hardly
    anything is left of them, the interval goes too.

    Args:
        frame: a `win_rates` table; its rows share one confidence.
        width: columns of the terminal. No line is wider, unless it is less than 30.

    Returns:
        Lines without trailing blanks or a final line feed. Rates are in percent.

    Raises:
        ValueError: the rows differ in their confidence.
    """
    names = [_printable(name) for name in frame["strategy"]]
    numbers = _number_columns(frame)
    name_width = max(map(wcswidth, [*_STRATEGY, *names]))

    for heading in _FIRST_TO_GO:
        if name_width + _width(numbers) <= width:
            break
        del numbers[heading]
    if width - _width(numbers) < _LEAST_NAME:
        del numbers[_interval_heading(frame)]

    room = max(1, width - _width(numbers))
    upper, lower, *cells = (_cut(text, room) for text in [*_STRATEGY, *names])
    return _lay_out({(upper, lower): cells, **numbers})


def _number_columns(frame: pl.DataFrame) -> dict[Heading, list[str]]:
    """Heading to the cells below it."""
    digits = _percent_digits(frame)

    def percent(fraction: float) -> str:
        return f"{100 * fraction:.{digits}f}"

    rows = frame.to_dicts()
    return {
        _DEALS: [f"{row['deals']:,}" for row in rows],
        _WON: [percent(row["win_rate"]) for row in rows],
        _interval_heading(frame): [
            f"{percent(row['win_rate_low'])}\u2013{percent(row['win_rate_high'])}" for row in rows
        ],
        _NEAR_MISSES: [percent(row["near_misses"] / row["deals"]) for row in rows],
        _MEAN_CARDS: [f"{row['mean_foundation_cards']:.2f}" for row in rows],
        _DIRECT_PLAYS: [f"{row['mean_direct_plays']:.2f}" for row in rows],
    }


def _interval_heading(frame: pl.DataFrame) -> Heading:
    confidences = frame["confidence"].unique().to_list()
    if len(confidences) > 1:
        raise ValueError("the rows of a table of win rates share one confidence")
    # Ten digits hide what binary fractions add to 100 * 0.57, but not a confidence of 0.99999.
    stated = "".join(f"{100 * confidence:.10g} %" for confidence in confidences)
    return (stated, "interval")


def _percent_digits(frame: pl.DataFrame) -> int:
    """Decimals of all rates: one more than where the narrowest interval's half-width starts."""
    half_widths = 50 * (frame["win_rate_high"] - frame["win_rate_low"])
    narrowest = max(min(half_widths, default=1.0), 1e-9)
    return min(4, max(1, 1 - math.floor(math.log10(narrowest))))


def _printable(name: str) -> str:
    """The name with a mark for whatever would move a terminal's cursor or break a line."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)


def _cut(name: str, room: int) -> str:
    """The name, or as much of it as fits in front of an ellipsis."""
    if wcswidth(name) <= room:
        return name
    while wcswidth(name) > room - 1:
        name = name[:-1]
    return name + "\u2026"


def _width(numbers: Mapping[Heading, list[str]]) -> int:
    """Terminal columns of these columns with the gaps in front of them."""
    return sum(_GAP + max(map(wcswidth, [*heading, *cells])) for heading, cells in numbers.items())


def _lay_out(columns: Mapping[Heading, list[str]]) -> str:
    """The first column aligned left, all others right."""
    upper, lower = zip(*columns, strict=True)
    text = tabulate(
        # Headings as rows: tabulate makes a column two wider than what it knows as its heading.
        [upper, lower, SEPARATING_LINE, *zip(*columns.values(), strict=True)],
        tablefmt=_LAYOUT,
        colalign=["left"] + ["right"] * (len(columns) - 1),
        disable_numparse=True,
    )
    return "\n".join(line.rstrip() for line in text.split("\n"))
