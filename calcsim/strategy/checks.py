"""The contract that every strategy keeps, as checks that anyone can run on their own.

A check takes a trial and raises `CheckFailed` where its strategy breaks the contract. A check that
passes says nothing about the others, but some build on what those before them have found: see
`CHECKS`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, Games, play, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.layout import lay_out_variant
from calcsim.game.trace import Move
from calcsim.game.variant import Variant
from calcsim.strategy.apart import Apart, EndedError
from calcsim.strategy.compile_error import describe_compile_error
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.fingerprint import fingerprint
from calcsim.strategy.strategy import Strategy, StrategyPlayer, new_player, ready_player
from calcsim.strategy.trial import SEED, CheckFailed, Trial
from calcsim.strategy.watched import first_faults

_SINGLE_DEALS = 100
_PERMUTED_DEALS = 10
_CUTS = 4
_PERMUTATION_SEED = 1


@dataclass(frozen=True)
class Check:
    """One rule of the contract.

    Attributes:
        title: what a strategy that passes does, to be read with its name in front.
        run: raises `CheckFailed` if the strategy does not.
        decisive: whether a strategy that fails cannot be checked any further.
    """

    title: str
    run: Callable[[Trial], None]
    decisive: bool = False


def check_compiles(trial: Trial) -> None:
    """There is machine code for each variant. Each shape of table takes seconds, hence processes.

    Where it is kept, the other checks find it on disk.
    """
    for variant in trial.variants:
        try:
            ready_player(trial.strategy, variant)
        except StrategyError as error:
            raise CheckFailed(str(error), variant) from None
    shapes = _one_of_each_shape(trial.variants)
    helpers = min(trial.processes, len(shapes))
    if helpers == 1:
        _compile(trial.strategy, shapes)
        return
    with ExitStack() as stack:
        processes = [stack.enter_context(Apart()) for _ in range(helpers)]
        for number, process in enumerate(processes):
            process.ask(_compile, trial.strategy, shapes[number::helpers])
        for process in processes:
            process.answer()


def check_ends(trial: Trial) -> None:
    """No game takes longer than it may."""
    first_faults(trial)


def check_legal(trial: Trial) -> None:
    """Every game comes to its end: no illegal move, nothing raised."""
    for variant, fault in zip(trial.variants, first_faults(trial), strict=True):
        if fault is not None:
            raise _failure(fault, variant)


def check_repeatable(trial: Trial) -> None:
    """The same deals played again have the same results."""
    first, again = (_results(trial) for _ in range(2))
    _compare(trial.variant, first, again, "played again")


def check_any_order(trial: Trial) -> None:
    """A deal's result is the same whatever was played before it."""
    strategy, variant = trial.strategy, trial.variant
    deals = min(trial.deals, _SINGLE_DEALS)
    in_one_go = _play(new_player(strategy, variant), variant, Deals(SEED, 0, deals))
    player = new_player(strategy, variant)
    for deal in reversed(range(deals)):
        alone = _play(player, variant, Deals(SEED, deal, 1))
        _compare(variant, _one_deal(in_one_go, deal), alone, "after other deals", deal)
    try:
        fingerprint(strategy, variant)  # looks at single moves
    except StrategyError as error:
        raise CheckFailed(str(error), variant) from None


def check_pickles(trial: Trial) -> None:
    """A copy that was pickled plays the same."""
    copy = pickle.loads(pickle.dumps(trial.strategy))
    copied = _results(replace(trial, strategy=copy))
    _compare(trial.variant, _results(trial), copied, "pickled")


def check_other_process(trial: Trial) -> None:
    """A process of its own, started from nothing, plays the same."""
    here = _results(trial)
    with Apart() as process:
        try:
            there = process.call(_results, trial)
        except EndedError as ended:
            raise CheckFailed(f"another process that played it {ended}", trial.variant) from None
    _compare(trial.variant, here, there, "in another process")


def check_unseen_stock(trial: Trial) -> None:
    """Moves do not depend on the order of cards that were not turned yet."""
    variant = trial.variant
    player = new_player(trial.strategy, variant)
    generator = np.random.default_rng(_PERMUTATION_SEED)
    dealt = deal_cards(variant, SEED, 0, min(trial.deals, _PERMUTED_DEALS))
    for deal, cards in enumerate(dealt):
        moves = _moves(player, variant, deal, cards)
        for turned in _cuts(variant):
            seen = variant.drawn_starters + turned
            permuted = np.concatenate([cards[:seen], generator.permutation(cards[seen:])])
            found = _moves(player, variant, deal, permuted)
            how = f"with the stock after card {turned} in another order"
            differs = _difference(_until_turn(moves, turned), _until_turn(found, turned), how)
            if differs:
                raise CheckFailed(differs, variant, deal)


def check_given_deals(trial: Trial) -> None:
    """Deals given card by card have the same results as the same deals from their seed."""
    variant, deals = trial.variant, trial.compared
    cards = deal_cards(variant, SEED, deals.first, deals.count)
    found = _play(new_player(trial.strategy, variant), variant, replace(deals, cards=cards))
    _compare(variant, _results(trial), found, "given card by card")


CHECKS = (
    Check("compiles", check_compiles, decisive=True),
    Check("ends every game in bounded time", check_ends, decisive=True),
    Check("finishes every game without an illegal move", check_legal),
    Check("plays the same when it plays again", check_repeatable),
    Check("plays a deal the same whatever was played before", check_any_order),
    Check("plays the same as a pickled copy", check_pickles),
    Check("plays the same in another process", check_other_process),
    Check("plays the same whatever the order of the unseen stock", check_unseen_stock),
    Check("plays given deals like dealt ones", check_given_deals),
)
"""Every check, in the order in which they are run: `check.run(trial)`.

A strategy that fails a decisive one would fail those behind it as well, or never come back.
"""


def _one_of_each_shape(variants: Sequence[Variant]) -> list[Variant]:
    """Variants whose code, between them, is the code of all."""
    by_shape: dict[tuple[np.dtype[np.void], ...], Variant] = {}
    for variant in variants:
        layout = lay_out_variant(variant)
        by_shape.setdefault((layout.tables.dtype, layout.dealers.dtype), variant)
    return list(by_shape.values())


def _compile(strategy: Strategy, variants: Sequence[Variant]) -> None:
    for variant in variants:
        try:
            play(ready_player(strategy, variant), lay_out_variant(variant), Deals(SEED, 0, 0))
        except Exception as error:
            text = describe_compile_error(strategy, variant, error)
            raise CheckFailed(text, variant) from None


def _results(trial: Trial) -> Games:
    """The results of a fresh player, which is also what another process is asked for."""
    return _play(new_player(trial.strategy, trial.variant), trial.variant, trial.compared)


def _play(player: StrategyPlayer, variant: Variant, deals: Deals) -> Games:
    try:
        return play(player, lay_out_variant(variant), deals)
    except Fault as fault:
        raise _failure(fault, variant) from None


def _moves(
    player: StrategyPlayer, variant: Variant, deal: int, cards: NDArray[np.int8]
) -> list[Move]:
    given = cards[np.newaxis]
    game = trace_game(player, variant, Deals(SEED, deal, 1, given))
    if game.fault is not None:
        raise _failure(game.fault, variant)
    return game.moves


def _failure(fault: Fault, variant: Variant) -> CheckFailed:
    if fault.move is None:
        what = f"it raised {' '.join(fault.raised.split())}"
    else:
        what = f"{_show(fault.move)} is illegal"
    return CheckFailed(what, variant, fault.deal, fault)


def _show(move: Move | None) -> str:
    """`place card=9 waste=1`."""
    if move is None:
        return "nothing"
    return " ".join([move["move"], *(f"{k}={v}" for k, v in move.items() if k != "move")])


def _one_deal(games: Games, deal: int) -> Games:
    one = slice(deal, deal + 1)
    return Games(games.foundations[:, one], games.direct_plays[one], games.tally)


def _compare(variant: Variant, expected: Games, found: Games, how: str, first: int = 0) -> None:
    """Raise for the first deal that ended in another way; `first` is the first deal's number."""
    differs = (expected.foundations != found.foundations).any(axis=0)
    differs |= expected.direct_plays != found.direct_plays
    if differs.any():
        number = int(differs.argmax())
        what = f"{_ending(expected, number)}, but {how} {_ending(found, number)}"
        raise CheckFailed(what, variant, first + number)


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


def _difference(expected: Iterator[Move], found: Iterator[Move], how: str) -> str:
    """The first move that is another one, or nothing."""
    for number, (move, other) in enumerate(zip_longest(expected, found), start=1):
        if move != other:
            return f"move {number} is {_show(move)}, but {how} {_show(other)}"
    return ""
