"""A run played again: the same if nothing matters that has changed, and else it is told what."""

import json
import shutil

import polars as pl
import pytest
from executors import POOL, InProcess

from calcsim.analysis.run import RunError, scan
from calcsim.analysis.stopping import Stopping
from calcsim.batch.digest import content_digest
from calcsim.batch.journal import JOURNAL, append_to_journal, read_journal
from calcsim.batch.plan import make_plan
from calcsim.recorded import ChangedError
from calcsim.reproducing import reproduce
from calcsim.simulation import simulate

MINE = """\
def place(table, card):
    return card % len(table.heights)
"""


@pytest.fixture(autouse=True)
def in_process(monkeypatch):
    monkeypatch.setattr(POOL, InProcess)


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


@pytest.fixture
def play(tmp_path):
    def call(*strategies, deals=300, name="run", stopping=None, keep_deals=True, **settings):
        plan = make_plan(list(map(str, strategies)), deals=deals, seed=4, **settings)
        how = {"stopping": stopping, "keep_deals": keep_deals, "shard_deals": 50}
        return simulate(plan, out=tmp_path / name, **how).path

    return call


def edit(run, change):
    file = run / "run.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"variant": "broken-intervals", "first_deal": 2**64 - 300},
        {"stopping": Stopping(race=True), "deals": 3000},
        {"keep_deals": False},
    ],
)
def test_a_run_is_the_same_again(play, settings):
    run = play("greedy", "random", **settings)
    found = reproduce(scan(run))
    assert found.is_same
    assert (found.changed, found.drifted) == ([], [])
    assert found.shards == found.of
    assert list(found.tables) == [
        "win_rates",
        "foundation_counts",
        "head_to_head",
        "deals greedy",
        "deals random",
        "shards.ndjson",
        "sources",
    ]


def test_a_sample_plays_some_shards(play):
    run = play("greedy")
    drawn = {reproduce(scan(run), share=0.3, sample_seed=n).deals for n in range(3)}
    assert drawn == {100}
    found = reproduce(scan(run), share=0.001)
    assert (found.shards, found.of, found.deals) == (1, 6, 50)
    assert found.tables == {"deals greedy": None, "shards.ndjson": None, "sources": None}
    with pytest.raises(ValueError, match="share"):
        reproduce(scan(run), share=0)


def test_a_copy_that_came_from_elsewhere(play, mine, tmp_path):
    """Its strategy's file is not here, but a copy of it is with the run."""
    run = play(f"{mine}", "greedy")
    shutil.move(run, tmp_path / "elsewhere" / "copy")
    mine.unlink()
    found = reproduce(scan(tmp_path / "elsewhere" / "copy"))
    assert found.is_same
    assert found.changed == []


def test_a_deck_beside_the_run_is_found(play, tmp_path):
    from calcsim import read_deck
    from calcsim.game.variants import STANDARD

    line = " ".join(f"{rank} " * (3 if rank < 5 else 4) for rank in range(1, 14))
    names = {"1": "A", "11": "J", "12": "Q", "13": "K"}
    text = " ".join(names.get(rank, rank) for rank in line.split())
    (tmp_path / "deals.txt").write_text(f"{text}\n" * 5)
    deck = read_deck(tmp_path / "deals.txt", STANDARD)
    run = play("greedy", deck=deck, deals=5)
    assert reproduce(scan(run)).is_same
    (tmp_path / "there").mkdir()
    shutil.move(run, tmp_path / "there" / "run")
    shutil.move(tmp_path / "deals.txt", tmp_path / "there" / "deals.txt")
    assert reproduce(scan(tmp_path / "there" / "run")).is_same
    (tmp_path / "there" / "deals.txt").write_text(f"{text}\n" * 4)
    with pytest.raises(ChangedError, match="no longer holds the deals of the run"):
        reproduce(scan(tmp_path / "there" / "run"))


def test_a_change_that_makes_no_difference(play, mine):
    run = play(mine)
    mine.write_text("# a remark\n" + MINE)
    found = reproduce(scan(run))
    assert found.is_same
    assert found.changed == [f"'mine': {mine}"]
    assert found.drifted == []


def test_a_change_that_makes_a_difference(play, mine):
    run = play(mine, "greedy")
    mine.write_text(MINE.replace("card % len(table.heights)", "0"))
    found = reproduce(scan(run))
    assert not found.is_same
    assert found.drifted == ["mine"]
    before, after = scan(run), scan(play(mine, name="after"))
    rows = [one.deals().filter(strategy="mine").sort("deal").collect() for one in (before, after)]
    (first, *_) = (a for a, b in zip(*(r.rows() for r in rows), strict=True) if a != b)
    deal = first[0]
    assert found.tables["deals mine"] == (
        f"played again, it differs in deals {deal // 50 * 50} to {deal // 50 * 50 + 49}, "
        f"first in deal {deal}"
    )
    assert found.tables["deals greedy"] is None
    assert found.tables["win_rates"] == found.tables["head_to_head"] == "played again, it differs"


def test_other_versions_are_told(play):
    run = play("greedy")
    edit(run, lambda manifest: manifest.update(calcsim="0.0.1"))
    found = reproduce(scan(run))
    assert found.is_same
    (line,) = found.changed
    assert line.startswith("calcsim: 0.0.1 then, ")


def test_rows_that_were_changed_since_are_told(play):
    run = play("greedy")
    file = run / "deals" / "strategy=greedy" / "100-149.parquet"
    pl.read_parquet(file).with_columns(won=~pl.col("won")).write_parquet(file)
    found = reproduce(scan(run))
    assert found.tables["deals greedy"] == (
        "its file in deals 100 to 149 is not what the run has written"
    )
    assert [name for name, wrong in found.tables.items() if wrong] == ["deals greedy"]


def test_tables_that_were_changed_with_their_digests_are_told(play):
    run = play("greedy")
    frame = pl.read_parquet(run / "win_rates.parquet").with_columns(wins=pl.col("wins") + 1)
    frame.write_parquet(run / "win_rates.parquet")
    with pytest.raises(RunError, match="is not the table that the run has written"):
        scan(run)
    edit(run, lambda manifest: manifest["digests"].update(win_rates=content_digest(frame)))
    found = reproduce(scan(run))
    assert found.tables["win_rates"] == "played again, it differs"


@pytest.mark.parametrize("broken", ["missing", "torn"])
def test_a_journal_that_does_not_tell_all_is_refused(play, broken):
    run = play("greedy")
    journal = run / JOURNAL
    if broken == "missing":
        journal.unlink()
    else:
        journal.write_bytes(journal.read_bytes()[:-10])
    with pytest.raises(RunError, match="go on with the run by --resume"):
        reproduce(scan(run))


def test_a_strategy_that_is_gone_without_a_copy_is_told(play, mine):
    run = play(mine)
    mine.unlink()
    shutil.rmtree(run / "sources")
    with pytest.raises(ChangedError, match="'mine' cannot be had again"):
        reproduce(scan(run))


@pytest.mark.parametrize("broken", ["gone", "changed"])
def test_a_copy_of_a_source_that_is_no_copy_is_told(play, mine, broken):
    run = play(mine)
    (copy,) = (run / "sources").rglob("mine.py")
    copy.unlink() if broken == "gone" else copy.write_text(MINE + "# changed\n")
    found = reproduce(scan(run))
    assert found.tables["sources"] == "the copy of 'mine' is missing or was changed"


@pytest.mark.parametrize("name", ["strategy=greedy/100-148.parquet", "strategy=other/0-9.parquet"])
def test_files_that_are_not_of_the_run_are_told(play, name):
    run = play("greedy")
    file = run / "deals" / name
    file.parent.mkdir(exist_ok=True)
    shutil.copy(run / "deals" / "strategy=greedy" / "100-149.parquet", file)
    wrong = [line for line in reproduce(scan(run)).tables.values() if line]
    assert wrong == [f"deals/{name} is not of this run"]


def test_a_journal_that_tells_other_counts_is_told(play):
    run = play("greedy")
    records, _ = read_journal(run)
    tally = records[2].tallies[0]
    tally[30], tally[52] = tally[30] - 1, tally[52] + 1
    (run / JOURNAL).unlink()
    for record in records:
        append_to_journal(run, record)
    found = reproduce(scan(run))
    assert found.tables["shards.ndjson"] == (
        "it tells another foundation_counts of 'greedy' in deals 100 to 149"
    )
