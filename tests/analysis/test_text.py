"""The table of win rates as a terminal shows it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from calcsim.analysis.tables import win_rates
from calcsim.analysis.tally import Tally
from calcsim.analysis.text import win_rate_table


def frame_of(wins: dict[str, int], deals: int = 10_000, confidence: float = 0.95) -> pl.DataFrame:
    """A fifth of the lost games ends with 47 cards, the others with 30; 12 direct plays a game."""

    def tally(won: int) -> Tally:
        counts = np.zeros(53, dtype=np.int64)
        counts[52] = won
        counts[47] = (deals - won) // 5
        counts[30] = deals - won - counts[47]
        return Tally(counts, 12 * deals)

    return win_rates(
        {name: tally(won) for name, won in wins.items()},
        variant="standard",
        seed=7,
        near_miss_cards=45,
        confidence=confidence,
    )


FRAME = frame_of({"greedy": 2731, "rollout:samples=200,base=need-order": 8120, "5": 4900})


def lines_of(frame: pl.DataFrame, width: int) -> list[str]:
    """The table's lines, with a hyphen for the dash of an interval."""
    return win_rate_table(frame, width).replace("\u2013", "-").split("\n")


def test_with_room_for_everything() -> None:
    frame = frame_of({"greedy": 2731, "rollout:samples=200": 8120, "5": 4900})
    assert lines_of(frame, 200) == [
        "                                           95 %      near   mean  direct",
        "strategy              deals  won %     interval  misses %  cards   plays",
        "-------------------  ------  -----  -----------  --------  -----  ------",
        "greedy               10,000  27.31  26.45-28.19     14.53  38.48   12.00",
        "rollout:samples=200  10,000  81.20  80.42-81.95      3.76  48.50   12.00",
        "5                    10,000  49.00  48.02-49.98     10.20  42.51   12.00",
    ]


def test_80_columns_suffice_for_usual_names() -> None:
    frame = frame_of({"reverse-need-order": 301_234}, deals=1_000_000)
    assert lines_of(frame, 80) == lines_of(frame, 200)


def test_40_columns_keep_name_rate_and_interval() -> None:
    assert lines_of(FRAME, 40) == [
        "                                    95 %",
        "strategy              won %     interval",
        "--------------------  -----  -----------",
        "greedy                27.31  26.45-28.19",
        "rollout:samples=200…  81.20  80.42-81.95",
        "5                     49.00  48.02-49.98",
    ]


def test_columns_go_one_after_the_other() -> None:
    widest = win_rate_table(FRAME, 200)
    headings = ["plays", "misses %", "cards", "deals"]
    kept_before = headings
    for width in range(len(widest.split("\n")[2]), 29, -1):
        table = win_rate_table(FRAME, width)
        kept = [heading for heading in headings if heading in table]
        assert kept in (kept_before, kept_before[1:])
        assert "won %" in table
        assert "interval" in table
        # A name is cut only where nothing else is left to go.
        assert "…" not in table or not kept
        kept_before = kept
    assert not kept_before


def test_the_rate_outlives_the_interval_where_names_would_vanish() -> None:
    table = win_rate_table(frame_of({"first-fit": 1, "first-fall": 10**9}, deals=10**9), 30)
    assert "interval" not in table
    assert "first-fit" in table
    assert "first-fall" in table


@given(
    st.dictionaries(st.text(), st.integers(0, 10**9), max_size=5),
    st.integers(30, 200),
    st.sampled_from([1, 1000, 10**9]),
    st.sampled_from([0.5, 0.95, 0.99999]),
)
def test_no_line_is_wider_than_asked_for_or_ends_in_a_blank(
    wins: dict[str, int], width: int, deals: int, confidence: float
) -> None:
    frame = frame_of({name: won % (deals + 1) for name, won in wins.items()}, deals, confidence)
    lines = win_rate_table(frame, width).split("\n")
    assert len(lines) == 3 + len(wins)
    for line in lines:
        assert 0 <= wcswidth(line) <= width
        assert line == line.rstrip()


def test_wide_letters_keep_the_columns_straight() -> None:
    lines = lines_of(frame_of({"日本語の戦略": 1, "cafe\u0301": 2, "plain": 3}), 80)
    assert len({wcswidth(line) for line in lines[1:]}) == 1


def test_names_cannot_break_lines_or_move_the_cursor() -> None:
    table = win_rate_table(frame_of({"two\nlines": 1, "\x1b[31mred": 2, "\u202eback": 3}), 80)
    assert len(table.split("\n")) == 6
    assert "\ufffd[31mred" in table
    assert "\x1b" not in table
    assert "\u202e" not in table


@pytest.mark.parametrize(
    ("deals", "rate"), [(10, "50.0"), (1_000, "50.0"), (100_000, "50.00"), (10**9, "50.0000")]
)
def test_digits_follow_the_interval(deals: int, rate: str) -> None:
    # Half-widths: 26 %, 3 %, 0.3 % and 0.003 %.
    _, _, _, row = lines_of(frame_of({"even": deals // 2}, deals), 200)
    assert row.split()[2] == rate


def test_all_rows_have_the_digits_of_the_narrowest_interval() -> None:
    rows = lines_of(frame_of({"even": 500_000, "never": 0}, deals=1_000_000), 200)[3:]
    assert [row.split()[2] for row in rows] == ["50.0000", "0.0000"]


@pytest.mark.parametrize(
    ("confidence", "stated"),
    [(0.95, "95 %"), (0.57, "57 %"), (0.999, "99.9 %"), (0.99999, "99.999 %")],
)
def test_the_confidence_is_the_frames(confidence: float, stated: str) -> None:
    heading = win_rate_table(frame_of({"any": 5}, confidence=confidence), 80).split("\n")[0]
    assert f" {stated} " in heading


def test_rows_that_differ_in_confidence_have_no_common_heading() -> None:
    mixed = pl.concat([frame_of({"a": 1}), frame_of({"b": 1}, confidence=0.9)])
    with pytest.raises(ValueError, match="share one confidence"):
        win_rate_table(mixed, 80)


def test_no_strategies_are_headings_alone() -> None:
    assert win_rate_table(FRAME.clear(), 80).split("\n")[1].split()[0] == "strategy"
