"""The audit of a run: which deals it takes, and that it finds whatever is wrong with them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.batch import auditing
from calcsim.batch.auditing import audit_some, audited_deals
from calcsim.batch.wanted import Wanted
from calcsim.engine.games import Deals, play
from calcsim.game.deal import deal_cards
from calcsim.game.layout import lay_out_variant
from calcsim.game.variants import STANDARD
from calcsim.reference.audit import AuditError
from calcsim.strategy.strategy import load_strategy, ready_player

GREEDY = load_strategy("greedy")
DEALS = Deals(5, 100, 40)


@pytest.fixture
def games():
    return play(ready_player(GREEDY, STANDARD), lay_out_variant(STANDARD), DEALS)


@given(
    st.integers(0, 2**64 - 1),
    st.integers(0, 10**6),
    st.lists(st.integers(1, 500), min_size=1, max_size=8),
    st.sampled_from([1.0, 0.5, 0.1, 1 / 77, 0.001]),
)
def test_no_cut_changes_which_deals_are_audited(seed, first, sizes, share):
    whole = list(audited_deals(Deals(seed, first, sum(sizes)), Wanted(audit=share)))
    parts = []
    for size in sizes:
        parts += audited_deals(Deals(seed, first, size), Wanted(audit=share))
        first += size
    assert parts == whole
    assert len(set(whole)) == len(whole)


@pytest.mark.parametrize("share", [1.0, 0.1, 0.01])
def test_it_is_about_that_share_of_the_deals(share):
    number = len(list(audited_deals(Deals(3, 12_345, 100_000), Wanted(audit=share))))
    assert abs(number - 100_000 * share) <= 1


def test_without_a_share_there_is_but_the_deal_that_is_audited_anyway():
    assert list(audited_deals(DEALS, Wanted(audit=0))) == []
    assert list(audited_deals(DEALS, Wanted(audit=0, audited_anyway=120))) == [120]
    assert list(audited_deals(DEALS, Wanted(audit=0, audited_anyway=140))) == []


def test_it_tells_how_many_games_it_took(games):
    assert audit_some(GREEDY, STANDARD, DEALS, games, Wanted(audit=1)) == 40
    failed = replace(games, failed=np.array([3, 8]))
    assert audit_some(GREEDY, STANDARD, DEALS, failed, Wanted(audit=1)) == 38


def test_given_deals_are_audited_too(games):
    cards = deal_cards(STANDARD, 9, 0, 40)
    deals = Deals(5, 0, 40, cards)
    given = play(ready_player(GREEDY, STANDARD), lay_out_variant(STANDARD), deals)
    assert audit_some(GREEDY, STANDARD, deals, given, Wanted(audit=0.25)) == 10


@pytest.mark.parametrize("what", ["foundations", "direct_plays"])
def test_a_result_that_is_not_so_is_found_and_its_deal_named(games, what):
    getattr(games, what)[..., 17] += 1
    with pytest.raises(AuditError, match="the audit of deal 117 of 'greedy' failed: ") as raised:
        audit_some(GREEDY, STANDARD, DEALS, games, Wanted(audit=1))
    assert "\n" not in str(raised.value)


def test_a_move_that_is_not_so_is_found(games, monkeypatch):
    def tampered(player, variant, deals):
        game = trace_game(player, variant, deals)
        game.moves[7] = {"move": "turn", "card": 1}
        return game

    trace_game = auditing.trace_game
    monkeypatch.setattr(auditing, "trace_game", tampered)
    with pytest.raises(AuditError, match="the audit of deal 100 of 'greedy' failed: move 8"):
        audit_some(GREEDY, STANDARD, DEALS, games, Wanted(audit=1))
