"""Opening a run directory."""

import shutil

import pytest
from executors import POOL, InProcess
from polars.testing import assert_frame_equal

from calcsim.analysis.run import TABLES, Run, RunError, scan
from calcsim.batch.plan import make_plan
from calcsim.simulation import simulate


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, InProcess)
    plan = make_plan(["greedy", "king-pile:release=5"], deals=40, seed=3)
    return simulate(plan, out=tmp_path / "run", shard_deals=15)


@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_what_is_opened_is_what_was_written(run, kind):
    opened = scan(kind(run.path))
    for name, table in run.tables().items():
        assert_frame_equal(opened.tables()[name], table)
    assert opened.path == run.path
    digests = opened.manifest.pop("digests")
    assert set(digests) == {*run.tables(), "deals"}
    timeless = ["seed", "deals", "deals_done", "variant", "strategies", "status"]
    assert [opened.manifest[f] for f in timeless] == [run.manifest[f] for f in timeless]


def test_rows_bear_the_label_of_their_strategy(run):
    rows = scan(run.path).deals().collect()
    assert rows.height == 80
    assert set(rows["strategy"]) == {"greedy", "king-pile:release=5"}
    assert rows.filter(strategy="greedy").sort("deal")["deal"].to_list() == list(range(40))


def test_a_run_without_rows_says_so(run):
    with pytest.raises(RunError, match="kept no rows"):
        Run(**run.tables(), manifest=run.manifest).deals()


@pytest.mark.parametrize("shard", ["0-14", "15-29", "30-39"])
def test_rows_that_are_missing_are_told(run, shard):
    (run.path / "deals" / "strategy=greedy" / f"{shard}.parquet").unlink()
    first = shard.partition("-")[0]
    for look in (scan(run.path).deals, lambda: scan(run.path).row_files("greedy")):
        with pytest.raises(RunError, match=f"rows of 'greedy' are missing, from deal {first} on"):
            look()
    assert len(scan(run.path).row_files("king-pile:release=5")) == 3


@pytest.mark.parametrize("missing", ["run.json", *(f"{table}.parquet" for table in TABLES)])
def test_an_unfinished_run_is_refused(run, missing):
    (run.path / missing).unlink()
    with pytest.raises(RunError, match=f"holds no finished run: .*{missing}"):
        scan(run.path)


@pytest.mark.parametrize("broken", ["run.json", "win_rates.parquet"])
def test_a_broken_file_is_refused(run, broken):
    (run.path / broken).write_bytes(b"\xff not what it should be")
    with pytest.raises(RunError, match="cannot be read"):
        scan(run.path)


def test_what_is_no_directory_is_refused(tmp_path):
    (tmp_path / "file").write_text("{}")
    for name, what in (("missing", "is not there"), ("file", "is a file")):
        with pytest.raises(RunError, match=f"{name} {what}: name the directory of a run"):
            scan(tmp_path / name)


@pytest.mark.parametrize("name", ["ru?", "seed=1", "strategy=foo", "[br]", "a b"])
def test_the_name_of_a_directory_means_nothing(run, name):
    for folder in (run.path.parent / "rux", run.path.parent / name):
        shutil.copytree(run.path, folder)
    opened = scan(run.path.parent / name)
    assert_frame_equal(opened.win_rates, run.win_rates)
    assert_frame_equal(opened.deals().collect(), scan(run.path).deals().collect())
