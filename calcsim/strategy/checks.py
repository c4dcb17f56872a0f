"""The contract that every strategy keeps, as checks that anyone can run on their own.

A check takes a strategy and a variant and raises `CheckFailed` where the strategy breaks the
contract. A check that passes says nothing about the others.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, Games, play, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.layout import lay_out_variant
from calcsim.game.trace import Move
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy, StrategyPlayer, new_player

_SEED = 0
_LEGAL_DEALS = 10_000
_COMPARED_DEALS = 1_000
_SINGLE_DEALS = 100
_PERMUTED_DEALS = 10
_CUTS = 4
_PERMUTATION_SEED = 1


class CheckFailed(Exception):  # noqa: N818 - it tells what became of a check
    """A strategy that breaks the contract; the text says in which deal, and how, in one line."""


@dataclass(frozen=True)
class Check:
    """One rule of the contract.

    Attributes:
        title: what a strategy that passes does, to be read with its name in front.
        run: raises `CheckFailed` if the strategy does not.
    """

    title: str
    run: Callable[[Strategy, Variant], None]


def check_legal(strategy: Strategy, variant: Variant) -> None:
    """Every game of many deals comes to its end: no illegal move, nothing raised."""
    _play(new_player(strategy, variant), variant, Deals(_SEED, 0, _LEGAL_DEALS))


def check_repeatable(strategy: Strategy, variant: Variant) -> None:
    """The same deals played again have the same results."""
    first, again = (_results(strategy, variant) for _ in range(2))
    _compare(first, again, "played again")


def check_any_order(strategy: Strategy, variant: Variant) -> None:
    """A deal's result is the same whatever was played before it."""
    in_one_go = _play(new_player(strategy, variant), variant, Deals(_SEED, 0, _SINGLE_DEALS))
    player = new_player(strategy, variant)
    for deal in reversed(range(_SINGLE_DEALS)):
        alone = _play(player, variant, Deals(_SEED, deal, 1))
        _compare(_one_deal(in_one_go, deal), alone, "after other deals", deal)


def check_pickles(strategy: Strategy, variant: Variant) -> None:
    """A copy that was pickled plays the same."""
    copy = pickle.loads(pickle.dumps(strategy))
    _compare(_results(strategy, variant), _results(copy, variant), "pickled")


def check_other_process(strategy: Strategy, variant: Variant) -> None:
    """A process of its own, started from nothing, plays the same."""
    here = _results(strategy, variant)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        try:
            there = executor.submit(_results, strategy, variant).result()
        except BrokenProcessPool:
            raise CheckFailed("another process that played it was killed") from None
    _compare(here, there, "in another process")


def check_unseen_stock(strategy: Strategy, variant: Variant) -> None:
    """Moves do not depend on the order of cards that were not turned yet."""
    player = new_player(strategy, variant)
    generator = np.random.default_rng(_PERMUTATION_SEED)
    for deal, cards in enumerate(deal_cards(variant, _SEED, 0, _PERMUTED_DEALS)):
        moves = _moves(player, variant, deal, cards)
        for turned in _cuts(variant):
            seen = variant.drawn_starters + turned
            permuted = np.concatenate([cards[:seen], generator.permutation(cards[seen:])])
            found = _moves(player, variant, deal, permuted)
            _compare_moves(_until_turn(moves, turned), _until_turn(found, turned), deal, turned)


def check_given_deals(strategy: Strategy, variant: Variant) -> None:
    """Deals given card by card have the same results as the same deals from their seed."""
    cards = deal_cards(variant, _SEED, 0, _COMPARED_DEALS)
    given = Deals(_SEED, 0, _COMPARED_DEALS, cards)
    found = _play(new_player(strategy, variant), variant, given)
    _compare(_results(strategy, variant), found, "given card by card")


CHECKS = (
    Check(f"finishes {_LEGAL_DEALS:,} deals without an illegal move", check_legal),
    Check("plays the same when it plays again", check_repeatable),
    Check("plays a deal the same whatever was played before", check_any_order),
    Check("plays the same as a pickled copy", check_pickles),
    Check("plays the same in another process", check_other_process),
    Check("plays the same whatever the order of the unseen stock", check_unseen_stock),
    Check("plays given deals like dealt ones", check_given_deals),
)
"""Every check, in the order in which they are best run: `check.run(strategy, variant)`."""


def _results(strategy: Strategy, variant: Variant) -> Games:
    """The results of a fresh player, which is also what another process is asked for."""
    return _play(new_player(strategy, variant), variant, Deals(_SEED, 0, _COMPARED_DEALS))


def _play(player: StrategyPlayer, variant: Variant, deals: Deals) -> Games:
    try:
        return play(player, lay_out_variant(variant), deals)
    except Fault as fault:
        raise CheckFailed(_describe(fault)) from None


def _moves(
    player: StrategyPlayer, variant: Variant, deal: int, cards: NDArray[np.int8]
) -> list[Move]:
    given = cards[np.newaxis]
    game = trace_game(player, variant, Deals(_SEED, deal, 1, given))
    if game.fault is not None:
        raise CheckFailed(_describe(game.fault))
    return game.moves


def _describe(fault: Fault) -> str:
    if fault.move is None:
        return f"deal {fault.deal}: it raised {' '.join(fault.raised.split())}"
    return f"deal {fault.deal}: {_show(fault.move)} is illegal"


def _show(move: Move | None) -> str:
    """`place card=9 waste=1`."""
    if move is None:
        return "nothing"
    return " ".join([move["move"], *(f"{k}={v}" for k, v in move.items() if k != "move")])


def _one_deal(games: Games, deal: int) -> Games:
    one = slice(deal, deal + 1)
    return Games(games.foundations[:, one], games.direct_plays[one], games.tally)


def _compare(expected: Games, found: Games, how: str, first: int = 0) -> None:
    """Raise for the first deal that ended in another way; `first` is the first deal's number."""
    differs = (expected.foundations != found.foundations).any(axis=0)
    differs |= expected.direct_plays != found.direct_plays
    if differs.any():
        number = int(differs.argmax())
        raise CheckFailed(
            f"deal {first + number}: {_ending(expected, number)}, but {how} "
            f"{_ending(found, number)}"
        )


def _ending(games: Games, number: int) -> str:
    """`8 2 5 3 on the foundations, 9 direct`."""
    cards = " ".join(str(count) for count in games.foundations[:, number])
    return f"{cards} on the foundations, {games.direct_plays[number]} direct"


def _cuts(variant: Variant) -> list[int]:
    """Numbers of turned cards after which the rest of the stock is permuted."""
    return [1 + cut * variant.stock_size // _CUTS for cut in range(_CUTS)]


def _until_turn(moves: list[Move], turned: int) -> Iterator[Move]:
    """The moves before another card is turned than the first `turned` ones."""
    for move in moves:
        turned -= move["move"] == "turn"
        if turned < 0:
            return
        yield move


def _compare_moves(expected: Iterator[Move], found: Iterator[Move], deal: int, turned: int) -> None:
    for number, (move, other) in enumerate(zip_longest(expected, found), start=1):
        if move != other:
            raise CheckFailed(
                f"deal {deal}: move {number} is {_show(move)}, but with the stock after card "
                f"{turned} in another order {_show(other)}"
            )
