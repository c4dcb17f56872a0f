"""The tables that follow from the tallies alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate

import polars as pl

from calcsim.analysis.intervals import wilson_interval
from calcsim.analysis.sequences import rate_sequence
from calcsim.analysis.tally import Tally

WIN_RATES_SCHEMA = pl.Schema(
    {
        "strategy": pl.String(),
        "variant": pl.String(),
        "seed": pl.UInt64(),
        "deals": pl.UInt64(),
        "wins": pl.UInt64(),
        "win_rate": pl.Float64(),
        "win_rate_low": pl.Float64(),
        "win_rate_high": pl.Float64(),
        "confidence": pl.Float64(),
        "near_misses": pl.UInt64(),
        "mean_foundation_cards": pl.Float64(),
        "sd_foundation_cards": pl.Float64(),
        "mean_direct_plays": pl.Float64(),
        "failed": pl.UInt64(),
    }
)

FOUNDATION_COUNTS_SCHEMA = pl.Schema(
    {
        "strategy": pl.String(),
        "foundation_cards": pl.UInt16(),
        "deals": pl.UInt64(),
        "share": pl.Float64(),
        "cumulative_share": pl.Float64(),
    }
)


def win_rates(
    tallies: Mapping[str, Tally],
    *,
    variant: str,
    seed: int,
    near_miss_cards: int,
    confidence: float,
    sequential: bool = False,
) -> pl.DataFrame:
    """A row per strategy, in the order given: how often it won, and how far it came.

    Args:
        tallies: strategy label to the tally of its games, at least one game each.
        variant: name of the variant that was played.
        seed: seed of the deals, 0 to 2**64 - 1.
        near_miss_cards: foundation cards from which on a lost game is a near miss.
        confidence: nominal coverage of the interval, between 0 and 1, both excluded.
        sequential: whether the data decided when to stop.

    Returns:
        A frame with the columns and dtypes of `WIN_RATES_SCHEMA`. Rates are fractions, their
        interval is Wilson's, or where `sequential` one that holds at all times at once; the
        standard deviation is that of a sample (n - 1). Games that failed are lost for the rate and
        the low end of its interval, and won for the high end.

    Raises:
        ValueError: a strategy played no game, or the confidence is impossible.
    """
    interval = rate_sequence if sequential else wilson_interval

    def row(strategy: str, tally: Tally) -> tuple[object, ...]:
        low, _ = interval(tally.wins, tally.deals, confidence)
        _, high = interval(tally.wins + tally.failed, tally.deals, confidence)
        return (
            strategy,
            variant,
            seed,
            tally.deals,
            tally.wins,
            tally.wins / tally.deals,
            low,
            high,
            confidence,
            tally.near_misses(near_miss_cards),
            tally.mean_foundation_cards,
            tally.sd_foundation_cards,
            tally.mean_direct_plays,
            tally.failed,
        )

    rows = [row(strategy, tally) for strategy, tally in tallies.items()]
    return pl.DataFrame(rows, schema=WIN_RATES_SCHEMA, orient="row")


def foundation_counts(tallies: Mapping[str, Tally]) -> pl.DataFrame:
    """A row per strategy and number of foundation cards, from 0 to a win, with zero rows too.

    Args:
        tallies: strategy label to the tally of its games, at least one game each.

    Returns:
        A frame with the columns and dtypes of `FOUNDATION_COUNTS_SCHEMA`. `share` is the fraction
        of the strategy's games that ended with that many cards, `cumulative_share` with that many
        or fewer: exactly 1.0 in a strategy's last row.

    Raises:
        ValueError: a strategy played no game.
    """
    rows = [row for strategy, tally in tallies.items() for row in _endings(strategy, tally)]
    return pl.DataFrame(rows, schema=FOUNDATION_COUNTS_SCHEMA, orient="row")


def _endings(strategy: str, tally: Tally) -> Iterator[tuple[object, ...]]:
    deals = tally.deals
    if deals == 0:
        raise ValueError(f"{strategy} played no game: there is nothing to take shares of")
    counts: list[int] = tally.foundation_cards.tolist()
    # Sums of counts, not of shares: they are exact.
    for cards, (games, games_so_far) in enumerate(zip(counts, accumulate(counts), strict=True)):
        yield strategy, cards, games, games / deals, games_so_far / deals
