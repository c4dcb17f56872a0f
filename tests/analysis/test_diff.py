"""What one strategy wins and another loses, against a join in plain Python."""

import random
from urllib.parse import quote

import polars as pl
import pytest

from calcsim.analysis.diff import PART_SCHEMA, PairError, check_pair, diff
from calcsim.analysis.run import Run, RunError

ALL = 52
SHARD = 70
LABELS = ["=a/b:depth=2", "b", "c"]
A, B, C = LABELS
PLAYED = {A: 6 * SHARD, B: 6 * SHARD, C: 4 * SHARD}
"""C has dropped out of a race."""


def drawn_games():
    """Label to deal to foundation cards; few different numbers, so that there are ties."""
    draw = random.Random(7)
    first = 2**64 - 6 * SHARD
    return {
        label: {first + n: draw.choice([30, 31, 45, ALL, ALL]) for n in range(played)}
        for label, played in PLAYED.items()
    }


GAMES = drawn_games()


def plain(winner, loser):
    """Every deal that one wins and the other loses, in the order of a `Part`."""
    rows = [
        (deal, cards, GAMES[loser][deal], cards - GAMES[loser][deal])
        for deal, cards in GAMES[winner].items()
        if deal in GAMES[loser] and cards == ALL and GAMES[loser][deal] < ALL
    ]
    return sorted(rows, key=lambda row: (-row[3], row[0]))


def write_rows(folder, label):
    games = list(GAMES[label].items())
    place = folder / "deals" / f"strategy={quote(label, safe='')}"
    place.mkdir(parents=True)
    for start in range(0, len(games), SHARD):
        deals, cards = zip(*games[start : start + SHARD], strict=True)
        rows = {
            "deal": pl.Series(deals, dtype=pl.UInt64),
            "won": [number == ALL for number in cards],
            "foundation_cards": pl.Series(cards, dtype=pl.UInt16),
        }
        pl.DataFrame(rows).write_parquet(place / f"{deals[0]}-{deals[-1]}.parquet")


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    for label in LABELS:
        write_rows(folder, label)
    pairs = [(a, b) for a in LABELS for b in LABELS if a != b]
    head_to_head = pl.DataFrame(
        {
            "strategy_a": [a for a, _ in pairs],
            "strategy_b": [b for _, b in pairs],
            "deals": [min(PLAYED[a], PLAYED[b]) for a, b in pairs],
            "only_a_won": [len(plain(a, b)) for a, b in pairs],
        }
    )
    played = pl.DataFrame({"strategy": LABELS, "deals": [PLAYED[label] for label in LABELS]})
    manifest = {"first_deal": min(GAMES[A]), "digests": {"deals": {}}}
    return Run(played, pl.DataFrame(), head_to_head, manifest, folder)


@pytest.mark.parametrize("top", [1, 2, 10, 10_000])
@pytest.mark.parametrize(("a", "b"), [(A, B), (B, A), (A, C), (C, B)])
def test_it_is_a_join_of_the_rows(run, a, b, top):
    for part, pair in zip(diff(run, a, b, top), [(a, b), (b, a)], strict=True):
        expected = plain(*pair)
        assert (part.winner, part.loser) == pair
        assert part.count == len(expected) > 10
        assert part.of == min(PLAYED[a], PLAYED[b])
        assert part.largest_gaps.rows() == expected[:top]
        assert part.largest_gaps.schema == PART_SCHEMA


def test_ten_are_shown_by_default(run):
    assert [len(part.largest_gaps) for part in diff(run, A, B)] == [10, 10]


def test_nothing_is_a_frame_too(run):
    for file in (run.path / "deals").rglob("*.parquet"):
        pl.read_parquet(file).with_columns(won=False).write_parquet(file)
    never = run.head_to_head.with_columns(only_a_won=0)
    none = Run(run.win_rates, run.foundation_counts, never, run.manifest, run.path)
    for part in diff(none, A, B):
        assert (part.count, part.of) == (0, 6 * SHARD)
        assert part.largest_gaps.is_empty()
        assert part.largest_gaps.schema == PART_SCHEMA


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ("bb", "c", "the run has no strategy 'bb'; did you mean 'b'?"),
        ("b", "xyzzy", "the run has no strategy 'xyzzy'; it has =a/b:depth=2, b, c"),
        ("b", "b", "'b' differs from itself in nothing: name another strategy of the run"),
    ],
)
def test_what_is_no_pair(run, a, b, says):
    for refusing in (check_pair, diff):
        with pytest.raises(PairError) as refused:
            refusing(run, a, b)
        assert str(refused.value) == says


def test_a_run_without_rows(run):
    unwritten = Run(run.win_rates, run.foundation_counts, run.head_to_head, {})
    assert run.keeps_rows
    assert not unwritten.keeps_rows
    with pytest.raises(RunError, match="this run kept no rows per deal"):
        diff(unwritten, A, B)


def test_rows_that_are_not_all_there(run):
    run.row_files(B)[1].path.unlink()
    with pytest.raises(RunError, match=f"missing, from deal {2**64 - 5 * SHARD} on"):
        diff(run, A, B)


def test_rows_that_are_not_those_of_the_tables(run):
    file = run.row_files(B)[1].path
    pl.read_parquet(file).with_columns(~pl.col("won")).write_parquet(file)
    with pytest.raises(RunError, match="the rows per deal are not those of the tables"):
        diff(run, A, B)


def test_rows_that_cannot_be_read(run):
    next((run.path / "deals" / "strategy=b").glob("*.parquet")).write_bytes(b"no parquet")
    with pytest.raises(RunError, match="the rows per deal cannot be read: ") as refused:
        diff(run, A, B)
    assert "\n" not in str(refused.value)
