"""Compiled code is kept between processes, and never served stale."""

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from judged import PACKAGE_FOLDER, player_of

import calcsim.game
from calcsim.engine import code_cache as module
from calcsim.engine.code_cache import CACHE_VARIABLE, CodeCache, engine_key
from calcsim.engine.games import Deals, is_ready, make_ready, trace_game
from calcsim.game.layout import lay_out_variant
from calcsim.game.variants import STANDARD

LONG_AGO = 1_000_000_000
HOUR = 3600


def write(path, text):
    """Write a file that looks as old as every other version of it."""
    path.write_text(text)
    os.utime(path, (LONG_AGO, LONG_AGO))


def wastes_used(path):
    traced = trace_game(player_of(str(path), STANDARD), STANDARD, Deals(1, 0, 1))
    return {move["waste"] for move in traced.moves if move["move"] == "place"}


# Nothing stale


def test_a_renamed_file_plays_in_a_process_that_never_saw_the_first(tmp_path):
    (tmp_path / "second.py").write_text("def place(table, card):\n    return 3\n")
    wastes_used(tmp_path / "second.py")
    (tmp_path / "second.py").rename(tmp_path / "renamed.py")
    plays = (
        "import sys; import calcsim; "
        "print(sum(1 for _ in calcsim.replay(calcsim.make_plan([sys.argv[1]], deals=2, seed=1))))"
    )
    command = [sys.executable, "-c", plays, str(tmp_path / "renamed.py")]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE_FOLDER)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def test_an_edited_strategy_is_compiled_anew(tmp_path):
    path = tmp_path / "fixed.py"
    write(path, "def place(table, card):\n    return 1\n")
    assert wastes_used(path) == {1}
    write(path, "def place(table, card):\n    return 2\n")
    assert wastes_used(path) == {2}
    write(path, "def place(table, card):\n    return 1\n")
    assert wastes_used(path) == {1}


def test_an_edited_file_beside_it_is_compiled_anew(tmp_path):
    path = tmp_path / "fixed.py"
    write(path, "from chosen import choose\n\ndef place(table, card):\n    return choose()\n")
    write(tmp_path / "chosen.py", "import numbers_of\n\ndef choose():\n    return numbers_of.N\n")
    write(tmp_path / "numbers_of.py", "N = 1\n")
    assert wastes_used(path) == {1}
    write(tmp_path / "numbers_of.py", "N = 2\n")
    assert wastes_used(path) == {2}
    write(tmp_path / "chosen.py", "import numbers_of\n\ndef choose():\n    return 5-numbers_of.N\n")
    assert wastes_used(path) == {3}


@pytest.mark.parametrize("room", ["game", "engine", "strategy"])
def test_any_edited_file_of_the_engine_gives_another_key(tmp_path, monkeypatch, room):
    package = tmp_path / "calcsim"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(calcsim.game.__file__).parent.parent, package, ignore=ignore)
    monkeypatch.setattr(calcsim.game, "__file__", str(package / "game" / "__init__.py"))
    key_of_now = engine_key.__wrapped__
    assert key_of_now() == engine_key()
    for source in sorted((package / room).glob("*.py")):
        before, text = key_of_now(), source.read_bytes()
        source.write_bytes(text + b"\n")
        assert key_of_now() != before
        source.write_bytes(text)
        assert key_of_now() == before


def test_other_libraries_give_another_key(monkeypatch):
    before = engine_key.__wrapped__()
    monkeypatch.setattr(module.numba, "__version__", "0.0")
    assert engine_key.__wrapped__() != before


def test_another_engine_has_other_folders(tmp_path, monkeypatch):
    cache = CodeCache(tmp_path, lasting=True)
    before = cache.entry_folder("a")
    monkeypatch.setattr(module, "engine_key", lambda: "another")
    assert cache.entry_folder("a") != before


def test_each_key_has_a_folder_of_its_own(tmp_path):
    cache = CodeCache(tmp_path, lasting=True)
    assert cache.entry_folder("a") == cache.entry_folder("a")
    assert cache.entry_folder("a") != cache.entry_folder("b")
    assert not cache.holds("a")


# In other processes

PLAY = """
import sys
from calcsim.engine.code_cache import code_cache
from calcsim.engine.games import Deals, is_ready, make_ready, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.variants import STANDARD
from calcsim.strategy.strategy import load_strategy, ready_player

player, layout = ready_player(load_strategy(sys.argv[1]), STANDARD), lay_out_variant(STANDARD)
ready = is_ready(player, layout)
make_ready(player, layout)
games = play(player, layout, Deals(1, 0, 100))
print(ready, is_ready(player, layout), code_cache().lasting, games.tally.argmax())
print(code_cache().folder)
"""


def run(script, cache_folder, *arguments):
    """What a script prints in another process."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env=os.environ | {CACHE_VARIABLE: str(cache_folder), "PYTHONPATH": PACKAGE_FOLDER},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def play_elsewhere(strategy, cache_folder):
    """What another process says about the code it plays with: four answers, and its folder."""
    answers, folder = run(PLAY, cache_folder, strategy).splitlines()
    return answers.split(), Path(folder)


def test_another_process_finds_the_code(tmp_path):
    strategy, cache = tmp_path / "fixed.py", tmp_path / "cache"
    write(strategy, "def place(table, card):\n    return 3\n")
    (ready, ready_then, lasting, most), folder = play_elsewhere(strategy, cache)
    assert (ready, ready_then, lasting) == ("False", "True", "True")
    assert folder == cache

    kept = {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb?")}
    assert kept
    assert play_elsewhere(strategy, cache) == (["True", "True", "True", most], cache)
    assert {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb?")} == kept


def test_a_folder_that_cannot_be_used_is_replaced_while_the_process_lasts(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file, not a folder")
    (ready, ready_then, lasting, _), folder = play_elsewhere("shortest", taken)
    assert (ready, ready_then, lasting) == ("False", "True", "False")
    assert folder.name.startswith("calcsim-code-")
    assert not folder.exists()
    assert taken.read_text() == "a file, not a folder"


def test_code_is_ready_once_it_is_made_ready(tmp_path):
    path = tmp_path / "fixed.py"
    path.write_text(f"def place(table, card):\n    return 0  # {time.time_ns()}\n")
    player, layout = player_of(str(path), STANDARD), lay_out_variant(STANDARD)
    assert not is_ready(player, layout)
    make_ready(player, layout)
    assert is_ready(player, layout)
    assert not is_ready(player, lay_out_variant(STANDARD.with_counts(wastes=7)))


PLAY_STOCKS = """
import sys
from dataclasses import replace
from calcsim.engine.games import Deals, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.variants import STANDARD
from calcsim.strategy.strategy import load_strategy, ready_player

stocks = {"48": STANDARD, "52": replace(STANDARD, prefilled=False)}
for variant in (stocks[name] for name in sys.argv[1:]):
    player = ready_player(load_strategy("shortest"), variant)
    games = play(player, lay_out_variant(variant), Deals(1, 0, 100))
    print(games.foundations.tolist())
"""


def test_code_that_two_processes_compiled_can_be_used_in_one(tmp_path):
    with ThreadPoolExecutor(2) as both:
        apart = list(both.map(lambda stock: run(PLAY_STOCKS, tmp_path, stock), ["48", "52"]))
    assert apart[0] != apart[1]
    assert run(PLAY_STOCKS, tmp_path, "48", "52") == "".join(apart)
    assert run(PLAY_STOCKS, tmp_path, "52", "48") == "".join(reversed(apart))


# What is removed


def entries(folder, ages):
    for name, age in ages.items():
        entry = folder / name
        entry.mkdir()
        (entry / "code.nbc").write_bytes(b"code")
        os.utime(entry, (time.time() - age, time.time() - age))


def left_in(folder):
    return {entry.name for entry in folder.iterdir()}


def test_the_newest_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MOST_ENTRIES", 2)
    entries(tmp_path, {"c": 3 * HOUR, "a": HOUR, "d": 4 * HOUR, "b": 2 * HOUR})
    CodeCache(tmp_path, lasting=True).prune()
    assert left_in(tmp_path) == {"a", "b"}


def test_what_was_not_used_for_a_month_goes(tmp_path):
    entries(tmp_path, {"old": 31 * 24 * HOUR, "young": 29 * 24 * HOUR})
    CodeCache(tmp_path, lasting=True).prune()
    assert left_in(tmp_path) == {"young"}


def test_use_makes_an_entry_young_again(tmp_path):
    cache = CodeCache(tmp_path, lasting=True)
    entries(tmp_path, {cache.entry_folder("key").name: 31 * 24 * HOUR})
    with cache.kept_under("key"):
        pass
    cache.prune()
    assert left_in(tmp_path) == {cache.entry_folder("key").name}
    assert cache.holds("key")


def test_a_folder_that_is_not_there_has_nothing_to_remove(tmp_path):
    CodeCache(tmp_path / "gone", lasting=True).prune()
