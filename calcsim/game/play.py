"""The playing loop: deals in, games out.

A strategy is any compiled value with a `form` and the method that goes with it:
`place(table, card, extras)` in the simple form, `move(table, card, extras)` in the full one, where
`extras` is a tuple of the arrays and parameters that are the strategy's own.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import errors
from numba.extending import overload

from calcsim.game.draws import start_draws
from calcsim.game.layout import FAULT_CARD, FAULT_DEAL, FAULT_MOVE, draw_foundations, lay_out_tables
from calcsim.game.moves import (
    DONE,
    PLAY_TOP,
    REDEAL,
    TURN,
    make_move,
    move_foundation,
    move_kind,
    place_on,
    play_card,
    play_card_to,
    play_top,
    play_top_to,
    put_on_waste,
)
from calcsim.game.shuffle import DEAL_STREAM, FIRST_REDEAL_STREAM, shuffle
from calcsim.game.table import (
    COMPLETE,
    EACH_BYTE,
    foundation_for,
    top,
    top_of_foundation,
    waste_card,
)
from calcsim.game.view import view

SIMPLE = "simple"
"""The form of a strategy that answers "which waste?"; the engine plays to foundations for it."""

FULL = "full"
"""The form of a strategy that makes every decision itself."""

STRATEGY_STREAM = 0

_FARTHEST_WASTE = 2**47 - 1
"""The largest number of a waste that fits into a move, legal or not."""


def play_deals(
    strategy, extras, tables, dealers, seed, first, cards, key, foundations, direct, tally, trace
):
    """Play consecutive deals, a column of the results each.

    Args:
        strategy: see above.
        extras: a tuple, handed to the strategy as it is.
        tables: of the variant's `Layout`.
        dealers: likewise.
        seed: uint64.
        first: uint64, the number of the first deal.
        cards: int8, shape (deals, cards): the shuffled cards of each deal where they are given, or
            None: they are dealt from the seed.
        key: uint64, the strategy's key for its random draws, not 0.
        foundations: uint8, shape (foundations, deals): receives the cards on each foundation.
        direct: uint8, shape (deals,): receives the direct plays; its length is how many deals are
            played.
        tally: int64, shape (winning cards + 1,): games that ended with so many foundation cards are
            added to it.
        trace: int64, or None: receives every move of the last game, `trace[0]` of them: the move in
            the low, the card in the high half.

    Returns:
        Whether every move was legal. Play stops at the first that is not; the dealer's `fault`
        tells where, also if the strategy raises.
    """
    table, fresh, dealer = tables[0], tables[1], dealers[0]
    lay_out_tables(tables, dealer)
    for i in range(len(direct)):
        dealer.fault[FAULT_DEAL] = i
        deal = first + np.uint64(i)
        if cards is None:
            shuffle_deal(dealer, seed, deal)
        else:
            for j in range(len(dealer.order)):
                dealer.order[j] = cards[i, j]
        clear(table, fresh)
        taken = draw_foundations(table, dealer, seed, deal)
        start_draws(table, seed, deal, key, np.uint64(STRATEGY_STREAM))
        if trace is not None:
            trace[0] = 0
        if not play_game(table, dealer, strategy, extras, taken, seed, deal, trace):
            return False
        total = 0
        for foundation in range(len(table.foundations)):
            foundations[foundation, i] = table.foundations[foundation]
            total += int(table.foundations[foundation])
        direct[i] = table.direct_plays[0]
        tally[total] += 1
    return True


@njit(forceinline=True)
def shuffle_deal(dealer, seed, deal):
    """Shuffle the cards of a deal into the dealer's `order`."""
    size = len(dealer.cards)
    batches = dealer.batches[size]
    shuffle(dealer.cards, dealer.order, size, batches, seed, deal, np.uint64(DEAL_STREAM))


@njit(forceinline=True)
def clear(table, fresh):
    """Make a table as it is before the deal. Sequences are constant or laid out by the deal."""
    for foundation in range(len(table.foundations)):
        table.foundations[foundation] = fresh.foundations[foundation]
    table.needed[0] = fresh.needed[0]
    for waste in range(len(table.heights)):
        table.heights[waste] = 0
        table.tops[waste] = 0
    for rank in range(len(table.unseen)):
        table.unseen[rank] = fresh.unseen[rank]
    table.stock_left[0] = fresh.stock_left[0]
    table.redeals_left[0] = fresh.redeals_left[0]
    table.direct_plays[0] = 0


@njit(forceinline=True)
def play_game(table, dealer, strategy, extras, taken, seed, deal, trace):
    """Play one dealt game to its end: whether every move was legal.

    The stock are the dealer's cards in `order`, from number `taken` on.
    """
    size = len(dealer.order)
    redeals = 0
    while True:
        for i in range(taken, size):
            card = int(dealer.order[i])
            table.unseen[card] -= 1
            table.stock_left[0] -= 1
            note(trace, TURN, card)
            if not take_turn(table, dealer, strategy, extras, card, trace):
                return False
        if table.redeals_left[0] == 0 or not is_worth_a_redeal(table):
            return True
        size, taken = gather(table, dealer), 0
        stream = np.uint64(FIRST_REDEAL_STREAM + redeals)
        batches = dealer.batches[size]
        shuffle(dealer.gathered, dealer.order, size, batches, seed, deal, stream)
        redeals += 1
        table.redeals_left[0] -= 1
        note(trace, REDEAL, size)
        for i in range(size):
            note(trace, REDEAL, int(dealer.order[i]))


@njit
def is_worth_a_redeal(table):
    """Whether a card is left on a waste and a foundation is left to take it."""
    waiting = False
    for waste in range(len(table.heights)):
        waiting |= table.heights[waste] > 0
    return waiting and table.needed[0] != np.uint64(COMPLETE * EACH_BYTE)


@njit
def gather(table, dealer):
    """Take up the wastes, lowest-numbered first, bottom to top: how many cards they were."""
    size = 0
    for waste in range(len(table.heights)):
        for index in range(int(table.heights[waste])):
            card = waste_card(table, waste, index)
            dealer.gathered[size] = card
            table.unseen[card] += 1
            size += 1
        table.heights[waste] = 0
        table.tops[waste] = 0
    table.stock_left[0] = size
    return size


@njit(forceinline=True)
def note(trace, move, card):
    """Write a move to the trace, if one is kept."""
    if trace is not None:
        trace[0] += 1
        trace[trace[0]] = move + (card << 32)


def take_turn(table, dealer, strategy, extras, card, trace):
    """Let a strategy deal with a turned card: whether every move was legal."""
    turn = simple_turn if strategy.form == SIMPLE else full_turn
    return turn(table, dealer, strategy, extras, card, trace)


@overload(take_turn, jit_options={"forceinline": True})
def _compiled_take_turn(table, dealer, strategy, extras, card, trace):
    turn = simple_turn if strategy.form == SIMPLE else full_turn

    def implementation(table, dealer, strategy, extras, card, trace):
        return turn(table, dealer, strategy, extras, card, trace)

    return implementation


@njit(forceinline=True)
def simple_turn(table, dealer, strategy, extras, card, trace):
    """Play the card to the lowest foundation that takes it, else where the strategy says."""
    foundation = foundation_for(table, card)
    if foundation >= 0:
        note(trace, play_card(foundation), card)
        play_card_to(table, foundation)
        play_tops(table, trace)
        return True
    waste = whole_number(strategy.place(view(table), card, extras))
    if not 0 <= waste < len(table.heights):
        nearest = max(-_FARTHEST_WASTE, min(waste, _FARTHEST_WASTE))
        dealer.fault[FAULT_CARD], dealer.fault[FAULT_MOVE] = card, place_on(nearest)
        return False
    note(trace, place_on(waste), card)
    put_on_waste(table, waste, card)
    return True


@njit(forceinline=True)
def play_tops(table, trace):
    """Play waste tops until none fits, lowest waste and lowest foundation first."""
    waste = 0
    while waste < len(table.tops):
        card = top(table, waste)
        foundation = foundation_for(table, card)
        if foundation < 0:
            waste += 1
        else:
            note(trace, play_top(waste, foundation), card)
            play_top_to(table, waste, foundation)
            waste = 0


@njit
def full_turn(table, dealer, strategy, extras, card, trace):
    """Ask the strategy for moves until it is done; it is not while the card lies face up."""
    while card or any_top_fits(table):
        move = whole_number(strategy.move(view(table), card, extras))
        if move == DONE and card == 0:
            return True
        if not make_move(table, card, move):
            dealer.fault[FAULT_CARD], dealer.fault[FAULT_MOVE] = card, move
            return False
        if move_kind(move) == PLAY_TOP:
            note(trace, move, top_of_foundation(table, move_foundation(move)))
        else:
            note(trace, move, card)
            card = 0
    return True


@njit(forceinline=True)
def any_top_fits(table):
    """Whether the top of a waste can be played."""
    for waste in range(len(table.tops)):  # noqa: SIM110 - numba compiles no any(...)
        if foundation_for(table, top(table, waste)) >= 0:
            return True
    return False


def whole_number(answer: Any) -> int:
    """A strategy's answer, which must be a whole number."""
    return operator.index(answer)


@overload(whole_number, jit_options={"forceinline": True})
def _compiled_whole_number(answer):
    if not isinstance(answer, types.Integer):
        raise errors.TypingError(f"a strategy must return a whole number, not {answer}")
    return lambda answer: np.int64(answer)
