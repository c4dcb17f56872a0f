"""The contract: every built-in strategy keeps it, and each check catches who does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calcsim.engine.games import Deals, TracedGame, trace_game
from calcsim.game.variant import Variant
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy import checks, watched
from calcsim.strategy.catalogue import BUILTIN, catalogue
from calcsim.strategy.checks import CHECKS, Check
from calcsim.strategy.strategy import StrategyPlayer, load_strategy
from calcsim.strategy.trial import CheckFailed, Trial

BUILTIN_NAMES = sorted(name for name, found in catalogue().items() if found.origin == BUILTIN)
AT_TIMES = Path(__file__).parent.parent / "strategies" / "at_times.py"


@pytest.mark.parametrize(
    "variant", ["standard", pytest.param("three-wastes", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_built_in_strategies_keep_the_contract(name: str, variant: str) -> None:
    # All checks of one strategy in one test: so no two processes compile it.
    trial = Trial(load_strategy(name), (VARIANTS[variant],))
    assert [failure for check in CHECKS if (failure := failure_of(check, trial))] == []


def failure_of(check: Check, trial: Trial) -> str:
    try:
        check.run(trial)
    except CheckFailed as failed:
        return f"{check.title}: {failed}"
    return ""


def test_titles_tell_the_checks_apart() -> None:
    assert len({check.title for check in CHECKS}) == len(CHECKS)


KEEPS_STATE = """
import numpy as np

def arrays(variant):
    return {"turned": np.zeros(1, dtype=np.int64)}

def place(table, card, turned):
    turned[0] += 1
    return turned[0] % len(table.heights)
"""

RANDOM_ARRAYS = """
import numpy as np

def arrays(variant):
    return {"wastes": np.random.default_rng().integers(0, variant.wastes, 14)}

def place(table, card, wastes):
    return wastes[card]
"""

ARRAYS_OF_THE_PROCESS = """
import os
import numpy as np

def arrays(variant):
    return {"wastes": np.random.default_rng(os.getpid()).integers(0, variant.wastes, 14)}

def place(table, card, wastes):
    return wastes[card]
"""

LAST_CARD_KNOWN = """
import numpy as np

def arrays(variant):
    return {"stock": np.zeros(len(variant.cards), dtype=np.int8)}

def place(table, card, stock):
    return stock[-1] % len(table.heights)
"""


NOT_IN_GIANT = """
import numpy as np

def arrays(variant):
    return {"wastes": np.zeros({4: 1, 8: -1}[len(variant.foundations)])}

def place(table, card, wastes):
    return 0
"""

TEXT_WITH_FIVE_WASTES = """
import numpy as np

def arrays(variant):
    return {"wastes": np.zeros(14, dtype=np.int8 if variant.wastes < 5 else "U1")}

def place(table, card, wastes):
    return wastes[card]
"""


@pytest.fixture
def run_check(tmp_path: Path) -> Any:
    def run(name: str, code: str, *variants: Variant, **numbers: Any) -> None:
        path = tmp_path / "cheat.py"
        path.write_text(code)
        trial = Trial(load_strategy(str(path)), variants or (STANDARD,), **numbers)
        getattr(checks, name)(trial)

    return run


def at_times(way: int, *variants: Variant, **numbers: Any) -> Trial:
    return Trial(load_strategy(f"{AT_TIMES}:way={way}"), variants or (STANDARD,), **numbers)


def test_arrays_that_cannot_be_had_in_one_variant_are_found(run_check: Any) -> None:
    with pytest.raises(CheckFailed, match=r"(?s)^giant: arrays\(\) of 'cheat' failed:\n.*negative"):
        run_check("check_compiles", NOT_IN_GIANT, STANDARD, VARIANTS["giant"])


def test_every_shape_of_table_is_compiled(run_check: Any) -> None:
    variants = STANDARD, VARIANTS["reverse"], VARIANTS["easy-5"]
    with pytest.raises(CheckFailed, match=r"^easy-5: 'cheat' .*must return a whole number"):
        run_check("check_compiles", TEXT_WITH_FIVE_WASTES, *variants, processes=2)


def test_a_game_without_an_end_is_found_and_named() -> None:
    with pytest.raises(CheckFailed) as failed:
        checks.check_ends(at_times(3, seconds=0.5))
    assert str(failed.value) == "standard, deal 81: the game was not over after 0.5 s"


def test_many_games_that_take_their_time_are_not_taken_for_one() -> None:
    trial = at_times(4, deals=watched._BLOCK, seconds=0.5)
    checks.check_ends(trial)
    checks.check_legal(trial)


@pytest.mark.parametrize(
    ("way", "what"),
    [(1, r"place card=\d+ waste=4 is illegal"), (2, "it raised ValueError: nothing left to do")],
)
def test_a_fault_in_some_deals_of_one_variant_is_found_and_named(
    way: int, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched, "_BLOCK", 10)
    trial = at_times(way, VARIANTS["reverse"], STANDARD, deals=82)
    checks.check_ends(trial)
    with pytest.raises(CheckFailed, match=rf"^standard, deal 81: {what}$") as failed:
        checks.check_legal(trial)
    assert failed.value.fault is not None
    assert failed.value.fault.deal == 81
    checks.check_legal(replace(trial, deals=81))


def test_state_kept_in_an_array_fails_where_deals_come_in_another_order(run_check: Any) -> None:
    run_check("check_repeatable", KEEPS_STATE)
    with pytest.raises(CheckFailed, match=r"^standard, deal \d+: .* but after other deals .*$"):
        run_check("check_any_order", KEEPS_STATE)


def test_arrays_filled_at_random_fail_wherever_results_are_compared(run_check: Any) -> None:
    for name, how in (
        ("check_repeatable", "played again"),
        ("check_any_order", "after other deals"),
        ("check_pickles", "pickled"),
        ("check_other_process", "in another process"),
        ("check_given_deals", "given card by card"),
    ):
        with pytest.raises(CheckFailed, match=rf"^standard, deal \d+: .* but {how} .*$"):
            run_check(name, RANDOM_ARRAYS)


def test_what_differs_between_processes_alone_fails_in_another_one(run_check: Any) -> None:
    run_check("check_repeatable", ARRAYS_OF_THE_PROCESS)
    with pytest.raises(CheckFailed, match="but in another process"):
        run_check("check_other_process", ARRAYS_OF_THE_PROCESS)


def test_a_stock_that_is_known_fails_where_unseen_cards_come_in_another_order(
    run_check: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_check("check_unseen_stock", LAST_CARD_KNOWN)  # nobody fills its array

    # The engine shows no strategy the stock, so a player of this test's own has to.
    def trace_with_stock(player: StrategyPlayer, variant: Variant, deals: Deals) -> TracedGame:
        assert deals.cards is not None
        player.extras[0][:] = deals.cards[0]
        return trace_game(player, variant, deals)

    monkeypatch.setattr(checks, "trace_game", trace_with_stock)
    shown = (
        r"^standard, deal \d+: move \d+ is place .*, but with the stock after card 1 .* waste=\d$"
    )
    with pytest.raises(CheckFailed, match=shown):
        run_check("check_unseen_stock", LAST_CARD_KNOWN)


def test_given_deals_that_are_others_than_the_dealt_ones_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def other_cards(variant: Variant, seed: int, first: int, count: int) -> Any:
        return np.tile(np.array(variant.cards, dtype=np.int8), (count, 1))

    monkeypatch.setattr(checks, "deal_cards", other_cards)
    with pytest.raises(CheckFailed, match=r"^standard, deal 0: .* but given card by card"):
        checks.check_given_deals(Trial(load_strategy("shortest"), (STANDARD,)))
