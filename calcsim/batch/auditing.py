"""The audit of a run: a few of its games are played again by the rules in plain Python."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from calcsim.batch.wanted import Wanted
from calcsim.engine.games import Deals, Games, trace_game
from calcsim.game.variant import Variant
from calcsim.reference.audit import AuditError, PlayedGame, audit_game
from calcsim.strategy.strategy import Strategy, ready_player


def audit_some(
    strategy: Strategy, variant: Variant, deals: Deals, games: Games, wanted: Wanted
) -> int:
    """Play some of the deals of a strategy again, the same ones however a run is cut.

    Args:
        strategy: who has played.
        variant: the rules.
        deals: that were played.
        games: their results.
        wanted: says which deals.

    Returns:
        How many games were audited; those that failed cannot be.

    Raises:
        AuditError: a game is not what the rules make of it; the text names the deal.
    """
    audited = 0
    failed = set(games.failed.tolist())
    for number in audited_deals(deals, wanted):
        place = number - deals.first
        if place not in failed:
            cards = None if deals.cards is None else deals.cards[place : place + 1]
            _audit(strategy, variant, Deals(deals.seed, number, 1, cards), games, place)
            audited += 1
    return audited


def audited_deals(deals: Deals, wanted: Wanted) -> Iterator[int]:
    """The numbers of the deals that are audited: one drawn from each 1 / share, and the first."""
    end = deals.first + deals.count
    if wanted.audited_anyway is not None and deals.first <= wanted.audited_anyway < end:
        yield wanted.audited_anyway
    if wanted.audit == 0:
        return
    size = round(1 / wanted.audit)
    for block in range(deals.first // size, (end - 1) // size + 1):
        number = block * size + _drawn(deals.seed, block, size)
        if deals.first <= number < end and number != wanted.audited_anyway:
            yield number


def _drawn(seed: int, block: int, size: int) -> int:
    return int.from_bytes(hashlib.sha256(f"audit {seed} {block}".encode()).digest()) % size


def _audit(strategy: Strategy, variant: Variant, deal: Deals, games: Games, place: int) -> None:
    game = trace_game(ready_player(strategy, variant), variant, deal)
    played = PlayedGame(
        foundations=[(f.start or 0, f.step or 0) for f in game.foundations],
        moves=game.moves,
        final=games.foundations[:, place].tolist(),
        direct_plays=int(games.direct_plays[place]),
    )
    cards = None if deal.cards is None else deal.cards[0].tolist()
    try:
        audit_game(variant.as_data(), deal.seed, deal.first, strategy.form, played, cards)
    except AuditError as error:
        raise AuditError(
            f"the audit of deal {deal.first} of '{strategy.label}' failed: {error}; this is a "
            "fault of calcsim or of the machine, and no result of this run can be trusted"
        ) from None
