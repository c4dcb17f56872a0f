"""The journal of a run: what was written is read back, and what is torn does not count."""

import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.batch import journal
from calcsim.batch.journal import JOURNAL, append_to_journal, read_journal, rewrite_journal
from calcsim.batch.plan import make_plan
from calcsim.batch.set_aside import SET_ASIDE
from calcsim.batch.shard import make_shards, play_shard
from calcsim.batch.wanted import Wanted

ALWAYS_WRONG = "def place(table, card):\n    return -1\n"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Four shards of two strategies, one of which cannot finish a game."""
    file = tmp_path_factory.mktemp("strategies") / "wrong.py"
    file.write_text(ALWAYS_WRONG)
    plan = make_plan(["greedy", str(file)], seed=3, deals=40, first_deal=2**64 - 40)
    shards = make_shards(plan, 10, wanted=Wanted(audit=0.5))
    return [play_shard(shard).record for shard in shards]


def assert_same(one, other):
    assert one.as_data() == other.as_data()
    for name in ("deals", "won", "both_won", "ahead", "failed", "won_where_failed"):
        assert np.array_equal(getattr(one.duels, name), getattr(other.duels, name))


def written(folder, records):
    for record in records:
        append_to_journal(folder, record)
    return folder / JOURNAL


def test_what_is_written_is_read_back(records, tmp_path):
    written(tmp_path, records)
    found, torn = read_journal(tmp_path)
    assert torn == 0
    for one, other in zip(found, records, strict=True):
        assert_same(one, other)
    assert found[0].failed == (0, 10)
    assert found[0].faults[1][0].deal == 2**64 - 40
    assert sum(record.audited[0] for record in found) == 20


def test_a_run_without_a_journal_has_no_shards(tmp_path):
    assert read_journal(tmp_path) == ([], 0)


def test_the_order_is_that_of_the_deals(records, tmp_path):
    written(tmp_path, [records[n] for n in (2, 0, 3, 1)])
    found, _ = read_journal(tmp_path)
    assert [record.first for record in found] == [record.first for record in records]


@pytest.mark.parametrize("cut", [1, 2, 40, 300])
def test_a_torn_last_line_does_not_count(records, tmp_path, cut):
    file = written(tmp_path, records)
    file.write_bytes(file.read_bytes()[:-cut])
    found, torn = read_journal(tmp_path)
    assert (len(found), torn) == (3, 1)


@given(st.data())
def test_a_line_that_was_changed_does_not_count(records, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("changed")
    file = written(folder, records[:2])
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(bytes(content))
    found, torn = read_journal(folder)
    if len(found) < 2:
        assert torn >= 1
    for record in found:  # what still counts says what it did: the change was in blanks, say
        (same,) = [other for other in records if other.first == record.first]
        assert_same(record, same)


def test_of_overlapping_shards_the_first_written_counts(records, tmp_path):
    written(tmp_path, [records[1], records[1], records[0]])
    found, others = read_journal(tmp_path)
    assert [record.first for record in found] == [records[0].first, records[1].first]
    assert others == 1


def test_a_full_disk_leaves_the_lines_before(records, tmp_path, monkeypatch):
    file = written(tmp_path, records[:2])
    before = file.read_bytes()

    def half(descriptor, block):
        os.write(descriptor, bytes(block)[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal, "_write_all", half)
    with pytest.raises(OSError, match="No space"):
        append_to_journal(tmp_path, records[2])
    assert file.read_bytes() == before


def test_a_new_journal_keeps_the_old_one_aside(records, tmp_path):
    before = written(tmp_path, records).read_bytes()
    rewrite_journal(tmp_path, records[1:3])
    assert len(read_journal(tmp_path)[0]) == 2
    assert (tmp_path / SET_ASIDE / JOURNAL).read_bytes() == before
    rewrite_journal(tmp_path, records[:1])
    assert len(list((tmp_path / SET_ASIDE).iterdir())) == 2


def test_a_line_is_json_that_others_can_read(records, tmp_path):
    line = json.loads(written(tmp_path, records).read_text().splitlines()[0])
    assert line["shard"]["count"] == 10
    assert line["shard"]["strategies"][0]["label"] == "greedy"
    assert sum(line["shard"]["strategies"][0]["foundation_counts"]) == 10
