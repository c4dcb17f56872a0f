"""The plain strategies in plain Python, each as its definition states it.

A strategy is a function `place(game, card, ...)` that names the waste for a turned card that
no foundation takes; all else is `play_simple`'s. Ties go to the lowest-numbered waste.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf

from calcsim.reference.draws import StrategyDraws
from calcsim.reference.game import Game
from calcsim.reference.rules import RANKS

KING = RANKS
NEVER = 99  # cards to take before a rank that is needed no more


def need_distance(game: Game, rank: int) -> int:
    """Return the least number of cards a foundation must take before it takes the rank.

    Only foundations that still need the rank count; 0 means that one takes it now.
    Decision: a rank that no foundation needs any more is 99 away, as strategies are told.
    """
    distances = [
        game.still_needed(foundation).index(rank)
        for foundation in range(len(game.foundations))
        if rank in game.still_needed(foundation)
    ]
    return min(distances, default=NEVER)


def comes_right_after(game: Game, top: int, card: int) -> bool:
    """Return whether the top follows the card on a foundation that still needs the card.

    Decision: nothing comes after the last card of a foundation.
    """
    return any(
        (card, top) in pairwise(ranks)
        for ranks in map(game.still_needed, range(len(game.foundations)))
    )


def least(wastes: Iterable[int], cost: Callable[[int], float]) -> int:
    """Return the waste of least cost, the lowest-numbered among equals."""
    return min(wastes, key=lambda waste: (cost(waste), waste))


def all_wastes(game: Game) -> range:
    """Return the numbers of the wastes."""
    return range(len(game.wastes))


def random(game: Game, card: int, draws: StrategyDraws) -> int:
    """Any waste, uniformly.

    Decision: one draw below the number of wastes for every placement, with one waste too.
    """
    return draws.below(len(game.wastes))


def shortest(game: Game, card: int) -> int:
    """Lay the card on the waste with the fewest cards."""
    return least(all_wastes(game), lambda waste: len(game.wastes[waste]))


def greedy(game: Game, card: int) -> int:
    """Lay the card on the waste whose top card has the greatest need distance.

    An empty waste counts as greatest.
    """

    def harm(waste: int) -> float:
        pile = game.wastes[waste]
        return -need_distance(game, pile[-1]) if pile else -inf

    return least(all_wastes(game), harm)


def kings_out(game: Game) -> int:
    """Return the number of Kings on the wastes and the foundations.

    Decision: Kings laid out as starters count, the turned card does not, and Kings that a
    redeal gathers are out no longer.
    """
    return sum(pile.count(KING) for pile in [*game.wastes, *game.foundations])


def king_pile(game: Game, card: int, release: int = 3) -> int:
    """Kings on waste 1; other cards on the shortest of the other wastes, later of all wastes.

    Once `release` Kings are out, the other cards may use every waste.
    Decisions: a King goes on waste 1 even then; with a single waste every card goes on it;
    a release of 5 is never, though a second deck has more Kings.
    """
    if card == KING:
        return 0
    released = release < 5 and kings_out(game) >= release
    wastes = all_wastes(game) if released else all_wastes(game)[1:]
    return least(wastes or all_wastes(game), lambda waste: len(game.wastes[waste]))


def step_holds(game: Game, waste: int, card: int) -> bool:
    """Return whether the waste has a top that comes right after the card."""
    pile = game.wastes[waste]
    return bool(pile) and comes_right_after(game, pile[-1], card)


def descending_step(game: Game, card: int) -> int:
    """Lay the card on the first waste whose top comes right after it; else on the shortest.

    Right after means: on a foundation that still needs this card.
    """
    for waste in all_wastes(game):
        if step_holds(game, waste, card):
            return waste
    return shortest(game, card)


def need_order(game: Game, card: int) -> int:
    """Lay the card on the waste of least cost, d being the top's need distance, e the card's.

    An empty waste costs 30; with d >= e the cost is d - e, else 100 + 4 * (e - d).
    """
    e = need_distance(game, card)

    def cost(waste: int) -> float:
        pile = game.wastes[waste]
        if not pile:
            return 30
        d = need_distance(game, pile[-1])
        return d - e if d >= e else 100 + 4 * (e - d)

    return least(all_wastes(game), cost)


def need_order_deep(game: Game, card: int) -> int:
    """Lay the card on the waste of least cost, every card in the waste being looked at.

    Decisions: the top is among the cards that can cost 10 + 2 * (e - d); the d of "d = e + 1"
    is the top's; 3 is subtracted once, even where both of its conditions hold.
    """
    e = need_distance(game, card)

    def cost(waste: int) -> float:
        pile = game.wastes[waste]
        if not pile:
            return 6
        distances = [need_distance(game, rank) for rank in pile]
        top = distances[-1]
        total = sum(10 + 2 * (e - d) for d in distances if d < e)
        if top >= e:
            total += top - e
        if top == e + 1 or step_holds(game, waste, card):
            total -= 3
        return total

    return least(all_wastes(game), cost)


# By the names that users know. `random` needs its draws besides the game and the card.
PLACE: dict[str, Callable[..., int]] = {
    "random": random,
    "shortest": shortest,
    "greedy": greedy,
    "king-pile": king_pile,
    "descending-step": descending_step,
    "need-order": need_order,
    "need-order-deep": need_order_deep,
}
