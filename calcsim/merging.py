"""Runs of disjoint ranges of one plan, joined into one: the call behind `calcsim merge`."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from calcsim.analysis.run import Run, RunError
from calcsim.analysis.run_tables import run_tables
from calcsim.analysis.totals import Totals
from calcsim.batch.identity import differences, plan_fields, plan_sha256, setting_fields
from calcsim.batch.manifest import now
from calcsim.batch.row_folders import SOURCES, row_file
from calcsim.batch.rows import read_rows, row_digest
from calcsim.batch.run_directory import Contents, RunDirectory, new_directory
from calcsim.batch.shard_record import ShardRecord
from calcsim.game.variant_data import variant_from_record
from calcsim.reproducing import journal_of


class MergeError(Exception):
    """Runs that are not parts of one."""


_OF_EACH_RUN = ("first_deal", "deals_done", "command", "machine", "throughput", "merged")


def merge(runs: Sequence[Run], out: Path | str) -> Run:
    """Join runs into the one that would have played all their deals in one go.

    Args:
        runs: two or more, opened from their directories; in any order.
        out: a new directory.

    Raises:
        MergeError: they are of different plans or settings, could stop early, share deals, or
            leave some out between them.
        RunError: a run's journal or rows are not what it has written.
        RunDirectoryError: `out` cannot take the run.
    """
    if len(runs) < 2:
        raise MergeError("there is nothing to merge: name two runs or more")
    runs = sorted(runs, key=lambda run: int(run.manifest["first_deal"]))
    _refuse_others(runs)
    _refuse_overlaps_and_gaps(runs)
    shards = [(run, record) for run in runs for record in journal_of(run)]
    manifest = runs[0].manifest
    variant = variant_from_record(manifest["variant"])
    labels = tuple(entry["label"] for entry in manifest["strategies"])
    contents = Contents(labels, len(variant.foundations), manifest["rows"])
    entries = _merged_strategies(runs)
    directory = new_directory(Path(out), contents)
    try:
        totals = Totals(labels, variant.winning_cards)
        for run, record in shards:
            _copy(run, record, directory, contents.rows)
            totals.add(record)
        tables = run_tables(
            totals.tallies,
            totals.duels,
            variant,
            manifest["seed"],
            manifest["confidence"],
            sequential=False,
        )
        directory.write_tables(tables)
        merged = _merged_manifest(runs, entries, directory.digests())
        _copy_sources(runs[0], directory)
        directory.write_manifest(merged)
    except BaseException:
        directory.abandon()
        raise
    directory.release()
    return Run(**tables, manifest=merged, path=directory.path)


def _refuse_others(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs:
        if run.manifest["stopping"] is not None:
            raise MergeError(
                f"{run.path} could stop when its data said so: it is no part of a larger run"
            )
    for run in runs[1:]:
        there, here = (plan_fields(r.manifest) | setting_fields(r.manifest) for r in (first, run))
        if differ := list(differences(there, here)):
            head = f"{first.path} and {run.path} are not parts of one run (there: {first.path})"
            raise MergeError("\n  ".join([head, *differ]))


def _refuse_overlaps_and_gaps(runs: Sequence[Run]) -> None:
    for run, following in pairwise(runs):
        end, first = _end(run), following.manifest["first_deal"]
        if first < end:
            last = min(end, _end(following)) - 1
            raise MergeError(
                f"{run.path} and {following.path} have both played deals {first} to {last}"
            )
        if first > end:
            raise MergeError(
                f"deals {end} to {first - 1} are missing between {run.path} and {following.path}: "
                "a run has consecutive deals"
            )


def _end(run: Run) -> int:
    """The number after that of the last deal of a run."""
    return int(run.manifest["first_deal"] + run.manifest["deals_done"])


def _copy(run: Run, record: ShardRecord, directory: RunDirectory, rows: bool) -> None:
    """Copy a shard, whose rows must be what was written."""
    assert run.path
    columns = {}
    for label, digest in zip(record.labels, record.rows, strict=True) if rows else ():
        file = row_file(run.path, label, record.first, record.count).path
        found = read_rows(file)
        if found is None or row_digest(found) != digest:
            raise RunError(f"{file} is not what the run has written: go on with it by --resume")
        columns[label] = found
    directory.write_shard(record, columns)


def _copy_sources(run: Run, directory: RunDirectory) -> None:
    assert run.path
    if (run.path / SOURCES).is_dir():
        shutil.copytree(run.path / SOURCES, directory.path / SOURCES)


def _merged_strategies(runs: Sequence[Run]) -> list[dict[str, Any]]:
    of_runs = zip(*(run.manifest["strategies"] for run in runs), strict=True)
    return [_merged_strategy(entries) for entries in of_runs]


def _merged_manifest(
    runs: Sequence[Run], strategies: list[dict[str, Any]], digests: dict[str, Any]
) -> dict[str, Any]:
    manifests = [run.manifest for run in runs]
    first = manifests[0]
    merged = first | {
        "status": "finished",
        "first_deal": min(m["first_deal"] for m in manifests),
        "deals": sum(m["deals_done"] for m in manifests),
        "deals_done": sum(m["deals_done"] for m in manifests),
        "strategies": strategies,
        "command": shlex.join(["calcsim", *sys.argv[1:]]),
        "started": min(m["started"] for m in manifests),
        "resumed": [],
        "ended": now().isoformat(timespec="seconds"),
        "merged": [{name: m.get(name) for name in _OF_EACH_RUN} for m in manifests],
        "digests": digests,
    }
    for name in ("machine", "throughput"):
        merged.pop(name, None)
    return merged | {"plan_sha256": plan_sha256(merged)}


def _merged_strategy(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a manifest says of a strategy that has played in several runs."""
    taken = [entry["fingerprint"] for entry in entries if entry["fingerprint"]]
    if len({*taken}) > 1:
        raise MergeError(f"'{entries[0]['label']}' has played otherwise in one run than in another")
    return entries[0] | {
        "fingerprint": taken[0] if taken else None,
        "deals_done": sum(entry["deals_done"] for entry in entries),
        "seconds": round(sum(entry["seconds"] for entry in entries), 3),
        "audited": sum(entry["audited"] for entry in entries),
        "faults": [fault for entry in entries for fault in entry["faults"]][:3],
    }
