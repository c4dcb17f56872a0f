"""The audit passes what the engine plays, and nothing but what the rules make of it."""

import ast
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from judged import (
    BROKEN_INTERVALS,
    LARGEST,
    RANDOM_LEGAL,
    dealt_game,
    pairs_of,
    pairs_on,
    play_random_legal,
    player_of,
)
from reference_strategies import PLACE

import calcsim.reference
from calcsim.engine.games import Deals, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.play import FULL, SIMPLE
from calcsim.game.variants import STANDARD, VARIANTS
from calcsim.reference.audit import AuditError, PlayedGame, audit_game
from calcsim.reference.dealing import new_game
from calcsim.reference.draws import StrategyDraws
from calcsim.reference.game import place_on
from calcsim.reference.playing import play_full, play_simple
from calcsim.reference.rules import rules_from_data

BY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
SEED = 31


def test_the_reference_shares_nothing_with_the_engine():
    for path in Path(calcsim.reference.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                known = {*sys.stdlib_module_names, "numpy"}
                assert name.startswith("calcsim.reference.") or name.split(".")[0] in known, path


# Games of the engine


def audit_engine(words, variant, seed, index, cards=None):
    """Have the engine play a deal, and audit it."""
    player = player_of(words, variant)
    given_cards = None if cards is None else np.array([cards], dtype=np.int8)
    game = trace_game(player, variant, Deals(seed, index, 1, given_cards))
    assert game.fault is None
    played = PlayedGame(pairs_of(game.foundations), game.moves, game.final, game.direct_plays)
    audit_game(variant.as_data(), seed, index, player.value.form, played, cards)


@BY_VARIANT
@pytest.mark.parametrize("words", ["random", "king-pile", "need-order-deep", RANDOM_LEGAL])
def test_what_the_engine_plays_passes(words, variant):
    for index in (0, 1, LARGEST):
        audit_engine(words, variant, SEED, index)


@pytest.mark.parametrize("words", ["shortest", RANDOM_LEGAL])
def test_what_the_engine_plays_with_a_deck_passes(words):
    variant = BROKEN_INTERVALS.with_counts(redeals=2)
    for index, cards in enumerate(deal_cards(variant, 77, 0, 3).tolist()):
        audit_engine(words, variant, SEED, index, cards)


# Games of the reference, which some hand has changed


def played_on(game):
    """What happened on a table of the reference."""
    result = game.result()
    return PlayedGame(pairs_on(game), game.moves, result["foundations"], result["direct_plays"])


def simple_game(variant, index):
    game = dealt_game(variant, SEED, index)
    play_simple(game, partial(PLACE["random"], draws=StrategyDraws(SEED, index, 1)))
    return played_on(game)


def full_game(variant, index):
    game = dealt_game(variant, SEED, index)
    play_random_legal(game, StrategyDraws(SEED, index, 1))
    return played_on(game)


PLAY = {SIMPLE: simple_game, FULL: full_game}
NAMES = ("standard", "no-starters-3", "broken-intervals", "redeal-2", "sir-tommy")
GAMES = [
    (form, VARIANTS[name], index, play(VARIANTS[name], index))
    for form, play in PLAY.items()
    for name in NAMES
    for index in (4, LARGEST)
]


def audit(form, variant, index, played):
    audit_game(variant.as_data(), SEED, index, form, played)


def refusal(form, variant, index, played):
    """What the audit says of a game; None if it passes."""
    try:
        audit(form, variant, index, played)
    except AuditError as error:
        return str(error)
    return None


def with_moves(played, moves):
    return replace(played, moves=list(moves))


def a_number(moves):
    return st.integers(0, len(moves) - 1)


def is_by_the_rules(form, variant, index, played):
    """The same judgement in other words: every move is one that may come next, up to the last."""
    game = dealt_game(variant, SEED, index)
    for move in played.moves:
        if move not in what_may_come(game, form):
            return False
        game.apply(move)
    over = game.turned is None and not game.turns() and not game.redeals()
    return over and played == played_on(game)


def what_may_come(game, form):
    if form == FULL:
        return game.legal_moves()
    plays = game.plays_from_stock()[:1] or game.plays_from_wastes()[:1]
    return plays or game.placements() or game.turns() or game.redeals()


@pytest.mark.parametrize("audited", GAMES)
def test_games_as_they_were_pass(audited):
    assert refusal(*audited) is None
    assert is_by_the_rules(*audited)


@pytest.mark.parametrize("variant", [VARIANTS[name] for name in NAMES], ids=NAMES)
def test_a_simple_game_is_a_full_one_but_not_the_reverse(variant):
    assert refusal(FULL, variant, 4, simple_game(variant, 4)) is None
    assert refusal(SIMPLE, variant, 4, full_game(variant, 4)).startswith("move ")


def with_another_number(move, data):
    """A move with one of its numbers changed, or with another kind or source."""
    field = data.draw(st.sampled_from(sorted(move)))
    others = {
        "move": st.sampled_from(["turn", "place", "play", "redeal", "", None]),
        "from": st.sampled_from(["stock", "deck", -1, 0, 1, 2, 3, 4]),
        "stock": st.permutations(move.get("stock", [])),
    }
    value = data.draw(others.get(field, st.integers(-1, 13)))
    assume(value != move[field])
    return move | {field: value}


def tampered(moves, data):
    """The moves with a single change; any move may be meant."""
    number = data.draw(a_number(moves))
    before, move, after = moves[:number], moves[number], moves[number + 1 :]
    match data.draw(st.sampled_from(["change", "remove", "add", "shift", "swap", "forget"])):
        case "change":
            return [*before, with_another_number(move, data), *after]
        case "remove":
            return before + after
        case "add":
            return [*before, moves[data.draw(a_number(moves))], move, *after]
        case "shift":
            rest = before + after
            there = data.draw(st.integers(0, len(rest)))
            return [*rest[:there], move, *rest[there:]]
        case "swap":
            changed, other = list(moves), data.draw(a_number(moves))
            changed[number], changed[other] = moves[other], move
            return changed
        case "forget":
            field = data.draw(st.sampled_from(sorted(move)))
            return [*before, {name: move[name] for name in move if name != field}, *after]


@given(audited=st.sampled_from(GAMES), data=st.data())
def test_tampered_moves_pass_only_as_another_game_by_the_rules(audited, data):
    *where, played = audited
    changed = with_moves(played, tampered(played.moves, data))
    says = refusal(*where, changed)
    assert (says is None) == is_by_the_rules(*where, changed)
    assert says is None or says.startswith("move ") or "by the engine, " in says


BY_GAME = pytest.mark.parametrize(
    "audited", GAMES, ids=[f"{form} {variant.name} {index}" for form, variant, index, _ in GAMES]
)


@BY_GAME
def test_no_move_can_be_left_out_or_made_twice(audited):
    *where, played = audited
    moves = played.moves
    for number in range(len(moves)):
        assert refusal(*where, with_moves(played, moves[:number] + moves[number + 1 :]))
        assert refusal(*where, with_moves(played, moves[: number + 1] + moves[number:]))


@BY_GAME
def test_no_card_can_be_another(audited):
    *where, played = audited
    for number, move in enumerate(played.moves):
        changed = list(played.moves)
        if move["move"] == "redeal":
            first, second, *others = move["stock"]
            changed[number] = move | {"stock": [second, first, *others]}
            if first == second:
                continue
        else:
            changed[number] = move | {"card": move["card"] % 13 + 1}
        says = refusal(*where, with_moves(played, changed))
        assert says.startswith(f"move {number + 1}: ")


@pytest.mark.parametrize("audited", [game for game in GAMES if game[0] == SIMPLE])
def test_no_neighbours_can_change_places_in_a_simple_game(audited):
    *where, played = audited
    for number in range(len(played.moves) - 1):
        changed = list(played.moves)
        changed[number : number + 2] = reversed(changed[number : number + 2])
        assert refusal(*where, with_moves(played, changed)).startswith(f"move {number + 1}: ")


@BY_GAME
def test_no_foundation_or_waste_can_be_one_that_is_not_there(audited):
    *where, played = audited
    for number, move in enumerate(played.moves):
        for field in {"waste", "foundation", "from"} & move.keys():
            for value in (-1, 52, None):
                changed = list(played.moves)
                changed[number] = move | {field: value}
                says = refusal(*where, with_moves(played, changed))
                assert says.startswith(f"move {number + 1}: ")


@BY_GAME
def test_no_result_can_be_off_by_one(audited):
    *where, played = audited
    for difference in (-1, 1):
        for foundation in range(len(played.final)):
            final = list(played.final)
            final[foundation] += difference
            says = refusal(*where, replace(played, final=final))
            assert says.startswith("the cards on each foundation: ")
        direct_plays = played.direct_plays + difference
        says = refusal(*where, replace(played, direct_plays=direct_plays))
        assert says == (
            f"the direct plays: {direct_plays} by the engine, {played.direct_plays} by the rules"
        )
    moved = [played.final[0] - 1, played.final[1] + 1, *played.final[2:]]
    assert refusal(*where, replace(played, final=moved))


@BY_GAME
def test_no_foundation_can_start_or_step_otherwise(audited):
    *where, played = audited
    for foundation, (start, step) in enumerate(played.foundations):
        for pair in ((start % 13 + 1, step), (start, step % 12 + 1)):
            foundations = list(played.foundations)
            foundations[foundation] = pair
            says = refusal(*where, replace(played, foundations=foundations))
            assert says.startswith("the start and the step of each foundation: ")
    assert refusal(*where, replace(played, foundations=played.foundations[1:]))


@BY_GAME
def test_the_deal_is_that_of_its_seed_and_number(audited):
    form, variant, index, played = audited
    for seed, number in ((SEED + 1, index), (SEED, index - 1), (index, SEED)):
        with pytest.raises(AuditError):
            audit_game(variant.as_data(), seed, number, form, played)


@BY_GAME
def test_the_variant_is_that_of_the_game(audited):
    form, variant, index, played = audited
    for other in VARIANTS.values():
        if other.wastes < variant.wastes or other.redeals != variant.redeals:
            says = refusal(form, other, index, played)
            assert says is not None, other.name


def with_a_play_refused(which):
    """A legal game that plays whatever it can, but for one turned card that is placed instead.

    It is number `which` of the turned cards that a foundation takes. The move's number comes with
    the game.
    """
    game, offers = dealt_game(STANDARD, SEED, 9), []

    def decide(game, card):
        if game.plays_from_stock():
            offers.append(len(game.moves))
            if len(offers) == which + 1:
                return place_on(card, 2)
        waits = None if card is None else place_on(card, 0)
        return next(iter(game.plays()), waits)

    play_full(game, decide)
    return played_on(game), offers[which]


@pytest.mark.parametrize("which", range(15))
def test_a_play_that_the_rules_force_cannot_be_refused(which):
    played, number = with_a_play_refused(which)
    assert refusal(FULL, STANDARD, 9, played) is None
    by_the_engine, by_the_rules = refusal(SIMPLE, STANDARD, 9, played).split(" by the engine, ")
    assert by_the_engine.startswith(f'move {number + 1}: {{"move":"place",')
    assert by_the_rules.startswith('{"move":"play",')


def test_tops_that_fit_cannot_wait_in_a_simple_game():
    game = dealt_game(STANDARD, SEED, 9)

    def decide(game, card):
        if card is not None:
            return next(iter(game.plays_from_stock()), place_on(card, len(game.moves) % 4))
        return None if game.turns() else next(iter(game.plays_from_wastes()), None)

    play_full(game, decide)
    played = played_on(game)
    assert any(move.get("from", "stock") != "stock" for move in played.moves)
    assert refusal(FULL, STANDARD, 9, played) is None
    assert refusal(SIMPLE, STANDARD, 9, played).startswith("move ")


def test_a_game_cannot_break_off_or_go_on():
    for form, variant, index, played in GAMES:
        for number in range(len(played.moves)):
            says = refusal(form, variant, index, with_moves(played, played.moves[:number]))
            assert says.startswith((f"move {number + 1}: none by the engine, ", "the cards on"))
        moves = [*played.moves, {"move": "turn", "card": 5}]
        says = refusal(form, variant, index, with_moves(played, moves))
        assert says == (
            f'move {len(moves)}: {{"move":"turn","card":5}} by the engine, none by the rules'
        )


def test_refusals_tell_what_differs_first():
    played = simple_game(STANDARD, 4)
    number = next(n for n, move in enumerate(played.moves) if move["move"] == "place")
    card = played.moves[number]["card"]

    def says_of(move):
        moves = [*played.moves[:number], move, *played.moves[number + 1 :]]
        return refusal(SIMPLE, STANDARD, 4, with_moves(played, moves))

    turn = {"move": "turn", "card": 1}
    assert says_of(turn) == (
        f'move {number + 1}: {{"move":"turn","card":1}} by the engine, '
        f"a placement of the {card} by the rules"
    )
    assert says_of(place_on(card, 4)) == (
        f'move {number + 1}: {{"move":"place","card":{card},"waste":4}} by the engine, '
        "illegal by the rules"
    )
    assert says_of(place_on(card % 13 + 1, 0)) == (
        f'move {number + 1}: {{"move":"place","card":{card % 13 + 1},"waste":0}} by the engine, '
        f'{{"move":"place","card":{card},"waste":0}} by the rules'
    )


def test_a_form_that_does_not_exist_is_an_error():
    with pytest.raises(ValueError, match="simple or full, not place"):
        audit("place", *GAMES[0][1:])


# Given cards


def given_game(variant, index, cards):
    game = new_game(rules_from_data(variant.as_data()), SEED, index, cards)
    play_random_legal(game, StrategyDraws(SEED, index, 1))
    return played_on(game)


@BY_VARIANT
def test_given_cards_count_as_they_are_given(variant):
    data = variant.as_data()
    cards = deal_cards(variant, 77, 0, 1)[0].tolist()
    played = given_game(variant, 3, cards)
    audit_game(data, SEED, 3, FULL, played, cards)
    with pytest.raises(AuditError):
        audit_game(data, SEED, 3, FULL, played)
    other = next(n for n, card in enumerate(cards) if card != cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    with pytest.raises(AuditError):
        audit_game(data, SEED, 3, FULL, played, cards)


def test_given_cards_leave_dice_and_redeals_to_the_seed():
    for variant in (BROKEN_INTERVALS, VARIANTS["redeal-1"]):
        cards = deal_cards(variant, 77, 0, 1)[0].tolist()
        played = given_game(variant, 3, cards)
        for seed, index in ((SEED + 1, 3), (SEED, 4)):
            with pytest.raises(AuditError):
                audit_game(variant.as_data(), seed, index, FULL, played, cards)


def test_given_cards_must_be_those_of_the_deck():
    cards = deal_cards(STANDARD, 77, 0, 1)[0].tolist()
    played = given_game(STANDARD, 3, cards)
    for others in (cards[1:], [*cards, 5], [cards[0] % 13 + 1, *cards[1:]]):
        with pytest.raises(AuditError, match="not those that this variant shuffles"):
            audit_game(STANDARD.as_data(), SEED, 3, FULL, played, others)
