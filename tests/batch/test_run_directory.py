"""What a run leaves in its directory: names, columns, digests; and which directories it takes."""

import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from calcsim.batch.claim import CLAIM
from calcsim.batch.digest import RowDigest, content_digest
from calcsim.batch.disk_errors import RunDirectoryError
from calcsim.batch.plan import make_plan
from calcsim.batch.rows import row_schema
from calcsim.batch.run_directory import Contents, default_directory, new_directory

PLAN = make_plan(["greedy"], seed=7, deals=10)
CONTENTS = Contents(("greedy",), 4, rows=True)
ROWS = {
    "deal": pl.UInt64,
    "won": pl.Boolean,
    "foundation_cards": pl.UInt16,
    "direct_plays": pl.UInt8,
    "foundation_1": pl.UInt8,
    "foundation_2": pl.UInt8,
    "foundation_3": pl.UInt8,
    "foundation_4": pl.UInt8,
}
FOLDERS = {"greedy": "strategy=greedy", "king-pile:release=5": "strategy=king-pile%3Arelease%3D5"}


def files_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_files_of_a_run(run):
    shards = ["350-649", "50-349", "650-949", "950-1049"]
    assert files_of(run.path) == [
        *(f"deals/{folder}/{shard}.parquet" for folder in FOLDERS.values() for shard in shards),
        "foundation_counts.parquet",
        "head_to_head.parquet",
        "run.json",
        "shards.ndjson",
        "win_rates.parquet",
    ]


def test_the_columns_of_win_rates(run):
    frame = pl.read_parquet(run.path / "win_rates.parquet")
    assert list(frame.schema.items()) == [
        ("strategy", pl.String),
        ("variant", pl.String),
        ("seed", pl.UInt64),
        ("deals", pl.UInt64),
        ("wins", pl.UInt64),
        ("win_rate", pl.Float64),
        ("win_rate_low", pl.Float64),
        ("win_rate_high", pl.Float64),
        ("confidence", pl.Float64),
        ("near_misses", pl.UInt64),
        ("mean_foundation_cards", pl.Float64),
        ("sd_foundation_cards", pl.Float64),
        ("mean_direct_plays", pl.Float64),
        ("failed", pl.UInt64),
    ]
    assert frame["strategy"].to_list() == list(FOLDERS)


def test_the_columns_of_foundation_counts_and_a_row_for_every_count(run):
    frame = pl.read_parquet(run.path / "foundation_counts.parquet")
    assert list(frame.schema.items()) == [
        ("strategy", pl.String),
        ("foundation_cards", pl.UInt16),
        ("deals", pl.UInt64),
        ("share", pl.Float64),
        ("cumulative_share", pl.Float64),
    ]
    for label in FOLDERS:
        of_label = frame.filter(strategy=label)
        assert of_label["foundation_cards"].to_list() == list(range(53))
        assert of_label["deals"].sum() == 1000
        assert of_label["share"].sum() == pytest.approx(1)
        assert of_label["cumulative_share"][-1] == 1


def test_the_columns_of_rows(run):
    for file in run.path.glob("deals/*/*.parquet"):
        assert list(pl.read_parquet_schema(file).items()) == list(ROWS.items())
    rows = pl.concat(map(pl.read_parquet, (run.path / "deals").glob("*/*.parquet")))
    foundations = rows.select("^foundation_[1-4]$").sum_horizontal()
    assert (rows["foundation_cards"] == foundations).all()
    assert (rows["won"] == (rows["foundation_cards"] == 52)).all()


def test_tables_and_rows_agree(run):
    rows = (
        run.deals()
        .group_by("strategy")
        .agg(
            pl.len().cast(pl.UInt64).alias("deals"),
            pl.col("won").sum().cast(pl.UInt64).alias("wins"),
            (pl.col("foundation_cards").is_between(45, 51))
            .sum()
            .cast(pl.UInt64)
            .alias("near_misses"),
            pl.col("foundation_cards").mean().alias("mean_foundation_cards"),
            pl.col("foundation_cards").std().alias("sd_foundation_cards"),
            pl.col("direct_plays").mean().alias("mean_direct_plays"),
        )
        .collect()
    )
    for row in rows.to_dicts():
        table = run.win_rates.row(by_predicate=pl.col("strategy") == row["strategy"], named=True)
        assert row == pytest.approx({name: table[name] for name in row})


def test_digests_can_be_had_from_the_files_again(run):
    digests = json.loads((run.path / "run.json").read_text())["digests"]
    assert set(digests) == {"win_rates", "foundation_counts", "head_to_head", "deals"}
    for table in ("win_rates", "foundation_counts", "head_to_head"):
        assert digests[table] == content_digest(pl.read_parquet(run.path / f"{table}.parquet"))
    for label, folder in FOLDERS.items():
        rows = pl.read_parquet(run.path / "deals" / folder / "*.parquet").sort("deal")
        assert digests["deals"][label] == content_digest(rows)
        digest = RowDigest(row_schema(4))
        digest.update({name: rows[name].to_numpy() for name in rows.columns})
        assert digests["deals"][label] == digest.hexdigest()


def test_the_schema_of_rows_follows_the_foundations():
    eight = row_schema(8)
    assert list(eight)[-1] == "foundation_8"
    assert eight["deal"] == np.uint64


def test_an_empty_directory_is_taken_and_not_removed(tmp_path):
    directory = new_directory(tmp_path, CONTENTS)
    directory.write_manifest({})
    assert files_of(tmp_path) == [CLAIM, "run.json"]
    directory.discard()
    assert tmp_path.is_dir()
    assert not files_of(tmp_path)


def test_of_two_runs_that_find_a_directory_empty_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "iterdir", lambda path: iter([]))
    first = new_directory(tmp_path, CONTENTS)
    with pytest.raises(RunDirectoryError, match="another run is writing to"):
        new_directory(tmp_path, CONTENTS)
    first.release()
    new_directory(tmp_path, CONTENTS)


def test_a_discarded_run_takes_its_new_folders_with_it(tmp_path):
    (tmp_path / "a").mkdir()
    new_directory(tmp_path / "a" / "b" / "c", CONTENTS).discard()
    assert os.listdir(tmp_path) == ["a"]
    assert not os.listdir(tmp_path / "a")


def test_discarding_spares_what_others_put_beside_it(tmp_path):
    directory = new_directory(tmp_path / "results" / "run", CONTENTS)
    (tmp_path / "results" / "other").mkdir()
    directory.discard()
    assert os.listdir(tmp_path / "results") == ["other"]


@pytest.mark.parametrize("name", ["run.json", ".hidden", "anything"])
def test_a_directory_that_holds_anything_is_refused(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(RunDirectoryError, match="is not empty and nothing is written over"):
        new_directory(tmp_path, CONTENTS)
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("path", ["file", "file/run", "file/deeper/run"])
def test_a_file_in_the_way_is_refused_and_told(tmp_path, path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(RunDirectoryError, match="--out") as raised:
        new_directory(tmp_path / path, CONTENTS)
    assert str(tmp_path / path) in str(raised.value)
    assert (tmp_path / "file").read_text() == "mine"


def test_default_directories_are_new_under_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = default_directory(PLAN)
    assert path.parent == Path("results")
    assert path.name.endswith("-standard-seed-7")
    path.mkdir(parents=True)
    other = default_directory(PLAN)
    assert other.parent == Path("results")
    assert not other.exists()
