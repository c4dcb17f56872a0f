"""`calcsim compare`: what it prints of runs, and what it refuses."""

import csv
import io
import json
import re

import pytest
from run_folder import write_run

from calcsim.analysis.compare import COMPARISON_SCHEMA, compare
from calcsim.analysis.run import scan

SOURCE = '''"""The shortest waste{remark}."""

from calcsim import shortest_waste


def place(table, card):
    return shortest_waste(table)
'''


@pytest.fixture
def play(calcsim):
    """Plays deals and writes a run directory."""

    def call(words):
        done = calcsim("run", *words.split(), "--quiet")
        assert done.status == 0, done.err
        return done

    return call


@pytest.fixture
def runs(play):
    play("greedy need-order-deep --deals 2k --seed 1 --out first")
    play("greedy --deals 3k --seed 1 --variant three-wastes --out second")
    play("greedy --deals 500 --seed 2 --no-deals --out third")


def paragraphs(text):
    return [part.splitlines() for part in text.rstrip().split("\n\n")]


def test_runs_pairs_and_notes_are_printed(calcsim, runs):
    ended = calcsim("compare", "first", "second", "third", "--reference", "first:greedy")
    assert (ended.status, ended.err) == (0, "")
    sides, table, notes, level = paragraphs(ended.out)
    assert sides == [
        "first   standard, seed 1, deals 0 to 1,999",
        "second  three-wastes, seed 1, deals 0 to 2,999",
        "third   standard, seed 2, deals 0 to 499",
    ]
    assert table[0].split()[:2] == ["compared", "with"]
    assert table[1].split()[0] == "first:greedy"
    assert [line.split()[0] for line in table[3:]] == [
        "first:need-order-deep",
        "second:greedy",
        "third:greedy",
    ]
    assert notes[:2] == [
        "second \u2013 first: paired on the 2,000 deals that both have played",
        "third \u2013 first: not paired, their seeds differ (2 and 1)",
    ]
    assert notes[2].startswith("not paired: as two independent win rates, by Newcombe's interval")
    assert re.fullmatch(
        r"  third:greedy \u2013 first:greedy: (no difference seen|[\d,]+)", level[-1]
    )


def test_numbers_are_those_of_the_library(calcsim, runs, tmp_path):
    table = compare([scan(tmp_path / name) for name in ("first", "second")])
    lines = paragraphs(calcsim("compare", "first", "second").out)[1][3:]
    for line, row in zip(lines, table.to_dicts(), strict=True):
        assert line.startswith(f"{row['arm_a']} \u2013 {row['arm_b']} ")
        ends = [100 * row[f"difference{end}"] for end in ("", "_low", "_high")]
        printed = [float(number) for number in re.findall(r"[+-]\d+\.\d+", line)]
        assert printed == pytest.approx(ends, abs=0.05)


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("words", [[], ["--reference", "first:greedy"]])
def test_it_fits_the_terminal(calcsim, runs, monkeypatch, columns, words):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = calcsim("compare", "first", "second", "third", *words).out
    assert max(map(len, out.splitlines())) <= columns
    assert "…" not in out
    heading = paragraphs(out)[1][1]
    for name in ("more", "interval", "(Holm)"):
        assert name in heading
    assert ("variants" in heading) == (columns == 200)
    assert "three-wastes" in out


def test_one_run_needs_no_names_of_runs(calcsim, runs):
    (table,) = paragraphs(calcsim("compare", "first").out)
    assert table[3].startswith("greedy \u2013 need-order-deep  ")
    assert "yes" in table[3].split()


def test_two_versions_of_a_file(calcsim, play, tmp_path):
    for version, remark in (("old", ""), ("new", ", again")):
        (tmp_path / version).mkdir()
        (tmp_path / version / "mine.py").write_text(SOURCE.format(remark=remark))
        play(f"{version}/mine.py --deals 300 --seed 1 --out {version}-run")
    out = calcsim("compare", "old-run", "new-run").out
    assert "old-run:mine \u2013 new-run:mine: called the same, but their sources differ" in out
    assert "old-run:mine \u2013 new-run:mine: no difference seen" in out
    assert "paired on the 300 deals" in out


def test_two_variants_of_one_name(calcsim, play, tmp_path):
    for name, step in (("old", 4), ("new", 5)):
        (tmp_path / name).mkdir()
        steps = ", ".join(f"{{ start = {n}, step = {n} }}" for n in (1, 2, 3))
        rules = f"foundations = [{steps}, {{ start = 4, step = {step} }}]"
        (tmp_path / name / "mine.toml").write_text(rules)
        play(f"greedy --variant {name}/mine.toml --deals 100 --seed 1 --out {name}-run")
    out = calcsim("compare", "old-run", "new-run").out
    assert "old-run \u2013 new-run: both variants are called mine, but their rules differ" in out


def test_a_run_that_could_stop_early(calcsim, play):
    play("greedy --precision 0.2 --seed 1 --out early")
    play("greedy --deals 500 --seed 1 --out later --first-deal 1M")
    out = " ".join(calcsim("compare", "early", "later").out.split())
    assert "with early, which could stop when the data said so: the intervals" in out
    assert "at once, not paired by Bonferroni over both rates" in out
    assert "early \u2013 later: not paired, they have no deal in common" in out
    assert "Newcombe" not in out


@pytest.mark.parametrize("form", ["csv", "json", "ndjson", "md", "html"])
def test_other_formats_hold_all_that_is_known(calcsim, runs, tmp_path, form):
    ended = calcsim("compare", "first", "third", "--format", form, "--confidence", 0.9)
    assert (ended.status, ended.err) == (0, "")
    assert all(name in ended.out for name in COMPARISON_SCHEMA)
    table = compare([scan("first"), scan("third")], 0.9)
    if form == "json":
        assert json.loads(ended.out) == table.to_dicts()
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(ended.out)))
        assert [float(row["p_value"]) for row in rows] == table["p_value"].to_list()


@pytest.mark.parametrize(
    ("words", "says", "status"),
    [
        ("", "Missing argument 'RUN...'", 2),
        ("first nowhere", "nowhere is not there: name the directory of a run", 1),
        ("first other", "other is no run of this version of calcsim (KeyError: 'variant')", 1),
        ("first second first", "first is given twice", 2),
        ("first ./first", "first is given twice", 2),
        ("second", "there is nothing to compare with: name runs of two strategies or more", 2),
        ("first second --reference gredy", "no 'gredy' in these runs; did you mean 'greedy'?", 2),
        ("first --reference xyzzy", "(there are greedy, need-order-deep)", 2),
        (
            "first second --reference greedy",
            "'greedy' is in more than one run: say 'first:greedy' or 'second:greedy'",
            2,
        ),
        ("first --confidence 1", "1.0 is not in the range 0<x<1", 2),
        ("first --format xlsx", "'xlsx' is not one of", 2),
    ],
)
def test_refusals(refused, runs, tmp_path, words, says, status):
    write_run(tmp_path / "other")
    line, ended = refused("compare", *words.split())
    assert says in line
    assert ended == status
