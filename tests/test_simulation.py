"""The same plan has the same results, however it is carried out."""

import itertools
import os
import signal
from dataclasses import replace

import polars as pl
import pytest
from executors import POOL, Backwards, InProcess
from polars.testing import assert_frame_equal

import calcsim
from calcsim.analysis.stopping import Stopping
from calcsim.batch import run_directory
from calcsim.batch.disk_errors import RunDirectoryError
from calcsim.batch.plan import make_plan
from calcsim.batch.shard import Shard
from calcsim.batch.wanted import Wanted
from calcsim.batch.watch import StrategyFault
from calcsim.reference.audit import AuditError
from calcsim.simulation import simulate
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import load_strategy

STRATEGIES = ["greedy", "random", "king-pile:release=5"]
SEED = 20
KEY = ["strategy", "deal"]


@pytest.fixture
def in_process(monkeypatch):
    monkeypatch.setattr(POOL, InProcess)


def plan_of(deals, first_deal=0, strategies=STRATEGIES):
    return make_plan(strategies, deals=deals, seed=SEED, first_deal=first_deal)


def rows_of(run):
    return run.deals().sort(KEY).collect().select(sorted(run.deals().collect_schema()))


def assert_same_content(run, other):
    for name, table in run.tables().items():
        assert_frame_equal(table, other.tables()[name], check_exact=True)
    if run.path and other.path:
        assert_frame_equal(rows_of(run), rows_of(other))


def written(folder, plan, **how):
    """The run as it is on disk, and its digests."""
    simulate(plan, out=folder, **how)
    run = calcsim.scan(folder)
    return run, run.manifest["digests"]


@pytest.mark.parametrize(("deals", "size"), [(5, 1), (400, 7), (1500, 1000), (1500, None)])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_neither_workers_nor_shards_matter(in_process, tmp_path, deals, size, workers):
    run, digests = written(tmp_path / "a", plan_of(deals), workers=workers, shard_deals=size)
    in_one_go, its_digests = written(tmp_path / "b", plan_of(deals), workers=1, shard_deals=deals)
    assert_same_content(run, in_one_go)
    assert digests == its_digests
    assert run.manifest["deals_done"] == deals
    assert rows_of(run).height == deals * len(STRATEGIES)


def test_processes_and_what_is_kept_do_not_matter(tmp_path, monkeypatch):
    plan = plan_of(1500)
    run, digests = written(tmp_path / "processes", plan, workers=2, shard_deals=200)
    monkeypatch.setattr(POOL, InProcess)
    here, its_digests = written(tmp_path / "here", plan)
    assert_same_content(run, here)
    assert digests == its_digests
    assert_same_content(run, simulate(plan))
    without_rows, fewer_digests = written(tmp_path / "no-deals", plan, keep_deals=False)
    assert_same_content(run, calcsim.Run(**without_rows.tables(), manifest={}))
    assert digests == fewer_digests | {"deals": digests["deals"]}


def test_the_order_in_which_shards_finish_does_not_matter(tmp_path, monkeypatch):
    plan = plan_of(300)
    made = []
    monkeypatch.setattr(POOL, lambda *a, **k: made.append(Backwards(*a, **k)) or made[-1])
    backwards, digests = written(tmp_path / "backwards", plan, workers=3, shard_deals=20)
    finished = [task.deals.first for (task, *_) in made[0].done if isinstance(task, Shard)]
    assert any(later < earlier for earlier, later in itertools.pairwise(finished))
    monkeypatch.setattr(POOL, InProcess)
    in_order, its_digests = written(tmp_path / "in-order", plan, shard_deals=20)
    assert_same_content(backwards, in_order)
    assert digests == its_digests


def test_two_halves_are_the_whole(in_process, tmp_path):
    whole, _ = written(tmp_path / "whole", plan_of(1000))
    halves = [written(tmp_path / str(n), plan_of(500, n))[0] for n in (0, 500)]
    assert_frame_equal(rows_of(whole), pl.concat(map(rows_of, halves)).sort(KEY))
    wins = [sum(half.win_rates["wins"][i] for half in halves) for i in range(len(STRATEGIES))]
    assert whole.win_rates["wins"].to_list() == wins


@pytest.mark.parametrize("deal", [0, 1, 137, 299])
def test_a_deal_alone_is_as_in_a_run(in_process, tmp_path, deal):
    in_run = rows_of(written(tmp_path / "run", plan_of(300))[0]).filter(deal=deal)
    alone, _ = written(tmp_path / "alone", plan_of(1, deal))
    assert_frame_equal(in_run, rows_of(alone))
    replays = calcsim.replay(plan_of(1, deal))
    for game, row in zip(replays, sorted(STRATEGIES), strict=False):
        row = in_run.row(by_predicate=pl.col("strategy") == game.strategy, named=True)
        result = game.as_data()["result"]
        assert result["won"] == row["won"]
        assert result["foundation_cards"] == row["foundation_cards"]
        assert result["direct_plays"] == row["direct_plays"]
        assert result["foundations"] == [row[f"foundation_{n}"] for n in range(1, 5)]


def test_company_does_not_matter(in_process, tmp_path):
    together, _ = written(tmp_path / "together", plan_of(200))
    alone, _ = written(tmp_path / "alone", plan_of(200, strategies=["random"]))
    assert_frame_equal(rows_of(together).filter(strategy="random"), rows_of(alone))


def test_the_last_deals_of_the_largest_seed(in_process, tmp_path):
    largest = 2**64 - 1
    plan = make_plan(["greedy"], deals=3, seed=largest, first_deal=largest - 2)
    run, _ = written(tmp_path / "run", plan)
    assert rows_of(run)["deal"].to_list() == [largest - 2, largest - 1, largest]
    assert run.win_rates["seed"].to_list() == [largest]


def test_without_a_directory_nothing_is_written(in_process, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = simulate(plan_of(10))
    assert run.path is None
    assert run.manifest["deals_done"] == 10
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_an_impossible_confidence_is_refused(tmp_path, confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        simulate(plan_of(10), out=tmp_path / "run", confidence=confidence)
    assert not (tmp_path / "run").exists()


def test_a_strategy_that_does_not_compile_leaves_nothing(in_process, tmp_path):
    (tmp_path / "mine.py").write_text("def place(table, card):\n    return nothing\n")
    with pytest.raises(StrategyError, match="nothing"):
        simulate(plan_of(5, strategies=[str(tmp_path / "mine.py")]), out=tmp_path / "a" / "run")
    assert not (tmp_path / "a").exists()


ALWAYS_WRONG = "def place(table, card):\n    return -1\n"
WRONG_LATER = """
from calcsim import stock_left, unseen


def place(table, card):
    if stock_left(table) == 24 and card == 13 and unseen(table, 12) == 4:
        return -1
    return 0
"""


@pytest.mark.parametrize("size", [None, 2])
def test_a_fault_in_the_first_deals_leaves_nothing(in_process, tmp_path, size):
    (tmp_path / "mine.py").write_text(ALWAYS_WRONG)
    plan = plan_of(5, strategies=["greedy", str(tmp_path / "mine.py")])
    with pytest.raises(StrategyFault) as raised:
        simulate(plan, out=tmp_path / "a" / "b" / "run", shard_deals=size, keep_going=False)
    assert raised.value.strategy.label == "mine"
    assert raised.value.fault.deal == 0
    assert not (tmp_path / "a").exists()


def test_after_a_later_fault_the_shards_before_it_are_there(in_process, tmp_path):
    (tmp_path / "mine.py").write_text(WRONG_LATER)
    plan = plan_of(50_000, strategies=["greedy", str(tmp_path / "mine.py")])
    with pytest.raises(StrategyFault) as raised:
        simulate(plan, out=tmp_path / "run", shard_deals=100, keep_going=False)
    fault = raised.value.fault
    whole = fault.deal // 100 * 100
    assert whole > 0
    run = calcsim.scan(tmp_path / "run")
    assert run.manifest["status"] == "failed"
    assert run.manifest["deals_done"] == whole
    assert run.win_rates["deals"].to_list() == [whole] * 2
    assert rows_of(run).height == 2 * whole


def test_a_directory_that_holds_something_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(RunDirectoryError, match="not empty"):
        simulate(plan_of(10, strategies=["greedy"]), out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


class Interrupting(InProcess):
    """Ctrl-C comes where the eleventh piece of work should begin."""

    def submit(self, function, /, *arguments):
        self.count += 1
        if self.count > 10:
            raise KeyboardInterrupt
        return super().submit(function, *arguments)


def test_an_interrupted_run_holds_what_was_finished(tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, lambda *a, **k: Interrupting(0))
    with pytest.raises(KeyboardInterrupt):
        simulate(plan_of(1000), out=tmp_path / "run", workers=1, shard_deals=10)
    run = calcsim.scan(tmp_path / "run")
    done = run.manifest["deals_done"]
    assert run.manifest["status"] == "interrupted"
    assert 0 < done < 1000
    monkeypatch.setattr(POOL, InProcess)
    shorter, digests = written(tmp_path / "shorter", plan_of(done))
    assert_same_content(run, shorter)
    assert run.manifest["digests"] == digests


def test_an_interrupt_while_rows_are_written_leaves_whole_shards(in_process, tmp_path, monkeypatch):
    write_whole = run_directory.write_whole

    def write(path, content):
        if path.name == "20-29.parquet" and "random" in str(path):
            os.kill(os.getpid(), signal.SIGINT)
        write_whole(path, content)

    monkeypatch.setattr(run_directory, "write_whole", write)
    with pytest.raises(KeyboardInterrupt):
        simulate(plan_of(1000), out=tmp_path / "run", shard_deals=10)
    run = calcsim.scan(tmp_path / "run")
    assert run.manifest["status"] == "interrupted"
    assert run.manifest["deals_done"] == 30
    assert rows_of(run).group_by("strategy").len()["len"].to_list() == [30] * len(STRATEGIES)


def test_an_interrupt_while_a_strategy_is_compiled_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, lambda *a, **k: Interrupting(10))
    with pytest.raises(KeyboardInterrupt):
        simulate(plan_of(10), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_games_that_fail_are_counted_and_the_run_goes_on(in_process, tmp_path):
    (tmp_path / "mine.py").write_text(WRONG_LATER)
    (tmp_path / "wrong.py").write_text(ALWAYS_WRONG)
    files = [str(tmp_path / "mine.py"), str(tmp_path / "wrong.py")]
    run, digests = written(tmp_path / "run", plan_of(3000, strategies=["greedy", *files]))
    failed = dict(run.win_rates.select("strategy", "failed").iter_rows())
    assert failed["greedy"] == 0
    assert 0 < failed["mine"] < 3000
    assert failed["wrong"] == 3000
    rates = run.win_rates.row(by_predicate=pl.col("strategy") == "wrong", named=True)
    assert (rates["win_rate_low"], rates["win_rate_high"]) == (0, 1)
    faults = {data["label"]: data["faults"] for data in run.manifest["strategies"]}
    assert faults["greedy"] == []
    assert [fault["deal"] for fault in faults["wrong"]] == [0, 1, 2]
    assert run.foundation_counts.filter(strategy="wrong")["deals"].sum() == 3000
    pair = run.head_to_head.filter(strategy_a="greedy", strategy_b="wrong").row(0, named=True)
    assert pair["difference_low"] < -0.9 < 0 <= pair["difference"]
    assert pair["p_value"] == 1
    cut, its_digests = written(
        tmp_path / "cut", plan_of(3000, strategies=["greedy", *files]), shard_deals=170, workers=3
    )
    assert digests == its_digests
    assert_same_content(run, cut)


def test_built_in_strategies_stop_at_a_fault_and_others_do_not():
    builtin, other = load_strategy("greedy"), replace(load_strategy("greedy"), origin="file")
    assert [Wanted().goes_on(s) for s in (builtin, other)] == [False, True]
    assert [Wanted(keep_going=True).goes_on(s) for s in (builtin, other)] == [True, True]
    assert [Wanted(keep_going=False).goes_on(s) for s in (builtin, other)] == [False, False]


def test_an_audit_that_fails_ends_the_run_with_the_deal(in_process, tmp_path, monkeypatch):
    def audit(*arguments):
        raise AuditError("the audit of deal 3 of 'greedy' failed: ...")

    monkeypatch.setattr("calcsim.batch.shard.audit_some", audit)
    with pytest.raises(AuditError, match="deal 3 of 'greedy'"):
        simulate(plan_of(10), out=tmp_path / "run", shard_deals=5)
    assert not (tmp_path / "run").exists()


def test_audited_games_are_counted(in_process):
    run = simulate(plan_of(400), audit=0.05, shard_deals=90)
    audited = [data["audited"] for data in run.manifest["strategies"]]
    assert audited[0] in (20, 21)
    assert audited == audited[:1] * 3
    assert {data["audited"] for data in simulate(plan_of(9)).manifest["strategies"]} == {1}
    assert {data["audited"] for data in simulate(plan_of(9), audit=0).manifest["strategies"]} == {0}


def test_arrays_that_differ_from_process_to_process_are_refused(tmp_path):
    path = tmp_path / "drawn.py"
    path.write_text(
        "import os\n\nimport numpy as np\n\n"
        "def arrays(variant):\n    return {'weights': np.array([os.getpid()])}\n\n"
        "def place(table, card, weights):\n    return weights[0] % 4\n"
    )
    plan = make_plan([str(path)], deals=10, seed=1)
    with pytest.raises(StrategyError, match="returns other numbers each time"):
        simulate(plan, workers=1)


LATE_STATE = """
import numpy as np

def arrays(variant):
    return {"memo": np.zeros(1, dtype=np.int64)}

def place(table, card, memo):
    memo[0] += 1
    return 0 if memo[0] > 20_000 else card % 4
"""


def test_state_that_tells_late_is_refused_all_the_same(in_process, tmp_path):
    (tmp_path / "late.py").write_text(LATE_STATE)
    plan = make_plan([str(tmp_path / "late.py")], deals=4000, seed=1)
    with pytest.raises(StrategyError, match="'late' plays deal 999 in another way after other"):
        simulate(plan, shard_deals=1000, audit=1)


# Runs that stop when they know enough

APART = ["random", "need-order-deep", "descending-step"]
STOPPINGS = {
    "precision": Stopping(precision=0.01),
    "race": Stopping(race=True),
    "both": Stopping(precision=0.01, race=True),
}


@pytest.mark.parametrize("stopping", STOPPINGS.values(), ids=STOPPINGS.keys())
def test_the_workers_do_not_decide_when_a_run_stops(in_process, tmp_path, stopping):
    plan = plan_of(20_000, strategies=APART)
    how = {"stopping": stopping}
    run, digests = written(tmp_path / "a", plan, workers=3, shard_deals=300, **how)
    other, its_digests = written(tmp_path / "b", plan, workers=1, **how)
    assert_same_content(run, other)
    assert digests == its_digests
    assert run.manifest["deals_done"] < 20_000
    assert run.manifest["stopping"] == {"precision": stopping.precision, "race": stopping.race}
    played = {data["label"]: data["deals_done"] for data in run.manifest["strategies"]}
    assert dict(run.win_rates.select("strategy", "deals").iter_rows()) == played
    kept = rows_of(run).group_by("strategy").len()
    assert dict(kept.iter_rows()) == played


def test_a_run_that_stops_has_played_the_same_games(in_process):
    stopped = simulate(plan_of(20_000), stopping=Stopping(precision=0.01))
    deals = stopped.manifest["deals_done"]
    whole = simulate(plan_of(deals))
    assert stopped.win_rates["wins"].equals(whole.win_rates["wins"])
    assert stopped.foundation_counts.equals(whole.foundation_counts)
    counts = ["both_won", "only_a_won", "only_b_won", "a_ahead", "level", "difference"]
    assert stopped.head_to_head.select(counts).equals(whole.head_to_head.select(counts))


def test_a_run_that_stops_has_wider_intervals(in_process):
    stopped = simulate(plan_of(20_000), stopping=Stopping(precision=0.01))
    whole = simulate(plan_of(stopped.manifest["deals_done"]))
    for low, high, table in (
        ("win_rate_low", "win_rate_high", "win_rates"),
        ("difference_low", "difference_high", "head_to_head"),
    ):
        one, other = stopped.tables()[table], whole.tables()[table]
        assert ((one[high] - one[low]) > (other[high] - other[low])).all()
    widths = stopped.win_rates["win_rate_high"] - stopped.win_rates["win_rate_low"]
    assert widths.max() <= 2 * 0.01


def test_a_run_ends_at_its_deals_however_little_it_knows(in_process):
    run = simulate(plan_of(1500), stopping=Stopping(precision=0.0001))
    assert run.win_rates["deals"].to_list() == [1500] * len(STRATEGIES)


def test_a_race_leaves_the_others_behind(in_process):
    run = simulate(plan_of(50_000, strategies=APART), stopping=Stopping(race=True))
    deals = dict(run.win_rates.select("strategy", "deals").iter_rows())
    assert max(deals.values()) == deals["need-order-deep"] == run.manifest["deals_done"]
    assert min(deals.values()) < deals["need-order-deep"] < 50_000
