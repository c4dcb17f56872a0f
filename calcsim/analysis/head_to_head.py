"""The table of all pairs of strategies that have played the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import polars as pl

from calcsim.analysis.failures import largest_p_value, swapped
from calcsim.analysis.holm import holm
from calcsim.analysis.paired import mcnemar_p_value, paired_interval
from calcsim.analysis.sequences import difference_sequence, sequence_p_value
from calcsim.batch.duels import Duels

HEAD_TO_HEAD_SCHEMA = pl.Schema(
    {
        "strategy_a": pl.String(),
        "strategy_b": pl.String(),
        "deals": pl.UInt64(),
        "both_won": pl.UInt64(),
        "only_a_won": pl.UInt64(),
        "only_b_won": pl.UInt64(),
        "neither_won": pl.UInt64(),
        "a_ahead": pl.UInt64(),
        "b_ahead": pl.UInt64(),
        "level": pl.UInt64(),
        "difference": pl.Float64(),
        "difference_low": pl.Float64(),
        "difference_high": pl.Float64(),
        "p_value": pl.Float64(),
        "p_value_adjusted": pl.Float64(),
    }
)


def head_to_head(
    labels: Sequence[str], duels: Duels, confidence: float, sequential: bool = False
) -> pl.DataFrame:
    """A row per ordered pair of strategies: who won what the other did not, and who came farther.

    Args:
        labels: of the strategies, in the order of the duels.
        duels: counts of all pairs, at least one deal each.
        confidence: of each interval for itself, between 0 and 1.
        sequential: whether the data decided when to stop; intervals and p-values are then those
            that hold at all times at once.

    Returns:
        A frame with the columns and dtypes of `HEAD_TO_HEAD_SCHEMA`. `difference` is the win rate
        of a less that of b, with its paired interval; `p_value` is McNemar's exact one, or
        the sequential one;
        `p_value_adjusted` is Holm's, over all pairs that differ by more than their order. Games
        that failed are lost; but for each end of the interval, and the p-value, they are won or
        lost as it makes that end the farther and the p-value the larger.
    """
    interval = difference_sequence if sequential else paired_interval
    p_value = sequence_p_value if sequential else mcnemar_p_value
    pairs = list(combinations(range(len(labels)), 2))
    p_values = {
        (a, b): largest_p_value(
            p_value, duels.outcomes_at_worst(a, b), swapped(duels.outcomes_at_worst(b, a))
        )
        for a, b in pairs
    }
    adjusted = dict(zip(pairs, holm(list(p_values.values())), strict=True))

    lows = {
        (a, b): interval(*duels.outcomes_at_worst(a, b), confidence)[0]
        for a, b in permutations(range(len(labels)), 2)
    }

    def row(a: int, b: int) -> tuple[object, ...]:
        both, only_a, only_b, neither = duels.outcomes(a, b)
        deals = int(duels.deals[a, b])
        a_ahead, b_ahead = int(duels.ahead[a, b]), int(duels.ahead[b, a])
        pair = (min(a, b), max(a, b))
        return (
            labels[a],
            labels[b],
            deals,
            both,
            only_a,
            only_b,
            neither,
            a_ahead,
            b_ahead,
            deals - a_ahead - b_ahead,
            (only_a - only_b) / deals,
            lows[a, b],
            -lows[b, a],
            p_values[pair],
            adjusted[pair],
        )

    rows = [row(a, b) for a, b in permutations(range(len(labels)), 2)]
    return pl.DataFrame(rows, schema=HEAD_TO_HEAD_SCHEMA, orient="row")
