"""The variants that have a name."""

from __future__ import annotations

from calcsim.game.variant import Foundation, Variant, VariantError

_BY_ONES_TO_FOURS = tuple(Foundation(start=k, step=k) for k in (1, 2, 3, 4))

STANDARD = Variant(
    name="standard",
    summary="four foundations from A, 2, 3, 4 in steps of 1, 2, 3, 4; four wastes",
    foundations=_BY_ONES_TO_FOURS,
)

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        STANDARD,
        Variant("three-wastes", "the standard game with 3 wastes", _BY_ONES_TO_FOURS, wastes=3),
        Variant("easy-5", "the standard game with 5 wastes", _BY_ONES_TO_FOURS, wastes=5),
        Variant("easy-6", "the standard game with 6 wastes", _BY_ONES_TO_FOURS, wastes=6),
    )
}


def find_variant(words: str) -> Variant:
    """The variant that a name means, with other counts if it says so: `standard:wastes=5`.

    Raises:
        VariantError: there is none of that name, or no such count.
    """
    name, _, settings = words.partition(":")
    if name not in VARIANTS:
        raise VariantError(f"there is no variant '{name}'")
    counts: dict[str, int] = {}
    for setting in filter(None, settings.split(",")):
        field, _, number = setting.partition("=")
        if field not in ("wastes", "redeals") or not number.isdecimal():
            raise VariantError(f"'{setting}' is neither wastes=N nor redeals=N")
        counts[field] = int(number)
    return VARIANTS[name].with_counts(**counts)
