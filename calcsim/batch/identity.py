"""The identity of a plan: what two runs must have in common to be parts of one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

Fields = dict[str, Any]

_OF_A_STRATEGY = ("parameters", "source_sha256", "imports", "requirements", "arrays_sha256")
_SETTINGS = ("confidence", "stopping", "keep_going", "audit", "rows")
_DIGITS = 12


def plan_fields(manifest: Mapping[str, Any]) -> Fields:
    """All that the games of a run depend on but the range of its deals, by names for users."""
    deck = manifest["deck"]
    fields = {
        "deal format": manifest["deal_format"],
        "seed": manifest["seed"],
        "deck": deck["sha256"] if deck else None,
        "variant": manifest["variant"],
        "strategies": [strategy["label"] for strategy in manifest["strategies"]],
    }
    for strategy in manifest["strategies"]:
        for name in _OF_A_STRATEGY:
            fields[f"{name} of {strategy['label']}"] = strategy.get(name)
    return fields


def setting_fields(manifest: Mapping[str, Any]) -> Fields:
    """What the tables depend on besides the games."""
    return {name.replace("_", " "): manifest[name] for name in _SETTINGS}


def plan_sha256(manifest: Mapping[str, Any]) -> str:
    """The identity of the plan of a run: a digest of its fields and its range, in hexadecimal."""
    whole = plan_fields(manifest) | {
        "first deal": manifest["first_deal"],
        "deals": manifest["deals"],
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def differences(there: Fields, here: Fields) -> Iterator[str]:
    """The fields of both that differ, a line each: `seed: 1 there, 2 here`."""
    for name, value in there.items():
        if name in here and value != here[name]:
            yield f"{name}: {_shown(value)} there, {_shown(here[name])} here"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return f"{value[:_DIGITS]}..." if len(value) > 2 * _DIGITS else value
    return json.dumps(value, ensure_ascii=False)
