"""The variants that have a name."""

from __future__ import annotations

from dataclasses import replace

from calcsim.game.variant import Foundation, Variant

STANDARD = Variant(
    name="standard",
    summary="four foundations: A 2 3 4 in steps of 1 2 3 4; four wastes",
    foundations=tuple(Foundation(start=k, step=k) for k in (1, 2, 3, 4)),
)

NO_STARTERS = replace(
    STANDARD,
    name="no-starters",
    summary="nothing laid out: a rank k starts foundation k",
    prefilled=False,
)

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        STANDARD,
        replace(STANDARD, name="three-wastes", summary="standard with 3 wastes", wastes=3),
        replace(STANDARD, name="easy-5", summary="standard with 5 wastes", wastes=5),
        replace(STANDARD, name="easy-6", summary="standard with 6 wastes", wastes=6),
        NO_STARTERS,
        replace(NO_STARTERS, name="no-starters-3", summary="no-starters with 3 wastes", wastes=3),
        Variant(
            name="reverse",
            summary="four Kings laid out, foundation k builds down by k",
            foundations=tuple(Foundation(start=13, step=13 - k) for k in (1, 2, 3, 4)),
        ),
        Variant(
            name="giant",
            summary="two decks, eight foundations from A to 8 in steps of 1 to 8",
            foundations=tuple(Foundation(start=k, step=k) for k in range(1, 9)),
            decks=2,
        ),
        Variant(
            name="broken-intervals",
            summary="each deal draws four starters and throws a die for each step",
            foundations=(Foundation(start=None, step=None),) * 4,
        ),
        replace(
            STANDARD,
            name="redeal-1",
            summary="standard, the wastes once shuffled into a new stock",
            redeals=1,
        ),
        replace(
            STANDARD,
            name="redeal-2",
            summary="standard, the wastes twice shuffled into a new stock",
            redeals=2,
        ),
        Variant(
            name="sir-tommy",
            summary="four empty foundations, all from A to K in steps of 1",
            foundations=(Foundation(start=1, step=1),) * 4,
            prefilled=False,
        ),
    )
}
