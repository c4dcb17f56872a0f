"""All tables of a run, from what its shards have counted."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from calcsim.analysis.head_to_head import head_to_head
from calcsim.analysis.tables import foundation_counts, win_rates
from calcsim.analysis.tally import Tally
from calcsim.batch.duels import Duels
from calcsim.game.variant import Variant


def run_tables(
    tallies: Mapping[str, Tally],
    duels: Duels,
    variant: Variant,
    seed: int,
    confidence: float,
    sequential: bool,
) -> dict[str, pl.DataFrame]:
    """The tables by their names.

    Args:
        tallies: strategy label to the tally of its games, at least one game each.
        duels: of the same strategies in the same order.
        variant: that was played.
        seed: of the deals.
        confidence: of the intervals, between 0 and 1.
        sequential: whether the data decided when to stop.

    Returns:
        `win_rates`, `foundation_counts` and `head_to_head`.
    """
    return {
        "win_rates": win_rates(
            tallies,
            variant=variant.name,
            seed=seed,
            near_miss_cards=variant.near_miss_cards,
            confidence=confidence,
            sequential=sequential,
        ),
        "foundation_counts": foundation_counts(tallies),
        "head_to_head": head_to_head(list(tallies), duels, confidence, sequential=sequential),
    }
