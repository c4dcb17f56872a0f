"""Compiling the strategies of a plan before anyone plays it."""

from __future__ import annotations

from collections.abc import Callable

from calcsim.batch.plan import Plan
from calcsim.batch.workers import Workers
from calcsim.engine.code_cache import code_cache
from calcsim.engine.games import is_ready
from calcsim.game.layout import lay_out_variant
from calcsim.strategy.strategy import ready_player


def compile_strategies(plan: Plan, workers: Workers, note: Callable[[str], None]) -> None:
    """Have each strategy that is new compiled by one worker, so that all find it on disk.

    Raises:
        StrategyError: a strategy does not compile, or its arrays cannot be had.
        WorkerError: worker processes were killed.
    """
    layout = lay_out_variant(plan.variant)
    new = [s for s in plan.strategies if not is_ready(ready_player(s, plan.variant), layout)]
    if new:
        kept = "the code is kept" if code_cache().lasting else "no folder to keep it is writable"
        names = ", ".join(strategy.label for strategy in new)
        note(f"compiling {names}: a few seconds each, this once ({kept}) ...")
    workers.compile(new, plan.variant)
