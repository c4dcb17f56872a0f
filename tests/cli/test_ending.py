"""Runs that are ended from outside leave no process behind, and what was finished."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from calcsim.batch.digest import content_digest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PATIENCE = 60
PROMPTLY = 10
"""Two seconds are promised, where nothing else keeps the machine busy."""
ENDLESS = ["--deals", "1e9", "--workers", "2", "--seed", "1", "--out", "run"]


def processes_of(session):
    """Ids of a session's processes that have not ended."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            state, _, _, of_session = stat.rpartition(")")[2].split()[:4]
            if int(of_session) == session and state not in "ZX":
                yield int(entry.name)


def workers_of(session):
    for process in processes_of(session):
        words = Path(f"/proc/{process}/cmdline").read_bytes()
        if b"spawn_main" in words:
            yield process


def wait_until(is_so, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def endless(tmp_path, environment):
    """Starts a run, in a session of its own, that would take long."""
    started = []

    def start(*words, **how):
        process = subprocess.Popen(
            [sys.executable, "-m", "calcsim", "run", *words, *ENDLESS],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment,
            start_new_session=True,
            **how,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        for left in processes_of(process.pid):
            os.kill(left, signal.SIGKILL)
        process.communicate()


def assert_interrupted(process, since):
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - since < PROMPTLY
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    wait_until(lambda: not list(processes_of(process.pid)), PROMPTLY)
    return err


def interrupt(process):
    since = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    return assert_interrupted(process, since)


def test_an_interrupt_without_rows(endless, tmp_path):
    process = endless("need-order-deep", "--no-deals")
    wait_until((tmp_path / "run" / "run.json").exists)
    time.sleep(2)  # for a shard or two
    last = interrupt(process).splitlines()[-1]
    if not (tmp_path / "run").exists():
        assert last == "interrupted; nothing was finished yet"
        return
    assert last.startswith("  calcsim run need-order-deep ")
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert manifest["status"] == "interrupted"
    win_rates = pl.read_parquet(tmp_path / "run" / "win_rates.parquet")
    assert win_rates["deals"].to_list() == [manifest["deals_done"]]


def test_an_interrupt_with_rows(endless, tmp_path):
    process = endless("greedy", "random", "--shard-deals", "2000")
    rows = tmp_path / "run" / "deals" / "strategy=greedy"
    wait_until(lambda: rows.exists() and len(list(rows.glob("*.parquet"))) > 3)
    interrupt(process)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    done = manifest["deals_done"]
    assert manifest["status"] == "interrupted"
    win_rates = pl.read_parquet(tmp_path / "run" / "win_rates.parquet")
    assert win_rates["deals"].to_list() == [done, done]
    assert manifest["digests"]["win_rates"] == content_digest(win_rates)
    for label, wins in zip(win_rates["strategy"], win_rates["wins"], strict=True):
        kept = pl.read_parquet(tmp_path / "run" / "deals" / f"strategy={label}" / "*.parquet")
        kept = kept.sort("deal")
        assert kept["deal"].to_list() == list(range(done))
        assert kept["won"].sum() == wins
        assert manifest["digests"]["deals"][label] == content_digest(kept)
    assert not list((tmp_path / "run").rglob("*.part"))


def test_an_interrupt_while_workers_start(endless, tmp_path):
    process = endless("greedy", "--no-deals")
    wait_until(lambda: list(workers_of(process.pid)))
    assert interrupt(process).endswith("interrupted; nothing was finished yet\n")
    assert not (tmp_path / "run").exists()


def test_workers_end_with_a_killed_run(endless, tmp_path):
    process = endless("greedy", "--no-deals")
    wait_until(lambda: len(list(workers_of(process.pid))) == 2)
    wait_until((tmp_path / "run" / "run.json").exists)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not list(processes_of(process.pid)), 10)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_being_told_to_end_is_like_an_interrupt(endless, tmp_path, name):
    process = endless("greedy", "--shard-deals", "2000")
    rows = tmp_path / "run" / "deals" / "strategy=greedy"
    wait_until(lambda: rows.exists() and len(list(rows.glob("*.parquet"))) > 3)
    since = time.monotonic()
    process.send_signal(getattr(signal, name))
    assert_interrupted(process, since)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert manifest["status"] == "interrupted"
    assert (tmp_path / "run" / "win_rates.parquet").exists()


def test_being_told_to_end_counts_where_an_interrupt_is_ignored(endless, tmp_path):
    process = endless("greedy", "--no-deals", preexec_fn=ignore_interrupts)
    wait_until((tmp_path / "run" / "run.json").exists)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None
    since = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert_interrupted(process, since)


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_an_interrupt_ends_the_replay_of_a_game_without_end(tmp_path, environment):
    (tmp_path / "endless.py").write_text(
        "def place(table, card):\n    while card > 0:\n        card = card % 13 + 1\n    return 0\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "calcsim", "replay", "endless.py", "--seed", "1"],
        cwd=tmp_path,
        env=environment,
    )
    time.sleep(6)  # for compiling
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) in (130, -signal.SIGINT)
