"""Strategies: loading, labels, arrays, and what of a file is compiled."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calcsim.engine.games import Deals, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.play import FULL, SIMPLE
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy.catalogue import FILE
from calcsim.strategy.errors import StrategyError, UnknownStrategyError
from calcsim.strategy.strategy import Strategy, load_strategy, new_player, ready_player

Write = Callable[..., Strategy]

FIRST_WASTE = "def place(table, card):\n    return 0\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes `mine.py` and files beside it by name, and loads it."""

    def write_and_load(code: str, settings: str = "", **siblings: str) -> Strategy:
        for name, text in {"mine": code, **siblings}.items():
            (tmp_path / f"{name}.py").write_text(text)
        return load_strategy(f"{tmp_path}/mine.py{settings}")

    return write_and_load


def endings(strategy: Strategy) -> list[list[int]]:
    """Cards on each foundation at the end of some deals."""
    games = play(new_player(strategy, STANDARD), lay_out_variant(STANDARD), Deals(7, 0, 200))
    return games.foundations.T.tolist()


class TestLabels:
    def test_a_default_value_is_left_out(self) -> None:
        assert load_strategy("king-pile:release=3").label == "king-pile"
        assert load_strategy("king-pile:release=3").spec == "king-pile"

    def test_another_value_is_part_of_it(self) -> None:
        strategy = load_strategy("king-pile:release=5")
        assert strategy.label == strategy.spec == "king-pile:release=5"
        assert strategy.changed == {"release": 5}

    def test_values_stand_in_the_order_of_the_signature(self, write: Write) -> None:
        code = "def place(table, card, depth=2, rate=0.5, bold=False): return 0"
        strategy = write(code, ":bold=yes,rate=0.25")
        assert strategy.label == "mine:rate=0.25,bold=true"
        assert strategy.values == (2, 0.25, True)

    def test_the_spec_of_a_file_is_its_full_path_and_loads_it_again(
        self, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write("def place(table, card, depth=2): return 0")
        monkeypatch.chdir(tmp_path)
        strategy = load_strategy("mine.py:depth=3")
        assert strategy.origin == FILE
        assert strategy.spec == f"{tmp_path.resolve()}/mine.py:depth=3"
        assert load_strategy(strategy.spec) == strategy

    def test_an_equals_sign_in_a_folder_is_no_parameter(self, tmp_path: Path) -> None:
        path = tmp_path / "a=b" / "mine.py"
        path.parent.mkdir()
        path.write_text("def place(table, card, depth=2): return 0")
        assert load_strategy(str(path)).label == "mine"
        assert load_strategy(f"{path}:depth=3").label == "mine:depth=3"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("greedy:depth=2", "there is no parameter 'depth' (it has none)"),
        ("king-pile:relase=2", "there is no parameter 'relase'; did you mean 'release'?"),
        ("king-pile:release=9", "parameter 'release' takes 0 to 5, not 9"),
        ("king-pile:release=", "'release=' in 'king-pile:release=' is no parameter"),
        ("king-pile:release=2,5", "'5' in 'king-pile:release=2,5' is no parameter"),
        ("king-pile:=2", "write king-pile:parameter=value"),
        ("king-pile:", "there is no strategy 'king-pile:'; did you mean 'king-pile'?"),
        ("gredy", "there is no strategy 'gredy'; did you mean 'greedy'?"),
        ("", "there is no strategy ''"),
    ],
)
def test_words_that_mean_nothing_are_explained(words: str, why: str) -> None:
    with pytest.raises(UnknownStrategyError) as raised:
        load_strategy(words)
    assert why in str(raised.value)


class TestForm:
    def test_the_name_of_the_function_tells_it(self, write: Write) -> None:
        assert write(FIRST_WASTE).form == SIMPLE
        assert write("def move(table, card): return 0").form == FULL

    def test_the_docstring_of_the_file_is_the_advice(self, write: Write) -> None:
        strategy = write('"""Play it safe.\n\n    At length.\n"""\n' + FIRST_WASTE)
        assert strategy.summary == "Play it safe."
        assert strategy.advice == "Play it safe.\n\nAt length."
        assert write(FIRST_WASTE).summary == ""

    @pytest.mark.parametrize(
        ("code", "why"),
        [
            ("", "has neither"),
            ("place = 3", "has neither"),
            (FIRST_WASTE + "def move(table, card): return 0", "has both: leave one"),
        ],
    )
    def test_one_function_and_no_more_is_asked_for(self, write: Write, code: str, why: str) -> None:
        with pytest.raises(StrategyError) as raised:
            write(code)
        assert str(raised.value).startswith("/")
        assert "must define a function place(table, card) or move(table, card), and" in str(
            raised.value
        )
        assert str(raised.value).endswith(why)

    def test_an_argument_that_nothing_supplies_is_named(self, write: Write) -> None:
        with pytest.raises(StrategyError) as raised:
            write("def place(table, card, weights, depth=2): return 0")
        wanted = "argument 'weights' of place() needs a default, or a function arrays(variant)"
        assert wanted in str(raised.value)


class TestCodeThatRaisesOnImport:
    def test_is_shown_at_its_own_line(self, write: Write, tmp_path: Path) -> None:
        with pytest.raises(StrategyError) as raised:
            write(f"X = 0\nY = 1 / X\n{FIRST_WASTE}")
        first, header, where, line, *_, last = str(raised.value).splitlines()
        assert first == f"{tmp_path}/mine.py cannot be run:"
        assert header.startswith("Traceback")
        assert where == f'  File "{tmp_path}/mine.py", line 2, in <module>'
        assert line.strip() == "Y = 1 / X"
        assert last == "ZeroDivisionError: division by zero"

    def test_in_a_sibling_is_shown_at_both_lines_and_no_others(
        self, write: Write, tmp_path: Path
    ) -> None:
        with pytest.raises(StrategyError) as raised:
            write(f"import second\n{FIRST_WASTE}", second="\nint('x')")
        places = [line.strip() for line in str(raised.value).splitlines() if "File " in line]
        assert places == [
            f'File "{tmp_path}/mine.py", line 1, in <module>',
            f'File "{tmp_path}/second.py", line 2, in <module>',
        ]

    def test_names_a_module_that_is_not_there(self, write: Write) -> None:
        with pytest.raises(StrategyError, match="No module named 'nowhere'"):
            write(f"import nowhere\n{FIRST_WASTE}")


class TestArrays:
    PLACE = "def place(table, card, weights, depth=2):\n    return weights[card]\n"

    def test_come_before_parameters(self, write: Write) -> None:
        code = "import numpy as np\n\ndef arrays(variant):\n    return {'b': [2], 'a': [1], 'c': 3}"
        strategy = write(f"{code}\ndef place(table, card, a, b, depth=2): return 0")
        a, b, depth = new_player(strategy, STANDARD).extras
        assert (a.tolist(), b.tolist(), depth) == ([1], [2], 2)

    def test_know_the_variant_and_the_parameters_that_they_ask_for(self, write: Write) -> None:
        code = "def arrays(variant, depth):\n    return {'weights': [variant.wastes, depth]}\n"
        strategy = write(code + self.PLACE, ":depth=5")
        for name, wastes in (("standard", 4), ("three-wastes", 3)):
            weights, depth = new_player(strategy, VARIANTS[name]).extras
            assert (weights.tolist(), depth) == ([wastes, 5], 5)

    def test_have_digests_of_content_type_and_shape(self, write: Write) -> None:
        digests = set()
        for made in ("zeros(4, 'i1')", "zeros(4, 'u1')", "zeros((2, 2), 'i1')", "ones(4, 'i1')"):
            code = f"import numpy as np\ndef arrays(variant): return {{'weights': np.{made}}}\n"
            digests |= set(new_player(write(code + self.PLACE), STANDARD).arrays_sha256.items())
        assert len(digests) == 4

    def test_that_raise_are_shown_at_their_own_line(self, write: Write, tmp_path: Path) -> None:
        strategy = write("def arrays(variant):\n    raise OSError('no file')\n" + self.PLACE)
        with pytest.raises(StrategyError) as raised:
            new_player(strategy, STANDARD)
        shown = str(raised.value).splitlines()
        assert shown[0] == "arrays() of 'mine' failed:"
        assert shown[2] == f'  File "{tmp_path}/mine.py", line 2, in arrays'
        assert shown[-1] == "OSError: no file"

    @pytest.mark.parametrize(
        ("arrays", "why"),
        [
            ("def arrays(variant): return {'weigths': [1]}", "returns no array 'weights'"),
            ("def arrays(variant): return None", "must return a dict, not None"),
            ("def arrays(): return {}", "arrays() takes 0 positional arguments but 1 was given"),
            ("def arrays(variant): return {'weights': [[1], [1, 2]]}", "inhomogeneous part."),
            (
                "def arrays(variant): return {'weights': [None, 1]}",
                "is an array of Python objects: make it one of numbers",
            ),
            (
                "def arrays(variant, dept): return {}",
                "takes 'dept', which is no parameter of the strategy; did you mean 'depth'?",
            ),
        ],
    )
    def test_that_are_not_as_agreed_are_explained(
        self, write: Write, arrays: str, why: str
    ) -> None:
        with pytest.raises(StrategyError) as raised:
            new_player(write(f"{arrays}\n{self.PLACE}"), STANDARD)
        assert str(raised.value).endswith(why)
        assert "File" not in str(raised.value)


class TestWhyNot:
    CODE = """
def why_not(variant, least):
    return REASON if variant.wastes < least else None

def place(table, card, least=4):
    return 0
"""

    def test_is_the_line_that_users_see(self, write: Write) -> None:
        strategy = write(self.CODE.replace("REASON", "'three wastes\\n are too few'"))
        assert new_player(strategy, STANDARD).extras == (4,)
        with pytest.raises(StrategyError) as raised:
            new_player(strategy, VARIANTS["three-wastes"])
        assert str(raised.value) == "'mine' does not play three-wastes: three wastes are too few"

    def test_knows_the_parameters(self, write: Write) -> None:
        strategy = write(self.CODE.replace("REASON", "'too few'"), ":least=5")
        with pytest.raises(StrategyError, match="'mine:least=5' does not play standard: too few"):
            new_player(strategy, STANDARD)

    @pytest.mark.parametrize("reason", ["False", "' '", "3"])
    def test_is_a_line_of_text(self, write: Write, reason: str) -> None:
        strategy = write(self.CODE.replace("REASON", reason))
        with pytest.raises(StrategyError, match=r"why_not\(\) of 'mine' must return a line"):
            new_player(strategy, VARIANTS["three-wastes"])

    def test_is_a_function(self, write: Write) -> None:
        strategy = write("why_not = 3\ndef place(table, card): return 0\n")
        with pytest.raises(StrategyError, match="'why_not' of 'mine' must be a function"):
            new_player(strategy, STANDARD)

    def test_that_raises_is_shown_at_its_own_line(self, write: Write, tmp_path: Path) -> None:
        strategy = write(self.CODE.replace("REASON", "1 / 0"))
        with pytest.raises(StrategyError) as raised:
            new_player(strategy, VARIANTS["three-wastes"])
        shown = str(raised.value).splitlines()
        assert shown[0] == "why_not() of 'mine' failed:"
        assert shown[2] == f'  File "{tmp_path}/mine.py", line 3, in why_not'


SHORTEST = """
from calcsim import height
def place(table, card):
    best = 0
    for waste in range(1, len(table.heights)):
        if {shorter}:
            best = waste
    return best
"""
SHORTER = "def shorter(table, a, b):\n    return height(table, a) < height(table, b)\n"
IMPORT = "from calcsim import height\n"
CALL = "shorter(table, waste, best)"


@pytest.fixture(scope="module")
def shortest() -> list[list[int]]:
    return endings(load_strategy("shortest"))


class TestFunctionsThatAreCalled:
    """Plain functions of the strategy's own files are compiled with it."""

    @pytest.mark.parametrize(
        ("code", "siblings"),
        [
            pytest.param(SHORTEST.format(shorter=CALL) + SHORTER, {}, id="same file"),
            pytest.param(
                "from helper import shorter as less\n"
                + SHORTEST.format(shorter="less(table, waste, best)"),
                {"helper": IMPORT + SHORTER},
                id="from sibling",
            ),
            pytest.param(
                "import helper\n" + SHORTEST.format(shorter=f"helper.{CALL}"),
                {"helper": IMPORT + SHORTER},
                id="name in sibling",
            ),
            pytest.param(
                "from helper import shorter, longer\n"
                + SHORTEST.format(shorter=f"{CALL} and not longer(table, waste, best)"),
                {
                    "helper": IMPORT
                    + SHORTER
                    + "def longer(table, a, b):\n    return shorter(table, b, a)\n"
                },
                id="named in two modules",
            ),
            pytest.param(
                SHORTEST.format(shorter="len_of(table, waste) < len_of(table, best)")
                + "def len_of(table, waste):\n    return heights(table)[waste]\n"
                "def heights(table):\n    return table.heights\n",
                {},
                id="named like a field",
            ),
            pytest.param(
                "from numba import njit\n"
                + SHORTEST.format(shorter=CALL).replace("def place", "@njit\ndef place")
                + f"@njit\n{SHORTER}",
                {},
                id="compiled by the file itself",
            ),
            pytest.param(
                "STEP = 1\nFIRST = (STEP, 2)\n"
                + SHORTEST.format(
                    shorter="height(table, waste) <= height(table, best) - FIRST[0] * STEP"
                ),
                {},
                id="constants",
            ),
        ],
    )
    def test_play_like_the_same_in_one_piece(
        self, write: Write, shortest: Any, code: str, siblings: dict[str, str]
    ) -> None:
        assert endings(write(code, **siblings)) == shortest

    @pytest.mark.parametrize(
        "code",
        [
            "def count(n): return count(n - 1) + 1 if n else 0",
            "def count(n): return other(n)\ndef other(n): return count(n - 1) if n else 0",
            "from numba import njit\n@njit\ndef count(n): return count(n - 1) + 1 if n else 0",
        ],
        ids=["directly", "through another", "compiled by the file itself"],
    )
    def test_cannot_call_themselves(self, write: Write, code: str) -> None:
        # Compiled code of such a function crashes the next process, which loads it from disk.
        strategy = write(f"{code}\ndef place(table, card): return count(card & 3)")
        with pytest.raises(StrategyError, match=r"^(count|other)\(\) calls itself, .* a loop$"):
            new_player(strategy, STANDARD)

    def test_may_be_anything_where_only_arrays_needs_them(self, write: Write) -> None:
        code = """
import numpy as np
def text_of(variant):
    return {str(n): [None] for n in range(14)}
def numbers(variant):
    return [len(text) - 1 for text in text_of(variant)]
def shared(n):
    return n + 1
def arrays(variant):
    return {"wastes": np.array(numbers(variant) + [shared(-1)])}
def place(table, card, wastes):
    return shared(wastes[card]) - 1
"""
        strategy = write(code)
        expected = endings(strategy)
        assert endings(strategy) == expected
        assert new_player(strategy, STANDARD).extras[0].tolist() == [0] * 10 + [1] * 4 + [0]


class TestPlayers:
    def test_are_kept_unless_a_new_one_is_asked_for(self, write: Write) -> None:
        strategy = write(FIRST_WASTE)
        assert ready_player(strategy, STANDARD) is ready_player(strategy, STANDARD)
        assert new_player(strategy, STANDARD) is not ready_player(strategy, STANDARD)

    def test_draw_by_label(self, write: Write) -> None:
        strategy = write("def place(table, card, depth=2): return 0", ":depth=3")
        digest = hashlib.sha256(b"mine:depth=3").digest()
        key = new_player(strategy, STANDARD).draw_key
        assert key == int(np.frombuffer(digest[:8], "<u8")[0])

    def test_of_two_versions_of_a_file_play_each_its_own(self, write: Write) -> None:
        code = "from helper import chosen\ndef place(table, card): return chosen(table, card)"
        first = write(code, helper="def chosen(table, card): return 0")
        before = endings(first)
        second = write(code, helper="def chosen(table, card): return card & 3")
        assert first.source.main == second.source.main
        assert endings(second) != before
        assert endings(first) == before


@pytest.mark.parametrize("load", ["np.load(FILE)", "int(np.load(FILE)[0])", "tuple(np.load(FILE))"])
def test_constants_from_a_data_file_are_never_those_of_an_older_one(
    write: Write, tmp_path: Path, load: str
) -> None:
    np.save(tmp_path / "data.npy", np.ones(14, dtype=np.int64))
    strategy = write(
        f"import numpy as np\nFILE = {str(tmp_path / 'data.npy')!r}\nDATA = {load}\n"
        "def place(table, card): return helper(card)\ndef helper(card): return len(str(DATA))\n"
    )
    keys = set()
    for value in (1, 1, 2):
        np.save(tmp_path / "data.npy", np.full(14, value))
        player = new_player(strategy, STANDARD)
        keys.add((player.code_key, player.value.type_name))
    assert len(keys) == 2


def test_a_pickled_strategy_is_the_same(write: Write, tmp_path: Path) -> None:
    strategy = write("from helper import X\n" + FIRST_WASTE, helper="X = 1")
    pickled = pickle.dumps(strategy)
    for path in tmp_path.glob("*.py"):
        path.unlink()
    copy = pickle.loads(pickled)
    assert copy == strategy
    assert copy.source.digest == strategy.source.digest
    assert new_player(copy, STANDARD).code_key == new_player(strategy, STANDARD).code_key


def test_a_parameter_that_is_set_twice_is_refused():
    with pytest.raises(UnknownStrategyError, match="sets parameter 'release' twice"):
        load_strategy("king-pile:release=2,release=3")


def test_a_file_that_ends_the_program_is_refused(tmp_path):
    path = tmp_path / "leaves.py"
    path.write_text("import sys\n\nsys.exit(3)\n")
    with pytest.raises(StrategyError, match="line 3"):
        load_strategy(str(path))
