"""What tests share that hold the engine's games against the reference's."""

import os
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

from reference import (
    Game,
    Rules,
    StrategyDraws,
    deal,
    play_full,
    play_simple,
    reshuffle_of,
)
from reference_strategies import PLACE

import calcsim
from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Foundation, Variant
from calcsim.game.variants import VARIANTS
from calcsim.strategy.strategy import load_strategy, ready_player

LARGEST = 2**64 - 1
PACKAGE_FOLDER = str(Path(calcsim.__file__).parent.parent)
STRATEGIES = Path(__file__).parent / "strategies"
RANDOM_LEGAL = str(STRATEGIES / "random_legal.py")
ACCOUNTANT = str(STRATEGIES / "accountant.py")

NO_STARTERS = VARIANTS["no-starters"]
GIANT = VARIANTS["giant"]
REVERSE = VARIANTS["reverse"]
SIR_TOMMY = VARIANTS["sir-tommy"]
BROKEN_INTERVALS = VARIANTS["broken-intervals"]
HALF_BROKEN = Variant(
    "half-broken",
    "",
    (Foundation(None, 3), Foundation(5, None), Foundation(2, 2), Foundation(None, None)),
)


def player_of(words, variant):
    return ready_player(load_strategy(words), variant)


class QuickRules(Rules):
    """Rules that work out the sequence of a foundation once."""

    def sequence(self, foundation):
        return _sequence(self, foundation)


_sequence = cache(Rules.sequence)


def rules_of(variant, foundations=None):
    """The reference's rules of a variant, in a deal that has these foundations."""
    of_the_deal = foundations or variant.foundations
    return QuickRules(
        decks=variant.decks,
        starts=tuple(foundation.start for foundation in of_the_deal),
        steps=tuple(foundation.step for foundation in of_the_deal),
        prefilled=variant.prefilled,
        wastes=variant.wastes,
        redeals=variant.redeals,
    )


def dealt_game(variant, seed, index, foundations=None):
    """A deal on the reference's table; drawn starters have left the shuffled cards."""
    cards = deal(seed, index, variant.cards)
    stock = cards[variant.drawn_starters :]
    return Game(rules_of(variant, foundations), stock, reshuffle_of(seed, index))


def decisions(game):
    """The moves that a player chooses from; None is no further move now."""
    end = [None] if game.turned is None else game.placements()
    return [*game.plays_from_stock(), *game.plays_from_wastes(), *end]


def play_random_legal(game, draws):
    """Play like `strategies/random_legal.py`, which is asked only where there is a choice."""

    def decide(game, card):
        options = decisions(game)
        return None if options == [None] else options[draws.below(len(options))]

    return play_full(game, decide)


def play_reference(words, game, draws):
    """Play a game as the strategy of that name does: its result."""
    if words == RANDOM_LEGAL:
        return play_random_legal(game, draws)
    name, _, settings = words.partition(":")
    values = (setting.split("=") for setting in settings.split(",") if setting)
    place = partial(PLACE[name], **{parameter: int(value) for parameter, value in values})
    return play_simple(game, partial(place, draws=draws) if name == "random" else place)


def assert_laid_out(variant, foundations):
    """A deal's foundations are the variant's, where those are not left to chance."""
    for rule, of_the_deal in zip(variant.foundations, foundations, strict=True):
        assert of_the_deal.start == (rule.start or of_the_deal.start)
        assert of_the_deal.step == (rule.step or of_the_deal.step)


def assert_same_games(words, variant, seed, indexes):
    """The engine's games are the reference's, move for move."""
    player = player_of(words, variant)
    for index in indexes:
        traced = trace_game(player, variant, Deals(seed, index, 1))
        assert_laid_out(variant, traced.foundations)
        game = dealt_game(variant, seed, index, traced.foundations)
        result = play_reference(words, game, StrategyDraws(seed, index, player.draw_key))
        where = f"{words}, {variant.name}, seed {seed}, deal {index}"
        assert traced.fault is None, where
        assert traced.moves == game.moves, where
        assert traced.final == result["foundations"], where
        assert traced.direct_plays == result["direct_plays"], where


def run_without_a_compiler(file):
    """Run a test file as a script of its own, the engine interpreted: what it printed."""
    paths = os.pathsep.join([PACKAGE_FOLDER, str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, file],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout
