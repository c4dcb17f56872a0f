"""Rules from data: all that can be played, and a clear word on what cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_files import rules_data

from calcsim.game.variant import Foundation, VariantError
from calcsim.game.variant_data import variant_from_data
from calcsim.game.variants import STANDARD, VARIANTS

ONE = [{"start": 1, "step": 1}]
KEYS = st.sampled_from(["name", "decks", "foundations", "start", "step", "prefilled", "wastes"])


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_variant_comes_back_from_its_data(variant):
    read = variant_from_data(variant.as_data(), "other", variant.summary)
    assert read == variant


@given(rules_data())
def test_any_rules_come_back_from_their_data(data):
    variant = variant_from_data(data, "mine")
    assert variant.as_data() == {"name": "mine"} | data
    assert variant_from_data(variant.as_data(), "other") == variant


def test_what_is_not_said_is_as_in_the_standard_game():
    data = {"foundations": [{"start": k, "step": k} for k in (1, 2, 3, 4)]}
    assert variant_from_data(data, "mine").same_rules(STANDARD)


@pytest.mark.parametrize(
    ("start", "rank"), [("A", 1), ("10", 10), ("k", 13), ("Q", 12), (7, 7), ("random", None)]
)
def test_a_start_is_a_number_a_card_or_random(start, rank):
    variant = variant_from_data({"foundations": [{"start": start, "step": 1}]}, "mine")
    assert variant.foundations == (Foundation(rank, 1),)


START = 'must be 1 to 13, a rank such as "K", or "random", not'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "foundations must be a list with a start and a step each"),
        ({"foundations": 4}, "foundations must be a list with a start and a step each"),
        ({"foundations": [1, 2]}, "foundations must be a list with a start and a step each"),
        ({"foundations": []}, "foundations must be 1 to 8, not 0"),
        ({"foundations": [{"start": 1}]}, 'foundation 1 has no step: give a number, or "random"'),
        ({"foundations": [*ONE, {"step": 1}]}, "foundation 2 has no start"),
        (
            {"foundations": [{"start": 1, "step": 1, "first": 1}]},
            "foundation 1 cannot say 'first': there are start, step",
        ),
        (
            {"foundations": ONE, "waste": 3},
            "the rules cannot say 'waste': there are name, summary,",
        ),
        ({"foundations": [{"start": "B", "step": 1}]}, f"the start of foundation 1 {START} 'B'"),
        ({"foundations": [{"start": 1.0, "step": 1}]}, f"the start of foundation 1 {START} 1.0"),
        ({"foundations": [{"start": True, "step": 1}]}, f"the start of foundation 1 {START} True"),
        ({"foundations": [{"start": 14, "step": 1}]}, "the start of foundation 1 must be 1 to 13"),
        (
            {"foundations": [{"start": 1, "step": "A"}]},
            "the step of foundation 1 must be 1 to 12, or \"random\", not 'A'",
        ),
        ({"foundations": [{"start": 1, "step": 13}]}, "a step of 13 would leave foundation 1 with"),
        ({"foundations": [{"start": 1, "step": -1}]}, "12 leads to the same ranks"),
        ({"foundations": ONE * 5}, "5 foundations take 65 cards, more than the 52 there are"),
        ({"foundations": ONE, "decks": 3}, "decks must be 1 to 2, not 3"),
        ({"foundations": ONE, "decks": "two"}, "decks must be a whole number, not 'two'"),
        ({"foundations": ONE, "wastes": True}, "wastes must be a whole number, not True"),
        ({"foundations": ONE, "wastes": 2.0}, "wastes must be a whole number, not 2.0"),
        ({"foundations": ONE, "wastes": 0}, "wastes must be 1 to 52, not 0"),
        ({"foundations": ONE, "redeals": 10**30}, "redeals must be 0 to 100"),
        ({"foundations": ONE, "prefilled": 1}, "prefilled must be true or false, not 1"),
        (
            {"foundations": [{"start": "random", "step": 1}], "prefilled": False},
            "a start drawn in each deal must be laid out (prefilled)",
        ),
        ({"foundations": ONE, "name": "my game"}, "'my game' cannot be a variant's name"),
        ({"foundations": ONE, "name": ""}, "'' cannot be a variant's name"),
        ({"foundations": ONE, "name": "a:wastes=3"}, "'a:wastes=3' cannot be a variant's name"),
        ({"foundations": ONE, "name": 3}, "name must be a text, not 3"),
        ({"foundations": ONE, "summary": "two\nlines"}, "the summary must be one line of text"),
    ],
)
def test_what_cannot_be_played_is_refused(data, message):
    with pytest.raises(VariantError) as raised:
        variant_from_data(data, "mine")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | KEYS, inner),
    )
)
def test_nothing_else_is_raised(value):
    data = value if isinstance(value, dict) else {"foundations": value}
    with pytest.raises(VariantError):
        variant_from_data(data, "mine")
