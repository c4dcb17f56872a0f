"""How plans are cut."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.batch.plan import make_plan
from calcsim.batch.shard import MOST_SHARD_DEALS, make_shards, play_shard, shard_size
from calcsim.batch.wanted import Wanted
from calcsim.batch.watch import StrategyFault

DEALS = st.integers(1, 2**64 - 1)


@given(st.integers(0, 10**6), st.integers(1, 500), st.integers(1, 600))
def test_shards_are_the_plan_in_order(first, deals, size):
    plan = make_plan(["greedy"], seed=1, first_deal=first, deals=deals)
    shards = [shard.deals for shard in make_shards(plan, size)]
    numbers = [shard.first + n for shard in shards for n in range(shard.count)]
    assert numbers == list(range(first, first + deals))
    assert all(shard.count == size for shard in shards[:-1])


@given(st.integers(0, 10**6), st.integers(1, 500), st.integers(1, 600), st.integers(1, 9))
def test_shards_that_end_together_are_the_plan_in_order(first, deals, size, workers):
    plan = make_plan(["greedy"], seed=1, first_deal=first, deals=deals)
    shards = [shard.deals for shard in make_shards(plan, size, workers)]
    numbers = [shard.first + n for shard in shards for n in range(shard.count)]
    assert numbers == list(range(first, first + deals))
    counts = [shard.count for shard in shards]
    assert max(counts) <= size
    assert counts == sorted(counts, reverse=True)


def test_the_last_shards_become_smaller():
    plan = make_plan(["greedy"], seed=1, deals=1000)
    counts = [shard.deals.count for shard in make_shards(plan, 160, 2)]
    assert counts == [160, 160, 160, 130, 98, 73, 55, 41, 31, 23, 18, 13, 10, 10, 10, 8]


@given(DEALS, st.floats(1e-8, 1e3))
def test_a_shard_is_neither_empty_nor_too_large(deals, pace):
    plan = make_plan(["greedy"], seed=1, deals=deals)
    assert 1 <= shard_size(plan, pace) <= MOST_SHARD_DEALS


def test_a_shard_takes_about_two_seconds():
    plan = make_plan(["greedy"], seed=1, deals=1_000_000)
    assert shard_size(plan, 2**-16) == 2**17
    assert shard_size(plan, 1e-7) == MOST_SHARD_DEALS
    assert shard_size(plan, 1.0) == 245  # and no more files than a folder can take


def test_a_shard_and_its_fault_can_be_sent_anywhere(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def place(table, card):\n    return -1\n")
    plan = make_plan(["greedy", str(file)], seed=1, deals=3)
    (shard,) = make_shards(plan, 3, wanted=Wanted(keep_going=False))
    shard = pickle.loads(pickle.dumps(shard))
    with pytest.raises(StrategyFault) as raised:
        play_shard(shard)
    fault = pickle.loads(pickle.dumps(raised.value))
    assert fault.strategy == plan.strategies[1]
    assert fault.fault.deal == 0
