"""The run directory: rows as they come in, tables and manifest at the end."""

from __future__ import annotations

import datetime
import itertools
import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote

from calcsim.batch.claim import Claim
from calcsim.batch.digest import RowDigest, content_digest
from calcsim.batch.disk_errors import RunDirectoryError, TakenError, told_plainly
from calcsim.batch.files import write_whole
from calcsim.batch.journal import JOURNAL, append_to_journal, rewrite_journal
from calcsim.batch.plan import Plan
from calcsim.batch.row_folders import DEALS, SOURCES, row_file, source_folder
from calcsim.batch.rows import (
    Columns,
    deal_rows,
    read_rows,
    row_digest,
    row_schema,
    write_parquet,
)
from calcsim.batch.set_aside import SET_ASIDE, set_aside
from calcsim.batch.shard import ShardResult
from calcsim.batch.shard_record import ShardRecord
from calcsim.strategy.source import Source

if TYPE_CHECKING:
    import polars as pl

MANIFEST = "run.json"


def default_directory(plan: Plan) -> Path:
    """A new directory under `results/`, whose name tells the time, the variant and the seed."""
    now = datetime.datetime.now()
    name = f"{now:%Y-%m-%dT%H-%M-%S}-{plan.variant.name}-seed-{plan.seed}"
    path = Path("results") / quote(name, safe="")
    others = (path.with_name(f"{path.name}-{number}") for number in itertools.count(2))
    return next(new for new in itertools.chain([path], others) if not new.exists())


@dataclass(frozen=True)
class Contents:
    """What a run directory will hold.

    Attributes:
        labels: of the strategies.
        foundations: how many the variant has.
        rows: whether the table `deals` is written.
        sources: of strategies that are nowhere else for certain, by their labels.
    """

    labels: tuple[str, ...]
    foundations: int
    rows: bool
    sources: Mapping[str, Source] = field(default_factory=dict)


class RunDirectory:
    """A directory that one run is written to."""

    def __init__(
        self,
        path: Path,
        claim: Claim,
        contents: Contents,
        records: Iterable[ShardRecord] = (),
    ) -> None:
        """Take a directory that is there; see `new_directory` and `reopening.reopened_directory`.

        Args:
            path: where.
            claim: on it.
            contents: what it will hold.
            records: of shards that are whole already, in the order of their deals.
        """
        self.path = path
        self.records = {record.first: record for record in records}
        self._claim = claim
        self._contents = contents
        self._table_digests: dict[str, str] = {}
        self._row_files: list[Path] = []
        schema = row_schema(contents.foundations)
        self._row_digests = {label: RowDigest(schema) for label in contents.labels}

    def release(self) -> None:
        """Say that this run writes no more."""
        self._claim.release()

    def discard(self) -> None:
        """Take back the directory of a run that came to nothing."""
        with suppress(OSError):
            (self.path / MANIFEST).unlink(missing_ok=True)
            for name in (SOURCES, DEALS):
                shutil.rmtree(self.path / name, ignore_errors=True)
            self.release()
            for folder in self._claim.made:
                folder.rmdir()

    def abandon(self) -> None:
        """Take back all that was written."""
        self._claim.check()
        for name in (DEALS, SOURCES, SET_ASIDE):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for path in (self.path / JOURNAL, *self.path.glob("*.parquet")):
            path.unlink(missing_ok=True)
        self.discard()

    def add(self, result: ShardResult) -> None:
        """Write a shard that was played; see `write_shard`."""
        pairs = zip(result.record.labels, result.games, strict=True) if self._contents.rows else ()
        rows = {label: deal_rows(result.deals, games) for label, games in pairs}
        self.write_shard(result.record, rows)

    def write_shard(self, record: ShardRecord, rows: Mapping[str, Columns]) -> None:
        """Write a shard's rows, and then that it is whole. They come in the order of their deals.

        Raises:
            RunDirectoryError: the disk is full, say; nothing of this shard is left.
        """
        self._claim.check()
        written: list[Path] = []
        try:
            for label, columns in rows.items():
                written.append(row_file(self.path, label, record.first, record.count).path)
                self._write_rows(written[-1], columns)
            with told_plainly(self.path / JOURNAL):
                append_to_journal(self.path, record)
        except RunDirectoryError:
            _remove(written)
            raise
        self._row_files += written
        for label, columns in rows.items():
            self._row_digests[label].update(columns)

    def take_up(self, record: ShardRecord) -> bool:
        """Go through the rows of a shard that is whole already, in the order of the deals.

        Returns:
            Whether they are what was written. If not they are set aside, and the shard is no longer
            among the records.

        Raises:
            RunDirectoryError: it cannot be written.
        """
        if not self._contents.rows:
            return True
        rows = {}
        for label, digest in zip(record.labels, record.rows, strict=True):
            columns = read_rows(row_file(self.path, label, record.first, record.count).path)
            if columns is None or row_digest(columns) != digest:
                self._give_up(record)
                return False
            rows[label] = columns
        for label, columns in rows.items():
            self._row_digests[label].update(columns)
        return True

    def _give_up(self, record: ShardRecord) -> None:
        del self.records[record.first]
        files = [row_file(self.path, label, record.first, record.count) for label in record.labels]
        with told_plainly(self.path):
            for file in files:
                if file.path.exists():
                    set_aside(self.path, file.path)
            rewrite_journal(self.path, self.records.values())

    def _write_rows(self, path: Path, columns: Columns) -> None:
        import polars as pl

        with told_plainly(path):
            self._make_folder(path.parent)
            write_whole(path, partial(write_parquet, pl.DataFrame(columns)))

    def _make_folder(self, folder: Path) -> None:
        """Make a folder two levels below the directory, which itself must still be there."""
        folder.parent.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)

    def check_rows(self) -> None:
        """See that all rows that were written are still there.

        Raises:
            RunDirectoryError: some are not; the text names the first file.
        """
        for file in self._row_files:
            if not file.exists():
                raise RunDirectoryError(
                    f"{file} was removed while the run was written: its deals must be played again"
                )

    def write_tables(self, tables: dict[str, pl.DataFrame]) -> None:
        """Write tables by their names, all of them or none, and note the digests of their content.

        Raises:
            RunDirectoryError: the disk is full, say.
        """
        self._claim.check()
        paths = [self.path / f"{name}.parquet" for name in tables]
        try:
            for path, frame in zip(paths, tables.values(), strict=True):
                with told_plainly(path):
                    write_whole(path, partial(write_parquet, frame))
        except RunDirectoryError:
            _remove(paths)
            raise
        self._table_digests = {name: content_digest(frame) for name, frame in tables.items()}

    def digests(self) -> dict[str, Any]:
        """Digests of the content of all tables that are written, of `deals` one a strategy."""
        digests: dict[str, Any] = dict(self._table_digests)
        if self._contents.rows:
            digests[DEALS] = {k: digest.hexdigest() for k, digest in self._row_digests.items()}
        return digests

    def write_sources(self) -> None:
        """Write the sources that are kept with the run.

        Raises:
            RunDirectoryError: the disk is full, say.
        """
        for label, source in self._contents.sources.items():
            folder = source_folder(self.path, label)
            for file in (source.main, *source.siblings):
                path = folder / source.place_of(file)
                with told_plainly(path):
                    self._make_folder(folder)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(path, partial(_write, file.content))

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write `run.json`."""
        self._claim.check()
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        path = self.path / MANIFEST
        with told_plainly(path):
            write_whole(path, partial(_write, text.encode()))


def _write(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def new_directory(path: Path, contents: Contents) -> RunDirectory:
    """Make the directory of a run, or take an empty one.

    Args:
        path: where.
        contents: what it will hold.

    Raises:
        RunDirectoryError: it holds something, is a file, or cannot be made or written.
    """
    claim = Claim(path)
    if claim.holds_something():
        claim.release()
        raise TakenError(
            f"{path} is not empty and nothing is written over: name a new directory, or go on with "
            "the run in it by --resume"
        )
    return RunDirectory(path, claim, contents)


def _remove(paths: list[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()
