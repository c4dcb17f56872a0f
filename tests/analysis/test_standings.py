"""Standings: their order, their ties, and points counted deal by deal."""

import itertools
from types import SimpleNamespace

import polars as pl
import pytest

from calcsim import make_plan, simulate
from calcsim.analysis.standings import neighbours, standings

NAMES = ["random", "shortest", "need-order-deep", "greedy"]


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """Two strategy files that do the same under different names."""
    folder = tmp_path_factory.mktemp("twins")
    for name in ("castor", "pollux"):
        (folder / f"{name}.py").write_text("def place(table, card):\n    return card % 4\n")
    return [str(folder / f"{name}.py") for name in ("castor", "pollux")]


def played(strategies, deals=4000):
    return simulate(make_plan(strategies, deals=deals, seed=5), workers=1)


@pytest.fixture(scope="module")
def run(twins):
    return played([*NAMES, *twins])


def test_the_best_come_first(run):
    table = standings(run)
    assert table["wins"].to_list() == sorted(table["wins"], reverse=True)
    assert table["strategy"][0] == "need-order-deep"
    assert table["rank"][0] == 1
    assert set(table["strategy"]) == set(run.win_rates["strategy"])
    assert (
        table.select(run.win_rates.columns).sort("strategy").equals(run.win_rates.sort("strategy"))
    )


def test_a_rank_counts_who_is_surely_better(run):
    sure = run.head_to_head.filter(pl.col("difference") > 0, pl.col("p_value_adjusted") < 1 - 0.95)
    for row in standings(run).iter_rows(named=True):
        assert row["rank"] == 1 + sum(sure["strategy_b"] == row["strategy"])


def test_the_same_strategy_under_two_names_is_level(run):
    pair = run.head_to_head.filter(strategy_a="castor", strategy_b="pollux").row(0, named=True)
    assert (pair["p_value"], pair["p_value_adjusted"], pair["difference"]) == (1.0, 1.0, 0.0)
    assert pair["level"] == pair["deals"]
    table = standings(run).filter(pl.col("strategy").is_in(["castor", "pollux"]))
    assert table["rank"].n_unique() == 1
    assert table["points"].n_unique() == 1


def test_the_order_of_the_words_changes_nothing(run, twins):
    other = standings(played([*reversed(twins), *sorted(NAMES)]))
    columns = pl.exclude("games_per_second")
    assert other.select(columns).equals(standings(run).select(columns))


def test_points_are_those_of_a_round_robin_on_every_deal(tmp_path):
    plan = make_plan(["random", "shortest", "greedy"], deals=50, seed=5)
    run = simulate(plan, out=tmp_path / "run", workers=1)
    cards = {
        label: run.deals().filter(strategy=label).sort("deal").collect()["foundation_cards"]
        for label in ("random", "shortest", "greedy")
    }
    table = standings(run)
    for label, points in table.select("strategy", "points").iter_rows():
        score = sum(
            1.0 if mine > theirs else 0.5 * (mine == theirs)
            for other in cards
            if other != label
            for mine, theirs in zip(cards[label], cards[other], strict=True)
        )
        assert points == pytest.approx(score / 100)
    assert table["points"].mean() == pytest.approx(0.5)


def test_the_pace_is_that_of_one_core(run):
    for seconds, entry in zip(itertools.cycle([8, 0, 0.049]), run.manifest["strategies"]):
        entry["seconds"] = seconds
    data = {entry["label"]: entry["seconds"] for entry in run.manifest["strategies"]}
    for label, pace in standings(run).select("strategy", "games_per_second").iter_rows():
        assert pace == (500 if data[label] == 8 else None)


def test_neighbours_follow_the_standings(run):
    order = standings(run)["strategy"].to_list()
    pairs = neighbours(run, order)
    assert pairs.select("strategy_a", "strategy_b").rows() == list(itertools.pairwise(order))
    assert pairs.columns == run.head_to_head.columns
    assert neighbours(SimpleNamespace(head_to_head=run.head_to_head), order[:1]).is_empty()
