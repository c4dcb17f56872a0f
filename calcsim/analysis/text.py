"""What a run's tables say, as plain text for a terminal; rates in percent, with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from calcsim.analysis.text_table import Heading, text_table

if TYPE_CHECKING:
    import polars as pl

_STRATEGY: Heading = ("", "strategy")
_RANK: Heading = ("", "rank")
_DEALS: Heading = ("", "deals")
_WON: Heading = ("", "won %")
_NEAR_MISSES: Heading = ("near", "misses %")
_MEAN_CARDS: Heading = ("mean", "cards")
_DIRECT_PLAYS: Heading = ("direct", "plays")
_FAILED: Heading = ("", "failed")
_POINTS: Heading = ("points", "%")

PAIR: Heading = ("", "pair")
_DIFFERENCE: Heading = ("won %", "more")
_P_VALUE: Heading = ("p", "(Holm)")
_AHEAD: Heading = ("ahead", "%")
_BEHIND: Heading = ("behind", "%")

DASH = "\u2013"


def win_rate_table(frame: pl.DataFrame, width: int) -> str:
    """The win rates as a table for people, a line per row of the frame, in its order.

    Where the width does not suffice, the mean of direct plays is left out first, then the near
    misses, the mean of foundation cards and the number of deals; then names are cut, and if hardly
    anything is left of them, the interval goes too.

    Args:
        frame: a `win_rates` table; its rows share one confidence.
        width: columns of the terminal. No line is wider, unless it is less than 30.

    Returns:
        Lines without trailing blanks or a final line feed. Rates are in percent.

    Raises:
        ValueError: the rows differ in their confidence.
    """
    return text_table(
        _STRATEGY,
        frame["strategy"].to_list(),
        _win_rate_columns(frame),
        width,
        (_DIRECT_PLAYS, _NEAR_MISSES, _MEAN_CARDS, _DEALS),
        _interval_heading(frame),
    )


def standings_table(frame: pl.DataFrame, width: int) -> str:
    """The standings of a tournament, likewise; see `analysis.standings` for their columns."""
    rows = frame.to_dicts()
    columns = {_RANK: [str(row["rank"]) for row in rows]}
    columns |= _win_rate_columns(frame)
    columns[_POINTS] = [f"{100 * row['points']:.2f}" for row in rows]
    return text_table(
        _STRATEGY,
        frame["strategy"].to_list(),
        columns,
        width,
        (_DIRECT_PLAYS, _NEAR_MISSES, _MEAN_CARDS, _DEALS, _POINTS),
        _interval_heading(frame),
    )


def pace_line(frame: pl.DataFrame) -> str:
    """How fast the strategies of the standings are, in words; empty if nobody played for long."""
    paces = [
        f"{label} {pace:,.0f}"
        for label, pace in frame.select("strategy", "games_per_second").drop_nulls().iter_rows()
    ]
    return f"games a second on one core: {', '.join(paces)}" if paces else ""


def pairs_table(frame: pl.DataFrame, confidence: float, width: int) -> str:
    """Pairs of strategies, a line per row of a `head_to_head` table.

    Args:
        frame: the rows to be shown, in their order.
        confidence: of the intervals.
        width: columns of the terminal.
    """
    rows = frame.to_dicts()
    return text_table(
        PAIR,
        [f"{row['strategy_a']} {DASH} {row['strategy_b']}" for row in rows],
        {
            **difference_columns(frame, confidence),
            _AHEAD: [f"{100 * row['a_ahead'] / row['deals']:.2f}" for row in rows],
            _BEHIND: [f"{100 * row['b_ahead'] / row['deals']:.2f}" for row in rows],
        },
        width,
        (_BEHIND, _AHEAD),
        interval_heading(confidence),
    )


def difference_columns(frame: pl.DataFrame, confidence: float) -> dict[Heading, list[str]]:
    """The difference of two win rates, its interval and its p-value, heading to cells.

    Args:
        frame: with the columns `difference`, `difference_low`, `difference_high` and
            `p_value_adjusted`.
        confidence: of the intervals.
    """
    rows = frame.to_dicts()
    digits = percent_digits(frame["difference_low"], frame["difference_high"])

    def points(fraction: float) -> str:
        return f"{100 * fraction:+.{digits}f}"

    return {
        _DIFFERENCE: [points(row["difference"]) for row in rows],
        interval_heading(confidence): [
            f"{points(row['difference_low'])} to {points(row['difference_high'])}" for row in rows
        ],
        _P_VALUE: [_p_value(row["p_value_adjusted"]) for row in rows],
    }


def interval_heading(confidence: float) -> Heading:
    """`95 %` above `interval`."""
    # Ten digits hide what binary fractions add to 100 * 0.57, but not a confidence of 0.99999.
    return (f"{100 * confidence:.10g} %", "interval")


def _win_rate_columns(frame: pl.DataFrame) -> dict[Heading, list[str]]:
    """Heading to the cells below it."""
    digits = percent_digits(frame["win_rate_low"], frame["win_rate_high"])

    def percent(fraction: float) -> str:
        return f"{100 * fraction:.{digits}f}"

    rows = frame.to_dicts()
    columns = {
        _DEALS: [f"{row['deals']:,}" for row in rows],
        _WON: [percent(row["win_rate"]) for row in rows],
        _interval_heading(frame): [
            f"{percent(row['win_rate_low'])}{DASH}{percent(row['win_rate_high'])}" for row in rows
        ],
        _NEAR_MISSES: [percent(row["near_misses"] / row["deals"]) for row in rows],
        _MEAN_CARDS: [f"{row['mean_foundation_cards']:.2f}" for row in rows],
        _DIRECT_PLAYS: [f"{row['mean_direct_plays']:.2f}" for row in rows],
    }
    if any(row["failed"] for row in rows):
        columns[_FAILED] = [f"{row['failed']:,}" for row in rows]
    return columns


def _interval_heading(frame: pl.DataFrame) -> Heading:
    confidences = frame["confidence"].unique().to_list()
    if len(confidences) > 1:
        raise ValueError("the rows of a table of win rates share one confidence")
    return interval_heading(*confidences) if confidences else ("", "interval")


def percent_digits(low: pl.Series, high: pl.Series) -> int:
    """Decimals of all rates: one more than where the narrowest interval's half-width starts."""
    narrowest = max(min(50 * (high - low), default=1.0), 1e-9)
    return min(4, max(1, 1 - math.floor(math.log10(narrowest))))


def _p_value(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"
