"""Fingerprints: what a strategy does, as opposed to how it is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Variant
from calcsim.strategy.errors import StrategyError
from calcsim.strategy.strategy import Strategy, StrategyPlayer, new_player

_DEALS = 20
_SEED = 0


@lru_cache(maxsize=256)
def fingerprint(strategy: Strategy, variant: Variant) -> str:
    """SHA-256 of a strategy's moves in deals 0 to 19 of seed 0, as lines of JSON.

    A game that it could not finish counts with the moves up to there.

    Raises:
        StrategyError: it does not play a deal the same way each time.
    """
    player = new_player(strategy, variant)
    games = [_moves(player, variant, deal) for deal in range(_DEALS)]
    for deal in reversed(range(_DEALS)):
        if _moves(player, variant, deal) != games[deal]:
            raise StrategyError(
                f"'{strategy.label}' plays deal {deal} of seed {_SEED} in another way when it "
                "plays it again: take draws from random_below alone, and keep nothing in arrays "
                "from one deal to the next"
            )
    return hashlib.sha256(b"".join(game + b"\n" for game in games)).hexdigest()


def twins(fingerprints: Mapping[str, str]) -> Iterator[list[str]]:
    """Labels of strategies that are the same in all but name, as far as fingerprints tell.

    Args:
        fingerprints: label to fingerprint.
    """
    by_fingerprint: dict[str, list[str]] = {}
    for label, taken in fingerprints.items():
        by_fingerprint.setdefault(taken, []).append(label)
    return (labels for labels in by_fingerprint.values() if len(labels) > 1)


def _moves(player: StrategyPlayer, variant: Variant, deal: int) -> bytes:
    game = trace_game(player, variant, Deals(_SEED, deal, 1))
    return json.dumps(game.moves, separators=(",", ":")).encode()
