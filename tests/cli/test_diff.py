"""`calcsim diff`: its commands show what it says, with and without the rows of a run."""

import json
import shlex

import pytest

from calcsim.analysis.run import scan
from calcsim.strategy.catalogue import builtin_folder

SIMPLE = "def place(table, card):\n    return card % len(table.heights)\n"
OTHER = "def place(table, card):\n    return min(card, len(table.heights)) - 1\n"
WASTES = 12
"""With so many the two win often, and not the same deals."""
HOUSE = """\
wastes = 5
foundations = [{ start = "K", step = 12 }, { start = 2, step = 2 }, { start = "random", step = 3 }]
"""
AGAIN = "the run kept no rows per deal: need-order-deep and greedy play its 2,000 deals again\n"


@pytest.fixture
def play(calcsim):
    """Plays strategies, quietly, into the directory `run`."""

    def call(*words):
        ended = calcsim("run", *words, "--quiet", "--out", "run")
        assert (ended.status, ended.err) == (0, "")

    return call


@pytest.fixture
def two(play):
    play("need-order-deep", "greedy", "--deals", "2k", "--seed", 3)


def check_commands(calcsim, lines, winning_cards=52):
    """Run the commands of some lines of JSON: the winner's game is won, the loser's is lost."""
    for line in map(json.loads, lines):
        for who, won in (("winner", True), ("loser", False)):
            words = shlex.split(line[f"{who}_replay"])
            assert words[:2] == ["calcsim", "replay"]
            game = json.loads(calcsim(*words[1:], "--format", "json").out)
            assert (game["deal"], game["strategy"]) == (line["deal"], line[who])
            assert game["result"]["won"] is won
            assert game["result"]["foundation_cards"] == line[f"{who}_cards"]
        assert line["winner_cards"] == winning_cards
        assert line["gap"] == line["winner_cards"] - line["loser_cards"]


def test_the_text(calcsim, two):
    ended = calcsim("diff", "run", "need-order-deep", "greedy", "-n", 2)
    assert (ended.status, ended.err) == (0, "")
    counts, one, other = ended.out.rstrip("\n").split("\n\n")
    pair = scan("run").head_to_head.filter(strategy_a="need-order-deep").row(0, named=True)
    assert counts.splitlines() == [
        f"need-order-deep wins and greedy loses: {pair['only_a_won']} of 2,000 deals",
        f"greedy wins and need-order-deep loses: {pair['only_b_won']} of 2,000 deals",
    ]
    lines = one.splitlines()
    assert lines[0] == "need-order-deep wins and greedy loses: largest gaps first"
    assert len(lines) == len(other.splitlines()) == 7
    deal, cards = lines[1].removeprefix("deal ").split(": ")
    assert cards.startswith("52 to ")
    assert lines[2:4] == [
        f"  calcsim replay need-order-deep --seed 3 --first-deal {deal}",
        f"  calcsim replay greedy --seed 3 --first-deal {deal}",
    ]
    assert other.splitlines()[2].startswith("  calcsim replay greedy ")
    for line, end in zip(lines[2:4], ("won", "lost"), strict=True):
        assert calcsim(*shlex.split(line)[1:]).out.splitlines()[-1].startswith(end)


@pytest.mark.parametrize("columns", [20, 80, 200])
def test_commands_are_never_cut(calcsim, two, monkeypatch, columns):
    words = ["diff", "run", "need-order-deep", "greedy"]
    out = calcsim(*words).out
    monkeypatch.setenv("COLUMNS", str(columns))
    assert calcsim(*words).out == out


def test_the_json(calcsim, two):
    ended = calcsim("diff", "run", "greedy", "need-order-deep", "--format", "json", "--top", 3)
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert [json.loads(line)["winner"] for line in lines] == ["greedy"] * 3 + [
        "need-order-deep"
    ] * 3
    check_commands(calcsim, lines)


def test_a_run_without_rows_is_played_again(calcsim, two, tmp_path):
    words = ["need-order-deep", "greedy", "--format", "json"]
    kept = calcsim("diff", "run", *words)
    calcsim("run", "random", *words[:2], "--deals", "2k", "--seed", 3, "--no-deals", "--out", "no")
    before = sorted(tmp_path.rglob("*"))
    again = calcsim("diff", "no", *words)
    assert again == (0, kept.out, AGAIN)
    assert calcsim("diff", "no", *words, "--quiet") == (0, kept.out, "")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "words",
    [
        ["--variant", "three-wastes", "--deals", "10k"],
        ["--variant", "broken-intervals", "--first-deal", 2**64 - 2000],
    ],
)
@pytest.mark.parametrize("rows", [(), ("--no-deals",)])
def test_other_rules(calcsim, play, words, rows):
    play("need-order-deep", "king-pile:release=2", "--deals", 2000, "--seed", 3, *words, *rows)
    ended = calcsim(
        "diff", "run", "need-order-deep", "king-pile:release=2", "-n", 1, "--format", "json"
    )
    assert ended.err.count("\n") == len(rows)
    assert ended.out.count("\n") == 2
    check_commands(calcsim, ended.out.splitlines())


@pytest.mark.parametrize(
    "rules",
    [
        ["--variant", "my house.toml"],
        pytest.param(["--variant=my house.toml:redeals=1", "--wastes", 6], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("rows", [(), ("--no-deals",)])
def test_rules_of_a_file(calcsim, play, tmp_path, rules, rows):
    (tmp_path / "my house.toml").write_text('name = "house"\n' + HOUSE)
    play("need-order-deep", "random", "--deals", 1000, "--seed", 3, *rules, *rows)
    words = ["diff", "run", "need-order-deep", "random", "-n", 1, "--format", "json"]
    ended = calcsim(*words)
    assert ended.status == 0
    file = rules[0].partition("=")[2] or rules[1]
    file = tmp_path / file
    assert ended.err.splitlines()[len(rows) :] == [f"the commands need the rules file {file}"]
    check_commands(calcsim, ended.out.splitlines(), winning_cards=39)
    (tmp_path / "my house.toml").write_text(HOUSE.replace("12", "11"))
    without = calcsim(*words)
    assert without.out == ended.out
    name = scan("run").manifest["variant"]["name"]
    says = f"the commands need the rules of '{name}', which {file} does not hold now"
    assert without.err.splitlines()[len(rows) :] == [says]


def test_rules_whose_file_the_run_does_not_name(calcsim, play, tmp_path):
    (tmp_path / "house.toml").write_text(HOUSE)
    play("need-order-deep", "random", "--deals", 500, "--seed", 3, "--variant", "house.toml")
    manifest = tmp_path / "run" / "run.json"
    manifest.write_text(manifest.read_text().replace("--variant house.toml", ""))
    ended = calcsim("diff", "run", "need-order-deep", "random")
    assert ended.err == "put the file with the rules of 'house' in the place of FILE.toml\n"
    assert " --variant FILE.toml\n" in ended.out


@pytest.mark.parametrize("rows", [(), ("--no-deals",)])
@pytest.mark.parametrize("letters", ["en", "de"])
def test_a_deck(calcsim, play, tmp_path, monkeypatch, rows, letters):
    deals = calcsim("deal", "--seed", 3, "--deals", 1000).out
    file = tmp_path / "my deals.txt"
    file.write_text(deals.replace("J", "B").replace("Q", "D") if letters == "de" else deals)
    deck = ["--deck", file.name, "--letters", letters, "--first-deal", 100]
    play("need-order-deep", "random", "--seed", 8, *deck, *rows)
    words = ["diff", "run", "need-order-deep", "random", "-n", 2, "--format", "json"]
    ended = calcsim(*words)
    assert ended.err.count("\n") == len(rows)
    check_commands(calcsim, ended.out.splitlines())
    assert ("--letters de" in ended.out) == (letters == "de")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert calcsim("diff", "../run", *words[2:]).out == ended.out
    check_commands(calcsim, ended.out.splitlines())
    monkeypatch.chdir(tmp_path)
    held = file.read_text()
    file.write_text(held[: len(held) // 2].rpartition("\n")[0])
    changed = calcsim(*words)
    says = f"the file {file} no longer holds the deals of the run\n"
    if rows:
        assert (changed.status, changed.out) == (1, "")
        assert changed.err == (
            f"Error: the run kept no rows per deal and cannot be played again: {says}"
        )
    else:
        assert changed.status == 0
        assert changed.err == f"the commands may show other games: {says}"


@pytest.fixture
def files(tmp_path):
    """Two strategies of one's own in a folder whose name a shell would take apart."""
    folder = tmp_path / "it's mine"
    folder.mkdir()
    (folder / "simple.py").write_text(SIMPLE)
    (folder / "other.py").write_text(OTHER)
    return folder


def test_strategies_of_ones_own(calcsim, play, files):
    words = ["--deals", 2000, "--seed", 3, "--wastes", WASTES]
    play(files / "simple.py", files / "other.py", *words)
    ended = calcsim("diff", "run", "simple", "other", "-n", 1, "--format", "json")
    assert (ended.status, ended.err) == (0, "")
    assert len(ended.out.splitlines()) == 2
    check_commands(calcsim, ended.out.splitlines())


def test_a_changed_source_is_not_played_again(refused, play, files):
    play(files / "simple.py", files / "other.py", "--deals", 50, "--seed", 3, "--no-deals")
    (files / "other.py").write_text(OTHER + "# better now\n")
    says = f"'other' has changed since the run: {files / 'other.py'}\n"
    line, status = refused("diff", "run", "simple", "other")
    assert line == f"Error: the run kept no rows per deal and cannot be played again: {says}"
    assert status == 1
    (files / "other.py").unlink()
    assert (
        "'other' cannot be had again: there is no " in refused("diff", "run", "simple", "other")[0]
    )


def test_but_what_it_did_is_told_with_a_note(calcsim, play, files):
    play(files / "simple.py", files / "other.py", "--deals", 2000, "--seed", 3, "--wastes", WASTES)
    before = calcsim("diff", "run", "simple", "other")
    (files / "other.py").write_text(OTHER + "# better now\n")
    ended = calcsim("diff", "run", "simple", "other")
    assert (ended.status, ended.out) == (0, before.out)
    says = f"'other' has changed since the run: {files / 'other.py'}\n"
    assert ended.err == f"the commands may show other games: {says}"


@pytest.mark.parametrize("rows", [(), ("--no-deals",)])
def test_of_a_race_only_common_deals(calcsim, tmp_path, rows):
    (tmp_path / "twin.py").write_text((builtin_folder() / "greedy.py").read_text())
    race = ["greedy", "random", "twin.py", "--race", "--max-deals", "4k", "--seed", 3]
    calcsim("tournament", *race, "--quiet", "--out", "run", *rows)
    played = {entry["label"]: entry["deals_done"] for entry in scan("run").manifest["strategies"]}
    assert played["random"] < played["greedy"] == 4000
    ended = calcsim("diff", "run", "greedy", "random")
    assert ended.status == 0
    assert ended.out.splitlines()[0].endswith(f" of {played['random']:,} deals")


@pytest.mark.parametrize("rows", [(), ("--no-deals",)])
def test_nothing_between_them(calcsim, play, rows):
    play("random", "shortest", "--deals", 3, "--seed", 3, *rows)
    ended = calcsim("diff", "run", "random", "shortest")
    assert ended.status == 0
    assert ended.out.splitlines() == [
        "random wins and shortest loses: 0 of 3 deals",
        "shortest wins and random loses: 0 of 3 deals",
        "",
        "random wins and shortest loses: none",
        "",
        "shortest wins and random loses: none",
    ]
    assert calcsim("diff", "run", "random", "shortest", "--format", "json").out == ""


@pytest.mark.parametrize(
    ("words", "says", "status"),
    [
        ("diff run greedy", "Missing argument 'B'", 2),
        ("diff run greedy gredy", "the run has no strategy 'gredy'; did you mean 'greedy'?", 2),
        ("diff run xyzzy greedy", "'xyzzy'; it has need-order-deep, greedy", 2),
        ("diff run greedy greedy", "'greedy' differs from itself in nothing", 2),
        ("diff run greedy need-order-deep -n 0", "0 is out of range: 1 to ", 2),
        ("diff run greedy need-order-deep --format csv", "'csv' is not one of", 2),
        ("diff missing greedy random", "missing is not there: name the directory of a run", 1),
    ],
)
def test_what_is_refused(refused, two, words, says, status):
    line, ended_with = refused(*words.split())
    assert says in line
    assert ended_with == status


def test_rows_that_cannot_be_read(refused, two, tmp_path):
    for path in (tmp_path / "run").glob("deals/*/*.parquet"):
        path.write_bytes(b"no parquet")
    line, status = refused("diff", "run", "greedy", "need-order-deep")
    assert line.startswith("Error: the rows per deal cannot be read: ")
    assert status == 1
