"""`calcsim tournament`: standings and leads on the terminal, all pairs in the run directory."""

import polars as pl
import pytest

from calcsim.analysis.run import scan
from calcsim.strategy.catalogue import builtin_folder, builtin_names

FEW = ["random", "greedy", "need-order-deep"]


def test_standings_and_leads_are_printed(calcsim, tmp_path):
    words = ["tournament", *FEW, "--deals", "2k", "--seed", 3, "--quiet", "--out", "there"]
    ended = calcsim(*words)
    assert (ended.status, ended.err) == (0, "")
    standings, leads = ended.out.rstrip().split("\n\n")
    order = ["need-order-deep", "greedy", "random"]
    assert [line.split()[0] for line in standings.splitlines()[3:]] == order
    assert [line.split()[1] for line in standings.splitlines()[3:]] == ["1", "2", "3"]
    assert [line.split()[:3] for line in leads.splitlines()[3:]] == [
        ["need-order-deep", "\u2013", "greedy"],
        ["greedy", "\u2013", "random"],
    ]
    assert scan(tmp_path / "there").head_to_head.shape == (6, 15)


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_it_fits_the_terminal(calcsim, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = calcsim("tournament", *FEW, "--deals", "1k", "--seed", 3, "--quiet").out
    assert max(map(len, out.splitlines())) <= columns
    if columns >= 80:
        assert "points" in out.splitlines()[0]


def test_all_built_in_strategies_play_by_default(calcsim, tmp_path):
    assert calcsim("tournament", "--deals", 50, "--seed", 3, "--quiet", "--out", "all").status == 0
    assert scan(tmp_path / "all").win_rates["strategy"].to_list() == builtin_names()


def test_the_pace_is_a_note(calcsim, monkeypatch):
    monkeypatch.setattr("calcsim.analysis.standings._SECONDS_THAT_TELL", 0.0001)
    ended = calcsim("tournament", *FEW, "--deals", "1k", "--seed", 3)
    (pace,) = [line for line in ended.err.splitlines() if line.startswith("games a second")]
    assert [part.split()[0] for part in pace.partition(": ")[2].split(", ")] == [
        "need-order-deep",
        "greedy",
        "random",
    ]


def test_what_is_printed_does_not_depend_on_the_workers(calcsim):
    words = ["tournament", *FEW, "--deals", 900, "--seed", 3, "--quiet"]
    one, other = (calcsim(*words, "--workers", n, "--shard-deals", n * 99).out for n in (1, 3))
    assert one == other


def test_one_alone_is_no_tournament(refused):
    line, status = refused("tournament", "greedy")
    assert "a tournament takes two strategies or more; 'calcsim run' plays one" in line
    assert status == 2


def test_its_tables_are_those_of_a_run(calcsim, tmp_path):
    for verb in ("tournament", "run"):
        calcsim(verb, *FEW, "--deals", 500, "--seed", 3, "--quiet", "--out", verb)
    there, here = scan(tmp_path / "tournament"), scan(tmp_path / "run")
    assert there.manifest["digests"] == here.manifest["digests"]
    for name, table in there.tables().items():
        assert table.equals(here.tables()[name])
    assert there.manifest["digests"].keys() == {*there.tables(), "deals"}


def test_head_to_head_opens_elsewhere(calcsim, tmp_path):
    calcsim("tournament", *FEW, "--deals", 100, "--seed", 3, "--quiet", "--out", "there")
    table = pl.read_parquet(tmp_path / "there" / "head_to_head.parquet")
    assert table.columns[:3] == ["strategy_a", "strategy_b", "deals"]


def test_a_race_ends_with_one_left(calcsim, tmp_path):
    words = ["tournament", "random", "need-order-deep", "--race", "--seed", 3, "--out", "there"]
    ended = calcsim(*words)
    assert ended.status == 0
    assert "they are confidence sequences" in ended.err
    run = scan(tmp_path / "there")
    assert run.manifest["stopping"] == {"precision": None, "race": True}
    assert run.manifest["deals_done"] < 10_000
    best = run.head_to_head.filter(strategy_a="need-order-deep").row(0, named=True)
    assert best["difference_low"] > 0


def test_a_run_to_a_precision(calcsim, tmp_path):
    words = ["run", "random", "--precision", 0.005, "--seed", 3, "--quiet", "--out", "there"]
    ended = calcsim(*words)
    assert (ended.status, ended.err) == (0, "")
    rates = scan(tmp_path / "there").win_rates.row(0, named=True)
    assert rates["win_rate_high"] - rates["win_rate_low"] <= 0.01


def test_most_deals_bound_a_race(calcsim, tmp_path):
    words = ["tournament", "greedy", "shortest", "--race", "--max-deals", 1500, "--seed", 3]
    assert calcsim(*words, "--out", "there").status == 0
    assert scan(tmp_path / "there").win_rates["deals"].to_list() == [1500, 1500]


def test_a_deck_bounds_a_race(calcsim, tmp_path):
    (tmp_path / "deck.txt").write_text(calcsim("deal", "--seed", 3, "--deals", 30).out)
    words = ["tournament", "greedy", "shortest", "--race", "--deck", "deck.txt", "--out", "there"]
    assert calcsim(*words).status == 0
    assert scan(tmp_path / "there").win_rates["deals"].to_list() == [30, 30]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("run greedy --deals 3 --precision 0.1", "say --max-deals, not --deals"),
        ("tournament greedy random --deals 3 --race", "say --max-deals, not --deals"),
        ("run greedy --max-deals 3", "--max-deals goes with --precision or --race"),
        ("run greedy --precision 0", "0.0 is not in the range 0<x<1"),
        ("run greedy --precision 2", "2.0 is not in the range 0<x<1"),
        ("run greedy random --race", "No such option '--race'"),
    ],
)
def test_words_that_do_not_go_together(refused, words, says):
    line, status = refused(*words.split())
    assert says in line
    assert status == 2


def test_the_same_strategy_under_two_names_is_pointed_out(calcsim, tmp_path):
    (tmp_path / "twin.py").write_text((builtin_folder() / "greedy.py").read_text())
    ended = calcsim("tournament", "greedy", "twin.py", "random", "--deals", 500, "--seed", 3)
    assert ended.err.splitlines()[-2] == (
        "greedy and twin make the same moves in all deals of their fingerprints: "
        "the same strategy under several names?"
    )
    pair = scan(next((tmp_path / "results").iterdir())).head_to_head
    pair = pair.filter(strategy_a="greedy", strategy_b="twin").row(0, named=True)
    assert (pair["difference"], pair["p_value"], pair["level"]) == (0, 1, 500)
