"""`calcsim new`: a strategy file to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from calcsim.cli.options import FilePath


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--form",
    type=click.Choice(["simple", "full"]),
    default="simple",
    show_default=True,
    help="Say on which waste a card goes, or make every decision.",
)
@click.option(
    "--out",
    type=FilePath(),
    metavar="DIR",
    default=".",
    show_default=True,
    help="The folder they are written to.",
)
def command(name: str, form: str, out: Path) -> None:
    """Write a strategy to start from, NAME.py, and tests of it beside it.

    It plays as it is, and its comments say how to go on. In the name of the file, dashes become
    underscores.
    """
    from calcsim.strategy.new_files import NameRefusedError, write_new_strategy

    try:
        strategy, test = write_new_strategy(name, form, out)
    except NameRefusedError as error:
        raise click.UsageError(str(error)) from None
    except FileExistsError as error:
        raise click.ClickException(
            f"'{error.filename}' exists already, and nothing is overwritten: take another name, or "
            "another folder (--out DIR)"
        ) from None
    except OSError as error:
        raise click.ClickException(f"cannot write to '{out}': {error.strerror}") from None
    click.echo(_what_next(shlex.quote(str(strategy)), shlex.quote(str(test))))


def _what_next(strategy: str, test: str) -> str:
    commands = {
        f"calcsim run {strategy} greedy": "win rates, beside a built-in strategy",
        f"calcsim check {strategy}": "does it keep the contract of strategies?",
        f"calcsim replay {strategy}": "a game, move by move",
        f"pytest {test}": "its tests",
    }
    width = max(map(len, commands))
    lines = [f"  {command:<{width}}  {does}" for command, does in commands.items()]
    return "\n".join([f"wrote {strategy} and {test}", *lines])
