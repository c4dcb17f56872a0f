"""Variants on the command line: every name, other counts, and files of rules."""

import json
import shlex
from collections import Counter

import pytest

from calcsim.analysis.run import scan
from calcsim.game.cards import format_cards
from calcsim.game.variants import VARIANTS
from calcsim.reference.game import Game
from calcsim.reference.rules import Rules

RUN = ["--deals", 60, "--seed", 5, "--quiet"]
MINE = """
decks = 2
wastes = 3
redeals = 1
foundations = [
  { start = "K", step = 12 },
  { start = "random", step = 5 },
  { start = 7, step = "random" },
]
"""

# Every shape is compiled anew; those that differ from another in the number of wastes come later.
SLOW = {"three-wastes", "easy-5", "easy-6", "no-starters-3"}
QUICK_AND_SLOW = [
    pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in VARIANTS
]


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    return tmp_path / "mine.toml"


@pytest.mark.parametrize("name", QUICK_AND_SLOW)
def test_every_variant_fills_the_tables(calcsim, tmp_path, name):
    variant = VARIANTS[name]
    ended = calcsim("run", "shortest", *RUN, "--variant", name, "--out", "there")
    assert (ended.status, ended.err) == (0, "")
    run = scan(tmp_path / "there")
    assert run.win_rates["variant"].to_list() == [name]
    assert run.win_rates["near_misses"].max() <= 60
    cards = run.foundation_counts.filter(strategy="shortest")["foundation_cards"].to_list()
    assert cards == list(range(variant.winning_cards + 1))
    rows = run.deals().collect()
    columns = [column for column in rows.columns if column.startswith("foundation_")]
    assert len(columns) == 1 + len(variant.foundations)
    assert rows.select(columns[1:]).sum_horizontal().equals(rows["foundation_cards"].cast(int))
    assert run.manifest["variant"] == variant.as_data()


def replay_in_the_reference(game):
    """Make a replay's moves on the reference's table, which refuses what is not legal."""
    variant, moves = game["variant"], game["moves"]
    rules = Rules(
        decks=variant["decks"],
        starts=tuple(foundation["start"] for foundation in variant["foundations"]),
        steps=tuple(foundation["step"] for foundation in variant["foundations"]),
        prefilled=variant["prefilled"],
        wastes=variant["wastes"],
        redeals=variant["redeals"],
    )
    stocks = [move["stock"] for move in moves if move["move"] == "redeal"]

    def reshuffle(number, gathered):
        """The stock of the replay, once these are its cards."""
        return next((s for s in stocks[number:] if sorted(s) == sorted(gathered)), gathered)

    table = Game(rules, game["stock"], reshuffle)
    for move in moves:
        table.apply(move)
    return table


@pytest.mark.parametrize("name", [*VARIANTS, "mine.toml", "giant:wastes=6,redeals=1"])
def test_a_replay_is_a_legal_game_to_its_end(calcsim, mine, name):
    words = ["replay", "shortest", "--variant", name, "--seed", 3, "--deals", 5]
    for line in calcsim(*words, "--format", "json").out.splitlines():
        game = json.loads(line)
        table = replay_in_the_reference(game)
        assert table.result() == game["result"]
        assert table.turns() == []
    text = calcsim(*words)
    assert text.status == 0
    assert text.out.count("straight from the stock") == 5


def test_a_replay_of_a_redeal_shows_it(calcsim):
    words = ["replay", "shortest", "--variant", "redeal-2", "--seed", 3]
    out = calcsim(*words).out
    redeals = [line for line in out.splitlines() if line.startswith("redeal: ")]
    assert len(redeals) == 2
    stock = next(line for line in out.splitlines() if line.startswith("stock: "))
    assert not Counter(redeals[1].split()[1:]) - Counter(redeals[0].split()[1:])
    assert not Counter(redeals[0].split()[1:]) - Counter(stock.split()[1:])


def test_a_file_of_rules(calcsim, mine, tmp_path):
    ended = calcsim("run", "greedy", *RUN, "--variant", mine, "--out", "there")
    assert (ended.status, ended.err) == (0, "")
    manifest = json.loads((tmp_path / "there" / "run.json").read_text())
    assert manifest["variant"] == {
        "name": "mine",
        "decks": 2,
        "wastes": 3,
        "redeals": 1,
        "prefilled": True,
        "foundations": [
            {"start": 13, "step": 12},
            {"start": "random", "step": 5},
            {"start": 7, "step": "random"},
        ],
    }
    assert calcsim("deal", "--variant", "mine.toml", "--seed", 1).out.count(" ") == 101


def test_counts_change_a_file_of_rules(calcsim, mine):
    words = ["run", "greedy", *RUN, "--variant", "mine.toml", "--wastes", 7, "--out", "there"]
    assert calcsim(*words).status == 0
    assert scan("there").win_rates["variant"].to_list() == ["mine:wastes=7"]


def test_the_story_of_a_file_of_rules(calcsim, mine):
    out = calcsim("variants", "mine.toml").out
    assert out.startswith("mine: rules of mine.toml\n")
    assert "  1  K Q J 10 9 8 7 6 5 4 3 2 A\n" in out
    assert "  2  starts with a card drawn in each deal, in steps of 5\n" in out
    assert "  3  starts with 7, in steps of a die thrown in each deal\n" in out
    assert (
        "\nstock (101 cards)\n  7 each of 7 K, 8 each of A 2 3 4 5 6 8 9 10 J Q, less 1 drawn"
        in out
    )
    assert "\nno measured win rate has been published\n" in out


@pytest.mark.parametrize(
    ("name", "stock"),
    [
        ("standard", "3 each of A 2 3 4, 4 each of 5 6 7 8 9 10 J Q K"),
        ("reverse", "4 each of A 2 3 4 5 6 7 8 9 10 J Q"),
        ("sir-tommy", "4 each of A 2 3 4 5 6 7 8 9 10 J Q K"),
        ("giant", "7 each of A 2 3 4 5 6 7 8, 8 each of 9 10 J Q K"),
    ],
)
def test_what_is_in_the_stock(calcsim, name, stock):
    assert f" cards)\n  {stock}\n" in calcsim("variants", name).out


def test_what_others_have_published(calcsim):
    out = calcsim("variants", "standard:wastes=3").out
    assert out.endswith(
        "wins, as others have published them\n"
        "  human experts                    60 %\n"
        "  best earlier heuristic programs  44.6 %\n"
        "  Tanaka's table program           67 %\n"
    )


def test_a_list_of_variants_has_a_line_each_on_80_columns(calcsim, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert len(calcsim("variants").out.splitlines()) == len(VARIANTS)


@pytest.mark.parametrize("words", [["run", "greedy"], ["replay", "greedy"], ["deal"], ["variants"]])
def test_a_file_that_is_no_game_is_refused_in_a_line(calcsim, tmp_path, words):
    (tmp_path / "mine.toml").write_text("foundations = [{ start = 1, step = 26 }]\n")
    option = [] if words == ["variants"] else ["--variant"]
    ended = calcsim(*words, *option, "mine.toml")
    assert ended.status == 1
    assert ended.err == (
        "Error: mine.toml: a step of 26 would leave foundation 1 with one rank: "
        "it must be 1 to 12\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("words", [["run", "mine.py"], ["replay", "mine.py"]])
def test_a_strategy_says_why_it_does_not_play_a_variant(refused, tmp_path, words):
    (tmp_path / "mine.py").write_text(
        "def why_not(variant):\n"
        "    return 'it thinks in aces' if variant.prefilled else None\n"
        "def place(table, card):\n"
        "    return 0\n"
    )
    line, status = refused(*words, "--seed", 1, "--deals", 2)
    assert line == "Error: 'mine' does not play standard: it thinks in aces\n"
    assert status == 1


def test_the_command_for_a_game_names_the_file_of_rules(calcsim, mine, tmp_path):
    (tmp_path / "wide.py").write_text("def place(table, card):\n    return 5\n")
    ended = calcsim("run", "wide.py", *RUN, "--strict", "--variant", "mine.toml", "--wastes", 5)
    command = ended.err.splitlines()[-1].removeprefix("see the game: calcsim ")
    assert command.endswith(" --variant mine.toml --wastes 5")
    assert calcsim(*shlex.split(command)).err.startswith("Error: 'wide' put the ")


def test_a_deal_that_draws_starters_has_them_in_front(calcsim, tmp_path):
    words = ["--variant", "broken-intervals", "--seed", 4]
    line = calcsim("deal", *words).out
    data = json.loads(calcsim("deal", *words, "--format", "json").out)
    game = json.loads(calcsim("replay", "random", *words, "--format", "json").out)
    assert data["starters"] == [
        foundation["start"] for foundation in game["variant"]["foundations"]
    ]
    assert data["stock"] == game["stock"]
    assert line.split() == format_cards([*data["starters"], *data["stock"]]).split()
    (tmp_path / "deck.txt").write_text(line)
    again = calcsim("replay", "random", *words, "--deck", "deck.txt", "--format", "json").out
    assert json.loads(again) == game
    assert "starters" not in json.loads(calcsim("deal", "--seed", 4, "--format", "json").out)


def test_a_replay_tells_the_foundations_that_the_deal_decided(calcsim):
    words = ["replay", "greedy", "--variant", "broken-intervals", "--seed", 1]
    game = json.loads(calcsim(*words, "--format", "json").out)
    starts = format_cards(foundation["start"] for foundation in game["variant"]["foundations"])
    steps = " ".join(str(foundation["step"]) for foundation in game["variant"]["foundations"])
    assert f"\nfoundations: from {starts} in steps of {steps}\n" in calcsim(*words).out


def test_other_counts_have_a_summary_that_says_so(calcsim):
    assert calcsim("variants", "standard:wastes=5").out.startswith(
        "standard:wastes=5: standard with 5 wastes\n"
    )
    assert (
        "three-wastes with 4 wastes and 1 redeal\n"
        in calcsim("variants", "three-wastes:wastes=4,redeals=1").out
    )


def test_a_deck_of_another_variant_is_told_whose_it_should_be(calcsim, tmp_path):
    (tmp_path / "deck.txt").write_text(calcsim("deal", "--variant", "giant", "--seed", 1).out)
    ended = calcsim("run", "greedy", "--deck", "deck.txt", "--quiet")
    assert ended.err == "Error: deck.txt, line 1: 96 cards where a deal of standard holds 48\n"
