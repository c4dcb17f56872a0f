"""`calcsim reproduce`: a run played again, to see whether it comes out the same."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calcsim.cli.options import Count, FilePath, Portion
from calcsim.cli.signals import ended_like_ctrl_c
from calcsim.cli.simulating import MOST_WORKERS

if TYPE_CHECKING:
    from calcsim.reproducing import Reproduction

Note = Callable[[str], None]


@click.command("reproduce")
@click.argument("run", metavar="RUN", type=FilePath())
@click.option(
    "--sample",
    type=Portion(),
    metavar="SHARE",
    default="100%",
    show_default=True,
    help="Play only such a share of its shards, drawn at random: 1%, say.",
)
@click.option(
    "--workers",
    type=Count(1, MOST_WORKERS),
    metavar="N",
    help="Processes that play [default: every core].",
)
@click.option("--quiet", is_flag=True, help="No progress, no notes.")
def command(run: Path, sample: float, workers: int | None, quiet: bool) -> None:
    """Play RUN again from its own manifest, and say whether every table is the same.

    The content of the tables is compared, row for row, with what is played and with the files.
    Where a strategy, calcsim or a library has changed since, that is told, and whether it matters.
    """

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    found = _reproduce(run, sample, workers, note, show_progress=not quiet)
    _show(found, note)
    if not found.is_same:
        raise click.ClickException(f"{run} could not be reproduced{_why(found)}")


def _reproduce(
    path: Path, share: float, workers: int | None, note: Note, show_progress: bool
) -> Reproduction:
    from calcsim.analysis.run import RunError, scan
    from calcsim.batch.watch import StrategyFault
    from calcsim.batch.workers import WorkerError
    from calcsim.recorded import ChangedError
    from calcsim.reproducing import reproduce
    from calcsim.strategy.errors import StrategyError

    try:
        with ended_like_ctrl_c():
            return reproduce(
                scan(path),
                share=share,
                sample_seed=secrets.randbits(64),
                workers=workers,
                show_progress=show_progress,
                note=note,
            )
    except (ChangedError, RunError, StrategyError, WorkerError) as error:
        raise click.ClickException(str(error)) from None
    except StrategyFault as raised:
        raise click.ClickException(
            f"'{raised.strategy.label}' cannot finish deal {raised.fault.deal}, which it could "
            "when the run was made"
        ) from None
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        raise click.exceptions.Exit(130) from None


def _show(found: Reproduction, note: Note) -> None:
    for line in found.changed:
        note(f"changed since the run: {line}")
    for label in found.drifted:
        note(f"'{label}' makes other moves than when the run was made")
    width = max(map(len, found.tables))
    for name, wrong in found.tables.items():
        click.echo(f"{name:<{width}}  {wrong or 'the same'}")
    part = "" if found.shards == found.of else f" ({found.shards} of {found.of} shards)"
    click.echo(f"{found.deals:,} deals were played again{part}")
    if found.changed and found.is_same:
        note("what has changed since the run makes no difference to these results")


def _why(found: Reproduction) -> str:
    if found.changed:
        return ": what has changed since makes a difference"
    return ", though nothing is known to have changed since"
