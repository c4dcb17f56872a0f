"""Plans: what is refused, and what is filled in."""

import numpy as np
import pytest

from calcsim.batch.deck_file import Deck
from calcsim.batch.plan import DEFAULT_DEALS, PlanError, make_plan
from calcsim.game.deal import deal_cards
from calcsim.game.variants import STANDARD

LARGEST = 2**64 - 1
DECK = Deck("some.txt", deal_cards(STANDARD, 1, 0, 5))


def test_what_is_left_out_is_filled_in():
    plan = make_plan(["greedy"])
    assert plan.deals == DEFAULT_DEALS
    assert plan.first_deal == 0
    assert plan.variant == STANDARD
    assert 0 <= plan.seed < 2**32
    assert make_plan(["greedy"]).seed != plan.seed


def test_a_deck_is_played_whole_or_from_some_deal_on():
    plan = make_plan(["greedy"], deck=DECK)
    assert (plan.seed, plan.first_deal, plan.deals) == (0, 0, 5)
    plan = make_plan(["greedy"], deck=DECK, first_deal=3)
    assert plan.deals == 2
    assert np.array_equal(plan.deals_from(3, 2).cards, DECK.cards[3:])


def test_the_largest_numbers_will_do():
    plan = make_plan(["greedy"], seed=LARGEST, first_deal=LARGEST, deals=1)
    assert plan.deals_from(LARGEST, 1).first == LARGEST


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("there is no strategy", {"strategies": []}),
        ("two strategies are called 'greedy'", {"strategies": ["greedy", "greedy"]}),
        ("called 'king-pile'", {"strategies": ["king-pile", "king-pile:release=3"]}),
        ("a seed is 0 to", {"seed": -1}),
        ("a seed is 0 to", {"seed": LARGEST + 1}),
        ("at least 1 deal", {"deals": 0}),
        ("there is no deal 5: the deck's are 0 to 4", {"deck": DECK, "first_deal": 5}),
        ("deals -1 to 0 do not exist", {"first_deal": -1, "deals": 2}),
        (f"deals {LARGEST} to {LARGEST + 1} do not exist", {"first_deal": LARGEST, "deals": 2}),
        ("deals 0 to 5 do not exist: they are numbered 0 to 4", {"deck": DECK, "deals": 6}),
        ("deals 4 to 5 do not exist", {"deck": DECK, "first_deal": 4, "deals": 2}),
    ],
)
def test_what_cannot_be_carried_out_is_refused(words, changes):
    with pytest.raises(PlanError, match=words):
        make_plan(**{"strategies": ["greedy"], **changes})


@pytest.mark.parametrize(
    ("says", "changes"),
    [
        ("deals is a whole number, not 1000.5", {"deals": 1000.5}),
        ("seed is a whole number, not 'a'", {"seed": "a"}),
        (r"strategies are a list: \['greedy'\]", {"strategies": "greedy"}),
    ],
)
def test_what_is_no_number_or_list_is_refused(says, changes):
    with pytest.raises(PlanError, match=says):
        make_plan(**{"strategies": ["greedy"], "seed": 1, "deals": 3} | changes)
