"""A finished run: its tables, wherever they come from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from calcsim.batch.digest import content_digest
from calcsim.batch.journal import read_journal
from calcsim.batch.row_folders import DEALS, RowFile, row_file, row_files
from calcsim.batch.rows import read_rows, row_digest

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

    @property
    def keeps_rows(self) -> bool:
        """Whether a row per strategy and deal was written with it."""
        return self.path is not None and DEALS in self.manifest["digests"]

    def deals(self) -> pl.LazyFrame:
        """A row per strategy and deal, with a column `strategy`; read as needed.

        Raises:
            RunError: the run kept none, or some are missing.
        """
        if not self.keeps_rows:
            raise RunError("this run kept no rows per deal")
        labels = sorted(self.win_rates["strategy"])
        return pl.concat(_rows_of(label, self.row_files(label)) for label in labels)

    def check_rows(self) -> None:
        """See that the rows are what was written, by the digests in the journal.

        Raises:
            RunError: those of a shard are not; the text names the file.
        """
        assert self.path
        for record in read_journal(self.path)[0]:
            for label, digest in zip(record.labels, record.rows, strict=True):
                file = row_file(self.path, label, record.first, record.count).path
                rows = read_rows(file)
                if rows is None or row_digest(rows) != digest:
                    raise RunError(f"{file} does not hold the rows that the run has written")

    def row_files(self, label: str) -> list[RowFile]:
        """The files of a strategy's rows, in the order of their deals; none if none were kept.

        Raises:
            RunError: they do not hold all deals that the strategy has played.
        """
        if self.path is None or not self.keeps_rows:
            return []
        files = row_files(self.path, label)
        expected = first = self.manifest["first_deal"]
        for file in files:
            if file.first != expected:
                break
            expected = file.last + 1
        played = self.win_rates.filter(strategy=label)["deals"].item()
        if expected != first + played:
            raise RunError(
                f"{self.path}: rows of '{label}' are missing, from deal {expected} on: the run "
                f"has played {played} deals with it and kept a row of each"
            )
        return files


def _rows_of(label: str, files: Sequence[RowFile]) -> pl.LazyFrame:
    """One strategy's rows. Only the run tells the strategy, whatever folder it lies in."""
    paths = [file.path for file in files]
    rows = pl.scan_parquet(paths, glob=False, hive_partitioning=False)
    return rows.with_columns(strategy=pl.lit(label))


def scan(path: str | Path) -> Run:
    """Open a run directory.

    Raises:
        RunError: it holds no finished run.
    """
    folder = Path(path)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "is not there"
        raise RunError(f"{folder} {what}: name the directory of a run")
    for name in (MANIFEST, *(f"{table}.parquet" for table in TABLES)):
        if not (folder / name).exists():
            raise RunError(f"{folder} holds no finished run: {name} is missing")
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        tables = {name: _read_table(folder, name) for name in TABLES}
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise RunError(f"{folder} cannot be read: {error}") from None
    run = Run(**tables, manifest=manifest, path=folder)
    _refuse_foreign(run)
    return run


def _refuse_foreign(run: Run) -> None:
    """Refuse tables that are not those of the manifest."""
    try:
        digests = run.manifest["digests"]
    except (KeyError, TypeError):
        raise RunError(f"{run.path} cannot be read: its {MANIFEST} is not that of a run") from None
    for name, table in run.tables().items():
        if content_digest(table) != digests.get(name):
            raise RunError(f"{run.path}/{name}.parquet is not the table that the run has written")


def _read_table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{name}.parquet", glob=False, hive_partitioning=False)
