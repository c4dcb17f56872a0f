"""Whatever ends a run, the same command goes on with it, and the tables are as if nothing had."""

import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from sessions import PATIENCE, PROMPTLY, processes_of, sessions, wait_until, workers_of

from calcsim.batch.journal import read_journal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

SLOW_DOWN = """\
def place(table, card):
    steps = 0
    while steps < 20_000:
        steps += card % 3 + 1
    return (steps + card) % len(table.heights)
"""
"""Some 0.1 ms a placement, so that a few deals take their time."""
DEALS = 3000


PLAN = ["run", "slow.py", "greedy", "--deals", DEALS, "--seed", 3, "--shard-deals", 50]
"""Two strategies, a few seconds on one core."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Digests of the tables of a run that nothing has happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "slow.py").write_text(SLOW_DOWN)
    words = [sys.executable, "-m", "calcsim", *map(str, PLAN), "--out", "run"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return json.loads((folder / "run" / "run.json").read_text())["digests"]


@pytest.fixture
def start(tmp_path, environment):
    """Starts that run."""
    (tmp_path / "slow.py").write_text(SLOW_DOWN)
    with sessions(tmp_path, environment) as begin:
        yield lambda *words: begin(*PLAN, "--workers", 2, *words)


def wait_for_shards(process, folder, number):
    wait_until(lambda: len(read_journal(folder)[0]) >= number or process.poll() is not None)


def wait_for_silence(process):
    wait_until(lambda: not processes_of(process.pid), PROMPTLY)


def assert_same(folder, undisturbed):
    manifest = json.loads((folder / "run.json").read_text())
    assert manifest["status"] == "finished"
    assert manifest["digests"] == undisturbed
    assert not [path for path in folder.rglob(".*") if "set-aside" not in path.parts]


def test_ctrl_c_and_the_command_that_it_prints(start, undisturbed, tmp_path, environment):
    process = start()
    while not (found := list(tmp_path.glob("results/*"))):
        time.sleep(0.02)
    (folder,) = found
    wait_for_shards(process, folder, 3)
    since = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - since < PROMPTLY
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    wait_for_silence(process)
    said, to_resume = err.splitlines()[-2:]
    where = folder.relative_to(tmp_path)
    assert said == f"interrupted; what was finished is in {where}, and to go on:"
    words = shlex.split(to_resume)
    assert words[0] == "calcsim"
    assert words[-3:] == ["--out", str(where), "--resume"]
    kept = len(read_journal(folder)[0])
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, env=environment, capture_output=True
    )
    assert done.returncode == 0
    assert kept < len(read_journal(folder)[0])
    assert_same(folder, undisturbed)


def kill_at_random(start, tmp_path, undisturbed, times, draw):
    folder, killed = tmp_path / "run", 0
    while True:
        process = start("--out", "run", "--resume")
        if killed == times:
            break
        before = len(read_journal(folder)[0])
        wait_for_shards(process, folder, before + draw.randint(0, 2))
        time.sleep(draw.random() / 4)
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        killed += 1
        wait_for_silence(process)
        assert len(read_journal(folder)[0]) >= before
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert_same(folder, undisturbed)
    return killed


def test_kill_9_of_the_whole_run(start, undisturbed, tmp_path):
    assert kill_at_random(start, tmp_path, undisturbed, 3, random.Random(1)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_kill_9_again_and_again(start, undisturbed, tmp_path, seed):
    assert kill_at_random(start, tmp_path, undisturbed, 12, random.Random(seed)) >= 3


def test_workers_that_are_killed_cost_nothing(start, undisturbed, tmp_path):
    process = start("--out", "run")
    for number in (1, 4, 9, 15):
        wait_for_shards(process, tmp_path / "run", number)
        for worker in list(workers_of(process.pid))[:1]:
            os.kill(worker, signal.SIGKILL)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert "slow" in out
    assert_same(tmp_path / "run", undisturbed)


def test_two_at_once(start, tmp_path):
    first = start("--out", "run", "--deals", "1M")
    wait_for_shards(first, tmp_path / "run", 1)
    for words in (["--resume"], []):
        second = start("--out", "run", *words)
        out, err = second.communicate(timeout=PATIENCE)
        assert (second.returncode, out) == (1, "")
        assert err.splitlines()[-1].startswith("Error: another run is writing to run")
    assert first.poll() is None
    os.killpg(first.pid, signal.SIGINT)
    first.communicate(timeout=PATIENCE)
    assert first.returncode == 130


def test_a_small_disk_that_is_made_larger(start, undisturbed, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=120k", "none", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        process = start("--out", "disk/run")
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (1, "")
        told = [line for line in err.splitlines() if line.startswith("Error: ")]
        assert len(told) == 1
        assert "No space left on device; make room" in told[0]
        assert err.splitlines()[-1].endswith("--out disk/run --resume")
        kept = len(read_journal(disk / "run")[0])
        assert kept > 0
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        process = start("--out", "disk/run", "--resume")
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert_same(disk / "run", undisturbed)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_directory_that_is_removed_meanwhile(start, tmp_path):
    process = start("--out", "run")
    wait_for_shards(process, tmp_path / "run", 2)
    os.rename(tmp_path / "run", tmp_path / "gone")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert "Traceback" not in err
    assert "Error: " in err
    assert len(read_journal(tmp_path / "gone")[0]) >= 2
    wait_for_silence(process)
