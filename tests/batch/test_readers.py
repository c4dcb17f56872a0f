"""A run's files in the libraries that people read them with."""

import duckdb
import pandas as pd
import polars as pl
import pytest
from executors import POOL, InProcess

from calcsim.batch.plan import make_plan
from calcsim.simulation import simulate

BY_STRATEGY = "strategy, sum(won::int), sum(foundation_cards), sum(direct_plays), count(*)"


def totals(run):
    """Strategy, wins, foundation cards, direct plays and deals, from the tables."""
    for row in run.win_rates.to_dicts():
        deals = row["deals"]
        cards = round(row["mean_foundation_cards"] * deals)
        plays = round(row["mean_direct_plays"] * deals)
        yield row["strategy"], row["wins"], cards, plays, deals


def test_polars(run):
    glob = str(run.path / "deals" / "*" / "*.parquet")
    rows = pl.scan_parquet(glob, hive_partitioning=True)
    found = rows.group_by("strategy").agg(
        pl.col("won").sum(),
        pl.col("foundation_cards").cast(pl.UInt64).sum(),
        pl.col("direct_plays").cast(pl.UInt64).sum(),
        pl.len(),
    )
    assert sorted(found.collect().rows()) == sorted(totals(run))


def test_duckdb(run):
    glob = f"{run.path}/deals/*/*.parquet"
    read = f"read_parquet('{glob}', hive_partitioning = true)"
    found = duckdb.sql(f"select {BY_STRATEGY} from {read} group by strategy").fetchall()
    assert sorted(found) == sorted(totals(run))
    tables = duckdb.sql(f"select strategy, wins from '{run.path}/win_rates.parquet'").fetchall()
    assert tables == run.win_rates.select("strategy", "wins").rows()


def test_pandas(run):
    rows = pd.read_parquet(run.path / "deals", engine="pyarrow")
    rows["strategy"] = rows["strategy"].astype(str)
    found = [
        (label, *(int(of_label[column].sum()) for column in SUMMED), len(of_label))
        for label, of_label in rows.groupby("strategy")
    ]
    assert sorted(found) == sorted(totals(run))
    table = pd.read_parquet(run.path / "foundation_counts.parquet", engine="pyarrow")
    assert table["deals"].sum() == run.foundation_counts["deals"].sum()


SUMMED = ["won", "foundation_cards", "direct_plays"]


@pytest.mark.parametrize("size", [None, 50_000])
def test_a_row_takes_few_bytes(tmp_path, monkeypatch, size):
    monkeypatch.setattr(POOL, InProcess)
    plan = make_plan(["greedy"], deals=300_000, seed=1)
    simulate(plan, out=tmp_path / "run", shard_deals=size)
    used = sum(file.stat().st_size for file in (tmp_path / "run" / "deals").rglob("*.parquet"))
    assert used <= 4.5 * 300_000
