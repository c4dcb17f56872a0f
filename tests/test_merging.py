"""Parts of a run, joined, are the run that was made in one go."""

import json

import polars as pl
import pytest
from executors import POOL, InProcess

from calcsim.analysis.run import RunError, scan
from calcsim.analysis.stopping import Stopping
from calcsim.batch.disk_errors import TakenError
from calcsim.batch.plan import make_plan
from calcsim.merging import MergeError, merge
from calcsim.reproducing import reproduce
from calcsim.simulation import simulate

STRATEGIES = ["greedy", "random"]


@pytest.fixture
def play(tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, InProcess)

    def call(name, first, deals, stopping=None, keep_deals=True, confidence=0.95, **settings):
        settings = {"strategies": STRATEGIES, "seed": 4} | settings
        plan = make_plan(settings.pop("strategies"), first_deal=first, deals=deals, **settings)
        how = {"stopping": stopping, "keep_deals": keep_deals, "confidence": confidence}
        return scan(simulate(plan, out=tmp_path / name, shard_deals=40, **how).path)

    return call


@pytest.mark.parametrize("keep_deals", [True, False])
def test_they_are_the_run_made_in_one_go(play, tmp_path, keep_deals):
    parts = [
        play("b", 100, 37, keep_deals=keep_deals),
        play("c", 137, 163, keep_deals=keep_deals),
        play("a", 0, 100, keep_deals=keep_deals),
    ]
    whole = play("whole", 0, 300, keep_deals=keep_deals)
    merge(parts, tmp_path / "merged")
    merged = scan(tmp_path / "merged")
    for name in ("digests", "plan_sha256", "first_deal", "deals", "deals_done", "status"):
        assert merged.manifest[name] == whole.manifest[name]
    for one, other in zip(merged.manifest["strategies"], whole.manifest["strategies"], strict=True):
        for name in ("fingerprint", "deals_done", "source_sha256"):
            assert one[name] == other[name]
    if keep_deals:
        rows = [run.deals().sort("strategy", "deal").collect() for run in (merged, whole)]
        assert rows[0].equals(rows[1])
    assert [part["first_deal"] for part in merged.manifest["merged"]] == [0, 100, 137]
    assert not (tmp_path / "merged" / ".writing").exists()


def test_what_is_merged_can_be_reproduced_extended_and_merged_again(play, tmp_path):
    merge([play("a", 0, 100), play("b", 100, 100)], tmp_path / "ab")
    assert reproduce(scan(tmp_path / "ab")).is_same
    merge([scan(tmp_path / "ab"), play("c", 200, 100)], tmp_path / "abc")
    whole = play("whole", 0, 400)
    plan = make_plan(STRATEGIES, deals=400, seed=4)
    extended = simulate(plan, out=tmp_path / "abc", resume=True)
    assert extended.manifest["digests"] == whole.manifest["digests"]


@pytest.mark.parametrize(
    ("first", "settings", "says"),
    [
        (50, {}, "/a and .*/b have both played deals 50 to 99"),
        (0, {}, "/[ab] and .*/[ab] have both played deals 0 to 99"),
        (101, {}, "deals 100 to 100 are missing between .*/a and .*/b"),
        (100, {"seed": 5}, "seed: 4 there, 5 here"),
        (100, {"variant": "three-wastes"}, "variant: "),
        (100, {"strategies": ["greedy"]}, "strategies: "),
        (100, {"confidence": 0.9}, "confidence: 0.95 there, 0.9 here"),
        (100, {"keep_deals": False}, "rows: true there, false here"),
        (100, {"stopping": Stopping(precision=0.3)}, "could stop when its data said so"),
    ],
)
def test_what_is_no_part_of_the_same_run_is_refused(play, tmp_path, first, settings, says):
    runs = [play("a", 0, 100), play("b", first, 200, **settings)]
    for order in (runs, runs[::-1]):
        with pytest.raises(MergeError, match=says):
            merge(order, tmp_path / "merged")
        assert not (tmp_path / "merged").exists()


def test_one_run_is_nothing_to_merge(play, tmp_path):
    with pytest.raises(MergeError, match="nothing to merge"):
        merge([play("a", 0, 100)], tmp_path / "merged")


def test_the_directory_must_be_new(play, tmp_path):
    runs = [play("a", 0, 100), play("b", 100, 100)]
    with pytest.raises(TakenError, match="is not empty"):
        merge(runs, tmp_path / "a")
    assert scan(tmp_path / "a").manifest["deals"] == 100


def test_rows_that_are_not_what_was_written_leave_nothing(play, tmp_path):
    runs = [play("a", 0, 100), play("b", 100, 100)]
    file = runs[1].row_files("random")[1].path
    pl.read_parquet(file).with_columns(won=~pl.col("won")).write_parquet(file)
    with pytest.raises(RunError, match="is not what the run has written"):
        merge(runs, tmp_path / "new" / "merged")
    assert not (tmp_path / "new").exists()


def test_strategies_that_drifted_are_refused(play, tmp_path):
    runs = [play("a", 0, 100), play("b", 100, 100)]
    file = tmp_path / "b" / "run.json"
    manifest = json.loads(file.read_text())
    manifest["strategies"][1]["fingerprint"] = "0" * 64
    file.write_text(json.dumps(manifest))
    with pytest.raises(MergeError, match="'random' has played otherwise in one run"):
        merge([runs[0], scan(tmp_path / "b")], tmp_path / "merged")
