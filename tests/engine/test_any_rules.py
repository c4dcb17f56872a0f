"""The engine plays any rules that a file can state as the reference does, move for move.

Nearly every set of rules has a shape of its own, for which the engine must be compiled anew: a few
are played compiled, many by the same engine without a compiler, in a process of its own.
"""

import tempfile
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from judged import LARGEST, RANDOM_LEGAL, assert_same_games, run_without_a_compiler
from rules_files import rules_data, toml_of

from calcsim.batch.rules import read_variant

WORDS = st.integers(0, LARGEST)


@given(data=rules_data(), choose=st.data(), seed=WORDS, deal=WORDS)
def assert_any_rules_are_played(data, choose, seed, deal):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_text(choose.draw(toml_of(data)))
        variant = read_variant(path)
    for strategy in (RANDOM_LEGAL, "need-order"):
        assert_same_games(strategy, variant, seed, [deal])


def test_compiled():
    few = settings(max_examples=3, derandomize=True, phases=[Phase.generate])  # no shrinking
    few(assert_any_rules_are_played)()


def test_without_a_compiler():
    run_without_a_compiler(__file__)


if __name__ == "__main__":
    many = settings(max_examples=250, deadline=None, database=None)
    many(assert_any_rules_are_played)()
