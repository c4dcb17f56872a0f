"""A strategy's fault in words, with the command that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from calcsim.cli.replay_words import deck_words, replay_command

if TYPE_CHECKING:
    import polars as pl

    from calcsim.batch.plan import Plan
    from calcsim.batch.watch import StrategyFault
    from calcsim.engine.fault import Fault
    from calcsim.game.variant import Variant


def describe_fault(plan: Plan, raised: StrategyFault, rules: list[str]) -> str:
    """What a strategy did wrong in which deal, at its own line if it raised.

    Args:
        plan: what was played.
        raised: who did what.
        rules: the options of the command line that mean the plan's variant.
    """
    from calcsim.strategy.explain import explain_fault

    strategy, fault = raised.strategy, raised.fault
    lines = [f"'{strategy.label}' {fault_words(fault, plan.variant)} in deal {fault.deal}"]
    if fault.move is None:
        lines.append(explain_fault(strategy, plan.variant, plan.deals_from(fault.deal, 1)))
    deck = deck_words(plan.deck.path, plan.deck.letters) if plan.deck else []
    command = replay_command(strategy.spec, plan.seed, fault.deal, rules, deck)
    return "\n".join(filter(None, [*lines, f"see the game: {command}"]))


def describe_failures(
    plan: Plan, win_rates: pl.DataFrame, manifest: Mapping[str, Any], rules: list[str]
) -> Iterator[str]:
    """Of each strategy with games that failed, how many, and what became of the first.

    Args:
        plan: what was played.
        win_rates: the table of the run.
        manifest: of the run.
        rules: the options of the command line that mean the plan's variant.
    """
    from calcsim.batch.watch import StrategyFault
    from calcsim.engine.fault import Fault

    faults = {data["label"]: data["faults"] for data in manifest["strategies"]}
    strategies = {strategy.label: strategy for strategy in plan.strategies}
    for label, deals, failed in win_rates.select("strategy", "deals", "failed").iter_rows():
        if failed:
            first = StrategyFault(strategies[label], Fault.from_data(faults[label][0]))
            yield (
                f"{failed:,} of {deals:,} games of '{label}' failed: they count as lost, but as "
                "won at the high end of the interval; the first: "
                f"{describe_fault(plan, first, rules)}"
            )


def fault_words(fault: Fault, variant: Variant) -> str:
    """`put the Q on waste 8 (of 4)`; numbers count from 1."""
    from calcsim.game.cards import rank_name

    if fault.move is None:
        return f"raised {fault.raised}"
    card = f"the {rank_name(fault.card)}" if fault.card else "a card with none face up"
    match fault.move:
        case {"move": "place", "waste": waste} if waste < 0:
            return f"put {card} on waste number {waste} (they are 0 to {variant.wastes - 1})"
        case {"move": "place", "waste": waste} if fault.card:
            return f"put {card} on waste {waste + 1} (of {variant.wastes})"
        case {"move": "place", "waste": waste}:
            return f"put {card} on waste {waste + 1}"
        case {"move": "play", "from": "stock", "foundation": foundation}:
            return f"played {card} to foundation {foundation + 1}, which does not take it"
        case {"move": "play", "from": waste, "foundation": foundation}:
            return (
                f"played the top of waste {waste + 1} to foundation {foundation + 1}, "
                "which does not take it"
            )
        case {"move": "done"}:
            return f"made no move while {card} lay face up"
    return f"answered {fault.move['move']}, which is no move"
