"""The command that replays a deal, to be copied into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calcsim.cli.options import rules_words

if TYPE_CHECKING:
    from calcsim.game.variant import Variant

Note = Callable[[str], None]


def replay_command(
    strategy: str, seed: int, deal: int, rules: Sequence[str], deck: Sequence[str]
) -> str:
    """`calcsim replay greedy --seed 7 --first-deal 4`.

    Args:
        strategy: the words that load it.
        seed: of the deals and of the strategy's random draws.
        deal: its number.
        rules: the options that mean the variant.
        deck: the options that mean a file of deals.
    """
    where = ["--seed", str(seed), "--first-deal", str(deal)]
    return shlex.join(["calcsim", "replay", strategy, *where, *rules, *deck])


def deck_words(path: str, letters: str) -> list[str]:
    """The options that mean a file of deals."""
    return ["--deck", path, *(["--letters", letters] if letters != "en" else [])]


def recorded_commands(
    manifest: Mapping[str, Any], labels: Sequence[str], note: Note
) -> Callable[[str, int], str]:
    """What replays the deals of a run: a function of a strategy's label and a deal's number.

    Args:
        manifest: of the run.
        labels: of the strategies that will be asked for.
        note: called with a line about whatever the commands need, or would show otherwise.
    """
    from calcsim.game.variant_data import variant_from_record
    from calcsim.recorded import ChangedError, recorded_entry, recorded_strategy

    variant = variant_from_record(manifest["variant"])
    entries = {label: recorded_entry(manifest, label) for label in labels}
    rules = _recorded_rules(manifest, variant, note)
    deck = _recorded_deck(manifest, variant, note)
    for entry in entries.values():
        try:
            recorded_strategy(entry, variant)
        except ChangedError as error:
            note(f"the commands may show other games: {error}")

    def command(label: str, deal: int) -> str:
        return replay_command(entries[label]["words"], manifest["seed"], deal, rules, deck)

    return command


def _recorded_deck(manifest: Mapping[str, Any], variant: Variant, note: Note) -> list[str]:
    from calcsim.recorded import ChangedError, recorded_deck

    try:
        deck = recorded_deck(manifest, variant)
    except ChangedError as error:
        note(f"the commands may show other games: {error}")
        return deck_words(manifest["deck"]["file"], manifest["deck"]["letters"])
    return deck_words(deck.path, deck.letters) if deck else []


def _recorded_rules(manifest: Mapping[str, Any], variant: Variant, note: Note) -> list[str]:
    """The options that mean a run's variant: its name, or else the file that the run named."""
    if _finds(variant.name, (), variant):
        return rules_words(variant.name, None, None)
    counts = (variant.wastes, variant.redeals) if ":" in variant.name else (None, None)
    file = _value_of("--variant", shlex.split(manifest["command"]))
    if file is None:
        file = "FILE.toml"
        note(f"put the file with the rules of '{variant.name}' in the place of {file}")
        return rules_words(file, *counts)
    file = str(Path(manifest["folder"]) / file)
    if _finds(file, counts, variant):
        note(f"the commands need the rules file {file}")
    else:
        note(f"the commands need the rules of '{variant.name}', which {file} does not hold now")
    return rules_words(file, *counts)


def _finds(words: str, counts: Sequence[int | None], variant: Variant) -> bool:
    """Whether the rules options would mean this variant."""
    from calcsim.batch.rules import load_variant
    from calcsim.game.variant import VariantError

    try:
        return load_variant(words).with_counts(*counts).same_rules(variant)
    except VariantError:
        return False


def _value_of(option: str, words: Sequence[str]) -> str | None:
    """What an option was given in a command, at last if several times; None if it was not."""
    found = None
    for word, following in pairwise([*words, ""]):
        if word == option:
            found = following
        elif word.startswith(f"{option}="):
            found = word.removeprefix(f"{option}=")
    return found
