"""`calcsim run`: play strategies on the same deals and write a run directory."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import click

from calcsim.cli.simulating import Note, simulate_and_show, simulation_options

if TYPE_CHECKING:
    from calcsim.analysis.run import Run


@click.command("run")
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY...")
@simulation_options
def command(strategies: tuple[str, ...], **settings: Any) -> None:
    """Play each STRATEGY on the same deals.

    A strategy is a name ('calcsim strategies' lists them), a path to a file, or either with
    parameters: king-pile:release=2. The win rates are printed, and all tables are written to a run
    directory.
    """
    simulate_and_show(strategies, _print_win_rates, **settings)


def _print_win_rates(run: Run, note: Note) -> None:
    from calcsim.analysis.text import win_rate_table

    click.echo(win_rate_table(run.win_rates, shutil.get_terminal_size().columns))
