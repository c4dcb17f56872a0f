"""`calcsim deal`: the stock of one or more deals."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import click

from calcsim.cli.options import (
    LARGEST_WORD,
    deals_option,
    find_variant,
    first_deal_option,
    rules_options,
    seed_option,
)

if TYPE_CHECKING:
    from calcsim.game.variant import Variant

_BLOCK = 4096


@click.command("deal")
@rules_options
@seed_option
@first_deal_option
@deals_option("1", "How many deals.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A line of cards, or of JSON, for each deal.",
)
def command(
    variant_name: str,
    wastes: int | None,
    redeals: int | None,
    seed: int | None,
    first_deal: int,
    deals: int,
    form: str,
) -> None:
    """Print the stock of deals, a line each, the first card turned first.

    Cards are A 2 ... 10 J Q K; 'calcsim run --deck' reads these lines. Starters that the deal draws
    come in front of the stock, as the first cards of their line.
    """
    from calcsim.game.cards import format_cards
    from calcsim.game.deal import deal_cards

    variant = find_variant(variant_name, wastes, redeals)
    last = first_deal + deals - 1
    if last > LARGEST_WORD:
        raise click.UsageError(f"the last deal would be {last}, beyond {LARGEST_WORD} (2**64 - 1)")
    if seed is None:
        seed = secrets.randbits(32)
        click.echo(f"seed {seed}", err=True)
    for first in range(first_deal, last + 1, _BLOCK):
        block = deal_cards(variant, seed, first, min(_BLOCK, last + 1 - first)).tolist()
        if form == "text":
            lines = [format_cards(cards) for cards in block]
        else:
            lines = [
                json.dumps({"seed": seed, "deal": number} | _as_data(cards, variant))
                for number, cards in enumerate(block, start=first)
            ]
        click.echo("\n".join(lines))


def _as_data(cards: list[int], variant: Variant) -> dict[str, list[int]]:
    drawn = variant.drawn_starters
    starters = {"starters": cards[:drawn]} if drawn else {}
    return starters | {"stock": cards[drawn:]}
