"""What the verbs that play have in common: their options, and a run from words to its directory."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calcsim.cli.faults import describe_failures, describe_fault
from calcsim.cli.options import (
    Count,
    FilePath,
    Portion,
    Share,
    deals_option,
    deck_options,
    find_deck,
    find_plan,
    find_variant,
    first_deal_option,
    game_seconds_option,
    rules_options,
    rules_words,
    seed_note,
    seed_option,
    together,
)
from calcsim.cli.resuming import resuming
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
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with the run in --out DIR, or extend it to more --deals.",
    ),
    click.option("--no-deals", is_flag=True, help="Keep no row per deal."),
    click.option(
        "--shard-deals",
        type=Count(1),
        metavar="N",
        help="Deals that a worker plays at a time [default: about two seconds' work].",
    ),
    click.option(
        "--keep-going/--strict",
        "keep_going",
        default=None,
        help="Count games that a strategy cannot finish as failed, or stop at the first [default: "
        "strict with built-in strategies alone].",
    ),
    game_seconds_option("60"),
    click.option(
        "--audit",
        type=Portion(none=True),
        metavar="SHARE",
        default="1e-6",
        show_default=True,
        help="Share of the games that are played again by the rules in plain Python.",
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
    resume: bool,
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
    from calcsim.batch.watch import StrategyFault

    if resume:
        seed, deals, max_deals = _as_before(out, seed, deals, max_deals)
    stopping = Stopping(precision, race) if race or precision else None
    deals = _most_deals(deals, max_deals, stopping, deck)
    variant = find_variant(variant_name, wastes, redeals)
    file = find_deck(deck, letters, variant)
    if stopping and deals and file:
        deals = max(1, min(deals, len(file.cards) - first_deal))
    plan = find_plan(strategies, variant, file, seed=seed, deals=deals, first_deal=first_deal)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    if told := seed_note(plan, seed):
        note(told)
    out = out or default_directory(plan)
    rules = rules_words(variant_name, wastes, redeals)
    try:
        run = _simulate(
            plan,
            out,
            resume=resume,
            stopping=stopping,
            show_progress=not quiet,
            keep_deals=not no_deals,
            note=note,
            **settings,
        )
    except StrategyFault as fault:
        raise click.ClickException(describe_fault(plan, fault, rules)) from None
    show(run, note)
    for line in describe_failures(plan, run.win_rates, run.manifest, rules):
        note(line)
    if stopping:
        note("the intervals hold at all looks at the data at once: they are confidence sequences")
    note(f"written to {out}")


def _as_before(
    out: Path | None, seed: int | None, deals: int | None, max_deals: int | None
) -> tuple[int | None, int | None, int | None]:
    """The numbers of a run that is gone on with, where nobody says others."""
    from calcsim.batch.disk_errors import RunDirectoryError
    from calcsim.batch.reopening import recorded_manifest

    if out is None:
        raise click.UsageError("--resume goes on with the run in --out DIR: name it")
    try:
        before = recorded_manifest(out)
    except RunDirectoryError:
        return seed, deals, max_deals  # what is there instead is told when it is opened
    seed = before["seed"] if seed is None else seed
    if before["stopping"]:
        return seed, deals, before["deals"] if max_deals is None else max_deals
    return seed, before["deals"] if deals is None else deals, max_deals


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
    from calcsim.batch.disk_errors import RunDirectoryError, TakenError
    from calcsim.batch.workers import WorkerError
    from calcsim.reference.audit import AuditError
    from calcsim.simulation import simulate
    from calcsim.strategy.errors import StrategyError

    try:
        with ended_like_ctrl_c():
            return simulate(plan, out=out, **settings)
    except (AuditError, StrategyError, TakenError) as error:
        raise click.ClickException(str(error)) from None
    except (RunDirectoryError, WorkerError) as error:
        raise click.ClickException(f"{error}{_how_to_go_on(plan, out)}") from None
    except KeyboardInterrupt:
        what_next = _how_to_go_on(plan, out) or "; nothing was finished yet"
        click.echo(f"interrupted{what_next}", err=True)
        raise click.exceptions.Exit(130) from None


def _how_to_go_on(plan: Plan, out: Path) -> str:
    """The command that resumes what was finished, if anything was."""
    from calcsim.batch.journal import JOURNAL

    if not (out / JOURNAL).exists():
        return ""
    words = resuming(sys.argv[1:], plan.seed, out)
    return f"; what was finished is in {out}, and to go on:\n  {shlex.join(['calcsim', *words])}"
