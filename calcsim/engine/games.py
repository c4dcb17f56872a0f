"""Whole games: a player and consecutive deals in, results out."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
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


_MOST_PARTS = 1000
_MOST_FAULTS = 3
"""So many are kept of all that a strategy makes in the deals that it plays in one go."""


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
    """Results of consecutive deals. A game that failed counts as it lay when it did.

    Attributes:
        foundations: uint8, shape (foundations, deals), cards on each foundation at the end.
        direct_plays: uint8, shape (deals,).
        tally: int64, shape (winning cards + 1,), games by the number of foundation cards.
        failed: int64, shape (games that failed,), their places among the deals, ascending. One
            whose foundations were all complete by then is won, and not among them.
        faults: of the first few of these.
    """

    foundations: NDArray[np.uint8]
    direct_plays: NDArray[np.uint8]
    tally: NDArray[np.int64]
    failed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    faults: tuple[Fault, ...] = ()


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
    games, fault = _play(player, layout, deals, None)
    if fault is not None:
        raise fault
    return games


def play_on(player: Player, layout: Layout, deals: Deals) -> Games:
    """Play consecutive deals, whatever the strategy makes of some of them."""
    parts: list[Games] = []
    played, count = 0, deals.count
    while played < deals.count or not parts:
        part = _slice(deals, played, count)
        games, fault = _play(player, layout, part, None)
        if fault is None:
            count *= 2
        else:
            place = fault.deal - part.first
            games = _up_to_fault(games, layout, place, fault)
            count = 2 * (place + 1)  # the next fault may be as near
        parts.append(games)
        if len(parts) == _MOST_PARTS:
            parts = [_joined(parts)]
        played += games.direct_plays.size
    return _joined(parts)


_UNDER_WAY: list[tuple[NDArray[np.int64], int]] = []
"""Where the engine notes which deal it plays, and the number of the first."""


def deal_under_way() -> int | None:
    """The number of the deal that is being played in this process, for a thread that watches."""
    for found, first in _UNDER_WAY[-1:]:
        return first + int(found[FAULT_DEAL])
    return None


def _slice(deals: Deals, start: int, count: int) -> Deals:
    count = min(count, deals.count - start)
    cards = None if deals.cards is None else deals.cards[start : start + count]
    return Deals(deals.seed, deals.first + start, count, cards)


def _up_to_fault(games: Games, layout: Layout, place: int, fault: Fault) -> Games:
    """The games before that of a fault, and that one as it lies on the table."""
    table = layout.tables[0]
    games.foundations[:, place] = table.foundations
    games.direct_plays[place] = table.direct_plays[0]
    cards = int(table.foundations.sum(dtype=int))
    games.tally[cards] += 1
    is_won = cards == games.tally.size - 1
    return Games(
        games.foundations[:, : place + 1],
        games.direct_plays[: place + 1],
        games.tally,
        np.array([] if is_won else [place], dtype=np.int64),
        () if is_won else (fault,),
    )


def _joined(parts: Sequence[Games]) -> Games:
    """Games one after the other."""
    sizes = [part.direct_plays.size for part in parts]
    starts = itertools.accumulate(sizes[:-1], initial=0)
    return Games(
        np.concatenate([part.foundations for part in parts], axis=1),
        np.concatenate([part.direct_plays for part in parts]),
        np.sum([part.tally for part in parts], axis=0),
        np.concatenate([part.failed + start for part, start in zip(parts, starts, strict=True)]),
        tuple(itertools.islice((f for part in parts for f in part.faults), _MOST_FAULTS)),
    )


def trace_game(player: Player, variant: Variant, deals: Deals) -> TracedGame:
    """Play one deal (`deals.count` is 1) and keep every move, up to a fault if there is one."""
    layout = lay_out_variant(variant)
    trace = empty_trace(variant)
    _, fault = _play(player, layout, deals, trace)
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
        arguments = _arguments(player, layout, _NO_DEALS, trace)
        compiled(play_deals, player.code_key, arguments)(*arguments)


def _play(
    player: Player, layout: Layout, deals: Deals, trace: NDArray[np.int64] | None
) -> tuple[Games, Fault | None]:
    """The results of consecutive deals; with a fault, of those before it."""
    arguments = _arguments(player, layout, deals, trace)
    entry = compiled(play_deals, player.code_key, arguments)
    *_, foundations, direct_plays, tally, _ = arguments
    games = Games(foundations, direct_plays, tally)
    found = layout.dealers[0].fault
    found[FAULT_DEAL] = 0
    _UNDER_WAY.append((found, deals.first))
    try:
        with np.errstate(over="ignore"):  # for the interpreted engine: unsigned words wrap
            legal = entry(*arguments)
    except Exception as raised:
        cause = f"{type(raised).__name__}: {raised}".rstrip(": ")
        fault = Fault(deals.first + int(found[FAULT_DEAL]), 0, None, cause)
        fault.__cause__ = raised
        return games, fault
    finally:
        _UNDER_WAY.pop()
    if legal:
        return games, None
    card = int(found[FAULT_CARD])
    move = describe_move(int(found[FAULT_MOVE]), card)
    return games, Fault(deals.first + int(found[FAULT_DEAL]), card, move)


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
