"""The rules of a game as data."""

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from judged import BROKEN_INTERVALS, GIANT, HALF_BROKEN, NO_STARTERS, REVERSE, SIR_TOMMY, rules_of

from calcsim.game.cards import format_cards
from calcsim.game.variant import Foundation, Variant, VariantError, sequence
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.reference.rules import cards_to_shuffle

FIXED = (STANDARD, NO_STARTERS, REVERSE, GIANT, SIR_TOMMY)
ONE = (Foundation(1, 1),)


@pytest.mark.parametrize(
    ("variant", "table"),
    [
        (
            STANDARD,
            [
                "A 2 3 4 5 6 7 8 9 10 J Q K",
                "2 4 6 8 10 Q A 3 5 7 9 J K",
                "3 6 9 Q 2 5 8 J A 4 7 10 K",
                "4 8 Q 3 7 J 2 6 10 A 5 9 K",
            ],
        ),
        (
            REVERSE,
            [
                "K Q J 10 9 8 7 6 5 4 3 2 A",
                "K J 9 7 5 3 A Q 10 8 6 4 2",
                "K 10 7 4 A J 8 5 2 Q 9 6 3",
                "K 9 5 A 10 6 2 J 7 3 Q 8 4",
            ],
        ),
    ],
    ids=["standard", "reverse"],
)
def test_sequences_are_those_of_the_rules(variant, table):
    assert [format_cards(foundation.sequence()) for foundation in variant.foundations] == table


@pytest.mark.parametrize("variant", FIXED, ids=lambda variant: variant.name)
def test_the_reference_reads_the_rules_alike(variant):
    rules = rules_of(variant)
    for number, foundation in enumerate(variant.foundations):
        assert foundation.sequence() == rules.sequence(number)
    assert list(variant.cards) == cards_to_shuffle(rules)


@pytest.mark.parametrize("step", range(1, 13))
@pytest.mark.parametrize("start", range(1, 14))
def test_a_sequence_has_every_rank_and_ends_a_step_before_its_start(start, step):
    ranks = sequence(start, step)
    assert sorted(ranks) == list(range(1, 14))
    assert (ranks[-1] + step - start) % 13 == 0


@pytest.mark.parametrize("foundation", [Foundation(None, 1), Foundation(1, None)])
def test_a_foundation_left_to_chance_has_no_sequence_yet(foundation):
    with pytest.raises(VariantError, match="drawn anew in each deal"):
        foundation.sequence()


@pytest.mark.parametrize(
    ("variant", "starters", "cards", "drawn", "stock", "winning", "near_miss"),
    [
        (STANDARD, (1, 2, 3, 4), 48, 0, 48, 52, 45),
        (NO_STARTERS, (), 52, 0, 52, 52, 45),
        (REVERSE, (13, 13, 13, 13), 48, 0, 48, 52, 45),
        (GIANT, (1, 2, 3, 4, 5, 6, 7, 8), 96, 0, 96, 104, 90),
        (SIR_TOMMY, (), 52, 0, 52, 52, 45),
        (BROKEN_INTERVALS, (), 52, 4, 48, 52, 45),
        (HALF_BROKEN, (5, 2), 50, 2, 48, 52, 45),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_follows_from_the_rules(variant, starters, cards, drawn, stock, winning, near_miss):
    assert variant.starters == starters
    assert len(variant.cards) == cards
    assert list(variant.cards) == sorted(variant.cards)
    assert variant.drawn_starters == drawn
    assert variant.stock_size == stock
    assert variant.winning_cards == winning
    assert variant.near_miss_cards == near_miss


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decks": 0}, "decks must be 1 to 2, not 0"),
        ({"decks": 3}, "decks must be 1 to 2, not 3"),
        ({"foundations": ()}, "foundations must be 1 to 8, not 0"),
        ({"foundations": ONE * 9, "decks": 2}, "foundations must be 1 to 8, not 9"),
        ({"foundations": ONE * 5}, "5 foundations take 65 cards, more than the 52 there are"),
        ({"wastes": 0}, "wastes must be 1 to 52, not 0"),
        ({"wastes": 53}, "wastes must be 1 to 52, not 53"),
        ({"redeals": -1}, "redeals must be 0 to 100, not -1"),
        ({"redeals": 101}, "redeals must be 0 to 100, not 101"),
        ({"foundations": (Foundation(0, 1),)}, "the start of foundation 1 must be 1 to 13, not 0"),
        (
            {"foundations": (Foundation(14, 1),)},
            "the start of foundation 1 must be 1 to 13, not 14",
        ),
        (
            {"foundations": (Foundation(1, 0),)},
            "a step of 0 would leave foundation 1 with one rank: it must be 1 to 12",
        ),
        (
            {"foundations": (Foundation(1, 1), Foundation(1, 26))},
            "a step of 26 would leave foundation 2 with one rank: it must be 1 to 12",
        ),
        (
            {"foundations": (Foundation(13, -2),)},
            "the step of foundation 1 must be 1 to 12, not -2; 11 leads to the same ranks",
        ),
        (
            {"foundations": (Foundation(None, 1),), "prefilled": False},
            "a start drawn in each deal must be laid out (prefilled)",
        ),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes, message):
    with pytest.raises(VariantError) as caught:
        replace(STANDARD, **changes)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "changes",
    [
        {"wastes": 1},
        {"wastes": 52},
        {"redeals": 100},
        {"foundations": ONE},
        {"foundations": ONE * 8, "decks": 2},
        {"foundations": (Foundation(13, 12),)},
    ],
)
def test_the_extremes_can_be_played(changes):
    replace(STANDARD, **changes)


def test_four_starters_of_a_rank_are_in_a_deck():
    assert Variant("aces", "", ONE * 4).cards.count(1) == 0


def test_other_counts_are_told_by_the_name():
    three = STANDARD.with_counts(wastes=3)
    assert (three.name, three.wastes, three.redeals) == ("standard:wastes=3", 3, 0)
    both = STANDARD.with_counts(wastes=5, redeals=2)
    assert (both.name, both.wastes, both.redeals) == ("standard:wastes=5,redeals=2", 5, 2)
    assert both.foundations == STANDARD.foundations


def test_the_same_counts_leave_the_variant_alone():
    assert STANDARD.with_counts() is STANDARD
    assert STANDARD.with_counts(wastes=4, redeals=0) is STANDARD
    assert STANDARD.with_counts(wastes=4, redeals=1).name == "standard:redeals=1"


def test_counts_that_are_changed_again_are_told_once():
    five = STANDARD.with_counts(wastes=5)
    assert five.with_counts(wastes=6, redeals=1).name == "standard:wastes=6,redeals=1"
    assert five.with_counts(redeals=1).name == "standard:wastes=5,redeals=1"


@pytest.mark.parametrize("foundations", range(1, 9))
def test_a_near_miss_is_45_52nds_of_a_win(foundations):
    variant = Variant("some", "", ONE * foundations, decks=2)
    assert variant.near_miss_cards == ceil(Fraction(45, 52) * variant.winning_cards)


def test_counts_that_no_table_holds_are_refused():
    with pytest.raises(VariantError, match="wastes must be 1 to 52, not 0"):
        STANDARD.with_counts(wastes=0)


def test_rules_as_json_holds_them():
    assert json.loads(json.dumps(replace(BROKEN_INTERVALS, redeals=1).as_data())) == {
        "name": "broken-intervals",
        "decks": 1,
        "wastes": 4,
        "redeals": 1,
        "prefilled": True,
        "foundations": [{"start": "random", "step": "random"}] * 4,
    }


@pytest.mark.parametrize(
    ("name", "same", "changes"),
    [
        ("three-wastes", "standard", {"wastes": 3}),
        ("easy-5", "standard", {"wastes": 5}),
        ("easy-6", "standard", {"wastes": 6}),
        ("no-starters", "standard", {"prefilled": False}),
        ("no-starters-3", "standard", {"prefilled": False, "wastes": 3}),
        ("redeal-1", "standard", {"redeals": 1}),
        ("redeal-2", "standard", {"redeals": 2}),
        ("sir-tommy", "no-starters", {"foundations": ONE * 4}),
    ],
)
def test_variants_that_change_another(name, same, changes):
    assert VARIANTS[name].same_rules(replace(VARIANTS[same], **changes))
    assert not VARIANTS[name].same_rules(VARIANTS[same])


def test_every_variant_of_the_rules_has_its_name():
    assert list(VARIANTS) == [
        "standard",
        "three-wastes",
        "easy-5",
        "easy-6",
        "no-starters",
        "no-starters-3",
        "reverse",
        "giant",
        "broken-intervals",
        "redeal-1",
        "redeal-2",
        "sir-tommy",
    ]
    assert all(name == variant.name for name, variant in VARIANTS.items())
