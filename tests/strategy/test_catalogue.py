"""Finding strategies: built-in ones, plug-ins and files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import calcsim
from calcsim.strategy.catalogue import BUILTIN, FILE, builtin_folder, catalogue, find
from calcsim.strategy.errors import UnknownStrategyError

PACKAGE_FOLDER = Path(calcsim.__file__).parent.parent


def test_every_file_of_the_built_in_folder_is_in_the_catalogue() -> None:
    names = {name for name, found in catalogue().items() if found.origin == BUILTIN}
    files = {path.stem for path in builtin_folder().glob("*.py")} - {"__init__"}
    assert names == {name.replace("_", "-") for name in files}
    assert {"random", "king-pile"} <= names


def test_a_built_in_strategy_is_found_by_name() -> None:
    found = find("king-pile")
    assert (found.name, found.origin) == ("king-pile", BUILTIN)
    assert found.path() == builtin_folder() / "king_pile.py"


class TestFiles:
    @pytest.fixture(autouse=True)
    def _in_its_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "my_own.py").write_text("")
        (tmp_path / "deeper").mkdir()
        (tmp_path / "deeper" / "other.py").write_text("")

    @pytest.mark.parametrize("words", ["my_own.py", "./my_own.py", "deeper/../my_own.py"])
    def test_a_relative_path_is_found_and_kept_in_full(self, tmp_path: Path, words: str) -> None:
        found = find(words)
        assert (found.name, found.origin) == ("my-own", FILE)
        assert found.path() == (tmp_path / "my_own.py").resolve()

    def test_an_absolute_path_is_found(self, tmp_path: Path) -> None:
        assert find(str(tmp_path / "deeper" / "other.py")).name == "other"

    @pytest.mark.parametrize("words", ["none.py", "deeper/none.py", "deeper/", "./deeper"])
    def test_a_file_that_is_not_there_is_named(self, words: str) -> None:
        with pytest.raises(UnknownStrategyError, match=f"there is no strategy file '{words}'"):
            find(words)

    def test_a_file_named_without_its_ending_is_suggested(self) -> None:
        with pytest.raises(UnknownStrategyError, match=r"did you mean the file 'my_own\.py'\?"):
            find("my_own")

    def test_a_file_never_stands_in_for_a_name(self, tmp_path: Path) -> None:
        (tmp_path / "greedy.py").write_text("")
        assert find("greedy").origin == BUILTIN
        assert find("./greedy.py").origin == FILE


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("gredy", "; did you mean 'greedy'?"),
        ("king_pile", "; did you mean 'king-pile'?"),
        ("xyzzy", "; 'calcsim strategies' lists them"),
        ("", "; 'calcsim strategies' lists them"),
        (".", "; 'calcsim strategies' lists them"),
    ],
)
def test_an_unknown_name_brings_a_suggestion(words: str, hint: str) -> None:
    with pytest.raises(UnknownStrategyError) as raised:
        find(words)
    assert str(raised.value) == f"there is no strategy '{words}'{hint}"


ENTRY_POINTS = """
[calcsim.strategies]
eager = eager_player.strategy
greedy = eager_player.strategy
missing = nowhere.at_all
"""

USE_PLUGIN = """
from calcsim.strategy.catalogue import catalogue, find
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import load_strategy

assert catalogue()["greedy"].origin == "built-in"
for words in ("eager", "eager:depth=3"):
    strategy = load_strategy(words)
    print(strategy.label, strategy.spec, strategy.origin, strategy.source.main.module)
    print(*(file.module for file in strategy.source.siblings), *strategy.source.requirements)
try:
    find("missing").path()
except StrategyError as error:
    print(error)
"""


def test_an_installed_plug_in_is_found_by_its_entry_point(tmp_path: Path) -> None:
    package = tmp_path / "eager_player"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text("def first(table):\n    return 0\n")
    code = "from eager_player.helper import first\ndef place(table, card, depth=2): return 0"
    (package / "strategy.py").write_text(code)
    information = tmp_path / "eager_player-1.5.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Name: eager-player\nVersion: 1.5\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    (information / "top_level.txt").write_text("eager_player\n")
    done = subprocess.run(
        [sys.executable, "-c", USE_PLUGIN],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{PACKAGE_FOLDER}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "eager eager plug-in eager_player.strategy",
        "eager_player.helper eager-player 1.5",
        "eager:depth=3 eager:depth=3 plug-in eager_player.strategy",
        "eager_player.helper eager-player 1.5",
        "plug-in 'missing' cannot be imported: No module named 'nowhere'",
    ]
