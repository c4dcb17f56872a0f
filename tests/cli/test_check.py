"""`calcsim check`: a line for each check, and what fails with the command that shows it."""

import os
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest
from sessions import PATIENCE, PROMPTLY, processes_of, sessions, wait_until

from calcsim.strategy.checks import CHECKS

AT_TIMES = Path(__file__).parent.parent / "strategies" / "at_times.py"
TITLES = [check.title for check in CHECKS]
STANDARD = ("--variant", "standard", "--deals", 100)
UNKNOWN_NAME = "def place(table, card):\n    return wast\n"
NEVER_PLAYS = """\
def why_not(variant):
    return "it is on holiday"


def place(table, card):
    return 0
"""


def test_who_keeps_the_contract(calcsim):
    ended = calcsim("check", AT_TIMES, *STANDARD)
    assert ended.status == 0
    assert ended.out.splitlines() == [f"✓ {title}" for title in TITLES]
    assert ended.err.startswith("checking at-times in standard: ")
    assert ended.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("form", ["simple", "full"])
def test_a_new_strategy_keeps_it_in_every_variant(calcsim, form):
    calcsim("new", "idea", "--form", form)
    ended = calcsim("check", "idea.py")
    assert ended.status == 0
    assert ended.out.splitlines() == [f"✓ {title}" for title in TITLES]
    assert ended.err.startswith("checking idea in 12 variants: ")


def test_variants_that_are_not_played_are_no_failure(calcsim):
    words = ["--variant", "easy-6", "--variant", "standard:redeals=1", "--deals", 10]
    ended = calcsim("check", AT_TIMES, *words)
    assert ended.status == 0
    first, *others = ended.out.splitlines()
    assert first == "– 'at-times' does not play easy-6: it needs four wastes"  # noqa: RUF001
    assert others == [f"✓ {title}" for title in TITLES]
    assert ended.err.startswith("checking at-times in standard:redeals=1: ")


def test_who_plays_none_fails(calcsim, tmp_path):
    (tmp_path / "never.py").write_text(NEVER_PLAYS)
    ended = calcsim("check", "never.py")
    assert ended.status == 1
    assert ended.out.count("'never' does not play ") == 12
    assert ended.out.count(": it is on holiday\n") == 12
    assert ended.err == "Error: 'never' plays none of the variants asked for\n"


def test_a_fault_comes_with_the_command_that_shows_it(calcsim):
    words = ["--variant", "reverse", "--variant", "standard:redeals=1", "--deals", 100]
    ended = calcsim("check", f"{AT_TIMES}:way=1", *words)
    assert ended.status == 1
    assert ended.err.endswith("\nError: 1 of 9 checks failed\n")
    lines = ended.out.splitlines()
    assert lines[:3] == [f"✓ {TITLES[0]}", f"✓ {TITLES[1]}", f"✗ {TITLES[2]}"]
    fault, command = lines[3:5]
    assert fault.startswith("  'at-times:way=1' put the ")
    assert fault.endswith(" on waste 5 (of 4) in deal 38")
    game = calcsim(*shlex.split(command.removeprefix("  see the game: calcsim ")))
    assert game.status == 1
    assert game.err == f"Error: {fault.strip()}\n"
    assert "standard:redeals=1, deal 38 of seed 0" in game.out


def test_what_it_raises_is_shown_at_its_own_line(calcsim):
    ended = calcsim("check", f"{AT_TIMES}:way=2", *STANDARD)
    assert ended.status == 1
    lines = ended.out.splitlines()
    number = (
        AT_TIMES.read_text()
        .splitlines()
        .index('            raise ValueError("nothing left to do")')
    )
    assert f'    File "{AT_TIMES}", line {number + 1}, in place' in lines
    assert "  ValueError: nothing left to do" in lines
    assert lines[-6:] == [f"– {title}: not checked" for title in TITLES[3:]]  # noqa: RUF001


def test_a_game_without_an_end_is_named_and_nothing_is_played_after_it(calcsim):
    ended = calcsim("check", f"{AT_TIMES}:way=3", *STANDARD, "--game-seconds", 1)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[:3] == [
        f"✓ {TITLES[0]}",
        f"✗ {TITLES[1]}",
        "  standard, deal 81: the game was not over after 1 s",
    ]
    assert lines[-7:] == [f"– {title}: not checked" for title in TITLES[2:]]  # noqa: RUF001


def test_where_there_are_no_signs_there_are_words(process, environment, tmp_path):
    path = tmp_path / "unknown.py"
    path.write_text(UNKNOWN_NAME)
    ended = process("check", path.name, *STANDARD, env=environment | {"PYTHONIOENCODING": "ascii"})
    assert ended.status == 1
    assert ended.out.splitlines() == [
        "FAILED compiles",
        "  standard: 'unknown' does not compile: NameError: name 'wast' is not defined",
        f"    {path}, line 2:",
        "      return wast",
        *(f"skipped {title}: not checked" for title in TITLES[1:]),
    ]
    assert ended.err.endswith("\nError: 1 of 9 checks failed\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "Missing argument 'STRATEGY'"),
        ("greeedy", "there is no strategy 'greeedy'; did you mean 'greedy'?"),
        ("missing.py", "there is no strategy file 'missing.py'"),
        ("greedy --variant standrad", "did you mean 'standard'?"),
        ("greedy --deals 0", "0 is out of range"),
        ("greedy --game-seconds 0", "0 is out of range: 1 to 86400"),
    ],
)
def test_words_that_are_off_are_refused_in_a_line(refused, words, says):
    line, status = refused("check", *words.split())
    assert says in line
    assert status == 2


def test_what_is_no_strategy_is_refused(refused, tmp_path):
    (tmp_path / "none.py").write_text("X = 1\n")
    line, status = refused("check", "none.py")
    assert "must define a function place(table, card) or move(table, card)" in line
    assert status == 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("everyone", [True, False], ids=["the whole group", "the command alone"])
@pytest.mark.parametrize("playing", [True, False], ids=["while a game goes on", "at the start"])
def test_an_interrupt_leaves_no_process_behind(playing, everyone, environment, tmp_path):
    with sessions(tmp_path, environment) as start:
        process = start("check", f"{AT_TIMES}:way=3", *STANDARD)
        if playing:
            assert process.stdout.readline() == f"✓ {TITLES[0]}\n"
            time.sleep(1.5)
        else:
            wait_until(lambda: len(processes_of(process.pid)) > 1)
        since = time.monotonic()
        (os.killpg if everyone else os.kill)(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert time.monotonic() - since < PROMPTLY
        assert process.returncode == 130
        assert "Traceback" not in err
        wait_until(lambda: not processes_of(process.pid))
