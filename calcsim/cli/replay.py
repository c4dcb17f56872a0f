"""`calcsim replay`: games, move by move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calcsim.cli.faults import fault_words
from calcsim.cli.options import (
    deals_option,
    deck_options,
    find_deck,
    find_plan,
    find_variant,
    first_deal_option,
    rules_options,
    seed_note,
    seed_option,
)
from calcsim.cli.signals import ctrl_c_ends_at_once

if TYPE_CHECKING:
    from calcsim.batch.plan import Plan


@click.command("replay")
@click.argument("strategy", metavar="STRATEGY")
@rules_options
@seed_option
@first_deal_option
@deals_option("1", "How many games.")
@deck_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The table after every turn, or a line of JSON a game.",
)
def command(
    strategy: str,
    variant_name: str,
    wastes: int | None,
    redeals: int | None,
    seed: int | None,
    first_deal: int,
    deals: int,
    deck: Path | None,
    letters: str,
    form: str,
) -> None:
    """Play deals with STRATEGY and show every move."""
    variant = find_variant(variant_name, wastes, redeals)
    file = find_deck(deck, letters, variant)
    plan = find_plan([strategy], variant, file, seed=seed, deals=deals, first_deal=first_deal)
    if told := seed_note(plan, seed):
        click.echo(told, err=True)
    with ctrl_c_ends_at_once():
        _show_games(plan, form)


def _show_games(plan: Plan, form: str) -> None:
    from calcsim.analysis.replay_text import replay_text
    from calcsim.replaying import replay
    from calcsim.strategy.errors import StrategyError

    try:
        for game in replay(plan):
            if form == "json":
                click.echo(json.dumps(game.as_data(), separators=(",", ":")))
            else:
                click.echo(replay_text(game.as_data()))
            if game.fault is not None:
                raise click.ClickException(
                    f"'{game.strategy}' {fault_words(game.fault, plan.variant)} in deal {game.deal}"
                )
    except StrategyError as error:
        raise click.ClickException(str(error)) from None
