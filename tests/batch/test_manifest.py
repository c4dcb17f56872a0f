"""`run.json` tells what a run was, by what it was made and how it went."""

import datetime
import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import pytest
from executors import POOL, InProcess

from calcsim.batch.deck_file import Deck
from calcsim.batch.plan import make_plan
from calcsim.game.deal import deal_cards
from calcsim.game.variants import STANDARD
from calcsim.simulation import simulate
from calcsim.strategy.catalogue import builtin_folder
from calcsim.strategy.fingerprint import fingerprint
from calcsim.strategy.strategy import load_strategy


@pytest.fixture
def manifest(run):
    return json.loads((run.path / "run.json").read_text(encoding="utf-8"))


def test_it_has_these_fields(manifest):
    assert set(manifest) == {
        "schema_version",
        "status",
        "calcsim",
        "libraries",
        "python",
        "plan_sha256",
        "deal_format",
        "seed",
        "first_deal",
        "deals",
        "deals_done",
        "deck",
        "variant",
        "strategies",
        "confidence",
        "stopping",
        "keep_going",
        "audit",
        "rows",
        "command",
        "folder",
        "started",
        "resumed",
        "ended",
        "machine",
        "throughput",
        "digests",
    }


def test_it_tells_the_plan(manifest):
    assert manifest["schema_version"] == 1
    assert manifest["status"] == "finished"
    assert manifest["deal_format"] == 1
    assert (manifest["seed"], manifest["first_deal"]) == (3, 50)
    assert manifest["deals"] == manifest["deals_done"] == 1000
    assert manifest["deck"] is None
    assert manifest["variant"] == STANDARD.as_data()
    assert manifest["confidence"] == 0.95


def test_it_tells_the_versions(manifest):
    assert manifest["calcsim"] == version("calcsim")
    for name in ("numba", "numpy", "polars"):
        assert manifest["libraries"][name] == version(name)


def test_it_tells_the_strategies(manifest):
    greedy, king_pile = manifest["strategies"]
    assert greedy["label"] == greedy["name"] == "greedy"
    assert king_pile["label"] == king_pile["words"] == "king-pile:release=5"
    assert king_pile["name"] == "king-pile"
    assert king_pile["parameters"] == {"release": 5}
    for data, file in ((greedy, "greedy.py"), (king_pile, "king_pile.py")):
        source = (builtin_folder() / file).read_bytes()
        assert data["source_sha256"] == hashlib.sha256(source).hexdigest()
        assert data["fingerprint"] == fingerprint(load_strategy(data["label"]), STANDARD)


def test_it_tells_when_and_how_fast(manifest):
    started, ended = map(datetime.datetime.fromisoformat, (manifest["started"], manifest["ended"]))
    assert started.tzinfo
    assert started <= ended
    assert manifest["throughput"]["games_per_second"] > 0
    assert manifest["machine"]["workers"] >= 1


def test_it_tells_the_deck(tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, InProcess)
    cards = deal_cards(STANDARD, 1, 0, 3)
    plan = make_plan(["greedy"], deck=Deck("some.txt", cards))
    run = simulate(plan, out=tmp_path / "run", confidence=0.9)
    digest = hashlib.sha256(cards.tobytes()).hexdigest()
    file = str(Path("some.txt").absolute())
    assert run.manifest["deck"] == {"file": file, "letters": "en", "sha256": digest}
    assert (run.manifest["seed"], run.manifest["deals"]) == (0, 3)
    assert run.manifest["confidence"] == run.win_rates["confidence"][0] == 0.9


def test_what_is_said_of_a_running_run_is_so(run, monkeypatch):
    """The first manifest is written while the workers play."""
    plan = make_plan(["greedy"], deals=10, seed=1)
    seen = []

    class Watching(InProcess):
        def submit(self, function, /, *arguments):
            if (folder / "run.json").exists():
                seen.append(json.loads((folder / "run.json").read_text()))
            return super().submit(function, *arguments)

    folder = run.path.parent / "watched"
    monkeypatch.setattr(POOL, Watching)
    simulate(plan, out=folder, workers=1, shard_deals=2)
    assert seen
    assert {m["status"] for m in seen} == {"running"}
    assert {m["ended"] for m in seen} == {None}
    assert {m["deals_done"] for m in seen} == {0}
