"""Whole games: what comes out, and how a strategy's errors are caught."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judged import (
    GIANT,
    LARGEST,
    STRATEGIES,
    dealt_game,
    decisions,
    play_random_legal,
    player_of,
)
from numba.core.errors import NumbaError

from calcsim.engine.fault import Fault
from calcsim.engine.games import Deals, make_ready, play, trace_game
from calcsim.game.deal import deal_cards
from calcsim.game.layout import lay_out_variant
from calcsim.game.moves import DONE, place_on, play_card, play_top
from calcsim.game.variants import STANDARD
from calcsim.reference.draws import StrategyDraws

LAYOUT = lay_out_variant(STANDARD)
SCRIPTED = str(STRATEGIES / "scripted.py")
INT64 = st.integers(-(2**63), 2**63 - 1)


def strategy_file(folder, body, arguments="table, card", name="place", head=""):
    path = folder / "mine.py"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    path.write_text(
        f"import numpy as np\nfrom calcsim import *\n\n{head}\ndef {name}({arguments}):\n{lines}\n"
    )
    return str(path)


def script_player(answers):
    """A player that gives these answers and raises when they are used up."""
    script = np.array([0, *answers], dtype=np.int64)
    return replace(player_of(SCRIPTED, STANDARD), extras=(script,))


# Results


def test_results_are_those_of_the_games_one_by_one():
    player = player_of("random", STANDARD)
    games = play(player, LAYOUT, Deals(8, 100, 60))
    traced = [trace_game(player, STANDARD, Deals(8, 100 + n, 1)) for n in range(60)]
    assert games.foundations.T.tolist() == [game.final for game in traced]
    assert games.direct_plays.tolist() == [game.direct_plays for game in traced]


@pytest.mark.parametrize("variant", [STANDARD, GIANT], ids=["standard", "giant"])
def test_the_tally_counts_the_games_by_foundation_cards(variant):
    games = play(player_of("random", variant), lay_out_variant(variant), Deals(8, 0, 5000))
    sums = games.foundations.sum(axis=0, dtype=int)
    assert games.tally.tolist() == np.bincount(sums, minlength=variant.winning_cards + 1).tolist()
    assert len(games.tally) == variant.winning_cards + 1


def test_a_won_game_is_counted():
    deck = [*range(2, 14), *(2 * n % 13 or 13 for n in range(2, 14))]
    deck += [*(3 * n % 13 or 13 for n in range(2, 14)), *(4 * n % 13 or 13 for n in range(2, 14))]
    games = play(player_of("shortest", STANDARD), LAYOUT, given_deals(deck))
    assert games.foundations.tolist() == [[13]] * 4
    assert games.direct_plays.tolist() == [48]
    assert np.flatnonzero(games.tally).tolist() == [52]


def test_any_cut_gives_the_same_results():
    player = player_of("random", STANDARD)
    whole = play(player, LAYOUT, Deals(1, 2**63 - 50, 100))
    parts = [play(player, LAYOUT, Deals(1, 2**63 - 50 + n, 25)) for n in (0, 25, 50, 75)]
    assert (np.hstack([part.foundations for part in parts]) == whole.foundations).all()
    assert (np.hstack([part.direct_plays for part in parts]) == whole.direct_plays).all()
    assert (sum(part.tally for part in parts) == whole.tally).all()


def test_no_deals_give_no_results():
    games = play(player_of("random", STANDARD), LAYOUT, Deals(1, 0, 0))
    assert games.foundations.shape == (4, 0)
    assert games.tally.sum() == 0


def test_given_cards_are_played_as_they_are():
    player = player_of("greedy", STANDARD)
    given_games = play(player, LAYOUT, Deals(0, 0, 50, deal_cards(STANDARD, 1, 0, 50)))
    dealt_games = play(player, LAYOUT, Deals(1, 0, 50))
    assert (given_games.foundations == dealt_games.foundations).all()


# Moves that are illegal


def given_deals(deck):
    return Deals(0, 0, 1, np.array([deck], dtype=np.int8))


def fault_of(answers, deck):
    return trace_game(script_player(answers), STANDARD, given_deals(deck)).fault


def deck_that_starts(*first):
    rest = list(STANDARD.cards)
    for card in first:
        rest.remove(card)
    return [*first, *rest]


PLACED = {"move": "place", "card": 13}
PLAYED = {"move": "play", "card": 13, "from": "stock"}


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        (place_on(4), PLACED | {"waste": 4}),
        (place_on(7), PLACED | {"waste": 7}),
        (place_on(-1), PLACED | {"waste": -1}),
        (place_on(1) + (1 << 8), PLACED | {"waste": 1}),
        (play_card(0), PLAYED | {"foundation": 0}),
        (play_card(4), PLAYED | {"foundation": 4}),
        (play_card(255), PLAYED | {"foundation": 255}),
        (DONE, {"move": "done"}),
        (-1, {"move": "number -1"}),
        (2**63 - 1, {"move": f"number {2**63 - 1}"}),
        (-(2**63), {"move": f"number {-(2**63)}"}),
        (5, {"move": "number 5"}),
        (6, {"move": "number 6"}),
    ],
)
def test_illegal_moves_of_a_turned_king(answer, move):
    fault = fault_of([answer], deck_that_starts(13))
    assert (fault.deal, fault.card, fault.move, fault.raised) == (0, 13, move, "")


@pytest.mark.parametrize(
    ("waste", "foundation"), [(0, 0), (4, 0), (9, 0), (-1, 0), (0, 4), (0, 255), (2**40, 0)]
)
def test_tops_that_are_not_there_cannot_be_played(waste, foundation):
    fault = fault_of([play_top(waste, foundation)], deck_that_starts(13))
    assert (fault.card, fault.raised, fault.move["from"]) == (13, "", waste)
    assert fault.move["foundation"] == foundation


@pytest.mark.parametrize("foundation", [1, 2, 3])
def test_a_card_goes_to_a_foundation_that_needs_it_alone(foundation):
    deck = deck_that_starts(2)
    for answers, card in (
        ([play_card(foundation)], 2),
        ([place_on(3), play_top(3, foundation)], 0),
    ):
        fault = fault_of(answers, deck)
        assert (fault.card, fault.raised) == (card, "")


@pytest.mark.parametrize("answer", [place_on(0), place_on(1), play_card(0), play_card(1)])
def test_with_no_card_face_up_there_is_none_to_move(answer):
    fault = fault_of([place_on(0), answer], deck_that_starts(2))
    assert (fault.deal, fault.card, fault.raised) == (0, 0, "")


def test_junk_beside_a_legal_move_makes_it_illegal():
    answers = [play_card(0) + junk for junk in (1 << 16, 5 << 16, -1 << 16, 1 << 40, 1 << 62)]
    answers += [place_on(2) + junk for junk in (1 << 8, 255 << 8)]
    for number in answers:
        fault = fault_of([number], deck_that_starts(2))
        assert (fault.card, fault.raised) == (2, "")


@pytest.mark.parametrize("answer", [play_top(0, 0), play_card(0), play_top(1, 0)])
def test_a_complete_foundation_takes_nothing(answer):
    answers = [*[play_card(0)] * 12, answer]
    fault = fault_of(answers, deck_that_starts(*range(2, 14), 13))
    assert (fault.card, fault.raised) == (13, "")
    assert fault.move["foundation"] == 0


def test_a_complete_foundation_does_not_need_a_card_that_is_not_there():
    answers = [*[play_card(0)] * 12, place_on(0), play_card(0)]
    fault = fault_of(answers, deck_that_starts(*range(2, 14), 4))
    assert (fault.card, fault.raised, fault.move["foundation"]) == (0, "", 0)


def test_the_moves_before_a_fault_are_kept():
    traced = trace_game(
        script_player([play_card(0), place_on(9)]), STANDARD, given_deals(deck_that_starts(2, 13))
    )
    assert traced.fault.move == PLACED | {"waste": 9}
    assert traced.moves == [
        {"move": "turn", "card": 2},
        {"move": "play", "card": 2, "from": "stock", "foundation": 0},
        {"move": "turn", "card": 13},
    ]
    assert (traced.final, traced.direct_plays) == ([2, 1, 1, 1], 1)


@pytest.mark.parametrize("waste", [4, 99, -1, 2**47 - 1, -(2**47)])
def test_a_simple_strategy_s_illegal_waste_is_told(tmp_path, waste):
    player = player_of(placing_file(tmp_path), STANDARD)
    player = replace(player, extras=(waste,))
    fault = trace_game(player, STANDARD, Deals(1, 0, 1)).fault
    assert (fault.deal, fault.card) == (0, 5)
    expected = max(waste, 1 - 2**47)
    assert fault.move == {"move": "place", "card": 5, "waste": expected}


def placing_file(folder):
    return strategy_file(folder, "return waste", arguments="table, card, waste=0")


@pytest.fixture(scope="module")
def placing(tmp_path_factory):
    return player_of(placing_file(tmp_path_factory.mktemp("placing")), STANDARD)


@given(waste=INT64)
@example(waste=2**48)
@example(waste=-(2**48))
def test_a_simple_strategy_places_on_wastes_alone(placing, waste):
    traced = trace_game(replace(placing, extras=(waste,)), STANDARD, Deals(1, 0, 1))
    if 0 <= waste < 4:
        assert traced.fault is None
    else:
        assert not 0 <= traced.fault.move["waste"] < 4
        assert traced.moves[-1]["move"] == "turn"


@pytest.mark.parametrize("kind", ["uint8", "uint64"])
def test_whole_numbers_of_any_size_are_answers(tmp_path, kind):
    player = player_of(strategy_file(tmp_path, f"return np.{kind}(2)"), STANDARD)
    traced = trace_game(player, STANDARD, Deals(1, 0, 1))
    assert traced.fault is None
    assert {move["waste"] for move in traced.moves if move["move"] == "place"} == {2}


# Junk in the midst of a game


def coded(move):
    """The one number that a move of the reference has."""
    if move is None:
        return DONE
    if move["move"] == "place":
        return place_on(move["waste"])
    if move["from"] == "stock":
        return play_card(move["foundation"])
    return play_top(move["from"], move["foundation"])


def answers_of(index):
    """What a player who plays any legal move answers in a deal, from first to last."""
    game = dealt_game(STANDARD, 11, index)
    moves = []

    class Draws(StrategyDraws):
        def below(self, n):
            chosen = super().below(n)
            moves.append(coded(decisions(game)[chosen]))
            return chosen

    play_random_legal(game, Draws(11, index, 5))
    return moves


def is_asked(game):
    """Turn the next card where there is no choice before: whether there is a choice at all."""
    while game.turned is None and not game.plays_from_wastes():
        if not game.turns():
            return False
        game.apply(game.turns()[0])
    return True


def make(game, number):
    """Make the move that a number stands for: whether it is legal, and the game goes on."""
    legal = {coded(move): move for move in decisions(game)}
    if number not in legal:
        return False, True
    move = legal[number] or next(iter(game.turns()), None)
    if move is not None:
        game.apply(move)
    return True, move is not None and is_asked(game)


GAMES = 6
ANSWERS = [answers_of(index) for index in range(GAMES)]
NEAR_MOVES = st.builds(
    lambda kind, foundation, waste: kind + (foundation << 8) + (waste << 16),
    st.integers(0, 6),
    st.sampled_from([0, 1, 2, 3, 4, 5, 7, 255]),
    st.sampled_from([0, 1, 2, 3, 4, 5, 51, -1, -2, 2**15, 2**16, 2**40]),
)


@given(
    index=st.integers(0, GAMES - 1),
    share=st.floats(0, 1),
    junk=st.one_of(NEAR_MOVES, INT64),
)
@settings(max_examples=200)
def test_junk_is_accepted_only_where_the_reference_knows_the_move(index, share, junk):
    before = ANSWERS[index][: int(share * (len(ANSWERS[index]) - 1))]
    game = dealt_game(STANDARD, 11, index)
    assert is_asked(game)
    for number in before:
        assert make(game, number) == (True, True)
    is_legal, goes_on = make(game, junk)

    deals = Deals(11, index, 1)
    traced = trace_game(script_player([*before, junk]), STANDARD, deals)
    assert traced.moves == game.moves
    assert traced.final == [len(foundation) for foundation in game.foundations]
    if not goes_on:
        assert traced.fault is None
    elif is_legal:
        assert traced.fault.raised.startswith("IndexError")
    else:
        assert (traced.fault.raised, traced.fault.card) == ("", game.turned or 0)
    assert_same_table(table_after(script_player([*before, junk]), deals), game)


def table_after(player, deals):
    """The table as a game leaves it, however it ends."""
    layout = lay_out_variant(STANDARD)
    with suppress(Fault):
        play(player, layout, deals)
    return layout.tables[0]


def assert_same_table(table, game):
    wastes = [
        table.wastes[waste, :height].tolist() for waste, height in enumerate(table.heights.tolist())
    ]
    assert wastes == game.wastes
    assert table.tops.tolist() == [pile[-1] if pile else 0 for pile in game.wastes]
    assert table.unseen.tolist()[1:] == list(game.unseen().values())
    assert table.stock_left[0] == len(game.stock)


# Strategies that raise


def test_what_raises_in_one_deal_gives_its_number(tmp_path):
    body = "if stock_left(table) == 47 and card == 13:\n    raise ValueError('a King')\nreturn 0"
    player = player_of(strategy_file(tmp_path, body), STANDARD)
    for first in (0, 1000, 2**63):
        firsts = deal_cards(STANDARD, 4, first, 100)[:, 0].tolist()
        with pytest.raises(Fault) as caught:
            play(player, LAYOUT, Deals(4, first, 100))
        fault = caught.value
        assert fault.deal == first + firsts.index(13)
        assert (fault.card, fault.move, fault.raised) == (0, None, "ValueError: a King")


def test_a_rule_broken_in_one_deal_gives_its_number(tmp_path):
    body = "return 4 if stock_left(table) == 47 and card == 13 else 0"
    player = player_of(strategy_file(tmp_path, body), STANDARD)
    for first in (0, LARGEST - 99):
        firsts = deal_cards(STANDARD, 4, first, 100)[:, 0].tolist()
        with pytest.raises(Fault) as caught:
            play(player, LAYOUT, Deals(4, first, 100))
        assert caught.value.deal == first + firsts.index(13)
        assert caught.value.move == PLACED | {"waste": 4}


OUT_OF_RANGE = (
    "table.heights[9]",
    "table.heights[-5]",
    "table.wastes[0, 48]",
    "top(table, 9)",
    "height(table, 4)",
    "waste_card(table, 4, 0)",
    "waste_card(table, 0, 48)",
    "unseen(table, 14)",
    "on_foundation(table, 4)",
    "needs(table, 4)",
    "needs(table, 9)",
    "need_distance(table, 14)",
    "distance_on(table, 4, 1)",
    "distance_on(table, 0, 14)",
    "weights[3]",
    "weights[-4]",
)


@pytest.fixture(scope="module")
def reaching(tmp_path_factory):
    """A strategy that reads what `which` says, past an array's end."""
    reads = [f"if which == {n}:\n    {text}" for n, text in enumerate(OUT_OF_RANGE)]
    body = "seen = 0\n" + "\n".join(read.replace("    ", "    seen += ") for read in reads)
    path = strategy_file(
        tmp_path_factory.mktemp("reaching"),
        body + "\nreturn seen & 1",
        arguments="table, card, weights, which=-1",
        head="def arrays(variant):\n    return {'weights': np.zeros(3, dtype=np.int64)}\n\n",
    )
    return player_of(path, STANDARD)


@pytest.mark.parametrize("which", range(len(OUT_OF_RANGE)), ids=OUT_OF_RANGE)
def test_reading_past_an_array_s_end_raises(reaching, which):
    player = replace(reaching, extras=(np.zeros(3, dtype=np.int64), which))
    with pytest.raises(Fault) as caught:
        play(player, LAYOUT, Deals(1, 7, 1))
    assert caught.value.deal == 7
    assert caught.value.raised.startswith("IndexError")


def test_reading_within_the_arrays_does_not(reaching):
    assert play(reaching, LAYOUT, Deals(1, 7, 1)).tally.sum() == 1


# Strategies that do not compile


@pytest.mark.parametrize(
    "body",
    [
        "table.heights[0] = 0\nreturn 0",
        "return table.draw_key[0]",
        "return 1.0",
        "return None",
    ],
)
def test_strategies_that_do_not_compile(tmp_path, body):
    player = player_of(strategy_file(tmp_path, body), STANDARD)
    with pytest.raises(NumbaError):
        make_ready(player, LAYOUT)
