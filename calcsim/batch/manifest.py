"""The manifest of a run: what it was, by what it was made, and how it went."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from calcsim.batch.deck_file import Deck
from calcsim.batch.plan import Plan
from calcsim.game.shuffle import DEAL_FORMAT
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy, ready_player

SCHEMA_VERSION = 1

_LIBRARIES = ("numba", "llvmlite", "numpy", "polars", "scipy")


@dataclass
class Course:
    """How a run goes.

    Attributes:
        started: when, with its time zone.
        workers: processes that play.
        playing: since when they do, strategies having been compiled.
        fingerprints: of the strategies, in the order of the plan, once they are taken.
        deals_done: deals that every strategy has played.
        played: deals that each strategy has played, by its label.
        seconds: that each took for them, of all workers together.
        finished: when it ended, or None.
        status: `running`, `finished`, `interrupted` or `failed`.
    """

    started: datetime.datetime
    workers: int
    playing: datetime.datetime | None = None
    fingerprints: Sequence[str | None] = ()
    deals_done: int = 0
    played: Counter[str] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    finished: datetime.datetime | None = None
    status: str = "running"


def now() -> datetime.datetime:
    """The time, with the zone of this machine."""
    return datetime.datetime.now().astimezone()


def manifest(
    plan: Plan,
    course: Course,
    confidence: float,
    stopping: dict[str, Any] | None,
    digests: dict[str, Any],
) -> dict[str, Any]:
    """The manifest as JSON holds it.

    Args:
        plan: what is played, at the most where the run may stop early.
        course: how it goes.
        confidence: of the intervals.
        stopping: why the run may stop early, or None.
        digests: of the tables' content.
    """
    end = course.finished or now()
    seconds = (end - (course.playing or end)).total_seconds()
    games = course.played.total()
    return {
        "schema_version": SCHEMA_VERSION,
        "status": course.status,
        "calcsim": importlib.metadata.version("calcsim"),
        "libraries": {name: importlib.metadata.version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
        "deal_format": DEAL_FORMAT,
        "seed": plan.seed,
        "first_deal": plan.first_deal,
        "deals": plan.deals,
        "deals_done": course.deals_done,
        "deck": _deck_data(plan.deck) if plan.deck else None,
        "variant": plan.variant.as_data(),
        "strategies": [
            _strategy_data(strategy, plan.variant)
            | {
                "fingerprint": taken,
                "deals_done": course.played[strategy.label],
                "seconds": round(course.seconds[strategy.label], 3),
            }
            for strategy, taken in zip_longest(plan.strategies, course.fingerprints)
        ],
        "confidence": confidence,
        "stopping": stopping,
        "command": shlex.join(["calcsim", *sys.argv[1:]]),
        "started": course.started.isoformat(timespec="seconds"),
        "ended": end.isoformat(timespec="seconds") if course.finished else None,
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "workers": course.workers,
        },
        "throughput": {
            "seconds": round(seconds, 3),
            "games_per_second": round(games / seconds, 1) if seconds > 0 else None,
        },
        "digests": digests,
    }


def _deck_data(deck: Deck) -> dict[str, Any]:
    return {
        "file": str(Path(deck.path).absolute()),
        "letters": deck.letters,
        "sha256": deck.sha256,
    }


def _strategy_data(strategy: Strategy, variant: Variant) -> dict[str, Any]:
    source = strategy.source
    data = {
        "label": strategy.label,
        "name": strategy.name,
        "words": strategy.spec,
        "origin": strategy.origin,
        "form": strategy.form,
        "parameters": dict(
            zip((p.name for p in strategy.parameters), strategy.values, strict=True)
        ),
        "source_sha256": source.main.sha256,
    }
    if source.siblings or source.requirements:
        data["imports"] = {file.module: file.sha256 for file in source.siblings}
        data["requirements"] = list(source.requirements)
    arrays = ready_player(strategy, variant).arrays_sha256
    if arrays:
        data["arrays_sha256"] = arrays
    return data
