"""A finished run: its tables, wherever they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl

MANIFEST = "run.json"
TABLES = ("win_rates", "foundation_counts", "head_to_head")


class RunError(Exception):
    """A directory that holds no run, or one that cannot be read."""


@dataclass(frozen=True)
class Run:
    """Results of a plan.

    Attributes:
        win_rates: a row per strategy.
        foundation_counts: a row per strategy and number of foundation cards.
        head_to_head: a row per ordered pair of strategies.
        manifest: what `run.json` holds.
        path: the run directory, or None for a run that was not written.
    """

    win_rates: pl.DataFrame
    foundation_counts: pl.DataFrame
    head_to_head: pl.DataFrame
    manifest: dict[str, Any]
    path: Path | None = None

    def tables(self) -> dict[str, pl.DataFrame]:
        """The tables that a run directory holds in a file each, by their names."""
        return {name: getattr(self, name) for name in TABLES}

    def deals(self) -> pl.LazyFrame:
        """A row per strategy and deal, with a column `strategy`; read as needed.

        Raises:
            RunError: the run kept none.
        """
        folders = sorted(self.path.glob("deals/strategy=*")) if self.path else []
        if not folders:
            raise RunError("this run kept no rows per deal")
        return pl.concat(_rows_of(folder) for folder in folders)


def _rows_of(folder: Path) -> pl.LazyFrame:
    """One strategy's rows. Only the folder's own name tells the strategy, whatever it lies in."""
    label = unquote(folder.name.removeprefix("strategy="))
    files = sorted(folder.glob("*.parquet"), key=lambda file: int(file.name.partition("-")[0]))
    rows = pl.scan_parquet(files, glob=False, hive_partitioning=False)
    return rows.with_columns(strategy=pl.lit(label))


def scan(path: str | Path) -> Run:
    """Open a run directory.

    Raises:
        RunError: it holds no finished run.
    """
    folder = Path(path)
    for name in (MANIFEST, *(f"{table}.parquet" for table in TABLES)):
        if not (folder / name).exists():
            raise RunError(f"{folder} holds no finished run: {name} is missing")
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        tables = {name: _read_table(folder, name) for name in TABLES}
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{folder} cannot be read: {error}") from None
    return Run(**tables, manifest=manifest, path=folder)


def _read_table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{name}.parquet", glob=False, hive_partitioning=False)
