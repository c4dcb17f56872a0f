"""Tables of plain text that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from tabulate import SEPARATING_LINE, DataRow, Line, TableFormat, tabulate
from wcwidth import wcswidth

Heading: TypeAlias = tuple[str, str]
"""The two lines above a column."""

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


def text_table(
    heading: Heading,
    names: Sequence[str],
    numbers: Mapping[Heading, Sequence[str]],
    width: int,
    first_to_go: Iterable[Heading],
    last_to_go: Heading,
) -> str:
    """Names with columns of numbers beside them.

    Where the width does not suffice, columns are left out in the order of `first_to_go`; then
    names are cut, and if hardly anything is left of them, `last_to_go` goes too.

    Args:
        heading: of the names.
        names: a row each.
        numbers: headings to cells, one for each row.
        width: columns of the terminal.
        first_to_go: headings of columns, some of which may not be there.
        last_to_go: likewise.

    Returns:
        Lines without trailing blanks or a final line feed.
    """
    columns = dict(numbers)
    shown = [_printable(name) for name in names]
    name_width = max(map(wcswidth, [*heading, *shown]))
    for going in first_to_go:
        if name_width + _width(columns) <= width:
            break
        columns.pop(going, None)
    if width - _width(columns) < min(_LEAST_NAME, name_width):
        columns.pop(last_to_go, None)
    room = max(1, width - _width(columns))
    upper, lower, *cells = (_cut(text, room) for text in [*heading, *shown])
    return _lay_out({(upper, lower): cells, **columns})


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


def _width(columns: Mapping[Heading, Sequence[str]]) -> int:
    """Terminal columns of these columns with the gaps in front of them."""
    return sum(_GAP + max(map(wcswidth, [*heading, *cells])) for heading, cells in columns.items())


def _lay_out(columns: Mapping[Heading, Sequence[str]]) -> str:
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
