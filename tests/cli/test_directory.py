"""Where `calcsim run` writes, what it refuses to write over, and what it says."""

import json
from pathlib import Path

import pytest
from wcwidth import wcswidth

RUN = ("run", "greedy", "--deals", 20, "--seed", 3)


def content_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_by_default_every_run_has_a_new_one(calcsim, tmp_path):
    paths = []
    for _ in range(3):
        ended = calcsim(*RUN)
        assert ended.status == 0
        note, _, path = ended.err.splitlines()[-1].rpartition(" ")
        assert note == "written to"
        paths.append(path)
    assert len(set(paths)) == 3
    assert sorted(paths) == sorted(f"results/{path.name}" for path in Path("results").iterdir())
    assert {path.name for path in Path(paths[0]).iterdir()} == {
        "deals",
        "foundation_counts.parquet",
        "head_to_head.parquet",
        "run.json",
        "shards.ndjson",
        "win_rates.parquet",
    }


def test_no_deals_leaves_the_rows_out(calcsim, tmp_path):
    assert calcsim(*RUN, "--out", "run", "--no-deals").status == 0
    assert not (tmp_path / "run" / "deals").exists()
    digests = json.loads((tmp_path / "run" / "run.json").read_text())["digests"]
    assert set(digests) == {"win_rates", "foundation_counts", "head_to_head"}


def test_a_run_is_never_written_over(calcsim, tmp_path):
    calcsim(*RUN, "--out", "run")
    before = content_of(tmp_path)
    ended = calcsim(*RUN, "--out", "run")
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err == (
        "Error: run is not empty and nothing is written over: name a new directory, or go on "
        "with the run in it by --resume\n"
    )
    assert content_of(tmp_path) == before


@pytest.mark.parametrize("out", ["file", "file/run", "file/a/b"])
def test_a_file_is_no_directory(refused, calcsim, tmp_path, out):
    (tmp_path / "file").write_text("mine")
    line, status = refused(*RUN, "--out", out)
    assert f"cannot write {out}" in line
    assert "--out" in line
    assert status == 1
    assert (tmp_path / "file").read_text() == "mine"


def test_folders_above_it_are_made(calcsim, tmp_path):
    assert calcsim(*RUN, "--out", "a/b/c").status == 0
    assert (tmp_path / "a" / "b" / "c" / "run.json").is_file()


def test_the_command_is_kept(calcsim, tmp_path):
    calcsim(*RUN, "--out", "my run")
    manifest = json.loads((tmp_path / "my run" / "run.json").read_text())
    assert manifest["command"] == "calcsim run greedy --deals 20 --seed 3 --out 'my run'"


def test_what_is_said_and_where(calcsim):
    ended = calcsim("run", "greedy", "--deals", 20, "--out", "run")
    written = ended.err.splitlines()[-1]
    seed = next(line for line in ended.err.splitlines() if line.startswith("seed "))
    assert written == "written to run"
    assert ended.out.splitlines()[-1].startswith("greedy ")
    again = calcsim("run", "greedy", "--deals", 20, "--seed", seed.split()[1], "--out", "again")
    assert again.out == ended.out
    assert "\x1b" not in ended.out + ended.err
    assert "\r" not in ended.out + ended.err


def test_quiet_says_nothing_but_the_table(calcsim):
    ended = calcsim("run", "greedy", "--deals", 20, "--quiet")
    assert ended.status == 0
    assert ended.err == ""
    assert ended.out.splitlines()[-1].startswith("greedy ")


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal(calcsim, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ended = calcsim("run", "greedy", "king-pile:release=5", "--deals", 20, "--out", f"run{columns}")
    assert ended.status == 0
    assert max(map(wcswidth, ended.out.splitlines())) <= columns
