"""A disk without room: one line says so, and no half of a file is left."""

import errno
import os
import subprocess

import polars as pl
import pytest

from calcsim.batch import files

RUN = ("run", "greedy", "king-pile:release=5", "--seed", 1, "--quiet", "--shard-deals", 3000)
ROOM = "200k"

linux_only = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@pytest.fixture
def small_disk(tmp_path):
    """A folder with room for 200 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def unsynced(monkeypatch):
    """After some calls, `os.fsync` finds the disk full."""
    synced = []

    def fsync(descriptor):
        synced.append(descriptor)
        if len(synced) > 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", fsync)


def assert_told(ended):
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err.startswith("Error: cannot write ")
    assert "No space left on device; make room, or name a directory on another disk" in ended.err
    _, *to_resume = ended.err.splitlines()
    assert all(line.startswith("  calcsim run ") for line in to_resume)
    assert len(to_resume) <= 1


def assert_whole_shards(run):
    """Every file is whole, and both strategies have the same deals."""
    paths = [path for path in run.rglob("*") if path.is_file()]
    assert not [path for path in paths if path.suffix not in (".json", ".ndjson", ".parquet")]
    deals = []
    for folder in sorted((run / "deals").iterdir()):
        rows = [pl.read_parquet(path) for path in folder.iterdir()]
        deals.append(sorted(pl.concat(rows)["deal"]) if rows else [])
    assert deals[0] == deals[1] == list(range(len(deals[0])))
    return len(deals[0])


def test_a_full_disk(calcsim, small_disk):
    assert_told(calcsim(*RUN, "--deals", 60_000, "--out", "disk/run"))
    assert assert_whole_shards(small_disk / "run") >= 3000


def test_a_disk_that_cannot_keep_what_it_took(calcsim, unsynced, tmp_path):
    assert_told(calcsim(*RUN, "--deals", 60_000, "--out", "run"))
    assert assert_whole_shards(tmp_path / "run") >= 3000


def test_a_disk_that_is_full_from_the_start(calcsim, monkeypatch, tmp_path):
    def fsync(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", fsync)
    assert_told(calcsim(*RUN, "--deals", 10, "--out", "a/run"))
    assert not list(tmp_path.iterdir())


@linux_only
@pytest.mark.parametrize("words", ["deal --seed 1 --deals 100", "--help", "--version", "variants"])
def test_output_to_a_full_disk(process, words):
    with open("/dev/full", "w") as full:
        ended = process(*words.split(), capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ended.status == 1
    assert ended.err == "Error: No space left on device\n"


@linux_only
@pytest.mark.parametrize("words", ["--help", "deal --deals 1e5", "variants"])
def test_a_reader_that_has_enough(shell, words):
    ended = shell(f"calcsim {words} | head -1")
    assert ended.out.count("\n") == 1
    assert "Traceback" not in ended.err
    assert "Exception" not in ended.err
    assert "Error" not in ended.err


@linux_only
def test_a_reader_that_is_gone_does_not_cost_the_run(shell, tmp_path):
    ended = shell(
        "calcsim run greedy --deals 10 --seed 1 --workers 1 --out run --quiet | true; "
        "echo ${PIPESTATUS[0]}"
    )
    assert ended.err == ""
    assert ended.out in ("0\n", "1\n")
    assert (tmp_path / "run" / "win_rates.parquet").is_file()
