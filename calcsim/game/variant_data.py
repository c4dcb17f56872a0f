"""Rules from data, such as a TOML file or a manifest holds: checked, whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from calcsim.game.cards import NotationError, parse_card
from calcsim.game.variant import DRAWN, Foundation, Variant, VariantError

_NAME = re.compile(r"[\w.+-]{1,60}")
_KEYS = ("name", "summary", "decks", "foundations", "prefilled", "wastes", "redeals")
_FOUNDATION_KEYS = ("start", "step")
_KINDS = {int: "a whole number", str: "a text", bool: "true or false"}


def variant_from_data(data: Mapping[str, Any], name: str, summary: str = "") -> Variant:
    """The variant that data describe, the opposite of `Variant.as_data`.

    Args:
        data: `foundations`, a list of `start` and `step` each; where they differ from those of the
            standard game, `decks`, `prefilled`, `wastes`, `redeals`; `name`; `summary`. A start is
            a rank as a number or a card (`"K"`), or "random"; a step is a number or "random".
        name: of the variant if the data give none.
        summary: likewise.

    Raises:
        VariantError: something is missing, unknown, of another kind, out of range, or cannot be
            dealt.
    """
    _check_keys(data, _KEYS, "the rules")
    foundations = data.get("foundations")
    if not isinstance(foundations, list) or not all(isinstance(f, dict) for f in foundations):
        raise VariantError(
            "foundations must be a list with a start and a step each: "
            "foundations = [{ start = 1, step = 1 }, ...]"
        )
    name = _value(data, "name", str, name)
    if not _NAME.fullmatch(name):
        raise VariantError(
            f'{name[:60]!r} cannot be a variant\'s name: say name = "...", with up to 60 letters, '
            "digits, dots, dashes and underscores (the file's own name counts if there is none)"
        )
    summary = _value(data, "summary", str, summary)
    if not summary.isprintable():
        raise VariantError("the summary must be one line of text")
    return Variant(
        name=name,
        summary=summary,
        foundations=tuple(_foundation(n, f) for n, f in enumerate(foundations, start=1)),
        decks=_value(data, "decks", int, Variant.decks),
        prefilled=_value(data, "prefilled", bool, Variant.prefilled),
        wastes=_value(data, "wastes", int, Variant.wastes),
        redeals=_value(data, "redeals", int, Variant.redeals),
    )


def variant_from_record(data: Mapping[str, Any]) -> Variant:
    """The rules that a manifest holds, under the name that they have there.

    Raises:
        VariantError: they are no rules.
    """
    name, _, _ = str(data["name"]).partition(":")  # counts in a name are among the data as well
    return replace(variant_from_data({**data, "name": name}, name), name=data["name"])


def _foundation(number: int, data: Mapping[str, Any]) -> Foundation:
    where = f"foundation {number}"
    _check_keys(data, _FOUNDATION_KEYS, where)
    for key in _FOUNDATION_KEYS:
        if key not in data:
            raise VariantError(f'{where} has no {key}: give a number, or "{DRAWN}"')
    return Foundation(_start(data["start"], where), _step(data["step"], where))


def _start(value: Any, where: str) -> int | None:
    if value == DRAWN:
        return None
    if type(value) is int:
        return value
    if isinstance(value, str):
        with suppress(NotationError):
            return parse_card(value)
    raise VariantError(
        f'the start of {where} must be 1 to 13, a rank such as "K", or "{DRAWN}", not {value!r}'
    )


def _step(value: Any, where: str) -> int | None:
    if value == DRAWN:
        return None
    if type(value) is not int:
        raise VariantError(f'the step of {where} must be 1 to 12, or "{DRAWN}", not {value!r}')
    return value


def _check_keys(data: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in known:
            raise VariantError(f"{where} cannot say '{key}': there are {', '.join(known)}")


def _value(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = data.get(key, default)
    if type(value) is not kind:
        raise VariantError(f"{key} must be {_KINDS[kind]}, not {value!r}")
    return value
