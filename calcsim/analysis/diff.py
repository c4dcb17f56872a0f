"""Two strategies deal by deal: what one of them wins and the other loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from calcsim.analysis.run import Run, RunError
from calcsim.batch.row_folders import RowFile
from calcsim.strategy.parameters import did_you_mean

PART_SCHEMA = pl.Schema(
    {
        "deal": pl.UInt64(),
        "winner_cards": pl.UInt16(),
        "loser_cards": pl.UInt16(),
        "gap": pl.UInt16(),
    }
)


class PairError(ValueError):
    """Two labels that are no pair of strategies of a run."""


@dataclass(frozen=True)
class Part:
    """The deals that one strategy wins and another loses.

    Attributes:
        winner: label of the one.
        loser: label of the other.
        count: how many such deals there are.
        of: how many deals both have played.
        largest_gaps: some of the deals, with the columns and dtypes of `PART_SCHEMA`: the number
            of the deal, the foundation cards of each, and how many more the winner's are. The
            largest gaps come first, and of equal ones the lowest deal.
    """

    winner: str
    loser: str
    count: int
    of: int
    largest_gaps: pl.DataFrame


def diff(run: Run, a: str, b: str, top: int = 10) -> tuple[Part, Part]:
    """What a wins and b loses, and the reverse, of the deals that both have played.

    The rows are read shard by shard, so that a long run takes no more memory than a short one.

    Args:
        run: one that kept its rows per deal.
        a: label of a strategy.
        b: label of another.
        top: how many deals of each part are shown at the most.

    Raises:
        PairError: the run has no such two strategies.
        RunError: its rows are not there, cannot be read, or are not those of its tables.
    """
    check_pair(run, a, b)
    if not run.keeps_rows:
        raise RunError("this run kept no rows per deal")
    try:
        return _part(run, a, b, top), _part(run, b, a, top)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).partition("\n")[0]
        raise RunError(f"the rows per deal cannot be read: {reason}") from None


def check_pair(run: Run, a: str, b: str) -> None:
    """Refuse what are not two strategies of a run.

    Raises:
        PairError: the text suggests what was meant.
    """
    labels = run.win_rates["strategy"].to_list()
    for label in (a, b):
        if label not in labels:
            hint = did_you_mean(label, labels) or f"; it has {', '.join(labels)}"
            raise PairError(f"the run has no strategy '{label}'{hint}")
    if a == b:
        raise PairError(f"'{a}' differs from itself in nothing: name another strategy of the run")


def _part(run: Run, winner: str, loser: str, top: int) -> Part:
    pair = run.head_to_head.row(
        by_predicate=(pl.col("strategy_a") == winner) & (pl.col("strategy_b") == loser), named=True
    )
    count, best = 0, PART_SCHEMA.to_frame()
    for games in _one_sided_games(run, winner, loser):
        count += len(games)
        best = pl.concat([best, games]).sort("gap", "deal", descending=[True, False]).head(top)
    if count != pair["only_a_won"]:
        raise RunError(
            f"the rows per deal are not those of the tables: '{winner}' wins and '{loser}' loses "
            f"{count} deals by the ones, {pair['only_a_won']} by the others"
        )
    return Part(winner, loser, count, pair["deals"], best)


def _one_sided_games(run: Run, winner: str, loser: str) -> Iterator[pl.DataFrame]:
    """What one wins and the other loses, a frame for each shard that both have played."""
    files_of_loser = {(file.first, file.last): file for file in run.row_files(loser)}
    for file in run.row_files(winner):
        other = files_of_loser.get((file.first, file.last))
        if other is None:
            continue
        won = _rows(file).filter(pl.col("won")).rename({"foundation_cards": "winner_cards"})
        lost = _rows(other).filter(~pl.col("won")).rename({"foundation_cards": "loser_cards"})
        games = won.join(lost, on="deal").with_columns(
            gap=pl.col("winner_cards") - pl.col("loser_cards")
        )
        yield games.select(PART_SCHEMA.names()).collect()


def _rows(file: RowFile) -> pl.LazyFrame:
    rows = pl.scan_parquet(file.path, glob=False, hive_partitioning=False)
    return rows.select("deal", "won", "foundation_cards")
