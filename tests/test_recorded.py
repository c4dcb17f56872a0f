"""Plans from manifests: the same games again, or a word about what has changed."""

import json
from dataclasses import replace

import numpy as np
import pytest
from executors import POOL, InProcess

from calcsim import load_variant, make_plan, read_deck, simulate
from calcsim.game.variant_data import variant_from_record
from calcsim.game.variants import VARIANTS
from calcsim.recorded import ChangedError, recorded_plan

LEANING = """\
import numpy as np
from leaning_on import waste_of

def arrays(variant):
    return {"weights": np.load("WEIGHTS")}

def place(table, card, weights):
    return waste_of(card) + int(weights[0])
"""


@pytest.fixture
def manifest_of(monkeypatch):
    """What a run of a plan records, after a way through JSON."""
    monkeypatch.setattr(POOL, InProcess)

    def play(strategies, **settings):
        plan = make_plan(strategies, **{"deals": 20, "seed": 5} | settings)
        return plan, json.loads(json.dumps(simulate(plan, workers=1).manifest))

    return play


@pytest.fixture
def leaning(tmp_path, monkeypatch):
    """A strategy with an import and an array."""
    monkeypatch.chdir(tmp_path)
    np.save("weights.npy", np.zeros(1))
    (tmp_path / "leaning.py").write_text(LEANING.replace("WEIGHTS", str(tmp_path / "weights.npy")))
    (tmp_path / "leaning_on.py").write_text("def waste_of(card):\n    return card % 3\n")
    return "leaning.py"


def is_same(again, plan):
    """Whether two plans differ at most in the summary of their rules, which no manifest holds."""
    assert again.variant.name == plan.variant.name
    assert again.variant.same_rules(plan.variant)
    return replace(again, variant=plan.variant) == plan


def test_the_plan_of_a_run(manifest_of):
    words = ["random", "king-pile:release=2", "greedy"]
    plan, manifest = manifest_of(words, first_deal=7, variant="standard:wastes=3")
    assert is_same(recorded_plan(manifest, [s.label for s in plan.strategies]), plan)
    alone = recorded_plan(manifest, ["king-pile:release=2"])
    assert alone.strategies == plan.strategies[1:2]


def test_only_what_all_have_played(manifest_of):
    _, manifest = manifest_of(["random", "greedy"])
    manifest["strategies"][0]["deals_done"] = 4
    assert recorded_plan(manifest, ["random", "greedy"]).deals == 4
    assert recorded_plan(manifest, ["greedy"]).deals == 20


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("counts", [(None, None), (9, None), (9, 7)])
def test_every_variant_is_read_back(name, counts):
    variant = load_variant(name).with_counts(*counts)
    again = variant_from_record(json.loads(json.dumps(variant.as_data())))
    assert again.same_rules(variant)
    assert again.name == variant.name


@pytest.mark.parametrize(("letters", "jack", "queen"), [("en", "J", "Q"), ("nl", "B", "V")])
def test_a_deck_is_read_in_its_letters(manifest_of, tmp_path, letters, jack, queen):
    cards = [rank for rank in range(1, 14) for _ in range(4 if rank > 4 else 3)]
    king = {"en": "K", "nl": "H"}[letters]
    names = {1: "A", 11: jack, 12: queen, 13: king}
    line = " ".join(names.get(rank, str(rank)) for rank in cards)
    (tmp_path / "deals.txt").write_text(f"{line}\n{line}\n")
    deck = read_deck(tmp_path / "deals.txt", load_variant("standard"), letters)
    _, manifest = manifest_of(["greedy"], deck=deck, deals=2)
    again = recorded_plan(manifest, ["greedy"]).deck
    assert (again.letters, again.sha256, again.path) == (letters, deck.sha256, deck.path)
    for text, says in (
        (f"{line}\n", r"deals\.txt no longer holds the deals of the run"),
        ("nothing\n", r"the deals of the run cannot be had again: .*'nothing' is no card"),
        (None, r"the deals of the run cannot be had again: .*No such file"),
    ):
        if text is None:
            (tmp_path / "deals.txt").unlink()
        else:
            (tmp_path / "deals.txt").write_text(text)
        with pytest.raises(ChangedError, match=says):
            recorded_plan(manifest, ["greedy"])


def test_what_a_strategy_leans_on_may_change(manifest_of, leaning, tmp_path):
    plan, manifest = manifest_of([leaning])
    assert is_same(recorded_plan(manifest, ["leaning"]), plan)
    for file, change in [
        ("leaning_on.py", lambda path: path.write_text(path.read_text() + "# more\n")),
        ("array weights", lambda _: np.save("weights.npy", np.ones(1))),
        ("leaning.py", lambda path: path.write_text(path.read_text() + "# more\n")),
    ]:
        change(tmp_path / file)
        with pytest.raises(ChangedError, match="'leaning' has changed since the run: ") as refused:
            recorded_plan(manifest, ["leaning"])
        assert file.removesuffix("_on.py") in str(refused.value)
    (tmp_path / "leaning.py").unlink()
    with pytest.raises(ChangedError, match="'leaning' cannot be had again: there is no strategy"):
        recorded_plan(manifest, ["leaning"])


def test_other_deals_are_refused(manifest_of):
    _, manifest = manifest_of(["greedy"])
    with pytest.raises(ChangedError, match="deals other cards"):
        recorded_plan(manifest | {"deal_format": 0}, ["greedy"])
