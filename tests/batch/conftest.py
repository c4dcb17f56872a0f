"""A run in a directory, played in this process."""

import pytest
from executors import POOL, InProcess

from calcsim.batch.plan import make_plan
from calcsim.simulation import simulate

LABELLED = "king-pile:release=5"
STRATEGIES = ("greedy", LABELLED)
DEALS = 1000
SHARD_DEALS = 300


@pytest.fixture
def run(tmp_path, monkeypatch):
    """1,000 deals in four shards, by two strategies."""
    monkeypatch.setattr(POOL, InProcess)
    plan = make_plan(STRATEGIES, deals=DEALS, seed=3, first_deal=50)
    return simulate(plan, out=tmp_path / "run", shard_deals=SHARD_DEALS)
