"""What the verbs that play have in common: their options, and a run from words to its directory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calcsim.cli.faults import describe_fault
from calcsim.cli.options import (
    Count,
    FilePath,
    Share,
    deals_option,
    deck_options,
    find_deck,
    find_plan,
    find_variant,
    first_deal_option,
    rules_options,
    rules_words,
    seed_note,
    seed_option,
    together,
)
from calcsim.cli.signals import ended_like_ctrl_c

if TYPE_CHECKING:
    from calcsim.analysis.run import Run
    from calcsim.analysis.stopping import Stopping
    from calcsim.batch.plan import Plan

Note = Callable[[str], None]

MOST_WORKERS = 1024
DEFAULT_MAX_DEALS = 100_000_000

simulation_options = together(
    rules_options,
    seed_option,
    deals_option(None, "How many deals each strategy plays [default: 1M, or all of a deck]."),
    first_deal_option,
    deck_options,
    click.option(
        "--workers",
        type=Count(1, MOST_WORKERS),
        metavar="N",
        help="Processes that play [default: every core].",
    ),
    click.option(
        "--out",
        type=FilePath(),
        metavar="DIR",
        help="The run directory [default: a new one under results/].",
    ),
    click.option("--no-deals", is_flag=True, help="Keep no row per deal."),
    click.option(
        "--shard-deals",
        type=Count(1),
        metavar="N",
        help="Deals that a worker plays at a time [default: about two seconds' work].",
    ),
    click.option(
        "--confidence",
        type=Share(),
        metavar="C",
        default=0.95,
        show_default=True,
        help="Of the intervals.",
    ),
    click.option(
        "--precision",
        type=Share(),
        metavar="P",
        help="Play until half of every interval's width is at most P, a fraction.",
    ),
    click.option(
        "--max-deals",
        type=Count(1),
        metavar="N",
        help="Where --precision or --race decides, stop here at the latest [default: 100M].",
    ),
    click.option("--quiet", is_flag=True, help="No progress, no notes."),
)


def simulate_and_show(
    strategies: Sequence[str],
    show: Callable[[Run, Note], None],
    *,
    variant_name: str,
    wastes: int | None,
    redeals: int | None,
    seed: int | None,
    deals: int | None,
    first_deal: int,
    deck: Path | None,
    letters: str,
    out: Path | None,
    quiet: bool,
    no_deals: bool,
    precision: float | None,
    max_deals: int | None,
    race: bool = False,
    **settings: Any,
) -> None:
    """Play what the words mean, write the run directory and show what came of it."""
    from calcsim.analysis.stopping import Stopping
    from calcsim.batch.run_directory import default_directory
    from calcsim.batch.shard import StrategyFault

    stopping = Stopping(precision, race) if race or precision else None
    deals = _most_deals(deals, max_deals, stopping, deck)
    variant = find_variant(variant_name, wastes, redeals)
    file = find_deck(deck, letters, variant)
    plan = find_plan(strategies, variant, file, seed=seed, deals=deals, first_deal=first_deal)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    if told := seed_note(plan, seed):
        note(told)
    out = out or default_directory(plan)
    try:
        run = _simulate(
            plan,
            out,
            stopping=stopping,
            show_progress=not quiet,
            keep_deals=not no_deals,
            note=note,
            **settings,
        )
    except StrategyFault as fault:
        rules = rules_words(variant_name, wastes, redeals)
        raise click.ClickException(describe_fault(plan, fault, rules)) from None
    show(run, note)
    if stopping:
        note("the intervals hold at all looks at the data at once: they are confidence sequences")
    note(f"written to {out}")


def _most_deals(
    deals: int | None, max_deals: int | None, stopping: Stopping | None, deck: Path | None
) -> int | None:
    if stopping is None:
        if max_deals is not None:
            raise click.UsageError("--max-deals goes with --precision or --race; else say --deals")
        return deals
    if deals is not None:
        raise click.UsageError(
            "--precision and --race decide how many deals are played: say --max-deals, not --deals"
        )
    return max_deals if max_deals or deck else DEFAULT_MAX_DEALS


def _simulate(plan: Plan, out: Path, **settings: Any) -> Run:
    from calcsim.batch.run_directory import RunDirectoryError
    from calcsim.batch.workers import WorkerError
    from calcsim.simulation import simulate
    from calcsim.strategy.errors import StrategyError

    try:
        with ended_like_ctrl_c():
            return simulate(plan, out=out, **settings)
    except (RunDirectoryError, StrategyError, WorkerError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        kept = f"what was finished is in {out}" if out.exists() else "nothing was finished yet"
        click.echo(f"interrupted; {kept}", err=True)
        raise click.exceptions.Exit(130) from None
