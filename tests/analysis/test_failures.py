"""Games that failed: the outcomes that bound what may have become of them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.failures import at_worst, largest_p_value, swapped
from calcsim.analysis.paired import mcnemar_p_value, paired_interval

COUNT = st.integers(0, 6)
OUTCOMES = st.tuples(COUNT, COUNT, COUNT, COUNT).filter(sum)


@given(OUTCOMES, st.data())
def test_no_other_way_to_win_them_leaves_a_worse_off(outcomes, data):
    """Wherever the failed games lie, among the deals that b has not won."""
    both, only_a, only_b, neither = outcomes
    failed = data.draw(st.integers(0, only_a + neither))
    low, _ = paired_interval(*at_worst(outcomes, failed))
    for to_both in range(min(failed, only_a) + 1):
        to_b = failed - to_both
        if to_b <= neither:
            other = both + to_both, only_a - to_both, only_b + to_b, neither - to_b
            assert low <= paired_interval(*other)[0] + 1e-12


def test_without_failed_games_nothing_changes():
    assert at_worst((3, 4, 5, 6), 0) == (3, 4, 5, 6)
    assert swapped(swapped((3, 4, 5, 6))) == (3, 4, 5, 6)
    assert largest_p_value(mcnemar_p_value, (3, 4, 9, 6), (3, 4, 9, 6)) == mcnemar_p_value(4, 9)


@given(OUTCOMES, st.data())
def test_the_p_value_is_as_large_as_any_that_the_failed_games_allow(outcomes, data):
    _, only_a, only_b, neither = outcomes
    failed_b = data.draw(st.integers(0, neither))
    failed_a = data.draw(st.integers(0, neither - failed_b))
    worst = at_worst(outcomes, failed_b)
    best = swapped(at_worst(swapped(outcomes), failed_a))
    bound = largest_p_value(mcnemar_p_value, worst, best)
    for to_a, to_b in itertools.product(range(failed_a + 1), range(failed_b + 1)):
        assert bound >= mcnemar_p_value(only_a + to_a, only_b + to_b) - 1e-12


@pytest.mark.parametrize(
    ("worst", "best", "p"),
    [((0, 3, 9, 5), (0, 9, 3, 5), 1.0), ((0, 9, 1, 5), (0, 12, 1, 2), mcnemar_p_value(9, 1))],
)
def test_the_p_value_by_hand(worst, best, p):
    assert largest_p_value(mcnemar_p_value, worst, best) == p
