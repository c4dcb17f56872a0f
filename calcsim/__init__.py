"""calcsim: batch simulation of the patience Calculation.

What a strategy file may import, and what the commands do as calls from Python.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calcsim.analysis.compare import compare as compare
    from calcsim.analysis.diff import diff as diff
    from calcsim.analysis.run import Run as Run
    from calcsim.analysis.run import scan as scan
    from calcsim.analysis.stopping import Stopping as Stopping
    from calcsim.batch.deck_file import Deck as Deck
    from calcsim.batch.deck_file import read_deck as read_deck
    from calcsim.batch.plan import Plan as Plan
    from calcsim.batch.plan import make_plan as make_plan
    from calcsim.batch.rules import load_variant as load_variant
    from calcsim.checking import Outcome as Outcome
    from calcsim.checking import check_contract as check_contract
    from calcsim.game.copies import blank_tables as blank_tables
    from calcsim.game.copies import copy_table as copy_table
    from calcsim.game.deal import deal_cards as deal_cards
    from calcsim.game.draws import random_below as random_below
    from calcsim.game.moves import DONE as DONE
    from calcsim.game.moves import make_move as make_move
    from calcsim.game.moves import place_on as place_on
    from calcsim.game.moves import play_card as play_card
    from calcsim.game.moves import play_top as play_top
    from calcsim.game.table import NEVER as NEVER
    from calcsim.game.table import comes_right_after as comes_right_after
    from calcsim.game.table import distance_on as distance_on
    from calcsim.game.table import foundation_for as foundation_for
    from calcsim.game.table import has_taken as has_taken
    from calcsim.game.table import height as height
    from calcsim.game.table import need_distance as need_distance
    from calcsim.game.table import needs as needs
    from calcsim.game.table import on_foundation as on_foundation
    from calcsim.game.table import shortest_waste as shortest_waste
    from calcsim.game.table import stock_left as stock_left
    from calcsim.game.table import top as top
    from calcsim.game.table import unseen as unseen
    from calcsim.game.table import waste_card as waste_card
    from calcsim.game.variant import Foundation as Foundation
    from calcsim.game.variant import Variant as Variant
    from calcsim.replaying import Replay as Replay
    from calcsim.replaying import replay as replay
    from calcsim.simulation import simulate as simulate
    from calcsim.strategy.parameters import Between as Between
    from calcsim.strategy.strategy import Strategy as Strategy
    from calcsim.strategy.strategy import load_strategy as load_strategy

_HOMES = {
    "calcsim.analysis.compare": ("compare",),
    "calcsim.analysis.diff": ("diff",),
    "calcsim.analysis.run": ("Run", "scan"),
    "calcsim.analysis.stopping": ("Stopping",),
    "calcsim.batch.deck_file": ("Deck", "read_deck"),
    "calcsim.batch.plan": ("Plan", "make_plan"),
    "calcsim.batch.rules": ("load_variant",),
    "calcsim.checking": ("Outcome", "check_contract"),
    "calcsim.game.copies": ("blank_tables", "copy_table"),
    "calcsim.game.deal": ("deal_cards",),
    "calcsim.game.draws": ("random_below",),
    "calcsim.game.moves": ("DONE", "make_move", "place_on", "play_card", "play_top"),
    "calcsim.game.table": (
        "NEVER",
        "comes_right_after",
        "distance_on",
        "foundation_for",
        "has_taken",
        "height",
        "need_distance",
        "needs",
        "on_foundation",
        "shortest_waste",
        "stock_left",
        "top",
        "unseen",
        "waste_card",
    ),
    "calcsim.game.variant": ("Foundation", "Variant"),
    "calcsim.replaying": ("Replay", "replay"),
    "calcsim.simulation": ("simulate",),
    "calcsim.strategy.parameters": ("Between",),
    "calcsim.strategy.strategy": ("Strategy", "load_strategy"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `calcsim --help` needs none of them."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'calcsim' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
