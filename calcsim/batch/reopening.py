"""Going on with a run: what of it is whole, and whether it is the same run at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from calcsim.batch.claim import CLAIM, Claim
from calcsim.batch.disk_errors import TakenError, told_plainly
from calcsim.batch.identity import differences, plan_fields, setting_fields
from calcsim.batch.journal import JOURNAL, read_journal, rewrite_journal
from calcsim.batch.row_folders import DEALS, SOURCES, row_file
from calcsim.batch.run_directory import MANIFEST, Contents, RunDirectory
from calcsim.batch.set_aside import SET_ASIDE, set_aside, strangers
from calcsim.batch.shard_record import ShardRecord

Note = Callable[[str], None]
Manifest = dict[str, Any]


def reopened_directory(
    path: Path, contents: Contents, manifest: Manifest, note: Note
) -> tuple[RunDirectory, Manifest | None]:
    """Go on with the run that a directory holds; if it holds nothing, begin one.

    Args:
        path: where.
        contents: what it will hold.
        manifest: what it would be if the run began now; it may have more deals than before.
        note: called with lines on what was found.

    Returns:
        The directory, with the records of all shards that are whole, and the manifest that was
        found there.

    Raises:
        TakenError: it holds another run or something else, or another process writes to it.
        RunDirectoryError: it cannot be read or written.
    """
    claim = Claim(path)
    try:
        found = recorded_manifest(path) if _holds_a_run(path, claim) else None
        if found is None:
            with told_plainly(path):
                _set_others_aside(path, [], contents.rows, note)
            note(f"{path} holds no run yet: this one begins with its first deal")
            return RunDirectory(path, claim, contents), None
        refuse_other_plans(path, found, manifest)
        with told_plainly(path):
            records = list(_whole_shards(path, contents.rows))
            _set_others_aside(path, records, contents.rows, note)
    except BaseException:
        claim.release()
        raise
    return RunDirectory(path, claim, contents, records), found


def _holds_a_run(path: Path, claim: Claim) -> bool:
    """Whether there is more than what a run leaves that was killed before its first shard."""
    if not claim.holds_something():
        return False
    names = {entry.name for entry in path.iterdir()}
    return not names <= {CLAIM, DEALS, SOURCES, SET_ASIDE}


def recorded_manifest(path: Path) -> Manifest:
    """The manifest in a directory.

    Raises:
        TakenError: there is none, or it cannot be read.
    """
    try:
        found: Manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        found["schema_version"]
    except FileNotFoundError:
        raise TakenError(
            f"{path} holds no run to go on with ({MANIFEST} is missing): name another directory"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TakenError(
            f"{path} holds no run to go on with ({MANIFEST} cannot be read: {error})"
        ) from None
    return found


def refuse_other_plans(path: Path, there: Manifest, here: Manifest) -> None:
    """Refuse a directory whose run is another one than that of `here`, or has more deals.

    Raises:
        TakenError: the text tells the fields that differ.
    """
    try:
        there_fields = plan_fields(there) | setting_fields(there)
        there_fields["first deal"], deals_there = there["first_deal"], there["deals"]
    except (KeyError, TypeError) as error:
        raise TakenError(
            f"the run in {path} is of another version of calcsim ({error} is not in {MANIFEST})"
        ) from None
    here_fields = plan_fields(here) | setting_fields(here) | {"first deal": here["first_deal"]}
    differ = list(differences(there_fields, here_fields))
    if here["deals"] < deals_there:
        differ.append(
            f"deals: {deals_there} there, {here['deals']} here (there may be more, not fewer)"
        )
    if differ:
        raise TakenError(
            "\n  ".join([f"the run in {path} is another one: name a new directory", *differ])
        )


def _whole_shards(path: Path, rows: bool) -> Iterator[ShardRecord]:
    """Of the shards that the journal tells, those whose files are all there."""
    for record in read_journal(path)[0]:
        files = (row_file(path, label, record.first, record.count) for label in record.labels)
        if not rows or all(file.path.is_file() for file in files):
            yield record


def _set_others_aside(path: Path, records: list[ShardRecord], rows: bool, note: Note) -> None:
    """What is torn, or not of these shards, is moved to where nobody counts it."""
    files = {
        row_file(path, label, record.first, record.count).path
        for record in records
        for label in record.labels
        if rows
    }
    others = list(strangers(path, files))
    for file in others:
        set_aside(path, file)
    known, torn = read_journal(path)
    if torn or len(known) > len(records):
        rewrite_journal(path, records)
        others.append(path / JOURNAL)
    if others:
        shown = ", ".join(str(file.relative_to(path)) for file in others[:3])
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        note(f"torn or not of this run, and so set aside in {path / SET_ASIDE}: {shown}{more}")


def recorded_fingerprints(found: Manifest) -> dict[str, str]:
    """Those in a manifest, by the strategies' labels; none if they were not taken yet."""
    taken = {strategy["label"]: strategy["fingerprint"] for strategy in found["strategies"]}
    return {label: fingerprint for label, fingerprint in taken.items() if fingerprint}


def refuse_drift(before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Refuse strategies that play otherwise than when the run was begun.

    Args:
        before: fingerprints from then, by labels.
        now: those of all strategies now.

    Raises:
        TakenError: the text names one.
    """
    for label, fingerprint in before.items():
        if now[label] != fingerprint:
            raise TakenError(
                f"'{label}' plays otherwise than when the run was begun, though its source is the "
                "same: calcsim or a library has changed; begin a new run"
            )
