"""The game of Calculation in plain Python, slow on purpose, to judge the fast engine by.

Every function reads like the rule that it states. Ranks are 1 to 13, foundations and wastes
count from 0, and a pile's last card is its top. Nothing here is shared with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

RANKS = 13
FULL = 13  # cards on a complete foundation

# A move looks exactly like a move of a replay, such as {"move": "place", "card": 9, "waste": 1}.
Move = dict[str, Any]
# The number of the redeal (from 0) and the gathered cards give the new stock, next card first.
Reshuffle = Callable[[int, list[int]], list[int]]


# The game


@dataclass(frozen=True)
class Rules:
    """What a variant changes (the rules, "Variants": each is data, not code)."""

    decks: int
    starts: tuple[int, ...]
    steps: tuple[int, ...]
    prefilled: bool
    wastes: int
    redeals: int

    def sequence(self, foundation: int) -> list[int]:
        """Return the 13 ranks of a foundation in order (the rules, "Foundation")."""
        start, step = self.starts[foundation], self.steps[foundation]
        return [in_ranks(start + (n - 1) * step) for n in range(1, FULL + 1)]


def in_ranks(number: int) -> int:
    """Return the number modulo 13, with 0 read as 13 (the rules, first paragraph)."""
    remainder = number % RANKS
    return RANKS if remainder == 0 else remainder


STANDARD = Rules(
    decks=1, starts=(1, 2, 3, 4), steps=(1, 2, 3, 4), prefilled=True, wastes=4, redeals=0
)


def stock_of(rules: Rules) -> list[int]:
    """Return the ranks in the stock, ascending: the decks less the starters laid out.

    Source: the rules, "Standard game" and "Variants". Starters that the decks do not hold
    are refused with ValueError.
    """
    cards = [rank for rank in range(1, RANKS + 1) for _ in range(4 * rules.decks)]
    if rules.prefilled:
        for start in rules.starts:
            cards.remove(start)
    return cards


class Game:
    """One game: the table, the legal moves and the log (the rules, "Terms", "Standard game")."""

    def __init__(
        self, rules: Rules, stock: Sequence[int], reshuffle: Reshuffle | None = None
    ) -> None:
        """Lay out the table; the stock's next card comes first.

        The stock is taken as it is given, so that small positions can be made by hand.
        `reshuffle` must depend on its arguments alone; rules with redeals cannot do without it.
        """
        if rules.redeals > 0 and reshuffle is None:
            raise ValueError("rules with redeals need a reshuffle")
        self.rules = rules
        self.foundations: list[list[int]] = [
            [start] if rules.prefilled else [] for start in rules.starts
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
        if count == FULL:
            return None
        return self.rules.sequence(foundation)[count]

    def still_needed(self, foundation: int) -> list[int]:
        """Return the ranks that a foundation has yet to take, the next one first."""
        return self.rules.sequence(foundation)[len(self.foundations[foundation]) :]

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
        return [
            *self.plays_from_stock(),
            *self.plays_from_wastes(),
            *self.placements(),
            *self.turns(),
            *self.redeals(),
        ]

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
        cards = self.gathered()
        if not stock_used_up or self.redeals_left == 0 or not cards or self.won():
            return []
        assert self._reshuffle is not None
        number = self.rules.redeals - self.redeals_left
        new_stock = list(self._reshuffle(number, list(cards)))
        if sorted(new_stock) != sorted(cards):
            raise ValueError("the reshuffle changed the cards themselves")
        return [{"move": "redeal", "stock": new_stock}]

    # What is done

    def apply(self, move: Move) -> None:
        """Make a move and log it; an illegal one raises ValueError and changes nothing."""
        legal = self.legal_moves()
        if move not in legal:
            raise ValueError(f"illegal move: {move}")
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


def all_cards(game: Game) -> Counter[int]:
    """Return how many cards of each rank there are, wherever they lie."""
    face_up = [] if game.turned is None else [game.turned]
    piles = [*game.foundations, *game.wastes, game.stock, face_up]
    return Counter(card for pile in piles for card in pile)


# Whole games


def play_simple(game: Game, place: Callable[[Game, int], int]) -> dict[str, Any]:
    """Play a whole game that plays to a foundation whenever it can; return the result.

    Source: the strategies' common words. `place(game, card)` names the waste and is asked only
    where no foundation takes the turned card. Redeals are taken as long as they are legal.
    """
    while game.turns() or game.redeals():
        if game.turns():
            game.apply(game.turns()[0])
            settle_turned_card(game, place)
        else:
            game.apply(game.redeals()[0])
    return game.result()


def settle_turned_card(game: Game, place: Callable[[Game, int], int]) -> None:
    """Send the turned card to the lowest foundation that takes it, or else to a waste."""
    card = game.turned
    assert card is not None
    if game.plays_from_stock():
        game.apply(game.plays_from_stock()[0])
        move_tops_on(game)
    else:
        game.apply(place_on(card, place(game, card)))


def move_tops_on(game: Game) -> None:
    """Play waste tops, lowest waste and lowest foundation first, until none fits.

    After each play the search starts again from the lowest waste.
    """
    while game.plays_from_wastes():
        game.apply(game.plays_from_wastes()[0])


def play_full(game: Game, decide: Callable[[Game, int | None], Move | None]) -> dict[str, Any]:
    """Play a whole game in which the player decides on every move; return the result.

    `decide(game, turned)` is asked before every move, the first turn included, until it
    answers None: no further move now, which it may say only when nothing lies face up. Then
    the next card is turned; with the stock used up the redeal happens, or the game ends.
    """
    while True:
        make_decided_moves(game, decide)
        go_on = game.turns() or game.redeals()
        if not go_on:
            return game.result()
        game.apply(go_on[0])


def make_decided_moves(game: Game, decide: Callable[[Game, int | None], Move | None]) -> None:
    """Make the player's moves until there is no further one now."""
    while (move := decide(game, game.turned)) is not None:
        game.apply(move)
    if game.turned is not None:
        raise ValueError("the turned card must leave before the next is turned")


# The deal, format 1

WORD = 64  # bits of a word of the bit source
GROUP_LIMIT = 2**53


def philox_block(seed: int, counter: tuple[int, int, int, int]) -> list[int]:
    """Return the four words that Philox4x64 gives for the key (seed, 0) and a counter.

    Numpy counts up before it draws, so it is given the number before the first one, which is
    never 0: blocks count from 1.
    """
    number, *others = counter
    before = np.array([number - 1, *others], dtype=np.uint64)
    key = np.array([seed, 0], dtype=np.uint64)
    return [int(word) for word in np.random.Philox(key=key, counter=before).random_raw(4)]


def bound_groups(cards: int) -> list[list[int]]:
    """Return the bounds of a shuffle in the order of their use, grouped by word.

    The groups are cut from the low end: each takes bounds upward from where the last one
    ended, as long as their product stays below 2**53. They are used from the highest to the
    lowest, and so are the bounds in each.
    """
    groups: list[list[int]] = []
    for bound in range(2, cards + 1):
        if groups and prod(groups[-1]) * bound < GROUP_LIMIT:
            groups[-1].append(bound)
        else:
            groups.append([bound])
    return [sorted(group, reverse=True) for group in reversed(groups)]


def group_draws(word: int, bounds: Sequence[int], bits: int = WORD) -> list[int] | None:
    """Return one unbiased draw below each bound from a single word; None if it is rejected.

    Fewer bits than 64 serve to go through all words there are.
    """
    draws: list[int] = []
    for bound in bounds:
        product = word * bound
        draws.append(product >> bits)
        word = product % 2**bits
    if word < 2**bits % prod(bounds):
        return None
    return draws


def attempt_draws(words: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the draws of all groups, a word each; None if any group is rejected."""
    draws: list[int] = []
    for word, bounds in zip(words, groups, strict=False):  # a block may leave words unused
        of_group = group_draws(word, bounds)
        if of_group is None:
            return None
        draws += of_group
    return draws


def swap_by_draws(cards: Sequence[int], draws: Sequence[int]) -> list[int]:
    """Return the cards with, for each bound from n down to 2, its draw and its end swapped."""
    shuffled = list(cards)
    for bound, draw in zip(range(len(shuffled), 1, -1), draws, strict=True):
        shuffled[draw], shuffled[bound - 1] = shuffled[bound - 1], shuffled[draw]
    return shuffled


def deal(seed: int, index: int, cards: Sequence[int], stream: int = 0) -> list[int]:
    """Return the cards as deal `index` of the seed shuffles them, next card first.

    Streams: 0 for the fresh deal of the ascending stock, 2 + r for redeal r of the gathered
    cards. Each attempt draws anew, for the cards as given, from blocks of its own.
    """
    groups = bound_groups(len(cards))
    blocks = -(-len(groups) // 4)  # rounded up
    attempt = 0
    while True:
        first = 1 + attempt * blocks
        words = [
            word
            for number in range(first, first + blocks)
            for word in philox_block(seed, (number, stream, index, 0))
        ]
        draws = attempt_draws(words, groups)
        if draws is not None:
            return swap_by_draws(cards, draws)
        attempt += 1


def reshuffle_of(seed: int, index: int) -> Reshuffle:
    """Return the reshuffle that belongs to deal `index` of the seed."""
    return lambda number, gathered: deal(seed, index, gathered, stream=2 + number)


def new_game(rules: Rules, seed: int, index: int) -> Game:
    """Return deal `index` of the seed, ready to be played."""
    return Game(rules, deal(seed, index, stock_of(rules)), reshuffle_of(seed, index))


class StrategyDraws:
    """A strategy's own random numbers in one game, apart from the deal's by a nonzero key."""

    def __init__(self, seed: int, index: int, key: int) -> None:
        """Start at block 1 of the key's own counters."""
        if not 0 < key < 2**64:
            raise ValueError("the key must be a nonzero 64-bit number")
        self._seed, self._index, self._key = seed, index, key
        self._next_block = 1
        self._halves: list[int] = []

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, all equally likely; 1 too takes a number."""
        if not 0 < n < 2**32:
            raise ValueError("n must be from 1 to 2**32 - 1")
        while True:
            product = self._next_half() * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    def _next_half(self) -> int:
        """Return the next 32-bit number: of each word the low half, then the high half."""
        if not self._halves:
            counter = (self._next_block, 0, self._index, self._key)
            for word in philox_block(self._seed, counter):
                self._halves += [word % 2**32, word >> 32]
            self._next_block += 1
        return self._halves.pop(0)
