"""Fingerprints: what a strategy does, as opposed to how it is written."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy, ready_player

_DEALS = 20
_SEED = 0


@lru_cache(maxsize=256)
def fingerprint(strategy: Strategy, variant: Variant) -> str:
    """SHA-256 of a strategy's moves in deals 0 to 19 of seed 0, as lines of JSON.

    A game that it could not finish counts with the moves up to there.
    """
    player = ready_player(strategy, variant)
    digest = hashlib.sha256()
    for deal in range(_DEALS):
        game = trace_game(player, variant, Deals(_SEED, deal, 1))
        digest.update(json.dumps(game.moves, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()
