"""A run played again from its own manifest and journal: the call behind `calcsim reproduce`."""

from __future__ import annotations

import importlib.metadata
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

import numpy as np

from calcsim.analysis.run import TABLES, Run, RunError
from calcsim.analysis.run_tables import run_tables
from calcsim.analysis.totals import Totals
from calcsim.batch.digest import RowDigest, content_digest
from calcsim.batch.journal import JOURNAL, read_journal
from calcsim.batch.plan import Plan
from calcsim.batch.progress import Progress
from calcsim.batch.row_folders import DEALS, SOURCES, row_file, source_folder
from calcsim.batch.rows import deal_rows, read_rows, row_digest, row_schema
from calcsim.batch.set_aside import strangers
from calcsim.batch.shard import Shard, ShardResult, make_shards
from calcsim.batch.shard_record import ShardRecord
from calcsim.batch.wanted import Wanted
from calcsim.batch.workers import Workers, available_cores
from calcsim.compiling import compile_strategies
from calcsim.game.shuffle import DEAL_FORMAT
from calcsim.game.variant_data import variant_from_record
from calcsim.recorded import (
    ChangedError,
    changes,
    recorded_deck,
    strategy_now,
)
from calcsim.strategy.catalogue import BUILTIN

Note = Callable[[str], None]


@dataclass(frozen=True)
class Reproduction:
    """What came of a run that was played again.

    Attributes:
        changed: what is no longer as it was when the run was made, a line each.
        drifted: labels of the strategies whose fingerprints are others now.
        shards: how many were played again.
        of: how many there are.
        deals: in those that were played again.
        tables: the run's tables, `deals` of each strategy, the journal and the copies of sources,
            to what is wrong with them: a line, or None. A sample has no tables.
    """

    changed: list[str]
    drifted: list[str]
    shards: int
    of: int
    deals: int
    tables: dict[str, str | None]

    @property
    def is_same(self) -> bool:
        """Whether all that was compared is the same."""
        return not any(self.tables.values())


def reproduce(
    run: Run,
    *,
    share: float = 1.0,
    sample_seed: int = 0,
    workers: int | None = None,
    show_progress: bool = False,
    note: Note = lambda line: None,
) -> Reproduction:
    """Play a run again and compare the content of everything. Call it as `simulate`.

    Args:
        run: a run directory that was opened.
        share: of its shards, above 0 and at most 1.
        sample_seed: draws which shards, if it is not all of them.
        workers: processes; left out, one for each core that this process may use.
        show_progress: draw a progress bar on standard error if it is a terminal.
        note: called with lines that a user may want to read meanwhile.

    Raises:
        RunError: the run has no journal, or it does not hold what the run has played.
        ChangedError: a strategy or the deck is gone.
        StrategyFault: a strategy has changed, and cannot finish a game any more.
        StrategyError: a strategy does not compile any more.
        WorkerError: worker processes were killed.
    """
    records = journal_of(run)
    plan, changed = _plan_now(run)
    chosen = _chosen(records, share, sample_seed)
    comparison = _Comparison(run, plan, whole=len(chosen) == len(records))
    with (
        Progress(sum(record.count for record in chosen), show_progress) as progress,
        Workers(workers or available_cores()) as crew,
    ):
        compile_strategies(plan, crew, note)
        fingerprints = crew.take_fingerprints(plan)
        shards = (_shard(plan, record, run.manifest["keep_going"]) for record in chosen)
        results = crew.play_in_order(shards)
        drifted = _drifted(run, plan, list(fingerprints))
        for record, result in zip(chosen, results, strict=True):
            comparison.add(record, result)
            progress.add(record.count, ())
    deals = sum(record.count for record in chosen)
    return Reproduction(changed, drifted, len(chosen), len(records), deals, comparison.tables())


def journal_of(run: Run) -> list[ShardRecord]:
    """The shards of a run in the order of their deals.

    Raises:
        RunError: they are not all that the run has played.
    """
    assert run.path
    records, torn = read_journal(run.path)
    deals = sum(record.count for record in records)
    if torn or deals != run.manifest["deals_done"]:
        raise RunError(
            f"{run.path}: its journal tells {deals} deals and {torn} lines that are torn, its "
            f"manifest {run.manifest['deals_done']} deals: go on with the run by --resume"
        )
    return records


def _plan_now(run: Run) -> tuple[Plan, list[str]]:
    """The plan of a run with its strategies as they are now, and what has changed since."""
    manifest = run.manifest
    if manifest["deal_format"] != DEAL_FORMAT:
        raise ChangedError("this version of calcsim deals other cards than the one of the run")
    variant = variant_from_record(manifest["variant"])
    changed = list(_other_versions(manifest))
    strategies = []
    for entry in manifest["strategies"]:
        assert run.path
        strategies.append(strategy_now(entry, source_folder(run.path, entry["label"])))
        others = changes(strategies[-1], entry, variant)
        changed += [f"'{entry['label']}': {other}" for other in others]
    deals = manifest["deals"]
    deck = recorded_deck(manifest, variant, run.path)
    seed, first = manifest["seed"], manifest["first_deal"]
    return Plan(tuple(strategies), variant, seed, first, deals, deck), changed


def _other_versions(manifest: dict[str, Any]) -> Iterator[str]:
    for name, before in {"calcsim": manifest["calcsim"], **manifest["libraries"]}.items():
        now = importlib.metadata.version(name)
        if now != before:
            yield f"{name}: {before} then, {now} now"


def _chosen(records: Sequence[ShardRecord], share: float, seed: int) -> list[ShardRecord]:
    if not 0 < share <= 1:
        raise ValueError(f"a share lies above 0 and is at most 1, not {share}")
    number = max(1, round(len(records) * share))
    chosen = random.Random(seed).sample(range(len(records)), min(number, len(records)))
    return [records[place] for place in sorted(chosen)]


def _shard(plan: Plan, record: ShardRecord, keep_going: bool | None) -> Shard:
    strategies = tuple(s for s in plan.strategies if s.label in record.labels)
    again = replace(plan, strategies=strategies, first_deal=record.first, deals=record.count)
    return next(make_shards(again, record.count, wanted=Wanted(keep_going=keep_going, audit=0)))


def _drifted(run: Run, plan: Plan, fingerprints: list[str]) -> list[str]:
    before = [entry["fingerprint"] for entry in run.manifest["strategies"]]
    return [
        strategy.label
        for strategy, then, now in zip(plan.strategies, before, fingerprints, strict=True)
        if then not in (None, now)
    ]


class _Comparison:
    """A run, as it is told and as it is on disk, against what is played again."""

    def __init__(self, run: Run, plan: Plan, whole: bool) -> None:
        self.run = run
        self.plan = plan
        self.whole = whole
        labels = [strategy.label for strategy in plan.strategies]
        self._totals = Totals(labels, plan.variant.winning_cards)
        schema = row_schema(len(plan.variant.foundations))
        self._rows = {label: RowDigest(schema) for label in labels}
        self._wrong: dict[str, str | None] = dict.fromkeys(f"{DEALS} {label}" for label in labels)
        self._wrong |= {JOURNAL: None, SOURCES: _altered_copy(run)}

    def add(self, record: ShardRecord, result: ShardResult) -> None:
        """Compare a shard; shards come in the order of their deals."""
        self._totals.add(result.record)
        difference = record.difference(result.record)
        if difference and record.rows == result.record.rows:
            where = f"in deals {record.first} to {record.end - 1}"
            self._wrong[JOURNAL] = self._wrong[JOURNAL] or f"it tells another {difference} {where}"
        for place, label in enumerate(record.labels):
            rows = deal_rows(result.deals, result.games[place])
            self._rows[label].update(rows)
            name = f"{DEALS} {label}"
            self._wrong[name] = self._wrong[name] or self._what_differs(record, place, rows)

    def _what_differs(self, record: ShardRecord, place: int, rows: dict[str, Any]) -> str | None:
        where = f"in deals {record.first} to {record.end - 1}"
        if row_digest(rows) != record.rows[place]:
            first = self._first_other(record, place, rows)
            return f"played again, it differs {where}{first}"
        if self.run.keeps_rows:
            kept = self._kept(record, place)
            if kept is None or row_digest(kept) != record.rows[place]:
                return f"its file {where} is not what the run has written"
        return None

    def _kept(self, record: ShardRecord, place: int) -> dict[str, Any] | None:
        assert self.run.path
        label = record.labels[place]
        return read_rows(row_file(self.run.path, label, record.first, record.count).path)

    def _first_other(self, record: ShardRecord, place: int, rows: dict[str, Any]) -> str:
        """Where the rows that were kept differ first."""
        kept = self._kept(record, place) if self.run.keeps_rows else None
        if kept is None or kept.keys() != rows.keys() or kept["deal"].size != rows["deal"].size:
            return ""
        differ = np.any([kept[name] != rows[name] for name in rows], axis=0)
        return f", first in deal {rows['deal'][differ][0]}" if differ.any() else ""

    def tables(self) -> dict[str, str | None]:
        """What is wrong with each table."""
        if not self.whole:
            return self._wrong
        self._find_strangers()
        digests = self.run.manifest["digests"]
        for label, of_label in digests.get(DEALS, {}).items():
            name = f"{DEALS} {label}"
            if self._rows[label].hexdigest() != of_label:
                self._wrong[name] = self._wrong[name] or "its digest in run.json is another"
        return {name: self._of_table(name, frame) for name, frame in self._made()} | self._wrong

    def _find_strangers(self) -> None:
        """Files among the rows that the run has not written."""
        assert self.run.path
        labels = self.run.win_rates["strategy"] if self.run.keeps_rows else ()
        expected = {
            row_file(self.run.path, label, record.first, record.count).path
            for record in journal_of(self.run)
            for label in labels
        }
        for path in strangers(self.run.path, expected):
            label = unquote(path.parent.name.removeprefix("strategy="))
            name = f"{DEALS} {label}" if f"{DEALS} {label}" in self._wrong else JOURNAL
            where = path.relative_to(self.run.path)
            self._wrong[name] = self._wrong[name] or f"{where} is not of this run"

    def _made(self) -> Iterator[tuple[str, str]]:
        """The tables that follow from what was played, by their names: digests."""
        manifest = self.run.manifest
        made = run_tables(
            self._totals.tallies,
            self._totals.duels,
            self.plan.variant,
            manifest["seed"],
            manifest["confidence"],
            sequential=manifest["stopping"] is not None,
        )
        return ((name, content_digest(made[name])) for name in TABLES)

    def _of_table(self, name: str, again: str) -> str | None:
        if again != self.run.manifest["digests"][name]:
            return "played again, it differs"
        if content_digest(self.run.tables()[name]) != again:
            return "its file is not what the run has written"
        return None


def _altered_copy(run: Run) -> str | None:
    """What is wrong with the copies of strategy files that are kept with a run."""
    assert run.path
    for entry in run.manifest["strategies"]:
        kept = source_folder(run.path, entry["label"])
        digests = {sha256(file.read_bytes()).hexdigest() for file in kept.rglob("*.py")}
        expected = {entry["source_sha256"], *entry.get("imports", {}).values()}
        if entry["origin"] != BUILTIN and not expected <= digests:
            return f"the copy of '{entry['label']}' is missing or was changed"
    return None
