"""`calcsim tournament`: who is better, by how much, and is it sure?"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import click

from calcsim.cli.simulating import Note, simulate_and_show, simulation_options

if TYPE_CHECKING:
    from calcsim.analysis.run import Run


@click.command("tournament")
@click.argument("strategies", nargs=-1, metavar="[STRATEGY...]")
@simulation_options
@click.option("--race", is_flag=True, help="Drop those that are surely not the best.")
def command(strategies: tuple[str, ...], **settings: Any) -> None:
    """Play every STRATEGY on the same deals, and rank them.

    Without a STRATEGY all built-in ones play. Standings and each strategy's lead on the next one
    are printed; all pairs are in the table head_to_head of the run directory.
    """
    from calcsim.strategy.catalogue import builtin_names

    entrants = strategies or tuple(builtin_names())
    if len(entrants) < 2:
        raise click.UsageError("a tournament takes two strategies or more; 'calcsim run' plays one")
    simulate_and_show(entrants, _print_standings, **settings)


def _print_standings(run: Run, note: Note) -> None:
    from calcsim.analysis.standings import neighbours, standings
    from calcsim.analysis.text import pace_line, pairs_table, standings_table

    width = shutil.get_terminal_size().columns
    table = standings(run)
    click.echo(standings_table(table, width))
    click.echo()
    leads = neighbours(run, table["strategy"].to_list())
    click.echo(pairs_table(leads, table["confidence"][0], width))
    if pace := pace_line(table):
        note(pace)
