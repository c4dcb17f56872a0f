"""What a run keeps of a shard besides its rows: all that its tables are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calcsim.batch.duels import Duels
from calcsim.engine.fault import Fault


@dataclass(frozen=True, eq=False)
class ShardRecord:
    """The counts of a shard, of each strategy in the order of the labels.

    Attributes:
        first: number of the first deal.
        count: how many deals.
        labels: of the strategies.
        tallies: int64, shape (winning cards + 1,) each: games by the number of foundation cards.
        direct_plays: stock cards that went straight to a foundation, in all games together.
        failed: games that a strategy could not finish.
        faults: the first few of these.
        duels: of all pairs.
        seconds: that were taken.
        audited: games that were played again in the reference engine.
        rows: digests of the content of the rows.
    """

    first: int
    count: int
    labels: tuple[str, ...]
    tallies: tuple[NDArray[np.int64], ...]
    direct_plays: tuple[int, ...]
    failed: tuple[int, ...]
    faults: tuple[tuple[Fault, ...], ...]
    duels: Duels
    seconds: tuple[float, ...]
    audited: tuple[int, ...]
    rows: tuple[str, ...]

    @property
    def end(self) -> int:
        """The number after that of the last deal."""
        return self.first + self.count

    def as_data(self) -> dict[str, Any]:
        """The record as JSON holds it."""
        return {
            "first": self.first,
            "count": self.count,
            "strategies": [self._strategy_data(place) for place in range(len(self.labels))],
            "both_won": self.duels.both_won.tolist(),
            "ahead": self.duels.ahead.tolist(),
            "won_where_failed": self.duels.won_where_failed.tolist(),
        }

    def _strategy_data(self, place: int) -> dict[str, Any]:
        return {
            "label": self.labels[place],
            "foundation_counts": self.tallies[place].tolist(),
            "direct_plays": self.direct_plays[place],
            "failed": self.failed[place],
            "faults": [fault.as_data() for fault in self.faults[place]],
            "seconds": round(self.seconds[place], 6),
            "audited": self.audited[place],
            "rows_sha256": self.rows[place],
        }

    def difference(self, other: ShardRecord) -> str | None:
        """In what another playing of the same shard has come out otherwise, or None."""
        pairs = zip(self.as_data()["strategies"], other.as_data()["strategies"], strict=True)
        for one, again in pairs:
            for name in ("foundation_counts", "direct_plays", "failed", "rows_sha256"):
                if one[name] != again[name]:
                    return f"{name} of '{one['label']}'"
        for name in ("both_won", "ahead", "won_where_failed"):
            if not np.array_equal(getattr(self.duels, name), getattr(other.duels, name)):
                return f"{name} of the pairs"
        return None


def record_from_data(data: dict[str, Any]) -> ShardRecord:
    """The opposite of `ShardRecord.as_data`; raises `KeyError`, `TypeError` or `ValueError`."""
    strategies = data["strategies"]

    def of_each(name: str) -> tuple[Any, ...]:
        return tuple(strategy[name] for strategy in strategies)

    matrices = (data["both_won"], data["ahead"], data["won_where_failed"])
    return ShardRecord(
        first=int(data["first"]),
        count=int(data["count"]),
        labels=of_each("label"),
        tallies=tuple(np.array(t, dtype=np.int64) for t in of_each("foundation_counts")),
        direct_plays=of_each("direct_plays"),
        failed=of_each("failed"),
        faults=tuple(tuple(map(Fault.from_data, faults)) for faults in of_each("faults")),
        duels=Duels.of_shard(int(data["count"]), of_each("failed"), *map(_matrix, matrices)),
        seconds=of_each("seconds"),
        audited=of_each("audited"),
        rows=of_each("rows_sha256"),
    )


def _matrix(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    return np.array(rows, dtype=np.int64)


@dataclass(frozen=True)
class Piece:
    """Consecutive deals that are a shard which is whole already, or have no record yet."""

    first: int
    count: int
    record: ShardRecord | None


def pieces(
    first: int, end: int, labels: tuple[str, ...], records: Iterable[ShardRecord]
) -> Iterator[Piece]:
    """Cut deals into shards that are whole and what lies between them, in the order of the deals.

    Args:
        first: number of the first deal.
        end: the number after that of the last.
        labels: of the strategies that play them all.
        records: in the order of their deals; those of other strategies, or that reach beyond these
            deals, do not count.
    """
    for record in list(records):
        if record.labels == labels and first <= record.first and record.end <= end:
            if first < record.first:
                yield Piece(first, record.first - first, None)
            yield Piece(record.first, record.count, record)
            first = record.end
    if first < end:
        yield Piece(first, end - first, None)
