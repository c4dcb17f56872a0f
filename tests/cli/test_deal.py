"""`calcsim deal`: the stock of deals."""

import json

import pytest

from calcsim.game.cards import parse_cards
from calcsim.reference.dealing import deal as reference_deal

LARGEST = 2**64 - 1


def test_text_is_a_deal_a_line(calcsim):
    ended = calcsim("deal", "--seed", 5, "--first-deal", 2, "--deals", 3)
    assert ended.status == 0
    assert ended.err == ""
    found = [parse_cards(line) for line in ended.out.splitlines()]
    cards = _standard_cards()
    assert found == [list(reference_deal(5, number, cards)) for number in (2, 3, 4)]
    assert set(ended.out.split()) == {"A", *map(str, range(2, 11)), "J", "Q", "K"}


def _standard_cards():
    cards = sorted(list(range(1, 14)) * 4)
    for starter in (1, 2, 3, 4):
        cards.remove(starter)
    return cards


def test_json_is_a_deal_a_line(calcsim):
    words = ["deal", "--seed", LARGEST, "--first-deal", LARGEST - 1, "--deals", 2]
    deals = [json.loads(line) for line in calcsim(*words, "--format", "json").out.splitlines()]
    assert [list(deal) for deal in deals] == [["seed", "deal", "stock"]] * 2
    assert [(deal["seed"], deal["deal"]) for deal in deals] == [
        (LARGEST, LARGEST - 1),
        (LARGEST, LARGEST),
    ]
    text = calcsim(*words).out.splitlines()
    assert [deal["stock"] for deal in deals] == [parse_cards(line) for line in text]


def test_one_deal_is_as_in_many(calcsim):
    many = calcsim("deal", "--seed", 1, "--deals", "10k").out.splitlines()
    assert len(many) == 10_000
    for number in (0, 4095, 4096, 9999):
        (alone,) = calcsim("deal", "--seed", 1, "--first-deal", number).out.splitlines()
        assert alone == many[number]


@pytest.mark.parametrize("variant", ["three-wastes", "easy-5", "easy-6", "standard:redeals=2"])
def test_the_same_stock_is_dealt_the_same(calcsim, variant):
    standard = calcsim("deal", "--seed", 9, "--deals", 5).out
    assert calcsim("deal", "--seed", 9, "--deals", 5, "--variant", variant).out == standard


def test_a_drawn_seed_is_told_and_deals_the_same_again(calcsim):
    ended = calcsim("deal")
    word, seed = ended.err.split()
    assert word == "seed"
    assert calcsim("deal", "--seed", seed).out == ended.out
