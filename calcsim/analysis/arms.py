"""The arms of a comparison: every strategy of every run, and which deals it has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from calcsim.analysis.run import Run, RunError
from calcsim.game.variant import Variant
from calcsim.game.variant_data import variant_from_record
from calcsim.strategy.parameters import did_you_mean

_LONGEST_NAME = 10


class CompareError(ValueError):
    """A comparison that makes no sense."""


@dataclass(frozen=True)
class Source:
    """What decides the cards of each deal.

    Attributes:
        cards: ranks of the cards that are shuffled.
        drawn_starters: how many of them are laid out as starters.
        deal_format: of the shuffle; None for deals from a file.
        seed: likewise.
        deck: the digest of a file of deals, or None.
        dice: the seed of the dice that the deals of a file throw, if they throw any.
    """

    cards: tuple[int, ...]
    drawn_starters: int
    deal_format: int | None
    seed: int | None
    deck: str | None
    dice: int | None

    def why_not_same(self, other: Source) -> str | None:
        """In what the deals of the two differ, or None if they are the same."""
        if (self.cards, self.drawn_starters) != (other.cards, other.drawn_starters):
            return "their variants have different stocks"
        if self.deck != other.deck:
            return "their deals are not from the same deck file"
        if self.dice != other.dice:
            return f"their dice have different seeds ({self.dice} and {other.dice})"
        if self.seed != other.seed:
            return f"their seeds differ ({self.seed} and {other.seed})"
        if self.deal_format != other.deal_format:
            return f"their deal formats differ ({self.deal_format} and {other.deal_format})"
        return None


@dataclass(frozen=True, eq=False)
class Side:
    """A run in a comparison.

    Attributes:
        run: its tables and manifest.
        name: a short one.
        path: where it is, or its number if it was not written.
        rules: that were played.
        source: of its deals.
        sequential: whether it could stop when its data said so.
    """

    run: Run
    name: str
    path: str
    rules: Variant
    source: Source
    sequential: bool


@dataclass(frozen=True, eq=False)
class Arm:
    """A strategy of a run.

    Attributes:
        side: the run.
        label: of the strategy.
        name: the label, behind the run's name where there are several runs.
        deals: that it has played.
        wins: that it has won.
        failed: that it could not finish.
        program: digests of what it is made of.
    """

    side: Side
    label: str
    name: str
    deals: int
    wins: int
    failed: int
    program: tuple[Any, ...]

    def answers_to(self, words: str) -> bool:
        """Whether a user's words mean this arm: its label, or a run's name or path in front."""
        prefixes = (self.side.name, self.side.path, Path(self.side.path).name)
        return words in (self.label, *(f"{prefix}:{self.label}" for prefix in prefixes))


def find_arms(runs: Sequence[Run]) -> list[Arm]:
    """The arms of these runs, in their order.

    Raises:
        CompareError: a run is given twice, or they hold fewer than two strategies.
        RunError: a run does not hold what it should.
    """
    _refuse_same(runs)
    arms: list[Arm] = []
    for number, (run, name) in enumerate(zip(runs, _names(runs), strict=True), start=1):
        path = str(run.path or number)
        try:
            arms += _arms_of(_side(run, name, path), alone=len(runs) == 1)
        except (KeyError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
            what = f"{type(error).__name__}: {error}"
            raise RunError(f"{path} is no run of this version of calcsim ({what})") from None
    if len(arms) < 2:
        raise CompareError("there is nothing to compare with: name runs of two strategies or more")
    return arms


def find_arm(arms: Sequence[Arm], words: str) -> Arm:
    """The arm that a user's words mean.

    Raises:
        CompareError: there is none, or more than one; the text tells what to say.
    """
    called_so = [arm for arm in arms if arm.name == words]
    meant = called_so or [arm for arm in arms if arm.answers_to(words)]
    if len(meant) > 1:
        names = " or ".join(f"'{arm.name}'" for arm in meant)
        raise CompareError(f"'{words}' is in more than one run: say {names}")
    if not meant:
        known = list(dict.fromkeys([arm.name for arm in arms] + [arm.label for arm in arms]))
        hint = did_you_mean(words, known) or f" (there are {', '.join(arm.name for arm in arms)})"
        raise CompareError(f"there is no '{words}' in these runs{hint}")
    return meant[0]


def _refuse_same(runs: Sequence[Run]) -> None:
    places = [run.path.resolve() if run.path else id(run) for run in runs]
    for run, place in zip(runs, places, strict=True):
        if places.count(place) > 1:
            raise CompareError(f"{run.path or 'a run'} is given twice")


def _side(run: Run, name: str, path: str) -> Side:
    manifest = run.manifest
    rules = variant_from_record(manifest["variant"])
    sequential = manifest["stopping"] is not None
    return Side(run, name, path, rules, _source(manifest, rules), sequential)


def _names(runs: Sequence[Run]) -> list[str]:
    """The names of the directories, or the runs' numbers where these are long or not unique."""
    names = [run.path.resolve().name if run.path else "" for run in runs]
    if len({*names}) == len(names) and all(0 < len(name) <= _LONGEST_NAME for name in names):
        return names
    return [str(number) for number in range(1, len(runs) + 1)]


def _source(manifest: dict[str, Any], rules: Variant) -> Source:
    deck = manifest["deck"]
    throws_dice = any(foundation.step is None for foundation in rules.foundations)
    return Source(
        rules.cards,
        rules.drawn_starters,
        None if deck else manifest["deal_format"],
        None if deck else manifest["seed"],
        deck["sha256"] if deck else None,
        manifest["seed"] if deck and throws_dice else None,
    )


def _arms_of(side: Side, alone: bool) -> list[Arm]:
    programs = {data["label"]: _program(data) for data in side.run.manifest["strategies"]}
    return [
        Arm(
            side,
            label,
            label if alone else f"{side.name}:{label}",
            deals,
            wins,
            failed,
            programs[label],
        )
        for label, deals, wins, failed in side.run.win_rates.select(
            "strategy", "deals", "wins", "failed"
        ).rows()
    ]


def _program(data: dict[str, Any]) -> tuple[Any, ...]:
    return data["source_sha256"], data.get("imports"), data.get("arrays_sha256")
