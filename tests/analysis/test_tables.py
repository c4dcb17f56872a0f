"""The tables against values worked out by hand, and against the promised columns."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.intervals import wilson_interval
from calcsim.analysis.tables import foundation_counts, win_rates
from calcsim.analysis.tally import Tally


def small_tally(counts: list[int], direct_plays: int = 0) -> Tally:
    return Tally(np.array(counts, dtype=np.int64), direct_plays)


# Of games won with four cards: ten, two of them won, three near misses from three cards on.
STEADY = small_tally([1, 0, 4, 3, 2], direct_plays=35)
HOPELESS = small_tally([5, 0, 0, 0, 0])


def win_rates_of(tallies: dict[str, Tally], seed: int = 7, confidence: float = 0.9) -> pl.DataFrame:
    return win_rates(
        tallies, variant="standard", seed=seed, near_miss_cards=3, confidence=confidence
    )


def assert_columns(frame: pl.DataFrame, promised: dict[str, type[pl.DataType]]) -> None:
    """The same names and dtypes in the same order."""
    assert frame.columns == list(promised)
    assert frame.dtypes == list(promised.values())


def test_win_rates_have_the_promised_columns() -> None:
    promised: dict[str, type[pl.DataType]] = {
        "strategy": pl.String,
        "variant": pl.String,
        "seed": pl.UInt64,
        "deals": pl.UInt64,
        "wins": pl.UInt64,
        "win_rate": pl.Float64,
        "win_rate_low": pl.Float64,
        "win_rate_high": pl.Float64,
        "confidence": pl.Float64,
        "near_misses": pl.UInt64,
        "mean_foundation_cards": pl.Float64,
        "sd_foundation_cards": pl.Float64,
        "mean_direct_plays": pl.Float64,
        "failed": pl.UInt64,
    }
    for tallies in ({"steady": STEADY}, {}):
        assert_columns(win_rates_of(tallies), promised)


def test_foundation_counts_have_the_promised_columns() -> None:
    promised: dict[str, type[pl.DataType]] = {
        "strategy": pl.String,
        "foundation_cards": pl.UInt16,
        "deals": pl.UInt64,
        "share": pl.Float64,
        "cumulative_share": pl.Float64,
    }
    for tallies in ({"steady": STEADY}, {}):
        assert_columns(foundation_counts(tallies), promised)


def test_win_rates_by_hand() -> None:
    row = win_rates_of({"steady": STEADY}).row(0, named=True)
    low, high = wilson_interval(2, 10, 0.9)
    # Sum 0 + 8 + 9 + 8 = 25, of squares 16 + 27 + 32 = 75: variance (75 - 25 * 25 / 10) / 9.
    assert row.pop("sd_foundation_cards") == pytest.approx((12.5 / 9) ** 0.5)
    assert row == {
        "strategy": "steady",
        "variant": "standard",
        "seed": 7,
        "deals": 10,
        "wins": 2,
        "win_rate": 0.2,
        "win_rate_low": low,
        "win_rate_high": high,
        "confidence": 0.9,
        "near_misses": 3,
        "mean_foundation_cards": 2.5,
        "mean_direct_plays": 3.5,
        "failed": 0,
    }


def test_games_that_failed_widen_the_interval_upwards() -> None:
    failing = Tally(STEADY.foundation_cards, STEADY.direct_plays, failed=3)
    row = win_rates_of({"failing": failing}).row(0, named=True)
    assert (row["wins"], row["win_rate"], row["failed"]) == (2, 0.2, 3)
    assert row["win_rate_low"] == wilson_interval(2, 10, 0.9)[0]
    assert row["win_rate_high"] == wilson_interval(5, 10, 0.9)[1]


def test_foundation_counts_by_hand() -> None:
    frame = foundation_counts({"steady": STEADY, "hopeless": HOPELESS})
    assert frame.rows() == [
        ("steady", 0, 1, 0.1, 0.1),
        ("steady", 1, 0, 0.0, 0.1),
        ("steady", 2, 4, 0.4, 0.5),
        ("steady", 3, 3, 0.3, 0.8),
        ("steady", 4, 2, 0.2, 1.0),
        ("hopeless", 0, 5, 1.0, 1.0),
        ("hopeless", 1, 0, 0.0, 1.0),
        ("hopeless", 2, 0, 0.0, 1.0),
        ("hopeless", 3, 0, 0.0, 1.0),
        ("hopeless", 4, 0, 0.0, 1.0),
    ]


def test_strategies_keep_the_order_given() -> None:
    tallies = {"zeal": STEADY, "art": HOPELESS, "mid": STEADY}
    assert win_rates_of(tallies)["strategy"].to_list() == ["zeal", "art", "mid"]
    assert foundation_counts(tallies)["strategy"].unique(maintain_order=True).to_list() == [
        "zeal",
        "art",
        "mid",
    ]


def test_the_greatest_seed_fits() -> None:
    assert win_rates_of({"steady": STEADY}, seed=2**64 - 1)["seed"].item() == 2**64 - 1


@given(st.lists(st.integers(0, 10**12), min_size=53, max_size=53).filter(any))
def test_shares_add_up(counts: list[int]) -> None:
    frame = foundation_counts({"any": small_tally(counts)})
    assert frame["foundation_cards"].to_list() == list(range(53))
    assert frame["deals"].to_list() == counts
    assert frame["share"].sum() == pytest.approx(1, abs=1e-14)
    assert frame["cumulative_share"].item(-1) == 1.0
    assert frame["cumulative_share"].is_sorted()


def test_a_strategy_without_games_is_refused() -> None:
    nothing = {"idle": Tally.empty(4)}
    with pytest.raises(ValueError, match="at least one game"):
        win_rates_of(nothing)
    with pytest.raises(ValueError, match="idle played no game"):
        foundation_counts(nothing)


def test_an_impossible_confidence_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        win_rates_of({"steady": STEADY}, confidence=95)
