"""Rules and positions of the reference, made by hand, that its tests share."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from calcsim.reference.game import Game, Move
from calcsim.reference.rules import Rules

STANDARD = Rules(
    decks=1, starts=(1, 2, 3, 4), steps=(1, 2, 3, 4), prefilled=True, wastes=4, redeals=0
)
REVERSE = replace(STANDARD, starts=(13, 13, 13, 13), steps=(-1, -2, -3, -4))
NO_STARTERS = replace(STANDARD, prefilled=False)
GIANT = replace(STANDARD, decks=2, starts=tuple(range(1, 9)), steps=tuple(range(1, 9)))
BROKEN = replace(STANDARD, starts=(5, 5, 9, 2), steps=(6, 1, 1, 3))
SIR_TOMMY = Rules(
    decks=1, starts=(1, 1, 1, 1), steps=(1, 1, 1, 1), prefilled=False, wastes=4, redeals=0
)
REDEAL_2 = replace(STANDARD, redeals=2)
RULES = {
    "standard": STANDARD,
    "three-wastes": replace(STANDARD, wastes=3),
    "easy-6": replace(STANDARD, wastes=6),
    "no-starters": NO_STARTERS,
    "reverse": REVERSE,
    "giant": GIANT,
    "broken-intervals": BROKEN,
    "redeal-2": REDEAL_2,
    "sir-tommy": SIR_TOMMY,
}
BY_NAME = pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
LETTERS = {"A": 1, "J": 11, "Q": 12, "K": 13}


def ranks(text: str) -> list[int]:
    """Return the ranks of cards written as players write them."""
    return [LETTERS[word] if word in LETTERS else int(word) for word in text.split()]


def turn(card: int) -> Move:
    """Return the move that turns a card."""
    return {"move": "turn", "card": card}


def position(
    counts: tuple[int, ...] = (1, 1, 1, 1),
    wastes: tuple[str, ...] = ("", "", "", ""),
    stock: str = "",
    rules: Rules = STANDARD,
) -> Game:
    """Return a position made by hand: cards on each foundation, wastes bottom to top."""
    game = Game(replace(rules, wastes=len(wastes)), ranks(stock), lambda _, cards: cards[::-1])
    game.foundations = [rules.sequence(f)[:count] for f, count in enumerate(counts)]
    game.wastes = [ranks(waste) for waste in wastes]
    return game


def all_cards(game: Game) -> Counter[int]:
    """Return how many cards of each rank there are, wherever they lie."""
    face_up = [] if game.turned is None else [game.turned]
    piles = [*game.foundations, *game.wastes, game.stock, face_up]
    return Counter(card for pile in piles for card in pile)
