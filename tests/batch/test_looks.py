"""When the data is looked at."""

from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from calcsim.batch.looks import look_ends


def test_the_first_looks():
    assert list(islice(look_ends(10**8), 12)) == [*range(1000, 11000, 1000), 11000, 12100]


@given(st.integers(1, 10**9))
def test_the_last_look_is_at_the_end_and_none_comes_twice(most):
    ends = list(look_ends(most))
    assert ends[-1] == most
    assert all(earlier < later for earlier, later in pairwise(ends))
    assert len(ends) < 170
