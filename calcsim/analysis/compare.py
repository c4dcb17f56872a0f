"""Strategies of several runs against each other, paired wherever the deals are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import polars as pl

from calcsim.analysis.arms import Arm, find_arm, find_arms
from calcsim.analysis.common_deals import count_common_deals
from calcsim.analysis.failures import Outcomes, at_worst, largest_p_value, swapped
from calcsim.analysis.holm import holm
from calcsim.analysis.paired import mcnemar_p_value, paired_interval
from calcsim.analysis.power import paired_deals_to_go, unpaired_deals_to_go
from calcsim.analysis.run import Run
from calcsim.analysis.sequences import difference_sequence, sequence_p_value
from calcsim.analysis.unpaired import (
    unpaired_interval,
    unpaired_p_value,
    unpaired_sequence,
    unpaired_sequence_p_value,
)

Pair = tuple[Arm, Arm]

_OF_AN_ARM = {
    "arm": pl.String(),
    "run": pl.String(),
    "strategy": pl.String(),
    "variant": pl.String(),
    "seed": pl.UInt64(),
    "deals": pl.UInt64(),
    "wins": pl.UInt64(),
    "win_rate": pl.Float64(),
}

COMPARISON_SCHEMA = pl.Schema(
    {f"{name}_a": dtype for name, dtype in _OF_AN_ARM.items()}
    | {f"{name}_b": dtype for name, dtype in _OF_AN_ARM.items()}
    | {
        "paired": pl.Boolean(),
        "why_not_paired": pl.String(),
        "same_program": pl.Boolean(),
        "sequential": pl.Boolean(),
        "only_a_won": pl.UInt64(),
        "only_b_won": pl.UInt64(),
        "difference": pl.Float64(),
        "difference_low": pl.Float64(),
        "difference_high": pl.Float64(),
        "confidence": pl.Float64(),
        "p_value": pl.Float64(),
        "p_value_adjusted": pl.Float64(),
        "deals_to_go": pl.UInt64(),
    }
)


def compare(
    runs: Sequence[Run], confidence: float = 0.95, reference: str | None = None
) -> pl.DataFrame:
    """A row per pair of arms; an arm is a strategy of one of the runs.

    A pair is paired by deal where both arms are in one run, or where seed, deal format and stock
    (or the deck file) are the same and both runs have kept their rows per deal; then it is the
    deals that both have played that count, and no others.

    Args:
        runs: one or more, each another.
        confidence: of each interval for itself, between 0 and 1.
        reference: the label of an arm that all others are compared with, `RUN:label` if several
            runs have it; left out, all pairs are compared.

    Returns:
        A frame with the columns and dtypes of `COMPARISON_SCHEMA`. Of each arm: `arm` (its name),
        `run` (the directory), `strategy`, `variant`, `seed` (null for a deck file), and the `deals`
        that count, the `wins` among them, and the `win_rate`. Of the pair: whether it is `paired`,
        and `why_not_paired`, else null; `same_program`, whether both are made of the same source;
        `sequential`, whether either run could stop early, so that intervals and p-values are those
        that hold at all times at once; where paired, the deals that `only_a_won` and `only_b_won`;
        `difference`, the win rate of a less that of b, its interval at this `confidence`, its
        `p_value` and that adjusted by Holm's procedure over all rows. `deals_to_go`: where the
        interval holds 0, about how many more deals of each would separate the two with a
        probability of 80 % were the observed difference the truth; null if none is observed, or
        where `sequential`, which the formula does not cover. Games that failed are lost; but for
        each end of the interval, and the p-value, they are won or lost as makes that end the
        farther and the p-value the larger.

    Raises:
        CompareError: a run is given twice, the runs hold fewer than two arms, or no arm or several
            are called like the reference.
        RunError: a run does not hold what it should.
        ValueError: an impossible confidence.
    """
    arms = find_arms(runs)
    if reference is None:
        pairs = list(combinations(arms, 2))
    else:
        other = find_arm(arms, reference)
        pairs = [(arm, other) for arm in arms if arm is not other]
    on_same_deals = _count_paired(pairs)
    rows = [_verdict(pair, on_same_deals.get(pair), confidence) for pair in pairs]
    for row, adjusted in zip(rows, holm([row["p_value"] for row in rows]), strict=True):
        row["p_value_adjusted"] = adjusted
    return pl.DataFrame(rows, schema=COMPARISON_SCHEMA)


def _why_not_paired(pair: Pair) -> str | None:
    """Why the rows per deal of two arms cannot be joined, or None."""
    a, b = pair
    why = a.side.source.why_not_same(b.side.source)
    without = dict.fromkeys(arm.side.name for arm in pair if not arm.side.run.keeps_rows)
    if why is None and without:
        return f"no rows per deal in {' and '.join(without)}"
    return why


def _count_paired(pairs: Sequence[Pair]) -> dict[Pair, Outcomes]:
    """The counts of all pairs that have deals in common and can be joined."""
    counted = {pair: _of_one_run(*pair) for pair in pairs if pair[0].side is pair[1].side}
    to_join = [pair for pair in pairs if pair not in counted and _why_not_paired(pair) is None]
    for together in _by_source(to_join):
        arms = list(dict.fromkeys(arm for pair in together for arm in pair))
        common = count_common_deals([arm.side.run.row_files(arm.label) for arm in arms])
        for a, b in together:
            outcomes = common.outcomes(arms.index(a), arms.index(b))
            if sum(outcomes):
                counted[a, b] = outcomes
    return counted


def _by_source(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Those whose deals are the same, together."""
    sources = list(dict.fromkeys(a.side.source for a, _ in pairs))
    for source in sources:
        yield [pair for pair in pairs if pair[0].side.source == source]


def _of_one_run(a: Arm, b: Arm) -> Outcomes:
    row = a.side.run.head_to_head.row(
        by_predicate=(pl.col("strategy_a") == a.label) & (pl.col("strategy_b") == b.label),
        named=True,
    )
    return row["both_won"], row["only_a_won"], row["only_b_won"], row["neither_won"]


def _verdict(pair: Pair, outcomes: Outcomes | None, confidence: float) -> dict[str, Any]:
    """The row of a pair, without what depends on the other pairs."""
    a, b = pair
    sequential = a.side.sequential or b.side.sequential
    if outcomes:
        said = _paired(outcomes, (a.failed, b.failed), confidence, sequential)
    else:
        said = _unpaired(a, b, confidence, sequential)
        said["why_not_paired"] = _why_not_paired(pair) or "they have no deal in common"
    level = said["difference_low"] <= 0 <= said["difference_high"]
    if sequential or not level:
        said["deals_to_go"] = None
    return (
        _facts(a, "a")
        | _facts(b, "b")
        | {
            "paired": outcomes is not None,
            "same_program": a.program == b.program,
            "sequential": sequential,
            "confidence": confidence,
            "win_rate_a": said["wins_a"] / said["deals_a"],
            "win_rate_b": said["wins_b"] / said["deals_b"],
            "difference": said["wins_a"] / said["deals_a"] - said["wins_b"] / said["deals_b"],
        }
        | said
    )


def _facts(arm: Arm, which: str) -> dict[str, Any]:
    return {
        f"arm_{which}": arm.name,
        f"run_{which}": arm.side.path,
        f"strategy_{which}": arm.label,
        f"variant_{which}": arm.side.rules.name,
        f"seed_{which}": arm.side.source.seed,
    }


def _paired(
    outcomes: Outcomes, failed: tuple[int, int], confidence: float, sequential: bool
) -> dict[str, Any]:
    both, only_a, only_b, _ = outcomes
    interval = difference_sequence if sequential else paired_interval
    p_value = sequence_p_value if sequential else mcnemar_p_value
    worst = at_worst(outcomes, failed[1])
    best = swapped(at_worst(swapped(outcomes), failed[0]))
    return {
        "deals_a": sum(outcomes),
        "deals_b": sum(outcomes),
        "wins_a": both + only_a,
        "wins_b": both + only_b,
        "only_a_won": only_a,
        "only_b_won": only_b,
        "difference_low": interval(*worst, confidence)[0],
        "difference_high": interval(*best, confidence)[1],
        "p_value": largest_p_value(p_value, worst, best),
        "deals_to_go": paired_deals_to_go(*outcomes, confidence),
    }


def _unpaired(a: Arm, b: Arm, confidence: float, sequential: bool) -> dict[str, Any]:
    interval = unpaired_sequence if sequential else unpaired_interval
    p_value = unpaired_sequence_p_value if sequential else unpaired_p_value
    worst = a.wins, a.deals, b.wins + b.failed, b.deals
    best = a.wins + a.failed, a.deals, b.wins, b.deals
    may_be_level = _difference(*worst) < 0 < _difference(*best)
    return {
        "deals_a": a.deals,
        "deals_b": b.deals,
        "wins_a": a.wins,
        "wins_b": b.wins,
        "difference_low": interval(*worst, confidence)[0],
        "difference_high": interval(*best, confidence)[1],
        "p_value": 1.0 if may_be_level else max(p_value(*worst), p_value(*best)),
        "deals_to_go": unpaired_deals_to_go(a.wins, a.deals, b.wins, b.deals, confidence),
    }


def _difference(wins_a: int, deals_a: int, wins_b: int, deals_b: int) -> float:
    return wins_a / deals_a - wins_b / deals_b
