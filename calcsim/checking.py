"""From a strategy to what came of every check: the call behind `calcsim check`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from calcsim.batch.interrupts import interrupts_held
from calcsim.batch.rules import load_variant
from calcsim.batch.workers import available_cores
from calcsim.game.variant import Variant
from calcsim.strategy.apart import Apart, EndedError
from calcsim.strategy.checks import CHECKS, Check
from calcsim.strategy.errors import DoesNotPlayError, StrategyError
from calcsim.strategy.of_variant import check_plays
from calcsim.strategy.strategy import Strategy, load_strategy
from calcsim.strategy.trial import DEALS, SECONDS_A_GAME, CheckFailed, Trial


@dataclass(frozen=True)
class Outcome:
    """What came of one check.

    Attributes:
        title: what a strategy that passes does.
        failure: how this one fails, in which variant and which deal; None if it passes.
    """

    title: str
    failure: CheckFailed | None

    def __str__(self) -> str:
        """`plays the same when it plays again`, with what was found instead if it does not."""
        return f"{self.title}: {self.failure}" if self.failure else self.title


def check_contract(
    strategy: Strategy | str,
    variants: Sequence[Variant | str],
    *,
    deals: int = DEALS,
    seconds: float = SECONDS_A_GAME,
) -> Generator[Outcome, None, None]:
    """Check that a strategy keeps the contract, in a process of its own.

    In a script, call it under `if __name__ == "__main__":`, since the process is spawned.

    Args:
        strategy: a strategy, or words such as `path/to/mine.py`.
        variants: those that it must play, or words for them. What takes a while is checked in the
            first alone.
        deals: how many deals of each are played.
        seconds: how long a game may take.

    Yields:
        What came of each check, as it is done. Some are left out after one that fails: those that
        would fail for the same reason, or never end.

    Raises:
        StrategyError: the strategy is unknown, or its file is no strategy.
        VariantError: a variant is unknown.
        ValueError: there is no variant, or nothing to play.
    """
    if isinstance(variants, str):
        raise ValueError(f"variants are a list: ['{variants}']")
    rules = tuple(load_variant(v) if isinstance(v, str) else v for v in variants)
    if not rules:
        raise ValueError("there is no variant to check the strategy in")
    if deals < 1 or seconds <= 0:
        raise ValueError(f"{deals} deals of {seconds} seconds are nothing to play")
    loaded = load_strategy(strategy) if isinstance(strategy, str) else strategy
    return _outcomes(Trial(loaded, rules, deals, seconds, available_cores()))


def refusals(strategy: Strategy, variants: Sequence[Variant]) -> dict[Variant, str]:
    """The variants that a strategy says it does not play, and what it says.

    Raises:
        StrategyError: it cannot say so.
    """
    module = strategy.source.execute()
    said = {}
    for variant in variants:
        try:
            check_plays(strategy, module, variant)
        except DoesNotPlayError as error:
            said[variant] = str(error)
    return said


def _outcomes(trial: Trial) -> Generator[Outcome, None, None]:
    with ExitStack() as stack:
        with interrupts_held():  # the process is started here: it takes over that they are
            process = stack.enter_context(Apart(own_group=True))
        faulty = False
        for check in CHECKS:
            try:
                failure = _failure(process, check, trial)
            except EndedError as ended:
                what = f"the process that played it {ended}"
                yield Outcome(check.title, CheckFailed(what, trial.variant))
                return
            if faulty and failure and failure.fault:
                return  # it has met a fault again, and so would those behind it
            yield Outcome(check.title, failure)
            faulty = faulty or bool(failure and failure.fault)
            if failure and check.decisive:
                return


def _failure(process: Apart, check: Check, trial: Trial) -> CheckFailed | None:
    try:
        process.call(check.run, trial)
    except CheckFailed as failed:
        return failed
    except StrategyError as error:  # what the file says differs from time to time
        return CheckFailed(str(error), trial.variant)
    return None
