"""Whole games: a player and consecutive deals in, results out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calcsim.engine.compiled import compiled, is_kept
from calcsim.engine.fault import Fault
from calcsim.game.cards import RANKS
from calcsim.game.layout import FAULT_CARD, FAULT_DEAL, FAULT_MOVE, Layout, lay_out_variant
from calcsim.game.play import play_deals
from calcsim.game.trace import Move, describe_move, empty_trace, moves_of
from calcsim.game.variant import Foundation, Variant


class Player(Protocol):
    """A strategy made ready to play.

    Attributes:
        value: what the playing loop takes as the strategy.
        extras: the arrays and parameters that are handed to it.
        draw_key: key of its random draws, 1 to 2**64 - 1.
        code_key: names all that its compiled code depends on.
    """

    @property
    def value(self) -> Any:
        """See the attributes."""

    @property
    def extras(self) -> tuple[Any, ...]:
        """See the attributes."""

    @property
    def draw_key(self) -> int:
        """See the attributes."""

    @property
    def code_key(self) -> str:
        """See the attributes."""


@dataclass(frozen=True)
class Deals:
    """Consecutive deals.

    Attributes:
        seed: 0 to 2**64 - 1.
        first: number of the first.
        count: how many.
        cards: int8, shape (count, cards): their cards where they do not come from the seed.
    """

    seed: int
    first: int
    count: int
    cards: NDArray[np.int8] | None = None


@dataclass(frozen=True)
class Games:
    """Results of consecutive deals.

    Attributes:
        foundations: uint8, shape (foundations, deals), cards on each foundation at the end.
        direct_plays: uint8, shape (deals,).
        tally: int64, shape (winning cards + 1,), games by the number of foundation cards.
    """

    foundations: NDArray[np.uint8]
    direct_plays: NDArray[np.uint8]
    tally: NDArray[np.int64]


@dataclass(frozen=True)
class TracedGame:
    """One game, move by move.

    Attributes:
        foundations: of this very deal, none left to chance.
        moves: every legal move.
        final: cards on each foundation at the end.
        direct_plays: cards that went from the stock straight to a foundation.
        fault: what ended the game before its time, or None.
    """

    foundations: tuple[Foundation, ...]
    moves: list[Move]
    final: list[int]
    direct_plays: int
    fault: Fault | None


def play(player: Player, layout: Layout, deals: Deals) -> Games:
    """Play consecutive deals.

    Raises:
        Fault: the strategy raised or broke a rule; the games before are lost.
    """
    return _play(player, layout, deals, None)


def trace_game(player: Player, variant: Variant, deals: Deals) -> TracedGame:
    """Play one deal (`deals.count` is 1) and keep every move, up to a fault if there is one."""
    layout = lay_out_variant(variant)
    trace = empty_trace(variant)
    fault = None
    try:
        _play(player, layout, deals, trace)
    except Fault as raised:
        fault = raised
    table = layout.tables[0]
    return TracedGame(
        tuple(_foundation_on(table, number) for number in range(len(variant.foundations))),
        moves_of(trace),
        [int(cards) for cards in table.foundations],
        int(table.direct_plays[0]),
        fault,
    )


_NO_DEALS = Deals(seed=0, first=0, count=0)
_NO_TRACE, _ANY_TRACE = None, np.zeros(1, dtype=np.int64)


def is_ready(player: Player, layout: Layout) -> bool:
    """Whether `play` and `trace_game` can start at once, their code having been compiled before."""
    return all(
        is_kept(play_deals, player.code_key, _arguments(player, layout, _NO_DEALS, trace))
        for trace in (_NO_TRACE, _ANY_TRACE)
    )


def make_ready(player: Player, layout: Layout) -> None:
    """Compile what `play` and `trace_game` need, so that no other process has to.

    Raises:
        numba.core.errors.NumbaError: the strategy does not compile.
    """
    for trace in (_NO_TRACE, _ANY_TRACE):
        _play(player, layout, _NO_DEALS, trace)


def _play(player: Player, layout: Layout, deals: Deals, trace: NDArray[np.int64] | None) -> Games:
    arguments = _arguments(player, layout, deals, trace)
    entry = compiled(play_deals, player.code_key, arguments)
    *_, foundations, direct_plays, tally, _ = arguments
    fault = layout.dealers[0].fault
    try:
        with np.errstate(over="ignore"):  # for the interpreted engine: unsigned words wrap
            legal = entry(*arguments)
    except Exception as raised:
        cause = f"{type(raised).__name__}: {raised}".rstrip(": ")
        raise Fault(deals.first + int(fault[FAULT_DEAL]), 0, None, cause) from raised
    if not legal:
        card = int(fault[FAULT_CARD])
        move = describe_move(int(fault[FAULT_MOVE]), card)
        raise Fault(deals.first + int(fault[FAULT_DEAL]), card, move)
    return Games(foundations, direct_plays, tally)


def _arguments(
    player: Player, layout: Layout, deals: Deals, trace: NDArray[np.int64] | None
) -> tuple[Any, ...]:
    foundations = len(layout.dealers[0].starts)
    return (
        player.value,
        player.extras,
        layout.tables,
        layout.dealers,
        np.uint64(deals.seed),
        np.uint64(deals.first),
        deals.cards,
        np.uint64(player.draw_key),
        np.zeros((foundations, deals.count), dtype=np.uint8),
        np.zeros(deals.count, dtype=np.uint8),
        np.zeros(foundations * RANKS + 1, dtype=np.int64),
        trace,
    )


def _foundation_on(table: Any, number: int) -> Foundation:
    first, second = (int(rank) for rank in table.sequences[number, 1:3])
    return Foundation(start=first, step=(second - first) % RANKS)
