"""The contract: every built-in strategy keeps it, and each check catches who does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calcsim.engine.games import Deals, TracedGame, trace_game
from calcsim.game.variant import Variant
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.strategy import checks
from calcsim.strategy.catalogue import BUILTIN, catalogue
from calcsim.strategy.checks import CHECKS, Check, CheckFailed
from calcsim.strategy.strategy import Strategy, StrategyPlayer, load_strategy

BUILTIN_NAMES = sorted(name for name, found in catalogue().items() if found.origin == BUILTIN)


@pytest.mark.parametrize(
    "variant", ["standard", pytest.param("three-wastes", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", BUILTIN_NAMES)
def test_built_in_strategies_keep_the_contract(name: str, variant: str) -> None:
    # All checks of one strategy in one test: so no two processes compile it.
    strategy = load_strategy(name)
    assert [failure for check in CHECKS if (failure := failure_of(check, strategy, variant))] == []


def failure_of(check: Check, strategy: Strategy, variant: str) -> str:
    try:
        check.run(strategy, VARIANTS[variant])
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

ILLEGAL_AT_TIMES = """
from calcsim import on_foundation, stock_left

def place(table, card):
    if on_foundation(table, 0) == 9 and stock_left(table) == 20:
        return len(table.heights)
    return 0
"""

RAISES_AT_TIMES = """
from calcsim import on_foundation

def place(table, card):
    if on_foundation(table, 0) == 13:
        raise ValueError("nothing left to do")
    return 0
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


@pytest.fixture
def run_check(tmp_path: Path) -> Any:
    def run(name: str, code: str, variant: Variant = STANDARD) -> None:
        path = tmp_path / "cheat.py"
        path.write_text(code)
        getattr(checks, name)(load_strategy(str(path)), variant)

    return run


def test_state_kept_in_an_array_fails_where_deals_come_in_another_order(run_check: Any) -> None:
    run_check("check_repeatable", KEEPS_STATE)
    with pytest.raises(CheckFailed, match=r"^deal \d+: .* but after other deals .*$"):
        run_check("check_any_order", KEEPS_STATE)


def test_an_illegal_move_in_some_deals_is_found_and_named(run_check: Any) -> None:
    with pytest.raises(CheckFailed, match=r"^deal \d+: place card=\d+ waste=4 is illegal$"):
        run_check("check_legal", ILLEGAL_AT_TIMES)


def test_an_exception_in_some_deals_is_found_and_named(run_check: Any) -> None:
    with pytest.raises(CheckFailed, match=r"^deal \d+: it raised ValueError: nothing left to do$"):
        run_check("check_legal", RAISES_AT_TIMES)


def test_arrays_filled_at_random_fail_wherever_results_are_compared(run_check: Any) -> None:
    for name, how in (
        ("check_repeatable", "played again"),
        ("check_any_order", "after other deals"),
        ("check_pickles", "pickled"),
        ("check_other_process", "in another process"),
        ("check_given_deals", "given card by card"),
    ):
        with pytest.raises(CheckFailed, match=rf"^deal \d+: .* but {how} .*$"):
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
    shown = r"^deal \d+: move \d+ is place .*, but with the stock after card 1 .* waste=\d$"
    with pytest.raises(CheckFailed, match=shown):
        run_check("check_unseen_stock", LAST_CARD_KNOWN)


def test_given_deals_that_are_others_than_the_dealt_ones_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def other_cards(variant: Variant, seed: int, first: int, count: int) -> Any:
        return np.tile(np.array(variant.cards, dtype=np.int8), (count, 1))

    monkeypatch.setattr(checks, "deal_cards", other_cards)
    with pytest.raises(CheckFailed, match=r"^deal 0: .* but given card by card"):
        checks.check_given_deals(load_strategy("shortest"), STANDARD)
