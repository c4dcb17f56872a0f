"""Words that mean the same wherever they appear, and what they are turned into."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from calcsim.game.variant import MOST_REDEALS, MOST_WASTES

if TYPE_CHECKING:
    from calcsim.batch.deck_file import Deck
    from calcsim.batch.plan import Plan
    from calcsim.game.variant import Variant
    from calcsim.strategy.strategy import Strategy

LARGEST_WORD = 2**64 - 1

Command = TypeVar("Command", bound=Callable[..., Any])

_SUFFIXES = {"": 0, "k": 3, "M": 6, "m": 6, "G": 9, "g": 9}
_COUNT = re.compile(r"(\d+(?:\.(\d+))?)(?:e(\d+))?([kKMmGg]?)", re.ASCII)


class Count(click.ParamType[int]):
    """A whole number as people write it: 1000000, 1_000_000, 1e6, 1M."""

    name = "number"

    def __init__(self, least: int, most: int = LARGEST_WORD) -> None:
        """Numbers outside `least` to `most` are refused."""
        self.least, self.most = least, most

    def convert(
        self, value: Any, option: click.Parameter | None, context: click.Context | None
    ) -> int:
        """The number; fails with one line that says what would do."""
        if isinstance(value, int):
            return value
        number = _whole(value.replace("_", ""))
        if number is None:
            self.fail(f"'{value}' is no whole number; write 1000000, 1e6 or 1M", option, context)
        if not self.least <= number <= self.most:
            bounds = f"{self.least} to {self.most}"
            bounds += " (2**64 - 1)" if self.most == LARGEST_WORD else ""
            self.fail(f"{value} is out of range: {bounds}", option, context)
        return number


class Share(click.FloatRange):
    """A fraction between 0 and 1, both excluded."""

    def __init__(self) -> None:
        """The same everywhere."""
        super().__init__(0, 1, min_open=True, max_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; what is none, `nan` too, fails."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"'{value}' is no number", param, ctx)
        return number


class Portion(click.ParamType[float]):
    """A fraction up to 1, or a percentage: 0.01 or 1%."""

    name = "portion"

    def __init__(self, none: bool = False) -> None:
        """With `none`, 0 will do too."""
        self.none = none

    def convert(
        self, value: Any, option: click.Parameter | None, context: click.Context | None
    ) -> float:
        """The fraction; fails with one line that says what would do."""
        if isinstance(value, float):
            return value
        digits, percent, rest = value.strip().partition("%")
        try:
            portion = float(digits) / (100 if percent else 1)
        except ValueError:
            portion = math.nan
        if rest or not 0 <= portion <= 1 or (portion == 0 and not self.none):
            self.fail(f"'{value}' is no portion: write 1% or 0.01, up to 100%", option, context)
        return portion


class FilePath(click.Path):
    """A path of a file or a folder, which may or may not be there; an empty word is none."""

    def __init__(self) -> None:
        """The same everywhere."""
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; an empty one, which would mean the current folder, fails."""
        if not str(value):
            self.fail("it is empty: name a path", param, ctx)
        return super().convert(value, param, ctx)


def _whole(text: str) -> int | None:
    if re.fullmatch(r"-?\d{1,40}", text, re.ASCII):
        return int(text)
    match = _COUNT.fullmatch(text)
    if not match or len(text) > 40:
        return None
    digits, decimals, exponent, suffix = match.groups()
    zeros = min(int(exponent or 0), 400) + _SUFFIXES[suffix.replace("K", "k")]
    zeros -= len(decimals or "")
    number = int(digits.replace(".", ""))
    scale: int = 10 ** abs(zeros)
    if zeros >= 0:
        return number * scale
    return number // scale if number % scale == 0 else None


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options of a command that go together, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


rules_options = together(
    click.option(
        "--variant",
        "variant_name",
        metavar="NAME",
        default="standard",
        show_default=True,
        help="The rules: 'calcsim variants' lists them; or a TOML file of your own.",
    ),
    click.option(
        "--wastes",
        type=Count(1, MOST_WASTES),
        metavar="N",
        help=f"Another number of wastes, 1 to {MOST_WASTES}.",
    ),
    click.option(
        "--redeals",
        type=Count(0, MOST_REDEALS),
        metavar="N",
        help=f"Another number of redeals, 0 to {MOST_REDEALS}.",
    ),
)

seed_option = click.option(
    "--seed",
    type=Count(0),
    metavar="N",
    help="Seed of the deals and of the strategies' random draws; left out, one is drawn and shown.",
)

first_deal_option = click.option(
    "--first-deal",
    type=Count(0),
    metavar="N",
    default=0,
    show_default=True,
    help="Number of the first deal.",
)

deck_options = together(
    click.option(
        "--deck",
        type=FilePath(),
        metavar="FILE",
        help="Deals from a file, one a line, instead of from the seed.",
    ),
    click.option(
        "--letters",
        type=click.Choice(["en", "de", "nl", "it", "fr"]),
        default="en",
        show_default=True,
        help="Whose letters the cards in that file bear.",
    ),
)


def game_seconds_option(default: str) -> Callable[[Command], Command]:
    """How long a game may take."""
    return click.option(
        "--game-seconds",
        type=click.FloatRange(0, min_open=True),
        metavar="N",
        default=default,
        show_default=True,
        help="How long a game may take; one that takes longer has failed.",
    )


def deals_option(default: str | None, text: str) -> Callable[[Command], Command]:
    """How many deals: the default and the help differ from verb to verb."""
    return click.option(
        "--deals",
        type=Count(1),
        metavar="N",
        default=default,
        show_default=default is not None,
        help=f"{text} 1000000, 1e6 and 1M are the same.",
    )


def find_variant(words: str, wastes: int | None, redeals: int | None) -> Variant:
    """The variant that the words of the rules options mean."""
    from calcsim.batch.rules import VariantFileError, load_variant
    from calcsim.game.variant import VariantError

    try:
        return load_variant(words).with_counts(wastes, redeals)
    except VariantFileError as error:
        raise click.ClickException(str(error)) from None
    except VariantError as error:
        raise click.UsageError(str(error)) from None


def rules_words(words: str, wastes: int | None, redeals: int | None) -> list[str]:
    """The rules options that say the same again."""
    given = {"--variant": words, "--wastes": wastes, "--redeals": redeals}
    changed = {
        option: str(value) for option, value in given.items() if value not in (None, "standard")
    }
    return [word for pair in changed.items() for word in pair]


def seed_note(plan: Plan, seed: int | None) -> str | None:
    """What is to be told of a seed that nobody named."""
    if seed is not None:
        return None
    if plan.deck is None:
        return f"seed {plan.seed}"
    return f"seed {plan.seed} for all draws but the deals, which are those of {plan.deck.path}"


def find_deck(path: Path | None, letters: str, variant: Variant) -> Deck | None:
    """The deals of a file, if one is named."""
    from calcsim.batch.deck_file import DeckFileError, read_deck

    if path is None:
        if letters != "en":
            raise click.UsageError("--letters goes with --deck: there are no cards to read")
        return None
    try:
        return read_deck(path, variant, letters)
    except DeckFileError as error:
        raise click.ClickException(str(error)) from None


def find_strategy(words: str) -> Strategy:
    """The strategy that a user's words mean."""
    from calcsim.strategy.errors import StrategyError, UnknownStrategyError
    from calcsim.strategy.strategy import load_strategy

    try:
        return load_strategy(words)
    except UnknownStrategyError as error:
        raise click.UsageError(str(error)) from None
    except StrategyError as error:
        raise click.ClickException(str(error)) from None


def find_plan(
    strategies: Sequence[str], variant: Variant, deck: Deck | None, **numbers: Any
) -> Plan:
    """The plan that a user's words and `numbers` (seed, deals, first_deal) mean."""
    from calcsim.batch.plan import PlanError, make_plan

    loaded = [find_strategy(words) for words in strategies]
    try:
        return make_plan(loaded, variant=variant, deck=deck, **numbers)
    except PlanError as error:
        raise click.UsageError(str(error)) from None
