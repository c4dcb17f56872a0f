"""Workers give results in order, hold little in memory, and tell when one was killed."""

import itertools
import os
import signal

import pytest
from executors import POOL, InProcess

from calcsim.batch.plan import make_plan
from calcsim.batch.shard import make_shards
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


def test_a_killed_worker_is_told_and_the_others_end():
    processes = []

    def play():
        with Workers(2) as workers:
            results = workers.play_in_order(make_shards(PLAN, 10))
            next(results)
            processes.extend(workers._executor._processes.values())
            os.kill(processes[0].pid, signal.SIGKILL)
            for _ in results:
                pass

    with pytest.raises(WorkerError, match="killed") as raised:
        play()
    assert "\n" not in str(raised.value)
    assert len(processes) == 2
    assert not any(process.is_alive() for process in processes)


def test_workers_that_are_sending_results_are_ended_too():
    """Half a result in the pipe must not keep the executor waiting for the rest of it."""
    for _ in range(5):
        with Workers(2) as workers:
            sent = [workers._submit(bytes, 10**7) for _ in range(100)]
            sent[3].result()
            processes = list(workers._executor._processes.values())
        assert not any(process.is_alive() for process in processes)
