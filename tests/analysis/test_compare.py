"""Comparing runs: what is paired and what is not, and the counts, against a plain join."""

import itertools
import json
import shutil
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from executors import POOL, InProcess

from calcsim.analysis import common_deals
from calcsim.analysis.arms import CompareError, find_arm, find_arms
from calcsim.analysis.common_deals import count_common_deals
from calcsim.analysis.compare import COMPARISON_SCHEMA, compare
from calcsim.analysis.holm import holm
from calcsim.analysis.paired import mcnemar_p_value, paired_interval
from calcsim.analysis.run import RunError, scan
from calcsim.analysis.sequences import difference_sequence, sequence_p_value
from calcsim.analysis.stopping import Stopping
from calcsim.analysis.unpaired import (
    unpaired_interval,
    unpaired_p_value,
    unpaired_sequence,
    unpaired_sequence_p_value,
)
from calcsim.batch.deck_file import read_deck
from calcsim.batch.plan import make_plan
from calcsim.game.cards import format_cards
from calcsim.game.deal import deal_cards
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.simulation import simulate

TOP = 2**64 - 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def play(folder):
    """Plays a run once: its name tells the directory."""

    def call(name, strategies="greedy", *, keep_deals=True, stopping=None, shard_deals=64, **plan):
        if not (folder / name).exists():
            settings = {"variant": "easy-5", "deals": 400, "seed": 5} | plan
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(POOL, InProcess)
                simulate(
                    make_plan(strategies.split(), **settings),
                    out=folder / name,
                    keep_deals=keep_deals,
                    stopping=stopping,
                    shard_deals=shard_deals,
                )
        return scan(folder / name)

    return call


@pytest.fixture
def base(play):
    return play("base", "greedy need-order-deep")


@pytest.fixture
def fewer_wastes(play):
    return play("fewer", "greedy", variant="standard", shard_deals=77)


def only_row(table):
    return table.row(0, named=True)


def joined_counts(run_a, label_a, run_b, label_b):
    """How many deals both won, only a, only b, neither: by one join in memory."""
    a = run_a.deals().filter(strategy=label_a).select("deal", "won").collect()
    b = run_b.deals().filter(strategy=label_b).select("deal", "won").collect()
    both = a.join(b, on="deal", how="inner")
    ways = [(True, True), (True, False), (False, True), (False, False)]
    return tuple(both.filter(won=x, won_right=y).height for x, y in ways)


def test_the_same_strategy_in_two_variants_of_one_stock_is_paired(base, fewer_wastes):
    rows = compare([base, fewer_wastes]).to_dicts()
    assert [(row["arm_a"], row["arm_b"]) for row in rows] == [
        ("base:greedy", "base:need-order-deep"),
        ("base:greedy", "fewer:greedy"),
        ("base:need-order-deep", "fewer:greedy"),
    ]
    for row, runs in zip(rows, [(base, base)] + [(base, fewer_wastes)] * 2, strict=True):
        counts = joined_counts(runs[0], row["strategy_a"], runs[1], row["strategy_b"])
        both, only_a, only_b, _ = counts
        assert row["paired"]
        assert row["why_not_paired"] is None
        assert (row["only_a_won"], row["only_b_won"]) == (only_a, only_b)
        assert (row["wins_a"], row["wins_b"]) == (both + only_a, both + only_b)
        assert row["deals_a"] == row["deals_b"] == sum(counts) == 400
        assert row["difference"] == pytest.approx((only_a - only_b) / 400, abs=1e-15)
        interval = (row["difference_low"], row["difference_high"])
        assert interval == paired_interval(*counts, 0.95)
        assert row["p_value"] == mcnemar_p_value(only_a, only_b)
    assert [(row["variant_a"], row["variant_b"]) for row in rows[:2]] == [
        ("easy-5", "easy-5"),
        ("easy-5", "standard"),
    ]
    assert rows[1]["same_program"]
    assert not rows[0]["same_program"]


def test_columns_and_adjusted_p_values(base, fewer_wastes, play):
    table = compare([base, fewer_wastes, play("other-seed", seed=6)], confidence=0.9)
    assert table.schema == COMPARISON_SCHEMA
    assert table.height == 6
    assert table["p_value_adjusted"].to_list() == holm(table["p_value"].to_list())
    assert set(table["confidence"]) == {0.9}
    assert table.null_count().select("arm_a", "seed_b", "wins_b", "p_value").row(0) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("giant", {"variant": "giant", "deals": 100}, "different stocks"),
        ("no-starters", {"variant": "no-starters"}, "different stocks"),
        ("other-seed", {"seed": 6}, r"seeds differ \(5 and 6\)"),
        ("bare", {"keep_deals": False}, "no rows per deal in bare"),
        ("far", {"first_deal": 10**6}, "no deal in common"),
        ("next", {"first_deal": 400}, "no deal in common"),
    ],
)
def test_what_is_not_paired_says_why(base, play, name, change, why):
    other = play(name, **change)
    row = only_row(compare([base, other], reference=f"{name}:greedy").filter(strategy_a="greedy"))
    assert not row["paired"]
    assert pl.Series([row["why_not_paired"]]).str.contains(why).all()
    assert (row["only_a_won"], row["only_b_won"]) == (None, None)
    counts = (row["wins_a"], row["deals_a"], row["wins_b"], row["deals_b"])
    for which, run in (("a", base), ("b", other)):
        of_arm = only_row(run.win_rates.filter(strategy="greedy"))
        assert (row[f"wins_{which}"], row[f"deals_{which}"]) == (of_arm["wins"], of_arm["deals"])
    assert (row["difference_low"], row["difference_high"]) == unpaired_interval(*counts)
    assert row["p_value"] == unpaired_p_value(*counts)


def test_drawn_starters_are_not_in_the_stock(play):
    drawn = play("drawn", variant="broken-intervals")
    assert VARIANTS["broken-intervals"].cards == VARIANTS["no-starters"].cards
    row = only_row(compare([drawn, play("no-starters", variant="no-starters")]))
    assert row["why_not_paired"] == "their variants have different stocks"


def test_two_runs_without_rows_are_both_named(play):
    runs = [play("bare", keep_deals=False), play("empty", keep_deals=False, variant="standard")]
    assert only_row(compare(runs))["why_not_paired"] == "no rows per deal in bare and empty"
    # In one run the counts are there all the same.
    pair = play("bare-pair", "greedy random", keep_deals=False)
    assert compare([pair])["paired"].to_list() == [True]


def test_another_deal_format_has_other_deals(base, folder):
    copy = folder / "formats" / "new"
    shutil.copytree(base.path, copy)
    manifest = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(manifest | {"deal_format": 2}))
    table = compare([base, scan(copy)], reference="base:greedy").filter(run_a=str(copy))
    assert set(table["why_not_paired"]) == {"their deal formats differ (2 and 1)"}


@pytest.mark.parametrize("block", [1, 7, 64, 100, 2**19])
def test_only_the_deals_in_common_count(base, play, monkeypatch, block):
    monkeypatch.setattr(common_deals, "BLOCK", block)
    later = play("later", variant="standard", first_deal=301, shard_deals=13, deals=250)
    row = only_row(compare([base, later]).filter(strategy_a="greedy", strategy_b="greedy"))
    counts = joined_counts(base, "greedy", later, "greedy")
    assert row["deals_a"] == row["deals_b"] == sum(counts) == 99
    assert (row["only_a_won"], row["only_b_won"]) == counts[1:3]
    assert row["wins_a"] == counts[0] + counts[1]


def test_the_last_deals_there_are(play):
    settings = {"first_deal": TOP - 40, "deals": 41, "shard_deals": 9}
    runs = [play("top", **settings), play("top-std", variant="standard", **settings)]
    row = only_row(compare(runs))
    counts = joined_counts(runs[0], "greedy", runs[1], "greedy")
    assert (row["deals_a"], row["only_a_won"], row["only_b_won"]) == (41, *counts[1:3])


def test_several_strategies_at_once_with_gaps(base, play):
    """As after a race: not all have played all deals."""
    later = play("later", variant="standard", first_deal=301, shard_deals=13, deals=250)
    arms = [(base, "greedy"), (later, "greedy"), (base, "need-order-deep")]
    common = count_common_deals([run.row_files(label) for run, label in arms] + [[]])
    for a, b in itertools.permutations(range(3), 2):
        assert common.outcomes(a, b) == joined_counts(*arms[a], *arms[b])
    assert common.outcomes(0, 3) == (0, 0, 0, 0)


def test_the_order_of_the_runs_changes_no_verdict(base, fewer_wastes, play):
    runs = [base, fewer_wastes, play("other-seed", seed=6), play("bare", keep_deals=False)]

    def verdicts(order):
        rows = {}
        for row in compare(order).iter_rows(named=True):
            pair, sign = (row["arm_a"], row["arm_b"]), 1
            low, high = row["difference_low"], row["difference_high"]
            if pair[0] > pair[1]:
                pair, sign, low, high = pair[::-1], -1, -high, -low
            numbers = (sign * row["difference"], low, high, row["p_value"], row["p_value_adjusted"])
            rows[pair] = (row["paired"], row["deals_to_go"], pytest.approx(numbers, abs=1e-12))
        return rows

    assert verdicts(runs) == {
        pair: (paired, to_go, numbers.expected)
        for pair, (paired, to_go, numbers) in verdicts(runs[::-1]).items()
    }


def test_runs_of_one_deck_file_are_paired_however_it_is_written(play, tmp_path):
    dealt = [format_cards(cards) for cards in deal_cards(STANDARD, 9, 0, 60).tolist()]
    (tmp_path / "a.txt").write_text("\n".join(dealt))
    (tmp_path / "b.txt").write_text("# mine\n" + "\n\n".join(dealt).lower().replace("10", "t"))
    (tmp_path / "c.txt").write_text("\n".join(dealt[:50]))
    a, b, c = (read_deck(tmp_path / f"{name}.txt", STANDARD) for name in "abc")
    decks = [
        play("deck-a", deck=a, deals=None, variant="standard"),
        play("deck-b", deck=b, deals=None, seed=77),
    ]
    row = only_row(compare(decks))
    assert row["paired"]
    assert (row["seed_a"], row["seed_b"], row["deals_a"]) == (None, None, 60)
    for other in (play("deck-c", deck=c, deals=None), play("base", "greedy need-order-deep")):
        table = compare([decks[0], other]).filter(run_a=str(decks[0].path))
        assert set(table["why_not_paired"]) == {"their deals are not from the same deck file"}


def test_runs_that_could_stop_early_hold_at_all_looks(base, play):
    early = play("early", "greedy random", variant="standard", stopping=Stopping(precision=0.3))
    assert early.manifest["stopping"]
    table = compare([early, base, play("other-seed", seed=6)])
    for row in table.iter_rows(named=True):
        assert row["sequential"] == ("early" in row["arm_a"] + row["arm_b"])
        if not row["sequential"]:
            continue
        assert row["deals_to_go"] is None
        interval = (row["difference_low"], row["difference_high"])
        if row["paired"]:
            only_a, only_b = row["only_a_won"], row["only_b_won"]
            both = row["wins_a"] - only_a
            counts = (both, only_a, only_b, row["deals_a"] - both - only_a - only_b)
            assert interval == difference_sequence(*counts)
            assert row["p_value"] == sequence_p_value(only_a, only_b)
        else:
            counts = (row["wins_a"], row["deals_a"], row["wins_b"], row["deals_b"])
            assert interval == unpaired_sequence(*counts)
            assert row["p_value"] == unpaired_sequence_p_value(*counts)
    assert table.filter(sequential=True)["paired"].n_unique() == 2


def test_level_pairs_tell_how_many_more_deals(base, play):
    table = compare([base, play("other-seed", seed=6), play("bare", keep_deals=False)])
    for row in table.iter_rows(named=True):
        level = row["difference_low"] <= 0 <= row["difference_high"]
        assert (row["deals_to_go"] is not None) == (level and row["difference"] != 0)
    assert table["deals_to_go"].null_count() < table.height


def test_a_reference_is_what_all_others_are_compared_with(base, fewer_wastes):
    table = compare([base, fewer_wastes], reference="need-order-deep")
    assert set(table["arm_b"]) == {"base:need-order-deep"}
    assert table["arm_a"].to_list() == ["base:greedy", "fewer:greedy"]
    all_pairs = compare([base, fewer_wastes])
    there = only_row(all_pairs.filter(arm_a="base:greedy", arm_b="base:need-order-deep"))
    assert only_row(table)["p_value"] == there["p_value"]
    assert table["p_value_adjusted"].to_list() == holm(table["p_value"].to_list())


def test_names_of_arms(base, fewer_wastes, folder):
    arms = find_arms([base])
    assert [arm.name for arm in arms] == ["greedy", "need-order-deep"]
    arms = find_arms([base, fewer_wastes])
    for words in ("fewer:greedy", f"{fewer_wastes.path}:greedy"):
        assert find_arm(arms, words) is arms[2]
    assert find_arm(arms, "need-order-deep") is arms[1]
    for words, says in [
        ("greedy", "in more than one run: say 'base:greedy' or 'fewer:greedy'"),
        ("base:gredy", "did you mean 'base:greedy'"),
        ("xyzzy", r"there are base:greedy, base:need-order-deep, fewer:greedy\)"),
    ]:
        with pytest.raises(CompareError, match=says):
            find_arm(arms, words)


def test_runs_with_long_or_equal_names_are_numbered(base, folder):
    for there in ("elsewhere/base", "2026-11-30T10-59-36-standard-seed-1"):
        shutil.copytree(base.path, folder / there, dirs_exist_ok=True)
        other = scan(folder / there)
        arms = find_arms([base, other])
        assert [arm.name for arm in arms[1:3]] == ["1:need-order-deep", "2:greedy"]
        assert find_arm(arms, f"{folder / there}:greedy") is arms[2]
    assert find_arm(arms, "2026-11-30T10-59-36-standard-seed-1:greedy") is arms[2]
    shutil.copytree(base.path, folder / "2", dirs_exist_ok=True)
    arms = find_arms([scan(folder / "2"), other])
    assert find_arm(arms, "2:greedy").name == "2:greedy"  # not the one in the directory 2


def test_runs_that_were_not_written(base):
    unwritten = replace(base, path=None)
    row = only_row(compare([unwritten, replace(base, path=None)]).tail(1))
    assert (row["run_a"], row["paired"]) == ("2", True)
    table = compare([base, unwritten]).filter(run_b="2", run_a=str(base.path))
    assert set(table["why_not_paired"]) == {"no rows per deal in 2"}


def test_refusals(base, fewer_wastes, folder):
    link = folder / "link"
    link.symlink_to(base.path)
    for again in (base, scan(link), scan(f"{base.path}/../base")):
        with pytest.raises(CompareError, match="is given twice"):
            compare([base, fewer_wastes, again])
    link.unlink()
    for few in ([], [fewer_wastes]):
        with pytest.raises(CompareError, match="nothing to compare with"):
            compare(few)
    with pytest.raises(ValueError, match="between 0 and 1"):
        compare([base], confidence=95)


def test_what_cannot_be_read_is_told(base, fewer_wastes, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(base.path, copy)
    rows = sorted(copy.glob("deals/strategy=greedy/*"))
    rows[1].write_bytes(rows[1].read_bytes()[:100])
    with pytest.raises(RunError, match=r"copy/deals/.*parquet cannot be read"):
        compare([scan(copy), fewer_wastes])
    shutil.copy(rows[0], rows[1])
    with pytest.raises(RunError, match="does not hold the deals that its name tells"):
        compare([scan(copy), fewer_wastes])
    broken = scan(copy)
    del broken.manifest["variant"]
    with pytest.raises(RunError, match=r"copy is no run of this version of calcsim \(KeyError"):
        compare([broken, fewer_wastes])


def test_counts_stay_exact_in_the_largest_block():
    """A float32 counts every whole number up to 2**24."""
    ones = np.ones((1, common_deals.BLOCK), dtype=np.float32)
    assert (ones @ ones.T).item() == common_deals.BLOCK < 2**24
