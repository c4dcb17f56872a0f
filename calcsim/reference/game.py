"""The table of one game: what it shows, which moves are legal, what they do, and their log.

Ranks are 1 to 13, foundations and wastes count from 0, and a pile's last card is its top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from calcsim.reference.rules import FULL, RANKS, Rules

# A move looks exactly like a move of a replay, such as {"move": "place", "card": 9, "waste": 1}.
Move = dict[str, Any]
# The number of the redeal (from 0) and the gathered cards give the new stock, next card first.
Reshuffle = Callable[[int, list[int]], list[int]]


class IllegalMoveError(ValueError):
    """A move that the rules do not allow; nothing has changed."""


class Game:
    """One game: the table, the legal moves and the log (the rules, "Terms", "Standard game")."""

    def __init__(
        self, rules: Rules, stock: Sequence[int], reshuffle: Reshuffle | None = None
    ) -> None:
        """Lay out the table; the stock's next card comes first.

        Args:
            rules: of this very deal, which leave nothing to chance.
            stock: taken as it is given, so that small positions can be made by hand.
            reshuffle: must depend on its arguments alone.

        Raises:
            ValueError: the rules leave something to chance, or have redeals but no reshuffle.
        """
        if rules.redeals > 0 and reshuffle is None:
            raise ValueError("rules with redeals need a reshuffle")
        self.rules = rules
        self.sequences = [rules.sequence(foundation) for foundation in range(len(rules.starts))]
        self.foundations: list[list[int]] = [
            sequence[:1] if rules.prefilled else [] for sequence in self.sequences
        ]
        self.wastes: list[list[int]] = [[] for _ in range(rules.wastes)]
        self.turned: int | None = None
        self.stock: list[int] = list(stock)
        self.redeals_left = rules.redeals
        self.direct_plays = 0
        self.moves: list[Move] = []
        self._reshuffle = reshuffle

    # What the table shows

    def needed(self, foundation: int) -> int | None:
        """Return the rank that a foundation takes next; None when it is complete."""
        count = len(self.foundations[foundation])
        return None if count == FULL else self.sequences[foundation][count]

    def still_needed(self, foundation: int) -> list[int]:
        """Return the ranks that a foundation has yet to take, the next one first."""
        return self.sequences[foundation][len(self.foundations[foundation]) :]

    def takers(self, card: int) -> list[int]:
        """Return the foundations that take the card now, lowest-numbered first."""
        return [f for f in range(len(self.foundations)) if self.needed(f) == card]

    def unseen(self) -> dict[int, int]:
        """Return how many cards of each rank are in the stock; the turned card is seen."""
        return {rank: self.stock.count(rank) for rank in range(1, RANKS + 1)}

    def gathered(self) -> list[int]:
        """Return the cards of the wastes, lowest-numbered waste first, each bottom to top."""
        return [card for waste in self.wastes for card in waste]

    def won(self) -> bool:
        """Return whether every foundation is complete (the rules, "Won")."""
        return all(len(foundation) == FULL for foundation in self.foundations)

    def result(self) -> dict[str, Any]:
        """Return what is counted at the end, as the "result" of a replay."""
        counts = [len(foundation) for foundation in self.foundations]
        return {
            "won": self.won(),
            "foundation_cards": sum(counts),
            "foundations": counts,
            "direct_plays": self.direct_plays,
        }

    # What may be done

    def legal_moves(self) -> list[Move]:
        """Return every legal move, always in this order.

        The turned card to a foundation (lowest foundation first), the top of a waste to a
        foundation (lowest waste, then lowest foundation first), the turned card to a waste
        (lowest first), the turn of the next card, the redeal.
        """
        return [*self.plays(), *self.placements(), *self.turns(), *self.redeals()]

    def plays(self) -> list[Move]:
        """Return the plays to foundations, of the turned card first, then of the waste tops."""
        return [*self.plays_from_stock(), *self.plays_from_wastes()]

    def plays_from_stock(self) -> list[Move]:
        """Return the plays of the turned card to each foundation that needs it."""
        card = self.turned
        if card is None:
            return []
        return [play(card, "stock", foundation) for foundation in self.takers(card)]

    def plays_from_wastes(self) -> list[Move]:
        """Return the plays of waste tops to foundations that need them.

        They are legal at every moment, also while a card lies face up and after the stock is
        used up (the rules, "Standard game").
        """
        return [
            play(waste[-1], number, foundation)
            for number, waste in enumerate(self.wastes)
            if waste
            for foundation in self.takers(waste[-1])
        ]

    def placements(self) -> list[Move]:
        """Return the ways to lay the turned card on a waste: any waste takes any card."""
        card = self.turned
        if card is None:
            return []
        return [place_on(card, waste) for waste in range(len(self.wastes))]

    def turns(self) -> list[Move]:
        """Return the turn of the next card, if none lies face up and the stock has one."""
        if self.turned is not None or not self.stock:
            return []
        return [{"move": "turn", "card": self.stock[0]}]

    def redeals(self) -> list[Move]:
        """Return the redeal, if the stock is used up and there is reason and right to one.

        Source: the rules, "Variants", `redeal-1`. With no card on a waste, or with every
        foundation complete, there is nothing to deal again.
        """
        stock_used_up = self.turned is None and not self.stock
        if not stock_used_up or self.redeals_left == 0:
            return []
        cards = self.gathered()
        if not cards or self.won():
            return []
        assert self._reshuffle is not None
        number = self.rules.redeals - self.redeals_left
        new_stock = list(self._reshuffle(number, list(cards)))
        if sorted(new_stock) != sorted(cards):
            raise ValueError("the reshuffle changed the cards themselves")
        return [{"move": "redeal", "stock": new_stock}]

    # What is done

    def apply(self, move: Move) -> None:
        """Make a move and log it.

        Raises:
            IllegalMoveError: it is none of the legal moves.
        """
        legal = self._legal_moves_like(move)
        if move not in legal:
            raise IllegalMoveError(f"illegal move: {move}")
        move = legal[legal.index(move)]  # the log keeps moves of its own making
        match move["move"]:
            case "turn":
                self.turned = self.stock.pop(0)
            case "place":
                self.wastes[move["waste"]].append(move["card"])
                self.turned = None
            case "play":
                self._take_from(move["from"])
                self.foundations[move["foundation"]].append(move["card"])
            case "redeal":
                self.wastes = [[] for _ in self.wastes]
                self.stock = list(move["stock"])
                self.redeals_left -= 1
        self.moves.append(move)

    def _legal_moves_like(self, move: Move) -> list[Move]:
        """Return the legal moves of a move's own kind: it can be none of the others."""
        match move.get("move"):
            case "turn":
                return self.turns()
            case "place":
                return self.placements()
            case "play":
                return self.plays()
            case "redeal":
                return self.redeals()
        return []

    def _take_from(self, source: int | str) -> None:
        """Take away the card that goes to a foundation; count it if it is a direct play."""
        if isinstance(source, int):
            self.wastes[source].pop()
        else:
            self.turned = None
            self.direct_plays += 1


def play(card: int, source: int | str, foundation: int) -> Move:
    """Return the move of a card from "stock" or a waste to a foundation."""
    return {"move": "play", "card": card, "from": source, "foundation": foundation}


def place_on(card: int, waste: int) -> Move:
    """Return the move of the turned card to a waste."""
    return {"move": "place", "card": card, "waste": waste}
