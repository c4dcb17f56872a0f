"""Strategy files with faults: what is wrong is told in a few lines about the file itself."""

import json
import shlex

import pytest

RAISES = """\
from calcsim import stock_left


def place(table, card):
    return choose(table, card)


def choose(table, card):
    if stock_left(table) == 20 and card == 13:
        raise ValueError("no idea")
    return 0
"""
ILLEGAL = """\
from calcsim import height


def place(table, card):
    if height(table, 0) == 10:
        return 7
    return 0
"""
WRONG_LATER = """\
from calcsim import stock_left, unseen


def place(table, card):
    if stock_left(table) == 24 and card == 13 and unseen(table, 12) == 4:
        return -1
    return 0
"""


@pytest.fixture
def mine(tmp_path):
    def write(source, name="mine.py"):
        path = tmp_path / name
        path.write_text(source)
        return path

    return write


RUN = ("--deals", 300, "--seed", 5, "--strict", "--quiet", "--out", "run")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("X = 1\n", "must define a function place(table, card) or move(table, card), and has neit"),
        (
            "def place(table, card):\n    return 0\n\n\ndef move(table, card):\n    return 0\n",
            "has both: leave one",
        ),
        ("def place(table):\n    return 0\n", "place() must take the table and the card"),
        ('def place(table, card):\n    return "2"\n', "place() must return a whole number, not"),
        ("def place(table, card):\n    return card / 2\n", "a whole number, not float64"),
        (
            "def place(table, card):\n    if card > 3:\n        return 0\n",
            "place() must return a whole number on every path",
        ),
    ],
    ids=["neither", "both", "arguments", "text", "fraction", "nothing"],
)
def test_what_is_no_strategy_is_refused_in_a_line(refused, mine, source, says):
    mine(source)
    line, status = refused("run", "mine.py", *RUN)
    assert says in line
    assert status == 1


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def place(table, card):\n    return 0 +\n", "line 2: invalid syntax\n"),
        ("import math\n\nmath.nothing()\n", "has no attribute 'nothing'\n"),
        ("def place(table, card):\n    table.heights[0] = 0\n    return 0\n", "Cannot modify"),
        ("def place(table, card):\n    return table.hights[0]\n", "the table has no 'hights'"),
        ("def place(table, card):\n    return wast\n", "name 'wast' is not defined"),
    ],
    ids=[
        "syntax",
        "raises when it is loaded",
        "changes the table",
        "unknown field",
        "unknown name",
    ],
)
def test_a_faulty_line_is_shown(calcsim, mine, tmp_path, source, says):
    path = mine(source)
    ended = calcsim("run", "mine.py", *RUN)
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err.startswith("Error: ")
    assert says in ended.err
    assert str(path) in ended.err
    number = 3 if "math" in source else 2
    assert f"line {number}" in ended.err
    assert f"    {source.splitlines()[number - 1].strip()}\n" in ended.err
    assert "/calcsim/" not in ended.err
    assert sorted(tmp_path.iterdir()) == [path]


def test_what_a_strategy_raises_is_shown_at_its_own_line(calcsim, mine, tmp_path, shell):
    path = mine(RAISES, "it's mine.py")
    ended = calcsim("run", path.name, *RUN)
    assert ended.status == 1
    assert ended.out == ""
    first, *shown, last = ended.err.splitlines()
    assert first.startswith("Error: 'it's mine' raised ValueError: no idea in deal ")
    deal = first.rpartition(" ")[2]
    assert shown[0] == "Traceback (most recent call last):"
    assert shown[-1] == "ValueError: no idea"
    places = [line.strip() for line in shown if line.startswith("  File ")]
    assert places == [
        f'File "{path}", line 5, in place',
        f'File "{path}", line 10, in choose',
    ]
    assert "/calcsim/" not in ended.err
    command = ["calcsim", "replay", str(path), "--seed", "5", "--first-deal", deal]
    assert last == f"see the game: {shlex.join(command)}"
    assert sorted(tmp_path.iterdir()) == [path]

    game = shell(last.removeprefix("see the game: "))
    assert game.status == 1
    assert game.out.startswith(f"it's mine, standard, deal {deal} of seed 5\nfoundations: from A ")
    assert game.out.rstrip().splitlines()[-1].startswith("   waste 4 ")
    assert game.err == f"Error: 'it's mine' raised ValueError: no idea in deal {deal}\n"


def test_an_illegal_move_is_named_and_the_game_shown_up_to_it(calcsim, mine):
    path = mine(ILLEGAL)
    ended = calcsim("run", "greedy", "mine.py", *RUN)
    assert ended.status == 1
    first, last = ended.err.splitlines()
    assert first.startswith("Error: 'mine' put the ")
    assert first.endswith(" on waste 8 (of 4) in deal 0")
    command = last.removeprefix("see the game: calcsim ")
    assert command == f"replay {path} --seed 5 --first-deal 0"

    game = calcsim(*shlex.split(command), "--format", "json")
    assert game.status == 1
    assert game.err == f"{first}\n"
    data = json.loads(game.out)
    assert "result" not in data
    assert data["moves"][-1]["move"] == "turn"
    assert sum(move.get("waste") == 0 for move in data["moves"]) >= 10
    text = calcsim(*shlex.split(command))
    assert text.status == 1
    assert "straight from the stock" not in text.out


@pytest.mark.parametrize("form", ["standard:wastes=5", "easy-5"])
def test_the_command_for_the_game_names_the_rules(calcsim, mine, form):
    mine("def place(table, card):\n    return 5\n")
    ended = calcsim("run", "mine.py", *RUN, "--variant", form)
    assert "on waste 6 (of 5) in deal 0" in ended.err
    command = ended.err.splitlines()[-1].removeprefix("see the game: calcsim ")
    assert command.endswith(f" --variant {form}")
    assert calcsim(*shlex.split(command)).status == 1


def test_the_command_for_the_game_names_the_deck(calcsim, mine, tmp_path):
    deals = calcsim("deal", "--seed", 5, "--deals", 3).out
    (tmp_path / "my deals.txt").write_text(deals.replace("J", "B").replace("Q", "D"))
    mine("def place(table, card):\n    return 4\n")
    words = ["--deck", "my deals.txt", "--letters", "de", "--first-deal", 1]
    ended = calcsim("run", "mine.py", "--strict", "--quiet", *words)
    assert "in deal 1" in ended.err
    command = ended.err.splitlines()[-1].removeprefix("see the game: calcsim ")
    game = calcsim(*shlex.split(command))
    assert game.status == 1
    assert f"stock: {deals.splitlines()[1]}" in game.out


def test_after_a_later_fault_what_was_finished_stays(calcsim, mine, tmp_path):
    mine(WRONG_LATER)
    ended = calcsim(
        "run", "mine.py", "--deals", 50_000, "--seed", 20, "--shard-deals", 100, *RUN[4:]
    )
    assert ended.status == 1
    assert "put the K on waste number -1 (they are 0 to 3)" in ended.err
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert manifest["status"] == "failed"
    assert manifest["deals_done"] > 0
