"""Compiling the strategies of a plan before anyone plays it."""

from __future__ import annotations

from collections.abc import Callable

from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.plan import Plan
from calcsim.engine.code_cache import code_cache
from calcsim.engine.games import is_ready, make_ready
from calcsim.game.layout import lay_out_variant
from calcsim.strategy.compile_error import describe_compile_error
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import ready_player


def compile_strategies(plan: Plan, note: Callable[[str], None]) -> None:
    """Compile what a plan needs, so that the workers find it on disk.

    Raises:
        StrategyError: a strategy does not compile, or its arrays cannot be had.
    """
    layout = lay_out_variant(plan.variant)
    new = [s for s in plan.strategies if not is_ready(ready_player(s, plan.variant), layout)]
    if new:
        kept = "the code is kept" if code_cache().lasting else "no folder to keep it is writable"
        names = ", ".join(strategy.label for strategy in new)
        note(f"compiling {names}: a few seconds each, this once ({kept}) ...")
    for strategy in new:
        try:
            with interrupts_held():  # while it compiles, LLVM swallows what is raised
                make_ready(ready_player(strategy, plan.variant), layout)
        except Exception as error:
            text = describe_compile_error(strategy, plan.variant, error)
            raise StrategyError(text) from None
