"""What all shards of a run together have counted."""

from __future__ import annotations

from collections.abc import Sequence

from calcsim.analysis.tally import Tally
from calcsim.batch.duels import Duels
from calcsim.batch.shard_record import ShardRecord


class Totals:
    """The sums over the shards that were added.

    Attributes:
        tallies: strategy label to the tally of its games.
        duels: of all pairs, in the same order.
    """

    def __init__(self, labels: Sequence[str], winning_cards: int) -> None:
        """Start with no games.

        Args:
            labels: of the strategies.
            winning_cards: foundation cards of a game that is won.
        """
        self.tallies = dict.fromkeys(labels, Tally.empty(winning_cards))
        self.duels = Duels.none(len(labels))

    def add(self, record: ShardRecord) -> None:
        """Add a shard, which some of the strategies have played."""
        counts = zip(record.labels, record.tallies, record.direct_plays, record.failed, strict=True)
        for label, tally, direct_plays, failed in counts:
            self.tallies[label] += Tally(tally, direct_plays, failed)
        places = [place for place, label in enumerate(self.tallies) if label in record.labels]
        self.duels += record.duels.among(len(self.tallies), places)
