"""`calcsim variants`: what there is, or the whole story of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from calcsim.cli.listing import echo_list
from calcsim.cli.options import find_variant

if TYPE_CHECKING:
    from calcsim.game.variant import Foundation, Variant


@click.command("variants")
@click.argument("name", metavar="[VARIANT]", required=False)
def command(name: str | None) -> None:
    """List the variants, or tell all about one."""
    from calcsim.game.variants import VARIANTS

    if name:
        _tell_all(find_variant(name, None, None))
        return
    echo_list([(variant.name, variant.summary) for variant in VARIANTS.values()])


def _tell_all(variant: Variant) -> None:
    from calcsim.game.cards import format_cards

    click.echo(f"{variant.name}: {variant.summary}")
    click.echo(f"\ndecks    {variant.decks}")
    click.echo(f"wastes   {variant.wastes}")
    click.echo(f"redeals  {variant.redeals}")
    laid_out = "first cards laid out" if variant.prefilled else "empty at first"
    click.echo(f"\nfoundations ({laid_out})")
    for number, foundation in enumerate(variant.foundations, start=1):
        click.echo(f"  {number}  {_sequence(foundation)}")
    click.echo(f"\nstock ({variant.stock_size} cards)\n  {format_cards(variant.cards)}")


def _sequence(foundation: Foundation) -> str:
    from calcsim.game.cards import format_cards, rank_name

    if foundation.start is not None and foundation.step is not None:
        return format_cards(foundation.sequence())
    start = rank_name(foundation.start) if foundation.start else "a card of the deal"
    step = str(foundation.step) if foundation.step else "a die thrown in each deal"
    return f"starts with {start}, in steps of {step}"
