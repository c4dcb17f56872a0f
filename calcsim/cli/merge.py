"""`calcsim merge`: runs of one plan, each with deals of its own, as one run."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from calcsim.cli.options import FilePath
from calcsim.cli.signals import ended_like_ctrl_c


@click.command("merge")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=FilePath())
@click.option("--out", required=True, type=FilePath(), metavar="DIR", help="The new run directory.")
@click.option("--quiet", is_flag=True, help="No notes.")
def command(runs: tuple[Path, ...], out: Path, quiet: bool) -> None:
    """Join run directories of one plan that have played different deals, side by side.

    So a long run can be shared out over machines by --first-deal and --deals; joined, it is what
    one machine would have written in one go. The win rates are printed.
    """
    from calcsim.analysis.run import RunError, scan
    from calcsim.analysis.text import win_rate_table
    from calcsim.batch.disk_errors import RunDirectoryError
    from calcsim.merging import MergeError, merge

    try:
        with ended_like_ctrl_c():
            merged = merge([scan(run) for run in runs], out)
    except (MergeError, RunDirectoryError, RunError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(win_rate_table(merged.win_rates, shutil.get_terminal_size().columns))
    if not quiet:
        click.echo(f"written to {out}", err=True)
