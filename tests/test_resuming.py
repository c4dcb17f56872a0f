"""A run that was ended anywhere goes on, and comes out as if nothing had happened."""

import json
import os
import shutil

import polars as pl
import pytest
from executors import POOL, InProcess

from calcsim.analysis.run import scan
from calcsim.analysis.stopping import Stopping
from calcsim.batch import run_directory
from calcsim.batch.claim import Claim
from calcsim.batch.disk_errors import RunDirectoryError, TakenError
from calcsim.batch.journal import JOURNAL, read_journal
from calcsim.batch.plan import make_plan
from calcsim.batch.row_folders import row_files
from calcsim.simulation import simulate

STRATEGIES = ["greedy", "random"]
DEALS = 400
SIZE = 30


@pytest.fixture(autouse=True)
def in_process(monkeypatch):
    monkeypatch.setattr(POOL, InProcess)


def plan_of(deals=DEALS, **settings):
    return make_plan(settings.pop("strategies", STRATEGIES), deals=deals, seed=4, **settings)


@pytest.fixture
def undisturbed(tmp_path):
    return simulate(plan_of(), out=tmp_path / "undisturbed", shard_deals=SIZE)


class Ended(BaseException):
    """What ends a run as a power cut does: nothing is written after it."""


@pytest.fixture
def cut_short(tmp_path, monkeypatch):
    """Plays so many shards and then ends as a power cut does."""

    def play(shards, plan=None, **settings):
        with monkeypatch.context() as patch:
            written = []

            def append(folder, record):
                if len(written) == shards:
                    raise Ended
                written.append(record)
                return appending(folder, record)

            appending = run_directory.append_to_journal
            patch.setattr(run_directory, "append_to_journal", append)
            patch.setattr("calcsim.simulation._Simulation._finish", lambda *_: None)
            patch.setattr(run_directory, "_remove", lambda paths: None)
            with pytest.raises(Ended):
                simulate(plan or plan_of(), out=tmp_path / "run", shard_deals=SIZE, **settings)
        return tmp_path / "run"

    return play


def resumed(folder, plan=None, **settings):
    notes = []
    settings = {"shard_deals": 17} | settings
    run = simulate(plan or plan_of(), out=folder, resume=True, note=notes.append, **settings)
    return run, [note for note in notes if not note.startswith("compiling")]


def assert_same(run, other):
    for one in (run, scan(run.path)):
        assert one.manifest["digests"] == other.manifest["digests"]
        assert one.manifest["plan_sha256"] == other.manifest["plan_sha256"]
        assert one.manifest["status"] == "finished"
    again = scan(run.path).deals().sort("strategy", "deal").collect()
    assert again.equals(scan(other.path).deals().sort("strategy", "deal").collect())


@pytest.mark.parametrize("shards", [0, 1, 7, 13])
def test_a_power_cut_between_any_two_shards(cut_short, undisturbed, shards):
    folder = cut_short(shards)
    assert len(read_journal(folder)[0]) == shards
    run, notes = resumed(folder)
    assert_same(run, undisturbed)
    # The rows of the shard under way were there, but not the word that they are whole.
    (note,) = notes
    assert "set aside" in note
    kept = [path for path in (folder / "set-aside").rglob("*") if path.is_file()]
    assert len(kept) == 2
    assert run.manifest["resumed"]
    assert run.manifest["deals_done"] == DEALS


def test_a_run_that_is_cut_short_again_and_again(cut_short, undisturbed, monkeypatch):
    folder = cut_short(2)
    for shards in (3, 1, 4):
        cut_short(shards, resume=True)
    assert len(read_journal(folder)[0]) == 10
    run, _ = resumed(folder)
    assert_same(run, undisturbed)
    assert len(run.manifest["resumed"]) == 4


@pytest.mark.parametrize("torn", ["rows", "rows' end", "journal", "gone", "changed"])
def test_torn_files_are_set_aside_and_played_again(cut_short, undisturbed, torn):
    folder = cut_short(5)
    file = row_files(folder, "random")[2].path
    if torn == "rows":
        file.write_bytes(b"no parquet")
    elif torn == "rows' end":
        file.write_bytes(file.read_bytes()[:-1])
    elif torn == "gone":
        file.unlink()
    elif torn == "changed":
        pl.read_parquet(file).with_columns(won=~pl.col("won")).write_parquet(file)
    else:
        journal = folder / JOURNAL
        journal.write_bytes(journal.read_bytes()[:-5])
    run, notes = resumed(folder)
    assert_same(run, undisturbed)
    assert any("set aside" in note or "played again" in note for note in notes)
    if torn in ("rows", "rows' end", "changed"):
        (aside,) = (folder / "set-aside").rglob(f"strategy=random/{file.name}")
        assert aside.exists()


def test_strangers_are_set_aside_and_never_counted_nor_deleted(cut_short, undisturbed):
    folder = cut_short(5)
    stranger = folder / "deals" / "strategy=greedy" / "5000-5009.parquet"
    shutil.copy(row_files(folder, "greedy")[0].path, stranger)
    (folder / "deals" / "notes.txt").write_text("mine")
    (folder / "notes.txt").write_text("mine")
    run, notes = resumed(folder)
    assert_same(run, undisturbed)
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "set-aside" / "deals" / "notes.txt").read_text() == "mine"
    assert (folder / "set-aside" / "deals" / "strategy=greedy" / stranger.name).exists()
    assert len(notes) == 1


def test_more_deals_extend_a_finished_run(tmp_path, undisturbed):
    simulate(plan_of(150), out=tmp_path / "run")
    run, notes = resumed(tmp_path / "run")
    assert_same(run, undisturbed)
    assert notes == []
    assert run.manifest["deals"] == DEALS


def test_a_finished_run_stays_what_it_is(undisturbed, monkeypatch):
    before = {path: path.read_bytes() for path in undisturbed.path.rglob("*.parquet")}
    monkeypatch.setattr(POOL, None)  # nobody is needed to play
    with pytest.raises(TypeError):
        simulate(plan_of(1))
    monkeypatch.setattr(POOL, InProcess)
    run, notes = resumed(undisturbed.path)
    assert_same(run, undisturbed)
    assert notes == []
    assert {path: path.read_bytes() for path in undisturbed.path.rglob("*.parquet")} == before
    assert run.manifest["command"] == undisturbed.manifest["command"]
    assert run.manifest["started"] == undisturbed.manifest["started"]


@pytest.mark.parametrize("empty", [True, False])
def test_where_there_is_nothing_a_run_begins(tmp_path, undisturbed, empty):
    if empty:
        (tmp_path / "new").mkdir()
    run, notes = resumed(tmp_path / "new")
    assert_same(run, undisturbed)
    assert notes == [f"{tmp_path / 'new'} holds no run yet: this one begins with its first deal"]


@pytest.mark.parametrize(
    ("plan", "settings", "says"),
    [
        ({"deals": 399}, {}, "deals: 400 there, 399 here (there may be more, not fewer)"),
        ({"first_deal": 1}, {}, "first deal: 0 there, 1 here"),
        ({"variant": "three-wastes"}, {}, 'variant: {"name": "standard"'),
        ({"strategies": ["greedy"]}, {}, 'strategies: ["greedy", "random"] there, ["greedy"] here'),
        ({}, {"confidence": 0.9}, "confidence: 0.95 there, 0.9 here"),
        ({}, {"audit": 0.5}, "audit: 1e-06 there, 0.5 here"),
        ({}, {"keep_deals": False}, "rows: true there, false here"),
        ({}, {"keep_going": True}, "keep going: none there, true here"),
        ({}, {"stopping": Stopping(precision=0.1)}, "stopping: none there, "),
    ],
)
def test_another_plan_is_refused_with_what_differs(undisturbed, plan, settings, says):
    before = sorted(undisturbed.path.rglob("*"))
    with pytest.raises(TakenError) as refused:
        resumed(undisturbed.path, plan_of(**plan), **settings)
    head, *lines = str(refused.value).splitlines()
    assert head == f"the run in {undisturbed.path} is another one: name a new directory"
    assert any(line.strip().startswith(says) for line in lines)
    assert sorted(undisturbed.path.rglob("*")) == before


def test_a_changed_source_is_another_plan(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def place(table, card):\n    return card % len(table.heights)\n")
    simulate(plan_of(20, strategies=[str(file)]), out=tmp_path / "run")
    file.write_text(file.read_text() + "# the same\n")
    with pytest.raises(TakenError, match=r"source_sha256 of mine: .* there, .* here"):
        resumed(tmp_path / "run", plan_of(40, strategies=[str(file)]))


def test_a_strategy_that_drifts_is_refused(undisturbed):
    file = undisturbed.path / "run.json"
    taken = undisturbed.manifest["strategies"][0]["fingerprint"]
    file.write_text(file.read_text().replace(taken, "0" * 64))
    with pytest.raises(TakenError, match="'greedy' plays otherwise than when the run was begun"):
        resumed(undisturbed.path, plan_of(500))


@pytest.mark.parametrize("left", [["deals/strategy=greedy/.0-9.parquet.1.part"], ["sources/x"]])
def test_what_a_run_leaves_that_came_to_nothing_holds_nobody_up(tmp_path, undisturbed, left):
    for name in left:
        (tmp_path / "run" / name).parent.mkdir(parents=True)
        (tmp_path / "run" / name).touch()
    run, notes = resumed(tmp_path / "run")
    assert_same(run, undisturbed)
    assert notes[-1].endswith("holds no run yet: this one begins with its first deal")


def test_rows_that_are_removed_meanwhile_are_missed_at_the_end(tmp_path, undisturbed, monkeypatch):
    def write(self, tables):
        raise AssertionError("the run is not whole")

    monkeypatch.setattr(run_directory.RunDirectory, "write_tables", write)
    writing = run_directory.RunDirectory.write_shard

    def write_shard(self, record, rows):
        if record.first == 300:
            row_files(self.path, "random")[3].path.unlink()
        writing(self, record, rows)

    with monkeypatch.context() as patch:
        patch.setattr(run_directory.RunDirectory, "write_shard", write_shard)
        with pytest.raises(RunDirectoryError, match=r"90-119\.parquet was removed while the run"):
            simulate(plan_of(), out=tmp_path / "run", shard_deals=SIZE)
    monkeypatch.undo()
    monkeypatch.setattr(POOL, InProcess)
    assert_same(resumed(tmp_path / "run")[0], undisturbed)


@pytest.mark.parametrize("content", [None, "", "{", "[]", "{}"])
def test_what_is_no_run_is_refused(tmp_path, content):
    (tmp_path / "file").write_text("mine")
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(TakenError, match="holds no run to go on with"):
        resumed(tmp_path)
    assert (tmp_path / "file").read_text() == "mine"


def test_two_at_once_are_not_let_in(undisturbed):
    claim = Claim(undisturbed.path)
    for resume in (True, False):
        with pytest.raises(TakenError, match="another run is writing to"):
            simulate(plan_of(), out=undisturbed.path, resume=resume)
    claim.release()
    resumed(undisturbed.path)


def test_a_claim_of_who_was_killed_holds_nobody_up(undisturbed):
    (undisturbed.path / ".writing").touch()
    resumed(undisturbed.path)
    assert not (undisturbed.path / ".writing").exists()


@pytest.mark.parametrize(
    "stopping", [Stopping(precision=0.02), Stopping(race=True), Stopping(0.012, race=True)]
)
@pytest.mark.parametrize("shards", [1, 9])
def test_runs_that_decide_for_themselves_when_to_stop(tmp_path, cut_short, stopping, shards):
    plan = plan_of(4000, strategies=["greedy", "random", "need-order-deep"])
    whole = simulate(plan, out=tmp_path / "whole", stopping=stopping)
    folder = cut_short(shards, plan, stopping=stopping)
    run, _ = resumed(folder, plan, stopping=stopping, shard_deals=400)
    assert_same(run, whole)
    longer = plan_of(9000, strategies=["greedy", "random", "need-order-deep"])
    whole = simulate(longer, out=tmp_path / "longer", stopping=stopping)
    run, _ = resumed(folder, longer, stopping=stopping, shard_deals=400)
    assert_same(run, whole)


def test_a_run_without_rows_goes_on_by_its_journal(tmp_path, cut_short):
    whole = simulate(plan_of(), out=tmp_path / "whole", keep_deals=False)
    folder = cut_short(6, keep_deals=False)
    run, notes = resumed(folder, keep_deals=False)
    assert run.manifest["digests"] == whole.manifest["digests"]
    assert notes == []
    assert not (folder / "deals").exists()


def test_a_full_disk_while_resuming_loses_nothing(cut_short, undisturbed, monkeypatch):
    folder = cut_short(6)
    with monkeypatch.context() as patch:
        synced = []

        def fsync(descriptor):
            synced.append(descriptor)
            if len(synced) > 9:
                raise OSError(28, os.strerror(28))

        patch.setattr("calcsim.batch.files.os.fsync", fsync)
        with pytest.raises(RunDirectoryError, match="No space left"):
            resumed(folder)
    assert len(read_journal(folder)[0]) > 6
    assert_same(resumed(folder)[0], undisturbed)


def test_an_interrupt_while_what_is_whole_is_gone_through_changes_nothing(undisturbed, monkeypatch):
    before = {path: path.read_bytes() for path in undisturbed.path.rglob("*") if path.is_file()}
    with monkeypatch.context() as patch:
        taken = []

        def take_up(self, record):
            if len(taken) == 4:
                raise KeyboardInterrupt
            taken.append(record)
            return taking_up(self, record)

        taking_up = run_directory.RunDirectory.take_up
        patch.setattr(run_directory.RunDirectory, "take_up", take_up)
        with pytest.raises(KeyboardInterrupt):
            resumed(undisturbed.path, plan_of(900))
    after = {path: path.read_bytes() for path in undisturbed.path.rglob("*") if path.is_file()}
    assert after == before
    whole = simulate(plan_of(900), out=undisturbed.path.with_name("whole"))
    assert_same(resumed(undisturbed.path, plan_of(900))[0], whole)


def test_the_clock_may_jump(cut_short, undisturbed, monkeypatch):
    folder = cut_short(4)
    with monkeypatch.context() as patch:
        times = iter([1e9, 5.0, 3e9, 1.0] * 10_000)
        patch.setattr("calcsim.batch.shard.time.perf_counter", lambda: next(times))
        patch.setattr("time.time", lambda: next(times))
        run, _ = resumed(folder)
    assert_same(run, undisturbed)
    json.dumps(run.manifest, allow_nan=False)
