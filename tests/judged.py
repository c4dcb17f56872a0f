"""What tests share that hold the engine's games against the reference's."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from reference_strategies import PLACE

import calcsim
from calcsim.engine.games import Deals, trace_game
from calcsim.game.variant import Foundation, Variant
from calcsim.game.variants import VARIANTS
from calcsim.reference.dealing import new_game
from calcsim.reference.draws import StrategyDraws
from calcsim.reference.playing import play_full, play_simple
from calcsim.reference.rules import rules_from_data
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


def rules_of(variant):
    """The reference's rules of a variant."""
    return rules_from_data(variant.as_data())


def dealt_game(variant, seed, index):
    """A deal on the reference's table."""
    return new_game(rules_of(variant), seed, index)


def pairs_of(foundations):
    """Start and step of each foundation."""
    return [(foundation.start, foundation.step) for foundation in foundations]


def pairs_on(game):
    """Start and step of each foundation on the reference's table."""
    return list(zip(game.rules.starts, game.rules.steps, strict=True))


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


def assert_same_games(words, variant, seed, indexes):
    """The engine's games are the reference's, move for move."""
    player = player_of(words, variant)
    for index in indexes:
        traced = trace_game(player, variant, Deals(seed, index, 1))
        game = dealt_game(variant, seed, index)
        result = play_reference(words, game, StrategyDraws(seed, index, player.draw_key))
        where = f"{words}, {variant.name}, seed {seed}, deal {index}"
        assert traced.fault is None, where
        assert pairs_of(traced.foundations) == pairs_on(game), where
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
