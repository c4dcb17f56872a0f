"""Workers give results in order, hold little in memory, and tell when one was killed."""

import itertools
import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from executors import POOL, InProcess

from calcsim.batch.plan import make_plan
from calcsim.batch.shard import make_shards, play_shard
from calcsim.batch.workers import WorkerError, Workers, available_cores

PLAN = make_plan(["greedy"], seed=1, deals=10**6)


def test_cores_are_those_that_may_be_used():
    assert 1 <= available_cores() <= os.cpu_count()


def test_only_a_few_shards_are_under_way(monkeypatch):
    monkeypatch.setattr(POOL, InProcess)
    taken = []
    shards = (taken.append(shard) or shard for shard in make_shards(PLAN, 10))
    with Workers(3) as workers:
        results = workers.play_in_order(shards)
        assert len(taken) == 6
        firsts = [result.deals.first for result in itertools.islice(results, 20)]
    assert firsts == list(range(0, 200, 10))
    assert len(taken) <= 26


def test_a_killed_worker_costs_nothing_but_time():
    with Workers(2) as workers:
        plan = replace(PLAN, deals=400)
        results = []
        for result in workers.play_in_order(make_shards(plan, 10)):
            results.append(result)
            if len(results) in (5, 20):
                os.kill(workers._pool.process_ids()[0], signal.SIGKILL)
    assert [result.deals.first for result in results] == list(range(0, 400, 10))
    whole = play_shard(next(make_shards(plan, 400)))
    tallies = [result.games[0].tally for result in results]
    assert np.array_equal(sum(tallies), whole.games[0].tally)


DEADLY = """
import os, signal
import multiprocessing

def arrays(variant):
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"nothing": __import__("numpy").zeros(1)}

def place(table, card, nothing):
    return 0
"""


def test_a_shard_that_kills_its_workers_ends_the_run_and_is_named(tmp_path):
    (tmp_path / "deadly.py").write_text(DEADLY)
    plan = make_plan([str(tmp_path / "deadly.py")], seed=1, deals=30)
    with Workers(2) as workers, pytest.raises(WorkerError) as raised:
        list(workers.play_in_order(make_shards(plan, 10)))
    assert str(raised.value) == (
        "3 worker processes, one after the other, were killed or crashed (too little memory?), "
        "when deals 0 to 9 of deadly were played; what was finished before is kept"
    )
