"""`calcsim compare`: which of these strategies wins more, whatever runs they were in."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import click

from calcsim.cli.options import FilePath, Share
from calcsim.cli.signals import ctrl_c_ends_at_once

_TEXT = "text"
_FORMATS = (_TEXT, "csv", "json", "ndjson", "md", "html")


@click.command("compare")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=FilePath())
@click.option(
    "--reference",
    metavar="NAME",
    help="Compare all with this strategy alone; RUN:NAME where several runs have it.",
)
@click.option(
    "--confidence",
    type=Share(),
    metavar="C",
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default=_TEXT,
    show_default=True,
    help="A table for people, or all that is known of each pair.",
)
def command(runs: tuple[Path, ...], reference: str | None, confidence: float, form: str) -> None:
    """Compare the strategies of run directories, pair by pair.

    The difference of two win rates is taken deal by deal wherever both have played the same deals:
    in one RUN, or in several of one seed whose variants have the same stock and which kept their
    rows per deal.
    """
    from calcsim.analysis.arms import CompareError, find_arms
    from calcsim.analysis.compare import compare
    from calcsim.analysis.comparison_text import comparison_text
    from calcsim.analysis.export import write_table
    from calcsim.analysis.run import RunError, scan

    try:
        with ctrl_c_ends_at_once():
            opened = [scan(run) for run in runs]
            table = compare(opened, confidence, reference)
    except CompareError as error:
        raise click.UsageError(str(error)) from None
    except RunError as error:
        raise click.ClickException(str(error)) from None
    if form == _TEXT:
        width = shutil.get_terminal_size().columns
        click.echo(comparison_text(find_arms(opened), table, width))
        return
    out = io.BytesIO()
    write_table(table.lazy(), out, form)
    click.echo(out.getvalue(), nl=False)
