"""The standings of a tournament: what a referee would say of a run."""

from __future__ import annotations

import polars as pl

from calcsim.analysis.ranks import ranks
from calcsim.analysis.run import Run

_SECONDS_THAT_TELL = 0.05


def standings(run: Run) -> pl.DataFrame:
    """The strategies of a run, best first.

    Args:
        run: of two strategies or more.

    Returns:
        The columns of `win_rates`, with `rank` i64 in front and behind them `points` f64, the
        share of duels won in the competitive game, a level one counting half, on average over all
        opponents, and
        `games_per_second` f64 on one core, null if it was played for a moment only. As many
        strategies as a rank says, less one, are surely better: their win rates differ
        significantly, by Holm's procedure over all pairs at the run's confidence.
    """
    wins = dict(run.win_rates.select("strategy", "wins").iter_rows())
    confidence = run.win_rates["confidence"][0]
    sure = run.head_to_head.filter(
        pl.col("difference") > 0, pl.col("p_value_adjusted") < 1 - confidence
    )
    rank_of = ranks(wins, set(sure.select("strategy_a", "strategy_b").iter_rows()))
    points = run.head_to_head.group_by(pl.col("strategy_a").alias("strategy")).agg(
        points=((pl.col("a_ahead") + pl.col("level") / 2) / pl.col("deals")).mean()
    )
    placed = pl.DataFrame({"strategy": list(rank_of), "rank": list(rank_of.values())})
    return (
        placed.join(run.win_rates, on="strategy", how="left", maintain_order="left")
        .join(points, on="strategy", how="left", maintain_order="left")
        .with_columns(games_per_second=_games_per_second(placed["strategy"], run))
        .select("rank", pl.exclude("rank"))
    )


def _games_per_second(labels: pl.Series, run: Run) -> pl.Series:
    of = {data["label"]: data for data in run.manifest["strategies"]}
    paces = [
        of[label]["deals_done"] / seconds if seconds >= _SECONDS_THAT_TELL else None
        for label in labels
        for seconds in [of[label]["seconds"]]
    ]
    return pl.Series(paces, dtype=pl.Float64)


def neighbours(run: Run, order: list[str]) -> pl.DataFrame:
    """The rows of `head_to_head` in which a strategy meets the next one in the standings."""
    pairs = pl.DataFrame(
        {"strategy_a": order[:-1], "strategy_b": order[1:]},
        schema={"strategy_a": pl.String, "strategy_b": pl.String},
    )
    return pairs.join(
        run.head_to_head, on=["strategy_a", "strategy_b"], how="left", maintain_order="left"
    )
