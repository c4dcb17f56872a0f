"""Fingerprints: they tell what a strategy does, and those of the built-in ones stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy.catalogue import BUILTIN, catalogue
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.fingerprint import fingerprint, twins
from calcsim.strategy.strategy import load_strategy

PINNED = {
    "descending-step": "dfb32b727bd9576a3b4fdb86d200b255a4c00f2145f780358474a3565c364f3b",
    "greedy": "0e366e48be7d3fed7271addfeb538df7e462b1adaab4ec279bb181e2907e4f52",
    "king-pile": "e55f581fe4d3227b988755d3245e63b1b000227388e408d0bf6c84a38dbee160",
    "need-order": "0bff3f3ac8cb076d81789ce1064dc3e97658243f0b768dc175d52b0256882890",
    "need-order-deep": "7767f6bd8317ffb347b126f14ccfeb3c1680fcaaaf244e508df0505d631c2de6",
    "random": "1f510d6e8b098352165b9241619b26e886ace149a97716becc3e3b4ef9db1e9c",
    "shortest": "14fdda0b590cb726b0043ffe092a7ac7e30d19888c6cbc6d439db09fdd07d83c",
}
"""They must not move. Each pins every move of 20 games: of the deals (seed, shuffle and deal
format), of the rules, of the strategy and, in `random`, of its draws. Whoever changes one changes
results that people hold under this name and seed: a faster or tidier strategy keeps its
fingerprint, and one that plays otherwise takes another name."""


@pytest.mark.parametrize("name", sorted(PINNED))
def test_built_in_strategies_play_as_they_always_did(name: str) -> None:
    assert fingerprint(load_strategy(name), STANDARD) == PINNED[name]


def test_every_built_in_strategy_is_pinned() -> None:
    assert PINNED.keys() == {n for n, found in catalogue().items() if found.origin == BUILTIN}


def test_parameters_and_variants_tell_in_the_fingerprint() -> None:
    found = {
        fingerprint(load_strategy("king-pile"), STANDARD),
        fingerprint(load_strategy("king-pile:release=5"), STANDARD),
        fingerprint(load_strategy("king-pile"), VARIANTS["three-wastes"]),
    }
    assert len(found) == 3


def test_the_same_moves_written_otherwise_have_the_same_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "def place(table, card):\n"
        "    # the first of the shortest\n"
        "    heights = [table.heights[w] for w in range(len(table.heights))]\n"
        "    return heights.index(min(heights))\n"
    )
    strategy = load_strategy(str(path))
    assert strategy.source.digest != load_strategy("shortest").source.digest
    assert fingerprint(strategy, STANDARD) == PINNED["shortest"]


def test_a_game_that_ends_in_a_fault_counts_with_its_moves_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from calcsim import stock_left\n"
        "def place(table, card, waste=3): return waste if stock_left(table) < 9 else 0\n"
    )
    legal, *illegal = (
        fingerprint(load_strategy(f"{path}:waste={waste}"), STANDARD) for waste in (3, 4, 5)
    )
    assert illegal[0] == illegal[1] != legal


COUNTS_DEALS = """
import numpy as np

def arrays(variant):
    return {"turned": np.zeros(1, dtype=np.int64)}

def place(table, card, turned):
    turned[0] += 1
    return turned[0] % 4
"""

OTHER_DRAWS = """
import random

def place(table, card):
    return random.randrange(4)
"""


@pytest.mark.parametrize("source", [COUNTS_DEALS, OTHER_DRAWS])
def test_a_strategy_that_cannot_be_had_again_is_refused(tmp_path: Path, source: str) -> None:
    path = tmp_path / "fickle.py"
    path.write_text(source)
    with pytest.raises(StrategyError, match="in another way when it plays it again"):
        fingerprint(load_strategy(str(path)), STANDARD)


def test_twins_are_those_with_the_same_fingerprint() -> None:
    taken = {"a": "1", "b": "2", "c": "1", "d": "3", "e": "2", "f": "1"}
    assert list(twins(taken)) == [["a", "c", "f"], ["b", "e"]]
    assert not list(twins({"a": "1", "b": "2"}))
