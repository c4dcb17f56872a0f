"""`calcsim replay`: games, move by move."""

import json

from calcsim.analysis.replay_text import replay_text

STANDARD = (
    '"variant":{"name":"standard","decks":1,"wastes":4,"redeals":0,"prefilled":true,'
    '"foundations":[{"start":1,"step":1},{"start":2,"step":2},{"start":3,"step":3},'
    '{"start":4,"step":4}]}'
)
KEYS = {
    "turn": ["move", "card"],
    "place": ["move", "card", "waste"],
    "play": ["move", "card", "from", "foundation"],
    "redeal": ["move", "stock"],
}


def test_json_is_a_game_a_line_as_promised(calcsim):
    ended = calcsim("replay", "greedy", "--seed", 7, "--deals", 2, "--format", "json")
    assert ended.status == 0
    assert ended.err == ""
    lines = ended.out.splitlines()
    for number, line in enumerate(lines):
        head = f'{{"seed":7,"deal":{number},"strategy":"greedy",{STANDARD},"stock":['
        assert line.startswith(head)
        game = json.loads(line)
        assert line == json.dumps(game, separators=(",", ":"))
        assert list(game) == ["seed", "deal", "strategy", "variant", "stock", "moves", "result"]
        assert list(game["result"]) == ["won", "foundation_cards", "foundations", "direct_plays"]
        assert all(list(move) == KEYS[move["move"]] for move in game["moves"])
        assert len(game["stock"]) == 48
    assert len(lines) == 2


def test_the_moves_lead_to_the_result(calcsim):
    out = calcsim("replay", "greedy", "--seed", 7, "--deals", 5, "--format", "json").out
    for game in map(json.loads, out.splitlines()):
        turned = [move["card"] for move in game["moves"] if move["move"] == "turn"]
        assert turned == game["stock"]
        plays = [move for move in game["moves"] if move["move"] == "play"]
        result = game["result"]
        counts = [1 + sum(move["foundation"] == n for move in plays) for n in range(4)]
        assert result["foundations"] == counts
        assert result["foundation_cards"] == sum(counts)
        assert result["direct_plays"] == sum(move["from"] == "stock" for move in plays)
        assert result["won"] == (sum(counts) == 52)


def test_text_is_the_same_games(calcsim):
    words = ["replay", "greedy", "--seed", 7, "--first-deal", 1, "--deals", 2]
    games = map(json.loads, calcsim(*words, "--format", "json").out.splitlines())
    assert calcsim(*words).out == "".join(f"{replay_text(game)}\n" for game in games)


def test_a_drawn_seed_is_told(calcsim):
    ended = calcsim("replay", "greedy")
    assert ended.status == 0
    assert ended.err.startswith("seed ")
    assert f"of {ended.err}" in ended.out


def test_deals_of_a_file(calcsim, tmp_path):
    stock = calcsim("deal", "--seed", 7, "--deals", 3).out
    (tmp_path / "deals.txt").write_text(stock)
    words = ["replay", "greedy", "--format", "json", "--first-deal", 1]
    (game,) = map(json.loads, calcsim(*words, "--deck", "deals.txt").out.splitlines())
    (from_seed,) = map(json.loads, calcsim(*words, "--seed", 7).out.splitlines())
    assert game == from_seed | {"seed": 0}
