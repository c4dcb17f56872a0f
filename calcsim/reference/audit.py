"""The audit: a game of the compiled engine, played again by the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calcsim.reference.dealing import new_game
from calcsim.reference.game import Game, IllegalMoveError, Move
from calcsim.reference.playing import play_full, play_simple
from calcsim.reference.rules import cards_to_shuffle, rules_from_data


class AuditError(Exception):
    """A game is not what the rules make of it; the text says what differs first."""


@dataclass(frozen=True)
class PlayedGame:
    """A whole game as the engine played it, in plain data.

    Attributes:
        foundations: start and step of each, as this deal has decided them.
        moves: all moves, as a replay has them.
        final: cards on each foundation at the end.
        direct_plays: cards that went from the stock straight to a foundation.
    """

    foundations: Sequence[tuple[int | None, int | None]]
    moves: Sequence[Move]
    final: Sequence[int]
    direct_plays: int


def audit_game(
    variant: Mapping[str, Any],
    seed: int,
    deal: int,
    form: str,
    played: PlayedGame,
    cards: Sequence[int] | None = None,
) -> None:
    """Play a game again by the rules, and refuse it unless everything comes out the same.

    The player's decisions are taken from the game's moves: in the simple form the placements, in
    the full form every play and placement. All else, the deal's dice and redeals too, is worked out
    anew.

    Args:
        variant: the rules as data, as in a run's manifest.
        seed: of the deal.
        deal: its number.
        form: of the strategy that played, "simple" or "full".
        played: what the engine made of the deal.
        cards: ranks, in the order in which they come, where they do not come from the seed.

    Raises:
        AuditError: the game is not what the rules make of it.
        ValueError: there is no such form.
    """
    rules = rules_from_data(variant)
    if cards is not None and sorted(cards) != cards_to_shuffle(rules):
        raise AuditError("the given cards are not those that this variant shuffles")
    game = new_game(rules, seed, deal, cards)
    _refuse_unless_same(
        "the start and the step of each foundation",
        [(start, step) for start, step in played.foundations],
        list(zip(game.rules.starts, game.rules.steps, strict=True)),
    )
    _play_again(game, form, played.moves)
    result = game.result()
    _refuse_unless_same("the cards on each foundation", [*played.final], result["foundations"])
    _refuse_unless_same("the direct plays", played.direct_plays, result["direct_plays"])


def _play_again(game: Game, form: str, moves: Sequence[Move]) -> None:
    record = _Record(moves)
    try:
        if form == "simple":
            play_simple(game, record.waste)
        elif form == "full":
            play_full(game, record.decision)
        else:
            raise ValueError(f"a strategy's form is simple or full, not {form}")
    except IllegalMoveError:
        raise record.difference(len(game.moves), "illegal") from None
    record.compare_to_its_end(game)


class _Record:
    """The moves of the engine, read in step with the game that is played again."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self._moves = moves
        self._compared = 0

    def waste(self, game: Game, card: int) -> Any:
        """Return where the player laid a card that no foundation takes."""
        move = self._next_move(game)
        if move is None or move.get("move") != "place":
            raise self.difference(len(game.moves), f"a placement of the {card}")
        return move.get("waste")

    def decision(self, game: Game, turned: int | None) -> Move | None:
        """Return the player's next move; None: no further one now."""
        move = self._next_move(game)
        return None if move is None or move.get("move") in ("turn", "redeal") else move

    def compare_to_its_end(self, game: Game) -> None:
        """Refuse a record that is not, from first to last, that of a game that is over."""
        if self._next_move(game) is not None:
            raise self.difference(len(game.moves), _as_text(None))

    def difference(self, number: int, by_the_rules: str) -> AuditError:
        """Return what to raise for the move of that number, counted from 0."""
        by_the_engine = _as_text(self._move(number))
        return AuditError(
            f"move {number + 1}: {by_the_engine} by the engine, {by_the_rules} by the rules"
        )

    def _next_move(self, game: Game) -> Move | None:
        """Return the move that comes after those of the game, which must be the record's."""
        for number in range(self._compared, len(game.moves)):
            if self._move(number) != game.moves[number]:
                raise self.difference(number, _as_text(game.moves[number]))
        self._compared = len(game.moves)
        return self._move(self._compared)

    def _move(self, number: int) -> Move | None:
        return self._moves[number] if number < len(self._moves) else None


def _as_text(move: Move | None) -> str:
    """A move as a replay writes it."""
    return "none" if move is None else json.dumps(move, separators=(",", ":"))


def _refuse_unless_same(what: str, by_the_engine: object, by_the_rules: object) -> None:
    if by_the_engine != by_the_rules:
        raise AuditError(f"{what}: {by_the_engine} by the engine, {by_the_rules} by the rules")
