"""The journal of a run: a line for each shard that is whole, written once its rows are.

Each line bears its own digest, so that one which a power cut has torn is never taken for whole.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from calcsim.batch.files import write_whole
from calcsim.batch.set_aside import set_aside
from calcsim.batch.shard_record import ShardRecord, record_from_data

JOURNAL = "shards.ndjson"


def read_journal(folder: Path) -> tuple[list[ShardRecord], int]:
    """The shards of a run directory that are whole, and how many lines are not.

    Returns:
        The records in the order of their deals, of those that overlap only the first that was
        written; and the number of lines that are torn, changed or overlap others.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return [], 0
    found = (record for record in map(_record_in, lines) if record is not None)
    records: list[ShardRecord] = []
    for record in found:
        place = bisect_left(records, record.first, key=lambda other: other.first)
        if not _overlaps(record, records[max(0, place - 1) : place + 1]):
            records.insert(place, record)
    return records, len(lines) - len(records)


def append_to_journal(folder: Path, record: ShardRecord) -> None:
    """Note that a shard is whole.

    Raises:
        OSError: the line could not be written; nothing is left of it then.
    """
    descriptor = os.open(folder / JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    with os.fdopen(descriptor, "ab", buffering=0) as file:
        size = os.fstat(descriptor).st_size
        try:
            _write_all(descriptor, _line(record))
            os.fsync(descriptor)
        except BaseException:
            file.truncate(size)
            raise


def rewrite_journal(folder: Path, records: Iterable[ShardRecord]) -> None:
    """Set a journal aside, and write one of these records alone.

    Raises:
        OSError: it cannot be written.
    """
    set_aside(folder, folder / JOURNAL)
    whole = b"".join(map(_line, records))
    write_whole(folder / JOURNAL, lambda file: file.write(whole))


def _line(record: ShardRecord) -> bytes:
    text = _text(record.as_data())
    return f'{{"sha256":"{_digest(text)}","shard":{text}}}\n'.encode()


def _record_in(line: bytes) -> ShardRecord | None:
    try:
        data = json.loads(line)
        if not line.endswith(b"\n") or data["sha256"] != _digest(_text(data["shard"])):
            return None
        return record_from_data(data["shard"])
    except (ValueError, KeyError, TypeError):
        return None


def _overlaps(record: ShardRecord, others: list[ShardRecord]) -> bool:
    return any(record.first < other.end and other.first < record.end for other in others)


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write_all(descriptor: int, block: bytes) -> None:
    rest = memoryview(block)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
