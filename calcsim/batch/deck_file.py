"""Deals from a file, a line each, instead of from a seed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calcsim.game.cards import NotationError, check_cards, parse_cards
from calcsim.game.variant import Variant


class DeckFileError(Exception):
    """A file of deals that cannot be played; the text says which line and why."""


@dataclass(frozen=True, eq=False)
class Deck:
    """Deals that were read from a file.

    Attributes:
        path: of the file.
        cards: int8, shape (deals, cards), in the order in which they are turned.
        letters: the language of the cards in the file, a key of `cards.LETTERS`.
    """

    path: str
    cards: NDArray[np.int8]
    letters: str = "en"

    @property
    def sha256(self) -> str:
        """Digest of the ranks, however they were written."""
        return hashlib.sha256(np.ascontiguousarray(self.cards).tobytes()).hexdigest()


def read_deck(path: Path, variant: Variant, letters: str = "en") -> Deck:
    """Read deals for a variant. Blank lines and what stands behind a `#` are passed over.

    Args:
        path: a text file (UTF-8), a deal a line.
        variant: whose stock every line must hold.
        letters: the language of the cards, a key of `cards.LETTERS`.

    Raises:
        DeckFileError: the file cannot be read, holds no deals, or a line is no legal deal.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DeckFileError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DeckFileError(f"{path} is not a text file in UTF-8") from None
    deals = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0].strip()
        if written:
            deals.append(_parse_line(written, variant, letters, f"{path}, line {number}"))
    if not deals:
        raise DeckFileError(f"{path} holds no deals: write one a line, as 'calcsim deal' does")
    return Deck(str(path), np.array(deals, dtype=np.int8), letters)


def _parse_line(line: str, variant: Variant, letters: str, where: str) -> list[int]:
    try:
        cards = parse_cards(line, letters)
        check_cards(cards, variant.cards, f"a deal of {variant.name}")
    except NotationError as error:
        raise DeckFileError(f"{where}: {error}") from None
    return cards
