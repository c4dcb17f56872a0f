"""From a user's words to the rules: a variant's name, or a TOML file of their own."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

from calcsim.game.variant import Variant, VariantError
from calcsim.game.variant_data import variant_from_data
from calcsim.game.variants import VARIANTS
from calcsim.strategy.parameters import did_you_mean

_SUFFIX = ".toml"
_COUNT = re.compile(r"(wastes|redeals)=(\d{1,9})", re.ASCII)
_MOST_BYTES = 2**20


class VariantFileError(VariantError):
    """A file of rules that cannot be read or played; the text says why."""


def load_variant(words: str) -> Variant:
    """The variant that a user's words mean, with other counts if they say so.

    Args:
        words: a name such as `three-wastes`, or a path to a TOML file; either may go on as in
            `standard:wastes=5,redeals=1`.

    Raises:
        VariantFileError: the file cannot be read, or holds no rules that can be played.
        VariantError: there is no such variant, or no such count.
    """
    name, counts = _split(words)
    return _find(name).with_counts(**counts)


def _split(words: str) -> tuple[str, dict[str, int]]:
    name, colon, settings = words.rpartition(":")
    if not colon or "=" not in settings:
        return words, {}
    counts: dict[str, int] = {}
    for setting in settings.split(","):
        match = _COUNT.fullmatch(setting)
        if match is None:
            raise VariantError(f"'{setting}' is neither wastes=N nor redeals=N")
        field, number = match.groups()
        if field in counts:
            raise VariantError(f"'{words}' sets {field} twice")
        counts[field] = int(number)
    return name, counts


def _find(name: str) -> Variant:
    if name in VARIANTS:
        return VARIANTS[name]
    if name.endswith(_SUFFIX) or os.sep in name:
        if not os.path.exists(name):  # unlike pathlib, of any name
            raise VariantError(f"there is no variant file '{name}'")
        return read_variant(Path(name))
    hint = did_you_mean(name, VARIANTS) or f"; there are {', '.join(VARIANTS)}"
    if os.path.isfile(f"{name}{_SUFFIX}"):
        hint = f"; did you mean the file '{name}{_SUFFIX}'?"
    elif os.path.isfile(name):
        hint = f"; did you mean the file '.{os.sep}{name}'?"
    raise VariantError(f"there is no variant '{name}'{hint}")


def read_variant(path: Path) -> Variant:
    """The rules in a TOML file, of the form that `variant_from_data` takes.

    They are called by the file's name, unless they give a name themselves.

    Raises:
        VariantFileError: see `load_variant`.
    """
    try:
        variant = variant_from_data(_read_toml(path), path.stem, f"rules of {path.name}")
        named = VARIANTS.get(variant.name)
        if named and not named.same_rules(variant):
            raise VariantError(
                f"'{variant.name}' is the name of other rules already: name = \"...\" gives another"
            )
    except VariantError as error:
        raise VariantFileError(f"{path}: {error}") from None
    return variant


def _read_toml(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise VariantError("this is too long for the rules of a game")
        return tomllib.loads(text.decode("utf-8-sig"))
    except OSError as error:
        raise VariantError(f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise VariantError("this is not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"this is not TOML: {error}") from None
    except RecursionError:
        raise VariantError("this is nested too deep for the rules of a game") from None
