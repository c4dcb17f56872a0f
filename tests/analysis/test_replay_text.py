"""A replay as text says the same as the replay."""

import re

import pytest
from judged import RANDOM_LEGAL

from calcsim.analysis.replay_text import replay_text
from calcsim.batch.plan import make_plan
from calcsim.game.cards import format_cards, parse_cards
from calcsim.replaying import replay

TINY = {
    "seed": 7,
    "deal": 3,
    "strategy": "mine",
    "variant": {
        "name": "tiny",
        "wastes": 2,
        "prefilled": False,
        "foundations": [{"start": 9, "step": 1}, {"start": 2, "step": 2}],
    },
    "stock": [13, 9, 10],
    "moves": [
        {"move": "turn", "card": 13},
        {"move": "place", "card": 13, "waste": 1},
        {"move": "turn", "card": 9},
        {"move": "place", "card": 9, "waste": 1},
        {"move": "play", "card": 9, "from": 1, "foundation": 0},
        {"move": "turn", "card": 10},
        {"move": "play", "card": 10, "from": "stock", "foundation": 0},
        {"move": "redeal", "stock": [13]},
        {"move": "turn", "card": 13},
        {"move": "place", "card": 13, "waste": 0},
    ],
    "result": {"won": False, "foundation_cards": 2, "foundations": [2, 0], "direct_plays": 1},
}
TINY_TEXT = """\
mine, tiny, deal 3 of seed 7
foundations: from 9 2 in steps of 1 2
stock: K 9 10

1. K to waste 2
   foundations  -        -
   waste 1      -
   waste 2      K

2. 9 to waste 2, 9 from waste 2 to foundation 1
   foundations  9 (1)    -
   waste 1      -
   waste 2      K

3. 10 to foundation 1
   foundations  10 (2)   -
   waste 1      -
   waste 2      K

redeal: K

4. K to waste 1
   foundations  10 (2)   -
   waste 1      K
   waste 2      -

lost: 2 of 26 cards on the foundations, 1 of them straight from the stock"""


def test_a_game_as_a_player_would_lay_it_out():
    assert replay_text(TINY) == TINY_TEXT


def test_a_game_that_came_to_no_end_has_no_result():
    unfinished = {key: value for key, value in TINY.items() if key != "result"}
    assert replay_text(unfinished) == TINY_TEXT.rpartition("\n\n")[0]


def waste_in(lines, number):
    (line,) = (line for line in lines if line.startswith(f"   waste {number} "))
    return parse_cards(line.split(maxsplit=2)[2].replace("-", ""))


@pytest.mark.parametrize(
    ("strategy", "variant"), [("greedy", "standard"), (RANDOM_LEGAL, "standard:redeals=1")]
)
def test_the_table_at_the_end_is_that_of_the_game(strategy, variant):
    for game in replay(make_plan([strategy], variant=variant, seed=5, deals=3)):
        data = game.as_data()
        lines = replay_text(data).split("\n")
        assert lines[1] == "foundations: from A 2 3 4 in steps of 1 2 3 4"
        assert lines[2] == f"stock: {format_cards(data['stock'])}"
        turns = [line for line in lines if re.match(r"\d+\. ", line)]
        assert len(turns) == sum(move["move"] == "turn" for move in data["moves"])
        end = lines[-3 - data["variant"]["wastes"] :]
        counts = [int(count) for count in re.findall(r"\((\d+)\)", end[0])]
        assert counts == data["result"]["foundations"]
        left = sum(len(waste_in(end, 1 + n)) for n in range(data["variant"]["wastes"]))
        assert left + sum(counts) == 52
        assert f"{data['result']['foundation_cards']} of 52 cards" in lines[-1]
