"""Holm's correction by hand, by its step-down rule, and as a closed test."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcsim.analysis.holm import holm

p_value = st.sampled_from([0.0, 0.01, 0.5, 1.0]) | st.floats(0, 1)


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # 3x, 1x raised to 2x, 2x, 4x
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.9, 0.4], [0.9, 0.8]),
        ([0.5, 0.6], [1.0, 1.0]),  # 2 x 0.5, and 0.6 raised to that
        ([0.6, 0.7, 0.0], [1.0, 1.0, 0.0]),
    ],
)
def test_by_hand(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


@given(st.lists(p_value, max_size=12), st.floats(0.001, 0.999))
def test_those_up_to_alpha_are_what_the_step_down_rule_rejects(
    p_values: list[float], alpha: float
) -> None:
    """From the smallest p on, reject while p * (number of hypotheses left) <= alpha."""
    left = sorted(range(len(p_values)), key=p_values.__getitem__)
    rejected = set()
    while left and p_values[left[0]] * len(left) <= alpha:
        rejected.add(left.pop(0))
    assert {test for test, p in enumerate(holm(p_values)) if p <= alpha} == rejected


@given(st.lists(p_value, min_size=1, max_size=6))
def test_it_is_the_closed_test_of_bonferronis(p_values: list[float]) -> None:
    """The greatest Bonferroni p-value of all sets of hypotheses that a hypothesis belongs to."""
    tests = range(len(p_values))
    for test, adjusted in enumerate(holm(p_values)):
        assert adjusted == max(
            min(1.0, size * min(p_values[member] for member in members))
            for size in range(1, len(p_values) + 1)
            for members in combinations(tests, size)
            if test in members
        )


@given(st.lists(p_value, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_tests_makes_no_difference(p_values: list[float], random) -> None:
    order = list(range(len(p_values)))
    random.shuffle(order)
    adjusted = holm(p_values)
    assert holm([p_values[test] for test in order]) == [adjusted[test] for test in order]


@given(st.lists(p_value, max_size=12))
def test_it_only_raises_keeps_the_order_and_stops_at_1(p_values: list[float]) -> None:
    pairs = sorted(zip(p_values, holm(p_values), strict=True))
    assert all(p <= adjusted <= 1 for p, adjusted in pairs)
    assert [adjusted for _, adjusted in pairs] == sorted(adjusted for _, adjusted in pairs)


@pytest.mark.parametrize("impossible", [-0.1, 1.1, math.nan])
def test_impossible_p_values_are_refused(impossible: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, impossible])
