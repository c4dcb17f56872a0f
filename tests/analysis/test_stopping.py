"""When a run is over: as precise as asked for, or one strategy left."""

import numpy as np
import pytest

from calcsim.analysis.sequences import rate_sequence
from calcsim.analysis.stopping import Stopping
from calcsim.analysis.tally import Tally
from calcsim.analysis.totals import Totals
from calcsim.batch.duels import Duels

CARDS = 52


def tally_of(wins, deals):
    counts = np.zeros(CARDS + 1, dtype=np.int64)
    counts[CARDS], counts[20] = wins, deals - wins
    return Tally(counts, 0)


def played(wins, deals):
    """Tallies and duels of strategies whose wins nest: who wins less wins nothing of his own."""
    labels = list(wins)
    duels = Duels.none(len(labels))
    for a, of_a in enumerate(wins.values()):
        for b, of_b in enumerate(wins.values()):
            duels.deals[a, b] = deals
            duels.won[a, b] = of_a
            duels.both_won[a, b] = min(of_a, of_b)
    return totals_of({label: tally_of(of_one, deals) for label, of_one in wins.items()}, duels)


def totals_of(tallies, duels):
    totals = Totals(list(tallies), CARDS)
    totals.tallies, totals.duels = tallies, duels
    return totals


def who_goes_on(stopping, wins, deals, playing=None):
    return stopping.who_goes_on(playing or list(wins), played(wins, deals), 0.95)


def test_a_run_goes_on_until_every_interval_is_narrow_enough():
    wins = {"rare": 100, "often": 5000}
    widths = [np.diff(rate_sequence(of_one, 10_000)).item() / 2 for of_one in wins.values()]
    assert widths[0] < widths[1]
    between, enough = sum(widths) / 2, max(widths)
    assert who_goes_on(Stopping(precision=between), wins, 10_000) == ["rare", "often"]
    assert who_goes_on(Stopping(precision=enough), wins, 10_000) == []


def test_a_race_drops_who_is_surely_not_the_best():
    wins = {"worst": 100, "best": 5000, "close": 4990}
    assert who_goes_on(Stopping(race=True), wins, 10_000) == ["best", "close"]


def test_a_race_is_over_when_one_is_left():
    assert who_goes_on(Stopping(race=True), {"a": 100, "b": 5000}, 10_000) == []


def test_a_race_to_a_precision_goes_on_for_the_winner():
    wins = {"a": 100, "b": 5000}
    assert who_goes_on(Stopping(precision=0.001, race=True), wins, 10_000) == ["b"]
    assert who_goes_on(Stopping(precision=0.1, race=True), wins, 10_000) == []


def test_precise_rivals_race_on():
    wins = {"a": 5000, "b": 5001}
    assert who_goes_on(Stopping(precision=0.1, race=True), wins, 10_000) == ["a", "b"]


def test_who_has_dropped_out_does_not_come_back():
    wins = {"a": 5000, "gone": 5001, "b": 5002}
    assert who_goes_on(Stopping(race=True), wins, 10_000, ["a", "b"]) == ["a", "b"]


@pytest.mark.parametrize("words", [{}, {"precision": 0.0}, {"precision": 1}, {"precision": -0.1}])
def test_what_stops_nothing_is_refused(words):
    with pytest.raises(ValueError, match="precision"):
        Stopping(**words)


def test_the_best_survives_in_most_races():
    """Of 300 races of four that are equally good, 5 % at most drop the first (and some do)."""
    rng = np.random.default_rng(5)
    dropped = 0
    for _ in range(300):
        won = rng.random((4, 4000)) < 0.3
        for deals in range(1000, 4001, 1000):
            duels = Duels.none(4)
            seen = won[:, :deals].astype(np.int64)
            duels.deals[:], duels.won[:] = deals, seen.sum(axis=1)[:, None]
            duels.both_won[:] = seen @ seen.T
            tallies = {str(n): tally_of(int(seen[n].sum()), deals) for n in range(4)}
            totals = totals_of(tallies, duels)
            if "0" not in Stopping(race=True).who_goes_on(list(tallies), totals, 0.5):
                dropped += 1
                break
    assert dropped <= 150


def test_games_that_failed_keep_a_run_going():
    """They may be won or lost, so that neither precision nor the end of a race comes of them."""
    totals = played({"a": 5000, "b": 100}, 10_000)
    precise, race = Stopping(precision=0.02), Stopping(race=True)
    assert precise.who_goes_on(["a", "b"], totals, 0.95) == []
    assert race.who_goes_on(["a", "b"], totals, 0.95) == []
    failed = 4900
    totals.tallies["b"] = Tally(totals.tallies["b"].foundation_cards, 0, failed)
    totals.duels.failed[1, :] = failed
    assert precise.who_goes_on(["a", "b"], totals, 0.95) == ["a", "b"]
    assert race.who_goes_on(["a", "b"], totals, 0.95) == ["a", "b"]
