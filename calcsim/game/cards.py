"""Ranks and how people write them.

Suits never matter in this game: a card is its rank, 1 (ace) to 13 (King).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANKS = 13
"""Ranks in a suit, and cards on a complete foundation."""

SUITS = 4
"""Cards of each rank in a deck."""

RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

LETTERS: dict[str, dict[str, int]] = {
    "en": {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13},
    "de": {"A": 1, "B": 11, "D": 12, "K": 13},
    "nl": {"A": 1, "B": 11, "V": 12, "H": 13},
    "it": {"A": 1, "F": 11, "D": 12, "Q": 12, "R": 13},
    "fr": {"A": 1, "V": 11, "D": 12, "R": 13},
}
"""The letters on the cards of each language: As, Bube, Dame, König; aas, boer, vrouw, heer; asso,
fante, donna (also printed Q), re; as, valet, dame, roi."""

_SUIT_MARKS = frozenset("CDHS\u2660\u2661\u2662\u2663\u2664\u2665\u2666\u2667")
_VARIATION_SELECTORS = "\ufe0e\ufe0f"


class NotationError(ValueError):
    """Something that is meant to be a card, or a line of cards, and is not."""


def rank_name(rank: int) -> str:
    """`A`, `2`, ... `10`, `J`, `Q` or `K`."""
    return RANK_NAMES[rank - 1]


def format_cards(ranks: Iterable[int]) -> str:
    """Ranks separated by blanks."""
    return " ".join(rank_name(int(rank)) for rank in ranks)


def parse_card(text: str, letters: str = "en") -> int:
    """The rank of a card as people write it: `10`, `T`, `k`, `10H`, `Ks`, `Q` with a suit sign.

    Args:
        text: one card, its suit (ignored) behind the rank if at all.
        letters: a key of `LETTERS`.

    Raises:
        NotationError: it is no card.
    """
    named = LETTERS[letters]
    card = text.strip().rstrip(_VARIATION_SELECTORS).upper()
    for rank_text in (card, card[:-1] if card[-1:] in _SUIT_MARKS else ""):
        if rank_text in named:
            return named[rank_text]
        if rank_text in RANK_NAMES[1:10]:
            return int(rank_text)
    known = " ".join(named)
    raise NotationError(f"'{text}' is no card: ranks are 2 to 10 and {known}")


def parse_cards(text: str, letters: str = "en") -> list[int]:
    """The ranks of cards separated by blanks; raises `NotationError` at the first that is none."""
    return [parse_card(card, letters) for card in text.split()]


def check_cards(cards: Sequence[int], expected: Sequence[int], whole: str) -> None:
    """Raise `NotationError` unless `cards` are the `expected` ones of `whole` in some order."""
    if len(cards) != len(expected):
        raise NotationError(f"{len(cards)} cards where {whole} holds {len(expected)}")
    for rank in range(1, RANKS + 1):
        found, wanted = list(cards).count(rank), list(expected).count(rank)
        if found != wanted:
            raise NotationError(
                f"{found} cards of rank {rank_name(rank)} where {whole} holds {wanted}"
            )
