"""`calcsim run`: play strategies on the same deals and write a run directory."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calcsim.cli.faults import describe_fault
from calcsim.cli.options import (
    Count,
    deals_option,
    deck_options,
    find_deck,
    find_plan,
    find_variant,
    first_deal_option,
    rules_options,
    rules_words,
    seed_option,
)
from calcsim.cli.signals import ended_like_ctrl_c

if TYPE_CHECKING:
    from calcsim.analysis.run import Run
    from calcsim.batch.plan import Plan


MOST_WORKERS = 1024


@click.command("run")
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@rules_options
@seed_option
@deals_option(None, "How many deals each strategy plays [default: 1M, or all of a deck].")
@first_deal_option
@deck_options
@click.option(
    "--workers",
    type=Count(1, MOST_WORKERS),
    metavar="N",
    help="Processes that play [default: every core].",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The run directory [default: a new one under results/].",
)
@click.option("--no-deals", is_flag=True, help="Keep no row per deal.")
@click.option(
    "--shard-deals",
    type=Count(1),
    metavar="N",
    help="Deals that a worker plays at a time [default: about two seconds' work].",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="C",
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option("--quiet", is_flag=True, help="No progress, no notes.")
def command(
    strategies: tuple[str, ...],
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
    **settings: Any,
) -> None:
    """Play each STRATEGY on the same deals.

    A strategy is a name ('calcsim strategies' lists them), a path to a file, or either with
    parameters: king-pile:release=2. The win rates are printed, and all tables are written to a run
    directory.
    """
    from calcsim.batch.run_directory import default_directory
    from calcsim.batch.shard import StrategyFault

    variant = find_variant(variant_name, wastes, redeals)
    file = find_deck(deck, letters, variant)
    plan = find_plan(strategies, variant, file, seed=seed, deals=deals, first_deal=first_deal)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    if seed is None and plan.deck is None:
        note(f"seed {plan.seed}")
    out = out or default_directory(plan)
    try:
        run = _simulate(
            plan, out, show_progress=not quiet, keep_deals=not no_deals, note=note, **settings
        )
    except StrategyFault as fault:
        rules = rules_words(variant_name, wastes, redeals)
        raise click.ClickException(describe_fault(plan, fault, rules)) from None
    _print_table(run)
    note(f"written to {out}")


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


def _print_table(run: Run) -> None:
    from calcsim.analysis.text import win_rate_table

    width = shutil.get_terminal_size().columns
    click.echo(win_rate_table(run.win_rates, width))
