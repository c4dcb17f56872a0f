"""What a run's manifest records, found again: its plan, if nothing has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calcsim.batch.deck_file import Deck, DeckFileError, read_deck
from calcsim.batch.plan import Plan
from calcsim.game.shuffle import DEAL_FORMAT
from calcsim.game.variant import Variant
from calcsim.game.variant_data import variant_from_record
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import Strategy, load_strategy, new_player


class ChangedError(Exception):
    """Something is no longer what it was when the run was made; the text says what."""


def recorded_plan(manifest: Mapping[str, Any], labels: Sequence[str]) -> Plan:
    """The deals that all these strategies of a run have played, as a plan.

    Raises:
        ChangedError: played again, they would not be the same games.
    """
    if manifest["deal_format"] != DEAL_FORMAT:
        raise ChangedError("this version of calcsim deals other cards than the one of the run")
    variant = variant_from_record(manifest["variant"])
    entries = [recorded_entry(manifest, label) for label in labels]
    return Plan(
        strategies=tuple(recorded_strategy(entry, variant) for entry in entries),
        variant=variant,
        seed=manifest["seed"],
        first_deal=manifest["first_deal"],
        deals=min(entry["deals_done"] for entry in entries),
        deck=recorded_deck(manifest, variant),
    )


def recorded_entry(manifest: Mapping[str, Any], label: str) -> dict[str, Any]:
    """What a manifest says of a strategy."""
    return next(entry for entry in manifest["strategies"] if entry["label"] == label)


def recorded_deck(
    manifest: Mapping[str, Any], variant: Variant, run: Path | None = None
) -> Deck | None:
    """The deals of a run that were read from a file.

    Args:
        manifest: of the run.
        variant: its rules.
        run: its directory; a file of the same name beside it will do if the file is gone.

    Raises:
        ChangedError: they cannot be read from it any more.
    """
    recorded = manifest["deck"]
    if recorded is None:
        return None
    file = Path(recorded["file"])
    if run is not None and not file.exists() and run.with_name(file.name).exists():
        file = run.with_name(file.name)
    try:
        deck = read_deck(file, variant, recorded["letters"])
    except DeckFileError as error:
        raise ChangedError(f"the deals of the run cannot be had again: {error}") from None
    if deck.sha256 != recorded["sha256"]:
        raise ChangedError(f"the file {deck.path} no longer holds the deals of the run")
    return deck


def recorded_strategy(entry: Mapping[str, Any], variant: Variant) -> Strategy:
    """A strategy of a run, as it was.

    Args:
        entry: what the manifest says of it.
        variant: the rules of the run.

    Raises:
        ChangedError: it is gone, or its source, what that imports or its arrays have changed.
    """
    strategy = strategy_now(entry)
    if changed := changes(strategy, entry, variant):
        raise ChangedError(f"'{strategy.label}' has changed since the run: {', '.join(changed)}")
    return strategy


def strategy_now(entry: Mapping[str, Any], kept: Path | None = None) -> Strategy:
    """A strategy of a run, whatever has become of it.

    Args:
        entry: what the manifest says of it.
        kept: a folder with copies of its files, for when it is not where it was.

    Raises:
        ChangedError: it is gone, or is no strategy any more.
    """
    words = entry["words"]
    try:
        return load_strategy(words)
    except StrategyError as error:
        parameters = entry["label"].removeprefix(entry["name"])
        file = Path(words.removesuffix(parameters)).name
        if kept is None or not (kept / file).is_file():
            raise ChangedError(f"'{entry['label']}' cannot be had again: {error}") from None
        return replace(load_strategy(f"{kept / file}{parameters}"), name=entry["name"])


def changes(strategy: Strategy, entry: Mapping[str, Any], variant: Variant) -> list[str]:
    """What of a strategy is not as the manifest has it: files, packages, arrays."""
    try:
        return list(_changes(strategy, entry, variant))
    except StrategyError as error:
        raise ChangedError(f"'{entry['label']}' cannot be had again: {error}") from None


def _changes(strategy: Strategy, entry: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    """What is not as the manifest has it."""
    source = strategy.source
    if source.main.sha256 != entry["source_sha256"]:
        yield source.main.path
    imports = {file.module: file.sha256 for file in source.siblings}
    yield from _differing(imports, entry.get("imports", {}))
    recorded = entry.get("requirements", [])
    yield from sorted(set(source.requirements).symmetric_difference(recorded))
    arrays = new_player(strategy, variant).arrays_sha256
    yield from (f"array {name}" for name in _differing(arrays, entry.get("arrays_sha256", {})))


def _differing(digests: Mapping[str, str], recorded: Mapping[str, str]) -> list[str]:
    """The names of what differs or is on one side only."""
    return sorted({name for name, _ in digests.items() ^ recorded.items()})
