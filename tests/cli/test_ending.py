"""Runs that are ended from outside leave no process behind, and what was finished."""

import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest
from sessions import PATIENCE, PROMPTLY, processes_of, sessions, wait_until, workers_of

from calcsim.batch.digest import content_digest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ENDLESS = ["--deals", "1e9", "--workers", "2", "--seed", "1", "--out", "run"]


@pytest.fixture
def endless(tmp_path, environment):
    """Starts a run that would take long."""
    with sessions(tmp_path, environment) as start:
        yield lambda *words, **how: start("run", *words, *ENDLESS, **how)


def assert_interrupted(process, since):
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - since < PROMPTLY
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    wait_until(lambda: not processes_of(process.pid), PROMPTLY)
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
    wait_until(lambda: not processes_of(process.pid), 10)


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
