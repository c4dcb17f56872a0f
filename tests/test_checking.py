"""The checks of a strategy, one after the other: what comes of them, and when no more are made."""

from pathlib import Path

import pytest

from calcsim.checking import check_contract, refusals
from calcsim.game.variant import VariantError
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy.checks import CHECKS
from calcsim.strategy.errors import StrategyError, UnknownStrategyError
from calcsim.strategy.strategy import load_strategy

AT_TIMES = Path(__file__).parent / "strategies" / "at_times.py"
TITLES = [check.title for check in CHECKS]
COMPILES, _, LEGAL = TITLES[:3]

ENDS_OTHER_PROCESSES = """
import multiprocessing
import os
import numpy as np

def arrays(variant):
    if multiprocessing.parent_process():
        os._exit(5)
    return {"wastes": np.zeros(14)}

def place(table, card, wastes):
    return 0
"""


def titles_and_failures(strategy, **numbers):
    outcomes = list(check_contract(strategy, ["standard"], **numbers))
    failures = {outcome.title: str(outcome.failure) for outcome in outcomes if outcome.failure}
    return [outcome.title for outcome in outcomes], failures


def test_a_rare_fault_leaves_the_other_checks_as_they_are():
    titles, failures = titles_and_failures(f"{AT_TIMES}:way=1,at=9", deals=1200)
    assert titles == TITLES
    assert list(failures) == [LEGAL]
    assert failures[LEGAL].startswith("standard, deal 1137: place card=")


def test_what_ends_the_process_is_a_failure(tmp_path):
    path = tmp_path / "ends.py"
    path.write_text(ENDS_OTHER_PROCESSES)
    titles, failures = titles_and_failures(str(path))
    assert titles == [COMPILES]
    assert failures == {COMPILES: "standard: the process that played it ended with status 5"}


def test_a_variant_that_is_not_played_is_a_failure():
    (outcome,) = check_contract(str(AT_TIMES), ["easy-5"])
    expected = "compiles: easy-5: 'at-times' does not play easy-5: it needs four wastes"
    assert str(outcome) == expected


@pytest.mark.parametrize("variants", ["standard", []])
def test_variants_are_a_list(variants):
    with pytest.raises(ValueError, match="variant"):
        check_contract(str(AT_TIMES), variants)


@pytest.mark.parametrize("numbers", [{"deals": 0}, {"seconds": 0}])
def test_there_must_be_something_to_play(numbers):
    with pytest.raises(ValueError, match="nothing to play"):
        check_contract(str(AT_TIMES), ["standard"], **numbers)


def test_unknown_words_are_refused_at_once():
    with pytest.raises(UnknownStrategyError, match="greeedy"):
        check_contract("greeedy", ["standard"])
    with pytest.raises(VariantError, match="standrad"):
        check_contract("greedy", ["standrad"])


def test_refusals_are_the_strategys_own_words():
    said = refusals(load_strategy(str(AT_TIMES)), list(VARIANTS.values()))
    assert {v.name: v.wastes for v in said} == {
        v.name: v.wastes for v in VARIANTS.values() if v.wastes != 4
    }
    assert said[VARIANTS["easy-5"]] == "'at-times' does not play easy-5: it needs four wastes"


@pytest.mark.parametrize("answer", ["1 / 0", "5", "no_such_name"])
def test_who_cannot_say_why_not_refuses_nothing(tmp_path, answer):
    path = tmp_path / "mute.py"
    path.write_text(
        f"def why_not(variant):\n    return {answer}\n\n\ndef place(table, card):\n    return 0\n"
    )
    with pytest.raises(StrategyError, match=r"^why_not\(\) of 'mute' "):
        refusals(load_strategy(str(path)), [STANDARD])
