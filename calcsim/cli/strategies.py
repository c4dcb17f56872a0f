"""`calcsim strategies`: what there is, or the whole story of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calcsim.cli.listing import echo_list
from calcsim.cli.options import find_strategy

if TYPE_CHECKING:
    from calcsim.strategy.strategy import Strategy


@click.command("strategies")
@click.argument("name", metavar="[STRATEGY]", required=False)
def command(name: str | None) -> None:
    """List the strategies, or tell all about one: a name or a path to a file."""
    if name:
        _tell_all(find_strategy(name))
    else:
        _list()


def _list() -> None:
    from calcsim.strategy.catalogue import BUILTIN, catalogue
    from calcsim.strategy.errors import StrategyError
    from calcsim.strategy.strategy import load_strategy

    rows = []
    for name, found in catalogue().items():
        try:
            summary = load_strategy(name).summary
        except StrategyError as error:
            summary = f"cannot be used: {str(error).partition(chr(10))[0]}"
        origin = "" if found.origin == BUILTIN else f" [{found.origin} {found.location}]"
        rows.append((name, summary + origin))
    echo_list(rows)


def _tell_all(strategy: Strategy) -> None:
    click.echo(f"{strategy.label} ({strategy.origin}, {strategy.form} form)")
    click.echo(f"\n{strategy.advice}" if strategy.advice else "\nIt says nothing about itself.")
    if strategy.parameters:
        click.echo("\nparameters")
        for parameter in strategy.parameters:
            click.echo(f"  {parameter.describe()}")
    click.echo(f"\nfile    {strategy.source.main.path}")
    click.echo(f"sha256  {strategy.source.main.sha256}")
