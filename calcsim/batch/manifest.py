"""The manifest of a run: what it was, by what it was made, and how it went."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import shlex
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calcsim.batch.deck_file import Deck
from calcsim.batch.identity import plan_sha256
from calcsim.batch.plan import Plan
from calcsim.batch.shard_record import ShardRecord
from calcsim.batch.wanted import Wanted
from calcsim.engine.fault import Fault
from calcsim.game.shuffle import DEAL_FORMAT
from calcsim.game.variant import Variant
from calcsim.strategy.strategy import Strategy, ready_player

SCHEMA_VERSION = 1

_MOST_FAULTS = 3
_LIBRARIES = ("numba", "llvmlite", "numpy", "polars", "scipy")


@dataclass
class Course:
    """How a run goes.

    Attributes:
        started: when, with its time zone.
        workers: processes that play.
        playing: since when they do, strategies having been compiled.
        fingerprints: of the strategies by their labels, once they are taken.
        before: the manifest of the run that this one goes on with, or None.
        deals_done: deals that every strategy has played.
        played: deals that each strategy has played, by its label.
        seconds: that each took for them, of all workers together.
        audited: games of each that were played again in the reference engine.
        faults: the first few games of each that it could not finish.
        games: that were played since `playing`.
        finished: when it ended, or None.
        status: `running`, `finished`, `interrupted` or `failed`.
    """

    started: datetime.datetime
    workers: int
    playing: datetime.datetime | None = None
    fingerprints: dict[str, str] = field(default_factory=dict)
    before: dict[str, Any] | None = None
    deals_done: int = 0
    played: Counter[str] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    audited: Counter[str] = field(default_factory=Counter)
    faults: defaultdict[str, list[Fault]] = field(default_factory=lambda: defaultdict(list))
    games: int = 0
    finished: datetime.datetime | None = None
    status: str = "running"

    def count(self, record: ShardRecord) -> None:
        """Add a shard."""
        self.deals_done += record.count
        for place, label in enumerate(record.labels):
            self.played[label] += record.count
            self.seconds[label] += record.seconds[place]
            self.audited[label] += record.audited[place]
            self.faults[label] = [*self.faults[label], *record.faults[place]][:_MOST_FAULTS]


def now() -> datetime.datetime:
    """The time, with the zone of this machine."""
    return datetime.datetime.now().astimezone()


def manifest(
    plan: Plan,
    course: Course,
    wanted: Wanted,
    confidence: float,
    stopping: dict[str, Any] | None,
    digests: dict[str, Any],
) -> dict[str, Any]:
    """The manifest as JSON holds it.

    Args:
        plan: what is played, at the most where the run may stop early.
        course: how it goes.
        wanted: what is done with the games.
        confidence: of the intervals.
        stopping: why the run may stop early, or None.
        digests: of the tables' content.
    """
    end = course.finished or now()
    seconds = (end - (course.playing or end)).total_seconds()
    before = course.before or {}
    data = {
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
        "strategies": [_strategy_data(s, plan.variant) | _went(s, course) for s in plan.strategies],
        "confidence": confidence,
        "stopping": stopping,
        "keep_going": wanted.keep_going,
        "audit": wanted.audit,
        "rows": wanted.rows,
        "command": before.get("command") or shlex.join(["calcsim", *sys.argv[1:]]),
        "folder": before.get("folder") or os.getcwd(),
        "started": before.get("started") or course.started.isoformat(timespec="seconds"),
        "resumed": [
            *before.get("resumed", []),
            *([course.started.isoformat(timespec="seconds")] if before else []),
        ],
        "ended": end.isoformat(timespec="seconds") if course.finished else None,
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "workers": course.workers,
        },
        "throughput": {
            "seconds": round(seconds, 3),
            "games_per_second": round(course.games / seconds, 1) if seconds > 0 else None,
        },
        "digests": digests,
    }
    return data | {"plan_sha256": plan_sha256(data)}


def _went(strategy: Strategy, course: Course) -> dict[str, Any]:
    label = strategy.label
    return {
        "fingerprint": course.fingerprints.get(label),
        "deals_done": course.played[label],
        "seconds": round(course.seconds[label], 3),
        "audited": course.audited[label],
        "faults": [fault.as_data() for fault in course.faults[label]],
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
