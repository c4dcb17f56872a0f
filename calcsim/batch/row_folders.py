"""Where a run directory keeps the rows of each strategy, and its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

DEALS = "deals"
SOURCES = "sources"

_FIRST_AND_LAST = re.compile(r"(\d+)-(\d+)\.parquet", re.ASCII)


@dataclass(frozen=True)
class RowFile:
    """A file of one strategy's rows, a row for each deal from the first to the last, in order."""

    path: Path
    first: int
    last: int


def row_folder(run: Path, label: str) -> Path:
    """The folder of a strategy's rows in a run directory; its label is percent-encoded."""
    return run / DEALS / f"strategy={quote(label, safe='')}"


def source_folder(run: Path, label: str) -> Path:
    """The folder of a strategy's source in a run directory."""
    return run / SOURCES / quote(label, safe="")


def row_file(run: Path, label: str, first: int, count: int) -> RowFile:
    """The file that the rows of consecutive deals belong in."""
    last = first + count - 1
    return RowFile(row_folder(run, label) / f"{first}-{last}.parquet", first, last)


def row_files(run: Path, label: str) -> list[RowFile]:
    """The files of a strategy's rows that are there, in the order of their deals."""
    names = (
        (path, _FIRST_AND_LAST.fullmatch(path.name)) for path in row_folder(run, label).glob("*")
    )
    files = [RowFile(path, *map(int, name.groups())) for path, name in names if name]
    return sorted(files, key=lambda file: file.first)
