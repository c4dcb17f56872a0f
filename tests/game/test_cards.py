"""Ranks as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.game.cards import (
    LETTERS,
    RANK_NAMES,
    NotationError,
    check_cards,
    format_cards,
    parse_card,
    parse_cards,
    rank_name,
)
from calcsim.game.variants import STANDARD

RANKS = st.integers(1, 13)
SUITS = st.sampled_from(["", *"CDHScdhs♠♡♢♣♤♥♦♧", "♠\ufe0e", "♥\ufe0f"])


def test_rank_names():
    assert " ".join(RANK_NAMES) == "A 2 3 4 5 6 7 8 9 10 J Q K"
    assert [rank_name(rank) for rank in (1, 10, 13)] == ["A", "10", "K"]


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("A", 1),
        ("a", 1),
        ("2", 2),
        ("10", 10),
        ("T", 10),
        ("t", 10),
        ("10H", 10),
        ("tS", 10),
        ("Ks", 13),
        ("kD", 13),
        ("Q♠", 12),
        ("j♡", 11),
        ("9♥\ufe0f", 9),
        (" 7c ", 7),
    ],
)
def test_cards_in_english(text, rank):
    assert parse_card(text) == rank


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        ("en", "A J Q K"),
        ("de", "A B D K"),
        ("nl", "A B V H"),
        ("it", "A F D R"),
        ("it", "A F Q R"),
        ("fr", "A V D R"),
    ],
)
def test_the_letters_of_each_language(letters, text):
    assert parse_cards(text, letters) == [1, 11, 12, 13]
    assert parse_cards(f"10 2 {text.lower()}", letters) == [10, 2, 1, 11, 12, 13]


def test_a_letter_can_be_a_rank_and_a_suit():
    assert parse_cards("D Dd 10d Kh", "de") == [12, 12, 10, 13]
    assert parse_cards("H Hh 10h Vs", "nl") == [13, 13, 10, 12]


@pytest.mark.parametrize(
    "text",
    ["", "1", "0", "11", "14", "B", "X", "AA", "10HH", "♠", "H", "-2", "2.0", "K♠♠", "²", "\uff19"],
)
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert str(caught.value) == f"'{text}' is no card: ranks are 2 to 10 and A T J Q K"


def test_the_refusal_names_the_letters_that_were_asked_for():
    with pytest.raises(NotationError, match=r"^'Q' is no card: ranks are 2 to 10 and A B D K$"):
        parse_cards("A D Q K", "de")


@given(cards=st.lists(RANKS))
def test_formatted_cards_read_back(cards):
    assert parse_cards(format_cards(cards)) == cards


@given(letters=st.sampled_from(sorted(LETTERS)), rank=RANKS, suit=SUITS, data=st.data())
def test_every_way_to_write_a_card_reads_back(letters, rank, suit, data):
    names = [letter for letter, meant in LETTERS[letters].items() if meant == rank]
    names += [str(rank)] if 2 <= rank <= 10 else []
    name = data.draw(st.sampled_from(names))
    for text in (name + suit, name.lower() + suit, f" {name}{suit}\n"):
        assert parse_card(text, letters) == rank


@given(cards=st.permutations(STANDARD.cards))
def test_any_order_of_the_right_cards_passes(cards):
    check_cards(cards, STANDARD.cards, "the deck")


@pytest.mark.parametrize(
    ("cards", "expected", "message"),
    [
        ([1, 2], [1, 2, 3], "2 cards where the deck holds 3"),
        ([], [5], "0 cards where the deck holds 1"),
        ([1, 1, 13], [1, 13, 13], "2 cards of rank A where the deck holds 1"),
        ([10, 12, 12], [10, 10, 12], "1 cards of rank 10 where the deck holds 2"),
        ([13, 14], [13, 13], "1 cards of rank K where the deck holds 2"),
    ],
)
def test_wrong_cards_are_told_apart(cards, expected, message):
    with pytest.raises(NotationError) as caught:
        check_cards(cards, expected, "the deck")
    assert str(caught.value) == message
