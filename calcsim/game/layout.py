"""A variant as the compiled engine wants it: the table before the deal, and the rules as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from calcsim.game.cards import RANKS
from calcsim.game.draws import random_below, start_draws
from calcsim.game.moves import put_on_foundation, set_needed
from calcsim.game.shuffle import RULES_STREAM, draw_batches
from calcsim.game.table import COMPLETE, EACH_BYTE, empty_tables, table_dtype
from calcsim.game.variant import DIE_SIDES, Variant


def dealer_dtype(foundations: int, cards: int) -> np.dtype[np.void]:
    """The record of what deals a variant. Like the table's, its shape is part of its type.

    (numba counts references to arrays on their own, but not to those inside a record, and counting
    costs a third of the speed.)

    Fields:
        cards: (cards,) int8, the ranks that are shuffled, ascending.
        batches: (cards + 1, batches, 3) uint64, the draw batches of a shuffle of each number of
            cards, rows of zeros behind those it needs.
        starts: (foundations,) int8, first ranks; 0: drawn from the deck in each deal.
        steps: (foundations,) int8; 0: a die is thrown in each deal.
        prefilled: (1,) int8, 1 if each foundation's first card is laid out.
        redeals: (1,) int8, redeals in a game.
        order: (cards,) int8, the cards of the present deal in the order in which they come.
        gathered: (cards,) int8, the cards of the wastes, taken up for a redeal.
        fault: (3,) int64, what is being played, should a strategy raise or break a rule: see
            `FAULT_DEAL`, `FAULT_CARD`, `FAULT_MOVE`.
    """
    return np.dtype(
        [
            ("batches", np.uint64, (cards + 1, len(draw_batches(cards)), 3)),
            ("fault", np.int64, (3,)),
            ("cards", np.int8, (cards,)),
            ("order", np.int8, (cards,)),
            ("gathered", np.int8, (cards,)),
            ("starts", np.int8, (foundations,)),
            ("steps", np.int8, (foundations,)),
            ("prefilled", np.int8, (1,)),
            ("redeals", np.int8, (1,)),
        ],
        align=True,
    )


FAULT_DEAL, FAULT_CARD, FAULT_MOVE = 0, 1, 2
"""Positions in `fault`: the deal counted from the first, the turned card, the illegal move."""


class Layout(NamedTuple):
    """A variant ready for play: record arrays, which the playing loop writes to.

    Attributes:
        tables: two tables (`table_dtype`), the one to play on and one that is kept as it is before
            the deal. Both are blank: `lay_out_tables` fills them.
        dealers: one dealer (`dealer_dtype`).
    """

    tables: Any
    dealers: Any


def lay_out_variant(variant: Variant) -> Layout:
    """Prepare a variant for play."""
    foundations = len(variant.foundations)
    dealers = np.zeros(1, dealer_dtype(foundations, len(variant.cards))).view(np.recarray)
    _prepare_dealer(dealers[0], variant)
    tables = empty_tables(table_dtype(foundations, variant.wastes, variant.stock_size), 2)
    return Layout(tables, dealers)


def _prepare_dealer(dealer: Any, variant: Variant) -> None:
    dealer.cards[:] = variant.cards
    for size in range(len(variant.cards) + 1):
        batches = draw_batches(size)
        dealer.batches[size, : len(batches)] = batches
    dealer.starts[:] = [foundation.start or 0 for foundation in variant.foundations]
    dealer.steps[:] = [foundation.step or 0 for foundation in variant.foundations]
    dealer.prefilled[0] = variant.prefilled
    dealer.redeals[0] = variant.redeals


@njit
def lay_out_tables(tables: Any, dealer: Any) -> None:
    """Fill blank tables with all that is the same in every deal."""
    for number in range(len(tables)):
        table = tables[number]
        table.needed[0] = np.uint64(COMPLETE * EACH_BYTE)
        for foundation in range(len(dealer.starts)):
            start, step = int(dealer.starts[foundation]), int(dealer.steps[foundation])
            if start and step:
                lay_out_foundation(table, foundation, start, step, dealer.prefilled[0] != 0)
        table.unseen[:] = 0
        for i in range(len(dealer.cards)):
            table.unseen[dealer.cards[i]] += 1
        table.stock_left[0] = len(dealer.cards)
        table.redeals_left[0] = dealer.redeals[0]


@njit
def lay_out_foundation(table: Any, foundation: int, start: int, step: int, prefilled: bool) -> None:
    """Give a foundation its sequence, with its first card on it if `prefilled`."""
    for position in range(1, RANKS + 1):
        rank = (start - 1 + (position - 1) * step) % RANKS + 1
        table.sequences[foundation, position] = rank
        table.positions[foundation, rank] = position
    table.sequences[foundation, RANKS + 1] = COMPLETE
    table.foundations[foundation] = 0
    set_needed(table, foundation, start)
    if prefilled:
        put_on_foundation(table, foundation)


@njit
def draw_foundations(table: Any, dealer: Any, seed: np.uint64, deal: np.uint64) -> int:
    """Lay out the foundations that this deal decides: how many cards they took.

    Starters come off the top of the shuffled cards, steps from a die of the deal's own.
    """
    start_draws(table, seed, deal, np.uint64(0), np.uint64(RULES_STREAM))
    taken = 0
    for foundation in range(len(dealer.starts)):
        start, step = int(dealer.starts[foundation]), int(dealer.steps[foundation])
        if start and step:
            continue
        if step == 0:
            step = 1 + random_below(table, DIE_SIDES)
        if start == 0:
            start = int(dealer.order[taken])
            table.unseen[start] -= 1
            table.stock_left[0] -= 1
            taken += 1
        lay_out_foundation(table, foundation, start, step, dealer.prefilled[0] != 0)
    return taken
