"""Files in a run directory that are torn or not of the run: kept, but where nobody counts them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from calcsim.batch.row_folders import DEALS

SET_ASIDE = "set-aside"


def set_aside(run: Path, file: Path) -> Path:
    """Move a file of a run directory to where nobody counts it: its new place.

    Raises:
        OSError: it cannot be moved.
    """
    place = run / SET_ASIDE / file.relative_to(run)
    others = (place.with_name(f"{place.name}.{number}") for number in itertools.count(2))
    free = next(path for path in itertools.chain([place], others) if not path.exists())
    free.parent.mkdir(parents=True, exist_ok=True)
    return file.rename(free)


def strangers(run: Path, expected: set[Path]) -> Iterator[Path]:
    """What lies among the rows of a run and is none of the files expected there, and halves."""
    for path in sorted((run / DEALS).rglob("*")):
        if not path.is_dir() and path not in expected:
            yield path
    yield from sorted(run.glob(".*.part"))
