"""What a strategy reads off the table is what the reference's table shows."""

from dataclasses import replace

import numpy as np
import pytest
from judged import (
    GIANT,
    NO_STARTERS,
    STRATEGIES,
    dealt_game,
    decisions,
    player_of,
)
from reference_strategies import comes_right_after, need_distance

from calcsim.engine.games import Deals, trace_game
from calcsim.game.table import NEVER
from calcsim.reference.draws import StrategyDraws
from calcsim.reference.playing import play_full

RANKS = range(1, 14)
DEALS = 3
INTERVAL = 7  # of the observer, in cards left in the stock
ROOM = 1_000_000


def seen_by_reference(game):
    """Everything that can be read off a table, in the order of `strategies/observer.py`."""
    foundations, wastes = range(len(game.foundations)), range(len(game.wastes))
    yield "card", game.turned or 0
    yield "stock_left", len(game.stock)
    yield "redeals_left", game.redeals_left
    yield "direct_plays", game.direct_plays
    for first in wastes:
        shortest = min(wastes[first:], key=lambda waste: len(game.wastes[waste]))
        yield f"shortest_waste from {first}", shortest
    for waste in wastes:
        pile = game.wastes[waste]
        yield f"height of {waste}", len(pile)
        yield f"top of {waste}", pile[-1] if pile else 0
        yield from ((f"waste_card {index} of {waste}", rank) for index, rank in enumerate(pile))
    for foundation in foundations:
        yield f"on_foundation {foundation}", len(game.foundations[foundation])
        yield f"needs {foundation}", game.needed(foundation) or 0
    for rank in RANKS:
        yield from rank_seen_by_reference(game, rank)


def rank_seen_by_reference(game, rank):
    needed_somewhere = any(
        rank in game.still_needed(foundation) for foundation in range(len(game.foundations))
    )
    yield f"unseen {rank}", game.unseen()[rank]
    yield f"foundation_for {rank}", min(game.takers(rank), default=-1)
    yield f"need_distance {rank}", need_distance(game, rank) if needed_somewhere else NEVER
    for foundation in range(len(game.foundations)):
        sequence, still_needed = game.rules.sequence(foundation), game.still_needed(foundation)
        taken = rank not in still_needed
        where = f"{rank} on {foundation}"
        yield f"distance_on: {where}", NEVER if taken else still_needed.index(rank)
        yield f"has_taken: {where}", taken
        yield f"sequences: {where}", sequence[rank - 1]
        yield f"positions: {where}", 1 + sequence.index(rank)
    for other in RANKS:
        yield f"comes_right_after {rank}, {other}", comes_right_after(game, rank, other)


@pytest.mark.parametrize(
    "variant",
    [
        replace(NO_STARTERS, redeals=1),
        GIANT,
    ],
    ids=lambda variant: variant.name,
)
def test_the_whole_table_can_be_read(variant):
    player = player_of(str(STRATEGIES / "observer.py"), variant)
    for index in range(DEALS):
        notes = np.zeros(ROOM, dtype=np.int64)
        traced = trace_game(replace(player, extras=(notes,)), variant, Deals(3, index, 1))
        assert traced.fault is None
        expected = []
        draws = StrategyDraws(3, index, player.draw_key)

        def decide(game, card, draws=draws, expected=expected):
            options = decisions(game)
            if options == [None]:
                return None
            if len(game.stock) % INTERVAL == 0:
                expected += seen_by_reference(game)
            return options[draws.below(len(options))]

        play_full(dealt_game(variant, 3, index), decide)
        seen = notes[1 : 1 + notes[0]].tolist()
        assert list(zip((label for label, _ in expected), seen, strict=True)) == expected
