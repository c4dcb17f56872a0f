"""`--deck`: the deals of a file."""

from pathlib import Path

import pytest

import calcsim as library

RUN = ("--quiet", "--out", "run")


@pytest.fixture
def deals(calcsim, tmp_path):
    """A file of twenty deals."""
    text = calcsim("deal", "--seed", 5, "--deals", 20).out
    (tmp_path / "deals.txt").write_text(text)
    return text


def rows_of(folder):
    return library.scan(folder).deals().sort("deal").collect().drop("strategy")


@pytest.mark.parametrize(
    ("words", "first", "count"),
    [
        ([], 0, 20),
        (["--first-deal", 15], 15, 5),
        (["--deals", 3], 0, 3),
        (["--first-deal", 4, "--deals", 6, "--shard-deals", 4], 4, 6),
    ],
)
def test_its_deals_are_those_of_the_seed(calcsim, deals, words, first, count):
    ended = calcsim("run", "greedy", "--deck", "deals.txt", *words, *RUN)
    assert ended.status == 0
    seeded = ["--seed", 5, "--first-deal", first, "--deals", count, "--quiet", "--out", "seeded"]
    assert calcsim("run", "greedy", *seeded).out == ended.out
    assert rows_of("run").equals(rows_of("seeded"))


def test_no_seed_is_drawn_for_it(calcsim, deals):
    ended = calcsim("run", "greedy", "--deck", "deals.txt", "--out", "run")
    assert ended.err.startswith(
        "seed 0 for all draws but the deals, which are those of deals.txt\n"
    )
    manifest = library.scan("run").manifest
    assert (manifest["seed"], manifest["deals"]) == (0, 20)
    assert manifest["deck"]["file"] == str(Path("deals.txt").absolute())


def test_other_letters(calcsim, deals, tmp_path):
    (tmp_path / "german.txt").write_text(deals.replace("J", "B").replace("Q", "D"))
    ended = calcsim("run", "greedy", "--deck", "german.txt", "--letters", "de", *RUN)
    assert ended.status == 0
    refused = calcsim("run", "greedy", "--deck", "german.txt", "--quiet", "--out", "other")
    assert refused.status == 1
    assert "german.txt, line 1: 'B' is no card" in refused.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{deals}A\n", "bad.txt, line 21: 1 cards where a deal of standard holds 48"),
        ("# mine\n{first} K\n", "bad.txt, line 2: 49 cards where a deal of standard holds 48"),
        ("{first} X\n", "bad.txt, line 1: 'X' is no card"),
        ("", "bad.txt holds no deals: write one a line, as 'calcsim deal' does"),
        ("# nothing\n", "bad.txt holds no deals"),
    ],
)
def test_what_is_no_deal_is_refused(refused, deals, tmp_path, content, says):
    text = content.format(deals=deals, first=deals.splitlines()[0])
    (tmp_path / "bad.txt").write_text(text)
    for verb in ("run", "replay"):
        line, status = refused(verb, "greedy", "--deck", "bad.txt")
        assert says in line
        assert status == 1


def test_what_is_no_text_is_refused(refused, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"\xff\x00")
    assert "not a text file in UTF-8" in refused("run", "greedy", "--deck", "bad.txt")[0]
    assert "No such file" in refused("run", "greedy", "--deck", "missing.txt")[0]
    assert "cannot read ." in refused("run", "greedy", "--deck", ".")[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--deals", 21], "deals 0 to 20 do not exist: they are numbered 0 to 19"),
        (["--first-deal", 19, "--deals", 2], "deals 19 to 20 do not exist"),
        (["--first-deal", 20], "there is no deal 20: the deck's are 0 to 19"),
    ],
)
def test_deals_beyond_the_file_are_refused(refused, deals, words, says):
    line, status = refused("run", "greedy", "--deck", "deals.txt", *words)
    assert says in line
    assert status == 2
