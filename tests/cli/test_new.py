"""`calcsim new`: two files that work as they are, or none."""

import subprocess
import sys

import pytest


def run_tests(*words, folder, environment):
    """Run pytest as an author would, in the folder of the new files."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_it_writes_a_strategy_and_its_tests_and_says_what_next(calcsim, tmp_path):
    ended = calcsim("new", "my-idea")
    assert ended.status == 0
    assert ended.err == ""
    assert ended.out.splitlines() == [
        "wrote my_idea.py and test_my_idea.py",
        "  calcsim run my_idea.py greedy  win rates, beside a built-in strategy",
        "  calcsim check my_idea.py       does it keep the contract of strategies?",
        "  calcsim replay my_idea.py      a game, move by move",
        "  pytest test_my_idea.py         its tests",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my_idea.py", "test_my_idea.py"]
    for path in tmp_path.iterdir():
        assert "$" not in path.read_text()
    told = calcsim("strategies", "my_idea.py").out
    assert told.startswith(
        "my-idea (file, simple form)\n\nPut a card where it is in the way least, "
    )
    assert "\n  bonus=10 (0 to 100)\n" in told


def test_a_new_strategy_passes_its_tests(calcsim, tmp_path, environment):
    calcsim("new", "simple-idea")
    done = run_tests(folder=tmp_path, environment=environment)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("2 passed")


def test_one_of_the_full_form_plays(calcsim, tmp_path):
    calcsim("new", "full-idea", "--form", "full", "--out", "my own/ideas")
    file = tmp_path / "my own" / "ideas" / "full_idea.py"
    assert calcsim("strategies", file).out.startswith("full-idea (file, full form)\n\nBring the ")
    ended = calcsim("replay", file, "--seed", 7)
    assert ended.status == 0
    assert ended.out.startswith("full-idea, standard, deal 0 of seed 7\n")


@pytest.mark.slow
def test_one_of_the_full_form_passes_its_tests(calcsim, tmp_path, environment):
    calcsim("new", "full-idea", "--form", "full")
    done = run_tests(folder=tmp_path, environment=environment)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_tests_of_a_strategy_that_breaks_the_contract_fail_and_say_why(
    calcsim, tmp_path, environment
):
    calcsim("new", "broken")
    (tmp_path / "broken.py").write_text("def place(table, card):\n    return wast\n")
    done = run_tests("-k", "contract", folder=tmp_path, environment=environment)
    assert done.returncode == 1
    assert "name 'wast' is not defined" in done.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("greedy", "'greedy' is a built-in strategy already"),
        ("need_order", "'need-order' is a built-in strategy already"),
        ("class", "'class' is a word of Python"),
        ("json", "json.py would be imported in the place of the module 'json'"),
        ("numpy", "in the place of the module 'numpy'"),
        ("calcsim", "in the place of the module 'calcsim'"),
        ("test-idea", "pytest would take test_idea.py for tests"),
        ("idea.py", "did you mean 'idea'?"),
        ("ideas/idea.py", "did you mean 'idea'?"),
        ("2nd-idea", "a letter first"),
        ("_idea", "a letter first"),
        ("my idea", "with single dashes"),
        ("my--idea", "with single dashes"),
        ("idée", "letters (A to Z)"),
        ("", "'' can be no strategy's name"),
    ],
)
def test_names_that_will_not_do_are_refused_in_a_line(refused, name, says):
    line, status = refused("new", name)
    assert says in line
    assert status == 2


@pytest.mark.parametrize("form", ["deep", "Simple"])
def test_there_are_two_forms(refused, form):
    line, status = refused("new", "idea", "--form", form)
    assert "is not one of 'simple', 'full'" in line
    assert status == 2


@pytest.mark.parametrize("there", ["idea.py", "test_idea.py"])
def test_nothing_is_overwritten_and_nothing_half_written(refused, tmp_path, there):
    (tmp_path / there).write_text("mine")
    line, status = refused("new", "idea")
    assert line.startswith(f"Error: '{there}' exists already, and nothing is overwritten: ")
    assert status == 1
    assert (tmp_path / there).read_text() == "mine"


def test_a_folder_that_cannot_be_is_told_of(refused, tmp_path):
    (tmp_path / "file").write_text("")
    line, status = refused("new", "idea", "--out", "file/folder")
    assert line == "Error: cannot write to 'file/folder': Not a directory\n"
    assert status == 1
