"""What others have published about winning: claims, to be set beside what was measured."""

from __future__ import annotations

from dataclasses import dataclass

from calcsim.game.variant import Variant
from calcsim.game.variants import VARIANTS


@dataclass(frozen=True)
class Claim:
    """A win rate that somebody stated.

    Attributes:
        variant: name of the variant it is about.
        who: who says so, or about whom.
        wins: how many games are won, in the words of the source.
    """

    variant: str
    who: str
    wins: str


_TANAKA = "Tanaka's table program"
_PROGRAMS = "best earlier heuristic programs"
_EXPERTS = "human experts"

CLAIMS = (
    Claim("standard", "Morehead and Mott-Smith, an estimate", "about 1 in 5"),
    Claim("standard", "folklore, experienced players", "over 80 %"),
    Claim("standard", _EXPERTS, "95 %"),
    Claim("standard", _PROGRAMS, "93 %"),
    Claim("standard", _TANAKA, "98 %"),
    Claim("three-wastes", _EXPERTS, "60 %"),
    Claim("three-wastes", _PROGRAMS, "44.6 %"),
    Claim("three-wastes", _TANAKA, "67 %"),
    Claim("easy-5", "folklore", "nearly 100 %"),
    Claim("easy-6", "folklore", "nearly 100 %"),
    Claim("no-starters", "Dick, 1883", '"seldom succeeds"'),
    Claim("no-starters-3", "folklore, very skilled players", "2 in 3"),
    Claim("sir-tommy", "folklore", "1 in 5 to 1 in 3"),
)
"""In the order of the variants."""


def claims_about(variant: Variant) -> list[Claim]:
    """The claims about a game with these rules, whatever the variant is called."""
    return [claim for claim in CLAIMS if VARIANTS[claim.variant].same_rules(variant)]
