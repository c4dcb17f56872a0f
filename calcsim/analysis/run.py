"""A finished run: its tables, wherever they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

MANIFEST = "run.json"


class RunError(Exception):
    """A directory that holds no run, or one that cannot be read."""


@dataclass(frozen=True)
class Run:
    """Results of a plan.

    Attributes:
        win_rates: a row per strategy.
        foundation_counts: a row per strategy and number of foundation cards.
        manifest: what `run.json` holds.
        path: the run directory, or None for a run that was not written.
    """

    win_rates: pl.DataFrame
    foundation_counts: pl.DataFrame
    manifest: dict[str, Any]
    path: Path | None = None

    def deals(self) -> pl.LazyFrame:
        """A row per strategy and deal, with a column `strategy`; read as needed.

        Raises:
            RunError: the run kept none.
        """
        rows = self.path / "deals" if self.path else None
        if rows is None or not rows.is_dir():
            raise RunError("this run kept no rows per deal")
        return pl.scan_parquet(rows / "**/*.parquet", hive_partitioning=True)


def scan(path: str | Path) -> Run:
    """Open a run directory.

    Raises:
        RunError: it holds no finished run.
    """
    folder = Path(path)
    for name in (MANIFEST, "win_rates.parquet", "foundation_counts.parquet"):
        if not (folder / name).exists():
            raise RunError(f"{folder} holds no finished run: {name} is missing")
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        win_rates = pl.read_parquet(folder / "win_rates.parquet")
        foundation_counts = pl.read_parquet(folder / "foundation_counts.parquet")
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{folder} cannot be read: {error}") from None
    return Run(win_rates, foundation_counts, manifest, folder)
