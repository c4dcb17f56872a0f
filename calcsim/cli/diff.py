"""`calcsim diff`: the deals that one strategy wins and another loses, with what replays them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calcsim.cli.options import Count, FilePath
from calcsim.cli.replay_words import Note, recorded_commands
from calcsim.cli.signals import ended_like_ctrl_c

if TYPE_CHECKING:
    from calcsim.analysis.diff import Part
    from calcsim.analysis.run import Run

Command = Callable[[str, int], str]


@click.command("diff")
@click.argument("run", metavar="RUN", type=FilePath())
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "-n",
    "--top",
    type=Count(1),
    metavar="N",
    default="10",
    show_default=True,
    help="How many deals of each part are shown, the largest gaps in foundation cards first.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or a line of JSON a deal.",
)
@click.option("--quiet", is_flag=True, help="No progress, no notes.")
def command(run: Path, a: str, b: str, top: int, form: str, quiet: bool) -> None:
    """Show the deals of RUN that A wins and B loses, and the reverse.

    A and B are strategies as the run's tables call them. Each deal comes with the commands that
    replay it. Where the run kept no rows per deal, its deals are played again.
    """

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    manifest, parts = _find_parts(run, a, b, top, note, show_progress=not quiet)
    replay = recorded_commands(manifest, [a, b], note)
    if form == "text":
        _print_text(parts, replay)
    else:
        _print_json(parts, replay)


def _find_parts(
    path: Path, a: str, b: str, top: int, note: Note, show_progress: bool
) -> tuple[dict[str, object], tuple[Part, Part]]:
    """The manifest of the run and what the words of the call ask of it."""
    from calcsim.analysis.diff import PairError, check_pair, diff
    from calcsim.analysis.run import RunError, scan

    try:
        run = scan(path)
        check_pair(run, a, b)
        if run.keeps_rows:
            return run.manifest, diff(run, a, b, top)
        with _played_again(run, a, b, note, show_progress) as again:
            return run.manifest, diff(again, a, b, top)
    except PairError as error:
        raise click.UsageError(str(error)) from None
    except RunError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def _played_again(run: Run, a: str, b: str, note: Note, show_progress: bool) -> Iterator[Run]:
    """A run of the same deals with the two strategies alone, which is gone after the block."""
    from calcsim.batch.disk_errors import RunDirectoryError
    from calcsim.batch.workers import WorkerError
    from calcsim.recorded import ChangedError, recorded_plan
    from calcsim.simulation import simulate
    from calcsim.strategy.errors import StrategyError

    try:
        plan = recorded_plan(run.manifest, [a, b])
        note(f"the run kept no rows per deal: {a} and {b} play its {plan.deals:,} deals again")
        with ended_like_ctrl_c(), tempfile.TemporaryDirectory(prefix="calcsim-") as folder:
            out = Path(folder) / "run"
            yield simulate(plan, out=out, show_progress=show_progress, note=note)
    except ChangedError as error:
        raise click.ClickException(
            f"the run kept no rows per deal and cannot be played again: {error}"
        ) from None
    except (RunDirectoryError, StrategyError, WorkerError) as error:
        raise click.ClickException(str(error)) from None


def _print_text(parts: tuple[Part, Part], replay: Command) -> None:
    for part in parts:
        click.echo(
            f"{part.winner} wins and {part.loser} loses: {part.count:,} of {part.of:,} deals"
        )
    for part in parts:
        shown = "largest gaps first" if part.count else "none"
        click.echo(f"\n{part.winner} wins and {part.loser} loses: {shown}")
        for deal, winner_cards, loser_cards, _ in part.largest_gaps.iter_rows():
            click.echo(f"deal {deal}: {winner_cards} to {loser_cards} cards")
            click.echo(f"  {replay(part.winner, deal)}")
            click.echo(f"  {replay(part.loser, deal)}")


def _print_json(parts: tuple[Part, Part], replay: Command) -> None:
    for part in parts:
        for row in part.largest_gaps.iter_rows(named=True):
            data = {
                "deal": row["deal"],
                "winner": part.winner,
                "loser": part.loser,
                "winner_cards": row["winner_cards"],
                "loser_cards": row["loser_cards"],
                "gap": row["gap"],
                "winner_replay": replay(part.winner, row["deal"]),
                "loser_replay": replay(part.loser, row["deal"]),
            }
            click.echo(json.dumps(data, ensure_ascii=False))
