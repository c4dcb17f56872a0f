"""The run directory: rows as they come in, tables and manifest at the end."""

from __future__ import annotations

import datetime
import errno
import itertools
import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from calcsim.batch.digest import RowDigest, content_digest
from calcsim.batch.files import write_whole
from calcsim.batch.plan import Plan
from calcsim.batch.row_folders import DEALS, row_file
from calcsim.batch.rows import Columns, deal_rows, row_schema, write_parquet
from calcsim.batch.shard import ShardResult

if TYPE_CHECKING:
    import polars as pl

MANIFEST = "run.json"
CLAIM = ".writing"
"""Name of the empty file that is in a run directory while a run is written to it."""


class RunDirectoryError(Exception):
    """A directory that cannot take a run, or cannot be written any more."""


def default_directory(plan: Plan) -> Path:
    """A new directory under `results/`, whose name tells the time, the variant and the seed."""
    now = datetime.datetime.now()
    name = f"{now:%Y-%m-%dT%H-%M-%S}-{plan.variant.name}-seed-{plan.seed}"
    path = Path("results") / quote(name, safe="")
    others = (path.with_name(f"{path.name}-{number}") for number in itertools.count(2))
    return next(new for new in itertools.chain([path], others) if not new.exists())


class RunDirectory:
    """A directory that one run is written to."""

    def __init__(self, path: Path, plan: Plan, keep_deals: bool) -> None:
        """Make the directory, or take an empty one.

        Args:
            path: where.
            plan: of the run.
            keep_deals: whether the table `deals` is written.

        Raises:
            RunDirectoryError: it holds something, is a file, or cannot be made or written.
        """
        self.path = path
        self._table_digests: dict[str, str] = {}
        self._keep_deals = keep_deals
        labels = [strategy.label for strategy in plan.strategies]
        schema = row_schema(len(plan.variant.foundations))
        self._row_digests = {label: RowDigest(schema) for label in labels}
        with _told_plainly(path):
            self._made = [folder for folder in (path, *path.parents) if not folder.exists()]
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()):
                raise RunDirectoryError(
                    f"{path} is not empty and nothing is written over: name a new directory"
                )
            self._claim()

    def _claim(self) -> None:
        """Make sure that of two runs that find the directory empty only one writes to it."""
        try:
            (self.path / CLAIM).open("x").close()
        except FileExistsError:
            raise RunDirectoryError(
                f"another run is writing to {self.path}: name a new directory"
            ) from None

    def release(self) -> None:
        """Say that this run writes no more."""
        _remove([self.path / CLAIM])

    def discard(self) -> None:
        """Take back the directory of a run that came to nothing."""
        with suppress(OSError):
            (self.path / MANIFEST).unlink(missing_ok=True)
            self.release()
            for folder in self._made:
                folder.rmdir()

    def add(self, result: ShardResult) -> None:
        """Write a shard's rows. Shards must come in the order of their deals.

        Raises:
            RunDirectoryError: the disk is full, say; nothing of this shard is left.
        """
        if not self._keep_deals:
            return
        games = zip(result.labels, result.games, strict=True)
        rows = {label: deal_rows(result.deals, of_label) for label, of_label in games}
        written: list[Path] = []
        try:
            for label, columns in rows.items():
                deals = result.deals
                written.append(row_file(self.path, label, deals.first, deals.count).path)
                self._write_rows(written[-1], columns)
        except RunDirectoryError:
            _remove(written)
            raise
        for label, columns in rows.items():
            self._row_digests[label].update(columns)

    def _write_rows(self, path: Path, columns: Columns) -> None:
        import polars as pl

        with _told_plainly(path):
            write_whole(path, partial(write_parquet, pl.DataFrame(columns)))

    def write_tables(self, tables: dict[str, pl.DataFrame]) -> None:
        """Write tables by their names, all of them or none, and note the digests of their content.

        Raises:
            RunDirectoryError: the disk is full, say.
        """
        paths = [self.path / f"{name}.parquet" for name in tables]
        try:
            for path, frame in zip(paths, tables.values(), strict=True):
                with _told_plainly(path):
                    write_whole(path, partial(write_parquet, frame))
        except RunDirectoryError:
            _remove(paths)
            raise
        self._table_digests = {name: content_digest(frame) for name, frame in tables.items()}

    def digests(self) -> dict[str, Any]:
        """Digests of the content of all tables that are written, of `deals` one a strategy."""
        digests: dict[str, Any] = dict(self._table_digests)
        if self._keep_deals:
            digests[DEALS] = {k: digest.hexdigest() for k, digest in self._row_digests.items()}
        return digests

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write `run.json`."""
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        path = self.path / MANIFEST
        with _told_plainly(path):
            write_whole(path, lambda file: file.write(text.encode()))


def _remove(paths: list[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()


class _told_plainly:  # noqa: N801 - reads as what it does
    """Turn an `OSError` about a path into a `RunDirectoryError` that says what to do."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            what = error.strerror or str(error)
            hint = {
                errno.ENOSPC: "make room, or name a directory on another disk with --out",
                errno.EACCES: "name a directory that you may write to with --out",
                errno.EROFS: "name a directory that you may write to with --out",
                errno.ENOTDIR: "name a directory with --out",
                errno.EEXIST: "a file has that name: name a directory with --out",
            }.get(error.errno or 0, "name another directory with --out")
            raise RunDirectoryError(f"cannot write {self.path}: {what}; {hint}") from None
