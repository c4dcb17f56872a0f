"""`calcsim strategies` and `calcsim variants`: a line each, or the whole story."""

import hashlib
import shutil

import pytest

from calcsim.game.variants import VARIANTS
from calcsim.strategy.catalogue import builtin_folder, catalogue


def test_every_strategy_has_a_line(calcsim):
    ended = calcsim("strategies")
    assert ended.status == 0
    entries = [line for line in ended.out.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in entries] == list(catalogue())
    assert all(len(line.split()) > 3 for line in entries)
    width = shutil.get_terminal_size().columns
    assert all(len(line) <= width for line in ended.out.splitlines())


def test_the_whole_story_of_a_strategy(calcsim):
    ended = calcsim("strategies", "king-pile")
    source = builtin_folder() / "king_pile.py"
    assert ended.status == 0
    assert ended.out.startswith("king-pile (built-in, simple form)\n\nKeep one waste for Kings")
    assert "\nparameters\n  release=3 (0 to 5)\n" in ended.out
    assert f"\nfile    {source}\n" in ended.out
    assert ended.out.endswith(f"sha256  {hashlib.sha256(source.read_bytes()).hexdigest()}\n")


def test_the_story_of_a_file_that_tells_nothing(calcsim, tmp_path):
    (tmp_path / "mine.py").write_text("def move(table, card):\n    return 0\n")
    ended = calcsim("strategies", "mine.py")
    assert ended.status == 0
    assert ended.out.startswith("mine (file, full form)\n\nIt says nothing about itself.\n")
    assert "parameters" not in ended.out


def test_every_variant_has_a_line(calcsim):
    ended = calcsim("variants")
    assert ended.status == 0
    lines = [line.split(maxsplit=1) for line in ended.out.splitlines()]
    assert lines == [[variant.name, variant.summary] for variant in VARIANTS.values()]


@pytest.mark.parametrize("name", VARIANTS)
def test_the_whole_story_of_a_variant(calcsim, name):
    variant = VARIANTS[name]
    ended = calcsim("variants", name)
    assert ended.status == 0
    assert ended.out.startswith(f"{name}: {variant.summary}\n")
    assert f"\nwastes   {variant.wastes}\n" in ended.out
    assert f"\nstock ({variant.stock_size} cards)\n" in ended.out


def test_the_foundations_of_the_standard_game(calcsim):
    out = calcsim("variants", "standard").out
    assert "\n  1  A 2 3 4 5 6 7 8 9 10 J Q K\n" in out
    assert "\n  2  2 4 6 8 10 Q A 3 5 7 9 J K\n" in out
    assert "\n  3  3 6 9 Q 2 5 8 J A 4 7 10 K\n" in out
    assert "\n  4  4 8 Q 3 7 J 2 6 10 A 5 9 K\n" in out


def test_other_counts_are_told(calcsim):
    assert "\nwastes   9\n" in calcsim("variants", "standard:wastes=9").out
