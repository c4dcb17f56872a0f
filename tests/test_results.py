"""The published tables: rebuilt bit for bit, and what the README of the results says of them."""

import importlib.util
import subprocess
import sys

import polars as pl
import pytest
from readme import README

from calcsim.game.variants import VARIANTS

RESULTS = README.parent / "results"
PUBLISHED = RESULTS / "published"


@pytest.fixture
def publish():
    spec = importlib.util.spec_from_file_location("publish", RESULTS / "publish.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["win_rates", "foundation_counts"])
def test_every_strategy_has_played_every_variant(publish, name):
    table = pl.read_csv(PUBLISHED / f"{name}.csv")
    played = table.select("variant", "strategy").unique(maintain_order=True).rows()
    assert played == [(variant, s) for variant in VARIANTS for s in publish.STRATEGIES]
    deals = table.group_by("variant", "strategy").agg(pl.col("deals").sum())["deals"]
    assert set(deals) == {publish.DEALS}


def test_the_tables_agree(publish):
    wins = pl.read_csv(PUBLISHED / "win_rates.csv")
    counts = pl.read_csv(PUBLISHED / "foundation_counts.csv")
    last = counts.group_by("variant", "strategy", maintain_order=True).last()
    assert last["deals"].to_list() == wins["wins"].to_list()
    assert last["cumulative_share"].to_list() == [1.0] * len(wins)


def test_the_readme_shows_the_published_rates(publish):
    rates = pl.read_csv(PUBLISHED / "win_rates.csv")
    assert publish.readme(rates) == (RESULTS / "README.md").read_text()


def test_tables_do_not_depend_on_the_workers(publish, monkeypatch, tmp_path):
    monkeypatch.setattr(publish, "STRATEGIES", ("random", "greedy"))
    monkeypatch.setattr(
        publish, "VARIANTS", {name: VARIANTS[name] for name in ("standard", "giant")}
    )
    for workers in (1, 2):
        publish.main(300, tmp_path / str(workers), workers)
    files = sorted(path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*.*"))
    assert [str(file) for file in files] == [
        "README.md",
        "published/foundation_counts.csv",
        "published/win_rates.csv",
    ]
    for file in files:
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


@pytest.mark.slow
def test_the_published_tables_are_rebuilt_to_the_last_byte(tmp_path):
    million = str(1_000_000)
    subprocess.run([sys.executable, RESULTS / "publish.py", million, tmp_path], check=True)
    for file in ("README.md", "published/win_rates.csv", "published/foundation_counts.csv"):
        assert (tmp_path / file).read_bytes() == (RESULTS / file).read_bytes()
