"""Whole games, in the two forms that a strategy can have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from calcsim.reference.game import Game, IllegalMoveError, Move, place_on


def play_simple(game: Game, place: Callable[[Game, int], int]) -> dict[str, Any]:
    """Play a whole game that plays to a foundation whenever it can; return the result.

    `place(game, card)` names the waste and is asked only where no foundation takes the turned
    card. Redeals are taken as long as they are legal.
    """
    while go_on := game.turns() or game.redeals():
        game.apply(go_on[0])
        if game.turned is not None:
            settle_turned_card(game, game.turned, place)
    return game.result()


def settle_turned_card(game: Game, card: int, place: Callable[[Game, int], int]) -> None:
    """Send the turned card to the lowest foundation that takes it, or else to a waste."""
    plays = game.plays_from_stock()
    if plays:
        game.apply(plays[0])
        move_tops_on(game)
    else:
        game.apply(place_on(card, place(game, card)))


def move_tops_on(game: Game) -> None:
    """Play waste tops, lowest waste and lowest foundation first, until none fits.

    After each play the search starts again from the lowest waste.
    """
    while plays := game.plays_from_wastes():
        game.apply(plays[0])


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
        raise IllegalMoveError("the turned card must leave before the next is turned")
