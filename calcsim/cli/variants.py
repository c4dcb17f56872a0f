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
    """List the variants, or tell all about one: its name, or a TOML file of your own."""
    from calcsim.game.variants import VARIANTS

    if name is not None:
        _tell_all(find_variant(name, None, None))
        return
    echo_list([(variant.name, variant.summary) for variant in VARIANTS.values()])


def _tell_all(variant: Variant) -> None:
    click.echo(f"{variant.name}: {variant.summary}")
    click.echo(f"\ndecks    {variant.decks}")
    click.echo(f"wastes   {variant.wastes}")
    click.echo(f"redeals  {variant.redeals}")
    laid_out = "first cards laid out" if variant.prefilled else "empty at first"
    click.echo(f"\nfoundations ({laid_out})")
    for number, foundation in enumerate(variant.foundations, start=1):
        click.echo(f"  {number}  {_sequence(foundation)}")
    click.echo(f"\nstock ({variant.stock_size} cards)\n  {_stock(variant)}")
    click.echo(
        f"\nwon with {variant.winning_cards} cards on the foundations, "
        f"a near miss with {variant.near_miss_cards} or more\n"
    )
    _tell_claims(variant)


def _sequence(foundation: Foundation) -> str:
    from calcsim.game.cards import format_cards, rank_name

    if foundation.start is not None and foundation.step is not None:
        return format_cards(foundation.sequence())
    start = rank_name(foundation.start) if foundation.start else "a card drawn in each deal"
    step = str(foundation.step) if foundation.step else "a die thrown in each deal"
    return f"starts with {start}, in steps of {step}"


def _stock(variant: Variant) -> str:
    """`3 each of A 2 3 4, 4 each of 5 6 7 8 9 10 J Q K`."""
    from calcsim.game.cards import RANKS, format_cards

    ranks_by_count: dict[int, list[int]] = {}
    for rank in range(1, RANKS + 1):
        ranks_by_count.setdefault(variant.cards.count(rank), []).append(rank)
    parts = [
        f"{count} each of {format_cards(ranks)}"
        for count, ranks in sorted(ranks_by_count.items())
        if count
    ]
    drawn = variant.drawn_starters
    less = f", less {drawn} drawn as starters" if drawn else ""
    return ", ".join(parts) + less


def _tell_claims(variant: Variant) -> None:
    from calcsim.analysis.published import claims_about

    claims = claims_about(variant)
    if not claims:
        click.echo("no measured win rate has been published")
        return
    click.echo("wins, as others have published them")
    width = max(len(claim.who) for claim in claims)
    for claim in claims:
        click.echo(f"  {claim.who:<{width}}  {claim.wins}")
