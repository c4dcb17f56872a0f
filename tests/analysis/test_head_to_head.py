"""The table of pairs, against what one counts from the rows per deal."""

import polars as pl
import pytest
from scipy.stats import binomtest

from calcsim.analysis.head_to_head import HEAD_TO_HEAD_SCHEMA, head_to_head
from calcsim.batch.duels import Duels


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    from calcsim import make_plan, simulate

    folder = tmp_path_factory.mktemp("runs") / "run"
    plan = make_plan(
        ["random", "greedy", "need-order-deep"], variant="redeal-1", deals=3000, seed=8
    )
    return simulate(plan, out=folder, workers=1, shard_deals=700)


def test_every_ordered_pair_has_a_row(run):
    labels = run.win_rates["strategy"].to_list()
    pairs = run.head_to_head.select("strategy_a", "strategy_b").rows()
    assert pairs == [(a, b) for a in labels for b in labels if a != b]
    assert run.head_to_head.schema == HEAD_TO_HEAD_SCHEMA


def test_counts_are_those_of_the_rows_per_deal(run):
    rows = run.deals().collect()
    for row in run.head_to_head.iter_rows(named=True):
        a, b = (rows.filter(strategy=row[key]).sort("deal") for key in ("strategy_a", "strategy_b"))
        won_a, won_b = a["won"], b["won"]
        cards_a, cards_b = a["foundation_cards"], b["foundation_cards"]
        assert row["both_won"] == (won_a & won_b).sum()
        assert row["only_a_won"] == (won_a & ~won_b).sum()
        assert row["only_b_won"] == (~won_a & won_b).sum()
        assert row["neither_won"] == (~won_a & ~won_b).sum()
        assert row["a_ahead"] == (cards_a > cards_b).sum()
        assert row["b_ahead"] == (cards_a < cards_b).sum()
        assert row["level"] == (cards_a == cards_b).sum()
        assert row["deals"] == len(a)
        assert row["difference"] == pytest.approx(won_a.mean() - won_b.mean(), abs=1e-12)
        assert row["difference_low"] < row["difference"] < row["difference_high"]


def test_p_values_are_mcnemar_s_and_holm_s(run):
    table = run.head_to_head.filter(pl.col("strategy_a") < pl.col("strategy_b"))
    p_values = [
        binomtest(row["only_a_won"], row["only_a_won"] + row["only_b_won"]).pvalue
        for row in table.iter_rows(named=True)
    ]
    assert table["p_value"].to_list() == pytest.approx(p_values)
    order = sorted(range(3), key=lambda n: p_values[n])
    adjusted, least = [0.0] * 3, 0.0
    for place, n in enumerate(order):
        least = max(least, min(1.0, (3 - place) * p_values[n]))
        adjusted[n] = least
    assert table["p_value_adjusted"].to_list() == pytest.approx(adjusted)


def test_the_reverse_of_a_pair_says_the_same(run):
    rows = {(row[0], row[1]): row for row in run.head_to_head.rows()}
    names = run.head_to_head.columns
    for (a, b), row in rows.items():
        here = dict(zip(names, row, strict=True))
        there = dict(zip(names, rows[b, a], strict=True))
        assert here["difference"] == -there["difference"]
        assert here["difference_low"] == pytest.approx(-there["difference_high"], abs=1e-12)
        assert (here["only_a_won"], here["a_ahead"]) == (there["only_b_won"], there["b_ahead"])
        assert here["p_value_adjusted"] == there["p_value_adjusted"]


def test_one_strategy_has_no_pairs():
    table = head_to_head(["alone"], Duels.none(1), 0.95)
    assert table.is_empty()
    assert table.schema == HEAD_TO_HEAD_SCHEMA
