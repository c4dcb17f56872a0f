"""A fault in a strategy shown at its own line: the deal is played again by the interpreter.

Compiled code cannot tell the line it was on. numba reads whether to compile when it is imported, so
the game is played by a process of its own, which is what this module is when it is run.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, play
from calcsim.game.layout import lay_out_variant
from calcsim.game.variant import Variant
from calcsim.strategy.errors import strategy_traceback
from calcsim.strategy.strategy import Strategy, ready_player

_SECONDS = 60
_SECONDS_A_GAME = 5


def explain_fault(strategy: Strategy, variant: Variant, deals: Deals) -> str:
    """The traceback of what a strategy raises in one deal; empty if it cannot be had."""
    package_folder = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join(filter(None, [package_folder, os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "calcsim.strategy.explain"],
            input=pickle.dumps((strategy, variant, deals)),
            env=environment,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace").rstrip()


def _traceback_of(strategy: Strategy, variant: Variant, deals: Deals) -> str:
    try:
        play(ready_player(strategy, variant), lay_out_variant(variant), deals)
    except Fault as fault:
        if fault.__cause__ is not None:
            return strategy_traceback(fault.__cause__, strategy.source.main.path)
    return ""


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TimeoutError("the game was not over after a while")


if __name__ == "__main__":
    # A game without end is shown at a line that it goes through again and again.
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(_SECONDS_A_GAME)
    print(_traceback_of(*pickle.load(sys.stdin.buffer)))
