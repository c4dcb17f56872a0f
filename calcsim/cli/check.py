"""`calcsim check`: does a strategy keep the contract?"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import click

from calcsim.cli.faults import describe_fault
from calcsim.cli.options import (
    Count,
    deals_option,
    find_strategy,
    find_variant,
    rules_words,
)
from calcsim.cli.replay_words import replay_command
from calcsim.cli.signals import ended_like_ctrl_c

if TYPE_CHECKING:
    from calcsim.checking import Outcome
    from calcsim.game.variant import Variant
    from calcsim.strategy.strategy import Strategy
    from calcsim.strategy.trial import CheckFailed

_INDENT = "  "
_MOST_SECONDS = 24 * 3600


class _Marks(NamedTuple):
    """What stands in front of a line."""

    passed: str
    failed: str
    skipped: str


_SIGNS = _Marks("✓", "✗", "–")  # noqa: RUF001 - a dash, not a minus
_WORDS = _Marks("ok", "FAILED", "skipped")


@click.command("check")
@click.argument("strategy", metavar="STRATEGY")
@click.option(
    "--variant",
    "variant_names",
    multiple=True,
    metavar="NAME",
    help="Check it in this one; may be given several times [default: all].",
)
@deals_option("10k", "How many deals are played in each variant.")
@click.option(
    "--game-seconds",
    "seconds",
    type=Count(1, _MOST_SECONDS),
    metavar="N",
    default="10",
    show_default=True,
    help="How long a game may take.",
)
def command(strategy: str, variant_names: tuple[str, ...], deals: int, seconds: int) -> None:
    """Check that STRATEGY, a name or a path to a file, keeps the contract of strategies.

    It compiles, ends its games and makes legal moves in every variant that it does not decline; it
    plays a deal in the same way whenever and wherever it plays it, and knows nothing of the stock.
    What fails is shown with the command that replays the deal.
    """
    with ended_like_ctrl_c():
        _check(find_strategy(strategy), _named_variants(variant_names), deals, seconds)


def _named_variants(names: tuple[str, ...]) -> dict[Variant, list[str]]:
    """The variants, and the options that mean each of them in another command."""
    from calcsim.game.variants import VARIANTS

    words = names or tuple(VARIANTS)
    return {find_variant(word, None, None): rules_words(word, None, None) for word in words}


def _check(
    strategy: Strategy, rules_of: dict[Variant, list[str]], deals: int, seconds: int
) -> None:
    from calcsim.checking import check_contract

    played = _played(strategy, list(rules_of))
    what = f"{strategy.label} in {_counted(played)}"
    click.echo(f"checking {what}: it is compiled first, a few seconds each ...", err=True)
    with closing(check_contract(strategy, played, deals=deals, seconds=seconds)) as outcomes:
        _show(strategy, outcomes, rules_of)


def _played(strategy: Strategy, variants: list[Variant]) -> list[Variant]:
    """The variants that a strategy plays; why not the others is told."""
    from calcsim.checking import refusals
    from calcsim.strategy.errors import StrategyError

    try:
        refused = refusals(strategy, variants)
    except StrategyError as error:
        raise click.ClickException(str(error)) from None
    for text in refused.values():
        click.echo(f"{_marks().skipped} {text}")
    played = [variant for variant in variants if variant not in refused]
    if not played:
        raise click.ClickException(f"'{strategy.label}' plays none of the variants asked for")
    return played


def _show(
    strategy: Strategy, outcomes: Iterator[Outcome], rules_of: dict[Variant, list[str]]
) -> None:
    """Tell of each check as it is done, and of those that were left out; fail if one has failed."""
    from calcsim.strategy.checks import CHECKS

    marks = _marks()
    done = failed = 0
    for outcome in outcomes:
        done += 1
        failed += outcome.failure is not None
        click.echo(f"{marks.failed if outcome.failure else marks.passed} {outcome.title}")
        if outcome.failure:
            told = _describe(strategy, outcome.failure, rules_of[outcome.failure.variant])
            click.echo(textwrap.indent(told, _INDENT))
    for check in CHECKS[done:]:
        click.echo(f"{marks.skipped} {check.title}: not checked")
    if failed:
        raise click.ClickException(f"{failed} of {len(CHECKS)} checks failed")


def _marks() -> _Marks:
    """Signs, or words where standard output has no such signs."""
    try:
        "".join(_SIGNS).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return _WORDS
    return _SIGNS


def _counted(variants: list[Variant]) -> str:
    """`standard`, or `12 variants`."""
    return variants[0].name if len(variants) == 1 else f"{len(variants)} variants"


def _describe(strategy: Strategy, failure: CheckFailed, rules: list[str]) -> str:
    """What failed, and the command that shows it if there is one."""
    from calcsim.batch.plan import make_plan
    from calcsim.batch.watch import StrategyFault
    from calcsim.strategy.trial import SEED

    if failure.deal is None:
        return str(failure)
    if failure.fault is not None:
        plan = make_plan(
            [strategy], variant=failure.variant, seed=SEED, first_deal=failure.deal, deals=1
        )
        return describe_fault(plan, StrategyFault(strategy, failure.fault), rules)
    command = replay_command(strategy.spec, SEED, failure.deal, rules, [])
    return f"{failure}\nsee the game: {command}"
