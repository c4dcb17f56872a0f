"""The identity of a plan: it tells what differs, and all that the games depend on is in it."""

import copy

import pytest
from executors import POOL, InProcess

from calcsim.batch.identity import differences, plan_fields, plan_sha256, setting_fields
from calcsim.batch.plan import make_plan
from calcsim.simulation import simulate


@pytest.fixture
def manifest_of(monkeypatch):
    monkeypatch.setattr(POOL, InProcess)

    def of(*strategies, confidence=0.95, **settings):
        plan = make_plan(strategies, **{"deals": 5, "seed": 1} | settings)
        return simulate(plan, confidence=confidence).manifest

    return of


def test_the_same_plan_has_the_same_identity(manifest_of):
    one, other = manifest_of("greedy"), manifest_of("greedy", confidence=0.5)
    assert one["plan_sha256"] == other["plan_sha256"] == plan_sha256(one)
    assert list(differences(plan_fields(one), plan_fields(other))) == []
    assert list(differences(setting_fields(one), setting_fields(other))) == [
        "confidence: 0.95 there, 0.5 here"
    ]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"seed": 2}, ["seed: 1 there, 2 here"]),
        ({"deals": 6}, []),
        ({"first_deal": 1}, []),
        ({"variant": "three-wastes"}, ["variant: "]),
    ],
)
def test_every_part_of_a_plan_tells(manifest_of, settings, says):
    one, other = manifest_of("greedy"), manifest_of("greedy", **settings)
    assert one["plan_sha256"] != other["plan_sha256"]
    found = list(differences(plan_fields(one), plan_fields(other)))
    assert len(found) == len(says)
    assert all(line.startswith(start) for line, start in zip(found, says, strict=True))


def test_strategies_and_their_parameters_tell(manifest_of):
    one, other = manifest_of("king-pile"), manifest_of("king-pile:release=5")
    assert one["plan_sha256"] != other["plan_sha256"]
    assert list(differences(plan_fields(one), plan_fields(other))) == [
        'strategies: ["king-pile"] there, ["king-pile:release=5"] here'
    ]


@pytest.mark.parametrize("name", ["source_sha256", "imports", "requirements", "arrays_sha256"])
def test_what_a_strategy_is_made_of_tells(manifest_of, name):
    one = manifest_of("greedy")
    other = copy.deepcopy(one)
    other["strategies"][0][name] = "another"
    assert plan_sha256(one) != plan_sha256(other)
    (line,) = differences(plan_fields(one), plan_fields(other))
    assert line.startswith(f"{name} of greedy: ")
    assert line.endswith(" there, another here")
